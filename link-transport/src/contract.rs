//! What every link promises, numbered, and [`check`], which holds a link to it.
//!
//! 1. **Time.** `now()` repeats the latest time given to `poll`, and never goes back.
//! 2. **Capacity.** `capacity_bits()` is constant, and every packet delivered has exactly that many bits.
//! 3. **Latest state.** A packet carries one frame of the newest list, its bits first and then zeros; a list of one
//!    is repeated in every packet until it is replaced. With no list a packet carries zeros.
//! 4. **Rotation.** After a packet with key k comes the first frame whose key is greater, or else the first.
//! 5. **Slots.** Each packet of one's own is told as a slot, in order, at the time it started, with its key.
//! 6. **Arrival.** `at` is when the packet's last sample arrived: never after `now()`, never falling, and no sooner
//!    after the slot that sent it than the packet takes.
//! 7. **Too long.** A frame longer than the capacity goes out as zeros with slot key `None`, and the rotation moves on.
//! 8. **Session.** A keyed frame arrives only where the same session key is set, with `session` true; another
//!    arrives with `session` false, key or no key.
//! 9. **Modes.** After `set_mode`, packets soon take that mode's time, and both ends' statistics say so.
//! 10. **Both ways.** All of this holds in both directions at once.
//! 11. **Close.** A closed end hands out nothing more and is heard no more.

use crate::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, Mode, OutFrame, SessionKey, Slot,
    packet_ms,
};
use alloc::vec::Vec;
use core::time::Duration;

/// How often the check polls.
const STEP: Duration = Duration::from_millis(10);
/// The longest a link may take to hear its peer at all: a superframe, a sync, a few packets.
const ACQUIRE_MS: u64 = 8_000;
/// The longest a new list, mode or key may take to be heard: a superframe and a few packets.
const SETTLE_MS: u64 = 4_500;

/// What one end saw during a stretch of time.
#[derive(Default)]
struct Seen {
    packets: Vec<LinkPacket>,
    slots: Vec<Slot>,
}

struct Ends<'a> {
    links: [&'a mut dyn LinkTransport; 2],
    clocks: [LinkTime; 2],
}

impl Ends<'_> {
    /// Runs both ends for `ms` and checks what holds at every moment (rules 1, 2, 5 and 6).
    fn run(&mut self, ms: u64) -> [Seen; 2] {
        let mut seen = [Seen::default(), Seen::default()];
        for _ in 0..ms / STEP.as_millis() as u64 {
            for (end, seen) in seen.iter_mut().enumerate() {
                self.clocks[end] = self.clocks[end] + STEP;
                self.poll(end, seen);
            }
        }
        seen
    }

    fn poll(&mut self, end: usize, seen: &mut Seen) {
        let now = self.clocks[end];
        let link = &mut self.links[end];
        while let Some(event) = link.poll(now) {
            assert_eq!(link.now(), now, "rule 1: now() is the time given to poll");
            match event {
                LinkEvent::Packet(packet) => {
                    assert_eq!(
                        packet.bits.len(),
                        link.capacity_bits(),
                        "rule 2: a packet is as long as the capacity"
                    );
                    assert!(
                        packet.at <= now,
                        "rule 6: a packet from the future: {:?} at {now:?}",
                        packet.at
                    );
                    let last = seen.packets.last().map_or(LinkTime::ZERO, |last| last.at);
                    assert!(packet.at >= last, "rule 6: packets out of order");
                    seen.packets.push(packet);
                }
                LinkEvent::Slot(slot) => {
                    assert!(
                        slot.at <= now,
                        "rule 5: a slot from the future: {:?} at {now:?}",
                        slot.at
                    );
                    let last = seen.slots.last().map_or(LinkTime::ZERO, |last| last.at);
                    assert!(slot.at >= last, "rule 5: slots out of order");
                    seen.slots.push(slot);
                }
            }
        }
        assert_eq!(link.now(), now, "rule 1: now() is the time given to poll");
        let earlier = LinkTime::from_us(now.as_us().saturating_sub(1));
        assert!(
            link.poll(earlier).is_none(),
            "draining: poll said None, then had more"
        );
        assert_eq!(link.now(), now, "rule 1: time went back");
    }

    fn send(&mut self, end: usize, frames: &[OutFrame]) {
        self.links[end].send(frames);
    }
}

fn frame(end: usize, tag: u8, key: u32, keyed: bool) -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(&[0x50 | end as u8, tag, 0xA5], 21),
        key,
        keyed,
    }
}

