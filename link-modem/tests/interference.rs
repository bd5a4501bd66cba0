//! Noise, steady tones and clicks: how much is delivered, against the bars the specification sets.

mod common;
use common::air::{mix, noise};
use common::{hear, listener, play, random_frames};
use link_modem::params::Band;
use link_modem::{Listen, ModemConfig, ModemCore};
use link_transport::{Mode, Plan, Role, capacity_bits, packet_ms};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

const RATE: usize = 48_000;

/// A peer heard at −15 dB of full scale for `seconds`, and how many packets it sent.
fn peer(
    plan: Plan,
    role: Role,
    mode: Mode,
    seconds: usize,
    seed: u64,
) -> (Vec<f32>, usize, Vec<link_transport::FrameBits>) {
    let rx = Listen::Role(role.other());
    let mut core =
        ModemCore::new(ModemConfig::new(48_000, role).with_plan(plan).with_rx(rx)).unwrap();
    core.set_tx_mode(mode);
    let (mut air, mut sent, mut slots) = (
        vec![0.0; 4_000 + seed as usize * 97],
        Vec::new(),
        Vec::new(),
    );
    let mut rng = Pcg64Mcg::new(u128::from(seed));
    for _ in 0..seconds {
        let frames = random_frames(&mut rng, 8, capacity_bits(plan));
        core.set_payloads(&frames);
        air.extend(play(&mut core, RATE));
        sent.extend(frames.iter().map(|frame| frame.bits));
        slots.extend(std::iter::from_fn(|| core.take_slot()));
    }
    let packet = packet_ms(plan, mode) as usize * RATE / 1000;
    let whole = slots
        .iter()
        .filter(|slot| slot.sample as usize + packet <= seconds * RATE);
    let count = whole.count();
    (air, count, sent)
}

/// Percent delivered; anything never sent fails.
fn delivered(
    plan: Plan,
    role: Role,
    mode: Mode,
    seeds: u64,
    seconds: usize,
    spoil: impl Fn(&mut Vec<f32>, u64),
) -> f64 {
    let (mut heard_count, mut sent_count) = (0, 0);
    for seed in 0..seeds {
        let (mut air, count, sent) = peer(plan, role, mode, seconds, seed);
        spoil(&mut air, seed);
        let heard = hear(&mut listener(48_000, plan, role), &air, 128);
        assert!(
            heard.iter().all(|packet| sent.contains(&packet.bits)),
            "a packet never sent"
        );
        heard_count += heard.len();
        sent_count += count;
    }
    100.0 * heard_count as f64 / sent_count as f64
}

/// Noise whose share inside the band is `snr_db` below the peer.
fn white(plan: Plan, snr_db: f32) -> impl Fn(&mut Vec<f32>, u64) {
    move |air, seed| {
        let band_hz = if plan == Plan::High { 3_000.0 } else { 1_500.0 };
        let sigma = 0.1778 * 10.0_f32.powf(-snr_db / 20.0) * (24_000.0_f32 / band_hz).sqrt();
        let hiss = noise(
            &mut Pcg64Mcg::new(1000 + u128::from(seed)),
            air.len(),
            sigma,
        );
        mix(air, &hiss, 0, 1.0);
    }
}

/// A tone halfway between two tones of the band, `over_db` above one of them.
fn tone(band: Band, over_db: f32) -> impl Fn(&mut Vec<f32>, u64) {
    move |air, seed| {
        let hz = band.tone_hz(11 + 17 * seed as usize % (band.tones() - 20)) + 12.5;
        let one = 0.1778 * (2.0 / band.tones() as f32).sqrt();
        let amplitude = one * 10.0_f32.powf(over_db / 20.0);
        for (n, sample) in air.iter_mut().enumerate() {
            *sample += amplitude
                * (std::f64::consts::TAU * (hz * n as f64 / RATE as f64).fract()).sin() as f32;
        }
    }
}

