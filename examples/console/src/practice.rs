//! `loop`: the whole duel over packets that never become sound, as fast as the machine can.

mod args;

pub use args::{EXAMPLES, LoopArgs};

use crate::{
    cli::MatchModeArg,
    duel::{Medium, PhoneLink, play},
};
use link_transport::{
    AirConfig, AirEnd, LinkEvent, LinkStats, LinkTime, LinkTransport, Loss, Mode, OutFrame,
    PacketAir, Plan, SessionKey, Slot, packet_ms,
};
use std::{error::Error, ops::RangeInclusive, time::Duration};
use versus_pairing::{LOBBY_MODE, input_delay};

/// What the options are clamped to. Source: the specification's "Dev and test modes".
const DELAY_TICKS: RangeInclusive<u32> = 3..=8;
pub const LOSS: RangeInclusive<f64> = 0.0..=0.9;
pub const LATENCY_MS: RangeInclusive<u64> = 0..=2000;
/// Both clocks start here, so that a slot can be told as earlier than it was.
const START: LinkTime = LinkTime::from_ms(10_000);

/// Plays the duel without sound, saves what a duel saves, and succeeds only if both phones stayed in sync.
pub fn run(args: &LoopArgs) -> Result<(), Box<dyn Error>> {
    let plan = Plan::from(args.game.plan);
    let latency = latency(args.latency_ms);
    let mut game = args.game.clone();
    let shift_us = match args.delay {
        None => 0,
        Some(ticks) => {
            let ticks = ticks.clamp(*DELAY_TICKS.start(), *DELAY_TICKS.end());
            // A delay is chosen for the starting mode, so that must be known; a good link would agree on fast.
            if game.mode == MatchModeArg::Auto {
                game.mode = MatchModeArg::AutoFromFast;
            }
            shift_us(ticks, plan, game.mode, latency)?
        }
    };
    let config = AirConfig {
        plan,
        latency,
        loss: [Loss::Bernoulli(loss(args.loss)?); 2],
        clock_start: [START; 2],
        ..AirConfig::default()
    };
    let (host, guest) = PacketAir::pair(config, game.seed);
    let ends = [PracticeEnd::new(host, shift_us), PracticeEnd::new(guest, 0)];
    play(&game, ends, Medium::Practice)
}

/// A share of packets lost, within [`LOSS`].
pub fn loss(share: f64) -> Result<f64, String> {
    if share.is_nan() {
        return Err("--loss NaN: a share from 0 to 0.9".into());
    }
    Ok(share.clamp(*LOSS.start(), *LOSS.end()))
}

/// A packet's way, within [`LATENCY_MS`].
pub fn latency(ms: u64) -> Duration {
    Duration::from_millis(ms.clamp(*LATENCY_MS.start(), *LATENCY_MS.end()))
}

/// How much later than they were the host's lobby packets must seem to have left, so that the round trip it measures
/// leads to a delay of `ticks`: microseconds, negative for earlier.
fn shift_us(ticks: u32, plan: Plan, mode: MatchModeArg, latency: Duration) -> Result<i64, String> {
    let mode = match mode {
        MatchModeArg::Robust => Mode::Robust,
        _ => Mode::Fast,
    };
    let delay =
        |round_trip_ms| input_delay(Duration::from_millis(round_trip_ms), plan, mode).ticks();
    // The middle of the round trips that lead to this delay: measuring one rounds it up by less than 10 ms.
    let leads: Vec<u64> = (0..2500)
        .step_by(10)
        .filter(|&ms| delay(ms) == ticks)
        .collect();
    let wanted_ms = *leads.get(leads.len() / 2).ok_or_else(|| {
        let least = delay(0);
        format!("--delay {ticks}: the low plan's robust packets need at least {least}; try --mode fast or --plan high")
    })?;
    let lobby_packet = Duration::from_millis(packet_ms(plan, LOBBY_MODE).into());
    let round_trip_us = 2 * latency.max(lobby_packet).as_micros() as i64;
    Ok(round_trip_us - 1000 * wanted_ms as i64)
}

/// One end of the practice link. The host's may tell its lobby packets' times so that a chosen delay is agreed.
struct PracticeEnd {
    air: AirEnd,
    shift_us: i64,
    /// What is being sent is of the match: its times are told as they are.
    in_match: bool,
}

impl PracticeEnd {
    const fn new(air: AirEnd, shift_us: i64) -> Self {
        Self {
            air,
            shift_us,
            in_match: false,
        }
    }
}

impl PhoneLink for PracticeEnd {
    fn clock(&self, elapsed: Duration) -> LinkTime {
        START + elapsed
    }
}

impl LinkTransport for PracticeEnd {
    fn capacity_bits(&self) -> usize {
        self.air.capacity_bits()
    }

    fn send(&mut self, frames: &[OutFrame]) {
        self.in_match |= frames.iter().any(|frame| frame.keyed);
        self.air.send(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        Some(match self.air.poll(now)? {
            LinkEvent::Slot(slot) if !self.in_match => {
                let at_us = slot.at.as_us().saturating_add_signed(self.shift_us);
                let at = LinkTime::from_us(at_us);
                LinkEvent::Slot(Slot { at, ..slot })
            }
            event => event,
        })
    }

    fn now(&self) -> LinkTime {
        self.air.now()
    }

    fn set_mode(&mut self, mode: Mode) {
        self.air.set_mode(mode);
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.air.set_session_key(key);
    }

    fn stats(&self) -> LinkStats {
        self.air.stats()
    }

    fn close(&mut self) {
        self.air.close();
    }
}
