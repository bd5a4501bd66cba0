//! What a room is made of: two phones, their distance, and everything that disturbs them.

use crate::troubles::{
    Agc, Blocks, Codec, Dropouts, Motion, SecondSpeaker, Talker, Treble, Wander,
};
use link_transport::Role;
use thiserror::Error;

/// Sample rates a phone can have.
pub const SAMPLE_RATES_HZ: std::ops::RangeInclusive<u32> = 8_000..=192_000;
/// Distances between the phones.
pub const DISTANCES_CM: std::ops::RangeInclusive<f64> = 1.0..=1000.0;
/// Clock errors, either way: beyond any crystal, and beyond what a modem follows.
pub const SKEW_MAX_PPM: f64 = 5000.0;
/// From any speaker to any microphone: less leaves no room for blocks, more outlives the room's memory.
pub const LATENCIES_MS: std::ops::RangeInclusive<f64> = 15.0..=300.0;

/// One of the two phones. In a [`crate::RoomLink`], A is the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phone {
    /// The first phone, the host's.
    A,
    /// The second phone, the guest's.
    B,
}

impl Phone {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The phone across the table.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// 0 for A, 1 for B.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::A => 0,
            Self::B => 1,
        }
    }
}

impl From<Role> for Phone {
    fn from(role: Role) -> Self {
        match role {
            Role::Host => Self::A,
            Role::Guest => Self::B,
        }
    }
}

/// One phone's audio: its clock and how long sound takes through its buffers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PhoneConfig {
    /// What the phone believes its sample rate to be.
    pub sample_rate_hz: u32,
    /// How fast its clock runs against the room's, parts per million: at +100 it takes 100 samples in a million more.
    pub skew_ppm: f64,
    /// From handing a sample to the audio device to its leaving the speaker.
    pub output_latency_ms: f64,
    /// From reaching the microphone to being handed over.
    pub input_latency_ms: f64,
    /// When, in room time, the phone's frame 0 is.
    pub start_ms: f64,
}

impl Default for PhoneConfig {
    /// 48 kHz, a perfect clock, and the 75 ms from speaker to own microphone that the measurements found.
    fn default() -> Self {
        Self {
            sample_rate_hz: 48_000,
            skew_ppm: 0.0,
            output_latency_ms: 45.0,
            input_latency_ms: 30.0,
            start_ms: 0.0,
        }
    }
}

impl PhoneConfig {
    /// Sets [`Self::sample_rate_hz`].
    #[must_use]
    pub const fn with_sample_rate_hz(mut self, sample_rate_hz: u32) -> Self {
        self.sample_rate_hz = sample_rate_hz;
        self
    }

    /// Sets [`Self::skew_ppm`].
    #[must_use]
    pub const fn with_skew_ppm(mut self, skew_ppm: f64) -> Self {
        self.skew_ppm = skew_ppm;
        self
    }

    /// Sets [`Self::output_latency_ms`].
    #[must_use]
    pub const fn with_output_latency_ms(mut self, output_latency_ms: f64) -> Self {
        self.output_latency_ms = output_latency_ms;
        self
    }

    /// Sets [`Self::input_latency_ms`].
    #[must_use]
    pub const fn with_input_latency_ms(mut self, input_latency_ms: f64) -> Self {
        self.input_latency_ms = input_latency_ms;
        self
    }

    /// Sets [`Self::start_ms`].
    #[must_use]
    pub const fn with_start_ms(mut self, start_ms: f64) -> Self {
        self.start_ms = start_ms;
        self
    }
}

/// A loudspeaker's harmonics for a sine of amplitude 0.5, against the sine. `None` is a perfect speaker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonics {
    /// The second, dB.
    pub second_db: f64,
    /// The third, dB.
    pub third_db: f64,
    /// The fifth, dB.
    pub fifth_db: f64,
}

impl Default for Harmonics {
    /// −40, −50 and −60 dB: the measured speaker above 4 kHz.
    fn default() -> Self {
        Self {
            second_db: -40.0,
            third_db: -50.0,
            fifth_db: -60.0,
        }
    }
}

