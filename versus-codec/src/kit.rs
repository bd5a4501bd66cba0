//! The field types of the specification's commands: unit lists, ids, cells, tiles, enums, and the greedy split.

use crate::{
    BitReader, BitWriter, COMMAND_BITS_MAX, DecodeError, EncodeError, NotEncodable, TurnContext,
};
use alloc::vec::Vec;
use match_feed::duel::MapSize;
use serde::{Deserialize, Serialize};

/// Ids are below this.
pub const ID_END: u32 = 1 << 24;
/// Cells to a tile along each axis: a cell is the grid that positions on the wire lie on.
pub const CELLS_PER_TILE: u32 = 16;

/// A cell: a sixteenth of a tile along each axis. A position on the wire is the centre of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Column, in sixteenths of a tile.
    pub x: u32,
    /// Row, in sixteenths of a tile.
    pub y: u32,
}

impl Cell {
    /// The centre of the cell, in tiles: `(k + ½) / 16`, exact.
    #[must_use]
    pub fn centre(self) -> (f64, f64) {
        let centre = |k: u32| (f64::from(k) + 0.5) / f64::from(CELLS_PER_TILE);
        (centre(self.x), centre(self.y))
    }

    /// The tile the cell lies in.
    #[must_use]
    pub const fn tile(self) -> Tile {
        Tile {
            tx: self.x / CELLS_PER_TILE,
            ty: self.y / CELLS_PER_TILE,
        }
    }

    /// The nearest cell on a map of `size`.
    #[must_use]
    #[inline]
    pub const fn clamp_to(self, size: MapSize) -> Self {
        let last = Self {
            x: size.width() * CELLS_PER_TILE - 1,
            y: size.height() * CELLS_PER_TILE - 1,
        };
        Self {
            x: if self.x < last.x { self.x } else { last.x },
            y: if self.y < last.y { self.y } else { last.y },
        }
    }

    /// The cell of a point in tiles, clamped to a map of `size`: `floor(v × 16)`. `None` if a coordinate is not finite.
    #[must_use]
    pub fn at(size: MapSize, x: f64, y: f64) -> Option<Self> {
        // `as` saturates, and truncates toward zero, which is `floor` for what is not clamped to 0 anyway.
        let index = |v: f64| (v * f64::from(CELLS_PER_TILE)) as u32;
        let cell = || Self {
            x: index(x),
            y: index(y),
        };
        (x.is_finite() && y.is_finite()).then(|| cell().clamp_to(size))
    }
}

/// A tile of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// Column.
    pub tx: u32,
    /// Row.
    pub ty: u32,
}

impl Tile {
    /// The cell at the tile's centre (the south-east one of the four that meet there).
    #[must_use]
    pub const fn centre(self) -> Cell {
        Cell {
            x: self.tx * CELLS_PER_TILE + CELLS_PER_TILE / 2,
            y: self.ty * CELLS_PER_TILE + CELLS_PER_TILE / 2,
        }
    }

    /// True if the tile is on a map of `size`.
    #[must_use]
    #[inline]
    pub const fn is_on(self, size: MapSize) -> bool {
        self.tx < size.width() && self.ty < size.height()
    }
}

/// How many bits tell `count` things apart: `ceil(log2(count))`.
#[must_use]
pub const fn index_bits(count: u32) -> u32 {
    if count <= 1 {
        0
    } else {
        (count - 1).ilog2() + 1
    }
}

/// Sorts ascending, removes duplicates, and checks that every id can be written.
///
/// # Errors
/// [`NotEncodable::NoUnits`] for an empty list, [`NotEncodable::Id`] for an id that is too large.
pub fn canonical_units(units: &mut Vec<u32>) -> Result<(), NotEncodable> {
    units.sort_unstable();
    units.dedup();
    match units.last() {
        None => Err(NotEncodable::NoUnits),
        Some(&id) if id >= ID_END => Err(NotEncodable::Id { id }),
        Some(_) => Ok(()),
    }
}

/// Cuts a canonical list greedily into consecutive pieces that each `fit`, and hands them on in order.
///
/// # Errors
/// [`NotEncodable::TooLong`], from the first unit that does not fit alone; nothing is emitted then.
pub fn split_units(
    units: &[u32],
    bits_of: impl Fn(&[u32]) -> usize,
    mut emit: impl FnMut(&[u32]),
) -> Result<(), NotEncodable> {
    let alone = units
        .iter()
        .map(|&id| bits_of(&[id]))
        .find(|&bits| bits > COMMAND_BITS_MAX);
    if let Some(bits) = alone {
        return Err(NotEncodable::TooLong { bits });
    }
    let mut rest = units;
    while !rest.is_empty() {
        let fits = |len: &usize| bits_of(&rest[..*len]) <= COMMAND_BITS_MAX;
        // A longer list is never shorter on the wire, so the first that does not fit ends the piece.
        let len = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let (piece, after) = rest.split_at(len);
        emit(piece);
        rest = after;
    }
    Ok(())
}

/// Writes a canonical unit list: "the same as before" if it is, else count, first id and gaps.
///
/// # Errors
/// A list that is empty or not ascending, an id that is too large, and as [`BitWriter::ue`].
pub fn write_units(
    units: &[u32],
    turn: &mut TurnContext,
    out: &mut BitWriter<'_>,
) -> Result<(), EncodeError> {
    let (Some(&first), Some(&last)) = (units.first(), units.last()) else {
        return Err(EncodeError::OutOfPlace {
            what: "a list of units of length",
            value: 0,
        });
    };
    if let Some(pair) = units.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(EncodeError::OutOfPlace {
            what: "unit",
            value: pair[1].into(),
        });
    }
    written_id(last)?;
    let same = units == turn.units;
    out.flag(same)?;
    if same {
        return Ok(());
    }
    out.ue(units.len() as u64 - 1)?;
    out.ue(first.into())?;
    for pair in units.windows(2) {
        out.ue(u64::from(pair[1] - pair[0]) - 1)?;
    }
    turn.units.clear();
    turn.units.extend_from_slice(units);
    Ok(())
}

