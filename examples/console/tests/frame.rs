//! `frame` against the wire vectors, which a separate implementation made.

mod common;
use common::{failure, lines, run, run_with, stdout, vector_json};
use serde_json::{Value, json};

fn requests(requests: &[Value]) -> String {
    requests
        .iter()
        .map(|request| format!("{request}\n"))
        .collect()
}

fn entries(kind: &str) -> Vec<Value> {
    vector_json("wire/frames.json")[kind]
        .as_array()
        .unwrap()
        .clone()
}

/// What to read a vector with: what its sender's peer would expect.
fn decode_request(kind: &str, frame: &Value) -> Value {
    let mut request =
        json!({"kind": kind, "hex": frame["hex"], "nbits": frame["nbits"], "map": [64, 48]});
    if kind == "game" {
        request["expect_to"] = json!(frame["to"].as_u64().unwrap() - 3);
        request["tick"] = json!(frame["tick"].as_u64().unwrap() + 1);
    }
    request
}

#[test]
fn every_vector_is_read_to_its_fields() {
    for (kind, count) in [("game", 40), ("lobby", 40)] {
        let vectors = entries(kind);
        assert_eq!(vectors.len(), count);
        let asked: Vec<_> = vectors
            .iter()
            .map(|frame| decode_request(kind, frame))
            .collect();
        let answers = lines(&stdout(&run_with(&["frame"], &requests(&asked))));
        assert_eq!(answers, vectors);
    }
}

#[test]
fn every_vector_is_written_back_to_the_bit() {
    for kind in ["game", "lobby"] {
        let vectors = entries(kind);
        let with_kind = |frame: &Value| {
            let mut request = frame.clone();
            request["kind"] = json!(kind);
            request
        };
        let asked: Vec<_> = vectors.iter().map(with_kind).collect();
        let answers = lines(&stdout(&run_with(
            &["frame", "--encode"],
            &requests(&asked),
        )));
        for (answer, frame) in answers.iter().zip(&vectors) {
            assert_eq!(
                (&answer["hex"], &answer["nbits"]),
                (&frame["hex"], &frame["nbits"])
            );
        }
        assert_eq!(answers.len(), vectors.len());
    }
}

#[test]
fn every_command_both_ways() {
    let vectors = entries("commands");
    let asked: Vec<_> = vectors
        .iter()
        .map(|c| json!({"kind": "command", "hex": c["hex"], "nbits": c["nbits"]}))
        .collect();
    assert_eq!(
        lines(&stdout(&run_with(&["frame"], &requests(&asked)))),
        vectors
    );
    let asked: Vec<_> = vectors
        .iter()
        .map(|c| json!({"kind": "command", "command": c["command"]}))
        .collect();
    assert_eq!(
        lines(&stdout(&run_with(&["frame"], &requests(&asked)))),
        vectors
    );
}

#[test]
fn padding_is_ignored_whatever_its_bits() {
    for kind in ["game", "lobby"] {
        let mut asked = Vec::new();
        for frame in entries(kind) {
            for (pad, bit) in [("ffff", '1'), ("0000", '0'), ("a5c3", '1')] {
                let nbits = frame["nbits"].as_u64().unwrap() as usize;
                let digits = frame["hex"].as_str().unwrap();
                // The bits of the last byte past the frame's end are padding too.
                let last = u8::from_str_radix(&digits[digits.len() - 2..], 16).unwrap();
                let spare = digits.len() * 4 - nbits;
                let filled = if bit == '1' {
                    last | ((1_u16 << spare) - 1) as u8
                } else {
                    last
                };
                let mut request = decode_request(kind, &frame);
                request["hex"] = json!(format!("{}{filled:02x}{pad}", &digits[..digits.len() - 2]));
                request["nbits"] = json!(digits.len() * 4 + 16);
                asked.push((request, frame.clone()));
            }
        }
        let input: Vec<_> = asked.iter().map(|(request, _)| request.clone()).collect();
        let answers = lines(&stdout(&run_with(&["frame"], &requests(&input))));
        for (answer, (request, frame)) in answers.iter().zip(&asked) {
            assert_eq!(answer, frame, "{request}");
        }
    }
}

