//! Lanes over datagrams, fed any bytes and any fate of their datagrams: what arrives is what was sent, in order, until
//! somebody else speaks with the right tokens; and then nothing worse happens than an end.

use arbitrary::{Arbitrary, Unstructured};
use net_transport::{
    Body, DatagramLanes, Lane, LaneDatagram, LanesEvent, NetTime, SendResult, pair,
};
use std::collections::VecDeque;

#[derive(Arbitrary, Debug)]
enum Operation {
    Send {
        from: bool,
        length: u16,
    },
    Fast {
        from: bool,
        length: u16,
    },
    Wait {
        ms: u8,
    },
    /// The datagram at this place of the queue arrives, twice perhaps, damaged perhaps, at once or again later.
    Arrive {
        to: bool,
        place: u8,
        twice: bool,
        damage: Option<(u16, u8)>,
    },
    Lose {
        to: bool,
    },
    /// Somebody who knows both tokens.
    Chunk {
        to: bool,
        number: u32,
        last: bool,
        length: u16,
    },
    Ack {
        to: bool,
        next: u32,
        beyond: u64,
    },
    Hello {
        to: bool,
        from: u32,
        knows: bool,
    },
    Close {
        to: bool,
    },
    Restart {
        end: bool,
        token: u16,
    },
}

const TOKENS: [u32; 2] = [0x1111, 0x2222];
/// Datagrams under way, at most; the oldest is lost.
const FLYING_MAX: usize = 64;

struct End {
    lanes: DatagramLanes,
    token: u32,
    up: bool,
    flying: VecDeque<Vec<u8>>,
    sent: u32,
    heard: u32,
}

fn message(number: u32, length: usize) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.resize(length.max(4), number as u8);
    bytes
}

/// Decoding is strict, and both lanes hold their law.
///
/// # Panics
/// If a law is broken.
pub fn lanes(data: &[u8]) {
    let mut again = Vec::new();
    if let Ok(datagram) = LaneDatagram::decode(data) {
        datagram.encode(&mut again);
        assert_eq!(again, data, "one datagram, two spellings");
    }
    let end = |token| End {
        lanes: DatagramLanes::new(token),
        token,
        up: false,
        flying: VecDeque::new(),
        sent: 0,
        heard: 0,
    };
    let mut ends = TOKENS.map(end);
    // Whether only the two have spoken so far.
    let mut honest = true;
    let mut now = NetTime::ZERO;
    let mut input = Unstructured::new(data);
    while !input.is_empty() {
        let Ok(operation) = Operation::arbitrary(&mut input) else {
            break;
        };
        match operation {
            Operation::Send { from, length } => {
                let end = &mut ends[usize::from(from)];
                if end
                    .lanes
                    .send(now, Lane::Reliable, &message(end.sent, length.into()))
                    == SendResult::Sent
                {
                    end.sent += 1;
                }
            }
            Operation::Fast { from, length } => {
                let _ =
                    ends[usize::from(from)]
                        .lanes
                        .send(now, Lane::Fast, &message(0, length.into()));
            }
            Operation::Wait { ms } => now = now.plus(u64::from(ms) * 1_000),
            Operation::Arrive {
                to,
                place,
                twice,
                damage,
            } => {
                let queue = &mut ends[usize::from(!to)].flying;
                let at = usize::from(place) % queue.len().max(1);
                let Some(mut datagram) = queue.remove(at) else {
                    continue;
                };
                if let Some((at, bits)) = damage {
                    let at = usize::from(at) % datagram.len();
                    datagram[at] ^= bits;
                    // A checksum guards tokens and chunks; a fast message may still say anything.
                    honest &= bits == 0 || datagram[0] != 0xD0;
                }
                for _ in 0..=u8::from(twice) {
                    let _ = ends[usize::from(to)].lanes.handle_datagram(now, &datagram);
                }
            }
            Operation::Lose { to } => {
                ends[usize::from(!to)].flying.pop_front();
            }
            Operation::Chunk {
                to,
                number,
                last,
                length,
            } => {
                let bytes = message(number, usize::from(length) % 1_180);
                forge(
                    &mut ends,
                    now,
                    to,
                    Body::Chunk {
                        number,
                        last,
                        bytes: &bytes,
                    },
                );
                honest = false;
            }
            Operation::Ack { to, next, beyond } => {
                forge(&mut ends, now, to, Body::Ack { next, beyond });
                honest = false;
            }
            Operation::Close { to } => {
                forge(&mut ends, now, to, Body::Close);
                honest = false;
            }
            Operation::Hello { to, from, knows } => {
                let end = &mut ends[usize::from(to)];
                let to = if knows { end.token } else { 0 };
                LaneDatagram::Hello {
                    from: from.max(1),
                    to,
                }
                .encode(&mut again);
                end.lanes
                    .handle_datagram(now, &again)
                    .expect("a Hello as it should be");
                honest = false;
            }
            Operation::Restart { end, token } => {
                let token = u32::from(token).max(1);
                ends[usize::from(end)].lanes = DatagramLanes::new(token);
                ends[usize::from(end)].token = token;
                ends[usize::from(end)].up = false;
                honest = false;
            }
        }
        for at in [0, 1] {
            drain(&mut ends, at, now, honest);
        }
    }
}

/// Hands one end what its peer might have sent, had it wanted to.
fn forge(ends: &mut [End; 2], now: NetTime, to: bool, body: Body<'_>) {
    let (to, from) = (usize::from(to), usize::from(!to));
    let pair = pair(ends[from].token, ends[to].token);
    let mut datagram = Vec::new();
    LaneDatagram::Paired { pair, body }.encode(&mut datagram);
    let handled = ends[to].lanes.handle_datagram(now, &datagram);
    handled.expect("a datagram as it should be");
}

fn drain(ends: &mut [End; 2], at: usize, now: NetTime, honest: bool) {
    let sent = ends[1 - at].sent;
    let end = &mut ends[at];
    while let Some(event) = end.lanes.poll(now) {
        match event {
            LanesEvent::Up => {
                assert!(!end.up, "up twice");
                end.up = true;
            }
            LanesEvent::Down(reason) => {
                assert!(end.up, "down without being up: {reason:?}");
                assert!(!honest, "down between two honest ends: {reason:?}");
                end.up = false;
            }
            LanesEvent::Message { lane, bytes } => {
                assert!(end.up, "a message of nobody");
                assert!(bytes.len() <= lane.bytes_max());
                if lane == Lane::Reliable && honest {
                    assert!(end.heard < sent, "more than was sent");
                    assert_eq!(bytes, message(end.heard, bytes.len()), "out of order");
                    end.heard += 1;
                }
            }
        }
    }
    let mut datagram = Vec::new();
    let mut sent = 0;
    while end.lanes.poll_transmit(now, &mut datagram) {
        sent += 1;
        assert!(sent < 200, "no end of datagrams without time passing");
        LaneDatagram::decode(&datagram).expect("what goes out can be read");
        end.flying.push_back(datagram.clone());
        if end.flying.len() > FLYING_MAX {
            end.flying.pop_front();
        }
    }
}
