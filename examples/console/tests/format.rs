//! `docs/FORMAT.md` cannot rot: its key figures are the code's, and its frame taken apart is what the program prints.

mod common;
use common::{lines, run, stdout, vector_json};
use link_fec::{CRC_BITS, TAIL_BITS, gate};
use link_modem::params::{self, Band, packet_shape};
use link_transport::{Mode, relay};
use match_feed::duel::{HASH_EVERY, InputDelay, MAP_SIDE_MAX};
use versus_codec::{COMMAND_BITS_MAX, LEADING_ZEROS_MAX, OPAQUE_BITS_MAX, UE_MAX, kit};
use versus_lockstep as lockstep;
use versus_pairing as pairing;

const PAGE: &str = include_str!("../../../docs/FORMAT.md");

/// Each text, with its figures filled in, is on the page, wherever its lines break.
macro_rules! says {
    ($($text:literal $(, $figure:expr)*;)+) => {
        let page = PAGE.split_whitespace().collect::<Vec<_>>().join(" ");
        $(let line = format!($text $(, $figure)*);
        assert!(page.contains(&line), "docs/FORMAT.md does not say: {line}");)+
    };
}

/// The cells of the tables between `heading` and the next heading.
fn rows(heading: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let (_, section) = PAGE.split_once(heading).expect("the heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| "));
    rows.map(|row| row.split(" | ").collect())
}

#[test]
fn its_key_figures_are_the_codes() {
    for band @ Band { plan, role } in Band::ALL {
        let [fast, robust] = [Mode::Fast, Mode::Robust].map(|mode| packet_shape(plan, mode));
        says! {
            "| {plan:?} | {role:?} | {}…{} |", band.first_tone(), band.first_tone() + band.tones() - 1;
            "| {} | {} | {} | {} |", band.pilots(), band.data_tones(), fast.symbols, robust.symbols;
            "| {plan:?}, fast | {} × {} × 2 | {} |", fast.symbols, fast.tones, fast.coded_bits();
            "| {plan:?}, robust | {} × {} × 1 | {} |", robust.symbols, robust.tones, robust.coded_bits();
            "| {} | {} |", fast.info_bits(), fast.payload_bits();
            "({}, {}) for T = {}", fast.a, fast.b, fast.tones;
        }
    }
    let capacity = |ticks| lockstep::min_capacity_bits(InputDelay::new(ticks).unwrap());
    says! {
        "`{} k` Hz", params::TONE_SPACING_HZ; "::SYMBOL_MS` | {} |", params::SYMBOL_MS;
        "::GAIN_MAX` | {} |", params::GAIN_MAX; "::CLIP_LEVEL` | {} |", params::CLIP_LEVEL;
        "::DATA_SYMBOLS` | {} |", params::DATA_SYMBOLS; "::BAND_RMS` | {} |", params::BAND_RMS;
        "**CRC**: {CRC_BITS} bits"; "**Tail**: {TAIL_BITS} zeros"; "mod {})`", link_fec::scramble::PERIOD;
        "over 1 of {} coded bits", gate::CODED_BITS_PER_DISAGREEMENT;
        "rules | {} |", pairing::PROTO; "at most {} bits", pairing::LOBBY_BITS_MAX; "| {}: none, too", pairing::HOLD_NONE;
        "| 0…{}, 8…{} |", pairing::BUILT_IN_MAPS_MAX - 1, 7 + pairing::BIOMES_MAX;
        "within {} of what", lockstep::TO_DISTANCE_MAX; "| 0…{}, `from` ≥ 0 |", lockstep::SPAN_MAX;
        "| 0…{} |", lockstep::TURN_COMMANDS_MAX - 1; "tick / {}, modulo 16", lockstep::CHECKPOINT_EVERY;
        "checkpoint's {} bits", lockstep::CHECKPOINT_RESERVE_BITS;
        "over {} bits, which is 188 less the {} of", lockstep::TURN_BITS_MAX, lockstep::HEADER_BITS_MAX;
        "capacity, bits | {} | {} | {} |", capacity(3), capacity(4), capacity(5);
        "| {} | {} | {} |", capacity(6), capacity(7), capacity(8);
        "::COMMAND_BITS_MAX` | {COMMAND_BITS_MAX} |"; "::OPAQUE_BITS_MAX` | {OPAQUE_BITS_MAX} |"; "::UE_MAX` | {UE_MAX} |";
        "::LEADING_ZEROS_MAX` | {LEADING_ZEROS_MAX} |"; "::ID_END` | {} |", kit::ID_END;
        "::CELLS_PER_TILE` | {} |", kit::CELLS_PER_TILE; "duel::MAP_SIDE_MAX` | {} |", MAP_SIDE_MAX;
        "| {}…{}; 29", relay::BODY_MIN, relay::BODY_MAX; "| version {} |", relay::VERSION; "every {HASH_EVERY} ticks";
    }
    for (index, name) in game_sim::COMMAND_TYPES.iter().enumerate() {
        says! { "| {index} | `{name}` |"; }
    }
    let lobby = rows("\n## 5. ").filter_map(|row| row[1].parse::<usize>().ok());
    assert_eq!(lobby.sum::<usize>(), pairing::LOBBY_BITS_MAX);
}

#[test]
fn its_frame_is_what_the_program_prints() {
    let (_, section) = PAGE.split_once("\n## A frame taken apart").unwrap();
    let mut blocks = section.split("```").skip(1).step_by(2);
    let command = blocks.next().unwrap().trim().split(' ');
    let arguments: Vec<_> = command.skip_while(|word| *word != "--").skip(1).collect();
    let printed = lines(&stdout(&run(&arguments)));
    let shown = blocks.next().unwrap().trim_start_matches("json");
    assert_eq!(printed, lines(&shown.replace('\n', "")));
    let printed = &printed[0];
    assert_eq!(*printed, vector_json("wire/frames.json")["game"][0]);

    let mut bits = String::new();
    for row in rows("\n## A frame taken apart").skip(1) {
        assert_eq!(row[0], bits.len().to_string(), "{row:?}");
        bits.extend(row[1].chars().filter(char::is_ascii_digit));
    }
    assert_eq!(bits.len().to_string(), printed["nbits"].to_string());
    let digits = printed["hex"].as_str().unwrap().chars();
    let nibble = |digit: char| format!("{:04b}", digit.to_digit(16).unwrap());
    assert!(digits.map(nibble).collect::<String>().starts_with(&bits));
}