fn count(seen: &Seen, frame: OutFrame, session: bool) -> usize {
    let carries = |packet: &&LinkPacket| is(&packet.bits, frame) && packet.session == session;
    seen.packets.iter().filter(carries).count()
}

fn is(bits: &FrameBits, frame: OutFrame) -> bool {
    *bits == frame.bits.resized(bits.len())
}

/// Holds two connected ends to the contract, the host's first; both must be new, lossless and start at the times
/// that their `now()` says. Leaves them closed.
///
/// # Panics
/// With the number of the rule that does not hold.
pub fn check(host: &mut dyn LinkTransport, guest: &mut dyn LinkTransport) {
    let clocks = [host.now(), guest.now()];
    let mut ends = Ends {
        links: [host, guest],
        clocks,
    };
    zeros_until_a_list(&mut ends);
    latest_state(&mut ends);
    rotation(&mut ends);
    too_long(&mut ends);
    session(&mut ends);
    modes(&mut ends);
    close(&mut ends);
}

/// Rules 3 and 10: with no list, both ends send and hear zeros.
fn zeros_until_a_list(ends: &mut Ends<'_>) {
    for seen in ends.run(ACQUIRE_MS) {
        assert!(
            !seen.packets.is_empty(),
            "rule 10: nothing heard in {ACQUIRE_MS} ms"
        );
        assert!(
            seen.packets.iter().all(|p| p.bits.as_bitslice().not_any()),
            "rule 3: no list means zeros"
        );
        assert!(
            seen.slots.iter().all(|slot| slot.key.is_none()),
            "rule 5: no list means no key"
        );
    }
}

/// Rules 3 and 6: a list of one repeats; the next replaces it.
fn latest_state(ends: &mut Ends<'_>) {
    for tag in [1, 2] {
        for end in [0, 1] {
            ends.send(end, &[frame(end, tag, 7, false)]);
        }
        ends.run(SETTLE_MS);
        let seen = ends.run(3_000);
        for end in [0, 1] {
            let theirs = frame(1 - end, tag, 7, false);
            let heard = &seen[end];
            assert_eq!(
                count(heard, theirs, false),
                heard.packets.len(),
                "rule 3: only the newest list is heard"
            );
            assert!(
                heard.packets.len() > 3,
                "rule 3: a list of one repeats; heard {}",
                heard.packets.len()
            );
            assert!(
                heard.slots.iter().all(|slot| slot.key == Some(7)),
                "rule 5: every slot has its key"
            );
            period(
                &heard.slots,
                packet_ms(
                    ends.links[end].stats().plan,
                    ends.links[end].stats().tx_mode,
                ),
            );
        }
    }
}

/// Rule 5: slots come a packet apart, or a packet and a sync.
fn period(slots: &[Slot], packet_ms: u32) {
    let apart = slots
        .windows(2)
        .map(|pair| pair[1].at.since(pair[0].at).as_millis() as i64);
    let plain = apart
        .filter(|&ms| (ms - i64::from(packet_ms)).abs() <= 2)
        .count();
    assert!(
        plain * 2 > slots.len(),
        "rule 5: slots are a packet of {packet_ms} ms apart: {slots:?}"
    );
}

/// Rule 4: keys in turn, and frames heard in that order.
fn rotation(ends: &mut Ends<'_>) {
    let keys = [3, 10, 11];
    for end in [0, 1] {
        let frames: Vec<_> = keys
            .iter()
            .map(|&key| frame(end, key as u8, key, false))
            .collect();
        ends.send(end, &frames);
    }
    ends.run(SETTLE_MS);
    for (end, seen) in ends.run(4_000).iter().enumerate() {
        for pair in seen.slots.windows(2) {
            let after = keys
                .iter()
                .position(|&key| Some(key) == pair[0].key)
                .map(|at| keys[(at + 1) % keys.len()]);
            assert_eq!(pair[1].key, after, "rule 4: keys in rotation");
        }
        let tags: Vec<u8> = seen
            .packets
            .iter()
            .map(|packet| packet.bits.as_bytes()[1])
            .collect();
        for pair in tags.windows(2) {
            let after = keys
                .iter()
                .position(|&key| key as u8 == pair[0])
                .map(|at| keys[(at + 1) % keys.len()] as u8);
            assert_eq!(
                Some(pair[1]),
                after,
                "rule 4: end {end} hears frames in rotation: {tags:?}"
            );
        }
    }
}

