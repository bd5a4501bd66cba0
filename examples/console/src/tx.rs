//! `tx`: payloads to sound.

mod args;

pub use args::{EXAMPLES, TxArgs};

use crate::{hex, term, wav};
use link_modem::{
    ModemConfig, ModemCore,
    params::{DATA_SYMBOLS, SUPERFRAME_SYMBOLS, SYMBOL_MS},
};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role};
use serde_json::json;
use std::error::Error;

/// Samples a call, as a browser's audio thread would ask for.
const BLOCK: usize = 128;
/// An hour: longer WAVs are a mistake.
const SECONDS_MAX: f64 = 3600.0;

/// Writes what a phone's speaker would play.
pub fn run(args: &TxArgs) -> Result<(), Box<dyn Error>> {
    let (plan, role, mode) = (
        Plan::from(args.plan),
        Role::from(args.role),
        Mode::from(args.mode),
    );
    if !(args.seconds > 0.0 && args.seconds <= SECONDS_MAX) {
        return Err(format!(
            "--seconds {}: from just over 0 to {SECONDS_MAX}",
            args.seconds
        )
        .into());
    }
    let config = ModemConfig::new(args.rate, role).with_plan(plan);
    let mut modem = ModemCore::new(config)?;
    let frames = frames(
        &args.payloads,
        modem.capacity_bits(),
        args.session_nonces.is_some(),
    )?;
    modem.set_payloads(&frames);
    modem.set_tx_mode(mode);
    if let Some(nonces) = &args.session_nonces {
        modem.set_session_key(hex::session_key(nonces)?);
    }

    let total = (args.seconds * f64::from(args.rate)).round() as u64;
    let mut wav = wav::Writer::create(&args.out, args.rate, wav_file::Encoding::Float32)?;
    // Noise far below anything audible: a phone that hears nothing at all would report a missing microphone.
    let microphone = [1e-6; BLOCK];
    let mut speaker = [0.0; BLOCK];
    let mut packets = 0_u64;
    let bar = term::bar(total, args.json);
    for frame in (0..total).step_by(BLOCK) {
        let len = (total - frame).min(BLOCK as u64) as usize;
        modem.process(&microphone[..len], &mut speaker[..len], frame);
        wav.write(&speaker[..len])?;
        while modem.take_slot().is_some() {
            packets += 1;
        }
        bar.inc(len as u64);
    }
    bar.finish_and_clear();
    wav.finish()?;
    let clips = modem.stats().clips;
    if args.json {
        let out = args.out.display().to_string();
        say!(
            "{}",
            json!({"out": out, "seconds": args.seconds, "packets": packets, "clips": clips})
        );
    } else {
        say!(
            "{} {:.2} s at {} Hz, {packets} packets started, {} each way a second in this mode",
            term::paint(term::STRONG, args.out.display()),
            args.seconds,
            args.rate,
            format_args!("{:.0} bit", bits_a_second(plan, mode)),
        );
    }
    Ok(())
}

fn frames(
    payloads: &[String],
    capacity_bits: usize,
    keyed: bool,
) -> Result<Vec<OutFrame>, Box<dyn Error>> {
    if payloads.len() > link_transport::FRAMES_MAX {
        return Err(format!(
            "{} payloads: at most {} take turns",
            payloads.len(),
            link_transport::FRAMES_MAX
        )
        .into());
    }
    let frame = |(key, text): (usize, &String)| {
        let bits = hex::parse(text).map_err(|why| format!("--payload {text}: {why}"))?;
        if bits.len() > capacity_bits {
            return Err(format!(
                "--payload {text}: {} bits, and a packet holds {capacity_bits}",
                bits.len()
            ));
        }
        let bits = FrameBits::from_bitslice(&bits)
            .expect("a packet's capacity is below the longest frame");
        Ok(OutFrame {
            bits,
            key: key as u32,
            keyed,
        })
    };
    Ok(payloads
        .iter()
        .enumerate()
        .map(frame)
        .collect::<Result<_, _>>()?)
}

/// Payload bits a second: a superframe's packets, over all of it with its sync.
fn bits_a_second(plan: Plan, mode: Mode) -> f64 {
    let data_ms = DATA_SYMBOLS as f64 * f64::from(SYMBOL_MS);
    let packets = data_ms / f64::from(link_transport::packet_ms(plan, mode));
    let seconds = SUPERFRAME_SYMBOLS as f64 * f64::from(SYMBOL_MS) / 1000.0;
    packets * link_transport::capacity_bits(plan) as f64 / seconds
}
