//! `docs/EMBEDDING.md` cannot rot: its C is that of a program that is compiled and run, its C# has the library's layout and
//! parameters, and every name of the library's that it says is one.

#[path = "../../capi/tests/programs/header.rs"]
mod header;

use header::{Function, Header, Parameter};
use std::{collections::BTreeMap, fs, path::Path};

const PAGE: &str = "docs/EMBEDDING.md";

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Every header in one.
fn whole() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    header::whole(&root.join("capi/include")).expect("the headers are there")
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    blocks.map(|block| block.trim().to_owned()).collect()
}

/// A field: its offset, its size, its name.
type Field = (usize, usize, String);

/// A structure's size and fields.
#[derive(Debug, Default, PartialEq)]
struct Layout {
    bytes: usize,
    fields: Vec<Field>,
}

/// The snapshot of `cargo xtask abi`.
fn snapshot(text: &str) -> BTreeMap<String, Layout> {
    let mut found: BTreeMap<String, Layout> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [offset, size, .., name] = words[..]
            && let Some(size) = size.strip_prefix('+')
        {
            let field = (
                offset.parse().unwrap(),
                size.parse().unwrap(),
                name.to_owned(),
            );
            found.get_mut(&current).unwrap().fields.push(field);
        } else if let [name, _, "of", bytes, "bytes"] = words[..] {
            current = name.trim_end_matches(',').to_owned();
            let (bytes, fields) = (bytes.parse().unwrap(), Vec::new());
            found.insert(current.clone(), Layout { bytes, fields });
        }
    }
    found
}

/// What a type of C# takes on a 64-bit machine.
fn bytes_of(of: &str) -> usize {
    match of {
        "byte" | "sbyte" => 1,
        "short" | "ushort" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "double" | "IntPtr" | "UIntPtr" => 8,
        pointer if pointer.ends_with('*') => 8,
        other => panic!("{PAGE}: {other} has no one size"),
    }
}

/// The structures of C#, laid out as `LayoutKind.Sequential` does.
fn sequential(code: &str) -> BTreeMap<String, Layout> {
    let mut found = BTreeMap::new();
    for text in code.split("[StructLayout(LayoutKind.Sequential)]").skip(1) {
        let (head, rest) = text.split_once('{').unwrap();
        let (body, _) = rest.split_once('}').unwrap();
        let name = head.split_whitespace().last().unwrap();
        let mut layout = Layout::default();
        let mut widest = 1;
        for field in body
            .split(';')
            .map(str::trim)
            .filter(|field| !field.is_empty())
        {
            let words: Vec<&str> = field.split_whitespace().collect();
            let (of, name) = match words[..] {
                ["public", of, name] | ["public", "fixed", of, name] => (of, name),
                _ => panic!("{PAGE}: {field}"),
            };
            let (name, count) = name.split_once('[').map_or((name, 1), |(name, count)| {
                (name, count.trim_end_matches(']').parse().unwrap())
            });
            let align = bytes_of(of);
            widest = widest.max(align);
            let offset = layout.bytes.next_multiple_of(align);
            layout.fields.push((offset, align * count, name.to_owned()));
            layout.bytes = offset + align * count;
        }
        layout.bytes = layout.bytes.next_multiple_of(widest);
        found.insert(name.to_owned(), layout);
    }
    found
}

/// What crosses for a parameter of C#: a pointer, or a number of so many bytes and a kind.
fn crosses(of: &str) -> &str {
    match of {
        "int" => "int32_t",
        "uint" => "uint32_t",
        "ulong" => "uint64_t",
        "long" => "int64_t",
        "float" => "float",
        "UIntPtr" => "size_t",
        "IntPtr" => "pointer",
        pointer if pointer.ends_with('*') => "pointer",
        reference if reference.starts_with("ref ") || reference.starts_with("out ") => "pointer",
        other => panic!("{PAGE}: what crosses for {other}?"),
    }
}

/// The same for C.
fn comes(header: &Header, of: &str) -> String {
    if of.ends_with('*') {
        return "pointer".into();
    }
    let alias = header.aliases.iter().find(|(name, _)| name == of);
    alias.map_or(of, |(_, is)| is).to_owned()
}

#[test]
fn its_c_is_that_of_the_program() {
    let program = read("capi/tests/c/embedding.c");
    let code = blocks(&read(PAGE), "c");
    assert!(code.len() >= 5, "the page shows C");
    for block in code {
        assert!(
            program.contains(&block),
            "embedding.c does not hold this block of {PAGE}:\n{block}"
        );
    }
}

#[test]
fn its_structures_lie_as_the_librarys_do() {
    let library = snapshot(&read("capi/abi/layout-x86-64.txt"));
    let shown = sequential(&blocks(&read(PAGE), "csharp").concat());
    assert!(shown.len() >= 4, "the page shows structures: {shown:?}");
    for (name, layout) in shown {
        assert_eq!(Some(&layout), library.get(&name), "{name}");
    }
}

#[test]
fn its_functions_take_what_the_librarys_do() {
    let header = Header::parse(&whole());
    let code = blocks(&read(PAGE), "csharp").concat();
    let mut count = 0;
    for text in code.split("public static extern ").skip(1) {
        let (head, rest) = text.split_once('(').unwrap();
        let (parameters, _) = rest.split_once(')').unwrap();
        let (returns, name) = head.split_once(' ').unwrap();
        let function: Option<&Function> = header.functions.iter().find(|one| one.name == name);
        let function = function.unwrap_or_else(|| panic!("{PAGE}: there is no {name}"));
        let shown: Vec<&str> = parameters
            .split(", ")
            .filter(|parameter| !parameter.is_empty())
            .map(|parameter| crosses(parameter.rsplit_once(' ').unwrap().0))
            .collect();
        let theirs = function.parameters.iter();
        let theirs: Vec<String> = theirs
            .map(|parameter: &Parameter| comes(&header, &parameter.of))
            .collect();
        assert_eq!(shown, theirs, "{name}");
        let returned = comes(&header, &function.returns);
        assert_eq!(crosses(returns), returned, "{name}");
        count += 1;
    }
    assert!(count >= 10, "the page shows functions");
}

#[test]
fn every_name_of_the_librarys_is_one() {
    let text = whole();
    let page = read(PAGE);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = page.split(|c| !is_word(c));
    let ours = words.filter(|word| word.starts_with("duel_") || word.starts_with("DUEL_"));
    let mut count = 0;
    for word in ours {
        let there = text.split(|c| !is_word(c)).any(|one| one == word);
        assert!(there, "{PAGE}: duel.h has no {word}");
        count += 1;
    }
    assert!(count > 50, "the page names the library's functions");
}
