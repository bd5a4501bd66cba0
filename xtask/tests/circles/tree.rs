//! A crate's modules: which file each lies in, what it declares, what it imports, and which names it uses.

use crate::tokens::{Token, tokens};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The way to a module from its crate's root.
pub type ModulePath = Vec<String>;

/// A name that `use` binds in a module.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where it comes from, as written.
    pub path: Vec<String>,
    /// What it is called here; `*` for all there is.
    pub name: String,
    /// `pub use`, of any reach: the module hands it on.
    pub handed_on: bool,
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    pub file: PathBuf,
    /// Functions, types, constants, macros.
    pub items: BTreeSet<String>,
    pub children: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Names and paths in its code.
    pub names: BTreeSet<Vec<String>>,
}

/// A crate's modules, by path.
pub type Crate = BTreeMap<ModulePath, Module>;

/// Reads a crate from its root file.
pub fn read(root: &Path) -> Crate {
    let mut modules = Crate::new();
    let folder = root.parent().expect("a file lies in a folder").to_owned();
    read_file(root, &folder, &Vec::new(), &mut modules);
    modules
}

/// Reads a file as module `at`, whose children's files lie in `folder`.
fn read_file(file: &Path, folder: &Path, at: &ModulePath, modules: &mut Crate) {
    let source = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let tokens = tokens(&source);
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        file,
        folder,
        // An attribute that names another file is rare enough to be read from the text.
        source: &source,
        modules,
    };
    reader.module(at, folder);
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    file: &'a Path,
    folder: &'a Path,
    source: &'a str,
    modules: &'a mut Crate,
}

const KEYWORDS: [&str; 32] = [
    "as", "async", "await", "break", "const", "continue", "dyn", "else", "extern", "false", "for",
    "if", "impl", "in", "let", "loop", "match", "move", "mut", "pub", "ref", "return", "static",
    "true", "type", "unsafe", "use", "where", "while", "Self", "fn", "union",
];

impl Reader<'_> {
    fn token(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn is_word(&self, ahead: usize) -> bool {
        let first = self.token(ahead).chars().next();
        first.is_some_and(|c| c.is_alphabetic() || c == '_')
    }

    /// Reads up to the module's closing brace or the end.
    fn module(&mut self, path: &ModulePath, folder: &Path) {
        let mut module = Module {
            file: self.file.to_owned(),
            ..Module::default()
        };
        let mut depth = 0;
        let mut public = false;
        while self.at < self.tokens.len() {
            match self.token(0) {
                "{" => depth += 1,
                "}" if depth == 0 => {
                    self.at += 1;
                    break;
                }
                "}" => depth -= 1,
                "pub" => {
                    public = true;
                    self.at += 1;
                    if self.token(0) == "(" && matches!(self.token(1), "crate" | "super" | "in") {
                        while self.token(0) != ")" {
                            self.at += 1;
                        }
                        self.at += 1;
                    }
                    continue;
                }
                "use" if self.token(1) != "<" => {
                    self.at += 1;
                    self.import(&mut module, &[], public);
                    public = false;
                    continue;
                }
                "mod" if self.is_word(1) => {
                    let name = self.token(1).to_owned();
                    module.children.insert(name.clone());
                    let mut child = path.clone();
                    child.push(name.clone());
                    let inside = self.token(2) == "{";
                    self.at += 3;
                    let folder = folder.join(&name);
                    if inside {
                        self.module(&child, &folder);
                    } else {
                        self.child(&name, &child, &folder);
                    }
                    continue;
                }
                "macro_rules" if depth == 0 => {
                    module.items.insert(self.token(2).to_owned());
                    self.at += 3;
                    continue;
                }
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static"
                    if self.declares() =>
                {
                    if depth == 0 {
                        let name = if self.token(1) == "mut" { 2 } else { 1 };
                        if self.token(name) != "_" {
                            module.items.insert(self.token(name).to_owned());
                        }
                    }
                    // The name is no use of it.
                    self.at += 2;
                    public = false;
                    continue;
                }
                _ if self.is_word(0) => {
                    public = false;
                    self.name(&mut module);
                    continue;
                }
                _ => {}
            }
            public = false;
            self.at += 1;
        }
        self.modules.insert(path.clone(), module);
    }

    /// Whether a declaration's keyword declares: `const fn`, `*const T` and `union` as a word do not.
    fn declares(&self) -> bool {
        let word = if self.token(1) == "mut" { 2 } else { 1 };
        let before = self.at.checked_sub(1).map_or("", |at| &self.tokens[at]);
        self.is_word(word)
            && before != "*"
            && !matches!(self.token(word), "fn" | "unsafe" | "extern" | "async")
    }

    /// A path, or one name.
    fn name(&mut self, module: &mut Module) {
        let before = self.at.checked_sub(1).map_or("", |at| &self.tokens[at]);
        let mut path = vec![self.token(0).to_owned()];
        self.at += 1;
        while self.token(0) == "::" && self.is_word(1) {
            path.push(self.token(1).to_owned());
            self.at += 2;
        }
        let is_field = before == "." || (path.len() == 1 && self.token(0) == ":");
        let is_local = path.len() == 1 && matches!(before, "let" | "mut" | "ref");
        let is_keyword = path.len() == 1 && KEYWORDS.contains(&path[0].as_str());
        if !is_field && !is_local && !is_keyword {
            module.names.insert(path);
        }
    }

    /// The rest of a `use`, up to its `;` or the end of its group.
    fn import(&mut self, module: &mut Module, before: &[String], handed_on: bool) {
        let mut path = before.to_vec();
        loop {
            match self.token(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !matches!(self.token(0), "}" | "") {
                        self.import(module, &path, handed_on);
                        if self.token(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    if before.is_empty() {
                        self.at += 1;
                    }
                    return;
                }
                "*" => {
                    self.at += 1;
                    bind(module, path, "*".into(), handed_on);
                    break;
                }
                "as" => {
                    let name = self.token(1).to_owned();
                    self.at += 2;
                    bind(module, path, name, handed_on);
                    break;
                }
                ";" | "," | "}" => {
                    if path.last().is_some_and(|last| last == "self") {
                        path.pop();
                    }
                    let name = path.last().cloned().unwrap_or_default();
                    bind(module, path, name, handed_on);
                    break;
                }
                "" => return,
                word => {
                    path.push(word.to_owned());
                    self.at += 1;
                }
            }
        }
        // A whole `use` ends in a semicolon.
        if before.is_empty() {
            self.at += 1;
        }
    }

    /// A module in a file of its own.
    fn child(&mut self, name: &str, path: &ModulePath, folder: &Path) {
        let elsewhere = format!("mod {name};");
        let elsewhere = self
            .source
            .find(&elsewhere)
            .and_then(|at| {
                let mut lines = self.source[..at].lines().rev();
                lines.find(|line| {
                    !line.trim().is_empty() && *line != "pub " && *line != "pub(crate) "
                })
            })
            .and_then(|line| line.trim().strip_prefix("#[path = \""))
            .and_then(|line| line.split('"').next());
        if let Some(elsewhere) = elsewhere {
            let from = self.file.parent().unwrap_or(self.folder);
            read_file(&from.join(elsewhere), folder, path, self.modules);
            return;
        }
        let flat = folder.with_extension("rs");
        let nested = folder.join("mod.rs");
        let file = if flat.exists() { flat } else { nested };
        read_file(&file, folder, path, self.modules);
    }
}

fn bind(module: &mut Module, path: Vec<String>, name: String, handed_on: bool) {
    module.imports.push(Import {
        path,
        name,
        handed_on,
    });
}
