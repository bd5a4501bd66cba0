//! The C tests under tools that see what a run does not show: valgrind, AddressSanitizer; the price of the ABI in
//! instructions; and the wasm build's exports.

#[path = "../../capi/tests/programs/header.rs"]
pub mod header;
#[path = "../../capi/tests/programs/misuse.rs"]
mod misuse;

use header::Header;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The C tests, and what each says when it worked.
const TESTS: [(&str, &str); 4] = [
    ("link", "link: all well"),
    ("match", "by sound:"),
    ("skirmish", "skirmish:"),
    ("misuse", "misuse: all told"),
];
/// The audio path through the ABI may take this much more than the modem alone.
const COST_MAX: f64 = 1.03;
/// What the whole library may take on the web, compressed.
const WASM_GZIP_GOAL: usize = 350 << 10;

/// `cargo test -p capi`, which compiles and runs the C tests.
pub fn plain(root: &Path) -> Result<(), Box<dyn Error>> {
    run(cargo(root).args(["test", "--package", "capi"]))
}

/// Every C test under valgrind: no wrong access, no leak.
pub fn valgrind(root: &Path) -> Result<(), Box<dyn Error>> {
    need("valgrind", "valgrind")?;
    run(cargo(root).args(["build", "--quiet", "--package", "capi", "--lib"]))?;
    let library = target(root).join("debug/libsound_duel.a");
    let folder = Folder::new("valgrind")?;
    for (source, says) in folder.sources(root)? {
        let program = folder.compile(root, &source, &library, &["-O1", "-g"])?;
        let mut command = Command::new("valgrind");
        command
            .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
            .args(["--errors-for-leak-kinds=definite,indirect,possible"])
            .arg(&program);
        expect(&mut command, &says)?;
        println!("valgrind: {}: clean", name(&source));
    }
    Ok(())
}

