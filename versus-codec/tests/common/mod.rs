//! A codec of the vectors' twenty command types, written with the kit from one table. A command is a JSON object.

use match_feed::duel::MapSize;
use serde_json::{Map, Value, json};
use versus_codec::kit::{self, Cell, Tile};
use versus_codec::{
    BitReader, BitWriter, CommandCodec, DecodeError, EncodeError, NotEncodable, Subjects,
    TurnContext, encoded_bits,
};

#[derive(Clone, Copy)]
enum Field {
    Units,
    Id(&'static str),
    /// Name, prefix of its values, table length, bits.
    Kind(&'static str, &'static str, usize, u32),
    Point,
    MaybePoint,
    Tile,
}
use Field::{Id, Kind, MaybePoint, Point, Units};

const UNIT: Field = Kind("unitKind", "unit", 20, 5);
const BUILDING: Field = Kind("buildingKind", "building", 10, 4);
const POWER: Field = Kind("power", "power", 4, 2);

const TYPES: [(&str, &[Field]); 20] = [
    ("move", &[Units, Point]),
    ("attackMove", &[Units, Point]),
    ("harvest", &[Units, Point]),
    ("attack", &[Units, Id("targetId")]),
    ("stop", &[Units]),
    ("anchor", &[Units]),
    ("packUp", &[Units]),
    ("produce", &[Id("buildingId"), UNIT]),
    ("cancelProduce", &[Id("buildingId"), UNIT]),
    ("startBuilding", &[BUILDING]),
    ("cancelBuilding", &[]),
    ("callWave", &[]),
    ("placeBuilding", &[Field::Tile]),
    ("sell", &[Id("buildingId")]),
    ("rally", &[Id("buildingId"), Point]),
    ("calldown", &[POWER, Point]),
    ("board", &[Units, Id("carrierId")]),
    ("unload", &[Units, MaybePoint]),
    ("lift", &[Units, Id("goliathId")]),
    ("resign", &[]),
];

/// The vectors' codec.
#[derive(Clone, Copy, Debug)]
pub struct VectorCodec {
    pub map: MapSize,
}

/// Everything in `vectors/wire/frames.json`. A missing file is a failure.
pub fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/wire/frames.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

impl VectorCodec {
    pub fn of(vectors: &Value) -> Self {
        let side = |at: usize| vectors["map"][at].as_u64().unwrap() as u32;
        Self {
            map: MapSize::new(side(0), side(1)).unwrap(),
        }
    }
}

pub fn hex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(byte).collect()
}

fn fields(command: &Value) -> (usize, &'static [Field]) {
    let name = command["type"].as_str().expect("a type");
    let at = TYPES.iter().position(|entry| entry.0 == name).expect(name);
    (at, TYPES[at].1)
}

fn units(command: &Value) -> Vec<u32> {
    let ids = command["unitIds"].as_array();
    ids.into_iter()
        .flatten()
        .map(|id| id.as_u64().unwrap() as u32)
        .collect()
}

fn number(command: &Value, name: &str) -> u32 {
    command[name].as_u64().unwrap() as u32
}

impl VectorCodec {
    fn point(&self, command: &Value) -> Option<Cell> {
        Cell::at(self.map, command["x"].as_f64()?, command["y"].as_f64()?)
    }

    fn with_units(command: &Value, units: &[u32]) -> Value {
        let mut command = command.clone();
        command["unitIds"] = json!(units);
        command
    }
}

impl CommandCodec for VectorCodec {
    type Command = Value;

    fn canonicalize(
        &self,
        mut command: Value,
        emit: &mut dyn FnMut(Value),
    ) -> Result<(), NotEncodable> {
        let (_, fields) = fields(&command);
        if let Some(cell) = self.point(&command) {
            let (x, y) = cell.centre();
            (command["x"], command["y"]) = (json!(x), json!(y));
        }
        if !matches!(fields.first(), Some(Units)) {
            emit(command);
            return Ok(());
        }
        let mut units = units(&command);
        kit::canonical_units(&mut units)?;
        let bits = |units: &[u32]| {
            encoded_bits(self, &Self::with_units(&command, units)).expect("encodable")
        };
        if command["type"] == "lift" {
            emit(Self::with_units(&command, &units));
            return Ok(());
        }
        kit::split_units(&units, bits, |piece| {
            emit(Self::with_units(&command, piece));
        })
    }

    fn encode(
        &self,
        command: &Value,
        turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError> {
        let (index, fields) = fields(command);
        kit::write_enum(index as u8, 5, out)?;
        for field in fields {
            match *field {
                Units => kit::write_units(&units(command), turn, out)?,
                Id(name) => kit::write_id(number(command, name), out)?,
                Kind(name, prefix, _, bits) => {
                    let kind = command[name].as_str().unwrap();
                    let index = kind.strip_prefix(prefix).unwrap().parse().unwrap();
                    kit::write_enum(index, bits, out)?;
                }
                Point => {
                    kit::write_cell(self.point(command).expect("a point"), self.map, out)?;
                }
                MaybePoint => {
                    let point = self.point(command);
                    out.flag(point.is_some())?;
                    if let Some(cell) = point {
                        kit::write_cell(cell, self.map, out)?;
                    }
                }
                Field::Tile => {
                    let (tx, ty) = (number(command, "tx"), number(command, "ty"));
                    kit::write_tile(Tile { tx, ty }, self.map, out)?;
                }
            }
        }
        Ok(())
    }

    fn decode(
        &self,
        turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<Value, DecodeError> {
        let index = kit::read_enum("command type", TYPES.len(), 5, input)?;
        let (name, fields) = TYPES[usize::from(index)];
        let mut command = Map::new();
        command.insert("type".into(), name.into());
        for field in fields {
            match *field {
                Units => {
                    command.insert("unitIds".into(), json!(kit::read_units(turn, input)?));
                }
                Id(name) => {
                    command.insert(name.into(), kit::read_id(input)?.into());
                }
                Kind(name, prefix, len, bits) => {
                    let index = kit::read_enum(name, len, bits, input)?;
                    command.insert(name.into(), format!("{prefix}{index}").into());
                }
                MaybePoint if !input.flag()? => {}
                Point | MaybePoint => {
                    let (x, y) = kit::read_cell(self.map, input)?.centre();
                    command.insert("x".into(), x.into());
                    command.insert("y".into(), y.into());
                }
                Field::Tile => {
                    let tile = kit::read_tile(self.map, input)?;
                    command.insert("tx".into(), tile.tx.into());
                    command.insert("ty".into(), tile.ty.into());
                }
            }
        }
        Ok(Value::Object(command))
    }

    fn subjects(&self, command: &Value) -> Subjects {
        units(command)
    }

    fn overrides(&self, _newer: &Value, _older: &Value) -> bool {
        false
    }

    fn urgent(&self, command: &Value) -> bool {
        command["type"] == "resign"
    }
}
