//! The C header: `capi`'s sources through cbindgen, section by section, in the order in which they are written.
//!
//! cbindgen sees one source file at a time; what it prints is put back into the source's order, so that constants stand
//! below their type and the header reads like the documentation it is.

use cbindgen::{Builder, Config, DocumentationStyle, Language, Layout, Style};
use std::{error::Error, fs, path::Path};

/// Where the header lies.
const HEADER: &str = "capi/include/duel.h";
/// The first page's example, compiled and run as it is.
const EXAMPLE: &str = "examples/c/thirty_lines.c";

/// Sources in the order of the header's sections.
const SECTIONS: [&str; 24] = [
    "status",
    "library",
    "words",
    "link/half",
    "link/setup",
    "link/pump",
    "link/guard",
    "rig/words",
    "rig/live",
    "rig/advice",
    "link/practice",
    "room/mod",
    "session/game",
    "session/lobby",
    "session/play",
    "session/status",
    "session/event",
    "session/record",
    "skirmish/mod",
    "skirmish/catalogue",
    "skirmish/order",
    "skirmish/view",
    "skirmish/effects",
    "skirmish/replay",
];
/// The section that handles are declared before: any function may name any of them.
const FIRST_WITH_HANDLES: &str = "link/half";

/// Writes the header.
pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    let text = text(root)?;
    fs::write(root.join(HEADER), &text)?;
    println!("{HEADER}: {} lines", text.lines().count());
    Ok(())
}

/// Fails if the committed header is not what the sources give.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let committed = fs::read_to_string(root.join(HEADER)).unwrap_or_default();
    let expected = text(root)?;
    if committed == expected {
        println!("{HEADER} is up to date");
        return Ok(());
    }
    let differs = committed
        .lines()
        .zip(expected.lines())
        .position(|(a, b)| a != b);
    let line = differs.map_or(
        committed.lines().count().min(expected.lines().count()),
        |at| at,
    ) + 1;
    Err(format!("{HEADER} is stale from line {line} on. Run: cargo xtask header").into())
}

fn text(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut out = front(root)?;
    let sections = SECTIONS
        .iter()
        .map(|name| Section::read(root, name))
        .collect::<Result<Vec<_>, _>>()?;
    for section in &sections {
        if section.name == FIRST_WITH_HANDLES {
            out += &title("Handles", "Opaque: made by `..._new`, freed by `..._free`.");
            for item in sections.iter().flat_map(|section| &section.handles) {
                out += item;
                out.push_str("\n\n");
            }
        }
        out += &title(&section.title, &section.about);
        for (at, item) in section.items.iter().enumerate() {
            out += item;
            // Numbers of one kind stand together.
            let next = section.items.get(at + 1);
            let together = is_number(item) && next.is_some_and(|next| is_number(next));
            out += if together { "\n" } else { "\n\n" };
        }
    }
    out += "#ifdef __cplusplus\n}\n#endif\n\n#endif /* DUEL_H */\n";
    Ok(ascii(&out))
}

/// A part of the header: one source file.
struct Section {
    name: String,
    title: String,
    about: String,
    handles: Vec<String>,
    items: Vec<String>,
}

impl Section {
    fn read(root: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let path = root.join(format!("capi/src/{name}.rs"));
        let source = fs::read_to_string(&path)?;
        let mut docs = source
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line));
        let title = docs.next().unwrap_or(name).to_owned();
        let about = docs.collect::<Vec<_>>().join("\n").trim().to_owned();

        let mut config = Config {
            language: Language::C,
            style: Style::Both,
            documentation_style: DocumentationStyle::Doxy,
            no_includes: true,
            usize_is_size_t: true,
            ..Config::default()
        };
        config.export.include = declared(&source);
        config.function.args = Layout::Horizontal;
        let bindings = Builder::new()
            .with_config(config)
            .with_src(&path)
            .generate()
            .map_err(|why| format!("{}: {why}", path.display()))?;
        let mut printed = Vec::new();
        bindings.write(&mut printed);
        let mut items: Vec<(usize, String)> = items(&String::from_utf8(printed)?)
            .into_iter()
            // cbindgen follows `mod`; what is declared there has a section of its own.
            .filter_map(|item| Some((place(&source, &item)?, tidy(&item))))
            .collect();
        items.sort_by_key(|&(place, _)| place);
        let items = items.into_iter().map(|(_, item)| item);
        let (handles, items) = items.partition(|item| is_handle(item));
        Ok(Self {
            name: name.into(),
            title,
            about,
            handles,
            items,
        })
    }
}

/// Names of the types a source declares, so that cbindgen prints even those that no function of this file names.
fn declared(source: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line
            .strip_prefix("pub struct ")
            .or_else(|| line.strip_prefix("pub type "))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        Some(rest[..end].to_owned())
    };
    source.lines().filter_map(name).collect()
}

/// Takes what cbindgen printed apart: each declaration with its comment.
fn items(printed: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let (mut in_comment, mut depth) = (false, 0_i32);
    for line in printed.lines() {
        if line.trim().is_empty() && !in_comment {
            continue;
        }
        item += line;
        item.push('\n');
        if line.trim_start().starts_with("/*") {
            in_comment = true;
        }
        if in_comment {
            in_comment = !line.contains("*/");
            continue;
        }
        depth += line.matches(['{', '(']).count() as i32;
        depth -= line.matches(['}', ')']).count() as i32;
        if depth == 0 && (line.ends_with(';') || line.starts_with('#')) {
            items.push(std::mem::take(&mut item).trim_end().to_owned());
        }
    }
    items
}

