//! The C tests, plain and under tools that see what a run does not show: valgrind, AddressSanitizer, ThreadSanitizer.

#[path = "../../capi/tests/programs/header.rs"]
pub mod header;
#[path = "../../capi/tests/programs/misuse.rs"]
mod misuse;

use crate::{
    command::{expect, need, run},
    nightly::Nightly,
    target,
};
use header::Header;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// The C tests, and what each says when it worked.
const TESTS: [(&str, &str); 7] = [
    ("link", "link: all well"),
    ("lobby", "lobby: same games pair, others refuse"),
    ("match", "by sound:"),
    ("skirmish", "skirmish:"),
    ("misuse", "misuse: all told"),
    ("embedding", "embedding: as the page says"),
    THREADS,
];
const THREADS: (&str, &str) = ("threads", "threads: none in another's way");

const ASAN_OPTIONS: &str = "detect_leaks=1:detect_stack_use_after_return=1";

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
pub fn asan(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let Some(nightly) = Nightly::or_skip("AddressSanitizer", &[], options)? else {
        return Ok(());
    };
    let started = Instant::now();
    let mut build = nightly.sanitized(root, "address", "asan", &["build"]);
    run(build.args(["--package", "capi", "--lib"]))?;
    let library = nightly.made(root, "asan").join("libsound_duel.a");
    let folder = Folder::new("asan")?;
    let sources = folder.sources(root)?;
    let programs = sources.len();
    for (source, says) in sources {
        let flags = ["-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer"];
        let program = folder.compile(root, &source, &library, &flags)?;
        let mut command = Command::new(&program);
        command.env("ASAN_OPTIONS", ASAN_OPTIONS);
        expect(&mut command, &says)?;
        println!("AddressSanitizer: {}: clean", name(&source));
    }
    // Any sequence of calls of every function, and the table of handles.
    let mut tests = nightly.sanitized(root, "address", "asan", &["test"]);
    tests.args(["--package", "capi", "--lib", "--features", "random-calls"]);
    tests.args(["--", "random_calls", "handle"]);
    run(tests.env("ASAN_OPTIONS", ASAN_OPTIONS))?;
    let seconds = started.elapsed().as_secs();
    println!(
        "AddressSanitizer: {programs} C programs and the calls by chance: clean in {seconds} s"
    );
    Ok(())
}

/// What two threads do at once, with everything built for ThreadSanitizer, the standard library too: that takes the nightly
/// compiler and the library's sources.
pub fn tsan(root: &Path, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let Some(nightly) = Nightly::or_skip("ThreadSanitizer", &["rust-src"], options)? else {
        return Ok(());
    };
    let started = Instant::now();
    let mut tests = nightly.sanitized(root, "thread", "tsan", &["test", "-Zbuild-std"]);
    tests.args(["--package", "capi", "--lib", "--test", "threads"]);
    // A million handles one after another race with nobody.
    tests.args(["--", "--skip", "a_number_never", "--skip", "a_full_table"]);
    run(tests.env("TSAN_OPTIONS", "halt_on_error=1"))?;
    println!("ThreadSanitizer: from Rust: clean");
    let mut build = nightly.sanitized(root, "thread", "tsan", &["build", "-Zbuild-std"]);
    run(build.args(["--package", "capi", "--lib"]))?;
    let library = nightly.made(root, "tsan").join("libsound_duel.a");
    // The runtime that the library was built for: the C compiler's own lacks some of what it calls.
    let runtime = nightly.libraries(root)?.join("librustc-nightly_rt.tsan.a");
    let folder = Folder::new("tsan")?;
    let (test, says) = THREADS;
    let object = folder.0.join("threads.o");
    run(folder
        .compiler(root)
        .args(["-O1", "-g", "-fsanitize=thread", "-c", "-o"])
        .arg(&object)
        .arg(root.join(format!("capi/tests/c/{test}.c"))))?;
    let program = folder.compile(root, &object, &library, &[&runtime.to_string_lossy()])?;
    let mut program = Command::new(&program);
    expect(program.env("TSAN_OPTIONS", "halt_on_error=1"), says)?;
    println!("ThreadSanitizer: from C: clean");
    println!(
        "ThreadSanitizer: all clean in {} s",
        started.elapsed().as_secs()
    );
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
        let mut compiler = self.compiler(root);
        compiler.arg(source).arg(library).args(flags);
        run(compiler
            .args(["-lpthread", "-lm", "-ldl", "-o"])
            .arg(&program))?;
        Ok(program)
    }

    fn compiler(&self, root: &Path) -> Command {
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler
            .arg("-std=c99")
            .arg(format!("-I{}", root.join("capi/include").display()))
            .arg(format!("-I{}", root.join("capi/tests/c").display()));
        compiler
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
