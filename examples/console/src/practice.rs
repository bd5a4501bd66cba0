//! `loop`: the whole duel over packets that never become sound, as fast as the machine can.

mod args;

pub use args::{EXAMPLES, LoopArgs};

use crate::duel::{PhoneLink, play};
use link_transport::{AirConfig, AirEnd, Loss, PacketAir, Plan};
use match_feed::duel::{InputDelay, Medium};
use std::{error::Error, ops::RangeInclusive, time::Duration};

/// What the options are clamped to. Source: the specification's "Dev and test modes".
pub const LOSS: RangeInclusive<f64> = 0.0..=0.9;
pub const LATENCY_MS: RangeInclusive<u64> = 0..=2000;

/// Plays the duel without sound, saves what a duel saves, and succeeds only if both phones stayed in sync.
pub fn run(args: &LoopArgs) -> Result<(), Box<dyn Error>> {
    let plan = Plan::from(args.game.plan);
    let config = AirConfig::default()
        .with_plan(plan)
        .with_latency(latency(args.latency_ms))
        .with_loss([Loss::Bernoulli(loss(args.loss)?); 2]);
    let delay = args.delay.map(|ticks| {
        let ticks = ticks.clamp(InputDelay::MIN.ticks(), InputDelay::MAX.ticks());
        InputDelay::new(ticks as u8).expect("clamped to the legal range")
    });
    let (host, guest) = PacketAir::pair(config, args.game.seed);
    play(&args.game, [host, guest], Medium::Practice, delay)
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

impl PhoneLink for AirEnd {}
