//! The receiver against recordings made by a separate implementation of the format.

mod common;
use common::{hear, listener, recording};

fn clean(name: &str) {
    let recording = recording(name);
    let mut core = listener(recording.sample_rate_hz, recording.plan, recording.listen);
    if let Some(key) = recording.session {
        core.set_session_key(key);
    }
    let heard = hear(&mut core, &recording.samples, 128);
    let stats = core.stats();
    let worst = heard
        .iter()
        .map(|packet| packet.snr_db)
        .fold(f32::INFINITY, f32::min);
    println!(
        "{name}: {} of {} packets, {worst:.1} dB at worst, {stats:?}",
        heard.len(),
        recording.sent.len()
    );
    let bits: Vec<_> = heard.iter().map(|packet| packet.bits).collect();
    assert_eq!(bits, recording.sent, "{name}");
    assert!(worst > 45.0, "{name}: {worst} dB");
    let backoff = (recording.sample_rate_hz / 1000) as u64;
    let prefix = u64::from(recording.sample_rate_hz / 100);
    for (packet, start) in heard.iter().zip(&recording.first_symbol_samples) {
        assert_eq!(packet.session, recording.session.is_some());
        let expected = start + prefix - backoff;
        // The first-path rule reads a path half a correlation peak early: 0.2 ms, 0.4 ms on the low plan.
        let tolerance = u64::from(recording.sample_rate_hz / 2000);
        assert!(
            packet.sample.abs_diff(expected) <= tolerance,
            "{name}: {} for {expected}",
            packet.sample
        );
    }
}

fn room(name: &str) {
    let recording = recording(name);
    let mut core = listener(recording.sample_rate_hz, recording.plan, recording.listen);
    let heard = hear(&mut core, &recording.samples, 128);
    let mean = heard.iter().map(|packet| packet.snr_db).sum::<f32>() / heard.len().max(1) as f32;
    println!(
        "{name}: {} of {} packets (reference {}), {mean:.1} dB, {:?}",
        heard.len(),
        recording.sent.len(),
        recording.reference_decoded,
        core.stats()
    );
    let mut last = None;
    for packet in &heard {
        let place = recording.sent.iter().position(|sent| *sent == packet.bits);
        assert!(
            place.is_some(),
            "{name}: a packet never sent, {:?}",
            packet.bits
        );
        assert!(place > last, "{name}: packet {place:?} after {last:?}");
        last = place;
    }
    assert!(
        heard.len() >= recording.reference_decoded,
        "{name}: {} packets",
        heard.len()
    );
}

macro_rules! recordings {
    ($check:ident: $($name:ident),+) => { $(#[test] fn $name() { $check(stringify!($name)); })+ };
}

recordings!(clean: clean_high_guest_robust, clean_high_guest_session, clean_high_host_fast, clean_high_host_switch,
    clean_low_guest_fast, clean_low_host_robust);
recordings!(room: room_20cm_high_fast, room_20cm_high_fast_gap, room_20cm_low_fast_44k1, room_30cm_low_robust,
    room_40cm_high_robust_cluster, room_80cm_high_robust_noisy);
