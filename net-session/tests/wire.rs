//! The messages of docs/NETPLAY.md: its worked examples byte by byte, round trips, and what is refused.

use net_session::wire::{
    Acks, Ask, ByeReason, Chunk, Commit, CommitSeat, Echo, HashReport, Hello, Inputs, InputsWriter,
    Message, NO_FRAME, NO_MEMBER, Part, Parts, PartsReader, Promise, Propose, Ready, Role,
    SEATS_MAX, Secret, Start, View, WireError, seal_hello, seal_message,
};
use proptest::prelude::*;

const PAGE: &str = include_str!("../../docs/NETPLAY.md");
const SECRET: Secret = Secret::new([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
const HOST: u64 = 0x1111_1111_1111_1111;
const GUEST: u64 = 0x2222_2222_2222_2222;

fn hello() -> Hello<'static> {
    Hello {
        protocol: 1,
        from: 0,
        role: Role::Player,
        own: 0b01,
        seats: 2,
        nonce: HOST,
        echo: 0,
        game: 0x0123_4567_89AB_CDEF,
        content: 7,
        rate: 60,
        input_bytes: 2,
        hash_every: 60,
        delay: 6,
        seed: 42,
        epoch: 0,
        live: 0,
        setup: b"map 1",
    }
}

fn parts(out: &mut [u8]) -> PartsReader<'_> {
    let parts = [
        Part {
            name: "units",
            hash: 5,
        },
        Part {
            name: "dice",
            hash: 6,
        },
    ];
    let len = PartsReader::encode(&parts, out).expect("room");
    PartsReader::decode(&out[..len]).expect("legal")
}

