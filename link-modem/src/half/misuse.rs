//! Wrong use of a live modem, told from what it is called with: a frame count that counts something else, or several
//! channels handed over as one. Either looks like a dead microphone otherwise.

use thiserror::Error;

/// A way in which an audio callback calls the modem wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Misuse {
    /// `first_frame` is the same in every call.
    #[error(
        "The frame count stands still: first_frame must grow by the frames of each call, the device's own count is best"
    )]
    CountStands,
    /// `first_frame` counts calls.
    #[error(
        "The frame count counts calls: first_frame must grow by the frames of each call, not by one"
    )]
    CountsCalls,
    /// `first_frame` is a time.
    #[error("The frame count is a time in {}: first_frame must count frames (seconds times the sample rate)", unit(*.per_second))]
    CountsTime {
        /// Units a second: 1,000, 1,000,000 or 1,000,000,000.
        per_second: u32,
    },
    /// `first_frame` grows by a multiple of the frames: samples of all channels, or bytes.
    #[error(
        "The frame count grows {times} times too fast: first_frame must count frames, not samples of all channels or bytes"
    )]
    CountsSamples {
        /// How many times.
        times: u32,
    },
    /// Twice as many samples come as the count says frames, or every other sample is another channel's.
    #[error(
        "Interleaved stereo comes as one channel: say that there are two, or hand over one of them"
    )]
    Interleaved,
}

const fn unit(per_second: u32) -> &'static str {
    match per_second {
        1_000 => "milliseconds",
        1_000_000 => "microseconds",
        _ => "nanoseconds",
    }
}

impl Misuse {
    /// Its number in a message: a kind and a figure.
    pub(super) const fn code(self) -> (u8, u32) {
        match self {
            Self::CountStands => (1, 0),
            Self::CountsCalls => (2, 0),
            Self::CountsTime { per_second } => (3, per_second),
            Self::CountsSamples { times } => (4, times),
            Self::Interleaved => (5, 0),
        }
    }

    /// The one with that number.
    pub(super) const fn of(kind: u8, figure: u32) -> Option<Self> {
        Some(match kind {
            1 => Self::CountStands,
            2 => Self::CountsCalls,
            3 => Self::CountsTime { per_second: figure },
            4 => Self::CountsSamples { times: figure },
            5 => Self::Interleaved,
            _ => return None,
        })
    }
}

/// Calls in a row that must be wrong in the same way: a device that stumbles is not misused.
const CALLS: u32 = 24;
/// … and the part of a second that they must take.
const CALLS_S: f64 = 0.1;
/// Calls in a row that are right end a misuse.
const RIGHT: u32 = 50;
/// How near a count must come to a time: callbacks come a little early and late.
const NEAR: f64 = 0.03;

/// Watches the frame counts of calls. A few comparisons a call.
pub(super) struct CountWatch {
    rate_hz: f64,
    last: Option<(u64, u64)>,
    wrong: u32,
    right: u32,
    /// Frames handed over, and what the count grew by, in the wrong calls in a row; whether all grew by 0, and by 1.
    frames: f64,
    grown: f64,
    all: (bool, bool),
}

impl CountWatch {
    pub(super) const fn new(rate_hz: u32) -> Self {
        Self {
            rate_hz: rate_hz as f64,
            last: None,
            wrong: 0,
            right: 0,
            frames: 0.0,
            grown: 0.0,
            all: (true, true),
        }
    }

    /// A call of so many frames with that count. What it shows: `Some(None)` that all is well again.
    pub(super) fn call(&mut self, first_frame: u64, frames: u64) -> Option<Option<Misuse>> {
        let last = self.last.replace((first_frame, frames));
        let (count, before) = last?;
        let grown = first_frame.wrapping_sub(count);
        if grown == before {
            self.wrong = 0;
            self.right = self.right.saturating_add(1);
            return (self.right == RIGHT).then_some(None);
        }
        if self.wrong == 0 {
            (self.frames, self.grown, self.all) = (0.0, 0.0, (true, true));
        }
        self.right = 0;
        self.wrong = self.wrong.saturating_add(1);
        self.frames += before as f64;
        self.grown += grown as i64 as f64;
        self.all = (self.all.0 && grown == 0, self.all.1 && grown == 1);
        if self.wrong < CALLS || self.frames < CALLS_S * self.rate_hz {
            return None;
        }
        let found = self.kind();
        // Later ones show the same, or an accident that is over.
        self.wrong = 0;
        found.map(Some)
    }

    fn kind(&self) -> Option<Misuse> {
        match self.all {
            (true, _) => return Some(Misuse::CountStands),
            (_, true) => return Some(Misuse::CountsCalls),
            _ => {}
        }
        let times = self.grown / self.frames;
        let near = |wanted: f64| (times / wanted - 1.0).abs() < NEAR;
        for per_second in [1_000_u32, 1_000_000, 1_000_000_000] {
            if near(f64::from(per_second) / self.rate_hz) {
                return Some(Misuse::CountsTime { per_second });
            }
        }
        if near(0.5) {
            return Some(Misuse::Interleaved);
        }
        (2..=64_u32)
            .find(|times| (self.grown - f64::from(*times) * self.frames).abs() < 1.0)
            .map(|times| Misuse::CountsSamples { times })
    }
}

/// Pieces between two that are looked at: the look costs a few instructions a sample.
const EVERY: u32 = 32;
/// The unevenness that only two channels have: sampling one sound gives a few hundredths.
const UNEVEN: f64 = 0.3;
/// Looks in a row that must agree: over two seconds of pieces of 128 frames.
const LOOKS: u32 = 24;

