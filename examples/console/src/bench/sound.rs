//! What sound costs: one modem in full duplex, and the room between two.

use super::{Figure, watch::CoreWatch};
use link_modem::{Listen, ModemConfig, ModemCore};
use link_room::{RoomConfig, play_through};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role};
use std::{
    error::Error,
    time::{Duration, Instant},
};

const RATE_HZ: u32 = 48_000;
/// What an AudioWorklet hands over at a time.
const BLOCK_FRAMES: usize = 128;
/// Sound that a modem works through.
const MODEM_SECONDS: usize = 60;
/// Sound that the room carries.
const ROOM_SECONDS: usize = 10;
/// The friend's signal against one's own at the microphone: 40 dB down. Source: the specification's tests.
const FRIEND_LEVEL: f32 = 0.01;

fn modem_of(role: Role) -> Result<ModemCore, Box<dyn Error>> {
    let mut core = ModemCore::new(ModemConfig {
        sample_rate_hz: RATE_HZ,
        plan: Plan::High,
        tx: role,
        rx: Listen::Role(role.other()),
        gain: 1.0,
    })?;
    core.set_payloads(&[OutFrame {
        bits: FrameBits::from_bytes(&[0xA5; 23], 184),
        key: 1,
        keyed: false,
    }]);
    core.set_tx_mode(Mode::Fast);
    Ok(core)
}

/// What a phone of this role plays.
fn signal(role: Role, seconds: usize) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut played = vec![0.0; seconds * RATE_HZ as usize];
    let silence = vec![0.0; played.len()];
    modem_of(role)?.process(&silence, &mut played, 0);
    Ok(played)
}

/// One modem, both ways at once, in blocks.
pub fn modem() -> Result<Vec<Figure>, Box<dyn Error>> {
    let friend = signal(Role::Guest, MODEM_SECONDS)?;
    let mut core = modem_of(Role::Host)?;
    let mut own = [0.0; BLOCK_FRAMES];
    let mut costs_us = Vec::with_capacity(friend.len() / BLOCK_FRAMES);
    let watch = CoreWatch::start();
    for (first_frame, friend) in (0..)
        .step_by(BLOCK_FRAMES)
        .zip(friend.chunks_exact(BLOCK_FRAMES))
    {
        let mut heard = own;
        for (heard, friend) in heard.iter_mut().zip(friend) {
            *heard += FRIEND_LEVEL * friend;
        }
        let started = Instant::now();
        core.process(&heard, &mut own, first_frame);
        costs_us.push(started.elapsed().as_nanos() as f64 / 1e3);
        while core.take_packet().is_some() || core.take_slot().is_some() {}
    }
    let seconds = watch.seconds();
    let heard = core.stats().rx_ok;
    if heard == 0 {
        return Err("the modem heard nothing: what it cost says nothing".into());
    }
    costs_us.sort_unstable_by(f64::total_cmp);
    let blocks = costs_us.len();
    let block_us = 1e6 * BLOCK_FRAMES as f64 / f64::from(RATE_HZ);
    let block = format!("a block's {block_us:.0} µs of sound");
    let figure = |name, value, unit, against| Figure {
        name,
        value,
        unit,
        against,
    };
    Ok(vec![
        figure(
            "modem.share_of_core",
            100.0 * seconds / MODEM_SECONDS as f64,
            "%",
            format!("real time: full duplex at 48 kHz, high fast, {heard} packets heard"),
        ),
        figure(
            "modem.block_mean_us",
            1e6 * seconds / blocks as f64,
            "µs",
            block.clone(),
        ),
        figure(
            "modem.block_p50_us",
            costs_us[blocks / 2],
            "µs",
            block.clone(),
        ),
        figure(
            "modem.block_p99_us",
            costs_us[blocks * 99 / 100],
            "µs",
            block,
        ),
    ])
}

/// The simulated room alone, with both phones playing.
pub fn room() -> Result<Vec<Figure>, Box<dyn Error>> {
    let played = [
        signal(Role::Host, ROOM_SECONDS)?,
        signal(Role::Guest, ROOM_SECONDS)?,
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
