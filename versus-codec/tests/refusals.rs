//! Every way in which bits are no command and a command is no bits: one input for each error there is.

use bitvec::prelude::*;
use match_feed::duel::MapSize;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, DecodeError, EncodeError, NotEncodable,
    OPAQUE_BITS_MAX, OpaqueCodec, OpaqueCommand, TurnContext,
    kit::{self, Cell, ID_END, Tile},
};

fn bits(text: &str) -> BitVec<u8, Msb0> {
    let digits = text.chars().filter(|c| !c.is_whitespace());
    digits.map(|c| c == '1').collect()
}

fn map() -> MapSize {
    // No power of two: 40 columns leave 24 indices of a 6-bit field off the map.
    MapSize::new(40, 24).expect("a legal size")
}

fn units(text: &str) -> Result<Vec<u32>, DecodeError> {
    kit::read_units(
        &mut TurnContext::default(),
        &mut BitReader::new(&bits(text)),
    )
}

#[test]
fn a_number_with_more_than_24_leading_zeros() {
    for zeros in [25, 26, 60] {
        let mut text = "0".repeat(zeros);
        text += &"1".repeat(zeros + 1);
        let read = BitReader::new(&bits(&text)).ue();
        assert_eq!(read, Err(DecodeError::LeadingZeros { at: 25 }), "{zeros}");
    }
}

