//! `cargo xtask web`: builds the page that duels in a browser, and tests it there. Installs nothing but the page's own
//! packages, as its lock file names them, into its own folder.

use crate::{
    capi_wasm::{self, PROFILE},
    command::run as succeed,
    hosts, target,
};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The page's folder.
const WEB: &str = "examples/web";
/// The oldest Node that the page's tools run on. Source: Vite's own `engines`.
const NODE_MIN: (u32, u32) = (20, 19);
/// The browser of the tests, unless `CHROMIUM` names another.
const BROWSER: &str = "/usr/bin/chromium";
const USAGE: &str = "usage: cargo xtask web [--test] [--sound] [--screenshots [FOLDER]]";

/// What is asked for besides building.
#[derive(Default)]
struct Options {
    test: bool,
    sound: bool,
    screenshots: Option<PathBuf>,
}

/// Builds it, and does what the options say.
pub fn run(root: &Path, words: &[&str]) -> Result<(), Box<dyn Error>> {
    let options = parse(root, words)?;
    let web = root.join(WEB);
    need_node()?;
    if options.test || options.sound || options.screenshots.is_some() {
        need_browser()?;
    }
    library(root, &web)?;
    packages(&web)?;
    succeed(npm(&web).args(["run", "--silent", "build"]))?;
    if options.test || options.sound {
        succeed(node(&web).args(["node_modules/vite/bin/vite.js", "build", "--mode", "test"]))?;
    }
    if options.test {
        test(root, &web)?;
    }
    if let Some(folder) = &options.screenshots {
        succeed(node(&web).arg("tests/screenshots.mjs").arg(folder))?;
        println!("pictures in {}", folder.display());
    }
    if options.sound {
        sound(root, &web)?;
    }
    println!(
        "{}: any web server can give it out; npm run phone serves it to phones",
        web.join("dist").display()
    );
    Ok(())
}

fn parse(root: &Path, words: &[&str]) -> Result<Options, Box<dyn Error>> {
    let mut options = Options::default();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        match *word {
            "--test" => options.test = true,
            "--sound" => options.sound = true,
            "--screenshots" => {
                let named = words.next_if(|word| !word.starts_with("--"));
                let folder = named.map_or_else(|| "target/web-screenshots".into(), PathBuf::from);
                options.screenshots = Some(root.join(folder));
            }
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// The library and the probe's measurement as wasm, where the page's build finds them.
fn library(root: &Path, web: &Path) -> Result<(), Box<dyn Error>> {
    capi_wasm::run(root)?;
    let compiler = target::compiler(root, "wasm32-unknown-unknown")?;
    let mut cargo = compiler.cargo(root, "rustc", PROFILE);
    cargo.args(["--package", "web-probe", "--lib", "--crate-type", "cdylib"]);
    compiler.link_by_rust_lld(&mut cargo);
    succeed(&mut cargo)?;
    let (made, folder) = (compiler.made(root, PROFILE), web.join("wasm"));
    fs::create_dir_all(&folder)?;
    for name in ["sound_duel.wasm", "web_probe.wasm"] {
        let (from, to) = (made.join(name), folder.join(name));
        // What is the same stays untouched, and whatever watches the folder is left alone.
        if fs::read(&from)? != fs::read(&to).unwrap_or_default() {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// What the lock file names, unless it is there already.
fn packages(web: &Path) -> Result<(), Box<dyn Error>> {
    let changed = |path: PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let installed = changed(web.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= changed(web.join("package-lock.json")) {
        return Ok(());
    }
    println!("npm ci: the page's tools, from the npm registry");
    succeed(npm(web).args(["ci", "--no-audit", "--no-fund"]))
}

/// Every test that needs no sound: in Node, and in the browser.
fn test(root: &Path, web: &Path) -> Result<(), Box<dyn Error>> {
    // The hashes of this machine itself, and what it reads in a recording: to compare the page's with.
    let mut golden = target::cargo(root);
    golden.args(["run", "--quiet", "--release", "--package", "golden"]);
    let hashes = crate::command::output(golden.args(["--", "0"]))?;
    let file = web.join("dist-test/golden.txt");
    fs::write(&file, hashes)?;
    let mut program = target::cargo(root);
    succeed(program.args(["build", "--quiet", "--release", "--package", "sound-duel"]))?;
    let program = target::folder(root).join("release/sound-duel");
    let mut tests: Vec<PathBuf> = fs::read_dir(web.join("tests"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    tests.sort();
    succeed(
        node(web)
            .args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
            .args(tests)
            .env("GOLDEN_HASHES", file)
            .env("SOUND_DUEL", program),
    )
}

/// Pages and a program play each other by real audio, on two virtual phones.
fn sound(root: &Path, web: &Path) -> Result<(), Box<dyn Error>> {
    hosts::need_phones()?;
    let program = hosts::live_program(root)?;
    let folder = target::folder(root).join("web-sound");
    let phones = hosts::phones::Phones::up(root, &folder)?;
    let mut node = phones.command(Path::new("node"));
    node.current_dir(web).arg("tests/sound.mjs").arg(program);
    succeed(&mut node)
}

fn need_node() -> Result<(), Box<dyn Error>> {
    let (major, minor) = NODE_MIN;
    let printed = Command::new("node").arg("--version").output();
    let version = printed.ok().and_then(|printed| {
        let text = String::from_utf8_lossy(&printed.stdout).trim().to_owned();
        let mut parts = text.trim_start_matches('v').split('.').map(str::parse);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
            _ => None,
        }
    });
    if version < Some(NODE_MIN) {
        return Err(
            format!("the page needs Node {major}.{minor} or newer, and npm: nodejs.org").into(),
        );
    }
    if npm(Path::new(".")).arg("--version").output().is_err() {
        return Err("the page needs npm, which comes with Node: nodejs.org".into());
    }
    Ok(())
}

fn need_browser() -> Result<(), Box<dyn Error>> {
    let browser = std::env::var_os("CHROMIUM").unwrap_or_else(|| BROWSER.into());
    if Path::new(&browser).exists() {
        return Ok(());
    }
    Err(format!(
        "the tests need Chromium, and {} is not there: apt-get install chromium, or CHROMIUM=/where/it/is",
        browser.to_string_lossy()
    )
    .into())
}

fn node(web: &Path) -> Command {
    let mut node = Command::new("node");
    node.current_dir(web);
    node
}

fn npm(web: &Path) -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.current_dir(web);
    npm
}
