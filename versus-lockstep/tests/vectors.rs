//! The game frame and the trail against the vectors, which a separate implementation made.

#[path = "../../versus-codec/tests/common/mod.rs"]
mod codec;

use bitvec::prelude::*;
use codec::{VectorCodec, hex, vectors};
use match_feed::{Tick, WorldHash};
use serde_json::{Map, Value, json};
use versus_codec::{BitWriter, CommandCodec, TurnContext};
use versus_lockstep::{End, Expect, FrameTurn, GameFrame, Trail, TrailMark};

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).unwrap()
}

fn bits_of(vector: &Value) -> BitVec<u8, Msb0> {
    let mut bits = BitVec::from_vec(hex(vector["hex"].as_str().unwrap()));
    bits.truncate(number(&vector["nbits"]) as usize);
    bits
}

/// A frame as the vectors write it down.
fn fields(frame: &GameFrame<'_>, codec: &VectorCodec) -> Value {
    let mut turns = Map::new();
    for turn in &frame.turns {
        let mut commands = Vec::new();
        turn.decode(codec, |command| commands.push(command))
            .unwrap();
        turns.insert(turn.turn.to_string(), commands.into());
    }
    let report = match frame.end {
        End::Decided(report) => report,
        _ => TrailMark {
            tick: Tick(0),
            trail: 0,
        },
    };
    json!({
        "to": frame.to, "frm": frame.from, "tick": frame.tick.0, "ack_through": frame.ack_through,
        "turns": turns, "paused": frame.paused, "end": frame.end.code(), "rxq": frame.rxq,
        "checkpoint": frame.checkpoint.map(|mark| (mark.tick.0, mark.trail)),
        "end_tick": report.tick.0, "end_trail": report.trail,
    })
}

/// The bits of a frame written down.
fn encoded(vector: &Value, codec: &VectorCodec) -> BitVec<u8, Msb0> {
    let mark = |tick: &Value, trail: &Value| TrailMark {
        tick: Tick(number(tick)),
        trail: number(trail) as u16,
    };
    let mut held = Vec::new();
    for (turn, commands) in vector["turns"].as_object().unwrap() {
        let commands = commands.as_array().unwrap();
        let mut bits = bitvec![u8, Msb0; 0; 256];
        let mut out = BitWriter::new(&mut bits);
        let mut context = TurnContext::default();
        for command in commands {
            codec.encode(command, &mut context, &mut out).unwrap();
        }
        let len = out.len();
        bits.truncate(len);
        held.push((turn.parse().unwrap(), commands.len() as u8, bits));
    }
    held.sort_by_key(|turn| turn.0);
    let turns = held.iter().map(|(turn, commands, bits)| FrameTurn {
        turn: *turn,
        commands: *commands,
        bits,
    });
    let frame = GameFrame {
        paused: vector["paused"].as_bool().unwrap(),
        end: match number(&vector["end"]) {
            0 => End::Playing,
            1 => End::Left,
            2 => End::Desync,
            _ => End::Decided(mark(&vector["end_tick"], &vector["end_trail"])),
        },
        rxq: number(&vector["rxq"]) as u8,
        from: number(&vector["frm"]),
        to: number(&vector["to"]),
        tick: Tick(number(&vector["tick"])),
        ack_through: number(&vector["ack_through"]),
        turns: turns.collect(),
        checkpoint: vector["checkpoint"]
            .as_array()
            .map(|pair| mark(&pair[0], &pair[1])),
    };
    let mut bits = bitvec![u8, Msb0; 0; 256];
    let mut out = BitWriter::new(&mut bits);
    frame.encode(&mut out).unwrap();
    let len = out.len();
    bits.truncate(len);
    bits
}

fn expect(vector: &Value) -> Expect {
    Expect {
        to: number(&vector["to"]),
        tick: Tick(number(&vector["tick"])),
    }
}

#[test]
fn every_game_frame_decodes_to_its_fields_and_encodes_back() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    let frames = vectors["game"].as_array().unwrap();
    assert_eq!(frames.len(), 40);
    for vector in frames {
        let bits = bits_of(vector);
        let frame = GameFrame::decode(&bits, expect(vector), &codec).unwrap();
        let mut expected = vector.clone();
        for key in ["nbits", "hex"] {
            expected.as_object_mut().unwrap().remove(key);
        }
        assert_eq!(fields(&frame, &codec), expected);
        assert_eq!(encoded(vector, &codec), bits, "{vector}");
    }
}

