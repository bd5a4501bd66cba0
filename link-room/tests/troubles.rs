//! What real phones add, measured from outside: treble, second speakers, motion, what happens to a recording.

use link_room::{
    Agc, Dropouts, Motion, Phone, Room, RoomConfig, SecondSpeaker, Treble, play_through,
};
use std::{f64::consts::TAU, time::Duration};

const RATE_HZ: f64 = 48_000.0;

/// Nothing but the direct sound: what each test adds is all there is.
fn bare() -> RoomConfig {
    RoomConfig::default()
        .with_echoes(false)
        .with_harmonics(None)
        .with_noise_snr10_db(300.0)
        .with_own_path_db(-200.0)
}

/// What phone B hears of a tone that phone A plays, once the start is over.
fn heard(config: &RoomConfig, frequency_hz: f64, seconds: f64) -> Vec<f32> {
    let tone: Vec<f32> = (0..(RATE_HZ * (seconds + 0.5)) as usize)
        .map(|i| (0.5 * (TAU * frequency_hz * i as f64 / RATE_HZ).sin()) as f32)
        .collect();
    let [_, mut heard] = play_through(config, [&tone, &[]], Duration::ZERO);
    heard.drain(..(0.4 * RATE_HZ) as usize);
    heard.truncate((RATE_HZ * seconds) as usize);
    heard
}

/// The tone's complex amplitude in each stretch of 40 ms.
fn phasors(signal: &[f32], frequency_hz: f64) -> Vec<(f64, f64)> {
    signal
        .chunks_exact(1920)
        .enumerate()
        .map(|(chunk, frames)| {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, &x) in frames.iter().enumerate() {
                let turns = frequency_hz * (chunk * 1920 + i) as f64 / RATE_HZ;
                let (sin, cos) = (TAU * turns.fract()).sin_cos();
                re += f64::from(x) * cos / 960.0;
                im -= f64::from(x) * sin / 960.0;
            }
            (re, im)
        })
        .collect()
}

fn level_db(config: &RoomConfig, frequency_hz: f64) -> f64 {
    let phasors = phasors(&heard(config, frequency_hz, 0.4), frequency_hz);
    let power: f64 = phasors.iter().map(|(re, im)| re * re + im * im).sum();
    10.0 * (power / phasors.len() as f64).log10()
}

/// 1 / mean(change of phase²) from stretch to stretch.
fn phase_snr_db(config: &RoomConfig, frequency_hz: f64) -> f64 {
    let phasors = phasors(&heard(config, frequency_hz, 4.0), frequency_hz);
    let changes: Vec<f64> = phasors
        .windows(2)
        .map(|pair| {
            let [(a, b), (c, d)] = [pair[0], pair[1]];
            (d * a - c * b).atan2(c * a + d * b)
        })
        .collect();
    -10.0 * (changes.iter().map(|x| x * x).sum::<f64>() / changes.len() as f64).log10()
}

#[track_caller]
fn assert_near(value: f64, wanted: f64, within: f64) {
    assert!(
        (value - wanted).abs() <= within,
        "{value:.3}, wanted {wanted} ± {within}"
    );
}

#[test]
fn treble_falls_off_as_measured() {
    let steady = bare().with_treble(Treble {
        flutter_db: None,
        ..Treble::default()
    });
    for (frequency_hz, wanted_db) in [
        (5_000.0, 0.0),
        (10_500.0, -18.0),
        (12_500.0, -18.0),
        (15_500.0, -33.0),
        (18_000.0, -33.0),
    ] {
        let fall_db = level_db(&steady, frequency_hz) - level_db(&bare(), frequency_hz);
        assert_near(fall_db, wanted_db, 0.7);
    }
}

#[test]
fn treble_loses_its_phase_toward_the_top() {
    let config = bare().with_treble(Treble::default());
    let [middle_db, upper_db, top_db] =
        [10_000.0, 16_000.0, 19_400.0].map(|frequency_hz| phase_snr_db(&config, frequency_hz));
    println!("phase SNR at 10 kHz {middle_db:.1} dB, 16 kHz {upper_db:.1}, 19.4 kHz {top_db:.1}");
    assert!(middle_db > 28.0, "{middle_db:.1}");
    assert!((8.0..22.0).contains(&upper_db), "{upper_db:.1}");
    assert!(top_db < 6.0, "{top_db:.1}");
    // A speaker that keeps its phase does so everywhere.
    assert!(phase_snr_db(&bare(), 19_400.0) > 60.0);
}

