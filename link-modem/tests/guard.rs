//! The game-audio guard: its filter's response for both plans at every rate, its limiter, its switching.

use link_modem::guard::{
    CROSSFADE_S, GUARD_CUT_DB, GUARD_LIMITER, GameAudioGuard, GuardBand, HIGH_PASS_HZ,
    LimiterFigures, guard_taps,
};
use link_transport::Plan;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    f64::consts::PI,
};

thread_local! {
    /// Allocations of this thread: the test harness's other threads do not count.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// The trait is unsafe to implement; this only counts and passes on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn response_db(taps: &[f32], turns: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (i, &tap) in taps.iter().enumerate() {
        let phase = 2.0 * PI * turns * i as f64;
        re += f64::from(tap) * phase.cos();
        im += f64::from(tap) * phase.sin();
    }
    10.0 * (re * re + im * im).log10()
}

fn sine(rate_hz: u32, hz: f64, amplitude: f64, frames: usize) -> Vec<f32> {
    let turns = hz / f64::from(rate_hz);
    (0..frames)
        .map(|i| (amplitude * (2.0 * PI * turns * i as f64).sin()) as f32)
        .collect()
}

fn rms_db(samples: &[f32]) -> f64 {
    let power: f64 = samples.iter().map(|&x| f64::from(x).powi(2)).sum();
    10.0 * (power / samples.len() as f64).log10()
}

/// What of `amplitude` at `hz` comes out in the end, in dB of what went in.
fn through_db(guard: &mut GameAudioGuard, rate_hz: u32, hz: f64, amplitude: f64) -> f64 {
    let sound = sine(rate_hz, hz, amplitude, rate_hz as usize);
    let mut out = sound.clone();
    guard.process(&mut out);
    rms_db(&out[rate_hz as usize / 2..]) - rms_db(&sound)
}

#[test]
fn flat_below_and_silent_in_the_peers_band_on_both_plans_at_every_rate() {
    for plan in [Plan::High, Plan::Low] {
        let band = GuardBand::of(plan);
        for rate_hz in [16_000, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000] {
            let taps = guard_taps(plan, rate_hz);
            assert!(taps.len() % 2 == 1, "a whole number of frames late");
            for step in 0..2_000 {
                let hz = f64::from(step) / 2_000.0 * f64::from(rate_hz) / 2.0;
                let db = response_db(&taps, hz / f64::from(rate_hz));
                if hz <= band.pass_hz {
                    assert!(db.abs() < 0.02, "{plan:?} at {rate_hz}: {db} dB at {hz} Hz");
                } else if hz >= band.stop_hz {
                    assert!(
                        db <= -band.stop_db,
                        "{plan:?} at {rate_hz}: {db} dB at {hz} Hz"
                    );
                }
            }
        }
    }
    let lengths = [44_100, 48_000].map(|rate_hz| guard_taps(Plan::High, rate_hz).len());
    assert!(
        lengths.iter().all(|taps| (133..=145).contains(taps)),
        "{lengths:?}"
    );
}

#[test]
fn the_identity_where_the_rate_cannot_reach_the_stop_band() {
    assert_eq!(guard_taps(Plan::High, 16_000), [1.0]);
    assert!(
        guard_taps(Plan::Low, 16_000).len() > 1,
        "it can reach that of the low plan"
    );
    assert_eq!(guard_taps(Plan::High, 19_000), [1.0]);
    assert_eq!(guard_taps(Plan::Low, 8_000), [1.0]);
    assert_eq!(
        GameAudioGuard::new(Plan::High, 16_000, 1).latency_frames(),
        0
    );
}

#[test]
fn quiet_sound_is_cut_by_10_db_and_loud_sound_limited() {
    for rate_hz in [44_100, 48_000] {
        let mut guard = GameAudioGuard::new(Plan::High, rate_hz, 1);
        guard.set_on(true);
        let quiet = through_db(&mut guard, rate_hz, 2_000.0, 0.01);
        assert!((quiet + f64::from(GUARD_CUT_DB)).abs() < 0.1, "{quiet}");
        let loud = through_db(&mut guard, rate_hz, 2_000.0, 1.0);
        assert!(loud < quiet - 1.0, "{loud}");
        // However loud: 20 dB in, one out.
        let louder = through_db(&mut guard, rate_hz, 2_000.0, 10.0) + 20.0;
        assert!(
            (0.5..2.0).contains(&(louder - loud)),
            "{louder} against {loud}"
        );
        let bass = through_db(&mut guard, rate_hz, f64::from(HIGH_PASS_HZ), 0.01);
        assert!((quiet - bass - 3.0).abs() < 0.2, "{bass} at the corner");
        assert!(through_db(&mut guard, rate_hz, 30.0, 0.01) < -45.0);
        let stopped = through_db(&mut guard, rate_hz, 12_000.0, 1.0);
        assert!(stopped < -80.0, "{stopped} in the host's band");
    }
}