/// Three clicks a second: 2 ms of white noise falling by e every 0.5 ms, its first millisecond `over_db` above the
/// peer inside the band.
fn clicks(band: Band, over_db: f32) -> impl Fn(&mut Vec<f32>, u64) {
    move |air, seed| {
        let mut rng = Pcg64Mcg::new(500 + u128::from(seed));
        let band_hz = band.tones() as f32 * 25.0;
        // The mean square of e^(−2t/0.5 ms) over the first millisecond is 0.2454.
        let sigma = 0.1778 * 10.0_f32.powf(over_db / 20.0) * (24_000.0 / band_hz / 0.2454).sqrt();
        let mut at = RATE / 3;
        while at < air.len() {
            let mut click = noise(&mut rng, RATE / 500, sigma);
            for (n, sample) in click.iter_mut().enumerate() {
                *sample *= (-(n as f32) / (RATE as f32 * 0.0005)).exp();
            }
            mix(air, &click, at, 1.0);
            at += RATE / 6 + rng.next_u32() as usize % (RATE / 3);
        }
    }
}

#[test]
fn white_noise() {
    for (plan, mode, snr_db, bar) in [
        (Plan::High, Mode::Fast, 7.0, 99.0),
        (Plan::High, Mode::Fast, 6.0, 98.0),
        (Plan::High, Mode::Robust, 4.0, 99.0),
        (Plan::High, Mode::Robust, 3.0, 90.0),
        (Plan::Low, Mode::Fast, 7.0, 99.0),
        (Plan::Low, Mode::Robust, 4.0, 99.0),
    ] {
        let share = delivered(plan, Role::Host, mode, 4, 12, white(plan, snr_db));
        println!("white noise {plan:?} {mode:?} {snr_db} dB: {share:.1} %");
        assert!(
            share >= bar,
            "{plan:?} {mode:?} {snr_db} dB: {share:.1} % of {bar}"
        );
    }
}

#[test]
fn a_steady_tone_between_two_tones() {
    for plan in [Plan::High, Plan::Low] {
        for (mode, over_db, bar) in [
            (Mode::Fast, 6.0, 99.0),
            (Mode::Fast, 12.0, 99.0),
            (Mode::Fast, 26.0, 99.0),
            (Mode::Fast, 36.0, 99.0),
            (Mode::Robust, 26.0, 99.0),
            (Mode::Robust, 36.0, 99.0),
        ] {
            let band = Band::new(plan, Role::Guest);
            let share = delivered(plan, Role::Guest, mode, 8, 8, tone(band, over_db));
            println!("tone {plan:?} {mode:?} {over_db} dB: {share:.1} %");
            assert!(share >= bar, "{plan:?} {mode:?}: {share:.1} % of {bar}");
        }
    }
}

#[test]
fn screen_taps() {
    for (plan, mode, over_db, bar) in [
        (Plan::High, Mode::Fast, 20.0, 99.0),
        (Plan::High, Mode::Robust, 20.0, 99.0),
        (Plan::Low, Mode::Fast, 20.0, 99.0),
    ] {
        let band = Band::new(plan, Role::Host);
        let share = delivered(plan, Role::Host, mode, 4, 12, clicks(band, over_db));
        println!("clicks {plan:?} {mode:?} {over_db} dB: {share:.1} %");
        assert!(share >= bar, "{plan:?} {mode:?}: {share:.1} % of {bar}");
    }
}

/// Cancelling and blanking happen at places in the signal, not at places in the blocks.
#[test]
fn block_lengths_change_nothing_beside_a_tone_and_clicks() {
    let (mut air, _, _) = peer(Plan::High, Role::Host, Mode::Fast, 5, 3);
    let band = Band::new(Plan::High, Role::Host);
    tone(band, 26.0)(&mut air, 1);
    clicks(band, 20.0)(&mut air, 1);
    let packets = |block_frames| -> Vec<_> {
        let heard = hear(
            &mut listener(48_000, Plan::High, Role::Host),
            &air,
            block_frames,
        );
        heard
            .into_iter()
            .map(|packet| (packet.bits, packet.sample))
            .collect()
    };
    let reference = packets(128);
    assert!(reference.len() >= 46, "{}", reference.len());
    for block_frames in [1, 127, 512, 2048] {
        assert_eq!(packets(block_frames), reference, "blocks of {block_frames}");
    }
}
