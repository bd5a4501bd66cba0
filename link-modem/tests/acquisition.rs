//! Finding the peer from any start, how soon packets come, and hearing oneself.

mod common;
use common::air::{full_duplex, mix, noise};
use common::{listener, play, random_frames};
use link_modem::{Listen, ModemConfig, ModemCore, Reconfigure};
use link_transport::{Mode, Plan, Role, SUPERFRAME_MS, SYMBOL_MS, packet_ms};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

const RATE: usize = 48_000;

fn modem(plan: Plan, tx: Role, mode: Mode) -> ModemCore {
    let rx = Listen::Role(tx.other());
    let mut core =
        ModemCore::new(ModemConfig::new(48_000, tx).with_plan(plan).with_rx(rx)).unwrap();
    core.set_payloads(&random_frames(&mut Pcg64Mcg::new(4), 3, 180));
    core.set_tx_mode(mode);
    core
}

/// From 50 random places in a running stream under noise 12 dB below it, always on the true timing, and within a
/// superframe, a sync, a packet and 0.1 s.
#[test]
fn random_starts_lock_on_the_true_timing() {
    let mut rng = Pcg64Mcg::new(11);
    for (plan, mode) in [
        (Plan::High, Mode::Fast),
        (Plan::High, Mode::Robust),
        (Plan::Low, Mode::Fast),
        (Plan::Low, Mode::Robust),
    ] {
        let mut sender = modem(plan, Role::Host, mode);
        let mut stream = play(&mut sender, 8 * RATE);
        let sigma = 0.1778 / 4.0 * if plan == Plan::High { 8.0_f32 } else { 16.0 }.sqrt();
        mix(&mut stream, &noise(&mut rng, 8 * RATE, sigma), 0, 1.0);
        let starts: Vec<u64> = std::iter::from_fn(|| sender.take_slot())
            .map(|slot| slot.sample)
            .collect();
        let packet = packet_ms(plan, mode) as usize * RATE / 1000;
        let longest = RATE * (SUPERFRAME_MS + SYMBOL_MS) as usize / 1000 + packet + RATE / 10;
        for _ in 0..13 {
            let from = rng.next_u32() as usize % (4 * RATE);
            let mut core = listener(48_000, plan, Role::Host);
            let (mut output, mut first) = ([0.0; 128], None);
            for (i, block) in stream[from..].chunks_exact(128).enumerate() {
                core.process(block, &mut output, (from + i * 128) as u64);
                while let Some(packet) = core.take_packet() {
                    first.get_or_insert(((i + 1) * 128, packet));
                    let window = 48 * 9;
                    let off = starts
                        .iter()
                        .map(|start| (start + window).abs_diff(packet.sample))
                        .min()
                        .unwrap();
                    assert!(off <= 48, "{plan:?} {mode:?} from {from}: {off} frames off");
                }
            }
            let (after, _) = first.expect("a packet");
            assert!(
                after <= longest,
                "{plan:?} {mode:?} from {from}: {after} of {longest} frames"
            );
        }
    }
}

/// A stream whose first packet nobody can read is found by its second or third, not by its next sync.
#[test]
fn a_stream_is_found_by_a_later_packet() {
    for plan in [Plan::High, Plan::Low] {
        for mode in [Mode::Fast, Mode::Robust] {
            let mut stream = play(&mut modem(plan, Role::Host, mode), 3 * RATE);
            let packet = packet_ms(plan, mode) as usize * RATE / 1000;
            // The second packet in the first one's place: pilots as they should be, scrambled as it should not be.
            let (from, to) = (RATE / 20, RATE / 20 + packet);
            stream.copy_within(to..to + packet, from);
            let mut core = listener(48_000, plan, Role::Host);
            let mut output = [0.0; 128];
            let mut first = None;
            for (i, block) in stream.chunks_exact(128).enumerate() {
                core.process(block, &mut output, (i * 128) as u64);
                while let Some(packet) = core.take_packet() {
                    first.get_or_insert(packet.sample as usize);
                }
            }
            let first = first.expect("a packet");
            assert!(
                (to..to + 2 * packet + RATE / 20).contains(&first),
                "{plan:?} {mode:?}: from {first}, the first packet's end {to}"
            );
        }
    }
}

/// Every packet is handed over within a symbol of its last sample.
#[test]
fn packets_come_within_a_symbol_of_their_end() {
    for plan in [Plan::High, Plan::Low] {
        for mode in [Mode::Fast, Mode::Robust] {
            let air = play(&mut modem(plan, Role::Guest, mode), 10 * RATE);
            let mut core = listener(48_000, plan, Role::Guest);
            let (mut output, mut latest, mut count) = ([0.0; 128], 0, 0);
            for (i, block) in air.chunks_exact(128).enumerate() {
                core.process(block, &mut output, (i * 128) as u64);
                while let Some(packet) = core.take_packet() {
                    let late = ((i + 1) * 128) as u64 - packet.end_frame(48_000);
                    // The first packet waits for the clock estimate over four symbols.
                    if count > 1 {
                        latest = latest.max(late);
                    }
                    count += 1;
                }
            }
            println!("{plan:?} {mode:?}: {:.1} ms", latest as f64 / 48.0);
            assert!(
                count > 20 && latest < 2_400 + 128,
                "{plan:?} {mode:?}: {latest} frames late"
            );
        }
    }
}

