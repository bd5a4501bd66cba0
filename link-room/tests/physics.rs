//! What the room does to sound, measured from outside: levels, delays, harmonics, clocks, disturbances.

use link_room::{
    Fault, FaultKind, Harmonics, Jammer, Phone, PhoneConfig, Room, RoomConfig, RoomProblem, Taps,
    Tone, play_through,
};
use std::{f64::consts::TAU, time::Duration};

/// Nothing but the direct sound: what each test adds is all there is.
fn bare() -> RoomConfig {
    RoomConfig::default()
        .with_echoes(false)
        .with_harmonics(None)
        .with_noise_snr10_db(300.0)
        .with_own_path_db(-200.0)
}

fn sine(frequency_hz: f64, amplitude: f64, rate_hz: f64, seconds: f64) -> Vec<f32> {
    let count = (rate_hz * seconds) as usize;
    (0..count)
        .map(|i| (amplitude * (TAU * frequency_hz * i as f64 / rate_hz).sin()) as f32)
        .collect()
}

/// Amplitude of a frequency in the middle of a signal, through a Hann window.
fn amplitude_at(signal: &[f32], frequency_hz: f64, rate_hz: f64) -> f64 {
    let middle = &signal[signal.len() / 4..signal.len() * 3 / 4];
    let count = middle.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (i, &x) in middle.iter().enumerate() {
        let window = 1.0 - (TAU * (i as f64 + 0.5) / count).cos();
        let angle = TAU * frequency_hz * i as f64 / rate_hz;
        re += window * f64::from(x) * angle.cos();
        im += window * f64::from(x) * angle.sin();
    }
    2.0 * re.hypot(im) / count
}

