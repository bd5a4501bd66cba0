//! Noise, music and speech: loud enough, in the link's bands, and the same for the same seed.

use link_room::{
    RoomConfig, play_through,
    sounds::{SoundKind, Sounds},
};
use std::time::Duration;

const RATE_HZ: u32 = 48_000;

fn sound(kind: SoundKind, seed: u64, seconds: usize, block: usize) -> Vec<f32> {
    let mut sounds = Sounds::new(kind, RATE_HZ, seed);
    let mut all = vec![0.0; seconds * RATE_HZ as usize];
    for block in all.chunks_mut(block) {
        sounds.fill(block);
    }
    all
}

fn rms_db(signal: &[f32]) -> f64 {
    let power: f64 = signal.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
    10.0 * (power / signal.len() as f64).log10()
}

#[test]
fn they_sound_in_the_links_bands() {
    // What a phone with a cut-off loses of a sound is what lay above it.
    let through = |signal: &[f32], capture_cutoff_hz| {
        let config = RoomConfig::default()
            .with_echoes(false)
            .with_harmonics(None)
            .with_noise_snr10_db(300.0)
            .with_own_path_db(46.02)
            .with_capture_cutoff_hz(capture_cutoff_hz);
        let [own, _] = play_through(&config, [signal, &[]], Duration::ZERO);
        rms_db(&own)
    };
    for (kind, low_band_db, high_band_db) in [
        (SoundKind::Noise, -12.0, -12.0),
        (SoundKind::Music, -45.0, -45.0),
        (SoundKind::Speech, -45.0, -60.0),
    ] {
        let signal = sound(kind, 1, 20, 512);
        assert!(signal.iter().all(|x| x.abs() <= 1.0));
        let [all, under_9, under_5] =
            [None, Some(9_000.0), Some(5_000.0)].map(|hz| through(&signal, hz));
        let power = |db: f64| 10.0_f64.powf(db / 10.0);
        let between =
            |high: f64, low: f64| 10.0 * ((power(high) - power(low)) / power(all)).log10();
        let (low_db, high_db) = (between(under_9, under_5), between(all, under_9));
        println!(
            "{kind:?}: {all:.1} dB of full scale, 5–9 kHz {low_db:.1} dB of it, above {high_db:.1}"
        );
        assert!((-35.0..-8.0).contains(&all), "{kind:?}: {all:.1} dB");
        assert!(low_db > low_band_db, "{kind:?}: {low_db:.1} dB");
        assert!(high_db > high_band_db, "{kind:?}: {high_db:.1} dB");
    }
}

#[test]
fn one_seed_one_sound_in_any_blocks() {
    for kind in SoundKind::ALL {
        let whole = sound(kind, 1, 2, 96_000);
        assert!(sound(kind, 1, 2, 131) == whole, "{kind:?}");
        assert!(sound(kind, 2, 2, 96_000) != whole, "{kind:?}");
    }
}
