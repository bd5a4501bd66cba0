//! Why a recording cannot be read as a measurement, and what to do about it.

use thiserror::Error;

/// A sweep is there if at least this share of what is heard is like it. Noise comes to 0.02, echoes leave 0.2.
pub(super) const LIKENESS_MIN: f64 = 0.05;

/// Why a recording cannot be read as a measurement. Each says what to do.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeasurementError {
    /// The recording misses the upper bands.
    #[error(
        "{rate_hz} Hz is too low a sample rate for the measurement, which reaches 20 kHz: record at 48,000 Hz (44,100 at \
         least); where a phone offers no more, only the low band plan can work on it"
    )]
    RateTooLow {
        /// The recording's rate.
        rate_hz: u32,
    },
    /// No recorder is that fast.
    #[error("{rate_hz} Hz is no sample rate of a recording: 44,100 to 384,000 are")]
    RateTooHigh {
        /// The recording's rate.
        rate_hz: u32,
    },
    /// There is less of it than of the signal.
    #[error(
        "the recording lasts {seconds:.1} s, the measurement {needed:.1} s: start recording before it is played, and stop \
         after"
    )]
    TooShort {
        /// The recording's length.
        seconds: f64,
        /// The measurement's.
        needed: f64,
    },
    /// Nothing in it is the sweep.
    #[error(
        "no sweep found (the best place is {:.0} % like it, {:.0} % are needed): play the measurement's own WAV, unchanged \
         and loud, and record it with voice processing off; a WAV whose stated sample rate is not the one it was recorded at \
         shows no sweep either",
        100.0 * likeness, 100.0 * LIKENESS_MIN
    )]
    NoSweep {
        /// How much of the best place is like the sweep: 1 would be all.
        likeness: f64,
    },
    /// It begins or ends within the measurement.
    #[error(
        "the recording {} {missing:.1} s of the measurement: start recording before it is played, and stop after",
        if *start { "starts too late and misses the first" } else { "ends too early and misses the last" }
    )]
    CutOff {
        /// True if it is the start that is missing.
        start: bool,
        /// Seconds missing.
        missing: f64,
    },
    /// The microphone was driven into its limit.
    #[error(
        "the recording is clipped: {samples} samples stand flat at {peak:.2} of full scale. Turn the volume down, or put the \
         devices further apart, and measure again"
    )]
    Clipped {
        /// Samples that stand flat.
        samples: usize,
        /// Where.
        peak: f32,
    },
    /// The samples were taken at another rate than the file says.
    #[error(
        "the file is labelled {labelled_hz} Hz, but the samples fit {fits_hz} Hz: the sample rate in its header is wrong. Read \
         it under that rate, or record again"
    )]
    WrongRate {
        /// The rate that the file states.
        labelled_hz: u32,
        /// The rate at which the measurement is there.
        fits_hz: u32,
    },
    /// The rate in the file is not the one it was recorded at.
    #[error(
        "the recording's clock is {ppm:+.0} ppm off the player's, which no two devices are: the stated sample rate is wrong, \
         or the sound was changed on its way"
    )]
    Clock {
        /// How far.
        ppm: f64,
    },
}
