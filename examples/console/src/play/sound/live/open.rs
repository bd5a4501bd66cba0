//! Opens a speaker and a microphone by `cpal` and starts their callbacks. Every call may wait: none is made on the
//! game's thread.

use super::{
    choose::{Direction, device, host, id_of},
    presence,
    watch::Errors,
};
use crate::play::sound::engine::{CHANNELS_MAX, Control, Counters, Tap, microphone, speaker};
use cpal::{
    BufferSize, ErrorKind, StreamConfig, SupportedStreamConfig,
    traits::{DeviceTrait, StreamTrait},
};
use std::{sync::Arc, thread, time::Duration};
use thiserror::Error;

/// How long a device may take to open.
const OPEN_WITHIN: Duration = Duration::from_secs(5);
/// A microphone's frames wait in a cushion of so many of its buffers, so that two callbacks that drift against each
/// other never find it dry.
const CUSHION_BUFFERS: u32 = 2;

/// A device that would not open.
#[derive(Debug, Error)]
#[error("{why}")]
pub struct OpenError {
    why: String,
    /// Someone said no.
    pub refused: bool,
}

impl From<cpal::Error> for OpenError {
    fn from(error: cpal::Error) -> Self {
        Self {
            refused: error.kind() == ErrorKind::PermissionDenied,
            why: error.to_string(),
        }
    }
}

pub(super) fn missing(what: &str) -> OpenError {
    OpenError {
        why: format!("there is no such {what}"),
        refused: false,
    }
}

/// An open speaker, rendering.
pub struct Speaker {
    stream: cpal::Stream,
    /// The game thread's end of it.
    pub control: Control,
    /// What its error callback told.
    pub errors: Arc<Errors>,
    /// Its sample rate.
    pub rate_hz: u32,
    /// What it is called.
    pub name: String,
}

/// An open microphone, delivering.
pub struct Microphone {
    stream: cpal::Stream,
    /// What the speaker's thread listens to, until it is plugged in there.
    pub tap: Option<Tap>,
    /// What its error callback told.
    pub errors: Arc<Errors>,
    /// Its own sample rate, before the system resamples it.
    pub rate_hz: u32,
    /// What it is called.
    pub name: String,
}

/// The device's own format, with few channels and buffers of our size: the default may mean seconds.
fn config(own: &SupportedStreamConfig, rate_hz: u32, buffer_frames: u32) -> StreamConfig {
    StreamConfig {
        channels: own.channels().min(CHANNELS_MAX as u16),
        sample_rate: rate_hz,
        buffer_size: BufferSize::Fixed(buffer_frames),
    }
}

impl Speaker {
    /// Opens it at its own rate and starts it.
    ///
    /// # Errors
    /// There is no such speaker, or it would not open.
    pub fn open(id: Option<&str>, buffer_frames: u32) -> Result<Self, OpenError> {
        let host = host();
        let device = device(&host, Direction::Output, id).ok_or_else(|| missing("speaker"))?;
        let own = device.default_output_config()?;
        let rate_hz = own.sample_rate();
        let config = config(&own, rate_hz, buffer_frames);
        let (control, mut engine) = speaker(config.channels.into());
        let errors = Arc::new(Errors::default());
        let stream = device.build_output_stream(
            config,
            move |frames: &mut [f32], _| engine.render(frames),
            errors.callback(),
            Some(OPEN_WITHIN),
        )?;
        stream.play()?;
        presence::watch(Direction::Output, id_of(&device), id.is_none(), &errors);
        Ok(Self {
            stream,
            control,
            errors,
            rate_hz,
            name: device.to_string(),
        })
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// It would not.
    pub fn resume(&self) -> Result<(), cpal::Error> {
        self.stream.play()
    }

    /// Lets it go, on a thread of its own: that may wait for its callbacks.
    pub fn close(self) {
        thread::spawn(move || drop(self));
    }
}

impl Microphone {
    /// Opens it at the speaker's rate and starts it.
    ///
    /// # Errors
    /// There is no such microphone, it was refused, or it would not open.
    pub fn open(
        id: Option<&str>,
        buffer_frames: u32,
        rate_hz: u32,
        counters: &Arc<Counters>,
    ) -> Result<Self, OpenError> {
        let host = host();
        let device = device(&host, Direction::Input, id).ok_or_else(|| missing("microphone"))?;
        let own = device.default_input_config()?;
        let config = config(&own, rate_hz, buffer_frames);
        let cushion_frames = (CUSHION_BUFFERS * buffer_frames) as usize;
        let (mut feed, tap) = microphone(config.channels.into(), cushion_frames, counters);
        let errors = Arc::new(Errors::default());
        let stream = device.build_input_stream(
            config,
            move |frames: &[f32], _| feed.capture(frames),
            errors.callback(),
            Some(OPEN_WITHIN),
        )?;
        stream.play()?;
        presence::watch(Direction::Input, id_of(&device), id.is_none(), &errors);
        Ok(Self {
            stream,
            tap: Some(tap),
            errors,
            rate_hz: own.sample_rate(),
            name: device.to_string(),
        })
    }

    /// Lets it go, on a thread of its own.
    pub fn close(self) {
        let stream = self.stream;
        thread::spawn(move || drop(stream));
    }
}
