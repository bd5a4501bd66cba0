//! The lobby frame against vectors made by a separate implementation of the format.

use bitvec::prelude::*;
use link_transport::{FrameBits, Plan, Role, SessionKey};
use match_feed::duel::{InputDelay, MapChoice, Side};
use serde_json::Value;
use versus_pairing::{LOBBY_BITS_MAX, LobbyConfig, LobbyFrame, LobbyFrameError, LobbyHead, Opener};

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/wire/frames.json");
    let text = std::fs::read_to_string(path).expect("the vectors are part of the project");
    serde_json::from_str(&text).expect("the vectors are JSON")
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("a number: {value}"))
}

fn flag(value: &Value) -> bool {
    value.as_bool().unwrap_or_else(|| panic!("a flag: {value}"))
}

fn bits_of(case: &Value) -> FrameBits {
    let hex = case["hex"].as_str().expect("hex digits");
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex digits"))
        .collect();
    FrameBits::from_bytes(&bytes, number(&case["nbits"]) as usize)
}

fn opener(value: &Value) -> Opener {
    Some(number(value) as u8).filter(|&index| index != 3)
}

fn config(value: &Value) -> LobbyConfig {
    let map = number(&value["map"]) as u8;
    LobbyConfig {
        map: if map < 8 {
            MapChoice::BuiltIn(map)
        } else {
            MapChoice::Random {
                biome: map - 8,
                seed: number(&value["seed"]) as u32,
            }
        },
        mutators: number(&value["mutators"]) as u16,
        delay: InputDelay::new(number(&value["delay"]) as u8).expect("a legal delay"),
        host_side: Side::BOTH[number(&value["hostSide"]) as usize],
        fast: flag(&value["fast"]),
    }
}

fn frame(case: &Value) -> LobbyFrame {
    LobbyFrame {
        head: LobbyHead {
            role: if case["role"] == "host" {
                Role::Host
            } else {
                Role::Guest
            },
            proto: number(&case["proto"]) as u8,
            build: number(&case["build"]) as u16,
        },
        nonce: number(&case["nonce"]) as u16,
        heard: number(&case["heard"]) as u16,
        rxq: number(&case["rxq"]) as u8,
        ping: number(&case["ping"]) as u8,
        echo: number(&case["echo"]) as u8,
        hold: number(&case["hold"]) as u8,
        config: (!case["config"].is_null()).then(|| config(&case["config"])),
        conf_hash: number(&case["conf_hash"]) as u16,
        pick: opener(&case["pick"]),
        picked: flag(&case["picked"]),
        go: flag(&case["go"]).then(|| opener(&case["theirs"])),
    }
}

#[test]
fn every_lobby_vector_decodes_to_its_fields_and_encodes_back_to_its_bits() {
    let vectors = vectors();
    let cases = vectors["lobby"].as_array().expect("lobby vectors");
    assert_eq!(cases.len(), 40);
    for case in cases {
        let (bits, fields) = (bits_of(case), frame(case));
        assert_eq!(LobbyFrame::decode(bits.as_bitslice()), Ok(fields), "{case}");
        assert_eq!(fields.encode(), bits, "{case}");
        assert_eq!(LobbyHead::decode(bits.as_bitslice()), Ok(fields.head));
        assert!(bits.len() <= LOBBY_BITS_MAX);
    }
}

#[test]
fn padding_is_ignored_whatever_its_bits() {
    for case in vectors()["lobby"].as_array().expect("lobby vectors") {
        let bits = bits_of(case);
        for fill in [false, true] {
            let mut packet = bitvec![u8, Msb0; usize::from(fill); 188];
            packet[..bits.len()].copy_from_bitslice(bits.as_bitslice());
            assert_eq!(LobbyFrame::decode(&packet), Ok(frame(case)), "{case}");
        }
    }
}

#[test]
fn a_cut_anywhere_is_refused() {
    for case in vectors()["lobby"].as_array().expect("lobby vectors") {
        let bits = bits_of(case);
        for len in 2..bits.len() {
            let error = LobbyFrame::decode(&bits.as_bitslice()[..len]).expect_err("cut short");
            assert!(
                matches!(error, LobbyFrameError::CutShort(_)),
                "{len}: {error}"
            );
        }
    }
}

#[test]
fn every_reject_is_refused_and_says_why() {
    let vectors = vectors();
    let mut seen = 0;
    for case in vectors["rejects"].as_array().expect("rejects") {
        if case["kind"] != "lobby" {
            continue;
        }
        seen += 1;
        let error = LobbyFrame::decode(bits_of(case).as_bitslice()).expect_err("refused");
        let why = case["why"].as_str().expect("a reason");
        let fits = match error {
            LobbyFrameError::Map { map } => why == format!("map {map}"),
            LobbyFrameError::Delay { ticks } => why == format!("delay value {}", ticks - 3),
            LobbyFrameError::GuestConfig => why == "a guest with a config",
            LobbyFrameError::CutShort(_) => why.starts_with("cut"),
            _ => false,
        };
        assert!(fits, "{why}: refused as {error}");
        assert!(!error.to_string().is_empty());
    }
    assert_eq!(seen, 7);
}

#[test]
fn other_frame_types_are_not_lobby_frames() {
    for found in [0b00_u8, 0b01, 0b11] {
        let packet = FrameBits::from_bytes(&[found << 6; 24], 188);
        let refused = Err(LobbyFrameError::NotLobby { found });
        assert_eq!(LobbyFrame::decode(packet.as_bitslice()), refused);
    }
}

#[test]
fn config_hashes_agree() {
    let vectors = vectors();
    let cases = vectors["conf_hash"].as_array().expect("conf_hash vectors");
    assert_eq!(cases.len(), 24);
    for case in cases {
        let key = SessionKey {
            host_nonce: number(&case["host_nonce"]) as u16,
            guest_nonce: number(&case["guest_nonce"]) as u16,
        };
        let plan = if case["plan"] == "high" {
            Plan::High
        } else {
            Plan::Low
        };
        assert_eq!(
            u64::from(config(&case["config"]).hash(plan, key)),
            number(&case["conf_hash"]),
            "{case}"
        );
    }
}
