//! Which file uses which, and the circles in that.

use crate::tree::{Crate, Module, ModulePath};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::{Path, PathBuf},
};

/// For each file the files it uses, each with a name it uses of it.
pub type Uses = BTreeMap<PathBuf, BTreeMap<PathBuf, String>>;

/// Who uses whom. A part that uses the words of the module it lies in does not count. A module that hands on what another declares (`pub use`) does not use it, and who takes it from there
/// uses the file that declares it.
pub fn uses(modules: &Crate) -> Uses {
    let mut uses = Uses::new();
    for (path, module) in modules {
        let names = module.names.iter();
        let imports = module
            .imports
            .iter()
            .filter(|import| !import.handed_on && import.name != "*")
            .map(|import| &import.path);
        for name in names.chain(imports) {
            let Some(file) = file_of(modules, path, name, 0) else {
                continue;
            };
            if file != module.file && !is_above(modules, path, &file) {
                let of_file = uses.entry(module.file.clone()).or_default();
                of_file.entry(file).or_insert_with(|| name.join("::"));
            }
        }
    }
    uses
}

/// Whether a module lies in the module that `file` is, the crate's root aside.
fn is_above(modules: &Crate, at: &ModulePath, file: &Path) -> bool {
    (1..at.len()).any(|length| {
        let above = modules.get(&at[..length]);
        above.is_some_and(|module| module.file == file)
    })
}

/// What a path leads to.
enum Found {
    Module(ModulePath),
    Item(PathBuf),
}

/// Imports of imports that are followed; more is a circle among them.
const DEPTH_MAX: usize = 12;

/// The file that declares what `path` names in module `at`; `None` for other crates' names, locals and modules.
fn file_of(modules: &Crate, at: &ModulePath, path: &[String], depth: usize) -> Option<PathBuf> {
    match find(modules, at, path, depth)? {
        Found::Item(file) => Some(file),
        Found::Module(_) => None,
    }
}

fn find(modules: &Crate, at: &ModulePath, path: &[String], depth: usize) -> Option<Found> {
    let mut at = at.clone();
    let mut rest = path;
    let mut walked = false;
    while let Some((first, more)) = rest.split_first() {
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => _ = at.pop()?,
            name => match named(modules, &at, name, walked, depth)? {
                Found::Module(next) => at = next,
                // What follows is a variant, or the like.
                item => return Some(item),
            },
        }
        (rest, walked) = (more, true);
    }
    Some(Found::Module(at))
}

/// What a module calls by a name.
fn named(
    modules: &Crate,
    at: &ModulePath,
    name: &str,
    from_outside: bool,
    depth: usize,
) -> Option<Found> {
    if depth > DEPTH_MAX {
        return None;
    }
    let module: &Module = modules.get(at)?;
    if module.children.contains(name) {
        let mut child = at.clone();
        child.push(name.to_owned());
        return modules.contains_key(&child).then_some(Found::Module(child));
    }
    if module.items.contains(name) {
        return Some(Found::Item(module.file.clone()));
    }
    let import = module.imports.iter().find(|import| import.name == name);
    if let Some(import) = import {
        // `use hound;` names another crate, not itself.
        let itself = import.path.len() == 1 && import.path[0] == name;
        return (!itself)
            .then(|| find(modules, at, &import.path, depth + 1))
            .flatten();
    }
    for import in module.imports.iter().filter(|import| import.name == "*") {
        // What a module imports for itself alone is not seen from outside.
        if (import.handed_on || !from_outside)
            && let Some(Found::Module(from)) = find(modules, at, &import.path, depth + 1)
            && from != *at
            && let Some(found) = named(modules, &from, name, true, depth + 1)
        {
            return Some(found);
        }
    }
    None
}

/// The shortest circle through each group of files that use each other, as lines to print.
pub fn circles(uses: &Uses, root: &Path) -> Vec<String> {
    let mut told = BTreeSet::new();
    let mut out = Vec::new();
    for start in uses.keys() {
        if told.contains(start) {
            continue;
        }
        if let Some(circle) = way_back(uses, start) {
            out.push(shown(uses, &circle, root));
            told.extend(circle);
        }
    }
    out
}

/// The shortest way from a file to itself.
fn way_back(uses: &Uses, start: &PathBuf) -> Option<Vec<PathBuf>> {
    let mut came_from: BTreeMap<&PathBuf, &PathBuf> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(file) = waiting.pop_front() {
        for next in uses.get(file).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut circle = vec![start.clone()];
                let mut at = file;
                while at != start {
                    circle.insert(1, at.clone());
                    at = came_from[at];
                }
                return Some(circle);
            }
            if !came_from.contains_key(next) {
                came_from.insert(next, file);
                waiting.push_back(next);
            }
        }
    }
    None
}

fn shown(uses: &Uses, circle: &[PathBuf], root: &Path) -> String {
    let short = |file: &PathBuf| {
        file.strip_prefix(root)
            .unwrap_or(file)
            .display()
            .to_string()
    };
    let mut out = short(&circle[0]);
    for (at, file) in circle.iter().enumerate() {
        let next = &circle[(at + 1) % circle.len()];
        out += &format!("\n    uses {} of {}", uses[file][next], short(next));
    }
    out
}
