//! PacketAir keeps the contract, and loses what it was told to lose.

use core::time::Duration;
use link_transport::*;

#[test]
fn keeps_the_contract() {
    for plan in [Plan::High, Plan::Low] {
        for seed in 0..4 {
            let clock_start = [LinkTime::from_ms(7), LinkTime::from_ms(123_456)];
            let (mut host, mut guest) = PacketAir::pair(
                AirConfig::default()
                    .with_plan(plan)
                    .with_clock_start(clock_start),
                seed,
            );
            contract::check(&mut host, &mut guest);
        }
    }
}

/// Polls both ends for `ms` and counts the packets the guest hears.
fn heard(host: &mut AirEnd, guest: &mut AirEnd, ms: u64) -> usize {
    let mut heard = 0;
    let start = guest.now();
    for step in 1..=ms / 10 {
        let now = start + Duration::from_millis(step * 10);
        while host.poll(now).is_some() {}
        while let Some(event) = guest.poll(now) {
            heard += usize::from(matches!(event, LinkEvent::Packet(_)));
        }
    }
    heard
}

#[test]
fn loses_what_it_is_told_to() {
    let bursts = Loss::GilbertElliott {
        to_bad: 0.05,
        to_good: 0.2,
        lost_in_good: 0.01,
        lost_in_bad: 0.8,
    };
    // In the bad state 0.05 / (0.05 + 0.2) = 20 % of the time.
    let bursts_rate = 0.8 * 0.01 + 0.2 * 0.8;
    for (loss, rate) in [
        (Loss::None, 0.0),
        (Loss::All, 1.0),
        (Loss::Bernoulli(0.3), 0.3),
        (bursts, bursts_rate),
    ] {
        let (mut host, mut guest) = PacketAir::pair(AirConfig::default().with_loss([loss; 2]), 9);
        let sent = 2_000_f64; // 400 s of robust packets, 200 ms each
        let lost = 1.0 - heard(&mut host, &mut guest, 400_000) as f64 / sent;
        assert!(
            (lost - rate).abs() < 0.04,
            "{loss:?}: lost {lost:.3}, expected {rate:.3}"
        );
    }
}

#[test]
fn the_seed_alone_decides() {
    let run = |seed| {
        let config = AirConfig::default().with_loss([Loss::Bernoulli(0.5); 2]);
        let (mut host, mut guest) = PacketAir::pair(config, seed);
        (0..50)
            .map(|_| heard(&mut host, &mut guest, 500))
            .collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn an_end_that_never_polls_costs_bounded_memory_and_the_other_goes_on() {
    let (mut host, mut guest) = PacketAir::pair(AirConfig::default(), 3);
    host.send(&[OutFrame {
        bits: FrameBits::from_bytes(&[1, 2, 3], 24),
        key: 0,
        keyed: false,
    }]);
    let mut packets = 0;
    for hour in 1..=3 {
        while let Some(event) = guest.poll(LinkTime::from_ms(hour * 3_600_000)) {
            packets += usize::from(matches!(event, LinkEvent::Packet(_)));
        }
    }
    assert!(packets > 1000);
    let mut late = 0;
    while host.poll(LinkTime::from_ms(3 * 3_600_000)).is_some() {
        late += 1;
    }
    assert!(late <= 2048, "{late}");
}