/// A steady tone in the room, heard by both microphones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// Its frequency.
    pub frequency_hz: f64,
    /// Its level over **one tone** of the peer's high-plan signal (over the whole band that is 20.8 dB less).
    pub over_peer_tone_db: f64,
}

/// Fingers on the screens: each tap is 2 ms of white noise that decays by e every 0.5 ms, at either phone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taps {
    /// How many a second each phone takes, on average.
    pub per_second: f64,
    /// Level of a tap's first millisecond in the peer's 3 kHz band, over the peer's signal there.
    pub over_peer_db: f64,
}

/// Game audio from the phones' own speakers: bursts of noise below a cut-off, as after the guard filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jammer {
    /// RMS level while a burst sounds, dB of full scale.
    pub level_dbfs: f64,
    /// Nothing is left above this.
    pub cutoff_hz: f64,
}

/// The room. [`Default`] is two phones 20 cm apart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RoomConfig {
    /// Phone A and phone B.
    pub phones: [PhoneConfig; 2],
    /// Between one phone's speaker and the other's microphone.
    pub distance_cm: f64,
    /// A phone's own speaker at its own microphone, over the peer's direct sound there.
    pub own_path_db: f64,
    /// The microphones' own noise, given as the in-band signal-to-noise ratio 10 cm from a phone that sends at −15 dBFS in a
    /// 3 kHz band.
    pub noise_snr10_db: f64,
    /// Reflections 8–15 ms after the direct sound, as if from a cupboard beside the table: their total power over the
    /// direct sound's.
    pub cluster_db: Option<f64>,
    /// False leaves only the direct sound: for testing the rest.
    pub echoes: bool,
    /// The speakers' distortion.
    pub harmonics: Option<Harmonics>,
    /// The microphones clip at this amplitude.
    pub clip_level: f32,
    /// Steady tones.
    pub tones: Vec<Tone>,
    /// Taps on the screens.
    pub taps: Option<Taps>,
    /// Game audio.
    pub jammer: Option<Jammer>,
    /// Loudspeakers made for voices.
    pub treble: Option<Treble>,
    /// A second loudspeaker on each phone.
    pub second_speaker: Option<SecondSpeaker>,
    /// Someone holds a phone.
    pub motion: Option<Motion>,
    /// Each phone removes from its recording what is above this, as browsers that process speech do (7.5 or 15 kHz). The
    /// recording comes 5.7 ms later for it.
    pub capture_cutoff_hz: Option<f64>,
    /// Microphones whose gain is adjusted in steps.
    pub agc: Option<Agc>,
    /// Recordings with short stretches missing.
    pub dropouts: Option<Dropouts>,
    /// Clocks that wander.
    pub wander: Option<Wander>,
    /// Recordings that lose and repeat blocks. The recording comes a block later for it.
    pub blocks: Option<Blocks>,
    /// A codec on the way to the recording.
    pub codec: Option<Codec>,
    /// A voice beside the phones.
    pub talker: Option<Talker>,
    /// Decides walls, places, noise and taps; nothing else does.
    pub seed: u64,
}

impl Default for RoomConfig {
    fn default() -> Self {
        Self {
            phones: [
                PhoneConfig::default(),
                PhoneConfig {
                    start_ms: 13.7,
                    ..PhoneConfig::default()
                },
            ],
            distance_cm: 20.0,
            own_path_db: 40.0,
            noise_snr10_db: 40.0,
            cluster_db: None,
            echoes: true,
            harmonics: Some(Harmonics::default()),
            clip_level: 1.0,
            tones: Vec::new(),
            taps: None,
            jammer: None,
            treble: None,
            second_speaker: None,
            motion: None,
            capture_cutoff_hz: None,
            agc: None,
            dropouts: None,
            wander: None,
            blocks: None,
            codec: None,
            talker: None,
            seed: 1,
        }
    }
}

