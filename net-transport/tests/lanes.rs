//! Lanes over datagrams: the format byte by byte, restarts, bounds, and what a bottleneck does to the fast lane.

use net_transport::{
    Body, CHUNK_BYTES_MAX, DatagramLanes, DownReason, FAST_BYTES_MAX, Lane, LaneDatagram,
    LaneDatagramError, LanesEnd, LanesEvent, LinkConfig, Loss, NetAir, NetEvent, NetTime,
    NetTransport, PeerId, RELIABLE_BYTES_MAX, SendResult, pair,
};
use proptest::prelude::*;

fn encoded(datagram: LaneDatagram<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    datagram.encode(&mut bytes);
    bytes
}

/// The IEEE CRC-32, bit by bit: not the table that the crate uses.
fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    (!crc).to_le_bytes()
}

#[test]
fn golden_bytes() {
    // As docs/NETPLAY.md says them.
    assert_eq!(pair(11, 22), 0x41_983A, "the page's example");
    let hello = LaneDatagram::Hello {
        from: 0x0102_0304,
        to: 0,
    };
    let plain = [0xD5, 4, 3, 2, 1, 0, 0, 0, 0];
    assert_eq!(encoded(hello), [&plain[..], &crc(&plain)].concat());
    let paired = |body| {
        encoded(LaneDatagram::Paired {
            pair: 0x00AB_CDEF,
            body,
        })
    };
    assert_eq!(paired(Body::Fast(b"pads")), b"\xD0\xEF\xCD\xABpads");
    let plain = b"\xD1\xEF\xCD\xAB\x07\x00\x00\x00map";
    let chunk = |last| Body::Chunk {
        number: 7,
        last,
        bytes: b"map",
    };
    assert_eq!(paired(chunk(false)), [&plain[..], &crc(plain)].concat());
    let plain = b"\xD2\xEF\xCD\xAB\x07\x00\x00\x00map";
    assert_eq!(paired(chunk(true)), [&plain[..], &crc(plain)].concat());
    let plain = b"\xD3\xEF\xCD\xAB\x05\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x80";
    let ack = Body::Ack {
        next: 5,
        beyond: 1 << 63 | 2,
    };
    assert_eq!(paired(ack), [&plain[..], &crc(plain)].concat());
    let plain = b"\xD4\xEF\xCD\xAB";
    assert_eq!(paired(Body::Close), [&plain[..], &crc(plain)].concat());
}

