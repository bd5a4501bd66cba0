//! WAV files from a disk or a pipe, and to a disk. What a header may say is [`wav_file`]'s business.

use std::{
    error::Error,
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use wav_file::{Encoding, Foreign, Format, Reader, encode, head};

/// Bytes asked of a file at a time.
const PIECE: usize = 1 << 16;
/// The longest recording that is kept whole, samples of one channel: 46 minutes at 48 kHz, half a gigabyte.
const SAMPLES_MAX: usize = 1 << 27;

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
        why: io::Error,
    },
    /// Sound in another format.
    #[error("{path}: this is {}, not a WAV file{}", kind.name(), what_to_do(*kind, path))]
    Foreign {
        /// The file.
        path: String,
        /// What it is.
        kind: Foreign,
    },
    /// Nothing that can be read.
    #[error("{path}: {why}")]
    NotWav {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: wav_file::WavError,
    },
    /// More than fits.
    #[error("{path}: over {SAMPLES_MAX} samples a channel: cut it into shorter recordings")]
    TooLong {
        /// The file.
        path: String,
    },
    /// Fewer channels than were asked for.
    #[error("{path}: --channel {channel}: the file has {}", channels(*has))]
    NoChannel {
        /// The file.
        path: String,
        /// The channel asked for, from 1.
        channel: usize,
        /// How many there are.
        has: u16,
    },
}

fn channels(count: u16) -> String {
    match count {
        1 => "one channel".into(),
        count => format!("{count} channels"),
    }
}

fn what_to_do(kind: Foreign, path: &str) -> String {
    let lossy = if kind.is_lossy() {
        "; if nothing is heard in it then, the format took the upper bands away: record a WAV"
    } else {
        ""
    };
    kind.command(path).map_or_else(String::new, |command| {
        format!(". Convert it: {command}{lossy}")
    })
}

/// The channel that `--channel` names, counted from 0.
pub fn channel_of(path: &Path, channel: usize, format: &Format) -> Result<usize, WavError> {
    if (1..=usize::from(format.channels)).contains(&channel) {
        return Ok(channel - 1);
    }
    Err(WavError::NoChannel {
        path: path.display().to_string(),
        channel,
        has: format.channels,
    })
}

/// Reads a WAV from `path`, or from standard input if that is `-`: `take` gets interleaved frames as they come. What is odd
/// about the file is told. Memory does not grow with the file.
pub fn stream(
    path: &Path,
    mut take: impl FnMut(&Format, &[f32]) -> Result<(), Box<dyn Error>>,
) -> Result<Format, Box<dyn Error>> {
    let name = path.display().to_string();
    let io = |why| WavError::Io {
        path: name.clone(),
        why,
    };
    let mut from: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(io)?)
    };
    let mut reader = Reader::new();
    let mut bytes = vec![0; PIECE];
    let mut failed = None;
    let mut hand_on = |format: &Format, frames: &[f32]| {
        if failed.is_none() {
            failed = take(format, frames).err();
        }
    };
    let not_wav = |why| match why {
        wav_file::WavError::Foreign(kind) => WavError::Foreign {
            path: name.clone(),
            kind,
        },
        why => WavError::NotWav {
            path: name.clone(),
            why,
        },
    };
    loop {
        let read = match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(read) => read,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            Err(why) => return Err(io(why).into()),
        };
        reader.push(&bytes[..read], &mut hand_on).map_err(not_wav)?;
    }
    let format = reader.finish(&mut hand_on).map_err(not_wav)?;
    for note in reader.notes() {
        tell!("{name}: {note}");
    }
    failed.map_or(Ok(format), Err)
}

/// One channel of a WAV, whole: the one asked for, counted from 1, else the first that is not silent.
pub fn read(path: &Path, channel: Option<usize>) -> Result<Sound, Box<dyn Error>> {
    let mut sounds: Vec<Vec<f32>> = Vec::new();
    let format = stream(path, |format, frames| {
        let all = usize::from(format.channels);
        let wanted = match channel {
            Some(channel) => {
                let channel = channel_of(path, channel, format)?;
                channel..channel + 1
            }
            None => 0..all,
        };
        sounds.resize(wanted.len(), Vec::new());
        for (sound, channel) in sounds.iter_mut().zip(wanted) {
            sound.extend(frames.iter().skip(channel).step_by(all));
            if sound.len() > SAMPLES_MAX {
                return Err(WavError::TooLong {
                    path: path.display().to_string(),
                }
                .into());
            }
        }
        Ok(())
    })?;
    let is_live = |sound: &Vec<f32>| sound.iter().any(|x| *x != 0.0);
    let live = sounds.iter().position(is_live).unwrap_or(0);
    Ok(Sound {
        samples: sounds.into_iter().nth(live).unwrap_or_default(),
        sample_rate_hz: format.sample_rate_hz,
    })
}

/// Writes one channel.
pub fn write(path: &Path, sound: &Sound, encoding: Encoding) -> Result<(), WavError> {
    let mut writer = Writer::create(path, sound.sample_rate_hz, encoding)?;
    writer.write(&sound.samples)?;
    writer.finish()
}

/// The same, as the samples come.
pub struct Writer {
    path: PathBuf,
    to: BufWriter<File>,
    encoding: Encoding,
    sample_rate_hz: u32,
    frames: u64,
}

impl Writer {
    /// Begins a file.
    pub fn create(path: &Path, sample_rate_hz: u32, encoding: Encoding) -> Result<Self, WavError> {
        let io = |why| WavError::Io {
            path: path.display().to_string(),
            why,
        };
        let mut to = BufWriter::new(File::create(path).map_err(io)?);
        to.write_all(&head(encoding, sample_rate_hz, 1, 0))
            .map_err(io)?;
        Ok(Self {
            path: path.into(),
            to,
            encoding,
            sample_rate_hz,
            frames: 0,
        })
    }

    /// Adds samples.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), WavError> {
        let mut bytes = Vec::new();
        encode(self.encoding, samples, &mut bytes);
        self.frames += samples.len() as u64;
        self.to.write_all(&bytes).map_err(|why| self.io(why))
    }

    /// Completes the file: only now the header can say how long it is.
    pub fn finish(mut self) -> Result<(), WavError> {
        let head = head(self.encoding, self.sample_rate_hz, 1, self.frames);
        let whole = self.to.seek(SeekFrom::Start(0));
        whole
            .and_then(|_| self.to.write_all(&head))
            .and_then(|()| self.to.flush())
            .map_err(|why| self.io(why))
    }

    fn io(&self, why: io::Error) -> WavError {
        WavError::Io {
            path: self.path.display().to_string(),
            why,
        }
    }
}
