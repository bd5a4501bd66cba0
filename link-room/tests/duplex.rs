//! Two modems talk through the room, both at once: what arrives, what never does, and what survives a fault.

use link_room::{Fault, FaultKind, Phone, RoomConfig, RoomEnd, RoomLink, RoomLinkConfig};
use link_transport::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, Mode, OutFrame, Plan, capacity_bits,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::{collections::HashMap, time::Duration};

/// How often the ends are polled.
const STEP: Duration = Duration::from_millis(10);

/// One direction of a conversation in which every packet is different.
#[derive(Default, PartialEq, Debug)]
struct Direction {
    /// When each key's packet started, on the sender's clock.
    slots: Vec<(u32, LinkTime)>,
    packets: Vec<LinkPacket>,
    /// Each frame handed to the link, by its key.
    frames: HashMap<u32, FrameBits>,
}

impl Direction {
    /// Keys received, in order. Panics on a packet that was never sent or that came twice.
    fn received(&self) -> Vec<u32> {
        let key_of: HashMap<&[u8], u32> = self
            .frames
            .iter()
            .map(|(&key, bits)| (bits.as_bytes(), key))
            .collect();
        let mut keys = Vec::new();
        for packet in self
            .packets
            .iter()
            .filter(|packet| packet.bits.as_bitslice().any())
        {
            let key = *key_of
                .get(packet.bits.as_bytes())
                .unwrap_or_else(|| panic!("never sent: {:?}", packet.bits));
            assert!(!keys.contains(&key), "frame {key} came twice");
            keys.push(key);
        }
        keys
    }

    /// Sent and received of the packets that started in `span`, on the sender's clock.
    fn delivered(&self, span: std::ops::Range<LinkTime>) -> (usize, usize) {
        let received = self.received();
        let in_span = self.slots.iter().filter(|(_, at)| span.contains(at));
        let sent: Vec<u32> = in_span.map(|&(key, _)| key).collect();
        (
            sent.len(),
            sent.iter().filter(|key| received.contains(key)).count(),
        )
    }

    fn snr_db(&self) -> f64 {
        let sum: f64 = self
            .packets
            .iter()
            .filter_map(|packet| packet.snr_db)
            .map(f64::from)
            .sum();
        sum / self.packets.len() as f64
    }
}

/// Lets both ends send ever new random frames for a while: host to guest, guest to host.
fn converse(
    [host, guest]: [&mut RoomEnd; 2],
    plan: Plan,
    lasts: Duration,
    seed: u64,
) -> [Direction; 2] {
    let mut dice = Pcg64Mcg::seed_from_u64(seed);
    let mut directions = [Direction::default(), Direction::default()];
    let mut room_time = Duration::ZERO;
    let mut next_key = 1;
    let mut ends = [host, guest];
    let mut fresh = |end: &mut RoomEnd, direction: &mut Direction| {
        let mut bytes = [0; 24];
        dice.fill_bytes(&mut bytes);
        let bits = FrameBits::from_bytes(&bytes, capacity_bits(plan));
        direction.frames.insert(next_key, bits);
        end.send(&[OutFrame {
            bits,
            key: next_key,
            keyed: false,
        }]);
        next_key += 1;
    };
    for (end, direction) in ends.iter_mut().zip(&mut directions) {
        fresh(end, direction);
    }
    while room_time < lasts {
        room_time += STEP;
        for (index, end) in ends.iter_mut().enumerate() {
            let now = end.clock(room_time);
            while let Some(event) = end.poll(now) {
                match event {
                    LinkEvent::Packet(packet) => directions[1 - index].packets.push(packet),
                    LinkEvent::Slot(slot) => {
                        let key = slot.key.expect("there is always a frame");
                        directions[index].slots.push((key, slot.at));
                        fresh(end, &mut directions[index]);
                    }
                    _ => {}
                }
            }
        }
    }
    directions
}

