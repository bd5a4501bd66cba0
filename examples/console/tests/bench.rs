//! The figures are there, each once, under the names that scripts look for. What they come to is the machine's affair.

mod common;
use common::{lines, run, stdout};
use std::collections::BTreeSet;

#[test]
fn every_headline_figure_is_printed_once_with_what_it_is_measured_against() {
    let figures = lines(&stdout(&run(&["bench", "--json"])));
    let names: Vec<_> = figures
        .iter()
        .map(|figure| figure["name"].as_str().unwrap())
        .collect();
    let expected = [
        "modem.share_of_core",
        "modem.block_mean_us",
        "modem.block_p50_us",
        "modem.block_p99_us",
        "viterbi.block_us",
        "viterbi.ratio_to_naive",
        "room.share_of_core",
        "sim.step_us",
        "sim.hash_us",
        "lockstep.tick_us",
        "duel.times_real_time",
    ];
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>(),
        expected.iter().collect::<BTreeSet<_>>()
    );
    assert_eq!(names.len(), expected.len());
    for figure in &figures {
        let value = figure["value"].as_f64().unwrap();
        assert!(value.is_finite() && value > 0.0, "{figure}");
        for key in ["unit", "against"] {
            assert!(!figure[key].as_str().unwrap().is_empty(), "{figure}");
        }
    }
}
