//! `rx`: sound to packets. Runs the very modem that a live link runs, block by block.

mod args;

pub use args::{EXAMPLES, RxArgs};

use crate::{hex, term, wav, words::ListenArg};
use link_modem::{Listen, ModemConfig, ModemCore, ModemStats, RxPacket};
use link_transport::{Mode, Role};
use serde_json::json;
use std::{
    error::Error,
    io::{self, Write},
};

/// Samples a call, as a browser's audio thread would ask for.
const BLOCK: usize = 128;
/// Silence after the recording, so that a packet just received is decoded.
const FLUSH_SECONDS: f64 = 0.5;

/// Prints every packet that a phone would hear in the WAV.
pub fn run(args: &RxArgs) -> Result<(), Box<dyn Error>> {
    let sound = wav::read(&args.wav)?;
    let mut modem = listener(args, sound.sample_rate_hz)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut played = [0.0; BLOCK];
    let mut snr_db = Vec::new();
    let bar = term::bar(sound.samples.len() as u64, args.json);
    let flush = vec![0.0; (FLUSH_SECONDS * f64::from(sound.sample_rate_hz)) as usize];
    let mut frame = 0;
    // Packets missed after the recording's end were never in it.
    let mut missed = 0;
    for block in sound.samples.chunks(BLOCK).chain(flush.chunks(BLOCK)) {
        if frame < sound.samples.len() as u64 {
            missed = modem.stats().rx_bad;
        }
        modem.process(block, &mut played[..block.len()], frame);
        frame += block.len() as u64;
        while let Some(packet) = modem.take_packet() {
            writeln!(out, "{}", line(&packet))?;
            snr_db.push(packet.snr_db);
        }
        bar.inc(block.len() as u64);
    }
    out.flush()?;
    bar.finish_and_clear();
    if !args.json {
        summary(&snr_db, missed, &modem.stats(), &sound);
    }
    if snr_db.is_empty() {
        Err(nothing_heard(args, &sound).into())
    } else {
        Ok(())
    }
}

fn listener(args: &RxArgs, sample_rate_hz: u32) -> Result<ModemCore, Box<dyn Error>> {
    let (rx, tx) = match args.listen {
        ListenArg::Host => (Listen::Role(Role::Host), Role::Guest),
        ListenArg::Guest => (Listen::Role(Role::Guest), Role::Host),
        ListenArg::Detect => (Listen::Detect, Role::Guest),
    };
    // No gain: a reader of recordings sends nothing, so digital silence in one is no capture gap.
    let config = ModemConfig {
        sample_rate_hz,
        plan: args.plan.into(),
        tx,
        rx,
        gain: 0.0,
    };
    let mut modem =
        ModemCore::new(config).map_err(|why| format!("{}: {why}", args.wav.display()))?;
    if let Some(nonces) = &args.session_nonces {
        modem.set_session_key(hex::session_key(nonces)?);
    }
    Ok(modem)
}

fn line(packet: &RxPacket) -> serde_json::Value {
    let mode = match packet.mode {
        Mode::Robust => "robust",
        Mode::Fast => "fast",
    };
    json!({
        "bits": hex::text(packet.bits.as_bitslice()),
        "nbits": packet.bits.len(),
        "mode": mode,
        "snr_db": (f64::from(packet.snr_db) * 10.0).round() / 10.0,
        "sample": packet.sample,
        "plan": packet.plan.to_string(),
        "session": packet.session,
    })
}

fn summary(snr_db: &[f32], missed: u64, stats: &ModemStats, sound: &wav::Sound) {
    let (seconds, peak) = (sound.seconds(), sound.peak());
    let good = snr_db.len();
    let snr = match good {
        0 => "unknown".into(),
        _ => format!("{:.1} dB", snr_db.iter().sum::<f32>() / good as f32),
    };
    let ppm = stats
        .clock_ppm
        .map_or(String::from("unknown"), |ppm| format!("{ppm:+.0} ppm"));
    tell!(
        "{} in {seconds:.1} s, {} bad while locked, effective SNR {snr}, clock {ppm}, input peak {peak:.2}",
        term::paint(
            if good > 0 { term::GOOD } else { term::BAD },
            format_args!("{good} packets")
        ),
        missed,
    );
}

fn nothing_heard(args: &RxArgs, sound: &wav::Sound) -> String {
    let advice = match args.listen {
        _ if sound.samples.is_empty() => {
            "the recording holds no samples: was it brought to its end?"
        }
        _ if sound.peak() == 0.0 => {
            "the recording is silent: was it another microphone, or a muted one?"
        }
        ListenArg::Detect => "no host of either plan is in it",
        ListenArg::Host | ListenArg::Guest => {
            "try --listen detect, the other band, or the other --plan"
        }
    };
    format!("{}: no packet heard: {advice}", args.wav.display())
}
