//! Messages of a match over the internet, and sessions to which a member with the right key says anything.

use arbitrary::{Arbitrary, Unstructured};
use match_feed::{Seat, SeatSet};
use net_session::{
    OnDrop, Place, Request, Secret, Session, SessionConfig,
    wire::{Message, seal_message},
};
use net_transport::{Carrier, Lane, NetEvent, NetTime, NetTransport, PeerId, SendResult};
use std::collections::VecDeque;

/// Bytes are a message or an error; a message has one form, and its streams say what they announce.
///
/// # Panics
/// If that is not so.
pub fn net_message(data: &[u8]) {
    let Ok(message) = Message::decode(data) else {
        return;
    };
    if let Message::Inputs(inputs) = &message {
        for stream in inputs.streams() {
            let told = stream.inputs(&[1, 2]).count();
            assert_eq!(told, usize::from(stream.count));
            assert!(stream.inputs(&[]).all(|(_, input)| input.len() <= 64));
        }
    }
    let foreign = matches!(message, Message::Hello(hello) if hello.protocol != 1);
    let mut out = [0; 2_048];
    if let Some(len) = message.encode(&mut out).filter(|_| !foreign) {
        assert_eq!(&out[..len], data, "a message has one form");
    }
}

#[derive(Arbitrary, Debug)]
enum Operation {
    Run {
        steps: u8,
    },
    /// Member `from` says this to member `to`, with the right tag.
    Say {
        from: u8,
        to: u8,
        body: Vec<u8>,
    },
    /// A message under way is damaged or lost.
    Damage {
        at: u8,
        with: u8,
    },
    Lose {
        of: u8,
        count: u8,
    },
    Leave {
        who: u8,
    },
    Finish {
        who: u8,
    },
    Away {
        who: u8,
    },
}

#[derive(Default)]
struct Wire {
    inbox: VecDeque<(PeerId, Vec<u8>)>,
    outbox: Vec<(PeerId, Vec<u8>)>,
    ups: VecDeque<PeerId>,
    current: Vec<u8>,
}

impl NetTransport for Wire {
    fn carrier(&self) -> Carrier {
        Carrier::Datagram
    }
    fn poll(&mut self, _: NetTime) -> Option<NetEvent<'_>> {
        if let Some(peer) = self.ups.pop_front() {
            return Some(NetEvent::PeerUp { peer });
        }
        let (peer, bytes) = self.inbox.pop_front()?;
        self.current = bytes;
        Some(NetEvent::Message {
            peer,
            lane: Lane::Fast,
            bytes: &self.current,
        })
    }
    fn send(&mut self, _: NetTime, peer: PeerId, _: Lane, bytes: &[u8]) -> SendResult {
        self.outbox.push((peer, bytes.to_vec()));
        SendResult::Sent
    }
    fn disconnect(&mut self, _: NetTime, _: PeerId) {}
    fn next_wake(&self) -> Option<NetTime> {
        None
    }
    fn is_up(&self, _: PeerId) -> bool {
        true
    }
}

struct End {
    session: Session,
    wire: Wire,
    position: u32,
    logged: u32,
}

impl End {
    fn advance(&mut self, now: NetTime) {
        self.session.advance(now, &mut self.wire);
        let mut requests = 0;
        loop {
            requests += 1;
            assert!(requests < 20_000, "requests end");
            match self.session.poll_request() {
                None => break,
                Some(Request::Save { frame }) => assert_eq!(frame.0, self.position),
                Some(Request::Load { frame }) => {
                    assert!(frame.0 < self.position && frame.0 >= self.logged);
                    self.position = frame.0;
                }
                Some(Request::Step { frame, inputs, .. }) => {
                    assert_eq!(frame.0, self.position);
                    assert!(inputs.iter().all(|(_, input)| input.len() <= 2));
                    self.position += 1;
                }
                Some(Request::Hash { frame }) => self.session.put_hash(frame, 1, &[]),
                Some(Request::Snapshot { frame }) => self.session.put_snapshot(frame, b"a state"),
                Some(Request::Restore { frame, .. }) => {
                    (self.position, self.logged) = (frame.0, frame.0);
                }
                Some(Request::Confirmed { frame, .. }) => {
                    assert_eq!(frame.0, self.logged, "each confirmed frame comes once");
                    self.logged += 1;
                    assert!(self.logged <= self.position);
                }
                Some(_) => {}
            }
        }
        while self.session.poll_event().is_some() {}
    }
}

