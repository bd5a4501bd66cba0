//! Project chores: `cargo xtask <chore>`. Installs nothing and changes only what it says it changes.

mod abi;
mod archive;
mod bench;
mod callgrind;
mod capi_cost;
mod capi_test;
mod capi_wasm;
mod check;
mod command;
mod corpus;
mod determinism;
mod dist;
mod example;
#[cfg(feature = "header")]
mod header;
mod hosts;
mod licences;
mod miri;
mod nightly;
mod no_std;
mod peers;
mod source_id;
mod target;
mod test;
mod web;

use std::{path::Path, process::ExitCode};

const USAGE: &str = "usage: cargo xtask <chore>

  check               what to run before every commit: formatting, lints, all tests, a duel
  header              write the C header from capi's sources
  header --check      fail if the committed one is not it
  abi [--check]       fail if the header breaks the ABI's promise, or holds what the snapshots lack
  abi --write         store the snapshots of symbols, numbers and layouts
  capi-test           compile and run the C tests
                      [--valgrind] the same under valgrind, [--asan [--require]] or with AddressSanitizer (nightly)
  miri                run what touches raw memory in an interpreter that watches every access [--require]
  tsan                run what two threads do at once under ThreadSanitizer [--require]
  capi-cost           count what the ABI adds to the audio path; needs valgrind
  capi-wasm           build the library for wasm and look at what it exports; needs the target
  dist                make the folder that studios get
  dist --check        and build and run its examples from an empty folder; needs cmake
  source-id           print the build id of the sources that must agree on two phones
  source-id --write   and store it where the hosts take it from
  source-id --check   fail if what is stored is not it
  determinism         play the golden matches on three processor architectures and compare every hash
                      [--require-all] [--matches N] [--ticks N]
  no-std              compile what needs no operating system for a processor that has none [--require-all]
  callgrind           count the instructions of fixed pieces of work, and fail if one has grown; needs valgrind
  callgrind --write   and store the counts to compare with
  peers               play our sessions, GGRS and fortress-rollback on the same simulated internet, as one table;
                      fetches those two the first time  [--quick]
  matrix              measure every case the link is judged by, in the simulated room, as one table
  matrix verdicts     hold what `probe` says of twenty rooms of every fault against what a link delivers there
                      [--quick] [--rows TEXT] [--effort SHARE] [--jobs N] [--json] [--write]
  room-bars           measure what the whole stack is held to by sound: pace, least delay, 90 s of everything
                      [--seeds N] [--seed S] [--only air|pace|delay|stack]
  hosts               play by real audio on two virtual phones; needs a sound server, and says which
                      [--only play|sdl] [--quick] [--program SOUND-DUEL]
  web                 build the page that duels in a browser; needs Node, and the npm registry the first time
                      [--test] and test it in Chromium, [--screenshots [FOLDER]] take its pictures,
                      [--sound] play by real audio on two virtual phones
  netsoak             play thousands of matches over a bad internet, a quarter of them with a liar
                      [--matches N] [--seed S] [--only K] [--canary game|hidden|frozen] [--json]
  licences            hold every dependency to its source and licence
  corpus unpack       make folders of the fuzz corpora's archives, for the fuzzer [TARGET]
  corpus pack         make archives of those folders [TARGET]; `corpus list` says what is in them
  soak                play thousands of duels under every kind of fault
                      [--full] [--matches N] [--long N] [--minutes M] [--seed S] [--threads N] [--json]";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the workspace");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["check"] => check::run(root),
        ["capi-test"] => capi_test::plain(root),
        ["capi-test", "--valgrind"] => capi_test::valgrind(root),
        ["capi-test", "--asan"] => capi_test::asan(root, &[]),
        ["capi-test", "--asan", "--require"] => capi_test::asan(root, &["--require"]),
        ["miri"] => miri::all(root, &[]),
        ["miri", "--require"] => miri::all(root, &["--require"]),
        ["tsan"] => capi_test::tsan(root, &[]),
        ["tsan", "--require"] => capi_test::tsan(root, &["--require"]),
        ["capi-cost"] => capi_cost::run(root),
        ["capi-wasm"] => capi_wasm::run(root),
        ["dist"] => dist::run(root).map(drop),
        ["dist", "--check"] => dist::check(root),
        ["abi", "--write"] => abi::write(root),
        ["abi"] | ["abi", "--check"] => abi::check(root),
        ["source-id"] => source_id::of(root).map(|id| println!("0x{id:04X}")),
        ["source-id", "--write"] => source_id::write(root),
        ["source-id", "--check"] => source_id::check(root),
        #[cfg(feature = "header")]
        ["header"] => header::write(root),
        #[cfg(feature = "header")]
        ["header", "--check"] => header::check(root),
        #[cfg(not(feature = "header"))]
        ["header", ..] => again_with(root, "header", &arguments),
        ["determinism", ref options @ ..] => determinism::run(root, options),
        ["no-std", ref options @ ..] => no_std::run(root, options),
        ["netsoak", ref options @ ..] => {
            let why = "the soak failed: see above";
            example::run_package(root, "netsoak", options, why)
        }
        ["soak", ref options @ ..] => {
            let why = "the soak failed: see above";
            example::run(root, "versus-session", "soak", options, why)
        }
        ["room-bars", ref options @ ..] => {
            let why = "a bar was missed: see above";
            example::run(root, "versus-session", "room_bars", options, why)
        }
        ["licences"] => licences::run(root),
        ["corpus", ref options @ ..] => corpus::run(root, options),
        ["peers", ref options @ ..] => peers::run(root, options),
        ["callgrind"] => bench::callgrind(root, false),
        ["callgrind", "--write"] => bench::callgrind(root, true),
        ["hosts", ref options @ ..] => hosts::run(root, options),
        ["web", ref options @ ..] => web::run(root, options),
        ["matrix", "verdicts", ref options @ ..] => {
            let why = "a verdict of the measurement did not come true, or could not be held against a link";
            example::run(root, "link-room", "verdicts", options, why)
        }
        ["matrix", ref options @ ..] => {
            let why = "the matrix has a bar that was missed, or could not be run";
            example::run(root, "link-room", "matrix", options, why)
        }
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs this again, built with a feature that would cost everybody's build too much.
#[cfg(not(feature = "header"))]
fn again_with(
    root: &Path,
    feature: &str,
    arguments: &[&str],
) -> Result<(), Box<dyn std::error::Error>> {
    let status = target::cargo(root)
        .args([
            "run",
            "--quiet",
            "--package",
            "xtask",
            "--features",
            feature,
            "--",
        ])
        .args(arguments)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("cargo xtask {} failed", arguments.join(" ")).into())
    }
}
