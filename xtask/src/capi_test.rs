//! The C tests, plain and under tools that see what a run does not show: valgrind, AddressSanitizer.

#[path = "../../capi/tests/programs/header.rs"]
pub mod header;
#[path = "../../capi/tests/programs/misuse.rs"]
mod misuse;

use crate::{
    command::{expect, need, run},
    target,
};
use header::Header;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The C tests, and what each says when it worked.
const TESTS: [(&str, &str); 5] = [
    ("link", "link: all well"),
    ("match", "by sound:"),
    ("skirmish", "skirmish:"),
    ("misuse", "misuse: all told"),
    ("embedding", "embedding: as the page says"),
];

/// `cargo test -p capi`, which compiles and runs the C tests.
pub fn plain(root: &Path) -> Result<(), Box<dyn Error>> {
    run(target::cargo(root).args(["test", "--package", "capi"]))
}

/// Every C test under valgrind: no wrong access, no leak.
pub fn valgrind(root: &Path) -> Result<(), Box<dyn Error>> {
    need("valgrind", "valgrind")?;
    run(target::cargo(root).args(["build", "--quiet", "--package", "capi", "--lib"]))?;
    let library = target::folder(root).join("debug/libsound_duel.a");
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
        .arg(target::folder(root).join("asan"))
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
    let library = target::folder(root).join(format!("asan/{TARGET}/debug/libsound_duel.a"));
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
        let header = Header::read(&root.join("capi/include"))?;
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
