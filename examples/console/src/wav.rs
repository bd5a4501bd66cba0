//! WAV files: one channel of samples in, one out.

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};
use std::{
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
};

/// A channel this much quieter than the louder one is dead, and never added in: two live microphones comb-filter.
const DEAD_CHANNEL_DB: f64 = 40.0;

/// Sound of one channel.
#[derive(Debug)]
pub struct Sound {
    /// Full scale is 1.
    pub samples: Vec<f32>,
    /// Its rate.
    pub sample_rate_hz: u32,
}

impl Sound {
    /// How long it lasts.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.sample_rate_hz)
    }

    /// The loudest sample; 0 of none.
    pub fn peak(&self) -> f32 {
        let loudest = |peak: f32, sample: &f32| peak.max(sample.abs());
        self.samples.iter().fold(0.0, loudest)
    }
}

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// No such file, or no permission.
    #[error("{path}: {why}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        why: std::io::Error,
    },
    /// Something else than a WAV.
    #[error(
        "{path}: not a WAV file that can be read: integers of 8 to 32 bits and 32-bit floats are ({why})"
    )]
    NotWav {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: hound::Error,
    },
    /// More than fits.
    #[error("{path}: over {SAMPLES_MAX} samples: cut it into shorter recordings")]
    TooLong {
        /// The file.
        path: String,
    },
}

impl WavError {
    fn of(path: &Path, why: hound::Error) -> Self {
        let path = path.display().to_string();
        match why {
            // What the system says has a number; a file that ends too early has none.
            hound::Error::IoError(why) if why.raw_os_error().is_some() => Self::Io { path, why },
            why => Self::NotWav { path, why },
        }
    }
}

/// More samples than this are not taken on trust from a header.
const CAPACITY_MAX: usize = 1 << 24;
/// The longest recording that is read, samples of all channels: 46 minutes at 48 kHz, half a gigabyte.
const SAMPLES_MAX: usize = 1 << 27;

/// Reads a WAV: integers of up to 32 bits or floats. Of several channels, the first, unless it is dead. Of a recording
/// that was cut short, what is there.
pub fn read(path: &Path) -> Result<Sound, WavError> {
    let mut reader = WavReader::open(path).map_err(|why| WavError::of(path, why))?;
    let spec = reader.spec();
    let mut samples = Vec::with_capacity((reader.len() as usize).min(CAPACITY_MAX));
    // What a header may claim is no shift's width.
    let scale = 2_f32.powi(1 - i32::from(spec.bits_per_sample));
    let most = SAMPLES_MAX + 1;
    let read: Result<(), hound::Error> = match spec.sample_format {
        SampleFormat::Float => reader.samples::<f32>().take(most).try_for_each(|sample| {
            samples.push(sample?);
            Ok(())
        }),
        SampleFormat::Int => reader.samples::<i32>().take(most).try_for_each(|sample| {
            samples.push(sample? as f32 * scale);
            Ok(())
        }),
    };
    if samples.len() > SAMPLES_MAX {
        return Err(WavError::TooLong {
            path: path.display().to_string(),
        });
    }
    match read {
        Err(why) if samples.is_empty() => return Err(WavError::of(path, why)),
        Err(why) => tell!(
            "{}: cut short after {} samples ({why})",
            path.display(),
            samples.len()
        ),
        Ok(()) => {}
    }
    let samples = live_channel(samples, spec.channels.into());
    Ok(Sound {
        samples,
        sample_rate_hz: spec.sample_rate,
    })
}

fn live_channel(interleaved: Vec<f32>, channels: usize) -> Vec<f32> {
    if channels < 2 {
        return interleaved;
    }
    let channel = |index: usize| interleaved.iter().skip(index).step_by(channels).copied();
    let power = |index: usize| {
        channel(index)
            .map(|sample| f64::from(sample).powi(2))
            .sum::<f64>()
    };
    let loudest = (0..channels)
        .max_by(|&a, &b| power(a).total_cmp(&power(b)))
        .unwrap_or(0);
    let dead = power(0) * 10_f64.powf(DEAD_CHANNEL_DB / 10.0) < power(loudest);
    channel(if dead { loudest } else { 0 }).collect()
}

/// Writes one channel of 32-bit floats: what a phone's audio callback would exchange, sample for sample.
pub fn write(path: &Path, sound: &Sound) -> Result<(), WavError> {
    let mut writer = Writer::create(path, sound.sample_rate_hz)?;
    writer.write(&sound.samples)?;
    writer.finish()
}

/// The same, as the samples come.
pub struct Writer {
    path: PathBuf,
    to: WavWriter<BufWriter<File>>,
}

impl Writer {
    /// Begins a file.
    pub fn create(path: &Path, sample_rate_hz: u32) -> Result<Self, WavError> {
        let spec = WavSpec {
            channels: 1,
            sample_rate: sample_rate_hz,
            bits_per_sample: 32,
            sample_format: SampleFormat::Float,
        };
        let to = WavWriter::create(path, spec).map_err(|why| WavError::of(path, why))?;
        Ok(Self {
            path: path.into(),
            to,
        })
    }

    /// Adds samples.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), WavError> {
        let mut samples = samples.iter();
        let written = samples.try_for_each(|&sample| self.to.write_sample(sample));
        written.map_err(|why| WavError::of(&self.path, why))
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), WavError> {
        self.to
            .finalize()
            .map_err(|why| WavError::of(&self.path, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_first_channel_is_passed_over_and_a_live_one_is_not_mixed() {
        assert_eq!(live_channel(vec![0.0, 0.5, 0.0, -0.5], 2), [0.5, -0.5]);
        assert_eq!(live_channel(vec![0.1, 0.5, 0.1, -0.5], 2), [0.1, 0.1]);
    }

    #[test]
    fn says_what_is_wrong_with_a_file() {
        let nowhere = read(Path::new("no/such/file.wav")).unwrap_err();
        assert!(matches!(nowhere, WavError::Io { .. }), "{nowhere}");
        let text = read(Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/Cargo.toml"
        )))
        .unwrap_err();
        assert!(matches!(text, WavError::NotWav { .. }), "{text}");
    }
}
