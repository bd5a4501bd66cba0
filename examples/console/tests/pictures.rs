//! A saved match as pictures: the end, a moment, a sheet; and what is refused with a reason.

mod common;
use common::{failure, folder, run, stdout, text};
use std::fs;

/// A match that is always there.
const RECORD: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../game-sim/tests/golden.json"
);

/// Width and height, as a PNG's header says them.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn a_match_is_drawn_at_its_end_at_a_moment_under_fog_and_as_a_sheet() {
    let folder = folder("pictures");
    let draw = |name: &str, options: &[&str]| {
        let path = folder.join(name);
        let all: Vec<&str> = ["replay", RECORD, "--map-png", text(&path)]
            .into_iter()
            .chain(options.iter().copied())
            .collect();
        stdout(&run(&all));
        fs::read(path).expect("it was drawn")
    };
    let end = draw("end.png", &[]);
    let moment = draw("moment.png", &["--at", "700"]);
    let fog = draw("fog.png", &["--at", "700", "--fog", "red"]);
    let sheet = draw("sheet.png", &["--every", "500"]);
    assert_eq!(png_size(&end), png_size(&moment));
    assert!(end != moment && moment != fog);
    assert!(png_size(&sheet).0 > png_size(&end).0);
}

#[test]
fn what_cannot_be_drawn_is_refused_with_what_to_do_instead() {
    let refusals: [(&[&str], &str); 4] = [
        (&["--watch"], "--map-png with --every 300"),
        (&["--map-png", "x.png", "--every", "5"], "fits"),
        (
            &["--map-png", "x.png", "--at", "99999"],
            "the match ends after",
        ),
        (
            &["--map-png", "/no/such/folder/x.png"],
            "/no/such/folder/x.png",
        ),
    ];
    for (options, said) in refusals {
        let all: Vec<&str> = ["replay", RECORD]
            .into_iter()
            .chain(options.iter().copied())
            .collect();
        let error = failure(&run(&all));
        assert!(error.contains(said), "{options:?}: {error}");
    }
}
