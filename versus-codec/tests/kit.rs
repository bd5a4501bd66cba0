//! The kit's field types: round trips for everything legal, refusals for everything else, and the split law.

use bitvec::prelude::*;
use match_feed::duel::{MAP_SIDE_MAX, MapSize};
use proptest::prelude::*;
use versus_codec::kit::{self, CELLS_PER_TILE, Cell, ID_END, Tile, index_bits};
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, DecodeError, EncodeError, NotEncodable, TurnContext,
};

fn units() -> impl Strategy<Value = Vec<u32>> {
    let ids = prop_oneof![0_u32..400, 0..ID_END];
    prop::collection::btree_set(ids, 1..40).prop_map(|set| set.into_iter().collect())
}

fn map() -> impl Strategy<Value = MapSize> {
    let side = || prop_oneof![1_u32..=130, 1..=MAP_SIDE_MAX];
    (side(), side()).prop_map(|(width, height)| MapSize::new(width, height).unwrap())
}

fn written(write: impl FnOnce(&mut BitWriter<'_>) -> Result<(), EncodeError>) -> BitVec<u8, Msb0> {
    let mut bits = bitvec![u8, Msb0; 0; 4096];
    let mut out = BitWriter::new(&mut bits);
    write(&mut out).unwrap();
    let len = out.len();
    bits.truncate(len);
    bits
}

/// A layout like a command's: a fixed part and the units.
fn bits_of(units: &[u32], fixed_bits: usize) -> usize {
    let mut out = BitWriter::counting();
    kit::write_units(units, &mut TurnContext::default(), &mut out).unwrap();
    fixed_bits + out.len()
}

proptest! {
    #[test]
    fn unit_lists_round_trip(lists in prop::collection::vec(units(), 1..4), repeat in any::<bool>()) {
        let lists: Vec<_> = lists.iter().flat_map(|list| vec![list.clone(); 1 + usize::from(repeat)]).collect();
        let bits = written(|out| {
            let mut turn = TurnContext::default();
            lists.iter().try_for_each(|list| kit::write_units(list, &mut turn, out))
        });
        let mut input = BitReader::new(&bits);
        let mut turn = TurnContext::default();
        for list in &lists {
            let read = kit::read_units(&mut turn, &mut input);
            prop_assert_eq!(read.as_ref(), Ok(list));
        }
        prop_assert_eq!(input.left(), 0);
    }

    #[test]
    fn cells_tiles_and_ids_round_trip(map in map(), x in any::<u32>(), y in any::<u32>(), id in 0..ID_END) {
        let cell = Cell { x, y }.clamp_to(map);
        let tile = cell.tile();
        prop_assert!(tile.is_on(map));
        let bits = written(|out| {
            kit::write_cell(cell, map, out)?;
            kit::write_tile(tile, map, out)?;
            kit::write_id(id, out)
        });
        let mut input = BitReader::new(&bits);
        prop_assert_eq!(kit::read_cell(map, &mut input), Ok(cell));
        prop_assert_eq!(kit::read_tile(map, &mut input), Ok(tile));
        prop_assert_eq!(kit::read_id(&mut input), Ok(id));
        prop_assert_eq!(input.left(), 0);
    }

    #[test]
    fn a_point_keeps_its_tile_and_a_centre_keeps_its_cell(map in map(), x in -10.0_f64..5000.0, y in -10.0_f64..5000.0) {
        let cell = Cell::at(map, x, y).unwrap();
        let (cx, cy) = cell.centre();
        prop_assert_eq!(Cell::at(map, cx, cy), Some(cell), "canonical is canonical");
        let clamped = |v: f64, size: u32| (v.max(0.0) as u32).min(size - 1);
        prop_assert_eq!(cell.tile(), Tile { tx: clamped(x, map.width()), ty: clamped(y, map.height()) });
    }

    #[test]
    fn enums_round_trip_within_their_table_only(index in 0_u8..=255, len in 1_usize..=256, bits in 0_u32..=8) {
        let mut out = BitWriter::counting();
        if u32::from(index) >> bits != 0 {
            prop_assert!(kit::write_enum(index, bits, &mut out).is_err());
            return Ok(());
        }
        let written = written(|out| kit::write_enum(index, bits, out));
        let read = kit::read_enum("thing", len, bits, &mut BitReader::new(&written));
        if usize::from(index) < len {
            prop_assert_eq!(read, Ok(index));
        } else {
            let outside = DecodeError::OutsideTable { what: "thing", index: index.into(), len: len as u64 };
            prop_assert_eq!(read, Err(outside));
        }
    }

    #[test]
    fn pieces_joined_are_the_whole_each_fits_and_none_could_take_one_more(list in units(), fixed_bits in 5_usize..45) {
        let mut pieces: Vec<Vec<u32>> = Vec::new();
        let bits = |units: &[u32]| bits_of(units, fixed_bits);
        let split = kit::split_units(&list, bits, |piece| pieces.push(piece.to_vec()));
        if let Some(alone) = list.iter().map(|&id| bits(&[id])).find(|&bits| bits > COMMAND_BITS_MAX) {
            prop_assert_eq!(split, Err(NotEncodable::TooLong { bits: alone }));
            prop_assert!(pieces.is_empty());
            return Ok(());
        }
        prop_assert_eq!(split, Ok(()));
        prop_assert_eq!(pieces.concat(), list);
        for (at, piece) in pieces.iter().enumerate() {
            prop_assert!(bits(piece) <= COMMAND_BITS_MAX);
            if let Some(next) = pieces.get(at + 1) {
                let one_more = [piece.as_slice(), &next[..1]].concat();
                prop_assert!(bits(&one_more) > COMMAND_BITS_MAX, "greedy: {piece:?} could have taken {}", next[0]);
            }
        }
    }

    #[test]
    fn canonical_units_are_sorted_and_single(mut ids in prop::collection::vec(0_u32..60, 1..40)) {
        let given = ids.clone();
        kit::canonical_units(&mut ids).unwrap();
        prop_assert!(ids.is_sorted_by(|a, b| a < b));
        prop_assert!(given.iter().all(|id| ids.contains(id)));
        let once = ids.clone();
        kit::canonical_units(&mut ids).unwrap();
        prop_assert_eq!(ids, once);
    }

    #[test]
    fn any_bits_are_a_legal_list_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut turn = TurnContext::default();
        let mut input = BitReader::new(bytes.view_bits());
        while let Ok(units) = kit::read_units(&mut turn, &mut input) {
            prop_assert!(!units.is_empty() && units.is_sorted_by(|a, b| a < b));
            prop_assert!(units.iter().all(|&id| id < ID_END));
        }
    }
}

