//! Determinism across processors: the golden matches are played by this machine twice, by a WebAssembly machine and by
//! an emulated processor of another family, and every hash compared.

use crate::target::{self, Compiler};
use std::{error::Error, ffi::OsStr, path::Path, process::Command, time::Instant};

/// Matches and ticks of each: what the emulated processor plays in a minute.
const MATCHES: &str = "50";
const TICKS: &str = "1500";
const USAGE: &str = "usage: cargo xtask determinism [--require-all] [--matches N] [--ticks N]";

struct Options<'a> {
    /// Whether what cannot be run here is an error.
    require_all: bool,
    matches: &'a str,
    ticks: &'a str,
}

impl<'a> Options<'a> {
    fn parse(mut words: &[&'a str]) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            require_all: false,
            matches: MATCHES,
            ticks: TICKS,
        };
        loop {
            words = match words {
                [] => return Ok(options),
                ["--require-all", rest @ ..] => {
                    options.require_all = true;
                    rest
                }
                ["--matches", number, rest @ ..] if number.parse::<u32>().is_ok() => {
                    options.matches = number;
                    rest
                }
                ["--ticks", number, rest @ ..] if number.parse::<u32>().is_ok() => {
                    options.ticks = number;
                    rest
                }
                _ => return Err(USAGE.into()),
            };
        }
    }
}

/// One way to play the golden matches.
struct Way {
    processor: String,
    by: String,
    /// What to start, or why it cannot be, and the line that installs what is missing.
    program: Result<Command, String>,
}

pub fn run(root: &Path, words: &[&str]) -> Result<(), Box<dyn Error>> {
    let options = Options::parse(words)?;
    let ways = [native, native_as_red, web_assembly, emulated]
        .into_iter()
        .map(|make| make(root, &options))
        .collect::<Result<Vec<_>, _>>()?;
    println!(
        "  {:<30} {:<26} {:>6} {:>8}",
        "processor", "run by", "hashes", "seconds"
    );
    let mut reference: Option<Vec<String>> = None;
    let (mut wrong, mut skipped) = (0, Vec::new());
    for (name, played) in play_all(ways) {
        let played = match played {
            Ok(played) => played,
            Err(why) => {
                println!("  {name} SKIPPED");
                skipped.push(format!("{}: {why}", name.trim()));
                continue;
            }
        };
        let verdict = match (&reference, played.failure) {
            (_, Some(failure)) => Err(format!("FAILED: {failure}")),
            (None, None) => Ok("the reference"),
            (Some(reference), None) => match first_difference(reference, &played.lines) {
                None => Ok("same"),
                Some(what) => Err(format!("DIFFERENT: {what}")),
            },
        };
        wrong += usize::from(verdict.is_err());
        let verdict = verdict.map_or_else(|why| why, str::to_owned);
        let (hashes, seconds) = (played.lines.len(), played.seconds);
        println!("  {name} {hashes:>6} {seconds:>8.1}  {verdict}");
        reference.get_or_insert(played.lines);
    }
    for why in &skipped {
        println!("\nSKIPPED, so nothing is known of it: {why}");
    }
    match (wrong, skipped.len()) {
        (0, 0) => Ok(()),
        (0, _) if !options.require_all => Ok(()),
        (0, count) => Err(format!("{count} of 4 could not be run, and all are required").into()),
        (count, _) => Err(format!("{count} of 4 came out wrong").into()),
    }
}

/// What one way said.
struct Played {
    lines: Vec<String>,
    seconds: f64,
    /// Why it did not come to its end.
    failure: Option<String>,
}

/// Starts every way there is at once; what each is called, and what it said or why it was skipped, in their order.
fn play_all(ways: Vec<Way>) -> Vec<(String, Result<Played, String>)> {
    std::thread::scope(|scope| {
        let started: Vec<_> = ways
            .into_iter()
            .map(|way| {
                let name = format!("{:<30} {:<26}", way.processor, way.by);
                let program = way
                    .program
                    .map(|mut program| scope.spawn(move || play(&mut program)));
                (name, program)
            })
            .collect();
        let wait = |played: std::thread::ScopedJoinHandle<'_, Played>| {
            played
                .join()
                .expect("what waits for a program never panics")
        };
        started
            .into_iter()
            .map(|(name, program)| (name, program.map(wait)))
            .collect()
    })
}