#[test]
fn a_field_past_the_end_wherever_it_is_cut() {
    let map = map();
    type Read = fn(&mut BitReader<'_>, MapSize) -> Result<(), DecodeError>;
    let reads: [(&str, Read); 6] = [
        ("00110", |input, _| input.ue().map(drop)),
        ("00111", |input, _| input.se().map(drop)),
        // Three units: 5, 6 and 9.
        ("0 011 00110 1 011", |input, _| {
            kit::read_units(&mut TurnContext::default(), input).map(drop)
        }),
        ("1001111111 011111111", |input, map| {
            kit::read_cell(map, input).map(drop)
        }),
        ("100111 10111", |input, map| {
            kit::read_tile(map, input).map(drop)
        }),
        ("10011", |input, _| {
            kit::read_enum("kind", 20, 5, input).map(drop)
        }),
    ];
    for (text, read) in reads {
        let whole = bits(text);
        let mut input = BitReader::new(&whole);
        assert_eq!((read(&mut input, map), input.left()), (Ok(()), 0), "{text}");
        for len in 0..whole.len() {
            let cut = read(&mut BitReader::new(&whole[..len]), map);
            // A list's count may already be a lie when little is left.
            let refused = matches!(
                cut,
                Err(DecodeError::CutShort { .. } | DecodeError::TooManyUnits { .. })
            );
            assert!(refused, "{text} cut to {len} bits: {cut:?}");
        }
    }
}

#[test]
fn a_list_of_nothing_a_list_like_none_and_one_of_more_than_there_is() {
    assert_eq!(units("1"), Err(DecodeError::NoPreviousUnits));
    let too_many = DecodeError::TooManyUnits { count: 7, left: 2 };
    assert_eq!(units("0 00111 11"), Err(too_many));
    // A list refused half-way is none that the next could be like.
    let mut turn = TurnContext::default();
    assert!(kit::read_units(&mut turn, &mut BitReader::new(&bits("0 010 1"))).is_err());
    let same = kit::read_units(&mut turn, &mut BitReader::new(&bits("1")));
    assert_eq!(same, Err(DecodeError::NoPreviousUnits));
}

#[test]
fn an_id_of_two_to_the_24_alone_first_or_by_a_gap() {
    let mut written = bitvec![u8, Msb0; 0; 128];
    let mut out = BitWriter::new(&mut written);
    out.ue(ID_END.into()).expect("a number of the wire's");
    let refused = DecodeError::IdTooLarge { id: ID_END.into() };
    assert_eq!(kit::read_id(&mut BitReader::new(&written)), Err(refused));
    for (first, gap) in [(ID_END, 0), (ID_END - 1, 0), (0, ID_END - 1)] {
        let mut written = bitvec![u8, Msb0; 0; 128];
        let mut out = BitWriter::new(&mut written);
        out.flag(false).expect("fits");
        for number in [1, first, gap] {
            out.ue(number.into()).expect("fits");
        }
        let read = kit::read_units(&mut TurnContext::default(), &mut BitReader::new(&written));
        assert_eq!(read, Err(refused), "{first} and {gap} further");
    }
}

#[test]
fn a_cell_or_tile_off_the_map_on_either_axis() {
    let map = map();
    let cell = |x: u32, y: u32| {
        let mut written = bitvec![u8, Msb0; 0; 19];
        let mut out = BitWriter::new(&mut written);
        out.bits(x.into(), 10)
            .and(out.bits(y.into(), 9))
            .expect("19 bits");
        kit::read_cell(map, &mut BitReader::new(&written))
    };
    assert_eq!(cell(639, 383), Ok(Cell { x: 639, y: 383 }));
    let off = |what, index, size| Err(DecodeError::OffMap { what, index, size });
    assert_eq!(cell(640, 0), off("x cell", 640, 640));
    assert_eq!(cell(0, 384), off("y cell", 384, 384));
    let tile = |tx: u32, ty: u32| {
        let mut written = bitvec![u8, Msb0; 0; 11];
        let mut out = BitWriter::new(&mut written);
        out.bits(tx.into(), 6)
            .and(out.bits(ty.into(), 5))
            .expect("11 bits");
        kit::read_tile(map, &mut BitReader::new(&written))
    };
    assert_eq!(tile(39, 23), Ok(Tile { tx: 39, ty: 23 }));
    assert!(matches!(
        tile(40, 0),
        Err(DecodeError::OffMap {
            index: 40,
            size: 40,
            ..
        })
    ));
    assert!(matches!(
        tile(0, 24),
        Err(DecodeError::OffMap {
            index: 24,
            size: 24,
            ..
        })
    ));
}

#[test]
fn an_index_outside_its_table() {
    for index in 0..32 {
        let text = format!("{index:05b}");
        let read = kit::read_enum("power", 20, 5, &mut BitReader::new(&bits(&text)));
        let outside = DecodeError::OutsideTable {
            what: "power",
            index: index.into(),
            len: 20,
        };
        let expected = if index < 20 { Ok(index) } else { Err(outside) };
        assert_eq!(read, expected);
    }
}

#[test]
fn an_opaque_command_that_is_too_long_or_cut_short() {
    let codec = OpaqueCodec;
    let bytes = [0xA5; 11];
    for len in 0..=OPAQUE_BITS_MAX {
        let command = OpaqueCommand::from_bytes(&bytes, len).expect("short enough");
        let mut written = bitvec![u8, Msb0; 0; COMMAND_BITS_MAX];
        let mut out = BitWriter::new(&mut written);
        codec
            .encode(&command, &mut TurnContext::default(), &mut out)
            .expect("fits");
        let end = out.len();
        let read = |end: usize| {
            let input = &mut BitReader::new(&written[..end]);
            codec.decode(&mut TurnContext::default(), input)
        };
        assert_eq!(read(end), Ok(command));
        assert!(
            matches!(read(end - 1), Err(DecodeError::CutShort { .. })),
            "{len} bits"
        );
        let mut narrow = bitvec![u8, Msb0; 0; end - 1];
        let mut out = BitWriter::new(&mut narrow);
        let full = codec.encode(&command, &mut TurnContext::default(), &mut out);
        assert_eq!(full, Err(EncodeError::Full { capacity: end - 1 }));
    }
    for len in [84, 88, 200] {
        let refused = OpaqueCommand::from_bytes(&[0; 25], len);
        let bits = len + 13 + if len > 126 { 2 } else { 0 };
        assert_eq!(refused, Err(NotEncodable::TooLong { bits }), "{len}");
    }
    let mut written = bitvec![u8, Msb0; 0; 120];
    BitWriter::new(&mut written).ue(84).expect("fits");
    let refused = codec.decode(&mut TurnContext::default(), &mut BitReader::new(&written));
    assert_eq!(
        refused,
        Err(DecodeError::OpaqueTooLong { bits: 84, max: 83 })
    );
}

/// What a sender could only write by a mistake of its own is an error too, and never other bits than were meant.
#[test]
fn what_is_not_canonical_is_not_written() {
    let mut out = BitWriter::counting();
    let too_large = |value: u64| Err(EncodeError::TooLarge { value });
    assert_eq!(
        out.ue(versus_codec::UE_MAX + 1),
        too_large(versus_codec::UE_MAX + 1)
    );
    assert_eq!(kit::write_id(ID_END, &mut out), too_large(ID_END.into()));
    let map = map();
    assert_eq!(
        kit::write_cell(Cell { x: 640, y: 0 }, map, &mut out),
        too_large(640)
    );
    assert_eq!(
        kit::write_tile(Tile { tx: 40, ty: 0 }, map, &mut out),
        too_large(40)
    );
    assert_eq!(kit::write_enum(32, 5, &mut out), too_large(32));
    assert!(out.is_empty());
    for list in [&[][..], &[5, 5], &[6, 5]] {
        let refused = kit::write_units(list, &mut TurnContext::default(), &mut out);
        assert!(
            matches!(refused, Err(EncodeError::OutOfPlace { .. })),
            "{list:?}"
        );
    }
    let refused = kit::write_units(&[ID_END], &mut TurnContext::default(), &mut out);
    assert_eq!(refused, too_large(ID_END.into()));
}

/// What a player may order and nobody can send.
#[test]
fn what_cannot_be_sent_is_named() {
    assert_eq!(
        kit::canonical_units(&mut Vec::new()),
        Err(NotEncodable::NoUnits)
    );
    let refused = kit::canonical_units(&mut vec![7, ID_END, 7]);
    assert_eq!(refused, Err(NotEncodable::Id { id: ID_END }));
    for (x, y) in [
        (f64::NAN, 1.0),
        (1.0, f64::INFINITY),
        (f64::NEG_INFINITY, 1.0),
    ] {
        assert_eq!(Cell::at(map(), x, y), None, "{x}, {y}");
    }
    // A unit that alone is too long: nothing of its order is sent.
    let mut pieces = 0;
    let bits_of = |units: &[u32]| if units.contains(&9) { 97 } else { units.len() };
    let refused = kit::split_units(&[3, 9, 12], bits_of, |_| pieces += 1);
    assert_eq!(
        (refused, pieces),
        (Err(NotEncodable::TooLong { bits: 97 }), 0)
    );
}
