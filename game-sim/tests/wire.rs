//! The codec against the wire vectors, which a separate implementation made, and its laws for every command type.

use bitvec::prelude::*;
use game_sim::{BuildingKind, COMMAND_TYPES, Command, Power, SkirmishCodec, Tables, UnitKind};
use match_feed::duel::MapSize;
use proptest::prelude::*;
use serde_json::Value;
use versus_codec::{
    BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, NotEncodable, TurnContext, encoded_bits,
    kit::{Cell, Tile},
};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/wire/frames.json");

fn vectors() -> Value {
    let text = std::fs::read_to_string(VECTORS).expect("the wire vectors are there");
    serde_json::from_str(&text).expect("they are JSON")
}

fn vector_codec(vectors: &Value) -> SkirmishCodec {
    let side = |at: usize| vectors["map"][at].as_u64().unwrap() as u32;
    let len = |table: &str| vectors["tables"][table].as_array().unwrap().len() as u8;
    let tables = Tables {
        unit_kinds: len("unit_kinds"),
        building_kinds: len("building_kinds"),
        powers: len("power_kinds"),
    };
    SkirmishCodec::with_tables(MapSize::new(side(0), side(1)).unwrap(), tables)
}

/// A command as the vectors write it: points in tiles, kinds by index.
fn command(codec: &SkirmishCodec, json: &Value) -> Command {
    let units = || -> Vec<u32> {
        let list = json["unitIds"].as_array().unwrap();
        list.iter().map(|id| id.as_u64().unwrap() as u32).collect()
    };
    let id = |field: &str| json[field].as_u64().unwrap() as u32;
    let at = || {
        let (x, y) = (json["x"].as_f64().unwrap(), json["y"].as_f64().unwrap());
        Cell::at(codec.map_size(), x, y).unwrap()
    };
    let unit_kind = || UnitKind::by_name(json["unitKind"].as_str().unwrap()).unwrap();
    match json["type"].as_str().unwrap() {
        "move" => Command::Move {
            unit_ids: units(),
            at: at(),
        },
        "attackMove" => Command::AttackMove {
            unit_ids: units(),
            at: at(),
        },
        "harvest" => Command::Harvest {
            unit_ids: units(),
            at: at(),
        },
        "attack" => Command::Attack {
            unit_ids: units(),
            target_id: id("targetId"),
        },
        "stop" => Command::Stop { unit_ids: units() },
        "anchor" => Command::Anchor { unit_ids: units() },
        "packUp" => Command::PackUp { unit_ids: units() },
        "produce" => Command::Produce {
            building_id: id("buildingId"),
            unit_kind: unit_kind(),
        },
        "cancelProduce" => Command::CancelProduce {
            building_id: id("buildingId"),
            unit_kind: unit_kind(),
        },
        "startBuilding" => Command::StartBuilding {
            building_kind: BuildingKind::by_name(json["buildingKind"].as_str().unwrap()).unwrap(),
        },
        "cancelBuilding" => Command::CancelBuilding,
        "callWave" => Command::CallWave,
        "placeBuilding" => Command::PlaceBuilding {
            at: Tile {
                tx: id("tx"),
                ty: id("ty"),
            },
        },
        "sell" => Command::Sell {
            building_id: id("buildingId"),
        },
        "rally" => Command::Rally {
            building_id: id("buildingId"),
            at: at(),
        },
        "calldown" => Command::Calldown {
            power: Power::by_name(json["power"].as_str().unwrap()).unwrap(),
            at: at(),
        },
        "board" => Command::Board {
            unit_ids: units(),
            carrier_id: id("carrierId"),
        },
        "unload" => Command::Unload {
            unit_ids: units(),
            at: json.get("x").map(|_| at()),
        },
        "lift" => Command::Lift {
            unit_ids: units(),
            goliath_id: id("goliathId"),
        },
        "resign" => Command::Resign,
        other => panic!("no command is called {other}"),
    }
}

fn bits_of(codec: &SkirmishCodec, command: &Command) -> BitVec<u8, Msb0> {
    let mut bits = bitvec![u8, Msb0; 0; 4 * COMMAND_BITS_MAX];
    let mut out = BitWriter::new(&mut bits);
    codec
        .encode(command, &mut TurnContext::default(), &mut out)
        .unwrap();
    let len = out.len();
    bits.truncate(len);
    bits
}