/// Watches whether every other sample of one channel is another's: then even and odd ones, or the steps between them, differ
/// in power, always in the same way.
pub(super) struct ParityWatch {
    pieces: u32,
    agree: u32,
    /// The sign of the unevenness, of samples and of steps.
    sign: (f64, f64),
}

impl ParityWatch {
    pub(super) const fn new() -> Self {
        Self {
            pieces: 0,
            agree: 0,
            sign: (0.0, 0.0),
        }
    }

    /// The next piece, which starts a call's or an even number of frames after; true once it is clear.
    pub(super) fn hear(&mut self, piece: &[f32]) -> bool {
        self.pieces += 1;
        if !self.pieces.is_multiple_of(EVERY) || piece.len() < 32 {
            return false;
        }
        let (samples, steps) = uneven(piece);
        let strong =
            |now: f64, sign: f64| now.abs() > UNEVEN && (sign == 0.0 || now.signum() == sign);
        if strong(samples, self.sign.0) || strong(steps, self.sign.1) {
            let sign = |now: f64| {
                if now.abs() > UNEVEN {
                    now.signum()
                } else {
                    f64::NAN
                }
            };
            self.sign = (sign(samples), sign(steps));
            self.agree += 1;
        } else {
            (self.agree, self.sign) = (0, (0.0, 0.0));
        }
        self.agree == LOOKS
    }
}

/// How much more power even samples have than odd ones, a share of all, and likewise the steps from them.
fn uneven(piece: &[f32]) -> (f64, f64) {
    let (mut samples, mut steps) = ([0.0_f64; 2], [0.0_f64; 2]);
    for (index, pair) in piece.windows(2).enumerate() {
        if pair[0].is_finite() && pair[1].is_finite() {
            samples[index % 2] += f64::from(pair[0]).powi(2);
            steps[index % 2] += f64::from(pair[1] - pair[0]).powi(2);
        }
    }
    let share = |[even, odd]: [f64; 2]| {
        let all = even + odd;
        if all > 1e-12 { (even - odd) / all } else { 0.0 }
    };
    (share(samples), share(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(counts: impl Fn(u64) -> u64, frames: u64) -> Option<Misuse> {
        let mut watch = CountWatch::new(48_000);
        (0..200).find_map(|call| watch.call(counts(call), frames).flatten())
    }

    #[test]
    fn every_wrong_count_is_named_and_a_right_one_is_not() {
        let frames = 480;
        assert_eq!(found(|_| 0, frames), Some(Misuse::CountStands));
        assert_eq!(found(|_| 123_456, frames), Some(Misuse::CountStands));
        assert_eq!(found(|call| call, frames), Some(Misuse::CountsCalls));
        for per_second in [1_000_u32, 1_000_000, 1_000_000_000] {
            let time = move |call: u64| {
                // Callbacks come a millisecond early or late.
                let late = f64::from((call * 37 % 21) as u32) / 1e4;
                ((call as f64 * 0.01 + late) * f64::from(per_second)) as u64
            };
            assert_eq!(found(time, frames), Some(Misuse::CountsTime { per_second }));
        }
        assert_eq!(
            found(|call| call * 2 * frames, frames),
            Some(Misuse::CountsSamples { times: 2 })
        );
        assert_eq!(
            found(|call| call * 8 * frames, frames),
            Some(Misuse::CountsSamples { times: 8 })
        );
        assert_eq!(
            found(|call| call * frames / 2, frames),
            Some(Misuse::Interleaved)
        );
        assert_eq!(found(|call| call * frames, frames), None);
        // A device that loses a block in every ten.
        assert_eq!(found(|call| (call + call / 10) * frames, frames), None);
    }

    #[test]
    fn a_misuse_that_ends_is_over() {
        let mut watch = CountWatch::new(48_000);
        let wrong = (0..100).find_map(|_| watch.call(0, 480));
        assert_eq!(wrong, Some(Some(Misuse::CountStands)));
        let right = (1..100).find_map(|call| watch.call(call * 480, 480));
        assert_eq!(right, Some(None));
    }

    fn noise(index: u64) -> f32 {
        let word = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((word ^ (word >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f32 / 8_388_608.0 - 1.0
    }

    #[test]
    fn stereo_as_one_channel_is_told_from_one_channel() {
        let is_found = |sound: &dyn Fn(u64) -> f32| {
            let mut watch = ParityWatch::new();
            (0..4000_u64).any(|piece| {
                let samples: Vec<f32> = (0..128).map(|i| sound(piece * 128 + i)).collect();
                watch.hear(&samples)
            })
        };
        let tone =
            |hz: f64| move |i: u64| (i as f64 * hz / 48_000.0 * std::f64::consts::TAU).sin() as f32;
        assert!(is_found(&|i| noise(i / 2)), "the same on both");
        assert!(
            is_found(&|i| if i % 2 == 0 { noise(i) } else { 0.0 }),
            "one dead"
        );
        assert!(is_found(
            &|i| noise(i / 2) * if i % 2 == 0 { 1.0 } else { 0.4 }
        ));
        assert!(!is_found(&noise));
        for hz in [50.0, 1_000.0, 11_025.0, 11_999.0, 12_001.0, 23_000.0] {
            assert!(!is_found(&tone(hz)), "{hz} Hz");
        }
        assert!(!is_found(&|_| 0.0));
        assert!(!is_found(&|_| f32::NAN));
    }
}
