//! Transmitter to receiver: every plan, mode, role and rate, any block length, skewed clocks, full duplex.

mod common;
use common::air::{full_duplex, mix, noise, resample};
use common::{hear, listener, play, random_frames};
use link_modem::{Listen, ModemConfig, ModemCore, Reconfigure, RxPacket};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role, SessionKey, capacity_bits};
use rand_pcg::Pcg64Mcg;

const PLANS: [Plan; 2] = [Plan::High, Plan::Low];
const MODES: [Mode; 2] = [Mode::Robust, Mode::Fast];
const ROLES: [Role; 2] = [Role::Host, Role::Guest];

fn modem(sample_rate_hz: u32, plan: Plan, tx: Role) -> ModemCore {
    let rx = Listen::Role(tx.other());
    ModemCore::new(
        ModemConfig::new(sample_rate_hz, tx)
            .with_plan(plan)
            .with_rx(rx),
    )
    .unwrap()
}

/// A sender with `count` random full frames, and the frames.
fn sender(
    rate_hz: u32,
    plan: Plan,
    role: Role,
    mode: Mode,
    count: usize,
) -> (ModemCore, Vec<OutFrame>) {
    let mut core = modem(rate_hz, plan, role);
    let frames = random_frames(&mut Pcg64Mcg::new(7), count, capacity_bits(plan));
    core.set_payloads(&frames);
    core.set_tx_mode(mode);
    (core, frames)
}

/// Every packet is one of `frames`, in rotation without a miss.
fn assert_in_rotation(heard: &[RxPacket], frames: &[OutFrame], what: &str) {
    let place = |bits: &FrameBits| frames.iter().position(|frame| frame.bits == *bits);
    for pair in heard.windows(2) {
        let [a, b] = [place(&pair[0].bits), place(&pair[1].bits)]
            .map(|p| p.unwrap_or_else(|| panic!("{what}: false")));
        assert_eq!((a + 1) % frames.len(), b, "{what}: at {}", pair[1].sample);
    }
}

#[test]
fn every_plan_mode_role_and_rate() {
    for (plan, rates) in [
        (Plan::High, &[44_100, 48_000, 96_000][..]),
        (Plan::Low, &[24_000, 44_100, 48_000, 96_000]),
    ] {
        for (mode, role) in MODES
            .into_iter()
            .flat_map(|mode| ROLES.map(|role| (mode, role)))
        {
            for &rate_hz in rates {
                let what = format!("{plan:?} {mode:?} {role:?} {rate_hz}");
                let (mut core, frames) = sender(rate_hz, plan, role, mode, 5);
                let superframes = play(&mut core, rate_hz as usize * 41 / 10);
                let heard = hear(&mut listener(rate_hz, plan, role), &superframes, 128);
                let slots = std::iter::from_fn(|| core.take_slot()).collect::<Vec<_>>();
                assert_eq!(heard.len(), slots.len(), "{what}");
                assert_in_rotation(&heard, &frames, &what);
                let worst = heard
                    .iter()
                    .map(|packet| packet.snr_db)
                    .fold(f32::INFINITY, f32::min);
                assert!(worst > 60.0, "{what}: {worst} dB");
                for (packet, slot) in heard.iter().zip(&slots) {
                    assert_eq!(
                        (packet.mode, packet.plan, packet.session),
                        (mode, plan, false),
                        "{what}"
                    );
                    let (tolerance, nominal) = (
                        rate_hz / 2000,
                        slot.sample + u64::from(rate_hz / 100 - rate_hz / 1000),
                    );
                    assert!(
                        packet.sample.abs_diff(nominal) <= tolerance.into(),
                        "{what}: {} {nominal}",
                        packet.sample
                    );
                }
            }
        }
    }
}