#[test]
fn every_reject_is_refused_with_a_reason() {
    let rejects = entries("rejects");
    assert_eq!(rejects.len(), 22);
    let output = run_with(&["frame"], &requests(&rejects));
    failure(&output);
    let answers = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answers.len(), rejects.len());
    for (answer, reject) in answers.iter().zip(&rejects) {
        let why = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{} was read: {answer}", reject["why"]));
        assert!(why.len() > 5, "{}: {why}", reject["why"]);
    }
}

#[test]
fn one_frame_from_the_command_line() {
    let frame = &entries("game")[0];
    let argument = format!("{}/{}", frame["hex"].as_str().unwrap(), frame["nbits"]);
    let to = frame["to"].to_string();
    let all = [
        "frame",
        "game",
        &argument,
        "--expect-to",
        &to,
        "--tick",
        &to,
        "--map",
        "64x48",
    ];
    assert_eq!(lines(&stdout(&run(&all))), std::slice::from_ref(frame));
    assert_eq!(
        lines(&stdout(&run(&["frame", "game", &argument]))),
        std::slice::from_ref(frame),
        "without an expectation"
    );
    let back = stdout(&run(&["frame", "game", &frame.to_string(), "--encode"]));
    assert_eq!(
        lines(&back),
        [json!({"hex": frame["hex"], "nbits": frame["nbits"]})]
    );

    let lobby = &entries("lobby")[1];
    let argument = format!("{}/{}", lobby["hex"].as_str().unwrap(), lobby["nbits"]);
    assert_eq!(
        lines(&stdout(&run(&["frame", "lobby", &argument]))),
        std::slice::from_ref(lobby)
    );
    let refused = run(&["frame", "lobby", "c0ffee/24"]);
    failure(&refused);
    assert!(lines(&String::from_utf8(refused.stdout).unwrap())[0]["error"].is_string());
}

#[test]
fn an_answer_is_a_request_too() {
    for kind in ["game", "lobby"] {
        let vectors = entries(kind);
        let answers = lines(&stdout(&run_with(
            &["frame", "--encode"],
            &requests(&vectors),
        )));
        assert!(
            answers
                .iter()
                .zip(&vectors)
                .all(|(answer, frame)| answer["hex"] == frame["hex"])
        );
    }
}

#[test]
fn names_are_the_games_own_where_it_has_them() {
    let named = stdout(&run_with(
        &["frame", "--names"],
        r#"{"kind":"command","command":{"type":"startBuilding","buildingKind":0}}"#,
    ));
    assert_eq!(lines(&named)[0]["command"]["buildingKind"], "hq");
    let plain = stdout(&run_with(
        &["frame"],
        r#"{"kind":"command","command":{"type":"startBuilding","buildingKind":"hq"}}"#,
    ));
    assert_eq!(lines(&plain)[0]["command"]["buildingKind"], "building0");
}

#[test]
fn nonsense_is_told_apart() {
    let cases = [
        ("not json", "not JSON"),
        ("[1]", "not a JSON object"),
        ("{}", "kind"),
        (r#"{"kind":"song"}"#, "song"),
        (r#"{"kind":"game","hex":"zz","nbits":8}"#, "hexadecimal"),
        (r#"{"kind":"game","hex":"ff","nbits":9}"#, "9 bits"),
        (r#"{"kind":"game","hex":"ff","nbits":-1}"#, "nbits"),
        (r#"{"kind":"game","hex":"ff","map":[0,9]}"#, "map"),
        (
            r#"{"kind":"game","to":5,"frm":9,"tick":1,"ack_through":1}"#,
            "turns 9 to 5",
        ),
        (r#"{"kind":"lobby","role":"spectator"}"#, "spectator"),
        (r#"{"kind":"command","command":{"type":"fly"}}"#, "fly"),
        (
            r#"{"kind":"command","command":{"type":"move","unitIds":[3],"x":1.0,"y":2.0}}"#,
            "centre",
        ),
        (
            r#"{"kind":"command","command":{"type":"stop","unitIds":[]}}"#,
            "no unit",
        ),
        (
            r#"{"kind":"command","command":{"type":"stop","unitIds":[2,1]}}"#,
            "not canonical",
        ),
    ];
    for (line, why) in cases {
        let output = run_with(&["frame"], line);
        failure(&output);
        let answer = lines(&String::from_utf8(output.stdout).unwrap());
        assert!(
            answer[0]["error"].as_str().unwrap().contains(why),
            "{line}: {answer:?}"
        );
    }
    assert!(failure(&run_with(&["frame"], "")).contains("no request"));
}