fn decoded(codec: &SkirmishCodec, bits: &BitSlice<u8, Msb0>) -> Command {
    let mut input = BitReader::new(bits);
    let command = codec
        .decode(&mut TurnContext::default(), &mut input)
        .unwrap();
    assert_eq!(input.left(), 0, "{command:?} leaves bits");
    command
}

fn pieces(codec: &SkirmishCodec, command: Command) -> Result<Vec<Command>, NotEncodable> {
    let mut pieces = Vec::new();
    codec.canonicalize(command, &mut |piece| pieces.push(piece))?;
    Ok(pieces)
}

#[test]
fn the_command_types_are_the_vectors_in_order() {
    let vectors = vectors();
    let names = vectors["tables"]["command_types"].as_array().unwrap();
    assert!(
        names
            .iter()
            .map(|name| name.as_str().unwrap())
            .eq(COMMAND_TYPES)
    );
}

#[test]
fn every_command_vector_encodes_and_decodes_to_the_bit() {
    let vectors = vectors();
    let codec = vector_codec(&vectors);
    let cases = vectors["commands"].as_array().unwrap();
    assert_eq!(cases.len(), 60);
    for case in cases {
        let command = command(&codec, &case["command"]);
        assert_eq!(command.type_name(), case["command"]["type"]);
        let bits = bits_of(&codec, &command);
        let hex: String = bits
            .clone()
            .into_vec()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(
            (hex.as_str(), bits.len() as u64),
            (
                case["hex"].as_str().unwrap(),
                case["nbits"].as_u64().unwrap()
            )
        );
        assert_eq!(decoded(&codec, &bits), command);
        assert_eq!(pieces(&codec, command.clone()), Ok(vec![command]));
    }
}

#[test]
fn every_split_vector_is_cut_in_the_same_places() {
    let vectors = vectors();
    let codec = vector_codec(&vectors);
    let cases = vectors["splits"].as_array().unwrap();
    assert_eq!(cases.len(), 5);
    for case in cases {
        let whole = command(&codec, &case["command"]);
        let cut: Vec<Vec<u32>> = pieces(&codec, whole.clone())
            .unwrap()
            .iter()
            .map(|piece| piece.units().unwrap().clone())
            .collect();
        assert_eq!(
            serde_json::to_value(&cut).unwrap(),
            case["pieces"],
            "{whole:?}"
        );
    }
}

#[test]
fn a_lift_keeps_the_lowest_ids_that_fit() {
    let codec = vector_codec(&vectors());
    let whole = Command::Lift {
        unit_ids: (0..60).map(|n| 900 - 13 * n).collect(),
        goliath_id: 8,
    };
    let cut = pieces(&codec, whole).unwrap();
    assert_eq!(cut.len(), 1);
    let kept = cut[0].units().unwrap();
    assert_eq!(kept[0], 900 - 13 * 59, "the lowest first");
    assert!(
        kept.windows(2).all(|pair| pair[1] - pair[0] == 13),
        "none left out between"
    );
    let one_more: Vec<u32> = kept
        .iter()
        .copied()
        .chain([kept.last().unwrap() + 13])
        .collect();
    let longer = Command::Lift {
        unit_ids: one_more,
        goliath_id: 8,
    };
    assert!(encoded_bits(&codec, &cut[0]).unwrap() <= COMMAND_BITS_MAX);
    assert!(encoded_bits(&codec, &longer).unwrap() > COMMAND_BITS_MAX);
}

