//! Game audio beside the link: a loud battle mix through the guard costs no packet, and without the guard it does.

use link_modem::{GameAudioGuard, ModemConfig, ModemCore};
use link_room::{Jammer, Phone, Room, RoomConfig, RoomLink, RoomLinkConfig};
use link_transport::{
    FrameBits, LinkEvent, LinkTransport, Mode, OutFrame, Plan, Role, capacity_bits,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::{collections::HashSet, f32::consts::TAU, time::Duration};

/// What a battle of the reference game measures at its master: root mean square and peak, dB of full scale.
const MIX_RMS_DB: f32 = -19.0;
const MIX_PEAK_DB: f32 = -3.5;
/// What the guard leaves of it at the most; a phone's other games are no quieter.
const GUARDED_RMS_DB: f32 = -28.0;

fn rms_db(samples: &[f32]) -> f32 {
    let power: f32 = samples.iter().map(|x| x * x).sum();
    10.0 * (power / samples.len() as f32).log10()
}

/// A battle at full length: explosions, gunfire, engines and a tune, each as bright as it likes.
fn battle_mix(rate_hz: u32, seconds: usize, seed: u64) -> Vec<f32> {
    let mut dice = Pcg64Mcg::seed_from_u64(seed);
    let mut uniform = move || dice.next_u32() as f32 / u32::MAX as f32;
    let rate = rate_hz as f32;
    let mut mix = vec![0.0_f32; seconds * rate_hz as usize];
    let frames = mix.len();
    let mut at = 0.0;
    while at < frames as f32 {
        let start = at as usize;
        // Noise that decays: 20 ms for a shot, half a second for an explosion, which is duller.
        let (decay_s, level, dull) = if uniform() < 0.8 {
            (0.02, 0.5, 0.0)
        } else {
            (0.3, 1.0, 0.8)
        };
        let mut low = 0.0;
        let length = (6.0 * decay_s * rate) as usize;
        for (i, out) in mix[start..frames.min(start + length)]
            .iter_mut()
            .enumerate()
        {
            low = dull * low + (1.0 - dull) * (2.0 * uniform() - 1.0);
            *out += level * low * (-(i as f32) / (decay_s * rate)).exp();
        }
        at += rate * (0.02 + 0.16 * uniform());
    }
    for (i, out) in mix.iter_mut().enumerate() {
        let t = i as f32 / rate;
        let engine = (TAU * 70.0 * t).sin();
        let note = [220.0, 262.0, 330.0, 392.0][(t * 4.0) as usize % 4];
        // A square wave's partials run through every band.
        let tune = (TAU * note * t).sin().signum();
        *out += 0.1 * engine + 0.05 * tune;
    }
    let scale = 10.0_f32.powf((MIX_RMS_DB - rms_db(&mix)) / 20.0);
    let peak = 10.0_f32.powf(MIX_PEAK_DB / 20.0);
    mix.iter().map(|x| (x * scale).clamp(-peak, peak)).collect()
}

#[derive(Clone, Copy)]
struct Case {
    plan: Plan,
    mode: Mode,
    rates_hz: [u32; 2],
    gain: f32,
    guarded: bool,
}

/// Packets sent and received each way in some seconds of battle on both phones, the first two not counted.
fn battle(case: Case) -> [[usize; 2]; 2] {
    const SECONDS: usize = 7;
    const BLOCK: usize = 128;
    let room = RoomConfig::at_distance_cm(20.0)
        .with_rates_hz(case.rates_hz)
        .with_skews_ppm([150.0, -150.0])
        .with_seed(5);
    let mut room = Room::new(&room);
    let mut dice = Pcg64Mcg::seed_from_u64(8);
    let mut frames = || -> Vec<FrameBits> {
        let mut random = || {
            let bytes: [u8; 32] = std::array::from_fn(|_| dice.next_u32() as u8);
            FrameBits::from_bytes(&bytes, capacity_bits(case.plan))
        };
        (0..8).map(|_| random()).collect()
    };
    let (mut modems, mut mixes, mut sent, mut heard) = (vec![], vec![], vec![], vec![]);
    for (phone, tx) in Phone::BOTH.into_iter().zip([Role::Host, Role::Guest]) {
        let rate_hz = case.rates_hz[phone.index()];
        let mut modem = ModemCore::new(
            ModemConfig::new(rate_hz, tx)
                .with_plan(case.plan)
                .with_gain(case.gain),
        )
        .unwrap();
        let list = frames();
        let out = (1..).zip(&list).map(|(key, &bits)| OutFrame {
            bits,
            key,
            keyed: false,
        });
        modem.set_payloads(&out.collect::<Vec<_>>());
        modem.set_tx_mode(case.mode);
        let mut mix = battle_mix(rate_hz, SECONDS, 20 + phone.index() as u64);
        if case.guarded {
            let mut guard = GameAudioGuard::new(case.plan, rate_hz, 1);
            guard.set_on(true);
            guard.process(&mut mix);
            let left_db = rms_db(&mix);
            println!(
                "{:?} {rate_hz} Hz: {left_db:.2} dB of full scale behind the guard",
                case.plan
            );
            assert!(left_db < GUARDED_RMS_DB, "{left_db} dB of full scale left");
        }
        modems.push(modem);
        mixes.push(mix);
        sent.push((list, 0));
        heard.push(Vec::new());
    }
    let counted =
        Duration::from_secs(2)..Duration::from_secs(SECONDS as u64) - Duration::from_millis(600);
    while room.time(room.next()) < Duration::from_secs(SECONDS as u64) - Duration::from_millis(10) {
        let (phone, now) = (room.next(), room.time(room.next()));
        let i = phone.index();
        let (mut microphone, mut speaker) = ([0.0; BLOCK], [0.0; BLOCK]);
        let frame = room.frame(phone);
        room.capture(phone, &mut microphone);
        modems[i].process(&microphone, &mut speaker, frame);
        for (out, game) in speaker.iter_mut().zip(&mixes[i][frame as usize..]) {
            *out += game;
        }
        room.play(phone, &speaker);
        while modems[i].take_slot().is_some() {
            sent[i].1 += usize::from(counted.contains(&now));
        }
        while let Some(packet) = modems[i].take_packet() {
            heard[i].push((now, packet));
        }
    }
    [0, 1].map(|from| {
        let to = 1 - from;
        let known: HashSet<&[u8]> = sent[from].0.iter().map(|bits| bits.as_bytes()).collect();
        assert!(
            heard[to]
                .iter()
                .all(|(_, packet)| known.contains(packet.bits.as_bytes()))
        );
        // A packet is heard a packet and the way later than it was sent.
        let later =
            Duration::from_millis(u64::from(link_transport::packet_ms(case.plan, case.mode)) + 130);
        let received = heard[to]
            .iter()
            .filter(|(at, _)| counted.contains(&at.saturating_sub(later)));
        [sent[from].1, received.count()]
    })
}

#[test]
fn a_loud_battle_through_the_guard_costs_no_packet() {
    let rates = [[48_000, 48_000], [48_000, 44_100]];
    let cases = [
        (Plan::High, Mode::Fast, rates[0], 1.0),
        (Plan::High, Mode::Fast, rates[1], 1.1),
        (Plan::High, Mode::Robust, rates[1], 1.0),
        (Plan::Low, Mode::Fast, rates[1], 1.0),
    ];
    for (plan, mode, rates_hz, gain) in cases {
        let ways = battle(Case {
            plan,
            mode,
            rates_hz,
            gain,
            guarded: true,
        });
        for [sent, received] in ways {
            // One may lie on either edge of what is counted.
            assert!(
                sent > 8 && received + 1 >= sent,
                "{plan:?} {mode:?} {rates_hz:?} at gain {gain}: {received} of {sent}"
            );
        }
    }
}

#[test]
fn without_the_guard_the_battle_drowns_the_peer() {
    let ways = battle(Case {
        plan: Plan::High,
        mode: Mode::Fast,
        rates_hz: [48_000, 48_000],
        gain: 1.0,
        guarded: false,
    });
    for [sent, received] in ways {
        assert!(received * 10 < sent * 9, "{received} of {sent}");
    }
}

#[test]
fn steady_game_audio_as_loud_as_the_guard_leaves_it_costs_no_packet() {
    let room = RoomConfig::at_distance_cm(20.0)
        .with_rates_hz([48_000, 44_100])
        .with_jammer(Jammer {
            level_dbfs: f64::from(GUARDED_RMS_DB),
            cutoff_hz: 9_500.0,
        });
    let config = RoomLinkConfig::default()
        .with_room(room)
        .with_mode(Mode::Fast);
    let (mut host, mut guest) = RoomLink::pair(config, 3);
    let mut packets = [0; 2];
    for ms in (0..8_000).step_by(10) {
        for (end, packets) in [&mut host, &mut guest].into_iter().zip(&mut packets) {
            let now = end.clock(Duration::from_millis(ms));
            while let Some(event) = end.poll(now) {
                *packets += usize::from(ms > 2_000 && matches!(event, LinkEvent::Packet(_)));
            }
        }
    }
    let bad = [host.stats().rx_bad, guest.stats().rx_bad];
    assert!(packets.iter().all(|&packets| packets >= 57), "{packets:?}");
    assert!(bad.iter().all(|&bad| bad <= 1), "{bad:?} bad");
}
