//! `probe`: what a room, a speaker and a microphone do to the link, from a recording of a signal made for it.

mod args;
mod picture;
mod report;
mod verdict;

pub use args::{EXAMPLES, ProbeArgs};

use crate::{term, wav};
use link_modem::CHANNELS_MAX;
use link_room::{
    Treble, play_through,
    probe::{Measurement, MeasurementReader, Report},
};
use serde_json::json;
use std::{error::Error, path::Path, time::Duration};
use wav_file::Encoding;

/// How long the room is listened to after the measurement's end.
const TAIL: Duration = Duration::from_millis(500);
/// Rates at which the signal can be played: below, it would not reach 20 kHz.
const RATES_HZ: std::ops::RangeInclusive<u32> = 44_100..=192_000;

/// Makes the signal, or reads recordings of it.
pub fn run(args: &ProbeArgs) -> Result<(), Box<dyn Error>> {
    if !RATES_HZ.contains(&args.rate) {
        return Err(format!("--rate {}: 44100 to 192000 make sense", args.rate).into());
    }
    if let Some(path) = &args.task.make {
        return make(path, args);
    }
    if args.task.room {
        let heard = room(args)?;
        if let Some(path) = &args.out {
            wav::write(path, &heard, Encoding::Float32)?;
        }
        let name = format!("the simulated room at {} cm", args.options.distance_cm);
        let report = Measurement.read(&heard.samples, heard.sample_rate_hz);
        return tell(&name, report.map_err(|why| format!("{name}: {why}"))?, args);
    }
    if args.png.is_some() && args.task.wavs.len() > 1 {
        return Err("--png draws one recording: name one WAV".into());
    }
    let mut unread = 0;
    for path in &args.task.wavs {
        let name = path.display().to_string();
        if let Err(why) = read(path, args).and_then(|report| tell(&name, report, args)) {
            unread += 1;
            if args.json {
                say!("{}", json!({"wav": name, "error": why.to_string()}));
            } else {
                tell!("{} {why}", term::paint(term::BAD, "error:"));
            }
        }
    }
    match unread {
        0 => Ok(()),
        _ => Err(format!("{unread} of {} recordings not read", args.task.wavs.len()).into()),
    }
}

fn make(path: &Path, args: &ProbeArgs) -> Result<(), Box<dyn Error>> {
    let sound = wav::Sound {
        samples: Measurement.signal(args.rate),
        sample_rate_hz: args.rate,
    };
    let encoding = if args.float {
        Encoding::Float32
    } else {
        Encoding::Pcm16
    };
    wav::write(path, &sound, encoding)?;
    let seconds = sound.seconds();
    if args.json {
        say!(
            "{}",
            json!({"out": path.display().to_string(), "seconds": seconds, "rate": args.rate})
        );
    } else {
        say!(
            "{}: {seconds:.1} s to play on one phone while the other records",
            term::paint(term::STRONG, path.display())
        );
        say!("  then: sound-duel probe RECORDING.wav");
    }
    Ok(())
}

/// The measurement as a phone in the simulated room hears it.
fn room(args: &ProbeArgs) -> Result<wav::Sound, Box<dyn Error>> {
    let mut config = args.options.config(args.seed, [args.rate; 2])?;
    config.treble = args.treble.then(Treble::default);
    if let Some(cutoff_hz) = args.cutoff_hz {
        if !(cutoff_hz >= 1000.0 && cutoff_hz < f64::from(args.rate) / 2.0) {
            return Err(
                format!("--cutoff-hz {cutoff_hz}: 1000 to half the rate make sense").into(),
            );
        }
        config.capture_cutoff_hz = Some(cutoff_hz);
    }
    let spinner = term::spinner(args.json);
    spinner.set_message("Playing the measurement in the room");
    let [_, samples] = play_through(&config, [&Measurement.signal(args.rate), &[]], TAIL);
    spinner.finish_and_clear();
    Ok(wav::Sound {
        samples,
        sample_rate_hz: args.rate,
    })
}

/// Reads a recording as it comes, every channel of it: the one that holds the measurement counts.
fn read(path: &Path, args: &ProbeArgs) -> Result<Report, Box<dyn Error>> {
    let name = path.display();
    let spinner = term::spinner(args.json);
    spinner.set_message("Reading the measurement");
    let mut readers: Vec<(usize, MeasurementReader)> = Vec::new();
    let mut piece = Vec::new();
    let format = wav::stream(path, |format, frames| {
        let channels = usize::from(format.channels);
        if readers.is_empty() {
            let wanted = match args.channel {
                Some(channel) => {
                    let channel = wav::channel_of(path, channel, format)?;
                    channel..channel + 1
                }
                None => 0..channels.min(CHANNELS_MAX),
            };
            readers.extend(
                wanted.map(|channel| (channel, MeasurementReader::new(format.sample_rate_hz))),
            );
        }
        for (channel, reader) in &mut readers {
            piece.clear();
            piece.extend(frames.iter().skip(*channel).step_by(channels));
            reader.hear(&piece);
        }
        Ok(())
    })?;
    // The first channel, unless another is much more like the measurement.
    let likenesses: Vec<f64> = readers
        .iter_mut()
        .map(|(_, reader)| reader.likeness())
        .collect();
    let mut best = 0;
    for (index, likeness) in likenesses.iter().enumerate() {
        if *likeness > LIKER * likenesses[best] {
            best = index;
        }
    }
    let (channel, reader) = match readers.is_empty() {
        true => (0, MeasurementReader::new(format.sample_rate_hz)),
        false => readers.swap_remove(best),
    };
    drop(readers);
    let report = reader.finish();
    spinner.finish_and_clear();
    if channel > 0 && args.channel.is_none() {
        tell!(
            "{name}: the measurement is in channel {} of {}",
            channel + 1,
            format.channels
        );
    }
    report.map_err(|why| format!("{name}: {why}").into())
}

/// Another channel is read instead of the first if it is so much more like the measurement.
const LIKER: f64 = 1.3;

fn tell(name: &str, report: Report, args: &ProbeArgs) -> Result<(), Box<dyn Error>> {
    if args.json {
        say!("{}", report::json(name, &report));
    } else {
        report::print(name, &report);
    }
    if let Some(path) = &args.png {
        picture::draw(path, name, &report).map_err(|why| format!("{}: {why}", path.display()))?;
        if !args.json {
            say!("  drawn: {}", path.display());
        }
    }
    Ok(())
}