#[test]
fn what_cannot_be_sent_is_refused_and_nothing_emitted() {
    let codec = SkirmishCodec::new(MapSize::new(64, 48).unwrap());
    let refused = |command: Command| pieces(&codec, command).unwrap_err();
    assert_eq!(
        refused(Command::Stop { unit_ids: vec![] }),
        NotEncodable::NoUnits
    );
    assert_eq!(
        refused(Command::Stop {
            unit_ids: vec![3, 1 << 24]
        }),
        NotEncodable::Id { id: 1 << 24 }
    );
    assert_eq!(
        refused(Command::Sell {
            building_id: u32::MAX
        }),
        NotEncodable::Id { id: u32::MAX }
    );
    assert_eq!(
        refused(Command::PlaceBuilding {
            at: Tile { tx: 64, ty: 0 }
        }),
        NotEncodable::OffMap { tx: 64, ty: 0 }
    );
    assert_eq!(
        refused(Command::StartBuilding {
            building_kind: BuildingKind(BuildingKind::count())
        }),
        NotEncodable::OutsideTable {
            what: "building kind",
            index: BuildingKind::count().into()
        }
    );
    // Two of the longest ids there are do not fit one command; nor does such a lift, even of one Condor.
    let far = (1 << 24) - 1;
    let too_long = NotEncodable::TooLong {
        bits: 5 + 1 + 1 + 49 + 49,
    };
    assert_eq!(
        refused(Command::Attack {
            unit_ids: vec![3, far],
            target_id: far
        }),
        too_long
    );
    assert_eq!(
        refused(Command::Lift {
            unit_ids: vec![far],
            goliath_id: far
        }),
        too_long
    );
    // A lift drops what does not fit, so one with a lower id besides is sent without the far one.
    let cut = pieces(
        &codec,
        Command::Lift {
            unit_ids: vec![3, far],
            goliath_id: far,
        },
    )
    .unwrap();
    assert_eq!(
        cut,
        [Command::Lift {
            unit_ids: vec![3],
            goliath_id: far
        }]
    );
}

#[test]
fn subjects_overrides_and_urgency_follow_the_pending_queue() {
    let codec = SkirmishCodec::new(MapSize::new(64, 48).unwrap());
    let at = Cell { x: 1, y: 1 };
    let ids = || vec![4, 9];
    let all = [
        Command::Move {
            unit_ids: ids(),
            at,
        },
        Command::AttackMove {
            unit_ids: ids(),
            at,
        },
        Command::Attack {
            unit_ids: ids(),
            target_id: 77,
        },
        Command::Harvest {
            unit_ids: ids(),
            at,
        },
        Command::Stop { unit_ids: ids() },
        Command::Anchor { unit_ids: ids() },
        Command::Board {
            unit_ids: ids(),
            carrier_id: 30,
        },
        Command::Lift {
            unit_ids: ids(),
            goliath_id: 31,
        },
        Command::Unload {
            unit_ids: ids(),
            at: None,
        },
        Command::Resign,
        Command::CallWave,
    ];
    let overridden = |newer: &Command| -> Vec<&str> {
        let older = all.iter().filter(|older| codec.overrides(newer, older));
        older.map(Command::type_name).collect()
    };
    let by_a_move = ["move", "attackMove", "attack", "harvest", "stop"];
    assert_eq!(overridden(&all[0]), by_a_move);
    assert_eq!(overridden(&all[1]), by_a_move);
    assert_eq!(overridden(&all[2]), ["attack"]);
    assert_eq!(overridden(&all[4]), ["stop"]);
    for newer in [3, 5, 6, 7, 8, 9, 10].map(|at: usize| &all[at]) {
        assert_eq!(overridden(newer), [""; 0], "{newer:?}");
    }
    assert_eq!(codec.subjects(&all[2]), [4, 9], "a target is not named");
    assert_eq!(codec.subjects(&all[6]), [4, 9, 30]);
    assert_eq!(codec.subjects(&all[7]), [4, 9, 31]);
    assert!(codec.subjects(&Command::Sell { building_id: 4 }).is_empty());
    let urgent: Vec<&Command> = all.iter().filter(|command| codec.urgent(command)).collect();
    assert_eq!(urgent, [&Command::Resign]);
}

