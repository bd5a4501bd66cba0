//! The C headers, one for each room of `capi` and the umbrella over them: the sources through cbindgen, section by
//! section, in the order in which they are written.
//!
//! cbindgen sees one source file at a time; what it prints is put back into the source's order, so that constants stand
//! below their type and the header reads like the documentation it is.

use cbindgen::{Builder, Config, DocumentationStyle, Language, Layout, Style};
use std::{error::Error, fs, path::Path};

/// Where the headers lie.
const INCLUDE: &str = "capi/include";
/// The one that includes all others.
const UMBRELLA: &str = "duel.h";
/// The first page's example, compiled and run as it is.
const EXAMPLE: &str = "examples/c/thirty_lines.c";

/// A header: a room of the library.
struct Room {
    /// Its file is `duel/NAME.h`.
    name: &'static str,
    /// Whose first lines say what it holds.
    source: &'static str,
    /// The header it stands on; none for the first.
    stands_on: Option<&'static str>,
    /// The feature without which a library has none of it.
    feature: Option<&'static str>,
    /// Its sections' sources, in order.
    sections: &'static [&'static str],
}

/// The headers in the order in which the umbrella includes them.
const ROOMS: [Room; 6] = [
    Room {
        name: "base",
        source: "status",
        stands_on: None,
        feature: None,
        sections: &["status", "library", "words"],
    },
    Room {
        name: "link",
        source: "link/mod",
        stands_on: Some("base"),
        feature: None,
        sections: &[
            "link/words",
            "link/half",
            "link/setup",
            "link/pump",
            "link/guard",
            "link/practice",
        ],
    },
    Room {
        name: "rig",
        source: "rig/mod",
        stands_on: Some("link"),
        feature: None,
        sections: &["rig/words", "rig/live", "rig/advice"],
    },
    Room {
        name: "room",
        source: "room/mod",
        stands_on: Some("link"),
        feature: Some("room"),
        sections: &["room/simulated", "room/air"],
    },
    Room {
        name: "session",
        source: "session/mod",
        stands_on: Some("link"),
        feature: None,
        sections: &[
            "session/game",
            "session/config",
            "session/lobby",
            "session/play",
            "session/words",
            "session/status",
            "session/event",
            "session/record",
        ],
    },
    Room {
        name: "skirmish",
        source: "skirmish/mod",
        stands_on: Some("session"),
        feature: Some("skirmish"),
        sections: &[
            "skirmish/lobby",
            "skirmish/catalogue",
            "skirmish/order",
            "skirmish/view",
            "skirmish/effects",
            "skirmish/poll",
            "skirmish/replay",
        ],
    },
];

/// Writes the headers.
pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    for (name, text) in headers(root)? {
        let path = root.join(INCLUDE).join(&name);
        fs::create_dir_all(path.parent().ok_or("a header lies in a folder")?)?;
        fs::write(&path, &text)?;
        println!("{INCLUDE}/{name}: {} lines", text.lines().count());
    }
    Ok(())
}

/// Fails if a committed header is not what the sources give.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let headers = headers(root)?;
    for (name, expected) in &headers {
        let committed = fs::read_to_string(root.join(INCLUDE).join(name)).unwrap_or_default();
        if committed == *expected {
            continue;
        }
        let differs = committed
            .lines()
            .zip(expected.lines())
            .position(|(a, b)| a != b);
        let shorter = committed.lines().count().min(expected.lines().count());
        let line = differs.unwrap_or(shorter) + 1;
        let why = format!("{INCLUDE}/{name} is stale from line {line} on. Run: cargo xtask header");
        return Err(why.into());
    }
    for entry in fs::read_dir(root.join(INCLUDE).join("duel"))? {
        let name = format!("duel/{}", entry?.file_name().to_string_lossy());
        if !headers.iter().any(|(known, _)| *known == name) {
            return Err(format!("{INCLUDE}/{name} is no room's: delete it").into());
        }
    }
    println!("{} headers in {INCLUDE} are up to date", headers.len());
    Ok(())
}

