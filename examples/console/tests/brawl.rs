//! `brawl`, as a person runs it without a terminal.

mod common;

use common::{folder, lines, run, stdout};

#[test]
fn a_match_of_bots_is_decided_the_same_each_time() {
    let play = |seed: &str| {
        let output = run(&[
            "brawl",
            "--seats",
            "4",
            "--level",
            "hard,easy",
            "--seed",
            seed,
            "--json",
        ]);
        lines(&stdout(&output)).remove(0)
    };
    let one = play("3");
    assert!(one["winner"].is_u64(), "{one}");
    assert_eq!(play("3"), one);
    assert_ne!(play("4")["hash"], one["hash"]);
}

#[test]
fn the_busiest_moment_is_a_picture_with_fighters_in_it() {
    let path = folder("brawl").join("fight.png");
    let text = path.to_str().expect("a plain path");
    stdout(&run(&["brawl", "--seats", "8", "--png", text]));
    let file = std::fs::File::open(&path).expect("the picture");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("its pixels");
    let blue = pixels
        .chunks(3)
        .filter(|pixel| **pixel == [90, 160, 255])
        .count();
    assert!(blue > 100, "the first fighter is seen: {blue} pixels");
}

#[test]
fn watching_needs_a_terminal_and_says_what_to_do_instead() {
    let output = run(&["brawl", "--watch"]);
    assert!(common::failure(&output).contains("--png"));
}