/// Reads a unit list: never empty, ascending, every id below [`ID_END`].
///
/// # Errors
/// Anything else.
pub fn read_units(
    turn: &mut TurnContext,
    input: &mut BitReader<'_>,
) -> Result<Vec<u32>, DecodeError> {
    if input.flag()? {
        return if turn.units.is_empty() {
            Err(DecodeError::NoPreviousUnits)
        } else {
            Ok(turn.units.clone())
        };
    }
    let count = input.ue()? + 1;
    // Each unit takes at least a bit: a count beyond that is a lie, found before anything is allocated for it.
    if count > input.left() as u64 {
        return Err(DecodeError::TooManyUnits {
            count,
            left: input.left(),
        });
    }
    let mut units = Vec::with_capacity(count as usize);
    let mut id = read_id(input)?;
    units.push(id);
    for _ in 1..count {
        let next = u64::from(id) + input.ue()? + 1;
        id = small_id(next)?;
        units.push(id);
    }
    turn.units.clone_from(&units);
    Ok(units)
}

/// Writes an id.
///
/// # Errors
/// An id of [`ID_END`] or more, and as [`BitWriter::ue`].
pub fn write_id(id: u32, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    out.ue(written_id(id)?)
}

fn written_id(id: u32) -> Result<u64, EncodeError> {
    let value = u64::from(id);
    if id < ID_END {
        Ok(value)
    } else {
        Err(EncodeError::TooLarge { value })
    }
}

/// Reads an id.
///
/// # Errors
/// [`DecodeError::IdTooLarge`] at [`ID_END`] or above.
pub fn read_id(input: &mut BitReader<'_>) -> Result<u32, DecodeError> {
    small_id(input.ue()?)
}

fn small_id(id: u64) -> Result<u32, DecodeError> {
    u32::try_from(id)
        .ok()
        .filter(|&id| id < ID_END)
        .ok_or(DecodeError::IdTooLarge { id })
}

/// Writes a cell: each axis in `ceil(log2(size × 16))` bits.
///
/// # Errors
/// No room, or the cell is off the map.
pub fn write_cell(cell: Cell, map: MapSize, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    for (k, tiles) in [(cell.x, map.width()), (cell.y, map.height())] {
        write_index(k, tiles * CELLS_PER_TILE, out)?;
    }
    Ok(())
}

/// Reads a cell on the map.
///
/// # Errors
/// [`DecodeError::OffMap`] for one that is not.
pub fn read_cell(map: MapSize, input: &mut BitReader<'_>) -> Result<Cell, DecodeError> {
    let x = read_coordinate("x cell", map.width() * CELLS_PER_TILE, input)?;
    let y = read_coordinate("y cell", map.height() * CELLS_PER_TILE, input)?;
    Ok(Cell { x, y })
}

/// Writes a tile: each axis in `ceil(log2(size))` bits.
///
/// # Errors
/// No room, or the tile is off the map.
pub fn write_tile(tile: Tile, map: MapSize, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    write_index(tile.tx, map.width(), out)?;
    write_index(tile.ty, map.height(), out)
}

/// Reads a tile on the map.
///
/// # Errors
/// [`DecodeError::OffMap`] for one that is not.
pub fn read_tile(map: MapSize, input: &mut BitReader<'_>) -> Result<Tile, DecodeError> {
    let tx = read_coordinate("tile column", map.width(), input)?;
    let ty = read_coordinate("tile row", map.height(), input)?;
    Ok(Tile { tx, ty })
}

fn write_index(index: u32, count: u32, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    if index >= count {
        return Err(EncodeError::TooLarge {
            value: index.into(),
        });
    }
    out.bits(index.into(), index_bits(count))
}

fn read_coordinate(
    what: &'static str,
    size: u32,
    input: &mut BitReader<'_>,
) -> Result<u32, DecodeError> {
    let index = input.bits(index_bits(size))?;
    if index >= size.into() {
        return Err(DecodeError::OffMap {
            what,
            index,
            size: size.into(),
        });
    }
    Ok(index as u32) // below `size`
}

/// Writes an index into a table, in a field of `bits` bits.
///
/// # Errors
/// No room, or an index that the field cannot hold.
pub fn write_enum(index: u8, bits: u32, out: &mut BitWriter<'_>) -> Result<(), EncodeError> {
    if u32::from(index) >> bits != 0 {
        return Err(EncodeError::TooLarge {
            value: index.into(),
        });
    }
    out.bits(index.into(), bits)
}

/// Reads an index into a table of `len`, from a field of `bits` bits (at most 8).
///
/// # Errors
/// [`DecodeError::OutsideTable`].
pub fn read_enum(
    what: &'static str,
    len: usize,
    bits: u32,
    input: &mut BitReader<'_>,
) -> Result<u8, DecodeError> {
    let index = input.bits(bits)?;
    match u8::try_from(index) {
        Ok(small) if usize::from(small) < len => Ok(small),
        _ => Err(DecodeError::OutsideTable {
            what,
            index,
            len: len as u64,
        }),
    }
}
