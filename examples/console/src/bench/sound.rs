//! What sound costs: one modem in full duplex, one that looks for its peer, and the room between two.

use super::{Effort, Figure, watch::CoreWatch};
use link_modem::{
    Listen, ModemConfig, ModemCore,
    params::{SUPERFRAME_SYMBOLS, SYMBOL_MS},
};
use link_room::{RoomConfig, play_through};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role};
use std::{
    error::Error,
    time::{Duration, Instant},
};

pub const RATE_HZ: u32 = 48_000;
/// What an AudioWorklet hands over at a time.
pub const BLOCK_FRAMES: usize = 128;
/// Sound that a modem works through.
const MODEM_SECONDS: usize = 60;
/// Sound in which a modem finds nothing.
const SEARCH_SECONDS: usize = 20;
/// Streams that are found, each from another moment.
const STARTS: usize = 50;
/// Sound that the room carries.
const ROOM_SECONDS: usize = 10;
/// The peer's signal against one's own at the microphone: 40 dB down. Source: the specification's tests.
const PEER_LEVEL: f32 = 0.01;
/// A superframe, its sync included: a stream whose start was missed shows its next sync within it.
const SUPERFRAME_FRAMES: usize = SUPERFRAME_SYMBOLS * SYMBOL_MS as usize * RATE_HZ as usize / 1000;

/// A modem of this role that sends in fast.
pub fn modem_of(plan: Plan, role: Role, rx: Listen) -> Result<ModemCore, Box<dyn Error>> {
    let mut core = ModemCore::new(ModemConfig::new(RATE_HZ, role).with_plan(plan).with_rx(rx))?;
    core.set_payloads(&[OutFrame {
        bits: FrameBits::from_bytes(&[0xA5; 23], 184),
        key: 1,
        keyed: false,
    }]);
    core.set_tx_mode(Mode::Fast);
    Ok(core)
}

/// What a phone of this role plays.
pub fn signal(plan: Plan, role: Role, frames: usize) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut played = vec![0.0; frames];
    let silence = vec![0.0; frames];
    modem_of(plan, role, Listen::Role(role.other()))?.process(&silence, &mut played, 0);
    Ok(played)
}

/// A phone that hears itself, and its peer 40 dB below.
pub struct Duplex {
    pub core: ModemCore,
    own: [f32; BLOCK_FRAMES],
    first_frame: u64,
}

impl Duplex {
    pub fn new(core: ModemCore) -> Self {
        Self {
            core,
            own: [0.0; BLOCK_FRAMES],
            first_frame: 0,
        }
    }

    /// Blocks of the peer's signal; the packets that came of them. `each` is told what the modem took for a block.
    pub fn hear(&mut self, peer: &[f32], mut each: impl FnMut(Duration)) -> usize {
        let mut packets = 0;
        for peer in peer.chunks_exact(BLOCK_FRAMES) {
            let mut heard = self.own;
            for (heard, peer) in heard.iter_mut().zip(peer) {
                *heard += PEER_LEVEL * peer;
            }
            let started = Instant::now();
            self.core.process(&heard, &mut self.own, self.first_frame);
            each(started.elapsed());
            self.first_frame += BLOCK_FRAMES as u64;
            while self.core.take_slot().is_some() {}
            while self.core.take_packet().is_some() {
                packets += 1;
            }
        }
        packets
    }
}

