//! What the simulated internet does to packets, figure by figure.

use net_transport::{
    DownReason, Lane, LinkConfig, Loss, NetAir, NetEvent, NetTime, NetTransport, PeerId, SendResult,
};

const A: PeerId = PeerId(0);
const B: PeerId = PeerId(1);

/// What end 1 hears: when, and what.
fn heard(air: &NetAir, end: usize, until_ms: u64) -> Vec<(u64, Lane, Vec<u8>)> {
    let mut heard = Vec::new();
    let mut end = air.end(end);
    for ms in 0..=until_ms {
        while let Some(event) = end.poll(NetTime::from_ms(ms)) {
            if let NetEvent::Message { lane, bytes, .. } = event {
                heard.push((ms, lane, bytes.to_vec()));
            }
        }
    }
    heard
}

/// A connected hub whose end 0 sent one numbered fast message a millisecond.
fn sent(config: LinkConfig, count: u32) -> NetAir {
    let air = NetAir::new(2, config, 3);
    let mut sender = air.end(0);
    while sender.poll(NetTime::ZERO).is_some() {}
    for number in 0..count {
        let now = NetTime::from_ms(u64::from(number));
        assert_eq!(
            sender.send(now, B, Lane::Fast, &number.to_le_bytes()),
            SendResult::Sent
        );
    }
    air
}

/// Lengths of the runs of messages missing among `count`.
fn gaps(heard: &[(u64, Lane, Vec<u8>)], count: u32) -> Vec<u32> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for (_, _, bytes) in heard {
        let number = u32::from_le_bytes(bytes[..].try_into().unwrap());
        if number > next {
            gaps.push(number - next);
        }
        next = number + 1;
    }
    if next < count {
        gaps.push(count - next);
    }
    gaps
}

#[test]
fn losses_come_as_often_and_in_as_long_bursts_as_configured() {
    let count = 40_000;
    for (loss, share, mean) in [
        (Loss::None, 0.0, 0.0),
        (Loss::Every(8), 0.125, 1.0),
        (Loss::Bernoulli(0.25), 0.25, 1.333),
        (
            Loss::PacketBursts {
                share: 0.1,
                mean_packets: 4.0,
            },
            0.1,
            4.0,
        ),
        (
            Loss::PacketBursts {
                share: 0.25,
                mean_packets: 4.0,
            },
            0.25,
            4.0,
        ),
        (
            Loss::TimeBursts {
                share: 0.1,
                mean_ms: 8.0,
            },
            0.1,
            8.0,
        ),
    ] {
        let air = sent(LinkConfig::default().loss(loss), count);
        let gaps = gaps(&heard(&air, 1, u64::from(count)), count);
        let lost: u32 = gaps.iter().sum();
        let measured = f64::from(lost) / f64::from(count);
        let burst = f64::from(lost) / gaps.len().max(1) as f64;
        assert!(
            (measured - share).abs() < 0.1 * share + 1e-9,
            "{loss:?}: {measured} lost"
        );
        assert!(
            (burst - mean).abs() < 0.12 * mean + 1e-9,
            "{loss:?}: bursts of {burst}"
        );
        assert_eq!(air.counters(0, 1).lost, u64::from(lost), "{loss:?}");
    }
}

#[test]
fn jitter_reorders_duplicates_come_twice_and_damage_shows() {
    let config = LinkConfig::default().latency_us(20_000).jitter_us(10_000);
    let air = sent(
        config.duplicate(0.1).damage(0.05).reorder(0.1, 30_000),
        10_000,
    );
    let heard = heard(&air, 1, 11_000);
    let counters = air.counters(0, 1);
    assert!((900..1_100).contains(&counters.duplicated), "{counters:?}");
    assert_eq!(heard.len() as u64, 10_000 + counters.duplicated);
    assert!((480..620).contains(&counters.damaged), "{counters:?}");
    let delay = |(ms, _, bytes): &(u64, Lane, Vec<u8>)| {
        let number = u64::from(u32::from_le_bytes(bytes[..].try_into().ok()?));
        (number < 10_000).then(|| ms.saturating_sub(number))
    };
    let delays: Vec<u64> = heard.iter().filter_map(delay).collect();
    let late = delays.iter().filter(|ms| **ms > 31).count();
    assert!((800..1_400).contains(&late), "{late} held back");
    // A damaged number can look like any other: what is early is among those.
    let early = delays.iter().filter(|ms| **ms < 10).count() as u64;
    assert!(early <= counters.damaged, "{early} before their time");
    let bytes = 4 * counters.packets;
    assert_eq!((counters.packets, counters.bytes), (10_000, bytes));
    assert_eq!(counters.wire_bytes, bytes + 28 * counters.packets);
}

#[test]
fn a_bottleneck_delays_then_loses_and_is_never_overtaken() {
    // 1,000 bytes a second and 100 ms of queue; 32 bytes a packet on the wire.
    let air = sent(LinkConfig::default().bandwidth(8_000, 100_000), 1_000);
    let heard = heard(&air, 1, 1_200);
    assert!((31..=36).contains(&heard.len()), "{} passed", heard.len());
    let counters = air.counters(0, 1);
    assert_eq!(counters.overflowed + heard.len() as u64, 1_000);
    let number = |bytes: &[u8]| u64::from(u32::from_le_bytes(bytes.try_into().unwrap()));
    assert!(heard.iter().all(|(ms, _, bytes)| ms - number(bytes) <= 133));
    assert!(heard.is_sorted_by_key(|(_, _, bytes)| number(bytes)));
}