#[test]
fn two_speakers_comb_the_sound() {
    // 0.5 ms apart: twice the sound at whole multiples of 2 kHz, none halfway between.
    let config = bare().with_second_speaker(SecondSpeaker {
        delay_ms: 0.5,
        level_db: 0.0,
    });
    for (frequency_hz, low_db, high_db) in [
        (10_000.0, 5.9, 6.1),
        (9_000.0, f64::NEG_INFINITY, -40.0),
        (11_000.0, f64::NEG_INFINITY, -40.0),
        (10_500.0, 2.9, 3.1),
    ] {
        let change_db = level_db(&config, frequency_hz) - level_db(&bare(), frequency_hz);
        assert!(
            (low_db..high_db).contains(&change_db),
            "{frequency_hz} Hz: {change_db:.2} dB"
        );
    }
}

#[test]
fn motion_shifts_the_pitch_and_the_level() {
    let frequency_hz = 11_000.0;
    for speed_m_s in [0.02, 0.05, 0.1] {
        let config = bare().with_motion(Motion {
            speed_m_s,
            reach_cm: 5.0,
        });
        // A whole cycle, out and in.
        let phasors = phasors(&heard(&config, frequency_hz, 0.2 / speed_m_s), frequency_hz);
        let wanted_hz = frequency_hz * speed_m_s / 343.0;
        let (mut up, mut down) = (0, 0);
        for pair in phasors.windows(2) {
            let [(a, b), (c, d)] = [pair[0], pair[1]];
            let shift_hz = (d * a - c * b).atan2(c * a + d * b) / TAU / 0.04;
            up += usize::from((shift_hz - wanted_hz).abs() < 0.05 * wanted_hz);
            down += usize::from((shift_hz + wanted_hz).abs() < 0.05 * wanted_hz);
        }
        // All but the stretches in which it turns round: 0.3 s each time, eight and a half of 40 ms at the most.
        println!("{speed_m_s} m/s: {up} up, {down} down of {}", phasors.len());
        assert!(
            up + down + 17 >= phasors.len() && up > 5 && down > 5,
            "{speed_m_s} m/s: {up} up, {down} down of {}",
            phasors.len()
        );
        // 15 to 25 cm, less what the turns cut off: v · 0.15 s / 2, a parabola's height under its tangents.
        let cut_cm = 7.5 * speed_m_s;
        let wanted_db = 20.0 * ((25.0 - cut_cm) / (15.0 + cut_cm)).log10();
        let levels: Vec<f64> = phasors.iter().map(|(re, im)| re.hypot(*im)).collect();
        let highest = levels.iter().copied().fold(0.0, f64::max);
        let lowest = levels.iter().copied().fold(1.0, f64::min);
        let range_db = 20.0 * (highest / lowest).log10();
        println!("{range_db:.3} dB for {wanted_db:.3}");
        assert_near(range_db, wanted_db, 0.1);
    }
}

#[test]
fn a_phone_that_does_not_move_sounds_the_same_read_either_way() {
    let still = RoomConfig::default();
    let moving = RoomConfig::default().with_motion(Motion {
        speed_m_s: 0.0,
        reach_cm: 0.0,
    });
    let [apart, together] = [moving, still].map(|config| heard(&config, 11_000.0, 0.3));
    let difference: f32 = apart
        .iter()
        .zip(&together)
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    let power: f32 = together.iter().map(|x| x * x).sum();
    let left_db = 10.0 * f64::from(difference / power).log10();
    assert!(left_db < -80.0, "{left_db:.1} dB");
}

