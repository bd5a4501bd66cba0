//! Compiles C and runs it against the library this test was built with.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The workspace.
pub fn root() -> PathBuf {
    let capi = Path::new(env!("CARGO_MANIFEST_DIR"));
    capi.parent()
        .expect("capi lies in the workspace")
        .to_owned()
}

/// A language standard to compile under.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standard {
    C99,
    C11,
    Cpp17,
}

impl Standard {
    fn compiler(self) -> Command {
        let (variable, default) = match self {
            Self::Cpp17 => ("CXX", "c++"),
            _ => ("CC", "cc"),
        };
        let mut command = Command::new(env::var_os(variable).unwrap_or_else(|| default.into()));
        command.args(match self {
            Self::C99 => ["-std=c99", "-xc"],
            Self::C11 => ["-std=c11", "-xc"],
            Self::Cpp17 => ["-std=c++17", "-xc++"],
        });
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g"]);
        command.arg(format!("-I{}", root().join("capi/include").display()));
        command
    }

    fn is_there(self) -> bool {
        let mut command = self.compiler();
        command.arg("--version").output().is_ok()
    }
}

/// A folder of one test's own, with the library in it under the name programs ask for.
pub struct Bench {
    folder: PathBuf,
}

impl Bench {
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("capi-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        // Cargo puts the libraries beside the test.
        let test = env::current_exe().expect("a test has a path");
        let built = test.with_file_name("libsound_duel.so");
        assert!(built.exists(), "{} is not there", built.display());
        for name in ["libsound_duel.so", "libsound_duel.so.1"] {
            fs::hard_link(&built, folder.join(name))
                .or_else(|_| fs::copy(&built, folder.join(name)).map(|_| ()))
                .expect("the library can be linked to");
        }
        Self { folder }
    }

    /// Compiles a source and does not link it.
    pub fn compile_only(&self, name: &str, source: &str, standard: Standard) {
        let path = self.write(name, source);
        self.compile_at(&path, standard);
    }

    pub fn compile_only_file(&self, path: &str, standard: Standard) {
        self.compile_at(&root().join(path), standard);
    }

    fn compile_at(&self, path: &Path, standard: Standard) {
        if !standard.is_there() {
            assert_eq!(standard, Standard::Cpp17, "there is no C compiler");
            eprintln!(
                "SKIPPED: no C++ compiler, {} is not compiled as C++",
                path.display()
            );
            return;
        }
        let mut command = standard.compiler();
        command
            .arg("-c")
            .arg(path)
            .arg("-o")
            .arg(self.folder.join("object.o"));
        check(&mut command);
    }

    /// Compiles and runs a program; what it prints holds `says`.
    pub fn run(&self, name: &str, source: &str, standard: Standard, says: &str) {
        let path = self.write(name, source);
        self.run_at(&path, standard, says);
    }

    pub fn run_file(&self, path: &str, standard: Standard, says: &str) {
        self.run_at(&root().join(path), standard, says);
    }

    fn run_at(&self, path: &Path, standard: Standard, says: &str) {
        let program = self
            .folder
            .join(path.file_stem().expect("a source has a name"));
        let mut command = standard.compiler();
        command
            .arg(path)
            .arg("-o")
            .arg(&program)
            .arg(format!("-I{}", root().join("capi/tests/c").display()))
            .arg(format!("-L{}", self.folder.display()))
            .arg("-lsound_duel")
            .args(["-lm", "-lpthread"])
            .arg(format!("-Wl,-rpath,{}", self.folder.display()));
        check(&mut command);
        let output = check(Command::new(&program).current_dir(&self.folder));
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            printed.contains(says),
            "{} said {printed:?}, not {says:?}",
            program.display()
        );
    }

    fn write(&self, name: &str, source: &str) -> PathBuf {
        let path = self.folder.join(format!("{name}.c"));
        fs::write(&path, source).expect("a source can be written");
        path
    }
}

fn check(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|why| panic!("{command:?}: {why}"));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The header, taken apart.
pub fn header() -> crate::header::Header {
    let header = crate::header::Header::read(&root().join("capi/include"));
    header.expect("the headers are there")
}

/// The names of the headers that the umbrella includes.
pub fn headers() -> Vec<String> {
    let folder = fs::read_dir(root().join("capi/include/duel")).expect("the headers are there");
    let name =
        |entry: std::io::Result<fs::DirEntry>| entry.expect("they can be listed").file_name();
    folder
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}

/// The functions that `capi`'s sources export.
pub fn exported() -> Vec<String> {
    let mut names = Vec::new();
    collect(&root().join("capi/src"), &mut names);
    names
}

fn collect(folder: &Path, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("sources can be listed") {
        let path = entry.expect("sources can be listed").path();
        if path.is_dir() {
            collect(&path, names);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source is text");
        for part in text.split("#[unsafe(no_mangle)]").skip(1) {
            let name = part
                .split("extern \"C\" fn ")
                .nth(1)
                .expect("exported functions are C's");
            names.push(
                name.split('(')
                    .next()
                    .expect("a function has a name")
                    .into(),
            );
        }
    }
}
