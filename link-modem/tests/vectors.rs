//! The receiver against recordings made by a separate implementation of the format.

mod common;
use common::{hear, listener, play, recording};
use link_modem::{Listen, ModemConfig, ModemCore};
use link_transport::{OutFrame, packet_ms};

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

/// The transmitter's own samples against a recording of a separate transmitter sending the same packets.
fn waveform(name: &str) {
    let recording = recording(name);
    let (rate_hz, plan) = (recording.sample_rate_hz, recording.plan);
    let rx = Listen::Role(recording.listen.other());
    let config = ModemConfig::new(rate_hz, recording.listen)
        .with_plan(plan)
        .with_rx(rx);
    let mut core = ModemCore::new(config).unwrap();
    if let Some(key) = recording.session {
        core.set_session_key(key);
    }
    let symbol = rate_hz as usize / 20;
    let mut played = Vec::new();
    let mut sent = recording.sent.iter().zip(1..);
    let superframes = recording.samples.len() / (41 * symbol);
    for superframe in 0..superframes {
        let mode = recording.modes[superframe.min(recording.modes.len() - 1)];
        core.set_tx_mode(mode);
        played.extend(play(&mut core, symbol));
        let packets = 40 * 50 / packet_ms(plan, mode) as usize;
        for _ in 0..packets {
            let (&bits, key) = sent.next().expect("a packet");
            core.set_payloads(&[OutFrame {
                bits,
                key,
                keyed: recording.session.is_some(),
            }]);
            played.extend(play(&mut core, 40 / packets * symbol));
        }
    }
    assert!(sent.next().is_none(), "{name}: not all packets were played");
    let start = recording.first_symbol_samples[0] as usize - symbol;
    let recorded = &recording.samples[start..][..played.len()];
    let energy: f32 = recorded.iter().map(|s| s * s).sum();
    let error: f32 = recorded
        .iter()
        .zip(&played)
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    let error_db = 10.0 * (error / energy).log10();
    println!("{name}: {error_db:.1} dB");
    // 16-bit rounding alone leaves −86 dB under a band at −15 dB of full scale.
    assert!(error_db < -80.0, "{name}: {error_db} dB off");
}

#[test]
fn the_transmitter_plays_what_the_recordings_hold() {
    for name in [
        "clean_high_guest_robust",
        "clean_high_guest_session",
        "clean_high_host_fast",
        "clean_high_host_switch",
        "clean_low_guest_fast",
        "clean_low_host_robust",
    ] {
        waveform(name);
    }
}