#[test]
fn the_same_list_again_takes_one_bit() {
    let list = [4, 9, 200];
    let mut turn = TurnContext::default();
    let mut out = BitWriter::counting();
    kit::write_units(&list, &mut turn, &mut out).unwrap();
    let first = out.len();
    kit::write_units(&list, &mut turn, &mut out).unwrap();
    assert_eq!(out.len(), first + 1);
}

#[test]
fn same_as_previous_needs_a_previous_list() {
    let refused = kit::read_units(
        &mut TurnContext::default(),
        &mut BitReader::new(bits![u8, Msb0; 1]),
    );
    assert_eq!(refused, Err(DecodeError::NoPreviousUnits));
}

#[test]
fn a_count_beyond_the_bits_left_is_refused_before_it_is_believed() {
    let bits = written(|out| {
        out.flag(false)?;
        out.ue(1 << 24)
    });
    let refused = kit::read_units(&mut TurnContext::default(), &mut BitReader::new(&bits));
    let count = (1 << 24) + 1;
    assert_eq!(refused, Err(DecodeError::TooManyUnits { count, left: 0 }));
}

#[test]
fn ids_end_at_two_to_the_24() {
    let last = written(|out| kit::write_id(ID_END - 1, out));
    assert_eq!(kit::read_id(&mut BitReader::new(&last)), Ok(ID_END - 1));
    let over = written(|out| out.ue(ID_END.into()));
    let refused = Err(DecodeError::IdTooLarge { id: ID_END.into() });
    assert_eq!(kit::read_id(&mut BitReader::new(&over)), refused);
    assert_eq!(
        kit::canonical_units(&mut vec![1, ID_END]),
        Err(NotEncodable::Id { id: ID_END })
    );
    assert_eq!(
        kit::canonical_units(&mut vec![]),
        Err(NotEncodable::NoUnits)
    );
    // The last of a list counts too, reached by a gap.
    let gap = written(|out| {
        out.flag(false)?;
        out.ue(1)?;
        out.ue((ID_END - 1).into())?;
        out.ue(0)
    });
    let read = kit::read_units(&mut TurnContext::default(), &mut BitReader::new(&gap));
    assert_eq!(read, Err(DecodeError::IdTooLarge { id: ID_END.into() }));
}

#[test]
fn what_lies_off_the_map_is_refused() {
    let map = MapSize::new(64, 48).unwrap();
    let rows = 48 * CELLS_PER_TILE;
    let bits = written(|out| {
        out.bits(0, 10)?;
        out.bits(rows.into(), 10)
    });
    let off = DecodeError::OffMap {
        what: "y cell",
        index: rows.into(),
        size: rows.into(),
    };
    assert_eq!(kit::read_cell(map, &mut BitReader::new(&bits)), Err(off));
    let mut out = BitWriter::counting();
    assert!(kit::write_cell(Cell { x: 0, y: rows }, map, &mut out).is_err());
    assert!(kit::write_tile(Tile { tx: 64, ty: 0 }, map, &mut out).is_err());
    assert!(Cell::at(map, f64::NAN, 1.0).is_none() && Cell::at(map, 1.0, f64::INFINITY).is_none());
    assert!(MapSize::new(0, 5).is_none() && MapSize::new(5, MAP_SIDE_MAX + 1).is_none());
}

#[test]
fn index_bits_are_the_ceiling_of_the_logarithm() {
    for (count, bits) in [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 2),
        (5, 3),
        (64, 6),
        (65, 7),
        (768, 10),
        (1024, 10),
    ] {
        assert_eq!(index_bits(count), bits, "{count} things");
    }
}

#[test]
fn a_list_that_is_not_canonical_is_an_error() {
    for list in [&[][..], &[3, 3], &[4, 3], &[1, ID_END]] {
        let mut out = BitWriter::counting();
        let refused = kit::write_units(list, &mut TurnContext::default(), &mut out);
        assert!(refused.is_err(), "{list:?}");
    }
    assert!(kit::write_id(ID_END, &mut BitWriter::counting()).is_err());
}
