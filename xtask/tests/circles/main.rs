//! No two files of a crate use each other, directly or by way of others: each can be read with only what it stands on.
//!
//! The rule. File A *uses* file B of the same crate if A's code, tests aside, names something that B declares (a function,
//! type, constant, trait or macro), by whatever path and through however many `pub use`. Declaring a child (`mod child;`)
//! and handing its names on (`pub use child::*`) uses nothing. A part may use the words of the module that it lies in (its
//! parent, or the parent's parent, but not the crate's root): a module and its parts are read together, and what counts
//! is that they use each other by way of nobody else. Methods are not names: a file may add methods to another's type,
//! and be called by them.

mod graph;
mod tokens;
mod tree;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Uses that are left out, each with why it stays: (the user, the used, why).
const EXCEPT: [(&str, &str, &str); 0] = [];

fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask lies in the workspace").into()
}

/// The root files of every crate in the workspace.
fn crates() -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace is there");
    let members = manifest
        .split_once("members = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .expect("the workspace lists its members")
        .0;
    let roots: Vec<PathBuf> = members
        .split('"')
        .skip(1)
        .step_by(2)
        .flat_map(|member| {
            ["lib.rs", "main.rs"].map(|file| root().join(member).join("src").join(file))
        })
        .filter(|file| file.exists())
        .collect();
    assert!(roots.len() > 15, "only {} crates were found", roots.len());
    roots
}

#[test]
fn no_file_uses_itself_by_way_of_others() {
    let mut told = Vec::new();
    let (mut edges, mut left_out) = (0, 0);
    for file in crates() {
        let mut uses = graph::uses(&tree::read(&file));
        for (user, used, _) in EXCEPT {
            let of_file = uses.get_mut(&root().join(user));
            left_out +=
                usize::from(of_file.is_some_and(|of| of.remove(&root().join(used)).is_some()));
        }
        edges += uses.values().map(|of| of.len()).sum::<usize>();
        told.extend(graph::circles(&uses, &root()));
    }
    assert_eq!(left_out, EXCEPT.len(), "an exception is needed no more");
    // A reader that sees nothing finds no circle either.
    assert!(edges > 500, "only {edges} uses were seen");
    assert!(
        told.is_empty(),
        "circles between files:\n  {}",
        told.join("\n  ")
    );
}

/// The circles of a crate of these files.
fn circles_of(name: &str, files: &[(&str, &str)]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("circles-{name}"));
    let _ = fs::remove_dir_all(&folder);
    for (file, source) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
        fs::write(path, source).expect("it can be written");
    }
    graph::circles(&graph::uses(&tree::read(&folder.join("lib.rs"))), &folder)
}

#[test]
fn a_circle_is_told_with_its_way() {
    let files = [
        (
            "lib.rs",
            "mod a; mod b; mod c; pub use a::*; pub use b::B; pub use c::C;",
        ),
        ("a.rs", "use crate::{B as Other}; pub struct A(Other);"),
        ("b.rs", "pub struct B; fn f() { crate::c::help(1) }"),
        (
            "c.rs",
            "use crate::*; pub struct C; pub fn help(_: u8) -> Option<A> { None }",
        ),
    ];
    let told = circles_of("told", &files);
    let way = "a.rs\n    uses Other of b.rs\n    uses crate::c::help of c.rs\n    uses A of a.rs";
    assert_eq!(told, [way]);
}

#[test]
fn what_is_no_use_makes_no_circle() {
    let files = [
        // Handed on, in a comment, in a text, in a test, a field's name, a lifetime.
        (
            "lib.rs",
            "mod a; mod b; pub mod room; pub use a::A; pub use b::b;",
        ),
        (
            "a.rs",
            "// b()\npub struct A<'b> { b: &'b str }\nconst T: &str = \"b()\";\n\
             #[cfg(test)] mod tests { use crate::b; fn t() { b() } }\n#[cfg(test)] use crate::b as c;",
        ),
        (
            "b.rs",
            "use crate::A; pub fn b() { let _: Option<A<'static>> = None; }",
        ),
        // A part, and the words of the module it lies in.
        (
            "room/mod.rs",
            "mod part; pub struct Word; fn f() { part::go() }",
        ),
        (
            "room/part.rs",
            "use super::Word; pub fn go() { let _ = Word; }",
        ),
    ];
    assert_eq!(circles_of("none", &files), Vec::<String>::new());
}

#[test]
fn parts_of_one_module_make_circles_among_themselves() {
    let files = [
        ("lib.rs", "mod room;"),
        (
            "room/mod.rs",
            "mod one; mod two; pub use one::*; pub use two::*;",
        ),
        (
            "room/one.rs",
            "use super::Two; pub struct One(Option<Box<Two>>);",
        ),
        ("room/two.rs", "use super::One; pub struct Two(One);"),
    ];
    assert_eq!(circles_of("parts", &files).len(), 1);
}
