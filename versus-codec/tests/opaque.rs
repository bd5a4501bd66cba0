//! A studio's own commands: any bits up to the limit, over the wire and into a record.

use bitvec::prelude::*;
use proptest::prelude::*;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, DecodeError, NotEncodable,
    OPAQUE_BITS_MAX, OpaqueCodec, OpaqueCommand, TurnContext, encoded_bits,
};

fn command() -> impl Strategy<Value = OpaqueCommand> {
    (prop::collection::vec(any::<u8>(), 11), 0..=OPAQUE_BITS_MAX)
        .prop_map(|(bytes, len)| OpaqueCommand::from_bytes(&bytes, len).unwrap())
}

proptest! {
    #[test]
    fn round_trips_on_the_wire_and_in_a_record(command in command()) {
        let bits_needed = encoded_bits(&OpaqueCodec, &command).unwrap();
        prop_assert!(bits_needed <= COMMAND_BITS_MAX);
        let mut bits = bitvec![u8, Msb0; 0; bits_needed];
        let mut context = TurnContext::default();
        OpaqueCodec.encode(&command, &mut context, &mut BitWriter::new(&mut bits)).unwrap();
        let decoded = OpaqueCodec.decode(&mut context, &mut BitReader::new(&bits));
        prop_assert_eq!(decoded, Ok(command));
        let text = serde_json::to_string(&command).unwrap();
        prop_assert_eq!(serde_json::from_str::<OpaqueCommand>(&text).unwrap(), command);
    }

    #[test]
    fn one_command_is_one_piece_and_canonical(command in command()) {
        let mut pieces = vec![];
        OpaqueCodec.canonicalize(command, &mut |piece| pieces.push(piece)).unwrap();
        prop_assert_eq!(pieces, [command]);
        prop_assert!(!OpaqueCodec.overrides(&command, &command) && !OpaqueCodec.urgent(&command));
    }
}

#[test]
fn the_longest_takes_all_96_bits_and_one_more_is_an_error() {
    let bytes = [0xFF; 11];
    let longest = OpaqueCommand::from_bytes(&bytes, OPAQUE_BITS_MAX).unwrap();
    assert_eq!(encoded_bits(&OpaqueCodec, &longest), Ok(COMMAND_BITS_MAX));
    assert_eq!(
        OpaqueCommand::from_bytes(&bytes, OPAQUE_BITS_MAX + 1),
        Err(NotEncodable::TooLong {
            bits: COMMAND_BITS_MAX + 1
        })
    );
}

#[test]
fn a_longer_one_on_the_wire_is_refused() {
    let mut bits = bitvec![u8, Msb0; 0; 200];
    BitWriter::new(&mut bits)
        .ue(OPAQUE_BITS_MAX as u64 + 1)
        .unwrap();
    let refused = OpaqueCodec.decode(&mut TurnContext::default(), &mut BitReader::new(&bits));
    let (bits, max) = (OPAQUE_BITS_MAX as u64 + 1, OPAQUE_BITS_MAX as u64);
    assert_eq!(refused, Err(DecodeError::OpaqueTooLong { bits, max }));
}

#[test]
fn bits_past_the_length_do_not_tell_two_commands_apart() {
    let one = OpaqueCommand::from_bytes(&[0b1010_1111], 4).unwrap();
    let other = OpaqueCommand::from_bytes(&[0b1010_0000], 4).unwrap();
    assert_eq!((one, one.as_bytes()), (other, [0b1010_0000].as_slice()));
}

#[test]
fn a_record_is_read_strictly() {
    for text in [
        "c0de", "c0de/17", "c0/16", "c0dg/16", "/", "c0de/", "+0de/16", "c0de/16/", "", "00/0",
        "ff/4",
    ] {
        let json = serde_json::to_string(text).unwrap();
        assert!(
            serde_json::from_str::<OpaqueCommand>(&json).is_err(),
            "{text:?} was read"
        );
    }
    let empty: OpaqueCommand = serde_json::from_str("\"/0\"").unwrap();
    assert_eq!(empty.bit_len(), 0);
}