fn link(
    distance_cm: f64,
    plan: Plan,
    mode: Mode,
    rates_hz: [u32; 2],
    skews_ppm: [f64; 2],
) -> RoomLinkConfig {
    let room = RoomConfig::at_distance_cm(distance_cm)
        .with_rates_hz(rates_hz)
        .with_skews_ppm(skews_ppm);
    RoomLinkConfig::default()
        .with_room(room)
        .with_plan(plan)
        .with_mode(mode)
}

/// Packets that start from here on count: by then both have locked.
const SETTLED: LinkTime = LinkTime::from_ms(3_000);
/// Packets this late may still be on their way at the end.
const IN_FLIGHT: Duration = Duration::from_millis(1_000);

#[test]
fn full_duplex_at_twenty_centimetres() {
    const LASTS: Duration = Duration::from_secs(18);
    let span = SETTLED..LinkTime::ZERO + (LASTS - IN_FLIGHT);
    for (plan, mode) in [
        (Plan::High, Mode::Fast),
        (Plan::High, Mode::Robust),
        (Plan::Low, Mode::Fast),
        (Plan::Low, Mode::Robust),
    ] {
        let (mut sent, mut received) = ([0; 2], [0; 2]);
        for (seed, rates_hz) in (1..).zip([[48_000, 48_000], [48_000, 44_100]]) {
            for skews_ppm in [[300.0, -300.0], [-300.0, 300.0]] {
                let (mut host, mut guest) =
                    RoomLink::pair(link(20.0, plan, mode, rates_hz, skews_ppm), seed);
                let directions = converse([&mut host, &mut guest], plan, LASTS, seed);
                for (index, direction) in directions.iter().enumerate() {
                    let (s, r) = direction.delivered(span.clone());
                    sent[index] += s;
                    received[index] += r;
                }
            }
        }
        println!(
            "{plan:?} {mode:?}: host to guest {}/{}, back {}/{}",
            received[0], sent[0], received[1], sent[1]
        );
        for (received, sent) in received.into_iter().zip(sent) {
            assert!(
                received * 100 >= sent * 99,
                "{plan:?} {mode:?}: {received} of {sent}"
            );
        }
    }
}

#[test]
fn the_modems_own_readings_are_the_calibrations() {
    for (distance_cm, reference_db) in [(20.0, 21.0), (40.0, 15.0), (80.0, 7.0)] {
        let readings: Vec<f64> = (1..=4)
            .flat_map(|seed| {
                let config = link(distance_cm, Plan::High, Mode::Robust, [48_000; 2], [0.0; 2]);
                let (mut host, mut guest) = RoomLink::pair(config, seed);
                converse(
                    [&mut host, &mut guest],
                    Plan::High,
                    Duration::from_secs(6),
                    seed,
                )
                .map(|direction| direction.snr_db())
            })
            .collect();
        let mean_db = readings.iter().sum::<f64>() / readings.len() as f64;
        println!("{distance_cm} cm: the modems read {mean_db:.1} dB");
        assert!(
            (mean_db - reference_db).abs() < 2.0,
            "{distance_cm} cm: {mean_db:.2}, reference {reference_db}"
        );
    }
}

#[test]
fn one_seed_one_course_of_events() {
    let course = |seed| {
        let config = link(
            40.0,
            Plan::High,
            Mode::Fast,
            [48_000, 44_100],
            [150.0, -80.0],
        );
        let (mut host, mut guest) = RoomLink::pair(config, seed);
        converse(
            [&mut host, &mut guest],
            Plan::High,
            Duration::from_secs(3),
            7,
        )
    };
    let first = course(1);
    assert!(first == course(1));
    assert!(first != course(2));
}

#[test]
fn packets_take_the_air_and_the_latencies() {
    // Two perfect clocks: times of both ends compare. A fast packet is 100 ms of air and ends after its last tone's
    // useful part; speakers and microphones take 75 ms.
    let config = link(34.3, Plan::High, Mode::Fast, [48_000; 2], [0.0; 2]);
    let (mut host, mut guest) = RoomLink::pair(config, 1);
    let [to_guest, _] = converse(
        [&mut host, &mut guest],
        Plan::High,
        Duration::from_secs(4),
        1,
    );
    let started: HashMap<u32, LinkTime> = to_guest.slots.iter().copied().collect();
    let packets = to_guest
        .packets
        .iter()
        .filter(|packet| packet.bits.as_bitslice().any());
    for (packet, key) in packets.zip(to_guest.received()) {
        let took_ms = packet.at.since(started[&key]).as_secs_f64() * 1000.0;
        assert!((175.5..176.5).contains(&took_ms), "{took_ms:.2} ms");
    }
}

