//! `frame`: frames to JSON and back, with the field names of the project's wire vectors.

mod args;

pub use args::{EXAMPLES, FrameArgs, FrameKind};

mod command;
mod game;
mod lobby;

use crate::{hex, term};
use bitvec::{order::Msb0, slice::BitSlice, vec::BitVec};
use match_feed::duel::MapSize;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::{
    error::Error,
    io::{self, BufRead, Read, Write},
};

/// What a game frame is read with.
#[derive(Clone, Copy)]
pub struct GameContext {
    /// The turn to unwrap `to` near; `None` takes it as it stands.
    expect_to: Option<u32>,
    /// One's own tick; `None` takes `expect_to`.
    tick: Option<u32>,
    /// The map.
    map: MapSize,
    /// Print the game's own names of kinds.
    names: bool,
}

/// The longest request that is read, bytes.
const LINE_BYTES_MAX: u64 = 1 << 20;

type Failure = Box<dyn Error>;

/// One frame from the command line, or a request a line from standard input.
pub fn run(args: &FrameArgs) -> Result<(), Failure> {
    match &args.kind {
        None => batch(args),
        Some(kind) => match one(kind, args) {
            Ok(object) => {
                say!("{object}");
                Ok(())
            }
            Err(why) => {
                say!("{}", json!({"error": why.to_string()}));
                Err("the frame was refused".into())
            }
        },
    }
}

fn one(kind: &FrameKind, args: &FrameArgs) -> Result<Value, Failure> {
    match kind {
        FrameKind::Game {
            frame,
            expect_to,
            tick,
            map,
        } => {
            let context = GameContext {
                expect_to: *expect_to,
                tick: *tick,
                map: parse_map(map)?,
                names: args.names,
            };
            if args.encode {
                game::encode(&object(&text_or_stdin(frame.as_deref())?)?, context)
            } else {
                game::decode(&hex::parse(&text_or_stdin(frame.as_deref())?)?, context)
            }
        }
        FrameKind::Lobby { frame } if args.encode => {
            lobby::encode(&object(&text_or_stdin(frame.as_deref())?)?)
        }
        FrameKind::Lobby { frame } => {
            lobby::decode(&hex::parse(&text_or_stdin(frame.as_deref())?)?)
        }
    }
}

/// A request a line, an answer a line; a refusal is an answer too, and the exit status tells that there was one.
fn batch(args: &FrameArgs) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut refused = 0_u64;
    let mut lines = 0_u64;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input
        .by_ref()
        .take(LINE_BYTES_MAX + 1)
        .read_until(b'\n', &mut line)?
        > 0
    {
        if line.len() as u64 > LINE_BYTES_MAX {
            return Err(format!("a request of over {LINE_BYTES_MAX} bytes").into());
        }
        let request = String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned();
        if request.trim().is_empty() {
            continue;
        }
        lines += 1;
        let answer = answer(&request, args).unwrap_or_else(|why| {
            refused += 1;
            json!({"error": why.to_string()})
        });
        writeln!(out, "{answer}")?;
        // Whoever asks may wait for the answer before asking again.
        out.flush()?;
    }
    match (lines, refused) {
        (0, _) => Err("no request on standard input; see: sound-duel frame --help".into()),
        (_, 0) => Ok(()),
        _ => Err(format!("{refused} of {lines} requests were refused").into()),
    }
}

fn answer(line: &str, args: &FrameArgs) -> Result<Value, Failure> {
    let request = object(line)?;
    let kind = kind(&request)?;
    let decode = !args.encode && request.contains_key("hex");
    let bits = || -> Result<BitVec<u8, Msb0>, Failure> {
        let digits: String = field(&request, "hex")?;
        Ok(hex::from_parts(
            &digits,
            request
                .contains_key("nbits")
                .then(|| field(&request, "nbits"))
                .transpose()?,
        )?)
    };
    let number = |name| {
        request
            .get(name)
            .filter(|value| !value.is_null())
            .map(|_| field(&request, name))
            .transpose()
    };
    match (kind, decode) {
        ("lobby", true) => lobby::decode(&bits()?),
        ("lobby", false) => lobby::encode(&request),
        ("game" | "command", _) => {
            let map = map_of(request.get("map"))?;
            let context = GameContext {
                expect_to: number("expect_to")?,
                tick: number("tick")?,
                map,
                names: args.names,
            };
            match (kind, decode) {
                ("game", true) => game::decode(&bits()?, context),
                ("game", false) => game::encode(&request, context),
                (_, true) => command::decode_alone(&bits()?, context),
                (_, false) => command::encode_alone(&request, context),
            }
        }
        (other, _) => {
            let other = term::quoted(other);
            Err(format!("kind {other} is not \"game\", \"lobby\" or \"command\"").into())
        }
    }
}

/// What a request says it is, or what its fields show: an answer of this tool is a request of it too.
fn kind(request: &Map<String, Value>) -> Result<&str, Failure> {
    if let Some(kind) = request.get("kind") {
        return kind.as_str().ok_or_else(|| "\"kind\" is not text".into());
    }
    let shown = [
        ("role", "lobby"),
        ("ack_through", "game"),
        ("command", "command"),
    ];
    let shown = shown
        .into_iter()
        .find(|(field, _)| request.contains_key(*field));
    shown
        .map(|(_, kind)| kind)
        .ok_or_else(|| "\"kind\" is \"game\", \"lobby\" or \"command\"".into())
}

fn object(text: &str) -> Result<Map<String, Value>, Failure> {
    match serde_json::from_str(text).map_err(|why| format!("not JSON: {why}"))? {
        Value::Object(object) => Ok(object),
        other => Err(format!("{other} is not a JSON object").into()),
    }
}

/// A field of an object as a type, or an error that names it.
fn field<T: for<'de> Deserialize<'de>>(
    object: &Map<String, Value>,
    name: &str,
) -> Result<T, Failure> {
    let value = object
        .get(name)
        .ok_or_else(|| format!("{name:?} is missing"))?;
    T::deserialize(value).map_err(|why| format!("{name:?}: {why}").into())
}

/// As [`field`], with a largest value.
fn bounded(object: &Map<String, Value>, name: &str, most: u64) -> Result<u64, Failure> {
    let value = field::<u64>(object, name)?;
    if value > most {
        return Err(format!("{name:?} {value}: the most is {most}").into());
    }
    Ok(value)
}

/// An object's frame: its fields, its length and its digits.
fn with_bits(mut object: Map<String, Value>, bits: &BitSlice<u8, Msb0>) -> Value {
    object.insert("nbits".into(), bits.len().into());
    object.insert("hex".into(), hex::text(bits).into());
    Value::Object(object)
}

fn text_or_stdin(text: Option<&str>) -> Result<String, Failure> {
    if let Some(text) = text {
        return Ok(text.into());
    }
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    Ok(text.trim().into())
}

fn parse_map(text: &str) -> Result<MapSize, Failure> {
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let size = sides.and_then(|(width, height)| MapSize::new(width, height));
    size.ok_or_else(|| {
        format!("map {text:?} is not WxH with sides of 1 to 4096 tiles, such as 64x48").into()
    })
}

/// `[64, 48]` or `"64x48"`; the vectors' map without one.
fn map_of(value: Option<&Value>) -> Result<MapSize, Failure> {
    match value {
        None | Some(Value::Null) => parse_map("64x48"),
        Some(Value::String(text)) => parse_map(text),
        Some(other) => {
            let [width, height] = <[u32; 2]>::deserialize(other)
                .map_err(|_| format!("\"map\" {other} is not [width, height]"))?;
            parse_map(&format!("{width}x{height}"))
        }
    }
}
