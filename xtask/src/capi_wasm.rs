//! The library as wasm: the same names, no imports, how large it is, and how long its audio path takes.

use crate::{
    capi_test::header::Header,
    command::{self, run as succeed},
    target,
};
use std::{error::Error, fs, path::Path, process::Command};

/// What a page and its worklet load, one module, may take at most, compressed, bytes.
const GZIPPED_MAX: usize = 350_000;
/// How it is built: `Cargo.toml`.
pub const PROFILE: &str = "wasm";

/// Builds it and looks at what it is.
pub fn run(root: &Path) -> Result<(), Box<dyn Error>> {
    let compiler = target::compiler(root, "wasm32-unknown-unknown")?;
    let mut cargo = compiler.cargo(root, "build", PROFILE);
    cargo.args(["--package", "capi", "--lib"]);
    compiler.link_by_rust_lld(&mut cargo);
    succeed(&mut cargo)?;
    let path = compiler.made(root, PROFILE).join("sound_duel.wasm");
    let module = fs::read(&path)?;
    let Interface { imports, exports } = Interface::of(&module).ok_or("that is no wasm module")?;
    if !imports.is_empty() {
        return Err(format!("the module imports {imports:?}: no AudioWorklet has that").into());
    }
    let header = Header::read(&root.join("capi/include"))?;
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
        "  {:.1} kB, gzipped {:.1} kB (at most {:.0})",
        kb(module.len()),
        kb(gzipped),
        kb(GZIPPED_MAX)
    );
    match target::first_program(&["node", "nodejs"]) {
        Some(node) => {
            let mut node = Command::new(node);
            node.arg(root.join("xtask/src/capi_wasm.mjs")).arg(&path);
            print!(
                "  a block of 128 frames at 48 kHz: {}",
                command::output(&mut node)?
            );
        }
        None => println!("  SKIPPED: how long a block takes; no node here"),
    }
    if gzipped > GZIPPED_MAX {
        return Err(
            format!("the module takes {gzipped} bytes gzipped: at most {GZIPPED_MAX}").into(),
        );
    }
    Ok(())
}

fn kb(bytes: usize) -> f64 {
    bytes as f64 / 1e3
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
        .output()
        .map_err(|why| format!("gzip: {why}"))?;
    if !output.status.success() {
        return Err(format!("gzip: {}", output.status).into());
    }
    Ok(output.stdout.len())
}
