//! The skirmish's commands to bits and back. Knows the map's size and the tables' lengths; never sees a world.

use crate::{BuildingKind, COMMAND_TYPES, Command, Power, UnitKind};
use match_feed::duel::MapSize;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, DecodeError, EncodeError, NotEncodable,
    Subjects, TurnContext, encoded_bits,
    kit::{
        ID_END, canonical_units, index_bits, read_cell, read_enum, read_id, read_tile, read_units,
        split_units, write_cell, write_enum, write_id, write_tile, write_units,
    },
};

const TYPE_BITS: u32 = index_bits(COMMAND_TYPES.len() as u32);
// Source of the field widths: the specification's "Layout of one command". Wider than the tables need, so that they
// can grow without a new layout.
const UNIT_KIND_BITS: u32 = 5;
const BUILDING_KIND_BITS: u32 = 4;
const POWER_BITS: u32 = 2;

const _: () = assert!(TYPE_BITS == 5);
const _: () = assert!(UnitKind::count() as u32 <= 1 << UNIT_KIND_BITS);
const _: () = assert!(BuildingKind::count() as u32 <= 1 << BUILDING_KIND_BITS);
const _: () = assert!(Power::count() as u32 <= 1 << POWER_BITS);

/// How many kinds each table has: an index beyond is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Unit kinds.
    pub unit_kinds: u8,
    /// Building kinds.
    pub building_kinds: u8,
    /// Powers.
    pub powers: u8,
}

impl Tables {
    /// The game's own.
    pub const GAME: Self = Self {
        unit_kinds: UnitKind::count(),
        building_kinds: BuildingKind::count(),
        powers: Power::count(),
    };
}

/// The codec of [`Command`] on a map of a given size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkirmishCodec {
    map: MapSize,
    tables: Tables,
}

impl SkirmishCodec {
    /// The game's own codec for a map of this size.
    #[must_use]
    pub const fn new(map: MapSize) -> Self {
        Self::with_tables(map, Tables::GAME)
    }

    /// A codec for tables of other lengths, for tools that read frames of another build.
    #[must_use]
    pub const fn with_tables(map: MapSize, tables: Tables) -> Self {
        Self { map, tables }
    }

    /// The map's size.
    #[must_use]
    pub const fn map_size(&self) -> MapSize {
        self.map
    }

    /// The index a command names in each table, with the table's length.
    const fn table_entry(&self, command: &Command) -> Option<(&'static str, u8, u8)> {
        match command {
            Command::Produce { unit_kind, .. } | Command::CancelProduce { unit_kind, .. } => {
                Some(("unit kind", unit_kind.0, self.tables.unit_kinds))
            }
            Command::StartBuilding { building_kind } => {
                Some(("building kind", building_kind.0, self.tables.building_kinds))
            }
            Command::Calldown { power, .. } => Some(("power", power.0, self.tables.powers)),
            _ => None,
        }
    }
}

/// The canonical form of everything but the unit list's length.
fn canonical_fields(codec: &SkirmishCodec, command: &mut Command) -> Result<(), NotEncodable> {
    if let Some(units) = command.units_mut() {
        canonical_units(units)?;
    }
    if let Some(id) = command.object_id().filter(|&id| id >= ID_END) {
        return Err(NotEncodable::Id { id });
    }
    if let Some((what, index, _)) = codec
        .table_entry(command)
        .filter(|(_, index, len)| index >= len)
    {
        return Err(NotEncodable::OutsideTable {
            what,
            index: index.into(),
        });
    }
    if let Command::PlaceBuilding { at } = command
        && !at.is_on(codec.map)
    {
        return Err(NotEncodable::OffMap {
            tx: at.tx,
            ty: at.ty,
        });
    }
    if let Some(cell) = command.cell_mut() {
        *cell = cell.clamp_to(codec.map);
    }
    Ok(())
}

impl SkirmishCodec {
    /// The length `command` would have with `units` for its unit list.
    fn bits_with(&self, command: &Command, units: &[u32]) -> usize {
        let piece = with_units(command, units);
        encoded_bits(self, &piece).unwrap_or(usize::MAX)
    }
}

fn with_units(command: &Command, units: &[u32]) -> Command {
    let mut piece = command.clone();
    if let Some(list) = piece.units_mut() {
        list.clear();
        list.extend_from_slice(units);
    }
    piece
}

impl CommandCodec for SkirmishCodec {
    type Command = Command;

    fn canonicalize(
        &self,
        mut command: Command,
        emit: &mut dyn FnMut(Command),
    ) -> Result<(), NotEncodable> {
        canonical_fields(self, &mut command)?;
        let Some(units) = command.units().cloned() else {
            emit(command);
            return Ok(());
        };
        let template = with_units(&command, &[]);
        let bits_of = |units: &[u32]| self.bits_with(&template, units);
        if let Command::Lift { .. } = command {
            // Never split, since its Condors lift together: those with the lowest ids that fit go.
            let fits = |len: &usize| bits_of(&units[..*len]) <= COMMAND_BITS_MAX;
            let len = (1..=units.len()).take_while(fits).last();
            let len = len.ok_or_else(|| NotEncodable::TooLong {
                bits: bits_of(&units[..1]),
            })?;
            emit(with_units(&template, &units[..len]));
            return Ok(());
        }
        split_units(&units, bits_of, |piece| emit(with_units(&template, piece)))
    }

