//! What studios get: one folder with the headers, both libraries, pkg-config and CMake files, licences and examples; and
//! the proof that it stands on its own.

use crate::{
    command::{expect, output},
    target,
};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The shared library with the link and match levels may take at most this much, stripped.
const SMALL_MAX: u64 = (3 << 20) / 2;
/// What a program needs besides the static library.
const SYSTEM_LIBRARIES: [&str; 3] = ["pthread", "m", "dl"];
/// Examples, and what each says when it worked.
const EXAMPLES: [(&str, &str); 3] = [
    ("thirty_lines", "heard: hi"),
    ("link_messages", "both heard everything"),
    ("own_game", "both phones in sync"),
];

/// The folder, and what its size is judged by.
struct Made {
    folder: PathBuf,
    small_bytes: u64,
}

impl Made {
    fn judge(&self) -> Result<(), Box<dyn Error>> {
        let bytes = self.small_bytes;
        if bytes > SMALL_MAX {
            let why = format!("the link and match levels take {bytes} bytes: at most {SMALL_MAX}");
            return Err(why.into());
        }
        Ok(())
    }
}

/// The headers, below `include`.
fn headers(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut headers = vec![PathBuf::from("duel.h")];
    for entry in fs::read_dir(root.join("capi/include/duel"))? {
        headers.push(Path::new("duel").join(entry?.file_name()));
    }
    Ok(headers)
}

/// Makes the folder, and says which; fails if what is in it is too large.
pub fn run(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let made = make(root)?;
    made.judge()?;
    Ok(made.folder)
}

fn make(root: &Path) -> Result<Made, Box<dyn Error>> {
    if !cfg!(target_os = "linux") {
        return Err("dist packs on Linux; elsewhere: cargo build -p capi --profile dist".into());
    }
    let small = library(root, &["--no-default-features"])?;
    let small_bytes = fs::metadata(small.join("libsound_duel.so"))?.len();
    let built = library(root, &[])?;
    let all_bytes = fs::metadata(built.join("libsound_duel.so"))?.len();
    let version = env!("CARGO_PKG_VERSION");
    let folder = root.join(format!("target/sound-duel-{version}"));
    let _ = fs::remove_dir_all(&folder);
    for part in [
        "include/duel",
        "lib/pkgconfig",
        "lib/cmake/SoundDuel",
        "examples/c",
        "examples/sdl",
        "docs",
    ] {
        fs::create_dir_all(folder.join(part))?;
    }
    for header in headers(root)? {
        let from = root.join("capi/include").join(&header);
        fs::copy(from, folder.join("include").join(&header))?;
    }
    fs::copy(
        built.join("libsound_duel.a"),
        folder.join("lib/libsound_duel.a"),
    )?;
    let soname = soname(root)?;
    fs::copy(
        built.join("libsound_duel.so"),
        folder.join("lib").join(&soname),
    )?;
    link(&soname, &folder.join("lib/libsound_duel.so"))?;
    fs::write(
        folder.join("lib/pkgconfig/sound-duel.pc"),
        pkg_config(version),
    )?;
    let cmake = folder.join("lib/cmake/SoundDuel");
    fs::write(cmake.join("SoundDuelConfig.cmake"), cmake_config(&soname))?;
    fs::write(
        cmake.join("SoundDuelConfigVersion.cmake"),
        cmake_version(version),
    )?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(licence), folder.join(licence))?;
    }
    for page in [
        "docs/ABI.md",
        "docs/EMBEDDING.md",
        "docs/FORMAT.md",
        "docs/GLOSSARY.md",
        "docs/sdl-lobby.png", // in the README of examples/sdl
    ] {
        fs::copy(root.join(page), folder.join(page))?;
    }
    for examples in ["examples/c", "examples/sdl"] {
        for entry in fs::read_dir(root.join(examples))? {
            let path = entry?.path();
            if path.is_file() {
                let name = path.file_name().unwrap_or_default();
                fs::copy(&path, folder.join(examples).join(name))?;
            }
        }
    }
    println!("{}", folder.display());
    println!(
        "  shared library, stripped, link and match levels  {:>7.2} MiB (at most {:.2})",
        mib(small_bytes),
        mib(SMALL_MAX)
    );
    println!(
        "  shared library, stripped, everything             {:>7.2} MiB",
        mib(all_bytes)
    );
    let archive = fs::metadata(folder.join("lib/libsound_duel.a"))?.len();
    println!(
        "  static library, everything                       {:>7.2} MiB",
        mib(archive)
    );
    Ok(Made {
        folder,
        small_bytes,
    })
}