/// Rule 7: zeros in a too long frame's place, and the rotation goes on.
fn too_long(ends: &mut Ends<'_>) {
    let capacity = ends.links[0].capacity_bits();
    for end in [0, 1] {
        let long = OutFrame {
            bits: FrameBits::from_bytes(&[0xFF; 32], capacity + 1),
            key: 5,
            keyed: false,
        };
        ends.send(end, &[frame(end, 4, 4, false), long]);
    }
    ends.run(SETTLE_MS);
    for (end, seen) in ends.run(3_000).iter().enumerate() {
        let zeros = seen
            .packets
            .iter()
            .filter(|packet| packet.bits.as_bitslice().not_any())
            .count();
        let good = count(seen, frame(1 - end, 4, 4, false), false);
        assert_eq!(
            zeros + good,
            seen.packets.len(),
            "rule 7: a frame that does not fit is never cut"
        );
        assert!(
            zeros > 0 && good > 0,
            "rule 7: the rotation moves past it: {good} good, {zeros} zeros"
        );
        assert!(
            seen.slots
                .windows(2)
                .all(|pair| pair[0].key.is_none() != pair[1].key.is_none()),
            "rule 7: slot keys"
        );
    }
}

/// Rule 8: keyed frames need the same key at both ends.
fn session(ends: &mut Ends<'_>) {
    let key = SessionKey {
        host_nonce: 4660,
        guest_nonce: 48879,
    };
    let other = SessionKey {
        host_nonce: 4660,
        guest_nonce: 48880,
    };
    let send = |ends: &mut Ends<'_>| {
        for end in [0, 1] {
            ends.send(end, &[frame(end, 8, 8, false), frame(end, 9, 9, true)]);
        }
    };
    ends.links[0].set_session_key(key);
    ends.links[1].set_session_key(other);
    send(ends);
    ends.run(SETTLE_MS);
    for (end, seen) in ends.run(3_000).iter().enumerate() {
        assert_eq!(
            count(seen, frame(1 - end, 8, 8, false), false),
            seen.packets.len(),
            "rule 8: keys differ"
        );
        assert!(
            !seen.packets.is_empty(),
            "rule 8: a frame without a key passes whatever the keys"
        );
    }
    ends.links[1].set_session_key(key);
    ends.run(SETTLE_MS);
    for (end, seen) in ends.run(3_000).iter().enumerate() {
        let (plain, keyed) = (frame(1 - end, 8, 8, false), frame(1 - end, 9, 9, true));
        assert!(
            count(seen, keyed, true) > 0 && count(seen, plain, false) > 0,
            "rule 8: both arrive under one key"
        );
        let known = count(seen, keyed, true) + count(seen, plain, false);
        assert_eq!(
            known,
            seen.packets.len(),
            "rule 8: session says which CRC start matched"
        );
    }
}

/// Rule 9: a switch, each way alone.
fn modes(ends: &mut Ends<'_>) {
    for (host, guest) in [
        (Mode::Fast, Mode::Robust),
        (Mode::Robust, Mode::Fast),
        (Mode::Fast, Mode::Fast),
    ] {
        let modes = [host, guest];
        for end in [0, 1] {
            ends.links[end].set_mode(modes[end]);
            ends.send(end, &[frame(end, 12, 12, false)]);
        }
        ends.run(SETTLE_MS);
        for (end, seen) in ends.run(3_000).iter().enumerate() {
            let stats = ends.links[end].stats();
            assert_eq!(stats.tx_mode, modes[end], "rule 9: the mode on the air");
            assert_eq!(
                stats.rx_mode,
                Some(modes[1 - end]),
                "rule 9: the peer's mode"
            );
            period(&seen.slots, packet_ms(stats.plan, modes[end]));
            let heard = count(seen, frame(1 - end, 12, 12, false), false);
            assert_eq!(heard, seen.packets.len(), "rule 9: frames survive a switch");
            assert!(heard > 0, "rule 9: nothing heard after a switch");
        }
    }
}

/// Rule 11.
fn close(ends: &mut Ends<'_>) {
    ends.links[0].close();
    ends.run(SETTLE_MS);
    for seen in ends.run(2_000) {
        assert!(
            seen.packets.is_empty(),
            "rule 11: a closed end is heard no more and hears nothing"
        );
    }
    let closed = ends.run(500);
    assert!(
        closed[0].slots.is_empty() && !closed[1].slots.is_empty(),
        "rule 11: the other end goes on"
    );
    ends.links[1].close();
    assert_eq!(
        ends.run(500).map(|seen| seen.slots.len()),
        [0, 0],
        "rule 11: both closed"
    );
}
