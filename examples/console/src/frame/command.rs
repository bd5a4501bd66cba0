//! Commands as JSON: `type`, `unitIds`, positions in tiles, kinds by index.

use super::{Failure, GameContext, with_bits};
use bitvec::{order::Msb0, slice::BitSlice, vec::BitVec};
use game_sim::{Command, SkirmishCodec, Tables};
use match_feed::duel::MapSize;
use serde_json::{Map, Value, json};
use versus_codec::{BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, TurnContext, kit::Cell};

/// Table lengths that this tool reads: those of the wire vectors, which leave room for what the game has not named.
const TABLES: Tables = Tables {
    unit_kinds: 20,
    building_kinds: 10,
    powers: 4,
};

/// The codec that frames are read and written with.
pub(super) fn codec(map: MapSize) -> SkirmishCodec {
    SkirmishCodec::with_tables(map, TABLES)
}

/// Fields that hold a kind, with the prefix of a kind that is named by its index.
const KINDS: [(&str, &str); 3] = [
    ("unitKind", "unit"),
    ("buildingKind", "building"),
    ("power", "power"),
];

/// A command as an object.
pub(super) fn to_json(command: &Command, names: bool) -> Value {
    let mut value = serde_json::to_value(command).expect("a command has only plain fields");
    let object = value.as_object_mut().expect("a command is an object");
    match object.remove("at") {
        Some(at) if at.get("tx").is_some() => {
            object.extend(at.as_object().cloned().unwrap_or_default())
        }
        Some(at) => {
            let cell: Cell = serde_json::from_value(at).expect("a position is a cell or a tile");
            let (x, y) = cell.centre();
            object.insert("x".into(), x.into());
            object.insert("y".into(), y.into());
        }
        None => {}
    }
    if !names {
        let index = match command {
            Command::Produce { unit_kind, .. } | Command::CancelProduce { unit_kind, .. } => {
                Some(unit_kind.0)
            }
            Command::StartBuilding { building_kind } => Some(building_kind.0),
            Command::Calldown { power, .. } => Some(power.0),
            _ => None,
        };
        for (field, prefix) in KINDS {
            if let (Some(kind), Some(index)) = (object.get_mut(field), index) {
                *kind = format!("{prefix}{index}").into();
            }
        }
    }
    value
}

/// An object as a command in its canonical form, on this map.
pub(super) fn from_json(value: &Value, map: MapSize) -> Result<Command, Failure> {
    let mut object = value
        .as_object()
        .ok_or_else(|| format!("{value} is not a command"))?
        .clone();
    if let (Some(tx), Some(ty)) = (object.remove("tx"), object.remove("ty")) {
        object.insert("at".into(), json!({"tx": tx, "ty": ty}));
    }
    if let (Some(x), Some(y)) = (object.remove("x"), object.remove("y")) {
        let point = x
            .as_f64()
            .zip(y.as_f64())
            .ok_or_else(|| format!("x {x}, y {y}: not numbers"))?;
        let cell =
            Cell::at(map, point.0, point.1).ok_or_else(|| format!("x {x}, y {y}: not finite"))?;
        if cell.centre() != point {
            let (x, y) = cell.centre();
            return Err(format!(
                "{}, {} is no cell's centre: the nearest is {x}, {y}",
                point.0, point.1
            )
            .into());
        }
        object.insert("at".into(), serde_json::to_value(cell)?);
    }
    for (field, prefix) in KINDS {
        if let Some(index) = object.get(field).and_then(Value::as_u64) {
            object.insert(field.into(), format!("{prefix}{index}").into());
        }
    }
    let command: Command =
        serde_json::from_value(Value::Object(object)).map_err(|why| format!("{value}: {why}"))?;
    let mut pieces = Vec::new();
    codec(map)
        .canonicalize(command.clone(), &mut |piece| pieces.push(piece))
        .map_err(|why| format!("{value}: {why}"))?;
    if pieces != [command.clone()] {
        return Err(format!(
            "{value} is not canonical: it goes out as {} commands",
            pieces.len()
        )
        .into());
    }
    Ok(command)
}

/// A command by itself, as the first of its turn.
pub(super) fn decode_alone(
    bits: &BitSlice<u8, Msb0>,
    context: GameContext,
) -> Result<Value, Failure> {
    let mut input = BitReader::new(bits);
    let command = codec(context.map).decode(&mut TurnContext::default(), &mut input)?;
    let object = Map::from_iter([("command".into(), to_json(&command, context.names))]);
    Ok(with_bits(object, input.since(0)))
}

/// A command by itself (`command`), as the first of its turn; one too long for a packet as its pieces.
pub(super) fn encode_alone(
    request: &Map<String, Value>,
    context: GameContext,
) -> Result<Value, Failure> {
    let command = from_json(
        request.get("command").ok_or("\"command\" is missing")?,
        context.map,
    )?;
    let mut bits = BitVec::<u8, Msb0>::repeat(false, COMMAND_BITS_MAX);
    let mut out = BitWriter::new(&mut bits);
    codec(context.map).encode(&command, &mut TurnContext::default(), &mut out)?;
    let len = out.len();
    let object = Map::from_iter([("command".into(), to_json(&command, context.names))]);
    Ok(with_bits(object, &bits[..len]))
}