/// Makes the folder, and builds and runs the examples from an empty folder with only a C compiler and CMake.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let made = make(root)?;
    let empty = std::env::temp_dir().join(format!("sound-duel-dist-{}", std::process::id()));
    let _ = fs::remove_dir_all(&empty);
    fs::create_dir_all(&empty)?;
    // Moved away, so that nothing finds anything by where it was built.
    output(
        Command::new("cp")
            .arg("-a")
            .arg(&made.folder)
            .arg(empty.join("sound-duel")),
    )?;
    let checked = check_in(&empty);
    let _ = fs::remove_dir_all(&empty);
    checked?;
    made.judge()
}

fn check_in(empty: &Path) -> Result<(), Box<dyn Error>> {
    let package = empty.join("sound-duel");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    for (example, says) in EXAMPLES {
        for way in ["static", "shared"] {
            let program = empty.join(format!("{example}-{way}"));
            let mut command = Command::new(&compiler);
            command
                .args(["-std=c99", "-O2"])
                .arg(package.join(format!("examples/c/{example}.c")))
                .arg("-o")
                .arg(&program)
                .arg(format!("-I{}", package.join("include").display()));
            if way == "static" {
                command.arg(package.join("lib/libsound_duel.a"));
                command.args(SYSTEM_LIBRARIES.map(|library| format!("-l{library}")));
            } else {
                let lib = package.join("lib");
                command
                    .arg(format!("-L{}", lib.display()))
                    .args(["-lsound_duel", "-lm"])
                    .arg(format!("-Wl,-rpath,{}", lib.display()));
            }
            output(&mut command)?;
            expect(&mut Command::new(&program), says)?;
        }
    }
    println!("cc: the examples run, static and shared");
    check_pkg_config(&package, &compiler, empty)?;
    check_cmake(&package, empty)
}

fn check_pkg_config(
    package: &Path,
    compiler: &std::ffi::OsStr,
    empty: &Path,
) -> Result<(), Box<dyn Error>> {
    let asked = Command::new("pkg-config")
        .args(["--cflags", "--libs", "sound-duel"])
        .env("PKG_CONFIG_PATH", package.join("lib/pkgconfig"))
        .output();
    let Ok(asked) = asked else {
        println!("SKIPPED: no pkg-config here");
        return Ok(());
    };
    if !asked.status.success() {
        return Err(format!("pkg-config: {}", String::from_utf8_lossy(&asked.stderr)).into());
    }
    let flags = String::from_utf8(asked.stdout)?;
    let program = empty.join("by-pkg-config");
    output(
        Command::new(compiler)
            .arg("-std=c99")
            .arg(package.join("examples/c/thirty_lines.c"))
            .arg("-o")
            .arg(&program)
            .args(flags.split_whitespace())
            .arg(format!("-Wl,-rpath,{}", package.join("lib").display())),
    )?;
    expect(&mut Command::new(&program), "heard: hi")?;
    println!("pkg-config: an example runs");
    Ok(())
}

