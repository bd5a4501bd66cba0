//! The figures are there, each once, under the names that scripts look for. What they come to is the machine's affair.

mod common;
use common::{failure, lines, run, stdout};
use std::collections::BTreeSet;

#[test]
fn every_headline_figure_is_printed_once_with_what_it_is_measured_against() {
    let figures = lines(&stdout(&run(&["bench", "--quick", "--json"])));
    let names: Vec<_> = figures
        .iter()
        .map(|figure| figure["name"].as_str().unwrap())
        .collect();
    let expected = [
        "modem.share_of_core",
        "modem.block_mean_us",
        "modem.block_p50_us",
        "modem.block_p99_us",
        "modem.share_of_core_low",
        "modem.block_mean_us_low",
        "modem.block_p50_us_low",
        "modem.block_p99_us_low",
        "modem.memory_bytes",
        "modem.memory_detecting_bytes",
        "acquisition.share_of_core",
        "acquisition.share_of_core_detecting",
        "acquisition.first_packet_median_ms",
        "acquisition.first_packet_worst_ms",
        "viterbi.block_us",
        "viterbi.ratio_to_naive",
        "viterbi.ratio_to_fec_scalar",
        "viterbi.frame_errors_to_float",
        "room.share_of_core",
        "sim.step_us_50",
        "sim.step_us_100",
        "sim.step_us_200",
        "sim.step_us_400",
        "sim.step_p99_us_400",
        "sim.hash_us",
        "sim.save_us",
        "sim.step_us_800",
        "sim.match_10min_s",
        "brawl.step_us_2",
        "brawl.step_us_8",
        "brawl.state_bytes",
        "brawl.hash_us",
        "brawl.save_us",
        "brawl.load_us",
        "brawl.match_s",
        "brawl.decided",
        "brawl.left_wins",
        "brawl.hard_beats_easy",
        "lockstep.tick_us",
        "duel.times_real_time",
        "net.lockstep_fps_loss0",
        "net.lockstep_fps_loss10",
        "net.lockstep_fps_loss25",
        "net.lockstep_fps_burst10",
        "net.rollback_fps_burst25",
        "net.longest_freeze",
        "net.skew_depth_gap",
        "net.damaged_fps",
        "net.packet_bytes",
        "net.packets_per_s",
        "net.kb_per_s",
        "net.rollback8_us",
        "net.allocations",
        "net.crafted_alloc_bytes",
        "net.seats_desyncs",
        "net.join_s",
    ];
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>(),
        expected.iter().collect::<BTreeSet<_>>()
    );
    assert_eq!(names.len(), expected.len());
    let value = |name: &str| {
        let mut all = figures.iter();
        let figure = all.find(|figure| figure["name"] == name).unwrap();
        figure["value"].as_f64().unwrap()
    };
    // What no machine makes different.
    assert!(value("modem.memory_bytes") <= f64::from(2 << 20));
    assert!(value("modem.memory_detecting_bytes") <= f64::from(4 << 20));
    assert_eq!(value("net.allocations"), 0.0);
    assert_eq!(value("net.crafted_alloc_bytes"), 0.0);
    assert_eq!(value("net.seats_desyncs"), 0.0);
    assert!(value("viterbi.frame_errors_to_float") <= 1.05);
    for figure in &figures {
        let value = figure["value"].as_f64().unwrap();
        let name = figure["name"].as_str().unwrap();
        assert!(value.is_finite() && value >= 0.0, "{figure}");
        assert!(value > 0.0 || COUNTS_OF_NOTHING.contains(&name), "{figure}");
        for key in if name == "net.seats_desyncs" {
            &["against"][..]
        } else {
            &["unit", "against"]
        } {
            assert!(!figure[key].as_str().unwrap().is_empty(), "{figure}");
        }
    }
}

/// Figures that should come to nothing.
const COUNTS_OF_NOTHING: [&str; 5] = [
    "net.longest_freeze",
    "net.skew_depth_gap",
    "net.allocations",
    "net.crafted_alloc_bytes",
    "net.seats_desyncs",
];

#[test]
fn a_part_is_measured_alone() {
    let figures = lines(&stdout(&run(&["bench", "lockstep", "--quick", "--json"])));
    assert_eq!(figures.len(), 1, "{figures:?}");
    assert_eq!(figures[0]["name"], "lockstep.tick_us");
    let output = run(&["bench", "weather"]);
    assert!(!output.status.success(), "there is no such part");
}

#[test]
fn what_is_counted_by_its_instructions_has_names_and_runs() {
    let names = stdout(&run(&["bench", "--workload", "list"]));
    assert!(names.lines().count() >= 7, "{names}");
    assert_eq!(
        stdout(&run(&["bench", "--workload", "viterbi_100_blocks"])),
        ""
    );
    failure(&run(&["bench", "--workload", "nothing"]));
}
