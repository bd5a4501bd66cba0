//! `rx`: sound to packets. Runs the very modem that a live link runs, block by block, on every channel of the recording.

mod args;
mod ears;
mod suspects;

pub use args::{EXAMPLES, RxArgs};

use crate::{hex, term, wav, words::ListenArg};
use ears::Ears;
use link_modem::{Listen, ModemConfig, ModemCore, RxPacket};
use link_transport::{Mode, Role};
use serde_json::json;
use std::{
    error::Error,
    io::{self, Write},
};
use suspects::Kept;

/// Prints every packet that a phone would hear in the WAV.
pub fn run(args: &RxArgs) -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut ears: Option<Ears> = None;
    let mut kept: Option<Kept> = None;
    // A rate that no modem runs at may be a wrong one: then the sound itself has to say what it is.
    let mut problem: Option<String> = None;
    let bar = term::spinner(args.json);
    bar.set_message("Listening");
    let format = wav::stream(&args.wav, |format, frames| {
        let channels = usize::from(format.channels);
        let rate_hz = args.rate.unwrap_or(format.sample_rate_hz);
        let forced = args
            .channel
            .map(|channel| wav::channel_of(&args.wav, channel, format));
        let forced = forced.transpose()?;
        let kept = kept.get_or_insert_with(|| Kept::new(rate_hz, channels, forced));
        kept.hear(frames);
        if problem.is_some() {
            return Ok(());
        }
        if ears.is_none() {
            let options = args.clone();
            let listener = move || listener(&options, rate_hz);
            match Ears::new(rate_hz, channels, forced, listener) {
                Ok(new) => ears = Some(new),
                Err(why) => {
                    problem = Some(why.to_string());
                    return Ok(());
                }
            }
        }
        let Some(ears) = &mut ears else { return Ok(()) };
        ears.hear(frames, |packet| line(&mut out, packet))
    })?;
    let heard = match &mut ears {
        Some(ears) => ears.finish(|packet| line(&mut out, packet))?,
        None => ears::Heard::default(),
    };
    out.flush()?;
    bar.finish_and_clear();
    if let (Some(channel), true) = (heard.channel, format.channels > 1 && args.channel.is_none())
        && (channel > 0 || heard.changes > 0)
    {
        tell!(
            "{}: the packets are in channel {} of {}",
            args.wav.display(),
            channel + 1,
            format.channels
        );
    }
    if !args.json {
        let rate_hz = args.rate.unwrap_or(format.sample_rate_hz);
        summary(&heard, kept.as_ref().map_or(0.0, Kept::peak), rate_hz);
    }
    if heard.packets > 0 {
        return Ok(());
    }
    let why = nothing_heard(args, kept.as_ref(), problem);
    Err(format!("{}: {why}", args.wav.display()).into())
}

/// A modem as the options ask for it, for sound of this rate.
fn listener(args: &RxArgs, sample_rate_hz: u32) -> Result<ModemCore, Box<dyn Error>> {
    let (rx, tx) = match args.listen {
        ListenArg::Host => (Listen::Role(Role::Host), Role::Guest),
        ListenArg::Guest => (Listen::Role(Role::Guest), Role::Host),
        ListenArg::Detect => (Listen::Detect, Role::Guest),
    };
    // No gain: a reader of recordings sends nothing, so digital silence in one is no capture gap.
    let config = ModemConfig::new(sample_rate_hz, tx)
        .with_plan(args.plan.into())
        .with_rx(rx)
        .with_gain(0.0);
    let mut modem = ModemCore::new(config)?;
    if let Some(nonces) = &args.session_nonces {
        modem.set_session_key(hex::session_key(nonces)?);
    }
    Ok(modem)
}

fn line(out: &mut impl Write, packet: &RxPacket) -> Result<(), Box<dyn Error>> {
    let mode = match packet.mode {
        Mode::Robust => "robust",
        Mode::Fast => "fast",
    };
    let line = json!({
        "bits": hex::text(packet.bits.as_bitslice()),
        "nbits": packet.bits.len(),
        "mode": mode,
        "snr_db": (f64::from(packet.snr_db) * 10.0).round() / 10.0,
        "sample": packet.sample,
        "plan": packet.plan.to_string(),
        "session": packet.session,
    });
    Ok(writeln!(out, "{line}")?)
}

fn summary(heard: &ears::Heard, peak: f32, rate_hz: u32) {
    let snr = match heard.packets {
        0 => "unknown".into(),
        packets => format!("{:.1} dB", heard.snr_sum_db / packets as f64),
    };
    let ppm = heard
        .clock_ppm
        .map_or(String::from("unknown"), |ppm| format!("{ppm:+.0} ppm"));
    let style = if heard.packets > 0 {
        term::GOOD
    } else {
        term::BAD
    };
    tell!(
        "{} in {:.1} s, {} bad while locked, effective SNR {snr}, clock {ppm}, input peak {peak:.2}",
        term::paint(style, format_args!("{} packets", heard.packets)),
        heard.frames as f64 / f64::from(rate_hz),
        heard.missed,
    );
}

fn nothing_heard(args: &RxArgs, kept: Option<&Kept>, problem: Option<String>) -> String {
    let Some(kept) = kept else {
        return "no packet heard: the recording holds no samples: was it brought to its end?"
            .into();
    };
    if kept.peak() == 0.0 {
        return "no packet heard: the recording is silent: was it another microphone, or a muted one?".into();
    }
    if let Some(rate_hz) = kept.other_rate(args) {
        return format!(
            "no packet heard: the file is labelled {} Hz, but the samples fit {rate_hz} Hz: the sample rate in the header is \
             wrong. Read it with --rate {rate_hz}, or record again",
            kept.rate_hz()
        );
    }
    if let Some(problem) = problem {
        return format!("{problem}. Record at 48,000 Hz");
    }
    if let Some((plan, listen)) = kept.other_band(args) {
        return format!(
            "no packet heard there, but in another band: --plan {plan} --listen {listen}"
        );
    }
    match args.listen {
        ListenArg::Detect => "no packet heard: no host of either plan is in it".into(),
        ListenArg::Host | ListenArg::Guest => {
            "no packet heard: try --listen detect, the other band, or the other --plan".into()
        }
    }
}