#[test]
fn what_is_no_lane_datagram_is_refused_with_a_reason() {
    let decode = |bytes: &[u8]| LaneDatagram::decode(bytes).map(|_| ());
    let sealed = |bytes: &[u8]| [bytes, &crc(bytes)].concat();
    let length = |kind, length| Err(LaneDatagramError::Length { kind, length });
    for first in [0x00, 0xC5, 0xE0, 0xD6, 0xDF] {
        assert_eq!(
            decode(&[first; 9]),
            Err(LaneDatagramError::Unknown { first })
        );
    }
    assert_eq!(decode(&[]), Err(LaneDatagramError::Unknown { first: 0 }));
    assert_eq!(decode(&[0xD0, 1, 2]), length(0, 3));
    assert_eq!(decode(&[0xD0, 1, 2, 3]), Ok(()));
    assert_eq!(decode(&[0xD0; 4 + FAST_BYTES_MAX]), Ok(()));
    assert_eq!(
        decode(&[0xD0; 5 + FAST_BYTES_MAX]),
        length(0, 5 + FAST_BYTES_MAX)
    );
    for (kind, right) in [(1, 8), (2, 8 + CHUNK_BYTES_MAX), (3, 16), (4, 4), (5, 9)] {
        let plain = vec![0xD0 | kind; right];
        assert_eq!(decode(&sealed(&plain)), Ok(()), "{kind}");
        let mut damaged = sealed(&plain);
        damaged[right / 2] ^= 4;
        assert_eq!(decode(&damaged), Err(LaneDatagramError::Checksum), "{kind}");
        let longer = if kind == 1 {
            9 + CHUNK_BYTES_MAX
        } else {
            right + 1
        };
        let shorter = if kind == 2 { 7 } else { right - 1 };
        for wrong in [longer, shorter] {
            let plain = vec![0xD0 | kind; wrong];
            assert_eq!(decode(&sealed(&plain)), length(kind, wrong + 4), "{kind}");
        }
    }
    let nobody = sealed(&[0xD5, 0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(decode(&nobody), Err(LaneDatagramError::NoToken));
}

/// Two lanes and the datagrams between them, carried by hand.
struct Hand {
    a: DatagramLanes,
    b: DatagramLanes,
    now: NetTime,
}

impl Hand {
    fn new(a: u32, b: u32) -> Self {
        Self {
            a: DatagramLanes::new(a),
            b: DatagramLanes::new(b),
            now: NetTime::ZERO,
        }
    }

    /// Everything that one side wants to send now.
    fn sent(lanes: &mut DatagramLanes, now: NetTime) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        let mut datagram = Vec::new();
        while lanes.poll_transmit(now, &mut datagram) {
            sent.push(datagram.clone());
        }
        sent
    }

    fn told(lanes: &mut DatagramLanes, now: NetTime) -> Vec<String> {
        let mut told = Vec::new();
        while let Some(event) = lanes.poll(now) {
            told.push(match event {
                LanesEvent::Message { lane, bytes } => {
                    format!("{lane:?} {}", String::from_utf8_lossy(bytes))
                }
                event => format!("{event:?}"),
            });
        }
        told
    }

    /// Carries all for `ms`, a step a millisecond: what both were told.
    fn run(&mut self, ms: u64) -> [Vec<String>; 2] {
        let mut told = [Vec::new(), Vec::new()];
        for _ in 0..ms {
            self.now = self.now.plus(1_000);
            for datagram in Self::sent(&mut self.a, self.now) {
                self.b.handle_datagram(self.now, &datagram).unwrap();
                told[1].extend(Self::told(&mut self.b, self.now));
            }
            for datagram in Self::sent(&mut self.b, self.now) {
                self.a.handle_datagram(self.now, &datagram).unwrap();
                told[0].extend(Self::told(&mut self.a, self.now));
            }
            told[0].extend(Self::told(&mut self.a, self.now));
            told[1].extend(Self::told(&mut self.b, self.now));
        }
        told
    }
}

#[test]
fn a_restarted_process_takes_the_old_one_s_place_and_is_not_disturbed_by_it() {
    let mut hand = Hand::new(1, 2);
    assert_eq!(hand.run(20), [vec!["Up"], vec!["Up"]]);
    assert_eq!(
        hand.a.send(hand.now, Lane::Reliable, b"old"),
        SendResult::Sent
    );
    assert_eq!(hand.a.send(hand.now, Lane::Fast, b"old"), SendResult::Sent);
    let mut old = Hand::sent(&mut hand.a, hand.now);
    hand.a.close(hand.now);
    old.extend(Hand::sent(&mut hand.a, hand.now));
    assert_eq!(old.len(), 3, "a fast message, a chunk and a close");
    // The old process's hello, as if it had been under way all the time.
    old.push(encoded(LaneDatagram::Hello { from: 1, to: 2 }));
    old.push(encoded(LaneDatagram::Hello { from: 1, to: 0 }));

    hand.a = DatagramLanes::new(3);
    let [a, b] = hand.run(300);
    assert_eq!(a, ["Up"]);
    assert_eq!(b, ["Down(Replaced)", "Up"]);
    for datagram in &old {
        hand.b.handle_datagram(hand.now, datagram).unwrap();
    }
    assert!(
        Hand::told(&mut hand.b, hand.now).is_empty(),
        "an old process is heard no more"
    );
    assert_eq!(
        hand.a.send(hand.now, Lane::Reliable, b"new"),
        SendResult::Sent
    );
    assert_eq!(
        hand.b.send(hand.now, Lane::Reliable, b"yes"),
        SendResult::Sent
    );
    assert_eq!(hand.run(50), [vec!["Reliable yes"], vec!["Reliable new"]]);
}

#[test]
fn a_hello_alone_takes_nobody_s_place() {
    let mut hand = Hand::new(1, 2);
    hand.run(20);
    // Somebody who has not heard us: it is answered, and nothing else.
    let stranger = encoded(LaneDatagram::Hello { from: 9, to: 0 });
    hand.b.handle_datagram(hand.now, &stranger).unwrap();
    assert!(Hand::told(&mut hand.b, hand.now).is_empty());
    assert_eq!(
        Hand::sent(&mut hand.b, hand.now),
        [encoded(LaneDatagram::Hello { from: 2, to: 9 })]
    );
    // One that was meant for the process before us.
    let mut fresh = DatagramLanes::new(5);
    fresh
        .handle_datagram(hand.now, &encoded(LaneDatagram::Hello { from: 1, to: 2 }))
        .unwrap();
    assert!(!fresh.is_up() && Hand::told(&mut fresh, hand.now).is_empty());
}

#[test]
fn a_lost_close_is_said_again_to_whoever_still_sends() {
    let mut hand = Hand::new(1, 2);
    hand.run(20);
    hand.a.close(hand.now);
    assert_eq!(Hand::told(&mut hand.a, hand.now), ["Down(Local)"]);
    for _ in 0..40 {
        hand.now = hand.now.plus(10_000);
        Hand::sent(&mut hand.a, hand.now);
    }
    assert_eq!(
        hand.b.send(hand.now, Lane::Fast, b"there?"),
        SendResult::Sent
    );
    let [a, b] = hand.run(200);
    assert!(a.is_empty());
    assert_eq!(b, ["Down(Closed)"]);
    assert_eq!(
        hand.b.send(hand.now, Lane::Fast, b"there?"),
        SendResult::Gone
    );
}

#[test]
fn a_message_without_end_ends_the_connection() {
    let mut lanes = DatagramLanes::new(2);
    lanes
        .handle_datagram(
            NetTime::ZERO,
            &encoded(LaneDatagram::Hello { from: 1, to: 2 }),
        )
        .unwrap();
    assert_eq!(Hand::told(&mut lanes, NetTime::ZERO), ["Up"]);
    for number in 0..100 {
        let body = Body::Chunk {
            number,
            last: false,
            bytes: &[7; CHUNK_BYTES_MAX],
        };
        let chunk = encoded(LaneDatagram::Paired {
            pair: pair(1, 2),
            body,
        });
        lanes.handle_datagram(NetTime::ZERO, &chunk).unwrap();
    }
    assert_eq!(Hand::told(&mut lanes, NetTime::ZERO), ["Down(Garbage)"]);
}

/// Two ends of lanes over a link, and what passed. 60 Hz on the fast lane while the reliable one is busy.
fn bottleneck(long: bool) -> (Vec<u64>, Option<u64>) {
    let config = LinkConfig::default()
        .latency_us(50_000)
        .bandwidth(1_000_000, 400_000);
    let air = NetAir::new(2, config, 4);
    let mut ends = [LanesEnd::new(air.end(0), 77), LanesEnd::new(air.end(1), 78)];
    let (mut delays, mut arrived) = (Vec::new(), None);
    for ms in 0..4_000_u64 {
        let now = NetTime::from_ms(ms);
        for (at, end) in ends.iter_mut().enumerate() {
            while let Some(event) = end.poll(now) {
                match event {
                    NetEvent::Message {
                        lane: Lane::Fast,
                        bytes,
                        ..
                    } if at == 1 => {
                        delays.push(ms - u64::from_le_bytes(bytes.try_into().unwrap()));
                    }
                    NetEvent::Message {
                        lane: Lane::Reliable,
                        bytes,
                        ..
                    } => {
                        assert_eq!(bytes.len(), RELIABLE_BYTES_MAX);
                        arrived = Some(ms - 1_000);
                    }
                    _ => {}
                }
            }
        }
        if ms == 1_000 && long {
            let result = ends[0].send(now, PeerId(0), Lane::Reliable, &[7; RELIABLE_BYTES_MAX]);
            assert_eq!(result, SendResult::Sent);
        }
        if ms > 500 && ms % 16 == 0 {
            let _ = ends[0].send(now, PeerId(0), Lane::Fast, &ms.to_le_bytes());
            let _ = ends[1].send(now, PeerId(0), Lane::Fast, &ms.to_le_bytes());
        }
    }
    (delays, arrived)
}

#[test]
fn the_longest_message_passes_a_narrow_link_soon_and_hardly_delays_the_fast_lane() {
    let (alone, _) = bottleneck(false);
    let (beside, arrived) = bottleneck(true);
    assert_eq!(alone.len(), beside.len(), "nothing is lost of it");
    assert!(alone.iter().all(|ms| (50..=52).contains(ms)));
    let worst = beside.iter().max().unwrap();
    assert!(*worst <= 110, "a fast message took {worst} ms");
    let arrived = arrived.expect("it arrives");
    // 64 KiB at 1 Mbit/s take 540 ms on the wire.
    assert!(arrived <= 1_200, "it took {arrived} ms");
}

/// Every trouble of a [`NetAir`], wildly weighted.
fn trouble() -> impl Strategy<Value = LinkConfig> {
    let loss = prop_oneof![
        Just(Loss::None),
        (1_u32..6).prop_map(|n| Loss::Every(n + 1)),
        (0.0..0.4).prop_map(Loss::Bernoulli),
        (0.0..0.4, 1.0..8.0).prop_map(|(share, mean_packets)| Loss::PacketBursts {
            share,
            mean_packets
        }),
        (0.0..0.4, 1.0..80.0).prop_map(|(share, mean_ms)| Loss::TimeBursts { share, mean_ms }),
    ];
    let some = || prop_oneof![Just(0.0), 0.0..0.3];
    let time = || (0_u64..150_000, 0_u64..60_000);
    let narrow = prop_oneof![Just((0, 0)), (300_000_u64..3_000_000, 20_000_u64..400_000)];
    (
        loss,
        time(),
        (some(), 0_u64..200_000),
        some(),
        some(),
        narrow,
    )
        .prop_map(
            |(
                loss,
                (latency_us, jitter_us),
                (reorder, reorder_us),
                duplicate,
                damage,
                (bps, queue_us),
            )| {
                let config = LinkConfig::default()
                    .latency_us(latency_us)
                    .jitter_us(jitter_us)
                    .loss(loss);
                config
                    .reorder(reorder, reorder_us)
                    .duplicate(duplicate)
                    .damage(damage)
                    .bandwidth(bps, queue_us)
            },
        )
}

/// Sends both ways through two outages, and compares what arrives with what was taken.
fn all_arrives(
    mut ends: [&mut dyn NetTransport; 2],
    air: &NetAir,
    lengths: &[usize],
) -> Result<(), TestCaseError> {
    air.outage(0, 1, NetTime::from_ms(700), NetTime::from_ms(1_500));
    air.partition(&[0], NetTime::from_ms(2_000), NetTime::from_ms(2_600));
    let message = |at: usize, number: usize| vec![(31 * number + at) as u8; lengths[number]];
    let mut peers = [None; 2];
    let (mut sent, mut heard) = ([0; 2], [0; 2]);
    for ms in 0..180_000 {
        let now = NetTime::from_ms(ms);
        for (at, end) in ends.iter_mut().enumerate() {
            while let Some(event) = end.poll(now) {
                match event {
                    NetEvent::PeerUp { peer } => peers[at] = Some(peer),
                    NetEvent::PeerDown { reason, .. } => prop_assert!(false, "down: {reason:?}"),
                    NetEvent::Message {
                        lane: Lane::Reliable,
                        bytes,
                        ..
                    } => {
                        prop_assert!(heard[at] < lengths.len(), "more than was sent");
                        prop_assert_eq!(bytes, &message(1 - at, heard[at])[..]);
                        heard[at] += 1;
                    }
                    NetEvent::Message { .. } => {}
                }
            }
            let Some(peer) = peers[at] else { continue };
            if sent[at] < lengths.len()
                && end.send(now, peer, Lane::Reliable, &message(at, sent[at])) == SendResult::Sent
            {
                sent[at] += 1;
            }
            if ms % 16 == 0 {
                let _ = end.send(now, peer, Lane::Fast, &[at as u8; 50]);
            }
        }
        if ms > 3_000 && heard == [lengths.len(); 2] {
            return Ok(());
        }
    }
    prop_assert!(
        false,
        "{heard:?} of {} arrived in three minutes",
        lengths.len()
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_reliably_arrives_once_and_in_order_whatever_the_trouble(
        there in trouble(),
        back in trouble(),
        seed: u64,
        lengths in prop::collection::vec(prop_oneof![0..300_usize, 1_000..4_000_usize, 20_000..=RELIABLE_BYTES_MAX], 1..8),
    ) {
        for lanes in [false, true] {
            let air = NetAir::new(2, there, seed);
            air.set_link(1, 0, back);
            if lanes {
                let mut a = LanesEnd::new(air.end(0), 1);
                let mut b = LanesEnd::new(air.end(1), 2);
                all_arrives([&mut a, &mut b], &air, &lengths)?;
            } else {
                all_arrives([&mut air.end(0), &mut air.end(1)], &air, &lengths)?;
            }
        }
    }

    #[test]
    fn datagrams_survive_the_round_trip(
        pair in 0_u32..1 << 24,
        from in 1_u32..,
        to: u32,
        number: u32,
        last: bool,
        beyond: u64,
        bytes in prop::collection::vec(any::<u8>(), 0..=CHUNK_BYTES_MAX),
    ) {
        let bodies = [
            Body::Fast(&bytes),
            Body::Chunk { number, last, bytes: &bytes },
            Body::Ack { next: number, beyond },
            Body::Close,
        ];
        let paired = bodies.map(|body| LaneDatagram::Paired { pair, body });
        for datagram in paired.into_iter().chain([LaneDatagram::Hello { from, to }]) {
            let bytes = encoded(datagram);
            prop_assert_eq!(LaneDatagram::decode(&bytes), Ok(datagram));
        }
    }
}

#[test]
fn a_peer_that_goes_while_lanes_are_up_is_told_once() {
    let air = NetAir::new(2, LinkConfig::default().latency_us(5_000), 1);
    let mut ends = [LanesEnd::new(air.end(0), 1), LanesEnd::new(air.end(1), 2)];
    let mut downs = Vec::new();
    for ms in 0..500 {
        let now = NetTime::from_ms(ms);
        if ms == 200 {
            air.sever(now, 0, 1);
        }
        for end in &mut ends {
            while let Some(event) = end.poll(now) {
                if let NetEvent::PeerDown { reason, .. } = event {
                    downs.push((ms, reason));
                }
            }
        }
    }
    assert_eq!(downs, [(200, DownReason::Lost); 2]);
}