/// Why there can be no such room.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RoomProblem {
    /// See [`SAMPLE_RATES_HZ`].
    #[error("a phone in the room cannot run at {rate_hz} Hz, only at 8,000 to 192,000 Hz")]
    SampleRate {
        /// The rate asked for.
        rate_hz: u32,
    },
    /// See [`SKEW_MAX_PPM`].
    #[error("a phone's clock cannot be {ppm} ppm off, only up to 5,000 ppm")]
    Skew {
        /// The clock error asked for.
        ppm: f64,
    },
    /// See [`DISTANCES_CM`].
    #[error("the phones cannot be {cm} cm apart, only 1 to 1,000 cm")]
    Distance {
        /// The distance asked for.
        cm: f64,
    },
    /// See [`LATENCIES_MS`].
    #[error("{latency_ms} ms from a speaker to a microphone is not between 15 and 300 ms")]
    Latency {
        /// Output and input latency together.
        latency_ms: f64,
    },
    /// A phone that starts before the room, or never.
    #[error("a phone cannot start {start_ms} ms after the room")]
    Start {
        /// The start asked for.
        start_ms: f64,
    },
}

impl RoomConfig {
    /// Sets [`Self::phones`].
    #[must_use]
    pub fn with_phones(mut self, phones: [PhoneConfig; 2]) -> Self {
        self.phones = phones;
        self
    }

    /// Sets [`Self::distance_cm`].
    #[must_use]
    pub fn with_distance_cm(mut self, distance_cm: f64) -> Self {
        self.distance_cm = distance_cm;
        self
    }

    /// Sets [`Self::own_path_db`].
    #[must_use]
    pub fn with_own_path_db(mut self, own_path_db: f64) -> Self {
        self.own_path_db = own_path_db;
        self
    }

    /// Sets [`Self::noise_snr10_db`].
    #[must_use]
    pub fn with_noise_snr10_db(mut self, noise_snr10_db: f64) -> Self {
        self.noise_snr10_db = noise_snr10_db;
        self
    }

    /// Sets [`Self::cluster_db`].
    #[must_use]
    pub fn with_cluster_db(mut self, cluster_db: impl Into<Option<f64>>) -> Self {
        self.cluster_db = cluster_db.into();
        self
    }

    /// Sets [`Self::echoes`].
    #[must_use]
    pub fn with_echoes(mut self, echoes: bool) -> Self {
        self.echoes = echoes;
        self
    }

    /// Sets [`Self::harmonics`].
    #[must_use]
    pub fn with_harmonics(mut self, harmonics: impl Into<Option<Harmonics>>) -> Self {
        self.harmonics = harmonics.into();
        self
    }

    /// Sets [`Self::clip_level`].
    #[must_use]
    pub fn with_clip_level(mut self, clip_level: f32) -> Self {
        self.clip_level = clip_level;
        self
    }

    /// Sets [`Self::tones`].
    #[must_use]
    pub fn with_tones(mut self, tones: Vec<Tone>) -> Self {
        self.tones = tones;
        self
    }

    /// Sets [`Self::taps`].
    #[must_use]
    pub fn with_taps(mut self, taps: impl Into<Option<Taps>>) -> Self {
        self.taps = taps.into();
        self
    }

    /// Sets [`Self::jammer`].
    #[must_use]
    pub fn with_jammer(mut self, jammer: impl Into<Option<Jammer>>) -> Self {
        self.jammer = jammer.into();
        self
    }

    /// Sets [`Self::treble`].
    #[must_use]
    pub fn with_treble(mut self, treble: impl Into<Option<Treble>>) -> Self {
        self.treble = treble.into();
        self
    }

    /// Sets [`Self::second_speaker`].
    #[must_use]
    pub fn with_second_speaker(mut self, second_speaker: impl Into<Option<SecondSpeaker>>) -> Self {
        self.second_speaker = second_speaker.into();
        self
    }

    /// Sets [`Self::motion`].
    #[must_use]
    pub fn with_motion(mut self, motion: impl Into<Option<Motion>>) -> Self {
        self.motion = motion.into();
        self
    }