/// Every header's name below the folder, and its text.
fn headers(root: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut headers = vec![(UMBRELLA.to_owned(), ascii(&front(root)?))];
    for room in &ROOMS {
        headers.push((format!("duel/{}.h", room.name), ascii(&header(root, room)?)));
    }
    Ok(headers)
}

/// A room's header.
fn header(root: &Path, room: &Room) -> Result<String, Box<dyn Error>> {
    let sections = room
        .sections
        .iter()
        .map(|name| Section::read(root, name))
        .collect::<Result<Vec<_>, _>>()?;
    let mut out = opening(root, room, &sections)?;
    let handles: Vec<&String> = sections.iter().flat_map(|one| &one.handles).collect();
    if !handles.is_empty() {
        out += &title("Handles", "Opaque: made by `..._new`, freed by `..._free`.");
        for item in handles {
            out += item;
            out.push_str("\n\n");
        }
    }
    for section in &sections {
        out += &title(&section.title, &section.about);
        for (at, item) in section.items.iter().enumerate() {
            out += item;
            // Numbers of one kind stand together.
            let next = section.items.get(at + 1);
            let together = is_number(item) && next.is_some_and(|next| is_number(next));
            out += if together { "\n" } else { "\n\n" };
        }
    }
    let guard = guard(room.name);
    out += &format!("#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n");
    Ok(out)
}

fn guard(name: &str) -> String {
    format!("DUEL_{}_H", name.to_uppercase())
}

/// What a header begins with: what it holds, and what it stands on.
fn opening(root: &Path, room: &Room, sections: &[Section]) -> Result<String, Box<dyn Error>> {
    let source = fs::read_to_string(root.join(format!("capi/src/{}.rs", room.source)))?;
    let mut lines = vec![format!(
        "duel/{}.h: a part of duel.h, usable alone.",
        room.name
    )];
    if room.stands_on.is_none() {
        lines.push("What every other part stands on.".into());
    } else {
        lines.extend(docs(&source).map(str::to_owned));
    }
    if let Some(feature) = room.feature {
        lines.push(String::new());
        lines.push(format!(
            "A library that was built without its feature \"{feature}\" has none of it."
        ));
    }
    lines.push(String::new());
    lines.push("It holds:".into());
    lines.extend(
        sections
            .iter()
            .map(|section| format!("  {}", section.title)),
    );
    let mut out = String::from("/*\n");
    for line in lines {
        out += format!(" * {line}").trim_end();
        out.push('\n');
    }
    let guard = guard(room.name);
    out += &format!(" */\n\n{GENERATED}#ifndef {guard}\n#define {guard}\n\n");
    out += &match room.stands_on {
        None => "#include <stddef.h>\n#include <stdint.h>\n\n".to_owned(),
        Some(below) => format!("#include \"{below}.h\"\n\n"),
    };
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    Ok(out)
}

const GENERATED: &str =
    "/* Generated from capi/src by `cargo xtask header`: change it there. */\n\n";

/// A source's first lines, which say what it is.
fn docs(source: &str) -> impl Iterator<Item = &str> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
}

/// A part of the header: one source file.
struct Section {
    title: String,
    about: String,
    handles: Vec<String>,
    items: Vec<String>,
}

impl Section {
    fn read(root: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let path = root.join(format!("capi/src/{name}.rs"));
        let source = fs::read_to_string(&path)?;
        let mut docs = docs(&source);
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

/// The umbrella, whose comment is the first page: what this is, the threading picture, the example; and the includes.
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
    out += &format!(" */\n\n{GENERATED}#ifndef DUEL_H\n#define DUEL_H\n\n");
    for room in &ROOMS {
        let include = format!("#include \"duel/{}.h\"\n", room.name);
        out += &match room.feature {
            None => include,
            Some(feature) => {
                let without = format!("DUEL_WITHOUT_{}", feature.to_uppercase());
                format!("#ifndef {without}\n{include}#endif\n")
            }
        };
    }
    out += "\n#endif /* DUEL_H */\n";
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
