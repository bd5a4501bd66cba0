//! Lobby frames as JSON.

use super::{Failure, bounded, field, with_bits};
use bitvec::{order::Msb0, slice::BitSlice};
use link_transport::{RXQ_MAX, Role};
use match_feed::duel::{InputDelay, MapChoice, Side};
use serde_json::{Map, Value, json};
use versus_pairing::{
    BIOMES_MAX, BUILT_IN_MAPS_MAX, HOLD_NONE, LobbyConfig, LobbyFrame, LobbyHead, Opener,
    WIRE_FIRST_RANDOM, WIRE_NO_OPENER,
};

/// The last random map that the wire can name.
const RANDOM_LAST: u64 = WIRE_FIRST_RANDOM + BIOMES_MAX as u64 - 1;

pub(super) fn decode(bits: &BitSlice<u8, Msb0>) -> Result<Value, Failure> {
    let frame = LobbyFrame::decode(bits)?;
    let opener = |opener: Opener| opener.map_or(WIRE_NO_OPENER, u64::from);
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
            object["map"] = (WIRE_FIRST_RANDOM + u64::from(biome)).into();
            object["seed"] = seed.into();
        }
    }
    object
}

pub(super) fn encode(object: &Map<String, Value>) -> Result<Value, Failure> {
    let opener = |name| {
        Ok::<Opener, Failure>(
            Some(bounded(object, name, WIRE_NO_OPENER)? as u8)
                .filter(|&o| u64::from(o) < WIRE_NO_OPENER),
        )
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
        rxq: bounded(object, "rxq", RXQ_MAX.into())? as u8,
        ping: field(object, "ping")?,
        echo: field(object, "echo")?,
        hold: bounded(object, "hold", HOLD_NONE.into())? as u8,
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
    let map = match bounded(config, "map", RANDOM_LAST)? {
        map if map < BUILT_IN_MAPS_MAX.into() => MapChoice::BuiltIn(map as u8),
        map @ WIRE_FIRST_RANDOM.. => MapChoice::Random {
            biome: (map - WIRE_FIRST_RANDOM) as u8,
            seed: field(config, "seed")?,
        },
        map => {
            let built_in = BUILT_IN_MAPS_MAX - 1;
            let range = format!("{WIRE_FIRST_RANDOM} to {RANDOM_LAST}");
            return Err(format!("map {map}: 0 to {built_in} are built in, {range} random").into());
        }
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