fn check_cmake(package: &Path, empty: &Path) -> Result<(), Box<dyn Error>> {
    if Command::new("cmake").arg("--version").output().is_err() {
        return Err("cmake is missing, and with it the proof that find_package(SoundDuel) works: apt-get install cmake".into());
    }
    for way in ["OFF", "ON"] {
        let build = empty.join(format!("build-static-{way}"));
        output(
            Command::new("cmake")
                .arg("-S")
                .arg(package.join("examples/c"))
                .arg("-B")
                .arg(&build)
                .arg(format!("-DCMAKE_PREFIX_PATH={}", package.display()))
                .arg(format!("-DSOUND_DUEL_STATIC={way}")),
        )?;
        output(Command::new("cmake").arg("--build").arg(&build))?;
        for (example, says) in EXAMPLES {
            expect(&mut Command::new(build.join(example)), says)?;
        }
    }
    println!("CMake: find_package(SoundDuel), the examples run, shared and static");
    Ok(())
}

/// Builds the library; returns where it lies.
fn library(root: &Path, features: &[&str]) -> Result<PathBuf, Box<dyn Error>> {
    let built = target::folder(root).join("dist");
    // Both sets of features have one file name: what the other left there must not pass for this one's.
    for name in ["libsound_duel.so", "libsound_duel.a"] {
        let _ = fs::remove_file(built.join("deps").join(name));
    }
    output(
        target::cargo(root)
            .args(["build", "--quiet", "--package", "capi", "--lib"])
            .args(["--profile", "dist"])
            .args(features),
    )?;
    Ok(built)
}

/// The name that `capi/build.rs` gives the shared library.
fn soname(root: &Path) -> Result<String, Box<dyn Error>> {
    let build = fs::read_to_string(root.join("capi/build.rs"))?;
    let (_, rest) = build
        .split_once("-Wl,-soname,")
        .ok_or("capi/build.rs names no soname")?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

#[cfg(unix)]
fn link(to: &str, from: &Path) -> Result<(), Box<dyn Error>> {
    Ok(std::os::unix::fs::symlink(to, from)?)
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> Result<(), Box<dyn Error>> {
    Err("no symbolic links here".into())
}

fn pkg_config(version: &str) -> String {
    let private = SYSTEM_LIBRARIES
        .map(|library| format!("-l{library}"))
        .join(" ");
    format!(
        "prefix=${{pcfiledir}}/../..\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: sound-duel\nDescription: Two machines, one match, over sound\nVersion: {version}\n\
         Libs: -L${{libdir}} -lsound_duel\nLibs.private: {private}\nCflags: -I${{includedir}}\n"
    )
}

fn cmake_config(soname: &str) -> String {
    let libraries = SYSTEM_LIBRARIES.join(";");
    format!(
        "# SoundDuel::SoundDuel is the shared library, SoundDuel::Static the static one.\n\
         get_filename_component(_sound_duel \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)\n\
         if(NOT TARGET SoundDuel::SoundDuel)\n  add_library(SoundDuel::SoundDuel SHARED IMPORTED)\n  \
         set_target_properties(SoundDuel::SoundDuel PROPERTIES\n    \
         IMPORTED_LOCATION \"${{_sound_duel}}/lib/{soname}\"\n    IMPORTED_SONAME {soname}\n    \
         INTERFACE_INCLUDE_DIRECTORIES \"${{_sound_duel}}/include\")\n  \
         add_library(SoundDuel::Static STATIC IMPORTED)\n  \
         set_target_properties(SoundDuel::Static PROPERTIES\n    \
         IMPORTED_LOCATION \"${{_sound_duel}}/lib/libsound_duel.a\"\n    \
         INTERFACE_LINK_LIBRARIES \"{libraries}\"\n    \
         INTERFACE_INCLUDE_DIRECTORIES \"${{_sound_duel}}/include\")\nendif()\nunset(_sound_duel)\n"
    )
}

/// A newer version does what an older one did, as long as the ABI is one.
fn cmake_version(version: &str) -> String {
    format!(
        "set(PACKAGE_VERSION {version})\n\
         if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)\n  set(PACKAGE_VERSION_COMPATIBLE FALSE)\nelse()\n  \
         set(PACKAGE_VERSION_COMPATIBLE TRUE)\n  \
         if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)\n    set(PACKAGE_VERSION_EXACT TRUE)\n  endif()\nendif()\n"
    )
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
