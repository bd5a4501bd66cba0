//! Bit I/O and Exp-Golomb: round trips, lengths, and what is refused.

use bitvec::prelude::*;
use proptest::prelude::*;
use versus_codec::{BitReader, BitWriter, DecodeError, EncodeError, LEADING_ZEROS_MAX, UE_MAX};

fn written(write: impl FnOnce(&mut BitWriter<'_>)) -> BitVec<u8, Msb0> {
    let mut bits = bitvec![u8, Msb0; 0; 256];
    let mut out = BitWriter::new(&mut bits);
    write(&mut out);
    let len = out.len();
    bits.truncate(len);
    bits
}

#[test]
fn the_first_unsigned_numbers_are_the_standard_ones() {
    let codes = [
        "1", "010", "011", "00100", "00101", "00110", "00111", "0001000",
    ];
    for (value, code) in codes.into_iter().enumerate() {
        let bits = written(|out| out.ue(value as u64).unwrap());
        let text: String = bits
            .iter()
            .map(|bit| if *bit { '1' } else { '0' })
            .collect();
        assert_eq!(text, code, "UE({value})");
    }
}

#[test]
fn signed_numbers_alternate_from_zero() {
    for (mapped, value) in [0, 1, -1, 2, -2, 3, -3].into_iter().enumerate() {
        assert_eq!(
            written(|out| out.se(value).unwrap()),
            written(|out| out.ue(mapped as u64).unwrap()),
            "SE({value})"
        );
    }
}

#[test]
fn the_largest_number_has_24_leading_zeros_and_one_more_is_refused() {
    let bits = written(|out| out.ue(UE_MAX).unwrap());
    assert_eq!(bits.leading_zeros(), LEADING_ZEROS_MAX as usize);
    assert_eq!(BitReader::new(&bits).ue(), Ok(UE_MAX));
    let mut counting = BitWriter::counting();
    assert_eq!(
        counting.ue(UE_MAX + 1),
        Err(EncodeError::TooLarge { value: UE_MAX + 1 })
    );
    let mut longer = bitvec![u8, Msb0; 0; 25];
    longer.extend(bitvec![u8, Msb0; 1; 26]);
    assert_eq!(
        BitReader::new(&longer).ue(),
        Err(DecodeError::LeadingZeros { at: 25 })
    );
}

#[test]
fn extreme_signed_numbers_are_refused_not_wrapped() {
    for value in [i64::MIN, i64::MIN + 1, i64::MAX, 1 << 24, -(1 << 24)] {
        let mut out = BitWriter::counting();
        assert!(
            matches!(out.se(value), Err(EncodeError::TooLarge { .. })),
            "{value}"
        );
    }
    let edge = (1 << 24) - 1;
    for value in [edge, -edge] {
        let bits = written(|out| out.se(value).unwrap());
        assert_eq!(BitReader::new(&bits).se(), Ok(value));
    }
}

#[test]
fn a_write_that_does_not_fit_writes_nothing() {
    let mut bits = bitvec![u8, Msb0; 0; 10];
    let mut out = BitWriter::new(&mut bits);
    out.bits(0b1_1111, 5).unwrap();
    assert_eq!(
        out.bits(0b11_1111, 6),
        Err(EncodeError::Full { capacity: 10 })
    );
    assert_eq!(out.len(), 5);
    assert_eq!(
        out.copy(bits![u8, Msb0; 1; 6]),
        Err(EncodeError::Full { capacity: 10 })
    );
    out.copy(bits![u8, Msb0; 1; 5]).unwrap();
    assert!(bits.all());
}

#[derive(Clone, Debug)]
enum Item {
    Bits(u64, u32),
    Ue(u64),
    Se(i64),
}

fn item() -> impl Strategy<Value = Item> {
    let edge = (1_i64 << 24) - 1;
    prop_oneof![
        (any::<u64>(), 0_u32..=64).prop_map(|(value, count)| {
            let mask = if count == 64 {
                u64::MAX
            } else {
                (1 << count) - 1
            };
            Item::Bits(value & mask, count)
        }),
        (0..=UE_MAX).prop_map(Item::Ue),
        (0_u64..40).prop_map(Item::Ue),
        (-edge..=edge).prop_map(Item::Se),
        (-40_i64..40).prop_map(Item::Se),
    ]
}

fn write(out: &mut BitWriter<'_>, items: &[Item]) -> Result<(), EncodeError> {
    items.iter().try_for_each(|item| match *item {
        Item::Bits(value, count) => out.bits(value, count),
        Item::Ue(value) => out.ue(value),
        Item::Se(value) => out.se(value),
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(items in prop::collection::vec(item(), 0..20)) {
        let mut counting = BitWriter::counting();
        write(&mut counting, &items).unwrap();
        let mut bits = bitvec![u8, Msb0; 0; counting.len()];
        let mut out = BitWriter::new(&mut bits);
        write(&mut out, &items).unwrap();
        prop_assert_eq!(out.len(), counting.len(), "counting and writing agree");
        let mut input = BitReader::new(&bits);
        for item in &items {
            match *item {
                Item::Bits(value, count) => prop_assert_eq!(input.bits(count), Ok(value)),
                Item::Ue(value) => prop_assert_eq!(input.ue(), Ok(value)),
                Item::Se(value) => prop_assert_eq!(input.se(), Ok(value)),
            }
        }
        prop_assert_eq!(input.left(), 0);
        prop_assert!(input.flag().is_err());
    }

    #[test]
    fn any_bits_read_as_a_number_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..12), len in 0_usize..96) {
        let bits = bytes.view_bits::<Msb0>();
        let bits = &bits[..len.min(bits.len())];
        let mut input = BitReader::new(bits);
        if let Ok(value) = input.ue() {
            prop_assert!(value <= UE_MAX);
            prop_assert_eq!(written(|out| out.ue(value).unwrap()), bits[..input.at()].to_bitvec(), "one code a number");
        }
    }
}

#[test]
fn bits_are_copied_from_and_to_within_a_byte() {
    let bytes: [u8; 32] = core::array::from_fn(|at| (at as u8).wrapping_mul(151) ^ 0x5A);
    let all = bytes.view_bits::<Msb0>();
    for to in [0, 1, 6, 8, 11] {
        for from in [0, 1, 5, 7, 8, 13] {
            for len in [0, 1, 7, 8, 63, 64, 65, 83, 127, 131] {
                let part = &all[from..from + len];
                let mut room = bitvec![u8, Msb0; 1; to + len];
                let mut out = BitWriter::new(&mut room);
                out.bits(0, to as u32).unwrap();
                out.copy(part).unwrap();
                assert_eq!(out.len(), to + len);
                assert!(out.copy(&all[..1]).is_err(), "it is full");
                assert!(room[..to].not_any());
                let same = room[to..].iter().by_vals().eq(part.iter().by_vals());
                assert!(same, "{len} bits from {from} to {to}");
            }
        }
    }
}
