//! A saved recording: the same reader as `sound-duel probe`'s, and the same choice of channel.

use link_room::probe::MeasurementReader;
use wav_file::{Format, Reader, WavError};

/// Bytes read at a time.
const PIECE: usize = 1 << 16;
/// Another channel counts instead of the first if it is so much more like the measurement.
const LIKER: f64 = 1.3;
/// Channels that are looked at.
const CHANNELS_MAX: usize = 8;

/// The channel of a WAV file that holds the measurement, and its rate.
///
/// # Errors
/// A sentence for a person: what the file is instead, and what converts it.
pub fn wav(file: &[u8], name: &str) -> Result<(Vec<f32>, u32), String> {
    let told = |why: WavError| match why {
        WavError::Foreign(kind) => match kind.command(name) {
            Some(command) => format!(
                "This is {}, not a WAV file. On a computer: {command}",
                kind.name()
            ),
            None => format!("This is {}, not a WAV file.", kind.name()),
        },
        why => format!("This file cannot be read: {why}."),
    };
    let mut reader = Reader::new();
    let mut sounds: Vec<Vec<f32>> = Vec::new();
    let mut take = |format: &Format, frames: &[f32]| {
        let channels = usize::from(format.channels);
        sounds.resize(channels.min(CHANNELS_MAX), Vec::new());
        for (channel, sound) in sounds.iter_mut().enumerate() {
            sound.extend(frames.iter().skip(channel).step_by(channels));
        }
    };
    for piece in file.chunks(PIECE) {
        reader.push(piece, &mut take).map_err(told)?;
    }
    let rate_hz = reader.finish(&mut take).map_err(told)?.sample_rate_hz;
    let mut best = (0, 0.0);
    if sounds.len() > 1 {
        for (channel, sound) in sounds.iter().enumerate() {
            let mut measured = MeasurementReader::new(rate_hz);
            sound.chunks(PIECE).for_each(|piece| measured.hear(piece));
            if measured.likeness() > LIKER * best.1 {
                best = (channel, measured.likeness());
            }
        }
    }
    Ok((sounds.into_iter().nth(best.0).unwrap_or_default(), rate_hz))
}
