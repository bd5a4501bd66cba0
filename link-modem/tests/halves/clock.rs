//! The device's clock: stamps, stale statistics, suspensions, gaps.

use crate::desk::{BLOCK, DELAY, Desk, frame};
use link_transport::{LinkTime, LinkTransport, Mode};
use std::time::Duration;

#[test]
fn a_packet_is_stamped_when_its_last_sample_arrived() {
    let mut desk = Desk::pair();
    desk.phones[0].link.send(&[frame(1)]);
    desk.run(6.0);
    let [host, guest] = &desk.phones;
    // Robust: 200 ms of air, and the fade out is not waited for.
    let delay_ms = 200.0 + DELAY as f64 / 48.0;
    let mut compared = 0;
    for packet in &guest.packets {
        let sent = host.slots.iter().map(|slot| {
            let ms = packet.at.as_us() as f64 - slot.at.as_us() as f64;
            ms / 1000.0 - delay_ms
        });
        let error_ms = sent.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
        assert!(error_ms.abs() < 6.0, "{error_ms} ms off");
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
    for pair in host.slots.windows(2).skip(2) {
        let apart_ms = pair[1].at.since(pair[0].at).as_secs_f64() * 1000.0;
        let sync_ms = (apart_ms - 250.0).abs().min((apart_ms - 200.0).abs());
        assert!(sync_ms < 6.0, "slots {apart_ms} ms apart");
    }
}

#[test]
fn statistics_go_stale_after_a_second_without_a_report() {
    let mut desk = Desk::pair();
    desk.run(3.0);
    let now = desk.now();
    let link = &mut desk.phones[0].link;
    assert!(link.stats().locked && link.modem_stats().is_some());
    let rx_ok = link.stats().rx_ok;
    assert!(link.poll(now + Duration::from_millis(700)).is_none());
    assert!(link.stats().locked, "not stale yet");
    assert!(link.poll(now + Duration::from_millis(1_300)).is_none());
    let stats = link.stats();
    assert!(!stats.locked && stats.snr_db.is_none() && stats.own_snr_db.is_none());
    assert_eq!(stats.rx_ok, rx_ok, "counts stand");
    assert!(link.modem_stats().is_none());
    assert!(link.newest_report().is_some());
}

/// Suspends the host's device, and says how long after it goes on the guest hears the host again.
fn heard_again_after_ms(desk: &mut Desk, suspended_s: f64) -> f64 {
    desk.phones[0].suspended = true;
    desk.run(suspended_s);
    desk.phones[0].suspended = false;
    let resumed = desk.now();
    desk.run(3.0);
    let guest = &desk.phones[1];
    let again = guest.packets.iter().find(|packet| packet.at > resumed);
    let again = again.expect("heard again").at;
    again.since(resumed).as_secs_f64() * 1000.0
}

#[test]
fn a_suspended_device_is_told_of_and_heard_again_quickly() {
    let mut desk = Desk::pair();
    for phone in &mut desk.phones {
        phone.link.send(&[frame(1)]);
        phone.link.set_mode(Mode::Fast);
    }
    desk.run(4.0);
    for suspended_s in [0.35, 1.2] {
        let ms = heard_again_after_ms(&mut desk, suspended_s);
        assert!(ms < 800.0, "after {suspended_s} s: {ms} ms");
    }
    // The clock goes on through it: what arrives now is stamped now.
    for phone in &desk.phones {
        let late = desk.now().since(phone.packets.last().unwrap().at);
        assert!(late < Duration::from_millis(350), "{late:?}");
        assert!(phone.packets.is_sorted_by_key(|packet| packet.at));
        assert!(phone.slots.is_sorted_by_key(|slot| slot.at));
    }
}

#[test]
fn a_gap_is_told_when_it_starts_and_with_its_total() {
    let mut desk = Desk::pair();
    desk.run(1.0);
    let Desk { phones, .. } = &mut desk;
    let (link, pump) = (&mut phones[0].link, phones[0].pump.as_mut().unwrap());
    let mut output = [0.0; BLOCK];
    let mut frame = phones[0].frame;
    let mut now = LinkTime::from_ms(11_000);
    let mut run = |input: [f32; BLOCK], blocks: u64| {
        for _ in 0..blocks {
            pump.process(&[&input], &mut output, frame);
            frame += BLOCK as u64;
            now = now + Duration::from_micros(2_667);
        }
        while link.poll(now).is_some() {}
        std::iter::from_fn(|| link.take_gap()).collect::<Vec<_>>()
    };
    // The silence before the first sound came round.
    run([0.1; BLOCK], 10);
    let started = run([0.0; BLOCK], 30);
    assert!(
        matches!(started[..], [gap] if gap.lasted.is_none()),
        "{started:?}"
    );
    assert!(run([0.0; BLOCK], 870).is_empty(), "one gap, however long");
    let ended = run([0.1; BLOCK], 1);
    let [gap] = ended[..] else {
        panic!("{ended:?}")
    };
    let lasted = gap.lasted.unwrap();
    assert_eq!(lasted.as_millis(), 2_400, "{ended:?}");
    assert!(gap.at.since(started[0].at) < Duration::from_millis(10));
}