/// Every message but Inputs, by the name it has on the page.
fn examples(buffer: &mut [u8]) -> Vec<(&'static str, Message<'_>)> {
    let seat = |owner, end, from| CommitSeat {
        owner,
        end,
        from,
        holder: NO_MEMBER,
        bot: false,
    };
    let mut commit = Commit {
        epoch: 1,
        live: 0b01,
        seats: 2,
        seat: [seat(NO_MEMBER, 0, NO_FRAME); SEATS_MAX],
    };
    commit.seat[0] = seat(0, 0, 0);
    commit.seat[1] = CommitSeat {
        holder: 0,
        ..seat(NO_MEMBER, 205, NO_FRAME)
    };
    let mut promise = Promise {
        epoch: 1,
        round: 2,
        confirmed: 300,
        seats: 2,
        next: [0; SEATS_MAX],
    };
    (promise.next[0], promise.next[1]) = (305, 303);
    let mut digests = [0; SEATS_MAX];
    (digests[0], digests[1]) = (9, 10);
    vec![
        ("ping", Message::Ping { id: 3 }),
        ("pong", Message::Pong { id: 3 }),
        (
            "ready",
            Message::Ready(Ready {
                one_way_us: 52_000,
                proof: [0xAA; 16],
                heard: false,
            }),
        ),
        (
            "start",
            Message::Start(Start {
                delay: 6,
                wait_us: 1_500,
                live: 0b11,
            }),
        ),
        (
            "bye",
            Message::Bye {
                reason: ByeReason::Quit,
            },
        ),
        (
            "view",
            Message::View(View {
                count: 5,
                epoch: 0,
                reach: 0b01,
            }),
        ),
        (
            "propose",
            Message::Propose(Propose {
                epoch: 1,
                round: 2,
                live: 0b11,
                joiner: 1,
                joins: 0b10,
                at: 400,
            }),
        ),
        ("promise", Message::Promise(promise)),
        ("commit", Message::Commit(commit)),
        (
            "delay",
            Message::Delay {
                change: 1,
                delay: 8,
                frame: 500,
            },
        ),
        (
            "parts",
            Message::Parts(Parts {
                frame: 120,
                known: true,
                hash: 11,
                seats: 2,
                digests,
                parts: parts(buffer),
            }),
        ),
        (
            "ask",
            Message::Ask(Ask {
                seats: 0b10,
                proof: [0xBB; 16],
                have: NO_FRAME,
            }),
        ),
        (
            "chunk",
            Message::Chunk(Chunk {
                frame: 240,
                total: 2_000,
                offset: 1_024,
                bytes: &[1, 2, 3],
            }),
        ),
        (
            "chunk ack",
            Message::ChunkAck {
                frame: 240,
                next: 1_024,
            },
        ),
        ("caught up", Message::CaughtUp { frame: 301 }),
    ]
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn on_page(name: &str, bytes: &[u8]) {
    let line = format!("| {name} | `{}` |", hex(bytes));
    assert!(PAGE.contains(&line), "docs/NETPLAY.md must say:\n{line}");
}

/// An Inputs message of seat 0's pads from frame 100 on, to the one who has acknowledged up to 99.
fn inputs(out: &mut [u8], extras: bool) -> usize {
    let mut head = Inputs::head(17, 100, Acks::new([98]));
    if extras {
        head.probe = true;
        head.echo = Some(Echo {
            id: 9,
            hold_ms: 4,
            lead: 2,
            ahead: -3,
            loss: 12,
            bursts: true,
            wish: 6,
            away: false,
        });
        head.hash = Some(HashReport {
            frame: 60,
            check: 0x0102_0304_0506_0708,
        });
    }
    let mut writer = InputsWriter::new(out, &head, false);
    // Held for three frames as before, then two frames of another, one of nothing.
    let pads: [&[u8]; 6] = [&[1, 0], &[1, 0], &[1, 0], &[5, 2], &[5, 2], &[]];
    writer.stream(100, &[1, 0], 100..106, false, 0, |frame| {
        pads[frame as usize - 100]
    });
    writer.finish().expect("room")
}

#[test]
fn the_worked_examples_of_the_page() {
    let mut out = [0; 2_048];
    let len = Message::Hello(hello()).encode(&mut out).expect("room");
    on_page("hello", &out[..len]);
    let sealed = seal_hello(SECRET, 0, &mut out, len).expect("room");
    on_page("hello, sealed", &out[..sealed]);
    let mut buffer = [0; 512];
    for (name, message) in examples(&mut buffer) {
        let mut out = [0; 2_048];
        let len = message.encode(&mut out).expect("room");
        on_page(name, &out[..len]);
        assert_eq!(Message::decode(&out[..len]), Ok(message));
    }
    let len = inputs(&mut out, false);
    on_page("inputs", &out[..len]);
    let sealed = seal_message(SECRET, HOST, GUEST, 0, 1, &mut out, len).expect("room");
    on_page("inputs, sealed", &out[..sealed]);
    let len = inputs(&mut out, true);
    on_page("inputs with all extras", &out[..len]);
    let Ok(Message::Inputs(read)) = Message::decode(&out[..len]) else {
        panic!("its own inputs");
    };
    let read: Vec<_> = read.streams()[0]
        .inputs(&[1, 0])
        .map(|(frame, pad)| (frame, pad.to_vec()))
        .collect();
    assert_eq!(read[2], (102, vec![1, 0]));
    assert_eq!(read[4], (104, vec![5, 2]));
    assert_eq!(read[5], (105, vec![]));
}

#[test]
fn every_cut_and_every_tail_is_refused() {
    let mut buffer = [0; 512];
    let mut all: Vec<Vec<u8>> = Vec::new();
    for (_, message) in examples(&mut buffer) {
        let mut out = [0; 2_048];
        let len = message.encode(&mut out).expect("room");
        all.push(out[..len].to_vec());
    }
    let mut out = [0; 2_048];
    let len = Message::Hello(hello()).encode(&mut out).expect("room");
    all.push(out[..len].to_vec());
    let len = inputs(&mut out, true);
    all.push(out[..len].to_vec());
    for message in &all {
        let is_chunk = message[0] == 0x0E;
        for cut in 0..message.len() {
            let read = Message::decode(&message[..cut]);
            assert!(read.is_err() || is_chunk, "{:?}", &message[..cut]);
        }
        let mut longer = message.clone();
        longer.push(0);
        assert!(Message::decode(&longer).is_err() || is_chunk, "{longer:?}");
    }
}

#[test]
fn what_no_peer_may_send() {
    let refused = |bytes: &[u8], why: &str| {
        let error = Message::decode(bytes).expect_err(why);
        assert!(error.to_string().contains(why), "{error} is not {why}");
    };
    refused(&[], "cut short");
    refused(&[0x11], "unknown kind");
    refused(&[0xA0, 0, 0], "unknown kind");
    refused(&[0x06, 0], "goodbye reason");
    refused(&[0x06, 9], "goodbye reason");
    refused(&[0x0B, 0, 0, 0, 0, 61, 0, 0, 0, 0], "input delay");
    // 129 inputs; a run beyond what was announced; a base beyond 32 bits; a number that could be shorter.
    refused(&[0x80, 0, 0, 0, 129, 0x7F], "inputs");
    refused(&[0x80, 0, 0, 0, 3, 0x7F], "tokens for");
    refused(
        &[0x80, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0, 0],
        "shortest form",
    );
    refused(&[0x80, 0, 0x80, 0x00, 0, 0], "shortest form");
    refused(&[0x80, 0, 0, 0, 1, 0x80 + 65], "input bytes");
    refused(
        &[0x80, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0, 1, 0],
        "first frame",
    );
    assert_eq!(
        Message::decode(&[0x82, 0, 1, 0, 0, 0, 101, 0, 0, 0, 0]),
        Err(WireError::Range {
            field: "loss",
            value: 101
        })
    );
}

proptest! {
    /// Any windows, read back, are what was written; what does not fit is said.
    #[test]
    fn windows_round_trip(
        pads in prop::collection::vec(prop::collection::vec(0u8..4, 0..6), 1..160),
        previous in prop::collection::vec(0u8..4, 0..6),
        reference in 0u32..1_000_000,
        skip in 0u32..40,
        room in 40usize..1_200,
    ) {
        let mut out = vec![0; room];
        let head = Inputs::head(1, reference, Acks::new([reference.saturating_sub(3)]));
        let cursor = skip > 0;
        let mut writer = InputsWriter::new(&mut out, &head, cursor);
        let first = reference + skip;
        let frames = first..first + pads.len() as u32;
        let tail = writer.stream(reference, &previous, frames, cursor, 0, |frame| &pads[(frame - first) as usize]);
        let len = writer.finish().expect("room for a head");
        prop_assert_eq!(tail.cut, tail.count < pads.len() as u32);
        prop_assert!(!tail.cut || len + 8 > room || tail.count == 128);
        let Ok(Message::Inputs(inputs)) = Message::decode(&out[..len]) else { panic!("its own inputs") };
        let stream = inputs.streams()[0];
        prop_assert_eq!((stream.reference, stream.first, u32::from(stream.count)), (reference, first, tail.count));
        for (at, (frame, pad)) in stream.inputs(&previous).enumerate() {
            prop_assert_eq!(frame, first + at as u32);
            prop_assert_eq!(pad, &pads[at][..]);
        }
        prop_assert_eq!(inputs.acks.as_slice(), &[reference.saturating_sub(3)][..]);
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(message) = Message::decode(&bytes) {
            let mut out = [0; 2_048];
            let foreign = matches!(message, Message::Hello(hello) if hello.protocol != 1);
            if let Some(len) = message.encode(&mut out).filter(|_| !foreign) {
                prop_assert_eq!(&out[..len], &bytes[..], "one message has one form");
            }
        }
    }
}
