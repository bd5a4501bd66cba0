//! Lobby frames as JSON.

use super::{Failure, bounded, field, with_bits};
use bitvec::{order::Msb0, slice::BitSlice};
use link_transport::Role;
use match_feed::duel::{InputDelay, MapChoice, Side};
use serde_json::{Map, Value, json};
use versus_pairing::{LobbyConfig, LobbyFrame, LobbyHead, Opener};

/// On the wire, "no opener".
const NO_OPENER: u64 = 3;
/// On the wire, a random map is its biome and this.
const FIRST_RANDOM: u64 = 8;

pub(super) fn decode(bits: &BitSlice<u8, Msb0>) -> Result<Value, Failure> {
    let frame = LobbyFrame::decode(bits)?;
    let opener = |opener: Opener| opener.map_or(NO_OPENER, u64::from);
    let role = match frame.head.role {
        Role::Host => "host",
        Role::Guest => "guest",
    };
    let object = json!({
        "role": role,
        "proto": frame.head.proto,
        "build": frame.head.build,
        "nonce": frame.nonce,
        "heard": frame.heard,
        "rxq": frame.rxq,
        "ping": frame.ping,
        "echo": frame.echo,
        "hold": frame.hold,
        "config": frame.config.map(|config| config_json(&config)),
        "conf_hash": frame.conf_hash,
        "pick": opener(frame.pick),
        "picked": frame.picked,
        "go": frame.go.is_some(),
        "theirs": frame.go.map_or(0, opener),
    });
    let Value::Object(object) = object else {
        unreachable!("an object literal")
    };
    Ok(with_bits(object, frame.encode().as_bitslice()))
}

fn config_json(config: &LobbyConfig) -> Value {
    let mut object = json!({
        "map": 0,
        "mutators": config.mutators,
        "delay": config.delay,
        "hostSide": config.host_side.index(),
        "fast": config.fast,
    });
    match config.map {
        MapChoice::BuiltIn(index) => object["map"] = index.into(),
        MapChoice::Random { biome, seed } => {
            object["map"] = (FIRST_RANDOM + u64::from(biome)).into();
            object["seed"] = seed.into();
        }
    }
    object
}

pub(super) fn encode(object: &Map<String, Value>) -> Result<Value, Failure> {
    let opener = |name| {
        Ok::<Opener, Failure>(Some(bounded(object, name, NO_OPENER)? as u8).filter(|&o| o < 3))
    };
    let role = match field::<String>(object, "role")?.as_str() {
        "host" => Role::Host,
        "guest" => Role::Guest,
        other => return Err(format!("role {other:?} is neither host nor guest").into()),
    };
    let config = match object.get("config") {
        None | Some(Value::Null) => None,
        Some(Value::Object(_)) if role == Role::Guest => {
            return Err("only the host's frame has a config".into());
        }
        Some(Value::Object(config)) => Some(read_config(config)?),
        Some(other) => return Err(format!("\"config\": {other} is not an object").into()),
    };
    let frame = LobbyFrame {
        head: LobbyHead {
            role,
            proto: bounded(object, "proto", 15)? as u8,
            build: field(object, "build")?,
        },
        nonce: field(object, "nonce")?,
        heard: field(object, "heard")?,
        rxq: bounded(object, "rxq", 7)? as u8,
        ping: field(object, "ping")?,
        echo: field(object, "echo")?,
        hold: bounded(object, "hold", 127)? as u8,
        config,
        conf_hash: field(object, "conf_hash")?,
        pick: opener("pick")?,
        picked: field(object, "picked")?,
        go: if field(object, "go")? {
            Some(opener("theirs")?)
        } else {
            None
        },
    };
    Ok(with_bits(Map::new(), frame.encode().as_bitslice()))
}

fn read_config(config: &Map<String, Value>) -> Result<LobbyConfig, Failure> {
    let map = match bounded(config, "map", 12)? {
        map @ 0..6 => MapChoice::BuiltIn(map as u8),
        map @ FIRST_RANDOM.. => MapChoice::Random {
            biome: (map - FIRST_RANDOM) as u8,
            seed: field(config, "seed")?,
        },
        map => return Err(format!("map {map}: 0 to 5 are built in, 8 to 12 random").into()),
    };
    let delay = field::<u8>(config, "delay")?;
    Ok(LobbyConfig {
        map,
        mutators: bounded(config, "mutators", 0xFFF)? as u16,
        delay: InputDelay::try_from(delay).map_err(|why| format!("\"delay\" {delay}: {why}"))?,
        host_side: if bounded(config, "hostSide", 1)? == 0 {
            Side::Blue
        } else {
            Side::Red
        },
        fast: field(config, "fast")?,
    })
}