/// Every C test with the library and the test built for AddressSanitizer, which takes the nightly compiler.
pub fn asan(root: &Path) -> Result<(), Box<dyn Error>> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let build = Command::new("rustup")
        .current_dir(root)
        .args([
            "run",
            "nightly",
            "cargo",
            "build",
            "--quiet",
            "--package",
            "capi",
            "--lib",
        ])
        .args(["--target", TARGET, "--target-dir"])
        .arg(target(root).join("asan"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .status()
        .map_err(|why| format!("rustup: {why}; AddressSanitizer takes the nightly compiler"))?;
    if !build.success() {
        return Err(
            "the library could not be built for AddressSanitizer: rustup toolchain install nightly"
                .into(),
        );
    }
    let library = target(root).join(format!("asan/{TARGET}/debug/libsound_duel.a"));
    let folder = Folder::new("asan")?;
    for (source, says) in folder.sources(root)? {
        let flags = ["-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer"];
        let program = folder.compile(root, &source, &library, &flags)?;
        let mut command = Command::new(&program);
        command.env(
            "ASAN_OPTIONS",
            "detect_leaks=1:detect_stack_use_after_return=1",
        );
        expect(&mut command, &says)?;
        println!("AddressSanitizer: {}: clean", name(&source));
    }
    Ok(())
}

/// Compares the instructions of the audio path through the ABI with those of the modem alone.
pub fn cost(root: &Path) -> Result<(), Box<dyn Error>> {
    need("valgrind", "valgrind")?;
    run(cargo(root).args([
        "build",
        "--quiet",
        "--release",
        "--package",
        "capi",
        "--example",
        "audio_path",
    ]))?;
    let program = target(root).join("release/examples/audio_path");
    let alone = instructions(&program, "measured_modem_alone")?;
    println!(
        "{:<44} {:>14} instructions",
        "the modem alone, 10 s of 48 kHz", alone
    );
    let mut worst: f64 = 0.0;
    for (way, function) in [
        ("through duel_pump_process", "measured_through_the_abi"),
        (
            "through duel_pump_process_interleaved",
            "measured_interleaved",
        ),
    ] {
        let through = instructions(&program, function)?;
        let ratio = through as f64 / alone as f64;
        println!(
            "{way:<44} {through:>14} instructions, {:+.2} %",
            100.0 * (ratio - 1.0)
        );
        worst = worst.max(ratio);
    }
    if worst > COST_MAX {
        return Err("the ABI costs more than 3 % on the audio path".into());
    }
    Ok(())
}

/// Builds the library for wasm: the same names, no imports, and how large it is.
pub fn wasm(root: &Path) -> Result<(), Box<dyn Error>> {
    run(cargo(root)
        .args([
            "build",
            "--quiet",
            "--package",
            "capi",
            "--lib",
            "--profile",
            "dist",
        ])
        .args(["--target", "wasm32-unknown-unknown"])
        // On the web size is time; the modem's loops lose little.
        .env("CARGO_PROFILE_DIST_OPT_LEVEL", "s"))
    .map_err(|why| {
        format!("{why}; is the target there? rustup target add wasm32-unknown-unknown")
    })?;
    let path = target(root).join("wasm32-unknown-unknown/dist/sound_duel.wasm");
    let module = fs::read(&path)?;
    let Interface { imports, exports } = Interface::of(&module).ok_or("that is no wasm module")?;
    if !imports.is_empty() {
        return Err(format!("the module imports {imports:?}: no AudioWorklet has that").into());
    }
    let header = Header::parse(&fs::read_to_string(root.join("capi/include/duel.h"))?);
    let missing: Vec<&str> = header
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .filter(|name| !exports.iter().any(|export| export == name))
        .collect();
    if !missing.is_empty() {
        return Err(format!("the module does not export {missing:?}").into());
    }
    let gzipped = gzipped(&path)?;
    println!("{}", path.display());
    println!(
        "  {} functions exported, nothing imported",
        header.functions.len()
    );
    println!(
        "  {} KiB, gzipped {} KiB (goal: {})",
        module.len() >> 10,
        gzipped >> 10,
        WASM_GZIP_GOAL >> 10
    );
    Ok(())
}

/// What a wasm module imports and exports, by name.
struct Interface {
    imports: Vec<String>,
    exports: Vec<String>,
}

impl Interface {
    /// Source: the WebAssembly core specification, "Binary Format", "Modules".
    fn of(module: &[u8]) -> Option<Self> {
        const IMPORTS: u8 = 2;
        const EXPORTS: u8 = 7;
        let mut found = Self {
            imports: Vec::new(),
            exports: Vec::new(),
        };
        let mut rest = module.strip_prefix(b"\0asm\x01\0\0\0")?;
        while let Some((&id, after)) = rest.split_first() {
            rest = after;
            let length = number(&mut rest)?;
            let (mut section, after) = rest.split_at_checked(length)?;
            rest = after;
            match id {
                // Any at all is too many, so only the first one's name is read.
                IMPORTS if number(&mut section)? > 0 => {
                    let (module, name) = (text(&mut section)?, text(&mut section)?);
                    found.imports.push(format!("{module}.{name}"));
                }
                EXPORTS => {
                    for _ in 0..number(&mut section)? {
                        found.exports.push(text(&mut section)?);
                        section = section.get(1..)?;
                        number(&mut section)?;
                    }
                }
                _ => {}
            }
        }
        Some(found)
    }
}

/// An unsigned LEB128 number.
fn number(from: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        value |= usize::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn text(from: &mut &[u8]) -> Option<String> {
    let length = number(from)?;
    let (text, rest) = from.split_at_checked(length)?;
    *from = rest;
    String::from_utf8(text.to_vec()).ok()
}

fn gzipped(path: &Path) -> Result<usize, Box<dyn Error>> {
    let output = Command::new("gzip")
        .args(["-9", "--stdout"])
        .arg(path)
        .output();
    Ok(output.map_err(|why| format!("gzip: {why}"))?.stdout.len())
}

/// A folder of its own, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let path = std::env::temp_dir().join(format!("duel-{name}-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Every C test, the generated one included, and what it says.
    fn sources(&self, root: &Path) -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
        let mut sources: Vec<(PathBuf, String)> = TESTS
            .iter()
            .map(|(test, says)| {
                (
                    root.join(format!("capi/tests/c/{test}.c")),
                    (*says).to_owned(),
                )
            })
            .collect();
        let header = Header::parse(&fs::read_to_string(root.join("capi/include/duel.h"))?);
        let generated = self.0.join("misuse_of_every_function.c");
        fs::write(&generated, misuse::program(&header))?;
        sources.push((generated, "none did harm".into()));
        Ok(sources)
    }

    fn compile(
        &self,
        root: &Path,
        source: &Path,
        library: &Path,
        flags: &[&str],
    ) -> Result<PathBuf, Box<dyn Error>> {
        let program = self.0.join(name(source));
        // A handle that was freed is looked at on purpose: exactly what these tools report.
        run(
            Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
                .args(["-std=c99", "-DSKIP_FREED"])
                .args(flags)
                .arg(format!("-I{}", root.join("capi/include").display()))
                .arg(format!("-I{}", root.join("capi/tests/c").display()))
                .arg(source)
                .arg(library)
                .args(["-lpthread", "-lm", "-ldl", "-o"])
                .arg(&program),
        )?;
        Ok(program)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn name(source: &Path) -> String {
    source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The instructions that a run spends inside a function.
fn instructions(program: &Path, function: &str) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--collect-atstart=no",
        ])
        .arg(format!("--toggle-collect={function}"))
        .arg(program)
        .arg(function)
        .stdout(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let count = text
        .lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    count
        .filter(|&count| count > 0)
        .ok_or_else(|| format!("callgrind counted nothing:\n{text}").into())
}

fn need(program: &str, package: &str) -> Result<(), Box<dyn Error>> {
    match Command::new(program).arg("--version").output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(format!("{program} is missing: apt-get install {package}").into()),
    }
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command
        .status()
        .map_err(|why| format!("{command:?}: {why}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {status}").into())
    }
}

fn expect(command: &mut Command, says: &str) -> Result<(), Box<dyn Error>> {
    let output = command
        .output()
        .map_err(|why| format!("{command:?}: {why}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && printed.contains(says) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: {}\n{printed}{errors}", output.status).into())
}