fn any_command() -> impl Strategy<Value = Command> {
    let units = || prop::collection::vec(prop_oneof![0_u32..1200, 0_u32..1 << 24], 1..40);
    // Two ids of 24 bits do not fit one command; that has its own test.
    let id = || prop_oneof![0_u32..1200, 0_u32..1 << 18];
    // Cells off the map are legal to order: they are clamped.
    let at = || (0_u32..2000, 0_u32..2000).prop_map(|(x, y)| Cell { x, y });
    let unit_kind = || (0..UnitKind::count()).prop_map(UnitKind);
    prop_oneof![
        (units(), at()).prop_map(|(unit_ids, at)| Command::Move { unit_ids, at }),
        (units(), at()).prop_map(|(unit_ids, at)| Command::AttackMove { unit_ids, at }),
        (units(), at()).prop_map(|(unit_ids, at)| Command::Harvest { unit_ids, at }),
        (units(), id()).prop_map(|(unit_ids, target_id)| Command::Attack {
            unit_ids,
            target_id
        }),
        units().prop_map(|unit_ids| Command::Stop { unit_ids }),
        units().prop_map(|unit_ids| Command::Anchor { unit_ids }),
        units().prop_map(|unit_ids| Command::PackUp { unit_ids }),
        (id(), unit_kind()).prop_map(|(building_id, unit_kind)| Command::Produce {
            building_id,
            unit_kind
        }),
        (id(), unit_kind()).prop_map(|(building_id, unit_kind)| Command::CancelProduce {
            building_id,
            unit_kind
        }),
        (0..BuildingKind::count()).prop_map(|kind| Command::StartBuilding {
            building_kind: BuildingKind(kind)
        }),
        Just(Command::CancelBuilding),
        Just(Command::CallWave),
        (0_u32..64, 0_u32..48).prop_map(|(tx, ty)| Command::PlaceBuilding {
            at: Tile { tx, ty }
        }),
        id().prop_map(|building_id| Command::Sell { building_id }),
        (id(), at()).prop_map(|(building_id, at)| Command::Rally { building_id, at }),
        (0..Power::count(), at()).prop_map(|(power, at)| Command::Calldown {
            power: Power(power),
            at
        }),
        (units(), id()).prop_map(|(unit_ids, carrier_id)| Command::Board {
            unit_ids,
            carrier_id
        }),
        (units(), prop::option::of(at()))
            .prop_map(|(unit_ids, at)| Command::Unload { unit_ids, at }),
        (units(), id()).prop_map(|(unit_ids, goliath_id)| Command::Lift {
            unit_ids,
            goliath_id
        }),
        Just(Command::Resign),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The laws of `CommandCodec`, and a record's JSON.
    #[test]
    fn the_codec_keeps_its_laws(command in any_command()) {
        let codec = SkirmishCodec::new(MapSize::new(64, 48).unwrap());
        let cut = pieces(&codec, command.clone()).unwrap();
        for piece in &cut {
            prop_assert_eq!(pieces(&codec, piece.clone()), Ok(vec![piece.clone()]));
            let bits = bits_of(&codec, piece);
            prop_assert!(bits.len() <= COMMAND_BITS_MAX);
            prop_assert_eq!(encoded_bits(&codec, piece), Ok(bits.len()));
            prop_assert_eq!(&decoded(&codec, &bits), piece);
            let text = serde_json::to_string(piece).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Command>(&text).unwrap(), piece);
        }
        if let (Some(units), false) = (command.units(), matches!(command, Command::Lift { .. })) {
            let mut sorted = units.clone();
            sorted.sort_unstable();
            sorted.dedup();
            let joined: Vec<u32> = cut.iter().flat_map(|piece| piece.units().unwrap().clone()).collect();
            prop_assert_eq!(joined, sorted);
        }
    }

    /// Any bits are a canonical command that encodes to a legal form again, or an error; never a panic.
    #[test]
    fn any_bits_are_a_command_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..24)) {
        let codec = SkirmishCodec::new(MapSize::new(64, 48).unwrap());
        let mut input = BitReader::new(bytes.view_bits());
        if let Ok(command) = codec.decode(&mut TurnContext::default(), &mut input) {
            let bits = bits_of(&codec, &command);
            prop_assert_eq!(decoded(&codec, &bits), command);
        }
    }
}

#[test]
fn a_record_names_kinds_and_types() {
    let command = Command::Produce {
        building_id: 7,
        unit_kind: UnitKind::TANK,
    };
    let text = serde_json::to_string(&command).unwrap();
    assert_eq!(
        text,
        r#"{"type":"produce","buildingId":7,"unitKind":"tank"}"#
    );
    let here = Command::Unload {
        unit_ids: vec![3],
        at: None,
    };
    assert_eq!(
        serde_json::to_string(&here).unwrap(),
        r#"{"type":"unload","unitIds":[3]}"#
    );
    let unknown = r#"{"type":"produce","buildingId":7,"unitKind":"dragon"}"#;
    assert!(serde_json::from_str::<Command>(unknown).is_err());
}
