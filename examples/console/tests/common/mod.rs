//! Runs the program as a user would.
#![allow(dead_code)] // each test file uses its own part

use serde_json::Value;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

/// The program with these arguments.
pub fn run(arguments: &[&str]) -> Output {
    run_with(arguments, "")
}

/// The same, with something on standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    output
}

/// The program, running, with a pipe on each of its streams.
pub fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_sound-duel"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Standard output, of a run that must have succeeded.
pub fn stdout(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "it failed: {error}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Standard error, of a run that must have failed without a panic.
pub fn failure(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).expect("text");
    assert_eq!(
        output.status.code(),
        Some(1),
        "it must fail, and say why: {error}"
    );
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// One JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

/// A file of the vectors.
pub fn vector(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../vectors")
        .join(name);
    assert!(path.exists(), "{} is missing", path.display());
    path
}

/// A vector's JSON.
pub fn vector_json(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(vector(name)).unwrap()).unwrap()
}

/// A fresh folder for a test's files.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}

/// Standard error of a run whose standard output nobody reads.
pub fn run_unheard(arguments: &[&str]) -> String {
    let mut child = start(arguments);
    drop(child.stdin.take());
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    String::from_utf8(output.stderr).expect("text")
}
