//! The room itself: what the phones play goes in, what their microphones hear comes out.

use crate::{
    capture::Capture,
    config::{Phone, RoomConfig},
    convolver::{BLOCK, Convolver},
    dice::Dice,
    disturbance::Disturbance,
    echoes,
    history::History,
    jammer::GameAudio,
    motion::Way,
    resampler::Resampler,
    speaker::{self, Speaker},
    troubles::Wander,
    voice::Voice,
};
use std::{f64::consts::TAU, time::Duration};

/// How long what was played can still be heard: longest latency, echoes and lag of one phone behind the other.
const HISTORY_S: f64 = 0.5;

/// Something that happens to the sound for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// When it starts, in room time.
    pub at: Duration,
    /// How long it lasts.
    pub lasts: Duration,
    /// What it is.
    pub kind: FaultKind,
}

/// What can happen to the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// This phone's recording holds only digital silence.
    CaptureGap(Phone),
    /// Neither phone hears the other; noise and own signals stay.
    Dropout,
    /// This phone is not heard by the other.
    Unheard(Phone),
    /// This phone's audio device stops: it plays nothing and its frames are lost, though they count. Whoever runs the
    /// phone asks [`Room::is_stopped`].
    DeviceStop(Phone),
}

/// Two phones in one room, sample by sample.
///
/// Each phone has its own frame count and clock. Take turns: [`Room::next`] says whose, then for the same frames
/// [`Room::capture`] gives what its microphone hears and [`Room::play`] takes what it plays. Blocks can have any
/// length up to what the latencies cover (tens of milliseconds by default).
pub struct Room {
    phones: [PhoneInRoom; 2],
    faults: Vec<Fault>,
    starved: u64,
}

struct PhoneInRoom {
    /// How its clock wanders, and where in that it starts, turns.
    wander: Option<(Wander, f64)>,
    /// Room seconds of frame 0 and frames a room second.
    start_s: f64,
    rate_hz: f64,
    captured: u64,
    game_audio: Option<GameAudio>,
    speaker: Speaker,
    voice: Option<Voice>,
    /// Frames between playing a sample and its direct sound in the histories, besides the way itself.
    processing_delay: usize,
    convolver: Convolver,
    /// Played frames that do not fill a block yet.
    pending: Vec<f32>,
    /// This phone's sound where the peer's microphone is, and where its own is; on this phone's frames.
    at_peer: History,
    at_itself: History,
    /// What leaves this phone, as late as [`Self::at_peer`]: the direct sound, if the phones move.
    dry: History,
    /// How the phones move, and the delay of what is in [`Self::dry`].
    way: Option<Way>,
    /// Frames, and room seconds, between playing and what is captured.
    own_delay: i64,
    peer_delay_s: f64,
    /// Reads the peer's sound on this phone's clock.
    resampler: Resampler,
    disturbance: Disturbance,
    capture: Capture,
}

impl Room {
    /// Builds the room: a few milliseconds of work.
    ///
    /// # Panics
    /// If [`RoomConfig::problem`] is not `None`.
    #[must_use]
    pub fn new(config: &RoomConfig) -> Self {
        if let Some(problem) = config.problem() {
            panic!("{problem}");
        }
        let (mut peer, own) = (echoes::peer(config), echoes::own(config));
        let way = config.motion.map(|motion| {
            // The direct sound is read on its own, wherever the phones are.
            peer.remove(0);
            Way::new(motion, config.distance_cm, config.seed)
        });
        let phone = |phone: Phone| {
            let this = config.phones[phone.index()];
            let that = config.phones[phone.other().index()];
            let nominal_hz = f64::from(this.sample_rate_hz);
            let purpose = phone.index() as u64;
            let keep = (HISTORY_S * nominal_hz) as usize;
            let own_delay_ms = this.output_latency_ms + this.input_latency_ms;
            let peer_delay_ms = that.output_latency_ms + this.input_latency_ms;
            let voice = Voice::new(config, nominal_hz, purpose);
            let voice_delay = voice.as_ref().map_or(0, Voice::delay);
            PhoneInRoom {
                wander: config
                    .wander
                    .map(|wander| (wander, Dice::new(config.seed, 144 + purpose).unit())),
                start_s: this.start_ms / 1000.0,
                rate_hz: nominal_hz * (1.0 + this.skew_ppm * 1e-6),
                captured: 0,
                game_audio: config
                    .jammer
                    .map(|jammer| GameAudio::new(jammer, config.seed, purpose, nominal_hz)),
                speaker: Speaker::new(config.harmonics, this.sample_rate_hz),
                voice,
                processing_delay: speaker::DELAY + voice_delay + echoes::RESPONSE_DELAY,
                convolver: Convolver::new(&echoes::response(&peer, &own, nominal_hz)),
                pending: Vec::with_capacity(BLOCK),
                at_peer: History::new(keep),
                at_itself: History::new(keep),
                dry: History::new(keep),
                way,
                own_delay: (own_delay_ms / 1000.0 * nominal_hz) as i64,
                peer_delay_s: peer_delay_ms / 1000.0,
                resampler: Resampler::new(f64::from(that.sample_rate_hz), nominal_hz),
                disturbance: Disturbance::new(config, nominal_hz, purpose),
                capture: Capture::new(config, nominal_hz, purpose),
            }
        };
        Self {
            phones: Phone::BOTH.map(phone),
            faults: Vec::new(),
            starved: 0,
        }
    }

