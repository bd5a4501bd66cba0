//! Receive quality: the effective signal-to-noise ratio in the steps in which frames say it.

/// The best receive quality that a frame can say; the worst is 0.
pub const RXQ_MAX: u8 = 7;
/// From this receive quality (12 dB) on, [`Mode::Fast`](crate::Mode::Fast) delivers everything.
pub const RXQ_FAST: u8 = 4;
/// At or under this receive quality (6 dB), [`Mode::Fast`](crate::Mode::Fast) starts to fail.
pub const RXQ_POOR: u8 = 1;
/// One step of it.
const STEP_DB: f32 = 3.0;

/// `clamp(floor(snr_db / 3), 0, 7)`; not a number is 0. Source: the specification's "Lobby frame", row `rxq`.
#[must_use]
pub fn receive_quality(snr_db: f32) -> u8 {
    // `as` rounds toward zero, and takes what is not a number for 0.
    (snr_db / STEP_DB).clamp(0.0, RXQ_MAX.into()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_decibels_a_step_from_nothing_to_seven() {
        let cases = [
            (f32::NAN, 0),
            (f32::NEG_INFINITY, 0),
            (-0.1, 0),
            (2.9, 0),
            (3.0, 1),
            (11.9, 3),
            (12.0, RXQ_FAST),
            (20.9, 6),
            (21.0, RXQ_MAX),
            (f32::INFINITY, RXQ_MAX),
        ];
        for (snr_db, quality) in cases {
            assert_eq!(receive_quality(snr_db), quality, "{snr_db} dB");
        }
    }
}
