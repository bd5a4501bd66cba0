//! The relay keeps the contract over a wire of bytes, tells each frame kind by its own checksum, and survives any bytes.

use core::time::Duration;
use link_transport::relay::{BODY_MAX, BODY_MIN, Relay, RelayConfig, RelayError, RelayMessage};
use link_transport::*;
use proptest::prelude::*;
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

type Pipe = Rc<RefCell<VecDeque<u8>>>;

/// A relay with its host: an end of a wire that hands bytes over a few at a time.
struct Wired {
    relay: Relay,
    from: Pipe,
    to: Pipe,
}

impl Wired {
    fn pair(configs: [RelayConfig; 2], seed: u64) -> [Self; 2] {
        let pipes: [Pipe; 2] = Default::default();
        [0, 1].map(|end| Self {
            relay: Relay::new(configs[end], seed),
            from: Rc::clone(&pipes[end]),
            to: Rc::clone(&pipes[1 - end]),
        })
    }
}

impl LinkTransport for Wired {
    fn send(&mut self, frames: &[OutFrame]) {
        self.relay.send(frames);
    }

    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        // Three bytes at a time: no read of a socket has to end where a message does.
        let bytes: Vec<u8> = self.from.borrow_mut().drain(..).collect();
        for some in bytes.chunks(3) {
            self.relay.handle_bytes(now, some).unwrap();
        }
        let event = self.relay.poll(now);
        while let Some(message) = self.relay.poll_message() {
            self.to.borrow_mut().extend(message);
        }
        event
    }

    fn now(&self) -> LinkTime {
        self.relay.now()
    }

    fn set_mode(&mut self, mode: Mode) {
        self.relay.set_mode(mode);
    }

    fn set_session_key(&mut self, key: SessionKey) {
        self.relay.set_session_key(key);
    }

    fn stats(&self) -> LinkStats {
        self.relay.stats()
    }

    fn close(&mut self) {
        self.relay.close();
    }
}

fn configs(change: impl Fn(&mut RelayConfig)) -> [RelayConfig; 2] {
    [Role::Host, Role::Guest].map(|role| {
        let mut config = RelayConfig::new(role);
        change(&mut config);
        config
    })
}

#[test]
fn keeps_the_contract() {
    for plan in [Plan::High, Plan::Low] {
        for (seed, latency_ms) in [(0, 0), (1, 250), (2, 2000)] {
            let configs = configs(|config| {
                config.plan = plan;
                config.latency = Duration::from_millis(latency_ms);
            });
            let [mut host, mut guest] = Wired::pair(configs, seed);
            contract::check(&mut host, &mut guest);
        }
    }
}

fn frame(byte: u8, keyed: bool) -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(&[byte; 20], 155),
        key: u32::from(byte),
        keyed,
    }
}

/// The next message that a relay of `role` sends of `frame` under `key`.
fn message(role: Role, frame: OutFrame, key: Option<SessionKey>) -> RelayMessage {
    let mut relay = Relay::new(RelayConfig::new(role), 3);
    if let Some(key) = key {
        relay.set_session_key(key);
    }
    relay.send(&[frame]);
    for ms in (0..1000).step_by(10) {
        while relay.poll(LinkTime::from_ms(ms)).is_some() {}
        if let Some(message) = relay.poll_message() {
            return message;
        }
    }
    panic!("nothing was sent");
}

/// What a guest under `key` makes of a message.
fn heard(message: &[u8], key: Option<SessionKey>) -> Option<LinkPacket> {
    let mut relay = Relay::new(RelayConfig::new(Role::Guest), 4);
    if let Some(key) = key {
        relay.set_session_key(key);
    }
    relay.handle_bytes(LinkTime::ZERO, message).ok()?;
    packet(&mut relay, LinkTime::ZERO)
}

fn packet(relay: &mut Relay, now: LinkTime) -> Option<LinkPacket> {
    while let Some(event) = relay.poll(now) {
        if let LinkEvent::Packet(packet) = event {
            return Some(packet);
        }
    }
    None
}