#[test]
fn padding_is_ignored_whatever_it_is_and_every_cut_is_refused() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    for vector in vectors["game"].as_array().unwrap() {
        let bits = bits_of(vector);
        let plain = GameFrame::decode(&bits, expect(vector), &codec).unwrap();
        for fill in [0x00_u8, 0xFF, 0x5A] {
            let mut padded = bits.clone();
            padded.extend_from_bitslice([fill; 20].view_bits::<Msb0>());
            let frame = GameFrame::decode(&padded, expect(vector), &codec);
            assert_eq!(frame.as_ref(), Ok(&plain));
        }
        for len in 0..bits.len() {
            let cut = GameFrame::decode(&bits[..len], expect(vector), &codec);
            assert!(cut.is_err(), "{vector} cut to {len} bits");
        }
    }
}

#[test]
fn counters_unwrap_from_anywhere_within_reach() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    for vector in vectors["game"].as_array().unwrap() {
        let bits = bits_of(vector);
        let to = number(&vector["to"]);
        let plain = GameFrame::decode(&bits, expect(vector), &codec).unwrap();
        for expected in [to - 200, to - 1, to + 1, to + 200] {
            let expect = Expect {
                to: expected,
                ..expect(vector)
            };
            assert_eq!(
                GameFrame::decode(&bits, expect, &codec).as_ref(),
                Ok(&plain)
            );
        }
        for expected in [to - 201, to + 201] {
            let expect = Expect {
                to: expected,
                ..expect(vector)
            };
            assert!(GameFrame::decode(&bits, expect, &codec).is_err());
        }
    }
}

#[test]
fn every_reject_is_refused_with_its_reason() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    let mut reasons = Vec::new();
    for vector in vectors["rejects"].as_array().unwrap() {
        if vector["kind"] != "game" {
            continue;
        }
        let expect = Expect {
            to: number(&vector["expect_to"]),
            tick: Tick(number(&vector["tick"])),
        };
        let bits = bits_of(vector);
        let error = GameFrame::decode(&bits, expect, &codec).expect_err(&vector.to_string());
        reasons.push(format!("{}: {error}", vector["why"].as_str().unwrap()));
    }
    insta::assert_snapshot!(reasons.join("\n"));
}

#[test]
fn a_checkpoint_exactly_eight_away_is_the_lower() {
    let codec = VectorCodec::of(&vectors());
    let frame = GameFrame {
        paused: false,
        end: End::Playing,
        rxq: 0,
        from: 500,
        to: 500,
        tick: Tick(500),
        ack_through: 500,
        turns: Default::default(),
        checkpoint: Some(TrailMark {
            tick: Tick(50 * 18),
            trail: 1,
        }),
    };
    let mut bits = bitvec![u8, Msb0; 0; 100];
    frame.encode(&mut BitWriter::new(&mut bits)).unwrap();
    let checkpoint_at = |tick| {
        let expect = Expect {
            to: 500,
            tick: Tick(tick),
        };
        GameFrame::decode(&bits, expect, &codec)
            .unwrap()
            .checkpoint
            .unwrap()
            .tick
            .0
            / 50
    };
    assert_eq!(checkpoint_at(50 * 10), 2, "8 ahead of 10 reads as 8 behind");
    assert_eq!(checkpoint_at(50 * 11), 18);
    assert_eq!(checkpoint_at(50 * 26), 18, "8 behind stays");
    assert_eq!(checkpoint_at(50 * 27), 34);
}

#[test]
fn the_trail_folds_as_in_the_vectors() {
    let vectors = vectors();
    for vector in vectors["trail"].as_array().unwrap() {
        let hashes: Vec<_> = vector["hashes"]
            .as_array()
            .unwrap()
            .iter()
            .map(number)
            .collect();
        // Only the low 32 bits of a world hash count.
        let world = |hash: &u32| WorldHash(u64::from(*hash) | 0xABCD_0000_0000_0000);
        let folded = hashes[1..]
            .iter()
            .map(world)
            .fold(Trail::new(world(&hashes[0])), Trail::then);
        assert_eq!(folded.value(), number(&vector["trail"]));
    }
}

#[test]
fn a_packet_of_zeros_is_no_frame() {
    let codec = VectorCodec::of(&vectors());
    let zeros = bitvec![u8, Msb0; 0; 188];
    let expect = Expect {
        to: 0,
        tick: Tick(0),
    };
    assert!(GameFrame::decode(&zeros, expect, &codec).is_err());
    assert_eq!(versus_lockstep::GamePeek::of(&zeros), None);
}