fn db(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

fn rms(signal: &[f32]) -> f64 {
    (signal
        .iter()
        .map(|&x| f64::from(x) * f64::from(x))
        .sum::<f64>()
        / signal.len() as f64)
        .sqrt()
}

#[track_caller]
fn assert_near(value: f64, wanted: f64, within: f64) {
    assert!(
        (value - wanted).abs() <= within,
        "{value:.3}, wanted {wanted} ± {within}"
    );
}

#[test]
fn sound_falls_with_distance_and_the_own_path_is_forty_over_it() {
    let tone = sine(11_000.0, 0.5, 48_000.0, 0.5);
    for (distance_cm, gain_db) in [(10.0, -40.0), (20.0, -46.02), (80.0, -58.06)] {
        let config = bare().with_distance_cm(distance_cm).with_own_path_db(40.0);
        let [own, peer] = play_through(&config, [&tone, &[]], Duration::from_millis(200));
        let peer_db = db(amplitude_at(&peer, 11_000.0, 48_000.0) / 0.5);
        assert_near(peer_db, gain_db, 0.05);
        assert_near(
            db(amplitude_at(&own, 11_000.0, 48_000.0) / 0.5) - peer_db,
            40.0,
            0.05,
        );
    }
}

#[test]
fn a_click_arrives_after_the_latencies_and_the_way() {
    // 34.3 cm are 1 ms.
    let phones = [
        PhoneConfig::default()
            .with_output_latency_ms(20.0)
            .with_input_latency_ms(7.0),
        PhoneConfig::default()
            .with_output_latency_ms(40.0)
            .with_input_latency_ms(10.0),
    ];
    let config = bare()
        .with_phones(phones)
        .with_distance_cm(34.3)
        .with_own_path_db(0.0);
    let mut click = vec![0.0; 4800];
    click[2400] = 1.0;
    let [own, peer] = play_through(&config, [&click, &[]], Duration::from_millis(200));
    let loudest = |signal: &[f32]| {
        signal
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
            .map(|(i, _)| i)
            .expect("samples")
    };
    assert_eq!(loudest(&own), 2400 + 27 * 48);
    assert_eq!(loudest(&peer), 2400 + 31 * 48);
}

#[test]
fn harmonics_are_as_stated_and_do_not_fold_back() {
    for rate_hz in [44_100, 48_000, 96_000] {
        let rate = f64::from(rate_hz);
        let config = bare()
            .with_harmonics(Harmonics::default())
            .with_own_path_db(40.0);
        let config = config.with_rates_hz([rate_hz; 2]);
        let own = |frequency_hz| {
            let [own, _] = play_through(
                &config,
                [&sine(frequency_hz, 0.5, rate, 0.4), &[]],
                Duration::ZERO,
            );
            own
        };
        let low = own(3000.0);
        let first = amplitude_at(&low, 3000.0, rate);
        for (harmonic, level_db) in [(2.0, -40.0), (3.0, -50.0), (5.0, -60.0)] {
            assert_near(
                db(amplitude_at(&low, harmonic * 3000.0, rate) / first),
                level_db,
                0.3,
            );
        }
        assert!(
            db(amplitude_at(&low, 12_000.0, rate) / first) < -90.0,
            "no fourth harmonic"
        );
        // 2nd, 3rd and 5th of 17.3 kHz lie beyond what a phone at 48 kHz records; folded back they would be in a band.
        let high = own(17_300.0);
        let first = amplitude_at(&high, 17_300.0, rate);
        for harmonic in [2.0, 3.0, 5.0] {
            let image = (harmonic * 17_300.0_f64).rem_euclid(rate);
            let image = image.min(rate - image);
            if rate_hz <= 48_000 {
                assert!(
                    db(amplitude_at(&high, image, rate) / first) < -95.0,
                    "{rate_hz} Hz, image at {image}"
                );
            }
        }
    }
}

#[test]
fn resampling_is_clean_between_all_rates() {
    let rates = [24_000, 44_100, 48_000, 96_000];
    for (from, to) in rates
        .into_iter()
        .flat_map(|from| rates.map(|to| (from, to)))
    {
        let top_hz = if from.min(to) == 24_000 {
            9_500.0
        } else {
            18_950.0
        };
        for frequency_hz in [1_000.0, top_hz] {
            let config = bare().with_distance_cm(10.0);
            let config = config
                .with_rates_hz([from, to])
                .with_skews_ppm([300.0, -300.0]);
            let tone = sine(frequency_hz, 0.5, f64::from(from), 0.6);
            let [_, mut heard] = play_through(&config, [&tone, &[]], Duration::from_millis(100));
            // On the other clock the tone is 600 ppm higher; take away the best fit and see what is left.
            let rate = f64::from(to);
            let seen_hz = frequency_hz * (1.0 + 300e-6) / (1.0 - 300e-6);
            let start = to as usize / 4;
            let stretch = &mut heard[start..start + to as usize / 4];
            let before = rms(stretch);
            remove_tone(stretch, seen_hz, rate);
            let left_db = db(rms(stretch) / before);
            assert_near(db(before * 2_f64.sqrt() / 0.5), -40.0, 0.05);
            assert!(
                left_db < -90.0,
                "{from} → {to} Hz at {frequency_hz} Hz: {left_db:.1} dB left"
            );
        }
    }
}

/// Least squares fit of a sine and cosine, removed.
fn remove_tone(signal: &mut [f32], frequency_hz: f64, rate_hz: f64) {
    let (mut cc, mut ss, mut cs, mut xc, mut xs) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let basis = |i: usize| (TAU * frequency_hz * i as f64 / rate_hz).sin_cos();
    for (i, &x) in signal.iter().enumerate() {
        let (s, c) = basis(i);
        cc += c * c;
        ss += s * s;
        cs += c * s;
        xc += f64::from(x) * c;
        xs += f64::from(x) * s;
    }
    let determinant = cc * ss - cs * cs;
    let (a, b) = (
        (xc * ss - xs * cs) / determinant,
        (xs * cc - xc * cs) / determinant,
    );
    for (i, x) in signal.iter_mut().enumerate() {
        let (s, c) = basis(i);
        *x -= (a * c + b * s) as f32;
    }
}

#[test]
fn noise_is_as_loud_as_stated_at_every_rate() {
    // 26 dB under a signal of −15 − 40 dB in 3 kHz; white, so 3 dB more for each doubling of the band.
    for rate_hz in [24_000, 48_000, 96_000] {
        let config = bare().with_noise_snr10_db(26.0).with_rates_hz([rate_hz; 2]);
        let [a, b] = play_through(&config, [&[], &[]], Duration::from_secs(1));
        let wanted = db(0.1778) - 40.0 - 26.0 + 10.0 * (f64::from(rate_hz) / 2.0 / 3000.0).log10();
        assert_near(db(rms(&a)), wanted, 0.15);
        assert_near(db(rms(&b)), wanted, 0.15);
        assert_ne!(a[..64], b[..64], "two microphones, two noises");
    }
}

#[test]
fn tones_and_taps_are_as_loud_as_stated() {
    let peer_rms = 0.1778 * 0.005; // 20 cm
    let tone = Tone {
        frequency_hz: 11_000.0,
        over_peer_tone_db: 26.0,
    };
    let [heard, _] = play_through(
        &bare().with_tones(vec![tone]),
        [&[], &[]],
        Duration::from_secs(1),
    );
    let one_tone = peer_rms * (2.0_f64 / 120.0).sqrt();
    assert_near(
        db(amplitude_at(&heard, 11_000.0, 48_000.0) / one_tone),
        26.0,
        0.1,
    );

    let taps = Taps {
        per_second: 3.0,
        over_peer_db: 20.0,
    };
    let config = bare().with_taps(taps);
    let [heard, _] = play_through(&config, [&[], &[]], Duration::from_secs(200));
    let mut powers = Vec::new();
    let mut i = 0;
    while i + 96 < heard.len() {
        if heard[i].abs() > 1e-9 {
            powers.push(rms(&heard[i..i + 48]).powi(2));
            i += 96;
        }
        i += 1;
    }
    assert_near(powers.len() as f64 / 200.0, 3.0, 0.4);
    // White over 24 kHz: 3 kHz of it are an eighth.
    let first_ms = (powers.iter().sum::<f64>() / powers.len() as f64 / 8.0).sqrt();
    assert_near(db(first_ms / peer_rms), 20.0, 0.5);
}

#[test]
fn game_audio_stays_under_its_cutoff() {
    let jammer = Jammer {
        level_dbfs: -12.0,
        cutoff_hz: 8000.0,
    };
    let config = bare().with_jammer(jammer).with_own_path_db(46.0);
    let [own, _] = play_through(&config, [&[], &[]], Duration::from_secs(4));
    // Half the time loud: 3 dB less on average.
    assert_near(db(rms(&own)), -15.0 - 0.02, 1.5);
    let band = |low: usize, count: usize| {
        (0..count)
            .map(|i| amplitude_at(&own, (low + 10 * i) as f64, 48_000.0).powi(2))
            .sum::<f64>()
            / count as f64
    };
    assert!(10.0 * (band(9_525, 100) / band(3_000, 100)).log10() < -85.0);
}

#[test]
fn microphones_clip() {
    let config = bare().with_own_path_db(46.0).with_clip_level(0.25);
    let [own, _] = play_through(
        &config,
        [&sine(1000.0, 0.9, 48_000.0, 0.3), &[]],
        Duration::ZERO,
    );
    let peak = own.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
    assert_eq!(peak, 0.25);
}

/// Plays noise from both phones in blocks of the given lengths, in turn.
fn run(config: &RoomConfig, lengths: &[usize], frames: usize, faults: &[Fault]) -> [Vec<f32>; 2] {
    let mut room = Room::new(config);
    faults.iter().for_each(|&fault| room.inject(fault));
    let mut heard = [Vec::new(), Vec::new()];
    let mut turn = 0;
    while heard.iter().any(|heard| heard.len() < frames) {
        let phone = room.next();
        let length = lengths[turn % lengths.len()];
        turn += 1;
        let first = room.frame(phone);
        let mut microphone = vec![0.0; length];
        room.capture(phone, &mut microphone);
        let play =
            |frame: u64| ((frame * 7919 + phone.index() as u64 * 31) % 1009) as f32 / 5000.0 - 0.1;
        room.play(
            phone,
            &(first..first + length as u64)
                .map(play)
                .collect::<Vec<f32>>(),
        );
        heard[phone.index()].extend(microphone);
    }
    assert_eq!(room.starved_frames(), 0);
    heard.iter_mut().for_each(|heard| heard.truncate(frames));
    heard
}

#[test]
fn block_lengths_change_nothing() {
    let config = RoomConfig::default().with_taps(Taps {
        per_second: 20.0,
        over_peer_db: 10.0,
    });
    let config = config
        .with_rates_hz([48_000, 44_100])
        .with_skews_ppm([120.0, -80.0]);
    let whole = run(&config, &[128], 20_000, &[]);
    for lengths in [&[1, 17, 512, 128, 64][..], &[1024], &[441, 480]] {
        assert!(run(&config, lengths, 20_000, &[]) == whole, "{lengths:?}");
    }
}

#[test]
fn one_seed_one_room() {
    let config = RoomConfig::default();
    let heard = run(&config, &[128], 9_600, &[]);
    assert!(run(&config, &[128], 9_600, &[]) == heard);
    assert!(run(&config.with_seed(2), &[128], 9_600, &[]) != heard);
}

#[test]
fn faults_do_what_they_say_and_nothing_else() {
    let config = RoomConfig::default();
    let plain = run(&config, &[128], 48_000, &[]);
    let fault = |kind| Fault {
        at: Duration::from_millis(300),
        lasts: Duration::from_millis(200),
        kind,
    };
    // Phone A's frame 0 is at room time 0, phone B's at 13.7 ms.
    let spans = [14_400..24_000, 14_400 - 657..24_000 - 657];

    let [a, b] = run(
        &config,
        &[128],
        48_000,
        &[fault(FaultKind::CaptureGap(Phone::B))],
    );
    assert!(a == plain[0]);
    assert!(
        b[..spans[1].start] == plain[1][..spans[1].start]
            && b[spans[1].end..] == plain[1][spans[1].end..]
    );
    assert!(b[spans[1].clone()].iter().all(|&x| x == 0.0));

    let [a, b] = run(
        &config,
        &[128],
        48_000,
        &[fault(FaultKind::Unheard(Phone::A))],
    );
    assert!(a == plain[0], "A still hears B");
    assert!(
        b[..spans[1].start] == plain[1][..spans[1].start]
            && b[spans[1].end..] == plain[1][spans[1].end..]
    );
    assert!(
        b[spans[1].clone()] != plain[1][spans[1].clone()]
            && b[spans[1].clone()].iter().any(|&x| x != 0.0)
    );

    let [a, b] = run(&config, &[128], 48_000, &[fault(FaultKind::Dropout)]);
    assert!(a != plain[0] && b != plain[1]);
}

#[test]
fn a_phone_that_runs_ahead_hears_silence_and_is_told_so() {
    let mut room = Room::new(&RoomConfig::default());
    let mut microphone = [0.0; 4800];
    room.capture(Phone::A, &mut microphone); // 100 ms: more than the latencies
    assert!(room.starved_frames() > 0);
    assert!(microphone.iter().all(|x| x.is_finite()));
}

#[test]
fn what_cannot_be_played_is_silence() {
    let config = bare().with_own_path_db(46.0);
    let wild: Vec<f32> = [f32::NAN, f32::INFINITY, -1e30, 2.0].repeat(1000);
    let heard = play_through(&config, [&wild, &wild], Duration::from_millis(100));
    assert!(heard.iter().flatten().all(|x| x.abs() <= 1.0));
}

#[test]
fn impossible_rooms_are_refused_by_name() {
    let default = RoomConfig::default();
    assert_eq!(default.problem(), None);
    let refused = |config: RoomConfig| config.problem().expect("a problem");
    assert_eq!(
        refused(RoomConfig::at_distance_cm(0.0)),
        RoomProblem::Distance { cm: 0.0 }
    );
    assert!(matches!(
        refused(RoomConfig::at_distance_cm(f64::NAN)),
        RoomProblem::Distance { .. }
    ));
    assert_eq!(
        refused(default.clone().with_rates_hz([48_000, 7_000])),
        RoomProblem::SampleRate { rate_hz: 7_000 }
    );
    assert_eq!(
        refused(default.clone().with_skews_ppm([0.0, 6000.0])),
        RoomProblem::Skew { ppm: 6000.0 }
    );
    let mut short = default.clone();
    short.phones[1].output_latency_ms = 2.0;
    short.phones[1].input_latency_ms = 2.0;
    assert!(matches!(
        refused(short),
        RoomProblem::Latency { latency_ms: 4.0 }
    ));
    let mut early = default;
    early.phones[0].start_ms = -1.0;
    assert_eq!(refused(early), RoomProblem::Start { start_ms: -1.0 });
}