/// An item's name.
fn name(item: &str) -> &str {
    let code = item.rfind("*/").map_or(item, |end| &item[end + 2..]);
    let code = if item.contains("typedef struct") && item.contains('{') {
        &item[item.rfind('}').unwrap_or(0)..]
    } else {
        code
    };
    let ours = |word: &&str| word.starts_with("duel_") || word.starts_with("DUEL_");
    let mut words = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(ours);
    if code.contains("(*") || code.trim_start().starts_with('#') {
        // A pointer to a function and a number: parameters and the value come later.
        return words.next().unwrap_or("");
    }
    if !code.contains('(') {
        // A type's name stands last.
        return words.next_back().unwrap_or("");
    }
    let before = code.split('(').next().unwrap_or("");
    before
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .find(|word| !word.is_empty())
        .unwrap_or("")
}

/// Where the source declares an item; `None` if it does not.
fn place(source: &str, item: &str) -> Option<usize> {
    let name = name(item);
    let declares = |keyword: &str| {
        let start = format!("{keyword} {name}");
        source.match_indices(&start).map(|(at, _)| at).find(|&at| {
            let next = source[at + start.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    };
    ["pub const", "pub type", "pub struct", "fn"]
        .into_iter()
        .find_map(declares)
}

fn is_handle(item: &str) -> bool {
    item.contains("typedef struct") && !item.contains('{')
}

/// What the C programmer need not read: the promises that Rust wants spelled out. And negative numbers in brackets.
fn tidy(item: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in item.lines() {
        let trimmed = line.trim();
        if trimmed == "* # Safety" {
            skipping = true;
            while out.ends_with(" *\n") {
                out.truncate(out.len() - " *\n".len());
            }
        } else if trimmed == "*/" {
            skipping = false;
        }
        if skipping {
            continue;
        }
        let line = match line.strip_prefix("#define ") {
            Some(rest) if rest.contains(" -") => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                format!("#define {name} ({value})")
            }
            // Every structure has a typedef of its own name.
            _ if !trimmed.starts_with(['*', '/']) && !trimmed.starts_with("typedef struct") => {
                line.replace("struct duel_", "duel_")
            }
            _ => line.to_owned(),
        };
        out += line.trim_end();
        out.push('\n');
    }
    wrapped(&short_comments(out.trim_end()))
}

fn is_number(item: &str) -> bool {
    item.lines().any(|line| line.starts_with("#define "))
}

/// Comments of one line on one line.
fn short_comments(item: &str) -> String {
    let lines: Vec<&str> = item.lines().collect();
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
        let is_short =
            lines[at].trim() == "/**" && lines.get(at + 2).is_some_and(|line| line.trim() == "*/");
        if is_short {
            let text = lines[at + 1].trim().trim_start_matches("* ");
            out += &format!("{indent}/** {text} */\n");
            at += 3;
        } else {
            out += lines[at];
            out.push('\n');
            at += 1;
        }
    }
    out.trim_end().to_owned()
}

/// Long declarations on several lines, broken at commas.
fn wrapped(item: &str) -> String {
    const WIDTH: usize = 110;
    let mut out = Vec::new();
    for line in item.lines() {
        let is_code = !line.trim_start().starts_with(['*', '/', '#']);
        if line.len() <= WIDTH || !is_code {
            out.push(line.to_owned());
            continue;
        }
        let mut part = String::new();
        for piece in line.split_inclusive(", ") {
            if part.len() + piece.trim_end().len() > WIDTH {
                out.push(part.trim_end().to_owned());
                part = "    ".into();
            }
            part += piece;
        }
        out.push(part);
    }
    out.join("\n")
}

/// A section's heading.
fn title(title: &str, about: &str) -> String {
    let mut out = format!("/* {} *\n * {title}\n", "=".repeat(108));
    if !about.is_empty() {
        out += " *\n";
        for line in about.lines() {
            out += format!(" * {line}").trim_end();
            out.push('\n');
        }
    }
    out + &format!(" * {} */\n\n", "=".repeat(108))
}

/// The first page: what this is, the threading picture, the example, and the includes.
fn front(root: &Path) -> Result<String, Box<dyn Error>> {
    let page = fs::read_to_string(root.join("capi/include/front.txt"))?;
    let example = fs::read_to_string(root.join(EXAMPLE))?;
    let example = example
        .split_once("// [header]\n")
        .and_then(|(_, rest)| rest.split_once("// [/header]"))
        .ok_or_else(|| format!("{EXAMPLE} marks no part for the header"))?
        .0;
    if example.contains("*/") {
        return Err(format!("{EXAMPLE}: a comment inside would end the header's").into());
    }
    let mut out = String::from("/*\n");
    for line in page.lines() {
        if line.trim() == "EXAMPLE" {
            for line in example.lines() {
                out += format!(" *     {line}").trim_end();
                out.push('\n');
            }
        } else {
            out += format!(" * {line}").trim_end();
            out.push('\n');
        }
    }
    out += " */\n\n/* Generated from capi/src by `cargo xtask header`: change it there. */\n\n";
    out += "#ifndef DUEL_H\n#define DUEL_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n";
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    Ok(out)
}

/// Some compilers read a header in the system's own encoding.
fn ascii(text: &str) -> String {
    let plain = text
        .replace('…', "...")
        .replace(['−', '–'], "-")
        .replace('×', "x");
    let odd = plain.chars().find(|c| !c.is_ascii());
    assert!(odd.is_none(), "a comment holds {odd:?}: write it in ASCII");
    plain
}
