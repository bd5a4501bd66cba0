//! Jumps of either end's clock, missing input, and how soon good packets come back.

mod common;
use common::air::mix;
use common::random_frames;
use link_modem::{Gap, Listen, ModemConfig, ModemCore, RxPacket};
use link_transport::{Mode, Plan, Role};
use rand_pcg::Pcg64Mcg;

const RATE: usize = 48_000;
const BLOCK: usize = 128;

fn modem(tx: Role, mode: Mode) -> ModemCore {
    let rx = Listen::Role(tx.other());
    let mut core = ModemCore::new(ModemConfig::new(48_000, tx).with_rx(rx)).unwrap();
    core.set_payloads(&random_frames(&mut Pcg64Mcg::new(2), 3, 188));
    core.set_tx_mode(mode);
    core
}

/// Two modems on one air, the own path 40 dB over the peer's, and what the guest hears, by the air's frame.
struct Pair {
    host: ModemCore,
    guest: ModemCore,
    host_played: Vec<f32>,
    guest_played: Vec<f32>,
    /// The frame counts the two are given, against the air's.
    host_offset: i64,
    guest_offset: i64,
    air_frame: u64,
    heard: Vec<(u64, RxPacket)>,
    gaps: Vec<Gap>,
}

impl Pair {
    fn new(mode: Mode) -> Self {
        Self {
            host: modem(Role::Host, mode),
            guest: modem(Role::Guest, mode),
            host_played: vec![0.0; BLOCK],
            guest_played: vec![0.0; BLOCK],
            host_offset: 1_000_000,
            guest_offset: 5_000_000,
            air_frame: 0,
            heard: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Runs for `ms`; the guest's microphone delivers zeros if `deaf`.
    fn run(&mut self, ms: usize, deaf: bool) {
        for _ in 0..ms * RATE / 1000 / BLOCK {
            let mut at_host = self.host_played.clone();
            let mut at_guest = self.guest_played.clone();
            mix(&mut at_host, &self.guest_played, 0, 0.01);
            mix(&mut at_guest, &self.host_played, 0, 0.01);
            if deaf {
                at_guest.fill(0.0);
            }
            let host_frame = self.air_frame.wrapping_add_signed(self.host_offset);
            let guest_frame = self.air_frame.wrapping_add_signed(self.guest_offset);
            self.host
                .process(&at_host, &mut self.host_played, host_frame);
            self.guest
                .process(&at_guest, &mut self.guest_played, guest_frame);
            self.air_frame += BLOCK as u64;
            while let Some(packet) = self.guest.take_packet() {
                self.heard.push((self.air_frame, packet));
            }
            while let Some(gap) = self.guest.take_gap() {
                self.gaps.push(gap);
            }
        }
    }

    /// Milliseconds from `from_frame` to the end of the first packet that started after it.
    fn first_after_ms(&self, from_frame: u64) -> u64 {
        let packet = self.heard.iter().find(|(at, packet)| {
            *at > from_frame
                && packet.sample.wrapping_add_signed(-self.guest_offset) + 600 >= from_frame
        });
        packet.map_or(u64::MAX, |(at, _)| (at - from_frame) * 1000 / RATE as u64)
    }
}

#[test]
fn a_senders_jump_is_found_again_within_a_superframe() {
    for mode in [Mode::Fast, Mode::Robust] {
        let mut recoveries = Vec::new();
        for (i, jump_ms) in [40, 700].into_iter().cycle().take(8).enumerate() {
            let mut pair = Pair::new(mode);
            pair.run(3_000 + 131 * i, false);
            let before = pair.heard.len();
            assert!(before > 8, "{before}");
            pair.host_offset += jump_ms * RATE as i64 / 1000;
            let jumped = pair.air_frame;
            pair.run(2_600, false);
            recoveries.push(pair.first_after_ms(jumped));
        }
        println!("{mode:?}: {recoveries:?} ms");
        // The sender starts a superframe at once: sync, trial, packet.
        assert!(recoveries.iter().all(|ms| *ms <= 400), "{recoveries:?}");
    }
}

/// A packet of eight symbols stands a missing one; one that misses half of them is not missed for a lock.
#[test]
fn a_packet_with_a_hole_in_it_is_read() {
    let config = |tx: Role| ModemConfig::new(48_000, tx).with_plan(Plan::Low);
    let mut host = ModemCore::new(config(Role::Host)).unwrap();
    host.set_payloads(&random_frames(&mut Pcg64Mcg::new(2), 3, 186));
    let stream = common::play(&mut host, 8 * RATE);
    let starts: Vec<u64> = std::iter::from_fn(|| host.take_slot())
        .map(|slot| slot.sample)
        .collect();
    let heard = |hole_ms: std::ops::Range<usize>| -> Vec<bool> {
        let mut stream = stream.clone();
        let at = |ms: usize| starts[6] as usize + ms * RATE / 1000;
        stream[at(hole_ms.start)..at(hole_ms.end)].fill(0.0);
        let mut guest = ModemCore::new(config(Role::Guest)).unwrap();
        let (mut played, mut samples) = ([0.0; BLOCK], Vec::new());
        for (i, block) in stream.chunks_exact(BLOCK).enumerate() {
            guest.process(block, &mut played, (i * BLOCK) as u64);
            samples.extend(std::iter::from_fn(|| guest.take_packet()).map(|packet| packet.sample));
        }
        assert!(guest.stats().locked);
        let near = |start: &u64| samples.iter().any(|sample| sample.abs_diff(*start) < 4_800);
        starts[..starts.len() - 2].iter().map(near).collect()
    };
    let whole = heard(0..0);
    assert!(whole.iter().all(|heard| *heard), "{whole:?}");
    // In the third symbol, and at the end, where only one change of phase is lost.
    assert_eq!(heard(115..145), whole);
    assert_eq!(heard(340..400), whole);
    let mut without = whole.clone();
    without[6] = false;
    assert_eq!(heard(100..300), without);
}

#[test]
fn a_capture_gap_keeps_the_lock() {
    for mode in [Mode::Fast, Mode::Robust] {
        let mut recoveries = Vec::new();
        for i in 0..8 {
            let mut pair = Pair::new(mode);
            pair.run(3_000 + 271 * i, false);
            let from = pair.air_frame;
            pair.run(1_000, true);
            let to = pair.air_frame;
            pair.run(2_600, false);
            recoveries.push(pair.first_after_ms(to));
            assert!(pair.guest.stats().locked);
            // The very first block, before anything was played, is silence too.
            let gaps = &pair.gaps[1..];
            assert_eq!(gaps.iter().map(|gap| gap.frames).sum::<u64>(), to - from);
            assert_eq!(gaps[0].sample, from.wrapping_add_signed(pair.guest_offset));
        }
        println!("{mode:?}: {recoveries:?} ms");
        assert!(recoveries.iter().all(|ms| *ms <= 500), "{recoveries:?}");
    }
}

#[test]
fn ones_own_jump_of_any_length_is_survived() {
    for (jump, kept) in [
        (128, true),
        (4_864, true),
        (48_000, true),
        (480_000, true),
        (RATE as i64 * 3600, false),
    ] {
        let mut pair = Pair::new(Mode::Fast);
        pair.run(3_000, false);
        // The guest's device lost these frames; the air went on meanwhile.
        for _ in 0..jump / BLOCK as i64 {
            if jump > 1_000_000 {
                break;
            }
            let frame = pair.air_frame.wrapping_add_signed(pair.host_offset);
            pair.host
                .process(&[0.0; BLOCK], &mut pair.host_played, frame);
            pair.air_frame += BLOCK as u64;
        }
        if !kept {
            pair.guest_offset += jump;
        }
        let (jumped, before) = (pair.air_frame, pair.heard.len());
        pair.run(3_000, false);
        let recovery = pair.first_after_ms(jumped);
        println!(
            "{jump} frames: {recovery} ms, {} packets",
            pair.heard.len() - before
        );
        assert!(
            recovery <= if kept { 300 } else { 2_500 },
            "{jump}: {recovery} ms"
        );
        assert!(
            pair.gaps.iter().any(|gap| gap.frames == jump as u64),
            "{jump}: {:?}",
            pair.gaps
        );
    }
}

#[test]
fn a_count_that_goes_back_starts_over() {
    let mut pair = Pair::new(Mode::Fast);
    pair.run(3_000, false);
    pair.guest_offset -= 4_000_000;
    let jumped = pair.air_frame;
    pair.run(3_000, false);
    assert!(pair.first_after_ms(jumped) <= 2_500);
    pair.host_offset -= 500_000;
    let jumped = pair.air_frame;
    pair.run(3_000, false);
    assert!(pair.first_after_ms(jumped) <= 700);
}

#[test]
fn a_skip_is_a_jump() {
    let mut pair = Pair::new(Mode::Fast);
    pair.run(3_000, false);
    pair.host.skip(9_999);
    let jumped = pair.air_frame;
    pair.run(2_500, false);
    let recovery = pair.first_after_ms(jumped);
    assert!(recovery <= 700, "{recovery} ms");
}

#[test]
fn a_peer_that_leaves_is_let_go_and_found_again() {
    let mut pair = Pair::new(Mode::Robust);
    pair.run(3_000, false);
    assert!(pair.guest.stats().locked);
    let host = std::mem::replace(&mut pair.host, modem(Role::Host, Mode::Robust));
    drop(host);
    pair.host
        .reconfigure(link_modem::Reconfigure::default().with_gain(0.0))
        .unwrap();
    pair.run(10_000, false);
    assert!(!pair.guest.stats().locked);
    let silent_from = pair.air_frame;
    pair.host
        .reconfigure(link_modem::Reconfigure::default().with_gain(1.0))
        .unwrap();
    pair.run(4_000, false);
    assert!(pair.guest.stats().locked);
    assert!(pair.first_after_ms(silent_from) < 3_000);
}
