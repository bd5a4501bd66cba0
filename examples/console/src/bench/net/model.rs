//! What every library is put through: two peers, one link, one game, virtual time.
//!
//! Knows a library only as something that is given a frame at a time. No host wins lost time back by running faster.

use super::post::{Post, SharedMailbox};
use net_transport::{LinkConfig, Loss, NetTime};

/// Frames a second.
pub const RATE: u64 = 60;
/// How much later than the first peer's frames the second's begin, microseconds.
const PHASE_US: u64 = 8_000;
/// Frames that a pad is held on average.
const HELD: u32 = 12;
/// How long the libraries may take to greet each other, seconds.
const START_MAX_S: u64 = 30;

/// What a library did in one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The match runs.
    pub running: bool,
    /// New frames that it stepped.
    pub advanced: u64,
    /// Frames that it stepped again.
    pub again: u64,
    /// How often a state was loaded.
    pub loads: u64,
    /// The library asked to slow down, and the frame was left out.
    pub skipped: bool,
}

/// A library's end of a match. It reads and writes its mailbox and nothing else.
pub trait Peer {
    /// One frame of a host: receive, give the pad, advance, do what was asked.
    fn frame(&mut self, now: NetTime, pad: u16) -> Frame;

    /// When it wants to send before its next frame, if it does.
    fn wants_to_send(&self) -> Option<NetTime> {
        None
    }

    /// The host's call at that time: nothing came.
    fn send_only(&mut self, _now: NetTime) {}
}

/// Makes one end of a match.
pub type Make = fn(&Case, end: usize, SharedMailbox) -> Box<dyn Peer>;

/// One way of playing.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The link, each way.
    pub link: LinkConfig,
    /// Input delay, frames.
    pub delay: u8,
    /// The input delay may grow to this, where the library can do that.
    pub delay_max: u8,
    /// Frames of prediction; 0 for lockstep.
    pub prediction: u8,
    /// The second peer's clock runs fast by this much, parts per million.
    pub skew_ppm: u64,
    /// The pad changes in every frame.
    pub restless: bool,
    /// The library may run a little slower or faster to stay beside its peer.
    pub slew: bool,
}

impl Case {
    /// Round trip of 100 ± 10 ms, delay 6, lockstep.
    pub fn lockstep(loss: Loss) -> Self {
        Self {
            link: LinkConfig::default()
                .latency_us(50_000)
                .jitter_us(10_000)
                .loss(loss),
            delay: 6,
            delay_max: 6,
            prediction: 0,
            skew_ppm: 0,
            restless: false,
            slew: false,
        }
    }

    /// The same link, delay 2, prediction 12.
    pub fn rollback(loss: Loss) -> Self {
        Self {
            delay: 2,
            delay_max: 2,
            prediction: 12,
            ..Self::lockstep(loss)
        }
    }

    /// The link on which every frame rolls 8 frames back.
    pub fn eight_back() -> Self {
        Self {
            link: LinkConfig::default().latency_us(125_000),
            delay: 0,
            delay_max: 0,
            restless: true,
            ..Self::rollback(Loss::None)
        }
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// New frames a second, of the slower peer.
    pub fps: f64,
    /// The share of a peer's frames in which it could not go on, per cent; the larger of both.
    pub stalled: f64,
    /// The share of frames that a peer was asked to leave out, per cent; the larger of both.
    pub skipped: f64,
    /// The longest row of frames in which nothing moved.
    pub freeze: u64,
    /// Frames stepped again for each frame, of each peer.
    pub again: [f64; 2],
    /// How many frames a rollback went back on average, of each peer.
    pub depth: [f64; 2],
    /// Bytes of a packet.
    pub packet_bytes: f64,
    /// Packets a second, of one peer.
    pub packets: f64,
}

impl Outcome {
    /// Thousands of bytes a second of one peer, UDP and IP included.
    pub fn kb(&self) -> f64 {
        self.packets * (self.packet_bytes + net_transport::UDP_IP_BYTES as f64) / 1_000.0
    }
}

/// A small generator (SplitMix64), so that the pads are the same everywhere.
#[derive(Debug)]
struct Chance(u64);

impl Chance {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 32) as u32
    }
}

struct Player {
    peer: Box<dyn Peer>,
    chance: Chance,
    pad: u16,
    running: bool,
    frames: u64,
    seen: Frame,
    skipped: u64,
    freeze: u64,
    longest: u64,
}

/// A match of two on virtual time.
pub struct Run {
    case: Case,
    post: Post,
    players: [Player; 2],
    /// How many frames of its host each had.
    at: [u64; 2],
    now_us: u64,
    /// Told of the time before each call, for libraries that read a clock.
    clock: fn(u64),
}

impl Run {
    /// Both ends, greeted and running. `None` if they did not come to that.
    pub fn start(case: Case, make: Make, seed: u64, clock: fn(u64)) -> Option<Self> {
        clock(0);
        let post = Post::new(2, case.link, seed);
        let player = |end: usize| Player {
            peer: make(&case, end, post.mailbox(end)),
            chance: Chance(seed * 2 + end as u64),
            pad: 0,
            running: false,
            frames: 0,
            seen: Frame::default(),
            skipped: 0,
            freeze: 0,
            longest: 0,
        };
        let players = [player(0), player(1)];
        let mut run = Self {
            case,
            post,
            players,
            at: [0; 2],
            now_us: 0,
            clock,
        };
        while !run.players.iter().all(|player| player.running) {
            if run.at[0] > START_MAX_S * RATE {
                return None;
            }
            run.next(&mut |frame| frame());
        }
        run.post.count_from_now();
        for player in &mut run.players {
            (player.frames, player.seen) = (0, Frame::default());
            (player.skipped, player.freeze, player.longest) = (0, 0, 0);
        }
        Some(run)
    }