/// One modem, both ways at once, in blocks, on both plans.
pub fn modem(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let names = [
        (
            Plan::High,
            "high",
            [
                "modem.share_of_core",
                "modem.block_mean_us",
                "modem.block_p50_us",
                "modem.block_p99_us",
            ],
        ),
        (
            Plan::Low,
            "low",
            [
                "modem.share_of_core_low",
                "modem.block_mean_us_low",
                "modem.block_p50_us_low",
                "modem.block_p99_us_low",
            ],
        ),
    ];
    let mut figures = Vec::new();
    for (plan, plan_name, names) in names {
        let seconds = effort.of(MODEM_SECONDS);
        let peer = signal(plan, Role::Guest, seconds * RATE_HZ as usize)?;
        let listen = Listen::Role(Role::Guest);
        let mut phone = Duplex::new(modem_of(plan, Role::Host, listen)?);
        let mut costs_us = Vec::with_capacity(peer.len() / BLOCK_FRAMES);
        let watch = CoreWatch::start();
        let heard = phone.hear(&peer, |cost| costs_us.push(cost.as_secs_f64() * 1e6));
        let on_core = watch.seconds();
        if heard == 0 {
            return Err("the modem heard nothing: what it cost says nothing".into());
        }
        costs_us.sort_unstable_by(f64::total_cmp);
        let blocks = costs_us.len();
        let block_us = 1e6 * BLOCK_FRAMES as f64 / f64::from(RATE_HZ);
        let against = [
            format!(
                "a bar of 0.5 %: full duplex at 48 kHz, {plan_name} fast, {heard} packets heard"
            ),
            format!("a block's {block_us:.0} µs of sound"),
            format!("a block's {block_us:.0} µs of sound"),
            format!("a bar of 100 µs; a block is {block_us:.0} µs of sound"),
        ];
        let values = [
            ("%", 100.0 * on_core / seconds as f64),
            ("µs", 1e6 * on_core / blocks as f64),
            ("µs", costs_us[blocks / 2]),
            ("µs", costs_us[blocks * 99 / 100]),
        ];
        let rows = names.into_iter().zip(values).zip(against);
        figures.extend(rows.map(|((name, (unit, value)), against)| Figure {
            name,
            value,
            unit,
            against,
        }));
    }
    Ok(figures)
}

/// A modem that finds its peer: what looking costs, and how long it takes.
pub fn acquisition(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    let cases = [
        (
            "acquisition.share_of_core",
            Listen::Role(Role::Host),
            "no peer there, one plan searched",
        ),
        (
            "acquisition.share_of_core_detecting",
            Listen::Detect,
            "no peer there, both plans searched",
        ),
    ];
    for (name, rx, what) in cases {
        let seconds = effort.of(SEARCH_SECONDS);
        let mut phone = Duplex::new(modem_of(Plan::High, Role::Guest, rx)?);
        let nobody = vec![0.0; seconds * RATE_HZ as usize];
        let watch = CoreWatch::start();
        phone.hear(&nobody, |_| {});
        let on_core = watch.seconds();
        figures.push(Figure {
            name,
            value: 100.0 * on_core / seconds as f64,
            unit: "%",
            against: format!("a bar of 0.5 %: {what}, own signal heard"),
        });
    }
    let starts = effort.of(STARTS);
    let peer = signal(Plan::High, Role::Guest, 4 * SUPERFRAME_FRAMES)?;
    let mut first_ms = Vec::new();
    for start in 0..starts {
        let listen = Listen::Role(Role::Guest);
        let mut phone = Duplex::new(modem_of(Plan::High, Role::Host, listen)?);
        // Each begins at another moment of the peer's superframe.
        let from = start * SUPERFRAME_FRAMES / starts;
        let mut blocks = peer[from..].chunks_exact(BLOCK_FRAMES);
        let heard = blocks.position(|block| phone.hear(block, |_| {}) > 0);
        let heard = heard.ok_or("a modem did not find its peer in two superframes")?;
        first_ms.push(((heard + 1) * BLOCK_FRAMES) as f64 * 1e3 / f64::from(RATE_HZ));
    }
    first_ms.sort_unstable_by(f64::total_cmp);
    let superframe_ms = SUPERFRAME_FRAMES as f64 * 1e3 / f64::from(RATE_HZ);
    let against = |which: &str| {
        format!(
            "a superframe's {superframe_ms:.0} ms: {which} of {starts} starts, to the first packet"
        )
    };
    figures.push(Figure {
        name: "acquisition.first_packet_median_ms",
        value: first_ms[starts / 2],
        unit: "ms",
        against: against("the median"),
    });
    figures.push(Figure {
        name: "acquisition.first_packet_worst_ms",
        value: first_ms[starts - 1],
        unit: "ms",
        against: against("the worst"),
    });
    Ok(figures)
}

/// The simulated room alone, with both phones playing.
pub fn room(effort: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let frames = effort.of(ROOM_SECONDS) * RATE_HZ as usize;
    let played = [
        signal(Plan::High, Role::Host, frames)?,
        signal(Plan::High, Role::Guest, frames)?,
    ];
    let watch = CoreWatch::start();
    let heard = play_through(
        &RoomConfig::default(),
        played.each_ref().map(Vec::as_slice),
        Duration::ZERO,
    );
    let seconds = watch.seconds();
    let sound = heard[0].len() as f64 / f64::from(RATE_HZ);
    Ok(vec![Figure {
        name: "room.share_of_core",
        value: 100.0 * seconds / sound,
        unit: "%",
        against: "real time: echoes, noise, speakers and clocks of two phones, no modem".into(),
    }])
}