#[test]
fn block_lengths_change_nothing() {
    let (mut core, _) = sender(48_000, Plan::High, Role::Host, Mode::Fast, 4);
    let mut samples = vec![0.0; 30_011];
    samples.extend(play(&mut core, 160_000));
    let mut rng = Pcg64Mcg::new(3);
    let hiss = noise(&mut rng, samples.len(), 0.05);
    mix(&mut samples, &hiss, 0, 1.0);
    let reference = hear(&mut listener(48_000, Plan::High, Role::Host), &samples, 128);
    assert!(reference.len() > 28, "{}", reference.len());
    for block_frames in [1, 127, 512, 2048, 4800, 9_999] {
        let heard = hear(
            &mut listener(48_000, Plan::High, Role::Host),
            &samples,
            block_frames,
        );
        assert_eq!(heard, reference, "blocks of {block_frames}");
    }
    let mut played = Vec::new();
    for block_frames in [1, 127, 128, 512, 2048] {
        let (mut core, _) = sender(48_000, Plan::High, Role::Guest, Mode::Robust, 4);
        let mut output = vec![0.0; 20_000];
        let mut frame = 77;
        for block in output.chunks_mut(block_frames) {
            core.process(&vec![0.0; block.len()], block, frame);
            frame += block.len() as u64;
        }
        played.push(output);
    }
    assert!(played.iter().all(|output| *output == played[0]));
}

#[test]
fn skewed_clocks_and_other_rates() {
    for (plan, mode) in PLANS
        .into_iter()
        .flat_map(|plan| MODES.map(|mode| (plan, mode)))
    {
        for role in ROLES {
            for (ppm, to_hz) in [
                (300.0, 48_000),
                (-300.0, 48_000),
                (700.0, 48_000),
                (-700.0, 48_000),
                (300.0, 44_100),
            ] {
                let what = format!("{plan:?} {mode:?} {role:?} {ppm} ppm to {to_hz}");
                let (mut core, frames) = sender(48_000, plan, role, mode, 5);
                let played = play(&mut core, 48_000 * 42 / 10);
                let heard_samples =
                    resample(&played, 48_000.0, f64::from(to_hz) * (1.0 + ppm * 1e-6));
                let mut receiver = listener(to_hz, plan, role);
                let heard = hear(&mut receiver, &heard_samples, 128);
                let slots = std::iter::from_fn(|| core.take_slot()).count();
                // The last packet may be cut off by the end.
                assert!(
                    heard.len() + 1 >= slots,
                    "{what}: {} of {slots}",
                    heard.len()
                );
                assert_in_rotation(&heard, &frames, &what);
                let worst = heard
                    .iter()
                    .map(|packet| packet.snr_db)
                    .fold(f32::INFINITY, f32::min);
                assert!(worst > 30.0, "{what}: {worst} dB");
            }
        }
    }
}

#[test]
fn full_duplex_under_ones_own_signal() {
    for (plan, own_db) in [
        (Plan::High, 40.0),
        (Plan::High, 60.0),
        (Plan::Low, 40.0),
        (Plan::Low, 50.0),
    ] {
        for (mode, role) in MODES
            .into_iter()
            .flat_map(|mode| ROLES.map(|role| (mode, role)))
        {
            let what = format!("{plan:?} {mode:?} from {role:?}, own path +{own_db} dB");
            let (mut peer, frames) = sender(48_000, plan, role, mode, 5);
            let played = play(&mut peer, 48_000 * 6);
            // Symbols of the two do not line up.
            let mut air = vec![0.0; 1_111];
            air.extend(resample(&played, 48_000.0, 48_000.0 * (1.0 - 150e-6)));
            let peer_gain = 10.0_f32.powf(-own_db / 20.0);
            air.iter_mut().for_each(|sample| *sample *= peer_gain);
            let mut core = modem(48_000, plan, role.other());
            core.set_payloads(&random_frames(&mut Pcg64Mcg::new(8), 3, 180));
            let heard = full_duplex(&mut core, &air, 128, 1.0);
            let sent = std::iter::from_fn(|| peer.take_slot()).count();
            let mean =
                heard.iter().map(|packet| packet.snr_db).sum::<f32>() / heard.len().max(1) as f32;
            println!(
                "{what}: {} of {sent}, {mean:.1} dB, {:?}",
                heard.len(),
                core.stats()
            );
            assert!(heard.len() + 2 >= sent, "{what}: {} of {sent}", heard.len());
            assert_in_rotation(&heard, &frames, &what);
        }
    }
}