#[test]
fn an_outage_is_one_way_and_the_reliable_lane_waits_for_its_end() {
    let air = NetAir::new(2, LinkConfig::default().latency_us(10_000), 1);
    let (mut a, mut b) = (air.end(0), air.end(1));
    while a.poll(NetTime::ZERO).is_some() {}
    while b.poll(NetTime::ZERO).is_some() {}
    air.outage(0, 1, NetTime::ZERO, NetTime::from_ms(3_000));
    let now = NetTime::from_ms(1);
    assert_eq!(a.send(now, B, Lane::Fast, b"lost"), SendResult::Sent);
    assert_eq!(a.send(now, B, Lane::Reliable, b"late"), SendResult::Sent);
    assert_eq!(b.send(now, A, Lane::Fast, b"passes"), SendResult::Sent);
    assert_eq!(heard(&air, 0, 20), [(11, Lane::Fast, b"passes".to_vec())]);
    let late = heard(&air, 1, 4_000);
    assert!(
        matches!(&late[..], [(ms, Lane::Reliable, bytes)] if *ms >= 3_010 && bytes == b"late"),
        "{late:?}"
    );
}

#[test]
fn clocks_run_apart_and_no_wake_comes_too_early() {
    let air = NetAir::new(2, LinkConfig::default().latency_us(7_919), 1);
    air.set_clock(0, NetTime::from_ms(77), -5_000);
    air.set_clock(1, NetTime::from_ms(5), 5_000);
    let hour = NetTime::from_ms(3_600_000);
    assert_eq!(air.local(1, hour).as_us(), 5_000 + 3_618_000_000);
    assert_eq!(air.local(0, hour).as_us(), 77_000 + 3_582_000_000);
    let (mut a, mut b) = (air.end(0), air.end(1));
    while a.poll(air.local(0, NetTime::ZERO)).is_some() {}
    while b.poll(air.local(1, NetTime::ZERO)).is_some() {}
    for ms in (0..10_000).step_by(37) {
        let sent = air.local(0, NetTime::from_ms(ms));
        assert_eq!(a.send(sent, B, Lane::Fast, b"x"), SendResult::Sent);
        let wake = b.next_wake().unwrap();
        assert!(
            matches!(b.poll(wake), Some(NetEvent::Message { .. })),
            "nothing at {wake:?}"
        );
    }
}

#[test]
fn a_severed_link_is_lost_at_both_ends_and_a_killed_one_is_silent() {
    let air = NetAir::new(3, LinkConfig::default().latency_us(1_000), 1);
    let mut ends: Vec<_> = (0..3).map(|end| air.end(end)).collect();
    for end in &mut ends {
        while end.poll(NetTime::ZERO).is_some() {}
    }
    let now = NetTime::from_ms(5);
    assert_eq!(
        ends[0].send(now, B, Lane::Reliable, b"gone"),
        SendResult::Sent
    );
    air.sever(now, 0, 1);
    for (at, peer) in [(0, B), (1, A)] {
        let down = NetEvent::PeerDown {
            peer,
            reason: DownReason::Lost,
        };
        assert_eq!(ends[at].poll(now), Some(down));
        assert_eq!(ends[at].poll(NetTime::from_ms(50)), None);
        assert_eq!(ends[at].send(now, peer, Lane::Fast, b"x"), SendResult::Gone);
    }
    air.kill(2);
    assert_eq!(
        ends[0].send(now, PeerId(2), Lane::Fast, b"x"),
        SendResult::Sent
    );
    assert_eq!(ends[2].poll(NetTime::from_ms(60)), None);
    assert!(ends[0].is_up(PeerId(2)));
    // Its successor, and the severed ones: new numbers where there was one before.
    assert_eq!(
        air.connect(NetTime::from_ms(70), 0, 2),
        (PeerId(3), PeerId(0))
    );
    assert_eq!(
        air.connect(NetTime::from_ms(70), 0, 1),
        (PeerId(4), PeerId(3))
    );
    assert_eq!(
        ends[2].poll(NetTime::from_ms(70)),
        Some(NetEvent::PeerUp { peer: A })
    );
}

#[test]
fn one_link_s_traffic_changes_nothing_on_another() {
    let run = |extra: bool| {
        let config = LinkConfig::default()
            .latency_us(9_000)
            .jitter_us(8_000)
            .loss(Loss::Bernoulli(0.3));
        let air = NetAir::new(3, config, 11);
        let mut a = air.end(0);
        while a.poll(NetTime::ZERO).is_some() {}
        for ms in 0..500 {
            let now = NetTime::from_ms(ms);
            let _ = a.send(now, B, Lane::Fast, &ms.to_le_bytes());
            if extra {
                let _ = a.send(now, PeerId(2), Lane::Fast, b"other");
                let _ = a.send(now, PeerId(2), Lane::Reliable, b"other");
            }
        }
        heard(&air, 1, 600)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn the_presets_of_the_designs_lose_as_they_say() {
    let hub = NetAir::loopback_hub(3, 16_667, 3);
    let mut a = hub.end(0);
    while a.poll(NetTime::ZERO).is_some() {}
    for number in 0..9_u8 {
        let _ = a.send(NetTime::ZERO, PeerId(2), Lane::Fast, &[number]);
    }
    let numbers: Vec<u8> = heard(&hub, 2, 17).iter().map(|heard| heard.2[0]).collect();
    assert_eq!(numbers, [0, 1, 3, 4, 6, 7]);
    let link = NetAir::local_link(50_000, 10_000, 0.25, 1);
    let mut a = link.end(0);
    while a.poll(NetTime::ZERO).is_some() {}
    for _ in 0..4_000 {
        let _ = a.send(NetTime::ZERO, B, Lane::Fast, b"x");
    }
    let heard = heard(&link, 1, 61);
    assert!((2_900..3_100).contains(&heard.len()) && heard.iter().all(|heard| heard.0 >= 40));
}