#[test]
fn one_hears_oneself_and_knows_how_late() {
    for (plan, role) in [
        (Plan::High, Role::Host),
        (Plan::High, Role::Guest),
        (Plan::Low, Role::Host),
        (Plan::Low, Role::Guest),
    ] {
        let mut core = modem(plan, role, Mode::Fast);
        let delay = 3_600;
        let mut line = vec![0.0; delay];
        let mut rng = Pcg64Mcg::new(9);
        // One's own sound 75 ms later, under noise 20 dB below it.
        let mut block = |core: &mut ModemCore, gain: f32| {
            let mut input = noise(&mut rng, 128, 0.05);
            mix(&mut input, &line[..128], 0, gain);
            let mut output = [0.0; 128];
            let frame = core.stats().sample;
            core.process(&input, &mut output, frame);
            line.drain(..128);
            line.extend(output);
        };
        for _ in 0..5 * RATE / 128 {
            block(&mut core, 1.0);
        }
        let stats = core.stats();
        let (snr_db, loopback_ms) = (stats.own_snr_db.unwrap(), stats.loopback_ms.unwrap());
        println!("{plan:?} {role:?}: {snr_db:.1} dB, {loopback_ms:.2} ms");
        assert!(
            (18.0..26.0).contains(&snr_db),
            "{plan:?} {role:?}: {snr_db} dB"
        );
        assert!(
            (loopback_ms - 75.0).abs() < 1.0,
            "{plan:?} {role:?}: {loopback_ms} ms"
        );
        // Headphones plugged in: at first the readings are poor, then there are none.
        for _ in 0..3 * RATE / 128 {
            block(&mut core, 0.0);
        }
        assert!(core.stats().own_snr_db.unwrap() < 3.0);
        for _ in 0..6 * RATE / 128 {
            block(&mut core, 0.0);
        }
        assert_eq!(
            (core.stats().own_snr_db, core.stats().loopback_ms),
            (None, None)
        );
    }
}

#[test]
fn a_peer_that_starts_over_is_answered_with_a_superframe() {
    let mut core = modem(Plan::High, Role::Guest, Mode::Robust);
    let mut air = play(&mut modem(Plan::High, Role::Host, Mode::Fast), 4 * RATE);
    let mut rng = Pcg64Mcg::new(2);
    air.extend(vec![0.0; 3 * RATE / 2 + 777]);
    air.extend(play(
        &mut modem(Plan::High, Role::Host, Mode::Fast),
        2 * RATE,
    ));
    mix(&mut air, &noise(&mut rng, 8 * RATE, 0.01), 0, 1.0);
    full_duplex(&mut core, &air, 128, 1.0);
    let slots: Vec<_> = std::iter::from_fn(|| core.take_slot()).collect();
    // Packets of four symbols start four symbols apart, or five across a sync; a restart breaks that once.
    let odd = slots
        .windows(2)
        .filter(|pair| pair[1].index == 0 && pair[0].index != 9)
        .count();
    assert_eq!(odd, 1, "{slots:?}");
}

#[test]
fn reconfiguring_to_the_same_bands_disturbs_nothing() {
    let air = play(&mut modem(Plan::High, Role::Host, Mode::Fast), 6 * RATE);
    let mut core = modem(Plan::High, Role::Guest, Mode::Fast);
    let before = full_duplex(&mut core, &air[..3 * RATE], 128, 1.0).len();
    core.reconfigure(
        Reconfigure::default()
            .with_plan(Plan::High)
            .with_tx(Role::Guest)
            .with_rx(Listen::Role(Role::Host))
            .with_gain(0.9),
    )
    .unwrap();
    assert!(core.stats().locked);
    let after = full_duplex(&mut core, &air[3 * RATE..], 128, 1.0).len();
    assert!(before >= 27 && after >= 28, "{before}, {after}");
    let slots: Vec<_> = std::iter::from_fn(|| core.take_slot()).collect();
    assert!(
        slots
            .windows(2)
            .all(|pair| pair[1].index == (pair[0].index + 1) % 20)
    );
}

#[test]
fn rates_and_plans_that_do_not_fit_are_refused_in_words() {
    let config = |sample_rate_hz, plan, rx| {
        ModemConfig::new(sample_rate_hz, Role::Guest)
            .with_plan(plan)
            .with_rx(rx)
    };
    let host = Listen::Role(Role::Host);
    for (rate_hz, plan, rx, words) in [
        (44_056, Plan::High, host, "needs a multiple of 100 Hz"),
        (
            32_000,
            Plan::High,
            host,
            "the high band plan needs at least 44100 Hz",
        ),
        (
            22_000,
            Plan::Low,
            host,
            "the low band plan needs at least 24000 Hz",
        ),
        (
            16_000,
            Plan::High,
            Listen::Detect,
            "the low band plan needs at least 24000 Hz",
        ),
        (1_000_000, Plan::High, host, "at most 768000 Hz"),
        (
            0,
            Plan::High,
            host,
            "the high band plan needs at least 44100 Hz",
        ),
    ] {
        let problem = ModemCore::new(config(rate_hz, plan, rx))
            .err()
            .expect("a problem")
            .to_string();
        assert!(
            problem.contains(words) && problem.contains(&format!("{rate_hz} Hz")),
            "{problem}"
        );
    }
    let mut core = ModemCore::new(config(32_000, Plan::High, Listen::Detect)).unwrap();
    assert_eq!(core.stats().plan, Plan::Low);
    assert!(
        core.reconfigure(Reconfigure::default().with_plan(Plan::High).with_rx(host))
            .is_err()
    );
}