    /// Plays on for so many of the first peer's frames. `around` is given each frame's call to make: it may time it.
    pub fn frames(&mut self, count: u64, mut around: impl FnMut(&mut dyn FnMut())) {
        let end = self.at[0] + count;
        while self.at[0] < end {
            self.next(&mut around);
        }
    }

    /// Puts bytes that nobody sent into the first peer's mailbox, for its next frame.
    pub fn forge(&mut self, bytes: &[u8]) {
        self.post.forge(0, 1, bytes);
    }

    /// True time of a peer's frame.
    fn due(&self, end: usize) -> u64 {
        match end {
            0 => self.at[0] * 1_000_000 / RATE,
            _ => {
                PHASE_US
                    + self.at[1] * 1_000_000_000_000 / (RATE * (1_000_000 + self.case.skew_ppm))
            }
        }
    }

    /// The next thing that is due: a frame of either end, or what one wants to send between two.
    fn next(&mut self, around: &mut dyn FnMut(&mut dyn FnMut())) {
        let event = |end: usize| {
            let frame = self.due(end);
            let wish = self.players[end].peer.wants_to_send();
            let send = wish
                .map(|wish| self.truly(end, wish).max(self.now_us))
                .filter(|send| *send < frame);
            (send.unwrap_or(frame), send.is_some())
        };
        let events = [event(0), event(1)];
        let end = usize::from(events[1].0 < events[0].0);
        let (now_us, sends_only) = events[end];
        self.now_us = now_us;
        (self.clock)(now_us);
        let (now, local) = (NetTime::from_us(now_us), self.local(end, now_us));
        let player = &mut self.players[end];
        if sends_only {
            self.post.bring_nothing(end);
            player.peer.send_only(local);
        } else {
            self.at[end] += 1;
            self.post.bring(end, now);
            player.frame(local, self.case.restless, around);
        }
        self.post.collect(end, now);
    }

    /// What an end's own clock shows at a true time.
    fn local(&self, end: usize, us: u64) -> NetTime {
        NetTime::from_us(
            us + if end == 1 {
                us * self.case.skew_ppm / 1_000_000
            } else {
                0
            },
        )
    }

    /// The true time at which an end's clock shows `local`, rounded up.
    fn truly(&self, end: usize, local: NetTime) -> u64 {
        match end {
            0 => local.as_us(),
            _ => (local.as_us() * 1_000_000).div_ceil(1_000_000 + self.case.skew_ppm),
        }
    }

    /// What came of it since the start.
    pub fn outcome(&self) -> Outcome {
        let seconds = self.players[0].frames as f64 / RATE as f64;
        let mut outcome = Outcome {
            fps: f64::MAX,
            ..Outcome::default()
        };
        for (side, player) in self.players.iter().enumerate() {
            let share = |count: u64| 100.0 * count as f64 / player.frames as f64;
            outcome.fps = outcome.fps.min(player.seen.advanced as f64 / seconds);
            let moved = player.seen.advanced + player.skipped;
            outcome.stalled = outcome
                .stalled
                .max(share(player.frames.saturating_sub(moved)));
            outcome.skipped = outcome.skipped.max(share(player.skipped));
            outcome.freeze = outcome.freeze.max(player.longest);
            outcome.again[side] = player.seen.again as f64 / player.seen.advanced as f64;
            outcome.depth[side] = player.seen.again as f64 / player.seen.loads.max(1) as f64;
        }
        let (packets, bytes) = self.post.sent();
        outcome.packets = packets as f64 / 2.0 / seconds;
        outcome.packet_bytes = bytes as f64 / packets as f64;
        outcome
    }
}

impl Player {
    fn frame(&mut self, now: NetTime, restless: bool, around: &mut dyn FnMut(&mut dyn FnMut())) {
        if restless || self.chance.bits().is_multiple_of(HELD) {
            self.pad = self.chance.bits() as u16;
        }
        let mut frame = Frame::default();
        around(&mut || frame = self.peer.frame(now, self.pad));
        self.running |= frame.running;
        self.frames += 1;
        self.seen.advanced += frame.advanced;
        self.seen.again += frame.again;
        self.seen.loads += frame.loads;
        self.skipped += u64::from(frame.skipped);
        if frame.advanced > 0 {
            self.freeze = 0;
        } else {
            self.freeze += 1;
            self.longest = self.longest.max(self.freeze);
        }
    }
}

/// Plays `seconds` of `case` and says what came of it. `None` if the match did not start.
pub fn play(case: Case, make: Make, seed: u64, seconds: u64, clock: fn(u64)) -> Option<Outcome> {
    let mut run = Run::start(case, make, seed, clock)?;
    run.frames(seconds * RATE, |frame| frame());
    Some(run.outcome())
}

/// The median of what `seeds` seeds come to, by `value`.
pub fn median(outcomes: &[Outcome], value: impl Fn(&Outcome) -> f64) -> f64 {
    let mut values: Vec<f64> = outcomes.iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}