const MEMBERS: u8 = 3;
const SECRET: Secret = Secret::new([7; 16]);

fn nonce(member: u8) -> u64 {
    100 + u64::from(member)
}

/// Three sessions and a script of what happens to them: frames are stepped in order, confirmed frames are never stepped
/// again, and nothing that a member says makes another one panic.
///
/// # Panics
/// If that is not so.
pub fn net_session(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let (Ok(prediction), Ok(bots)) = (data.int_in_range(0..=9u8), bool::arbitrary(&mut data))
    else {
        return;
    };
    // The last one joins; nobody has its seat before.
    let joins = bool::arbitrary(&mut data).unwrap_or(false);
    let mut ends: Vec<End> = (0..MEMBERS)
        .map(|member| {
            let seats = SeatSet::from_bits(1 << member);
            let place = if joins && member == 2 {
                Place::Joiner {
                    seats,
                    token: [0; 16],
                }
            } else {
                Place::Player(seats)
            };
            let open = if joins {
                SeatSet::from_bits(0b100)
            } else {
                SeatSet::EMPTY
            };
            let config = SessionConfig::new(MEMBERS, place, SECRET, nonce(member), [member; 16])
                .prediction(prediction)
                .on_drop(if bots { OnDrop::Bot } else { OnDrop::Neutral })
                .snapshots(64, 10_000)
                .open(open);
            End {
                session: Session::new(config).expect("a legal configuration"),
                wire: Wire {
                    ups: (0..MEMBERS)
                        .filter(|&it| it != member)
                        .map(|it| PeerId(u32::from(it)))
                        .collect(),
                    ..Wire::default()
                },
                position: 0,
                logged: 0,
            }
        })
        .collect();
    let mut now = NetTime::ZERO;
    let run = |ends: &mut Vec<End>, now: &mut NetTime, steps: u32| {
        for _ in 0..steps {
            *now = now.plus(17_000);
            for at in 0..ends.len() {
                let pad = [(now.as_ms() / 100) as u8, at as u8];
                let _ = ends[at]
                    .session
                    .set_input(Seat::new(at as u8).expect("a seat"), &pad);
                ends[at].advance(*now);
                for (to, bytes) in std::mem::take(&mut ends[at].wire.outbox) {
                    let inbox = &mut ends[to.0 as usize].wire.inbox;
                    inbox.push_back((PeerId(at as u32), bytes));
                }
            }
        }
    };
    run(&mut ends, &mut now, 60);
    for _ in 0..24 {
        let Ok(operation) = Operation::arbitrary(&mut data) else {
            break;
        };
        match operation {
            Operation::Run { steps } => run(&mut ends, &mut now, u32::from(steps)),
            Operation::Say { from, to, body } => {
                let (from, to) = (from % MEMBERS, to % MEMBERS);
                if from == to || body.len() > 1_500 {
                    continue;
                }
                let (low, high) = (nonce(from.min(to)), nonce(from.max(to)));
                let len = body.len();
                let mut message = body;
                message.resize(len + 8, 0);
                if seal_message(SECRET, low, high, from, to, &mut message, len).is_some() {
                    let inbox = &mut ends[usize::from(to)].wire.inbox;
                    inbox.push_back((PeerId(u32::from(from)), message));
                }
            }
            Operation::Damage { at, with } => {
                for end in &mut ends {
                    if let Some((_, bytes)) = end.wire.inbox.back_mut()
                        && let len @ 1.. = bytes.len()
                    {
                        bytes[usize::from(at) % len] ^= with;
                    }
                }
            }
            Operation::Lose { of, count } => {
                let inbox = &mut ends[usize::from(of % MEMBERS)].wire.inbox;
                let count = usize::from(count).min(inbox.len());
                inbox.drain(..count);
            }
            Operation::Leave { who } => ends[usize::from(who % MEMBERS)].session.leave(),
            Operation::Finish { who } => ends[usize::from(who % MEMBERS)].session.finish(),
            Operation::Away { who } => ends[usize::from(who % MEMBERS)].session.set_away(true),
        }
    }
    run(&mut ends, &mut now, 40);
}