fn key(host_nonce: u16) -> SessionKey {
    SessionKey {
        host_nonce,
        guest_nonce: 7,
    }
}

/// Under a session key whose start value is the default one, a checksum alone cannot tell a game frame from a lobby
/// frame.
#[test]
fn each_frame_kind_is_checked_under_its_own_start_even_where_the_session_key_is_0xffff() {
    let pairs = (1..=16).flat_map(|guest_nonce| {
        (1..=u16::MAX).map(move |host_nonce| SessionKey {
            host_nonce,
            guest_nonce,
        })
    });
    let same = pairs
        .into_iter()
        .find(|key| key.crc_start(Role::Host) == CRC_START_DEFAULT)
        .expect("one in 32,768 is");
    for session in [same, key(1)] {
        let game = message(Role::Host, frame(9, true), Some(session));
        let lobby = message(Role::Host, frame(8, false), Some(session));
        let sessions = |message: &[u8], key| heard(message, key).map(|packet| packet.session);
        assert_eq!(sessions(&game, Some(session)), Some(true));
        assert_eq!(sessions(&game, Some(key(2))), None, "another session's");
        assert_eq!(sessions(&game, None), None, "no session yet");
        for held in [Some(session), Some(key(2)), None] {
            assert_eq!(sessions(&lobby, held), Some(false));
        }
    }
}

/// The peer's own signal coming back is no peer: its key is the other role's.
#[test]
fn a_game_frame_of_ones_own_role_is_dropped() {
    let own = message(Role::Guest, frame(9, true), Some(key(1)));
    assert_eq!(heard(&own, Some(key(1))), None);
}

#[test]
fn a_packet_goes_out_every_period_whether_or_not_its_frame_changed() {
    for (plan, mode, period_ms) in [
        (Plan::High, Mode::Fast, 100),
        (Plan::High, Mode::Robust, 200),
        (Plan::Low, Mode::Fast, 200),
        (Plan::Low, Mode::Robust, 400),
    ] {
        let mut config = RelayConfig::new(Role::Host);
        config.plan = plan;
        let mut relay = Relay::new(config, 1);
        relay.set_mode(mode);
        relay.send(&[frame(1, false)]);
        let mut sent = 0;
        for ms in (0..20_000).step_by(10) {
            while relay.poll(LinkTime::from_ms(ms)).is_some() {}
            while relay.poll_message().is_some() {
                sent += 1;
            }
        }
        let expected = 20_000 / period_ms;
        assert!(
            (expected - 3..=expected).contains(&sent),
            "{plan:?} {mode:?}: {sent}"
        );
    }
}

#[test]
fn a_host_that_was_held_up_sends_no_backlog() {
    let mut relay = Relay::new(RelayConfig::new(Role::Host), 1);
    while relay.poll(LinkTime::ZERO).is_some() {}
    let late = LinkTime::from_ms(3_600_000);
    let mut slots = 0;
    while let Some(LinkEvent::Slot(slot)) = relay.poll(late) {
        assert_eq!(slot.at, late);
        slots += 1;
    }
    assert_eq!(slots, 1);
}