fn play(program: &mut Command) -> Played {
    let started = Instant::now();
    let output = match program.output() {
        Ok(output) => output,
        Err(why) => {
            return Played {
                lines: Vec::new(),
                seconds: 0.0,
                failure: Some(why.to_string()),
            };
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let failure = (!output.status.success()).then(|| {
        let last = lines.last().map_or("no output", String::as_str);
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("{last} {}", errors.trim())
    });
    Played {
        lines,
        seconds: started.elapsed().as_secs_f64(),
        failure,
    }
}

fn first_difference(reference: &[String], lines: &[String]) -> Option<String> {
    let differs = reference
        .iter()
        .zip(lines)
        .find(|(one, other)| one != other);
    match differs {
        Some((one, other)) => Some(format!("{other:?} where the first said {one:?}")),
        None if reference.len() == lines.len() => None,
        None => Some(format!(
            "{} hashes instead of {}",
            lines.len(),
            reference.len()
        )),
    }
}

/// This machine as it is.
fn native(root: &Path, options: &Options<'_>) -> Result<Way, Box<dyn Error>> {
    native_as(root, options, "blue", "itself")
}

/// This machine again, in a process of its own, as the other player's phone.
fn native_as_red(root: &Path, options: &Options<'_>) -> Result<Way, Box<dyn Error>> {
    native_as(root, options, "red", "itself, as the other phone")
}

fn native_as(
    root: &Path,
    options: &Options<'_>,
    side: &str,
    by: &str,
) -> Result<Way, Box<dyn Error>> {
    let mut cargo = target::cargo(root);
    cargo.args(["build", "--quiet", "--release", "--package", "golden"]);
    succeed(&mut cargo)?;
    let name = format!("golden{}", std::env::consts::EXE_SUFFIX);
    let mut program = Command::new(target::folder(root).join("release").join(name));
    program.args([options.matches, options.ticks, side]);
    Ok(Way {
        processor: format!("{} (this machine)", std::env::consts::ARCH),
        by: by.into(),
        program: Ok(program),
    })
}

/// 32 bits and no operating system: a module without imports, in node.
fn web_assembly(root: &Path, options: &Options<'_>) -> Result<Way, Box<dyn Error>> {
    let program = || -> Result<_, Skip> {
        let node = target::first_program(&["node", "nodejs"]).ok_or(
            "node runs it, and it is not here. To install it: apt-get install nodejs (or nodejs.org)",
        )?;
        let compiler = target::compiler(root, "wasm32-unknown-unknown")?;
        let mut cargo = compiler.cargo(root, "rustc", "release");
        cargo.args(["--package", "golden", "--lib", "--crate-type", "cdylib"]);
        compiler.link_by_rust_lld(&mut cargo);
        succeed(&mut cargo)?;
        let mut program = Command::new(node);
        program
            .arg(root.join("xtask/src/determinism.mjs"))
            .arg(compiler.made(root, "release").join("golden.wasm"))
            .args([options.matches, options.ticks]);
        Ok(program)
    };
    Way::of("wasm32", "node", program())
}

/// The other family of 64-bit processors, emulated. Linked statically, so that it needs no system of its own.
fn emulated(root: &Path, options: &Options<'_>) -> Result<Way, Box<dyn Error>> {
    let foreign = match std::env::consts::ARCH {
        "aarch64" => &EMULATED_X86_64,
        _ => &EMULATED_AARCH64,
    };
    let program = || -> Result<_, Skip> {
        let qemu = target::first_program(foreign.qemu).ok_or(
            "an emulator of its programs is not here. To install it: apt-get install qemu-user-static",
        )?;
        let compiler = target::compiler(root, foreign.triple)
            .or_else(|why| target::compiler(root, foreign.fallback).map_err(|_| why))?;
        let mut cargo = compiler.cargo(root, "build", "release");
        cargo.args(["--package", "golden", "--bin", "golden"]);
        foreign.link(&mut cargo, &compiler);
        succeed(&mut cargo)?;
        let mut program = Command::new(qemu);
        if compiler.triple == foreign.fallback {
            program.args(["-L", foreign.libraries]);
        }
        program
            .arg(compiler.made(root, "release").join("golden"))
            .args([options.matches, options.ticks]);
        Ok(program)
    };
    Way::of(foreign.processor, foreign.qemu[0], program())
}

/// Another processor and how to be it here.
struct Foreign {
    processor: &'static str,
    triple: &'static str,
    /// Where there is no standard library for that triple: one that needs the system's C library, and where that is.
    fallback: &'static str,
    libraries: &'static str,
    qemu: &'static [&'static str],
}

const EMULATED_AARCH64: Foreign = Foreign {
    processor: "aarch64",
    triple: "aarch64-unknown-linux-musl",
    fallback: "aarch64-unknown-linux-gnu",
    libraries: "/usr/aarch64-linux-gnu",
    qemu: &["qemu-aarch64-static", "qemu-aarch64"],
};
const EMULATED_X86_64: Foreign = Foreign {
    processor: "x86_64",
    triple: "x86_64-unknown-linux-musl",
    fallback: "x86_64-unknown-linux-gnu",
    libraries: "/usr/x86_64-linux-gnu",
    qemu: &["qemu-x86_64-static", "qemu-x86_64"],
};

impl Foreign {
    /// Links with what comes with Rust, which has all that a static program needs; the fallback with clang and lld.
    fn link(&self, cargo: &mut Command, compiler: &Compiler) {
        if compiler.triple == self.fallback {
            let (triple, libraries) = (compiler.triple, self.libraries);
            let flags = format!(
                "-Clink-arg=--target={triple} -Clink-arg=-fuse-ld=lld -Clink-arg=--sysroot={libraries}"
            );
            cargo
                .env(compiler.variable("LINKER"), "clang")
                .env(compiler.variable("RUSTFLAGS"), flags);
        } else {
            compiler.link_by_rust_lld(cargo);
        }
    }
}

impl Way {
    fn of(
        processor: &str,
        by: &str,
        program: Result<Command, Skip>,
    ) -> Result<Self, Box<dyn Error>> {
        let program = match program {
            Ok(program) => Ok(program),
            Err(Skip::Missing(why)) => Err(why),
            Err(Skip::Broken(why)) => return Err(why),
        };
        Ok(Self {
            processor: processor.into(),
            by: by.into(),
            program,
        })
    }
}

/// Why a way cannot be gone.
enum Skip {
    /// Something is not installed: what, and how to.
    Missing(String),
    /// Everything is there, and it does not work.
    Broken(Box<dyn Error>),
}

impl From<&str> for Skip {
    fn from(missing: &str) -> Self {
        Self::Missing(missing.into())
    }
}

impl From<String> for Skip {
    fn from(missing: String) -> Self {
        Self::Missing(missing)
    }
}

impl From<Box<dyn Error>> for Skip {
    fn from(why: Box<dyn Error>) -> Self {
        Self::Broken(why)
    }
}

fn succeed(command: &mut Command) -> Result<(), Box<dyn Error>> {
    if command.status()?.success() {
        return Ok(());
    }
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    Err(format!("cargo {} failed", words.join(" ")).into())
}