    /// Lets something happen. Faults in the past do nothing.
    pub fn inject(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// The phone whose next frame comes first: the one to run next.
    #[must_use]
    pub fn next(&self) -> Phone {
        let [a, b] = Phone::BOTH.map(|phone| self.time_s(phone));
        if a <= b { Phone::A } else { Phone::B }
    }

    /// The room time of a phone's next frame to capture.
    #[must_use]
    pub fn time(&self, phone: Phone) -> Duration {
        Duration::from_secs_f64(self.time_s(phone).max(0.0))
    }

    fn time_s(&self, phone: Phone) -> f64 {
        let phone = &self.phones[phone.index()];
        phone.time_s(phone.captured)
    }

    /// Frames this phone has captured so far: its device's frame count.
    #[must_use]
    pub fn frame(&self, phone: Phone) -> u64 {
        self.phones[phone.index()].captured
    }

    /// Samples so far that a microphone asked for before a phone had played them, and got without: 0 as long as
    /// turns are taken and blocks are short.
    #[must_use]
    pub const fn starved_frames(&self) -> u64 {
        self.starved
    }

    /// True if the phone's device is stopped at its next frame.
    #[must_use]
    pub fn is_stopped(&self, phone: Phone) -> bool {
        let room_s = self.time_s(phone);
        self.faults
            .iter()
            .any(|fault| fault.kind == FaultKind::DeviceStop(phone) && fault.is_on(room_s))
    }

    /// What the phone's microphone hears during its next `microphone.len()` frames.
    pub fn capture(&mut self, phone: Phone, microphone: &mut [f32]) {
        let both_past_s = self.time_s(self.next());
        self.faults
            .retain(|fault| (fault.at + fault.lasts).as_secs_f64() >= both_past_s);
        let [a, b] = &mut self.phones;
        let (this, peer) = if phone == Phone::A { (a, b) } else { (b, a) };
        for (i, out) in (0..).zip(microphone.iter_mut()) {
            let frame = this.captured + i;
            let room_s = this.time_s(frame);
            let mut sound = this.disturbance.next(room_s);
            let own = this.own_frame(frame);
            match this.at_itself.window(own, 1) {
                Some(heard) => sound += heard[0],
                None if own >= this.at_itself.end() as i64 => self.starved += 1,
                None => {}
            }
            let left_s = room_s - this.peer_delay_s;
            let place = peer.place(left_s);
            match this.resampler.at(&peer.at_peer, place) {
                Some(mut heard) => {
                    if let Some(way) = &peer.way {
                        let direct = way.direct(left_s);
                        let place = peer.place(left_s - direct.delay_s);
                        let dry = this.resampler.at(&peer.dry, place).unwrap_or(0.0);
                        heard += direct.gain as f32 * dry;
                    }
                    let active = self.faults.iter().filter(|fault| fault.is_on(room_s));
                    if !active
                        .into_iter()
                        .any(|fault| fault.kind.silences(phone.other()))
                    {
                        sound += heard;
                    }
                }
                None if this.resampler.needs(place) >= peer.at_peer.end() as i64 => {
                    self.starved += 1
                }
                None => {}
            }
            *out = this.capture.next(sound);
            let gap =
                |fault: &Fault| fault.kind == FaultKind::CaptureGap(phone) && fault.is_on(room_s);
            if self.faults.iter().any(gap) {
                *out = 0.0;
            }
        }
        this.captured += microphone.len() as u64;
    }

    /// What the phone plays during its next `speaker.len()` frames.
    pub fn play(&mut self, phone: Phone, speaker: &[f32]) {
        self.phones[phone.index()].play(speaker);
    }
}

/// Plays two whole signals, each at its phone's rate, and gives what the two microphones hear until `tail` after the
/// longer one.
///
/// # Panics
/// If [`RoomConfig::problem`] is not `None`.
#[must_use]
pub fn play_through(config: &RoomConfig, signals: [&[f32]; 2], tail: Duration) -> [Vec<f32>; 2] {
    let mut room = Room::new(config);
    let ends = Phone::BOTH
        .map(|phone| room.phones[phone.index()].time_s(signals[phone.index()].len() as u64));
    let end_s = ends[0].max(ends[1]) + tail.as_secs_f64();
    let mut heard = [Vec::new(), Vec::new()];
    let mut microphone = [0.0; BLOCK];
    while room.time_s(room.next()) < end_s {
        let phone = room.next();
        let from = usize::try_from(room.frame(phone)).unwrap_or(usize::MAX);
        let rest = signals[phone.index()].get(from..).unwrap_or(&[]);
        let mut speaker = [0.0; BLOCK];
        for (out, sample) in speaker.iter_mut().zip(rest) {
            *out = *sample;
        }
        room.capture(phone, &mut microphone);
        room.play(phone, &speaker);
        heard[phone.index()].extend(microphone);
    }
    heard
}

impl Fault {
    fn is_on(&self, room_s: f64) -> bool {
        let at_s = self.at.as_secs_f64();
        (at_s..at_s + self.lasts.as_secs_f64()).contains(&room_s)
    }
}

impl FaultKind {
    fn silences(self, phone: Phone) -> bool {
        self == Self::Dropout || self == Self::Unheard(phone)
    }
}

impl PhoneInRoom {
    fn time_s(&self, frame: u64) -> f64 {
        let by_crystal = frame as f64 / self.rate_hz;
        self.start_s + by_crystal + self.wandered_s(by_crystal)
    }

