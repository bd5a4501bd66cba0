//! What real phones do to sound beyond a curve and a clock, as settings. Every one is off by default, and switching one on
//! changes nothing else: not even the draws of chance.

/// A phone's loudspeaker that was made for voices: both phones' treble falls off and does not keep its phase.
///
/// The default is a phone measured in 2026: level until 9 kHz, 18 dB down from 10 to 13.5 kHz, 33 dB down from 14.5 kHz,
/// and no phase to rely on at 19.5 kHz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Treble {
    /// Level from 10 to 13.5 kHz, against below 9 kHz.
    pub middle_db: f64,
    /// Level from 14.5 kHz up.
    pub top_db: f64,
    /// At 19.5 kHz, the part that comes and goes several times a second over the part that stays; 3.6 dB less for every
    /// kilohertz below. `None` keeps every phase.
    pub flutter_db: Option<f64>,
}

impl Default for Treble {
    fn default() -> Self {
        Self {
            middle_db: -18.0,
            top_db: -33.0,
            flutter_db: Some(0.0),
        }
    }
}

/// A second loudspeaker on each phone that plays the same a little later: the earpiece, or the other end of the case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondSpeaker {
    /// How much later it is heard, by the peer and by the phone itself; at most 2 ms.
    pub delay_ms: f64,
    /// Its level over the first one's.
    pub level_db: f64,
}

/// Someone holds a phone: the distance goes up and down about the configured one, at one speed
/// but for 0.3 s about each turn.
///
/// Only the direct sound moves. Echoes come from all around and shift both ways, so on average not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// At 0.1 m/s a tone of 19 kHz shifts by 5.5 Hz.
    pub speed_m_s: f64,
    /// How far the distance departs from the configured one, at most nine tenths of it.
    pub reach_cm: f64,
}

/// A microphone whose gain the phone keeps adjusting, in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agc {
    /// The gain steps down by this, and up again.
    pub step_db: f64,
    /// Seconds between steps, on average; each takes between half and one and a half times as long.
    pub every_s: f64,
}

/// Recordings in which short stretches are missing: digital silence instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropouts {
    /// How many a second each phone takes, on average.
    pub per_second: f64,
    /// How long one lasts.
    pub lasts_ms: f64,
}

/// Clocks that wander about their error: slowly up and down, both phones' each for itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wander {
    /// How far, parts per million either way.
    pub ppm: f64,
    /// From fastest to fastest, seconds.
    pub period_s: f64,
}

/// Recordings that lose blocks or get them twice, without the frame count saying so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// How many a second each phone takes, on average.
    pub per_second: f64,
    /// Frames a block.
    pub frames: usize,
    /// True: in place of a block the one before comes again, and nothing moves. False: one is left out, and all after comes
    /// earlier; then one comes twice, and all after comes later; and so on.
    pub replaced: bool,
}

/// A codec between microphone and recording: what it leaves out is loud where the sound is loud.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Codec {
    /// Its noise over the sound of the same 20 ms, in every band, dB: −20 is a poor one.
    pub noise_db: f64,
}

/// Somebody else talks beside the phones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Talker {
    /// How loud, RMS over all of the voice's bands, dB over the peer's direct sound.
    pub over_peer_db: f64,
}