#[test]
fn the_limiter_is_what_its_figures_say() {
    let figures = GUARD_LIMITER;
    let specified = LimiterFigures {
        threshold_db: -30.0,
        ratio: 20.0,
        attack_s: 0.002,
        release_s: 0.15,
        makeup_db: 17.1,
    };
    assert_eq!((figures, GUARD_CUT_DB), (specified, 10.0));
    // The static curve: what a sine of so much comes out as, its makeup taken back before and given after.
    let before_db = f64::from(-GUARD_CUT_DB - figures.makeup_db);
    let mut guard = GameAudioGuard::new(Plan::High, 48_000, 1);
    guard.set_on(true);
    for level_db in [-20.0_f64, -6.0, -3.0, 0.0, 6.0, 20.0] {
        let amplitude = 10.0_f64.powf(level_db / 20.0);
        let over_db = (level_db + before_db - f64::from(figures.threshold_db)).max(0.0);
        let reduction_db = over_db * (1.0 - 1.0 / f64::from(figures.ratio));
        let wanted_db = f64::from(-GUARD_CUT_DB) - reduction_db;
        let db = through_db(&mut guard, 48_000, 2_000.0, amplitude);
        // The level it follows lies a little under a sine's peak.
        assert!(
            (-0.1..0.7).contains(&(db - wanted_db)),
            "{level_db} dB: {db}, wanted {wanted_db}"
        );
    }
    // Its times: closed within a few times the attack, opened by the release's share within the release.
    let mut guard = GameAudioGuard::new(Plan::High, 48_000, 1);
    guard.set_on(true);
    guard.process(&mut vec![0.0; 48_000]);
    let quiet = sine(48_000, 2_000.0, 0.01, 96_000);
    let mut sound = [sine(48_000, 2_000.0, 10.0, 24_000), quiet].concat();
    guard.process(&mut sound);
    let level_db = |at_ms: usize| rms_db(&sound[48 * at_ms..][..480]);
    let steady_db = level_db(400);
    assert!(
        level_db(0) > steady_db + 3.0,
        "the attack lets the first milliseconds by"
    );
    assert!(
        (level_db(12) - steady_db).abs() < 1.0,
        "{} after 12 ms",
        level_db(12)
    );
    let open_db = level_db(2_400);
    let closed_by_db = [505, 650].map(|at_ms| open_db - level_db(at_ms));
    // A factor of e of the level it follows is 8.7 dB of the gain.
    let opened_db = closed_by_db[0] - closed_by_db[1];
    assert!((6.5..10.0).contains(&opened_db), "{closed_by_db:?}");
}

#[test]
fn the_limiter_adds_nothing_to_the_peers_band() {
    // It works on what the filter is yet to see: a burst that it clips hard leaves nothing above.
    let mut guard = GameAudioGuard::new(Plan::High, 48_000, 1);
    guard.set_on(true);
    guard.process(&mut vec![0.0; 48_000]);
    let mut burst = sine(48_000, 6_000.0, 1.0, 4_800);
    guard.process(&mut burst);
    // What a receiver of the host's band would hear of it.
    let tones = (381..=500).map(|k| {
        let turns = f64::from(k) * 25.0 / 48_000.0;
        let window: Vec<f32> = burst[..1_920]
            .iter()
            .enumerate()
            .map(|(i, x)| x * (0.5 - 0.5 * (2.0 * PI * i as f64 / 1_920.0).cos()) as f32 / 960.0)
            .collect();
        response_db(&window, turns)
    });
    let loudest = tones.fold(f64::MIN, f64::max);
    assert!(loudest < -80.0, "{loudest} dB of full scale");
}

#[test]
fn off_it_only_delays_and_switching_never_jumps() {
    let mut guard = GameAudioGuard::new(Plan::High, 48_000, 2);
    let latency = guard.latency_frames();
    let sound: Vec<f32> = sine(48_000, 1_000.0, 0.01, 48_000)
        .iter()
        .flat_map(|&x| [x, -x])
        .collect();
    let mut out = sound.clone();
    // Blocks of odd lengths, as hosts have them.
    for block in out[..48_000].chunks_mut(2 * 77) {
        guard.process(block);
    }
    guard.set_on(true);
    guard.process(&mut out[48_000..72_000]);
    guard.set_on(false);
    guard.process(&mut out[72_000..]);
    let exact = |frames: std::ops::Range<usize>| {
        frames
            .into_iter()
            .all(|i| out[2 * i..2 * i + 2] == sound[2 * (i - latency)..][..2])
    };
    assert!(exact(latency..24_000), "off: the same samples, later");
    let faded = (CROSSFADE_S * 48_000.0) as usize + 2;
    assert!(!exact(24_000 + faded..36_000), "on");
    assert!(exact(36_000 + faded..48_000), "off again");
    let step = |samples: &[f32]| {
        let steps = samples.chunks_exact(2).zip(samples[2..].chunks_exact(2));
        steps.map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f32::max)
    };
    assert!(step(&out[2 * latency..]) < 1.2 * step(&sound), "no click");
}

#[test]
fn blocks_may_have_any_length_and_samples_any_value() {
    let sound: Vec<f32> = (0..20_000_u32)
        .map(|i| match i % 997 {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::MAX,
            3 => 1e-40,
            n => (n as f32 * 0.37).sin() * 0.5,
        })
        .collect();
    let run = |block: usize| {
        let mut guard = GameAudioGuard::new(Plan::Low, 44_100, 1);
        guard.set_on(true);
        let mut out = sound.clone();
        out.chunks_mut(block).for_each(|block| guard.process(block));
        out
    };
    let whole = run(20_000);
    assert!(whole.iter().all(|x| x.is_finite()));
    assert_eq!(run(1), whole);
    assert_eq!(run(129), whole);
}

#[test]
fn nothing_is_allocated_after_construction() {
    let mut guard = GameAudioGuard::new(Plan::High, 48_000, 2);
    let mut block = vec![0.3; 2 * 1_000];
    let before = ALLOCATIONS.get();
    for round in 0..20 {
        guard.set_on(round % 5 < 3);
        guard.process(&mut block);
    }
    assert_eq!(ALLOCATIONS.get(), before);
}