    /// How much later a frame is than a steady clock would have it.
    fn wandered_s(&self, by_crystal: f64) -> f64 {
        self.wander.map_or(0.0, |(wander, from)| {
            let reach_s = wander.ppm * 1e-6 * wander.period_s / TAU;
            let turns = |s: f64| libm::sin(TAU * (s / wander.period_s + from));
            // From nothing: phones start when they start.
            reach_s * (turns(by_crystal) - turns(0.0))
        })
    }

    /// The place in [`Self::at_peer`] of what leaves this phone's speaker at `room_s`, its latency aside.
    fn place(&self, room_s: f64) -> f64 {
        let passed_s = room_s - self.start_s;
        let mut by_crystal = passed_s;
        if self.wander.is_some() {
            // The wander changes by parts in a thousand: three rounds leave nothing.
            for _ in 0..3 {
                by_crystal = passed_s - self.wandered_s(by_crystal);
            }
        }
        by_crystal * self.rate_hz + self.processing_delay as f64
    }

    /// The frame of [`Self::at_itself`] that the microphone hears in `frame`.
    fn own_frame(&self, frame: u64) -> i64 {
        frame as i64 - self.own_delay + self.processing_delay as i64
    }

    fn play(&mut self, mut speaker: &[f32]) {
        while !speaker.is_empty() {
            let (now, later) = speaker.split_at(speaker.len().min(BLOCK - self.pending.len()));
            // A converter has nothing beyond full scale, and nothing for what is not a number.
            self.pending.extend(now.iter().map(|x| {
                if x.is_finite() {
                    x.clamp(-1.0, 1.0)
                } else {
                    0.0
                }
            }));
            speaker = later;
            if self.pending.len() == BLOCK {
                let mut block: [f32; BLOCK] = std::array::from_fn(|i| self.pending[i]);
                self.pending.clear();
                if let Some(game_audio) = &mut self.game_audio {
                    game_audio.add_to(&mut block);
                }
                self.speaker.process(&mut block);
                if let Some(voice) = &mut self.voice {
                    voice.process(&mut block);
                }
                if self.way.is_some() {
                    let is_first = self.dry.end() == 0;
                    let late = if is_first { echoes::RESPONSE_DELAY } else { 0 };
                    self.dry.append(std::iter::repeat_n(0.0, late).chain(block));
                }
                let heard = self.convolver.process(&block);
                self.at_peer.append(heard.iter().map(|both| both.re));
                self.at_itself.append(heard.iter().map(|both| both.im));
            }
        }
    }
}