/// When the first packet arrived that had started to arrive after `after`, on the receiver's clock.
fn first_after(direction: &Direction, after: Duration) -> Duration {
    let after = LinkTime::ZERO + after + Duration::from_millis(100);
    let first = direction
        .packets
        .iter()
        .find(|packet| packet.at >= after)
        .expect("the link recovers");
    first.at.since(after)
}

#[test]
fn it_recovers_from_faults() {
    let at = Duration::from_millis(4_000);
    for (kind, lasts_ms, within_ms) in [
        (FaultKind::CaptureGap(Phone::B), 1_000, 2_500),
        (FaultKind::DeviceStop(Phone::A), 40, 2_050),
        (FaultKind::DeviceStop(Phone::A), 700, 2_050),
        (FaultKind::Dropout, 3_000, 2_500),
    ] {
        let config = link(20.0, Plan::High, Mode::Fast, [48_000; 2], [100.0, -100.0]);
        let (mut host, mut guest) = RoomLink::pair(config, 3);
        let lasts = Duration::from_millis(lasts_ms);
        host.inject(Fault { at, lasts, kind });
        let directions = converse(
            [&mut host, &mut guest],
            Plan::High,
            Duration::from_secs(10),
            3,
        );
        // What matters is the direction to the guest; of a dropout, both.
        let affected = if kind == FaultKind::Dropout {
            &directions[..]
        } else {
            &directions[..1]
        };
        for direction in affected {
            let took = first_after(direction, at + lasts);
            println!(
                "{kind:?} of {lasts_ms} ms: first good packet {} ms later",
                took.as_millis()
            );
            assert!(
                took <= Duration::from_millis(within_ms),
                "{kind:?}: {took:?}"
            );
            direction.received();
        }
    }
}

#[test]
fn a_closed_end_is_silent_and_the_other_goes_on() {
    let config = link(20.0, Plan::High, Mode::Fast, [48_000; 2], [0.0; 2]);
    let (mut host, mut guest) = RoomLink::pair(config, 1);
    converse(
        [&mut host, &mut guest],
        Plan::High,
        Duration::from_secs(2),
        1,
    );
    assert!(host.stats().locked && guest.stats().locked);
    guest.close();
    assert!(!guest.stats().locked);
    let later = LinkTime::from_ms(6_000);
    assert_eq!(guest.poll(later), None);
    let mut slots = 0;
    while let Some(event) = host.poll(later) {
        match event {
            LinkEvent::Slot(_) => slots += 1,
            LinkEvent::Packet(packet) => assert!(
                packet.at < LinkTime::from_ms(2_400),
                "heard {:?}",
                packet.at
            ),
            _ => {}
        }
    }
    assert!(slots > 30, "the host goes on sending: {slots}");
    assert!(!host.stats().locked);
}

#[test]
fn a_guest_that_joins_finds_the_plan() {
    for plan in [Plan::High, Plan::Low] {
        let config = RoomLinkConfig::default()
            .with_plan(plan)
            .with_guest_detects(true);
        let (mut host, mut guest) = RoomLink::pair(config, 1);
        let mut room_time = Duration::ZERO;
        while !(host.stats().locked && guest.stats().locked) {
            room_time += STEP;
            assert!(room_time < Duration::from_secs(8), "{plan:?}: no lock");
            for end in [&mut host, &mut guest] {
                let now = end.clock(room_time);
                while end.poll(now).is_some() {}
            }
        }
        assert_eq!((host.stats().plan, guest.stats().plan), (plan, plan));
    }
}