    /// Sets [`Self::capture_cutoff_hz`].
    #[must_use]
    pub fn with_capture_cutoff_hz(mut self, capture_cutoff_hz: impl Into<Option<f64>>) -> Self {
        self.capture_cutoff_hz = capture_cutoff_hz.into();
        self
    }

    /// Sets [`Self::agc`].
    #[must_use]
    pub fn with_agc(mut self, agc: impl Into<Option<Agc>>) -> Self {
        self.agc = agc.into();
        self
    }

    /// Sets [`Self::wander`].
    #[must_use]
    pub fn with_wander(mut self, wander: impl Into<Option<Wander>>) -> Self {
        self.wander = wander.into();
        self
    }

    /// Sets [`Self::blocks`].
    #[must_use]
    pub fn with_blocks(mut self, blocks: impl Into<Option<Blocks>>) -> Self {
        self.blocks = blocks.into();
        self
    }

    /// Sets [`Self::codec`].
    #[must_use]
    pub fn with_codec(mut self, codec: impl Into<Option<Codec>>) -> Self {
        self.codec = codec.into();
        self
    }

    /// Sets [`Self::talker`].
    #[must_use]
    pub fn with_talker(mut self, talker: impl Into<Option<Talker>>) -> Self {
        self.talker = talker.into();
        self
    }

    /// Sets [`Self::dropouts`].
    #[must_use]
    pub fn with_dropouts(mut self, dropouts: impl Into<Option<Dropouts>>) -> Self {
        self.dropouts = dropouts.into();
        self
    }

    /// Why there can be no such room; `None` if there can.
    #[must_use]
    pub fn problem(&self) -> Option<RoomProblem> {
        if !DISTANCES_CM.contains(&self.distance_cm) {
            return Some(RoomProblem::Distance {
                cm: self.distance_cm,
            });
        }
        for (from, to) in Phone::BOTH
            .into_iter()
            .flat_map(|from| Phone::BOTH.map(|to| (from, to)))
        {
            let latency_ms = self.phones[from.index()].output_latency_ms
                + self.phones[to.index()].input_latency_ms;
            if !LATENCIES_MS.contains(&latency_ms) {
                return Some(RoomProblem::Latency { latency_ms });
            }
        }
        self.phones.iter().find_map(|phone| {
            if !SAMPLE_RATES_HZ.contains(&phone.sample_rate_hz) {
                Some(RoomProblem::SampleRate {
                    rate_hz: phone.sample_rate_hz,
                })
            } else if !(-SKEW_MAX_PPM..=SKEW_MAX_PPM).contains(&phone.skew_ppm) {
                Some(RoomProblem::Skew {
                    ppm: phone.skew_ppm,
                })
            } else if !(0.0..1e9).contains(&phone.start_ms) {
                Some(RoomProblem::Start {
                    start_ms: phone.start_ms,
                })
            } else {
                None
            }
        })
    }

    /// The default room with the phones this far apart.
    #[must_use]
    pub fn at_distance_cm(distance_cm: f64) -> Self {
        Self {
            distance_cm,
            ..Self::default()
        }
    }

    /// Recordings captured at a lower rate and raised later: nothing above half of it is left.
    #[must_use]
    pub fn captured_at(mut self, rate_hz: u32) -> Self {
        self.capture_cutoff_hz = Some(0.49 * f64::from(rate_hz));
        self
    }

    /// Gives each phone its sample rate.
    #[must_use]
    pub fn with_rates_hz(mut self, rates_hz: [u32; 2]) -> Self {
        for (phone, sample_rate_hz) in self.phones.iter_mut().zip(rates_hz) {
            phone.sample_rate_hz = sample_rate_hz;
        }
        self
    }

    /// Gives each phone its clock error.
    #[must_use]
    pub fn with_skews_ppm(mut self, skews_ppm: [f64; 2]) -> Self {
        for (phone, skew_ppm) in self.phones.iter_mut().zip(skews_ppm) {
            phone.skew_ppm = skew_ppm;
        }
        self
    }

    /// Another room of the same kind.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}
