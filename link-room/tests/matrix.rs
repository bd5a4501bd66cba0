//! A slice of the delivery matrix (`cargo xtask matrix`): one room a row, seconds instead of minutes, every bar held.
//!
//! It leaves out the rows that miss their bars, which `docs/DELIVERY.md` names: no bar here stands for those.
#![allow(dead_code)]

#[path = "../examples/matrix/events.rs"]
mod events;
#[path = "../examples/matrix/measure.rs"]
mod measure;
#[path = "../examples/matrix/not_modems.rs"]
mod not_modems;
#[path = "../examples/matrix/print.rs"]
mod print;
#[path = "../examples/matrix/report.rs"]
mod report;
#[path = "../examples/matrix/rows.rs"]
mod rows;

use link_transport::{Mode, Plan};
use measure::Extent;

const SLICE: Extent = Extent {
    effort: 0.0,
    seconds: 6,
    events: 3,
    sound_s: 20,
    jobs: 2,
};

/// A case each, on alternating plans.
const CASES: &[(&str, Plan, Mode)] = &[
    ("20 cm", Plan::High, Mode::Fast),
    ("40 cm", Plan::Low, Mode::Fast),
    ("80 cm", Plan::High, Mode::Fast),
    ("40 cm, cluster +3 dB", Plan::High, Mode::Robust),
    ("80 cm, microphone 26 dB", Plan::Low, Mode::Robust),
    ("white noise 7 dB", Plan::High, Mode::Fast),
    ("white noise 4 dB", Plan::Low, Mode::Robust),
    ("tone +26 dB", Plan::High, Mode::Fast),
    ("3 taps/s, +20 dB", Plan::Low, Mode::Fast),
    ("20 cm, ±700 ppm relative", Plan::High, Mode::Robust),
    ("own path +60 dB", Plan::High, Mode::Fast),
    ("own path +50 dB", Plan::Low, Mode::Fast),
    // Nothing can come from the guest; one's own packets must not.
    ("cut-off 7.5 kHz", Plan::Low, Mode::Robust),
    ("sender jumps 700 ms", Plan::High, Mode::Fast),
    ("capture gap 1 s", Plan::Low, Mode::Fast),
    ("first lock, 20 cm", Plan::High, Mode::Fast),
    ("first lock, 20 cm", Plan::Low, Mode::Robust),
    ("first lock, 40 cm, cluster", Plan::High, Mode::Robust),
    ("false packets: noise", Plan::High, Mode::Fast),
    ("false packets: music", Plan::High, Mode::Fast),
    ("false packets: speech", Plan::High, Mode::Fast),
];

/// A page written anew has the head that is said here, and the notes that people put into the one before.
#[test]
fn a_page_written_anew_keeps_its_notes() {
    let page = include_str!("../../docs/DELIVERY.md");
    let notes = report::notes(page).expect("notes between head and table");
    assert!(
        notes.ends_with("\n\n") && notes.len() > 200,
        "a paragraph at least: {notes:?}"
    );
    let anew = report::document(notes, &[]);
    assert!(
        page.starts_with(&anew),
        "head, notes and columns as committed"
    );
    assert_eq!(report::notes(&anew), Some(notes));
}

/// What is measured may differ in a digit from one processor to another; whether a bar is held must not.
#[test]
fn every_bar_of_the_slice_is_held() {
    let all = rows::rows();
    let mut verdicts = String::new();
    println!("{}", print::HEAD);
    for &(case, plan, mode) in CASES {
        let row = all
            .iter()
            .find(|row| (row.case, row.plan, row.mode) == (case, plan, mode))
            .unwrap_or_else(|| panic!("the table has no row {case}, {plan:?}, {mode:?}"));
        let (name, line) = (print::name(row), row.run(SLICE));
        println!("{}", print::line(&name, &line));
        let verdict = match line.held {
            Some(true) => "held",
            Some(false) => "MISSED",
            None => "no bar",
        };
        verdicts += &format!("{name} {:<16} {verdict}\n", line.bar);
    }
    insta::assert_snapshot!(verdicts);
}
