//! Frames and commands: what is accepted is legal, and is written back as it was read.

use bitvec::prelude::*;
use game_sim::{SkirmishCodec, Tables};
use match_feed::{Tick, duel::MapSize};
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, OpaqueCodec, TurnContext, encoded_bits,
};
use versus_lockstep::{Expect, GameFrame};
use versus_pairing::LobbyFrame;

fn skirmish() -> SkirmishCodec {
    let map = MapSize::new(64, 48).expect("a legal size");
    SkirmishCodec::with_tables(
        map,
        Tables {
            unit_kinds: 20,
            building_kinds: 10,
            powers: 4,
        },
    )
}

/// A command of the skirmish.
pub fn command(data: &[u8]) {
    check_command(&skirmish(), data);
}

/// A studio's own command.
pub fn opaque_command(data: &[u8]) {
    check_command(&OpaqueCodec, data);
}

fn check_command<C: CommandCodec>(codec: &C, data: &[u8]) {
    let mut input = BitReader::new(data.view_bits());
    let Ok(command) = codec.decode(&mut TurnContext::default(), &mut input) else {
        return;
    };
    let read = input.since(0);
    let mut room = bitvec![u8, Msb0; 0; read.len()];
    let mut out = BitWriter::new(&mut room);
    codec
        .encode(&command, &mut TurnContext::default(), &mut out)
        .expect("a command that was read can be written");
    assert_eq!(
        out.len(),
        read.len(),
        "written as long as it was read: {command:?}"
    );
    assert_eq!(room, read, "written as it was read: {command:?}");
    let mut pieces = Vec::new();
    if codec
        .canonicalize(command.clone(), &mut |piece| pieces.push(piece))
        .is_ok()
    {
        for piece in &pieces {
            let bits = encoded_bits(codec, piece).expect("a piece can be written");
            assert!(
                bits <= COMMAND_BITS_MAX,
                "a piece of {bits} bits: {piece:?}"
            );
        }
        if read.len() <= COMMAND_BITS_MAX {
            assert_eq!(pieces, [command], "what is read is canonical");
        }
    }
}

/// A game frame: three bytes of expectation, then the frame.
pub fn game_frame(data: &[u8]) {
    let [a, b, c, frame @ ..] = data else { return };
    let expect = Expect {
        to: u32::from_be_bytes([0, *a, *b, *c]),
        tick: Tick(u32::from_be_bytes([0, *a, *b, 0])),
    };
    let bits = frame.view_bits::<Msb0>();
    let codec = skirmish();
    let Ok(frame) = GameFrame::decode(bits, expect, &codec) else {
        return;
    };
    for turn in &frame.turns {
        let mut commands = 0;
        turn.decode(&codec, |_| commands += 1)
            .expect("a turn of a frame that was accepted is legal");
        assert_eq!(commands, turn.commands);
    }
    let mut room = bitvec![u8, Msb0; 0; bits.len()];
    let mut out = BitWriter::new(&mut room);
    frame
        .encode(&mut out)
        .expect("a frame that was read can be written");
    let len = out.len();
    assert_eq!(
        room[..len],
        bits[..len],
        "written as it was read: {frame:?}"
    );
}

/// A lobby frame.
pub fn lobby_frame(data: &[u8]) {
    let bits = data.view_bits::<Msb0>();
    let Ok(frame) = LobbyFrame::decode(bits) else {
        return;
    };
    let written = frame.encode();
    assert_eq!(
        written.as_bitslice(),
        &bits[..written.len()],
        "written as it was read: {frame:?}"
    );
}
