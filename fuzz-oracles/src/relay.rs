//! A relay fed any bytes: what it takes is what a slow, obvious reader of the same bytes finds, however they are cut.

use arbitrary::{Arbitrary, Unstructured};
use core::time::Duration;
use link_transport::{
    CRC_START_DEFAULT, FrameBits, LinkEvent, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role,
    SessionKey, capacity_bits,
    relay::{BODY_MAX, BODY_MIN, Relay, RelayConfig, VERSION},
};

#[derive(Arbitrary, Debug)]
enum Operation {
    /// Bytes of nobody's.
    Bytes {
        len: u8,
    },
    /// The peer's next messages, of which one byte may be damaged and the end cut off.
    Honest {
        damage: Option<(u8, u8)>,
        cut: u8,
    },
    Wait {
        ms: u16,
    },
    Key {
        host: u16,
        guest: u16,
    },
    PeersKey {
        host: u16,
        guest: u16,
    },
    Send {
        bytes: [u8; 4],
        keyed: bool,
    },
    Mode {
        fast: bool,
    },
}

/// What the slow reader has found so far.
#[derive(Default)]
struct Reader {
    unread: Vec<u8>,
    broken: bool,
    found: Vec<(FrameBits, bool)>,
}

impl Reader {
    fn read(&mut self, bytes: &[u8], config: &RelayConfig, key: Option<SessionKey>) {
        self.unread.extend_from_slice(bytes);
        while let Some(&length) = self.unread.first() {
            let length = usize::from(length);
            self.broken |= !(BODY_MIN..=BODY_MAX).contains(&length);
            if self.broken || self.unread.len() <= length {
                return;
            }
            let message: Vec<u8> = self.unread.drain(..=length).skip(1).collect();
            let (sealed, checksum) = message.split_at(length - 2);
            let (flags, bits, payload) = (sealed[0], usize::from(sealed[2]), &sealed[3..]);
            let low = config.plan == Plan::Low;
            self.broken |= flags >> 4 != VERSION || (flags & 4 != 0) != low;
            if self.broken {
                return;
            }
            let keyed = flags & 1 != 0;
            let start = match key {
                _ if !keyed => CRC_START_DEFAULT,
                Some(key) => key.crc_start(config.role.other()),
                None => continue,
            };
            let whole = bits == capacity_bits(config.plan) && payload.len() == bits.div_ceil(8);
            if whole && crc_bit_by_bit(start, sealed).to_be_bytes() == checksum {
                self.found
                    .push((FrameBits::from_bytes(payload, bits), keyed));
            }
        }
    }
}

fn crc_bit_by_bit(start: u16, bytes: &[u8]) -> u16 {
    let mut crc = start;
    for &byte in bytes {
        crc ^= u16::from(byte) << 8;
        for _ in 0..8 {
            crc = crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 };
        }
    }
    crc
}

fn packets(relay: &mut Relay, now: LinkTime, into: &mut Vec<(FrameBits, bool)>) {
    while let Some(event) = relay.poll(now) {
        if let LinkEvent::Packet(packet) = event {
            assert!(packet.at <= now, "heard before it came");
            into.push((packet.bits, packet.session));
        }
    }
}

/// A relay under any sequence of operations. First byte: role and plan.
pub fn relay(data: &[u8]) {
    let Some((&head, rest)) = data.split_first() else {
        return;
    };
    let mut input = Unstructured::new(rest);
    let config =
        |role| RelayConfig::new(role).with_plan(if head & 2 == 0 { Plan::High } else { Plan::Low });
    let role = if head & 1 == 0 {
        Role::Host
    } else {
        Role::Guest
    };
    let ours = config(role);
    let (mut whole, mut bytewise) = (Relay::new(ours, 1), Relay::new(ours, 1));
    let mut peer = Relay::new(config(role.other()), 2);
    let mut reader = Reader::default();
    let (mut from_whole, mut from_bytewise) = (Vec::new(), Vec::new());
    let (mut now, mut key) = (LinkTime::ZERO, None);
    // Arbitrary values can be made of no bytes at all, for ever.
    while !input.is_empty()
        && let Ok(operation) = Operation::arbitrary(&mut input)
    {
        let mut bytes = Vec::new();
        match operation {
            Operation::Bytes { len } => {
                let len = usize::from(len).min(input.len());
                bytes.extend_from_slice(input.bytes(len).expect("as many as there are"));
            }
            Operation::Honest { damage, cut } => {
                while let Some(message) = peer.poll_message() {
                    bytes.extend_from_slice(&message);
                }
                if let Some((at, with)) = damage
                    && !bytes.is_empty()
                {
                    let at = usize::from(at) % bytes.len();
                    bytes[at] ^= with;
                }
                if cut >= 0xF0 {
                    bytes.truncate(bytes.len().saturating_sub(usize::from(cut - 0xF0)));
                }
            }
            Operation::Wait { ms } => now = now + Duration::from_millis(ms.into()),
            Operation::Key { host, guest } => {
                let new = SessionKey {
                    host_nonce: host,
                    guest_nonce: guest,
                };
                key = Some(new);
                whole.set_session_key(new);
                bytewise.set_session_key(new);
            }
            Operation::PeersKey { host, guest } => peer.set_session_key(SessionKey {
                host_nonce: host,
                guest_nonce: guest,
            }),
            Operation::Send { bytes, keyed } => peer.send(&[OutFrame {
                bits: FrameBits::from_bytes(&bytes, 32),
                key: 0,
                keyed,
            }]),
            Operation::Mode { fast } => {
                peer.set_mode(if fast { Mode::Fast } else { Mode::Robust });
            }
        }
        while peer.poll(now).is_some() {}
        let (mut all, mut single) = (whole.handle_bytes(now, &bytes), Ok(()));
        for byte in &bytes {
            single = bytewise.handle_bytes(now, &[*byte]);
        }
        if bytes.is_empty() {
            // Nothing new: both say again what they said before.
            (all, single) = (
                whole.handle_bytes(now, &[]),
                bytewise.handle_bytes(now, &[]),
            );
        }
        assert_eq!(all, single, "however the bytes are cut");
        reader.read(&bytes, &ours, key);
        assert_eq!(
            all.is_err(),
            reader.broken,
            "over exactly when the framing is lost"
        );
        // Often enough that no queue overflows: a message is at least six bytes, and no operation brings over 255.
        packets(&mut whole, now, &mut from_whole);
        packets(&mut bytewise, now, &mut from_bytewise);
        assert_eq!(from_whole, reader.found);
        assert_eq!(from_bytewise, reader.found);
        assert_eq!(whole.stats(), bytewise.stats());
        assert_eq!(whole.stats().rx_ok, reader.found.len() as u64);
    }
}
