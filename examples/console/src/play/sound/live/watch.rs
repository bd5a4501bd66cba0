//! Whether callbacks come, and what errors a device tells of. Knows no device.

use cpal::ErrorKind;
use link_transport::LinkTime;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Callbacks that stay away for this long have stopped: several of the longest buffers.
const SILENT: Duration = Duration::from_millis(400);
/// So many errors within a second are a device that only repeats them (ALSA after an underrun): it is given up.
const ERRORS_A_SECOND: u32 = 20;

/// Watches a counter that callbacks move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch {
    count: u64,
    moved: LinkTime,
    stopped: bool,
}

impl Watch {
    /// From now on.
    pub const fn new(now: LinkTime) -> Self {
        Self {
            count: 0,
            moved: now,
            stopped: false,
        }
    }

    /// Says when callbacks stop (`false`) and when they go on (`true`).
    pub fn look(&mut self, now: LinkTime, count: u64) -> Option<bool> {
        if count != self.count {
            (self.count, self.moved) = (count, now);
            return std::mem::take(&mut self.stopped).then_some(true);
        }
        if !self.stopped && now.since(self.moved) >= SILENT {
            self.stopped = true;
            return Some(false);
        }
        None
    }
}

/// What a device's error callback has told.
#[derive(Default)]
pub struct Errors {
    count: AtomicU64,
    broken: AtomicBool,
    changed: AtomicBool,
}

/// What was told since the last look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Troubles {
    /// How many.
    pub count: u64,
    /// The device is gone for good.
    pub broken: bool,
    /// Another device has taken its place.
    pub changed: bool,
}

impl Errors {
    /// The callback for a device. It may lock and wait: it is not called where audio is rendered.
    pub fn callback(self: &Arc<Self>) -> impl FnMut(cpal::Error) + Send + 'static {
        let errors = Arc::clone(self);
        let recent = Mutex::new((Instant::now(), 0_u32));
        move |error| errors.note(error.kind(), &recent)
    }

    fn note(&self, kind: ErrorKind, recent: &Mutex<(Instant, u32)>) {
        self.count.fetch_add(1, Relaxed);
        match kind {
            ErrorKind::RealtimeDenied => return, // it plays nonetheless
            ErrorKind::DeviceChanged => self.changed.store(true, Relaxed),
            ErrorKind::DeviceNotAvailable
            | ErrorKind::HostUnavailable
            | ErrorKind::StreamInvalidated
            | ErrorKind::PermissionDenied => self.broken.store(true, Relaxed),
            _ => {}
        }
        let Ok(mut recent) = recent.lock() else {
            return;
        };
        if recent.0.elapsed() > Duration::from_secs(1) {
            *recent = (Instant::now(), 0);
        }
        recent.1 += 1;
        if recent.1 >= ERRORS_A_SECOND {
            self.broken.store(true, Relaxed);
        }
    }

    /// The device is not there any more.
    pub fn note_gone(&self) {
        self.broken.store(true, Relaxed);
    }

    /// The system has chosen another device since.
    pub fn note_changed(&self) {
        self.changed.store(true, Relaxed);
    }

    /// What has been told since the last look.
    pub fn take(&self) -> Troubles {
        Troubles {
            count: self.count.swap(0, Relaxed),
            broken: self.broken.swap(false, Relaxed),
            changed: self.changed.swap(false, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callbacks_that_stay_away_are_told_once_and_so_is_their_return() {
        let mut watch = Watch::new(LinkTime::from_ms(1000));
        let mut look = |ms, count| watch.look(LinkTime::from_ms(ms), count);
        assert_eq!(look(1100, 0), None);
        assert_eq!(look(1200, 960), None);
        assert_eq!(look(1590, 960), None);
        assert_eq!(look(1600, 960), Some(false));
        assert_eq!(look(3000, 960), None);
        assert_eq!(look(3010, 1920), Some(true));
        assert_eq!(look(3020, 1920), None);
    }

    #[test]
    fn a_device_that_only_repeats_an_error_is_given_up_and_one_that_drops_a_block_is_not() {
        let errors = Errors::default();
        let recent = Mutex::new((Instant::now(), 0));
        errors.note(ErrorKind::Xrun, &recent);
        assert!(!errors.take().broken);
        for _ in 0..ERRORS_A_SECOND {
            errors.note(ErrorKind::BackendError, &recent);
        }
        let troubles = errors.take();
        assert!(troubles.broken);
        assert_eq!(troubles.count, u64::from(ERRORS_A_SECOND));
        assert!(!errors.take().broken, "told once");
    }
}