/// Of a known share lost, that share is missed, and the other end counts it.
#[test]
fn loss_is_seeded_and_counted() {
    let lossy = configs(|config| config.loss = 0.3);
    let play = |seed| {
        let [mut host, mut guest] = Wired::pair(lossy, seed);
        for ms in (0..200_000).step_by(10) {
            let now = LinkTime::from_ms(ms);
            while host.poll(now).is_some() {}
            while guest.poll(now).is_some() {}
        }
        [host, guest].map(|end| (end.stats().rx_ok, end.stats().rx_bad))
    };
    for (ok, bad) in play(5) {
        assert!((990..=1000).contains(&(ok + bad)), "{ok} + {bad} of 1000");
        assert!((250..350).contains(&bad), "{bad} of 1000 lost");
    }
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn a_stream_that_is_no_relays_says_so_for_good() {
    let good = message(Role::Host, frame(1, false), None);
    let mut other_version = good.clone();
    other_version[1] = 0x20 | other_version[1] & 0x0F;
    let mut low = RelayConfig::new(Role::Guest);
    low.plan = Plan::Low;
    let high = RelayConfig::new(Role::Guest);
    let cases: [(RelayConfig, &[u8], RelayError); 4] = [
        (high, b"\0", RelayError::Length { found: 0 }),
        (high, b"GET / HTTP/1.1", RelayError::Length { found: b'G' }),
        (high, &other_version, RelayError::Version { found: 2 }),
        (
            low,
            &good,
            RelayError::OtherPlan {
                theirs: Plan::High,
                ours: Plan::Low,
            },
        ),
    ];
    for (config, bytes, error) in cases {
        let mut relay = Relay::new(config, 1);
        assert_eq!(relay.handle_bytes(LinkTime::ZERO, bytes), Err(error));
        assert_eq!(relay.handle_bytes(LinkTime::ZERO, &good), Err(error));
        assert_eq!(packet(&mut relay, LinkTime::ZERO), None);
    }
    assert!(!(BODY_MIN..=BODY_MAX).contains(&usize::from(b'G')));
}

#[test]
fn a_message_with_any_byte_changed_is_never_heard() {
    let session = Some(key(1));
    for keyed in [false, true] {
        let message = message(Role::Host, frame(0x5A, keyed), session);
        assert!(heard(&message, session).is_some());
        for at in 0..message.len() {
            for change in 1..=u8::MAX {
                let mut bytes = message.to_vec();
                bytes[at] ^= change;
                assert_eq!(heard(&bytes, session), None, "byte {at} ^ {change:#x}");
            }
        }
    }
}

proptest! {
    /// Whatever the bytes and however they are cut: no panic, and nothing is heard but whole packets.
    #[test]
    fn hostile_bytes(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::collection::vec(any::<u8>(), 0..80),
                // Lengths and versions that can be, so that bytes get as far as the checksum.
                (5_u8..38, any::<u8>(), prop::collection::vec(any::<u8>(), 37)).prop_map(|(length, flags, rest)| {
                    let mut message = vec![length, 0x10 | flags & 0x0B];
                    message.extend(&rest[..usize::from(length) - 1]);
                    message
                }),
                (any::<u8>(), any::<bool>()).prop_map(|(byte, keyed)| {
                    message(Role::Host, frame(byte, keyed), Some(key(1))).to_vec()
                }),
            ],
            0..40,
        ),
    ) {
        let mut relay = Relay::new(RelayConfig::new(Role::Guest), 1);
        relay.set_session_key(key(1));
        for (ms, piece) in (0..).step_by(10).zip(&pieces) {
            let now = LinkTime::from_ms(ms);
            let _ = relay.handle_bytes(now, piece);
            while let Some(event) = relay.poll(now) {
                if let LinkEvent::Packet(packet) = event {
                    prop_assert_eq!(packet.bits.len(), relay.capacity_bits());
                    prop_assert!(packet.at <= now);
                }
            }
        }
        prop_assert!(relay.stats().rx_ok <= pieces.len() as u64 * 2);
    }
}

#[test]
fn a_flood_is_bounded_and_the_newest_stays() {
    let mut relay = Relay::new(RelayConfig::new(Role::Guest), 1);
    for byte in 1..=255 {
        let flood = message(Role::Host, frame(byte, false), None);
        relay.handle_bytes(LinkTime::ZERO, &flood).unwrap();
    }
    let mut newest = None;
    let mut count = 0;
    while let Some(packet) = packet(&mut relay, LinkTime::ZERO) {
        newest = Some(packet.bits.as_bytes()[0]);
        count += 1;
    }
    assert_eq!((newest, count <= 64), (Some(255), true));
}