#[test]
fn a_cut_off_leaves_nothing_above_it() {
    for (cutoff_hz, kept_hz, lost_hz) in
        [(7_500.0, 6_900.0, 9_600.0), (15_000.0, 14_400.0, 16_000.0)]
    {
        let config = bare().with_capture_cutoff_hz(cutoff_hz);
        assert_near(
            level_db(&config, kept_hz) - level_db(&bare(), kept_hz),
            0.0,
            0.05,
        );
        let lost_db = level_db(&config, lost_hz) - level_db(&bare(), lost_hz);
        assert!(lost_db < -80.0, "{lost_db:.1} dB left at {lost_hz} Hz");
    }
}

#[test]
fn gain_steps_are_as_high_and_as_often_as_stated() {
    let config = bare().with_agc(Agc {
        step_db: 6.0,
        every_s: 0.5,
    });
    let phasors = phasors(&heard(&config, 11_000.0, 20.0), 11_000.0);
    let levels: Vec<f64> = phasors
        .iter()
        .map(|(re, im)| 20.0 * re.hypot(*im).log10())
        .collect();
    let high_db = levels.iter().copied().fold(-200.0, f64::max);
    let (mut steps, mut was_low) = (0.0, levels[0] < high_db - 3.0);
    for level_db in &levels {
        let down_db = high_db - level_db;
        let is_low = down_db > 3.0;
        steps += f64::from(u8::from(is_low != was_low));
        was_low = is_low;
    }
    let settled = levels
        .iter()
        .filter(|&&level| high_db - level < 0.01 || (high_db - level - 6.0).abs() < 0.01);
    assert!(settled.count() as f64 >= levels.len() as f64 - steps - 1.0);
    assert_near(steps, 40.0, 10.0);
}

#[test]
fn dropouts_are_as_long_and_as_often_as_stated() {
    let config = bare()
        .with_dropouts(Dropouts {
            per_second: 2.0,
            lasts_ms: 20.0,
        })
        .with_noise_snr10_db(40.0);
    let [a, b] = play_through(&config, [&[], &[]], Duration::from_secs(60));
    assert_ne!(a[..48_000], b[..48_000]);
    for recording in [a, b] {
        let gaps: Vec<usize> = recording
            .chunk_by(|x, y| (*x == 0.0) == (*y == 0.0))
            .filter(|run| run[0] == 0.0 && run.len() > 4)
            .map(<[f32]>::len)
            .collect();
        assert_near(gaps.len() as f64 / 60.0, 2.0, 0.5);
        assert!(
            gaps.iter().all(|&gap| gap == 960 || gap == 1920),
            "{gaps:?}"
        );
    }
}

/// Everything at once, in blocks of several lengths: the same samples.
#[test]
fn block_lengths_change_none_of_it() {
    let config = RoomConfig::default()
        .with_rates_hz([48_000, 44_100])
        .with_treble(Treble::default())
        .with_second_speaker(SecondSpeaker {
            delay_ms: 0.7,
            level_db: -3.0,
        })
        .with_motion(Motion {
            speed_m_s: 0.1,
            reach_cm: 5.0,
        })
        .with_capture_cutoff_hz(15_000.0)
        .with_agc(Agc {
            step_db: 6.0,
            every_s: 0.1,
        })
        .with_dropouts(Dropouts {
            per_second: 10.0,
            lasts_ms: 5.0,
        });
    let run = |lengths: &[usize]| {
        let mut room = Room::new(&config);
        let mut heard = [Vec::new(), Vec::new()];
        for length in lengths.iter().cycle() {
            let phone = room.next();
            let first = room.frame(phone);
            let mut microphone = vec![0.0; *length];
            room.capture(phone, &mut microphone);
            let play = |frame: u64| ((frame * 7919) % 1009) as f32 / 5000.0 - 0.1;
            let speaker: Vec<f32> = (first..first + *length as u64).map(play).collect();
            room.play(phone, &speaker);
            heard[phone.index()].extend(microphone);
            if heard.iter().all(|heard| heard.len() >= 20_000) {
                break;
            }
        }
        assert_eq!(room.starved_frames(), 0);
        heard.map(|mut heard| {
            heard.truncate(20_000);
            heard
        })
    };
    let whole = run(&[128]);
    assert!(whole[Phone::B.index()].iter().any(|x| x.abs() > 1e-4));
    for lengths in [&[1, 17, 512, 64][..], &[1000]] {
        assert!(run(lengths) == whole, "{lengths:?}");
    }
}