    fn encode(
        &self,
        command: &Command,
        turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError> {
        if let Some((_, index, _)) = self
            .table_entry(command)
            .filter(|(_, index, len)| index >= len)
        {
            return Err(EncodeError::TooLarge {
                value: index.into(),
            });
        }
        out.bits(command.type_index().into(), TYPE_BITS)?;
        if let Some(units) = command.units() {
            if units.is_empty() || !units.is_sorted_by(|a, b| a < b) {
                return Err(EncodeError::TooLarge {
                    value: units.len() as u64,
                });
            }
            write_units(units, turn, out)?;
        }
        if let Some(id) = command.object_id() {
            write_id(id, out)?;
        }
        match command {
            Command::Move { at, .. }
            | Command::AttackMove { at, .. }
            | Command::Harvest { at, .. }
            | Command::Rally { at, .. } => write_cell(*at, self.map, out),
            Command::Produce { unit_kind, .. } | Command::CancelProduce { unit_kind, .. } => {
                write_enum(unit_kind.0, UNIT_KIND_BITS, out)
            }
            Command::StartBuilding { building_kind } => {
                write_enum(building_kind.0, BUILDING_KIND_BITS, out)
            }
            Command::PlaceBuilding { at } => write_tile(*at, self.map, out),
            Command::Calldown { power, at } => {
                write_enum(power.0, POWER_BITS, out)?;
                write_cell(*at, self.map, out)
            }
            Command::Unload { at, .. } => {
                out.flag(at.is_some())?;
                at.map_or(Ok(()), |cell| write_cell(cell, self.map, out))
            }
            Command::Attack { .. }
            | Command::Stop { .. }
            | Command::Anchor { .. }
            | Command::PackUp { .. }
            | Command::CancelBuilding
            | Command::CallWave
            | Command::Sell { .. }
            | Command::Board { .. }
            | Command::Lift { .. }
            | Command::Resign => Ok(()),
        }
    }

    fn decode(
        &self,
        turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<Command, DecodeError> {
        let (map, tables) = (self.map, self.tables);
        let unit_kind = |input: &mut BitReader<'_>| {
            let len = tables.unit_kinds.into();
            read_enum("unit kind", len, UNIT_KIND_BITS, input).map(UnitKind)
        };
        let building_kind = |input: &mut BitReader<'_>| {
            let len = tables.building_kinds.into();
            read_enum("building kind", len, BUILDING_KIND_BITS, input).map(BuildingKind)
        };
        // Fields are read in the order in which they are written below.
        Ok(
            match read_enum("command type", COMMAND_TYPES.len(), TYPE_BITS, input)? {
                0 => Command::Move {
                    unit_ids: read_units(turn, input)?,
                    at: read_cell(map, input)?,
                },
                1 => Command::AttackMove {
                    unit_ids: read_units(turn, input)?,
                    at: read_cell(map, input)?,
                },
                2 => Command::Harvest {
                    unit_ids: read_units(turn, input)?,
                    at: read_cell(map, input)?,
                },
                3 => Command::Attack {
                    unit_ids: read_units(turn, input)?,
                    target_id: read_id(input)?,
                },
                4 => Command::Stop {
                    unit_ids: read_units(turn, input)?,
                },
                5 => Command::Anchor {
                    unit_ids: read_units(turn, input)?,
                },
                6 => Command::PackUp {
                    unit_ids: read_units(turn, input)?,
                },
                7 => Command::Produce {
                    building_id: read_id(input)?,
                    unit_kind: unit_kind(input)?,
                },
                8 => Command::CancelProduce {
                    building_id: read_id(input)?,
                    unit_kind: unit_kind(input)?,
                },
                9 => Command::StartBuilding {
                    building_kind: building_kind(input)?,
                },
                10 => Command::CancelBuilding,
                11 => Command::CallWave,
                12 => Command::PlaceBuilding {
                    at: read_tile(map, input)?,
                },
                13 => Command::Sell {
                    building_id: read_id(input)?,
                },
                14 => Command::Rally {
                    building_id: read_id(input)?,
                    at: read_cell(map, input)?,
                },
                15 => Command::Calldown {
                    power: read_enum("power", tables.powers.into(), POWER_BITS, input)
                        .map(Power)?,
                    at: read_cell(map, input)?,
                },
                16 => Command::Board {
                    unit_ids: read_units(turn, input)?,
                    carrier_id: read_id(input)?,
                },
                17 => Command::Unload {
                    unit_ids: read_units(turn, input)?,
                    at: if input.flag()? {
                        Some(read_cell(map, input)?)
                    } else {
                        None
                    },
                },
                18 => Command::Lift {
                    unit_ids: read_units(turn, input)?,
                    goliath_id: read_id(input)?,
                },
                _ => Command::Resign, // 19: `read_enum` lets nothing else through
            },
        )
    }

    fn subjects(&self, command: &Command) -> Subjects {
        let mut subjects = command.units().cloned().unwrap_or_default();
        if let Command::Board { carrier_id: id, .. } | Command::Lift { goliath_id: id, .. } =
            command
            && !subjects.contains(id)
        {
            subjects.push(*id);
        }
        subjects
    }

    fn overrides(&self, newer: &Command, older: &Command) -> bool {
        match newer {
            Command::Move { .. } | Command::AttackMove { .. } => matches!(
                older,
                Command::Move { .. }
                    | Command::AttackMove { .. }
                    | Command::Attack { .. }
                    | Command::Harvest { .. }
                    | Command::Stop { .. }
            ),
            Command::Attack { .. } => matches!(older, Command::Attack { .. }),
            Command::Stop { .. } => matches!(older, Command::Stop { .. }),
            _ => false,
        }
    }

    fn urgent(&self, command: &Command) -> bool {
        matches!(command, Command::Resign)
    }
}
