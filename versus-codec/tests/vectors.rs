//! The kit against the vectors: every command to its bits and back, and every split.

mod common;

use bitvec::prelude::*;
use common::{VectorCodec, hex, vectors};
use serde_json::json;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, TurnContext, encoded_bits,
};

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_command_is_its_bits_and_back() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    let commands = vectors["commands"].as_array().unwrap();
    assert_eq!(commands.len(), 60);
    for vector in commands {
        let command = &vector["command"];
        let len = vector["nbits"].as_u64().unwrap() as usize;
        let bytes = hex(vector["hex"].as_str().unwrap());

        let mut bits = bitarr![u8, Msb0; 0; 256];
        let mut out = BitWriter::new(&mut bits);
        codec
            .encode(command, &mut TurnContext::default(), &mut out)
            .unwrap();
        assert_eq!(out.len(), len, "{vector}");
        assert_eq!(
            to_hex(&bits.as_raw_slice()[..len.div_ceil(8)]),
            to_hex(&bytes)
        );

        let mut input = BitReader::new(&bytes.view_bits()[..len]);
        let decoded = codec.decode(&mut TurnContext::default(), &mut input);
        assert_eq!(decoded.as_ref(), Ok(command));
        assert_eq!(input.left(), 0, "{vector}");
        for cut in 0..len {
            let mut input = BitReader::new(&bytes.view_bits()[..cut]);
            let cut_short = codec.decode(&mut TurnContext::default(), &mut input);
            assert!(cut_short.is_err(), "{vector} cut to {cut} bits");
        }
    }
}

#[test]
fn a_canonical_command_canonicalizes_to_itself() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    for vector in vectors["commands"].as_array().unwrap() {
        let mut pieces = Vec::new();
        codec
            .canonicalize(vector["command"].clone(), &mut |piece| pieces.push(piece))
            .unwrap();
        if vector["nbits"].as_u64().unwrap() as usize <= COMMAND_BITS_MAX {
            assert_eq!(pieces, [vector["command"].clone()]);
        }
    }
}

#[test]
fn splits_fall_where_the_vectors_say() {
    let vectors = vectors();
    let codec = VectorCodec::of(&vectors);
    let splits = vectors["splits"].as_array().unwrap();
    assert_eq!(splits.len(), 5);
    for split in splits {
        let mut pieces = Vec::new();
        codec
            .canonicalize(split["command"].clone(), &mut |piece| pieces.push(piece))
            .unwrap();
        let lists: Vec<_> = pieces
            .iter()
            .map(|piece| piece["unitIds"].clone())
            .collect();
        assert_eq!(json!(lists), split["pieces"]);
        for mut piece in pieces {
            assert!(encoded_bits(&codec, &piece).unwrap() <= COMMAND_BITS_MAX);
            piece["unitIds"] = split["command"]["unitIds"].clone();
            assert_eq!(piece, split["command"], "only the units differ");
        }
    }
}
