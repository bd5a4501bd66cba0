//! What is on its way lives in buffers that go round: nothing is allocated in the steady state, and a hostile peer fills
//! no memory. One binary of its own, one test at a time: its allocator counts for all.

use net_transport::{
    Body, CHUNK_BYTES_MAX, Carrier, DatagramLanes, FAST_BYTES_MAX, Lane, LaneDatagram, LanesEnd,
    LinkConfig, Loss, NetAir, NetEvent, NetTime, NetTransport, PeerId, pair,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::{alloc::System, sync::Mutex};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;
static ALONE: Mutex<()> = Mutex::new(());

fn encoded(datagram: LaneDatagram<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    datagram.encode(&mut bytes);
    bytes
}

#[test]
fn the_simulated_internet_in_the_steady_state() {
    let _alone = ALONE.lock();
    for carrier in [Carrier::Datagram, Carrier::Stream] {
        let config = LinkConfig::default()
            .latency_us(40_000)
            .jitter_us(10_000)
            .duplicate(0.05)
            .damage(0.02);
        let air = NetAir::new(4, config.loss(Loss::Bernoulli(0.1)), 5).over(carrier);
        let mut ends: Vec<_> = (0..4).map(|end| air.end(end)).collect();
        let run = |ends: &mut Vec<net_transport::NetEnd>, ms: std::ops::Range<u64>| {
            let mut heard = 0;
            for ms in ms {
                let now = NetTime::from_ms(ms);
                for (at, end) in ends.iter_mut().enumerate() {
                    while let Some(event) = end.poll(now) {
                        heard += u32::from(matches!(event, NetEvent::Message { .. }));
                    }
                    for to in (0..4).filter(|to| ms % 16 == 0 && *to != at) {
                        let _ = end.send(now, PeerId(to as u32), Lane::Fast, &[7; 60]);
                        if ms % 512 == 0 {
                            let _ = end.send(now, PeerId(to as u32), Lane::Reliable, &[7; 900]);
                        }
                    }
                    std::hint::black_box(end.next_wake());
                }
            }
            heard
        };
        run(&mut ends, 0..20_000);
        let region = Region::new(ALLOCATOR);
        let heard = run(&mut ends, 20_000..30_000);
        let change = region.change();
        assert!(heard > 4_000, "{carrier:?}: {heard} messages");
        assert_eq!(
            change.allocations + change.reallocations,
            0,
            "{carrier:?}: {change:?}"
        );
    }
}

#[test]
fn lanes_in_the_steady_state() {
    let _alone = ALONE.lock();
    let config = LinkConfig::default()
        .latency_us(40_000)
        .jitter_us(10_000)
        .loss(Loss::Bernoulli(0.1));
    let air = NetAir::new(3, config, 9);
    let mut ends: Vec<_> = (0..3)
        .map(|end| LanesEnd::new(air.end(end), 50 + end as u32))
        .collect();
    let mut heard = 0;
    let mut run = |range: std::ops::Range<u64>| {
        for ms in range {
            let now = NetTime::from_ms(ms);
            for end in &mut ends {
                while let Some(event) = end.poll(now) {
                    heard += u32::from(matches!(event, NetEvent::Message { .. }));
                }
                for to in [PeerId(0), PeerId(1)] {
                    if ms % 16 == 0 {
                        let _ = end.send(now, to, Lane::Fast, &[7; 60]);
                    }
                    if ms % 1_000 == 0 {
                        let _ = end.send(now, to, Lane::Reliable, &[7; 5_000]);
                    }
                }
            }
        }
    };
    run(0..30_000);
    let region = Region::new(ALLOCATOR);
    run(30_000..40_000);
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{change:?}");
    assert!(heard > 12_000, "{heard} messages");
}

#[test]
fn what_a_hostile_peer_sends() {
    let _alone = ALONE.lock();
    let mut lanes = DatagramLanes::new(2);
    lanes
        .handle_datagram(
            NetTime::ZERO,
            &encoded(LaneDatagram::Hello { from: 1, to: 2 }),
        )
        .unwrap();
    let region = Region::new(ALLOCATOR);
    for number in 1..200_000_u32 {
        let bodies = [
            Body::Chunk {
                number: number.wrapping_mul(number),
                last: number % 3 == 0,
                bytes: &[7; CHUNK_BYTES_MAX],
            },
            Body::Fast(&[7; FAST_BYTES_MAX]),
            Body::Ack {
                next: number,
                beyond: u64::MAX,
            },
        ];
        for body in bodies {
            let datagram = encoded(LaneDatagram::Paired {
                pair: pair(1, 2),
                body,
            });
            lanes.handle_datagram(NetTime::ZERO, &datagram).unwrap();
        }
    }
    // One message, 64 chunks, and 16 fast ones with a buffer each.
    let change = region.change();
    let held = change.bytes_allocated - change.bytes_deallocated;
    assert!(held < 256 * 1024, "{held} bytes");
    assert!(lanes.is_up());
}