#[test]
fn modes_switch_at_superframes_and_keys_are_told_apart() {
    let key = SessionKey {
        host_nonce: 4660,
        guest_nonce: 48879,
    };
    let (mut core, mut frames) = sender(48_000, Plan::High, Role::Host, Mode::Robust, 2);
    frames[1].keyed = true;
    core.set_payloads(&frames);
    core.set_session_key(key);
    let superframe = 41 * 2400;
    let mut samples = play(&mut core, superframe / 2);
    core.set_tx_mode(Mode::Fast);
    samples.extend(play(&mut core, superframe));
    core.set_tx_mode(Mode::Robust);
    samples.extend(play(&mut core, superframe * 3 / 2));
    let mut receiver = listener(48_000, Plan::High, Role::Host);
    receiver.set_session_key(key);
    let heard = hear(&mut receiver, &samples, 128);
    let modes: Vec<_> = heard.iter().map(|packet| packet.mode).collect();
    let expected = [
        vec![Mode::Robust; 10],
        vec![Mode::Fast; 20],
        vec![Mode::Robust; 10],
    ]
    .concat();
    assert_eq!(modes, expected);
    for packet in &heard {
        let frame = frames
            .iter()
            .find(|frame| frame.bits == packet.bits)
            .expect("a frame that was sent");
        assert_eq!(packet.session, frame.keyed);
    }
    // Without the key, or with another, keyed packets fail their CRC.
    let mut stranger = listener(48_000, Plan::High, Role::Host);
    stranger.set_session_key(SessionKey {
        host_nonce: 4661,
        guest_nonce: 48879,
    });
    let heard = hear(&mut stranger, &samples, 128);
    assert_eq!(heard.len(), 20);
    assert!(heard.iter().all(|packet| packet.bits == frames[0].bits));
}

#[test]
fn detection_finds_either_plan_and_then_transmits_in_it() {
    for plan in PLANS {
        let (mut host, frames) = sender(48_000, plan, Role::Host, Mode::Robust, 3);
        let air = play(&mut host, 48_000 * 5);
        let rx = Listen::Detect;
        let config = ModemConfig::new(48_000, Role::Guest).with_rx(rx);
        let mut join = ModemCore::new(config).unwrap();
        assert_eq!((join.capacity_bits(), join.detected_plan()), (186, None));
        let heard = full_duplex(&mut join, &air, 128, 0.1);
        assert_in_rotation(&heard, &frames, "detect");
        assert!(heard.len() >= 9, "{plan:?}: {}", heard.len());
        assert_eq!(
            (join.capacity_bits(), join.detected_plan()),
            (capacity_bits(plan), Some(plan))
        );
        let reply = play(&mut join, 48_000 * 3);
        assert!(
            !hear(&mut listener(48_000, plan, Role::Guest), &reply, 128).is_empty(),
            "{plan:?}"
        );
    }
}

#[test]
fn self_test_hears_itself() {
    let rx = Listen::Role(Role::Guest);
    let config = ModemConfig::new(48_000, Role::Guest).with_rx(rx);
    let mut core = ModemCore::new(config).unwrap();
    let frames = random_frames(&mut Pcg64Mcg::new(1), 2, 100);
    core.set_payloads(&frames);
    let heard = full_duplex(&mut core, &vec![0.0; 48_000 * 4], 128, 0.5);
    assert!(heard.len() >= 17, "{}", heard.len());
    assert!(heard.iter().all(|packet| {
        frames
            .iter()
            .any(|frame| packet.bits.starts_with(&frame.bits))
    }));
}

#[test]
fn plan_and_gain_change_at_a_symbol_boundary() {
    let (mut core, frames) = sender(48_000, Plan::Low, Role::Host, Mode::Fast, 3);
    let mut samples = play(&mut core, 100_000);
    core.reconfigure(
        Reconfigure::default()
            .with_plan(Plan::High)
            .with_gain(f32::NAN),
    )
    .unwrap();
    samples.extend(play(&mut core, 150_000));
    assert_eq!(
        hear(&mut listener(48_000, Plan::Low, Role::Host), &samples, 128).len(),
        10
    );
    let heard = hear(&mut listener(48_000, Plan::High, Role::Host), &samples, 128);
    assert!(heard.len() >= 25, "{}", heard.len());
    assert!(heard.iter().all(|packet| {
        frames
            .iter()
            .any(|frame| packet.bits.starts_with(&frame.bits))
    }));
    core.reconfigure(Reconfigure::default().with_gain(-1.0))
        .unwrap();
    play(&mut core, 6_000);
    assert!(play(&mut core, 10_000).iter().all(|sample| *sample == 0.0));
}
