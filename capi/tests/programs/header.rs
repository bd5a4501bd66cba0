//! The headers taken apart: their functions with comments, structures, numbers.
// The tests and the chore that keeps the ABI's snapshots each use a part.
#![allow(dead_code)]

use std::{fs, io, path::Path};

/// A function's parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Without its name, such as `const duel_frame *`.
    pub of: String,
    pub name: String,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub returns: String,
    pub parameters: Vec<Parameter>,
    pub comment: String,
}

/// A structure's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Such as `uint32_t`, `const char *`, or `duel_map`; `*` alone for a function pointer.
    pub of: String,
    pub name: String,
    /// Lengths of its dimensions; none for a plain field.
    pub lengths: Vec<usize>,
}

/// A structure whose fields C can see.
#[derive(Clone, Debug)]
pub struct Structure {
    pub name: String,
    pub fields: Vec<Field>,
}

impl Structure {
    /// It begins with `struct_size`, and may grow.
    pub fn is_sized(&self) -> bool {
        self.fields
            .first()
            .is_some_and(|field| field.name == "struct_size")
    }
}

/// What the header declares, each in its order.
#[derive(Default)]
pub struct Header {
    pub functions: Vec<Function>,
    pub structures: Vec<Structure>,
    /// Opaque kinds of handles.
    pub handles: Vec<String>,
    /// Other names for integers, and for pointers to functions (`*`).
    pub aliases: Vec<(String, String)>,
    pub numbers: Vec<(String, i64)>,
}

/// The umbrella header below `include` with all that it includes in place.
pub fn whole(include: &Path) -> io::Result<String> {
    let mut out = String::new();
    for line in fs::read_to_string(include.join("duel.h"))?.lines() {
        let part = line
            .strip_prefix("#include \"")
            .and_then(|rest| rest.strip_suffix('"'));
        match part {
            Some(part) => out += &fs::read_to_string(include.join(part))?,
            None => out += line,
        }
        out.push('\n');
    }
    Ok(out)
}

impl Header {
    /// Reads the umbrella header below `include` and all that it includes.
    pub fn read(include: &Path) -> io::Result<Self> {
        Ok(Self::parse(&whole(include)?))
    }

    pub fn parse(text: &str) -> Self {
        let mut header = Self::default();
        let mut comment = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
            rest = &rest[start..];
            let end = if let Some(inside) = rest.strip_prefix("/*") {
                let end = inside.find("*/").expect("comments end") + 4;
                comment = plain(&rest[..end]);
                end
            } else if rest.starts_with('#') {
                let end = rest.find('\n').unwrap_or(rest.len());
                header.number(&rest[..end]);
                end
            } else if rest.starts_with("extern") || rest.starts_with('}') {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                let end = end_of(rest);
                header.declaration(&rest[..end], std::mem::take(&mut comment));
                end
            };
            rest = &rest[end..];
        }
        header
    }

    fn number(&mut self, line: &str) {
        let mut words = line.split_whitespace().skip(1);
        if let (Some(name), Some(value)) = (words.next(), words.next())
            && let Ok(value) = value.trim_matches(['(', ')']).parse()
        {
            self.numbers.push((name.into(), value));
        }
    }

    fn declaration(&mut self, text: &str, comment: String) {
        let Some(type_text) = text.strip_prefix("typedef ") else {
            self.functions.push(function(text, comment));
            return;
        };
        let name = type_text.trim_end_matches(';').rsplit([' ', '}']).next();
        let name = name.expect("a type has a name").to_owned();
        if let Some((_, body)) = type_text.split_once('{') {
            let body = body.rsplit_once('}').expect("a structure ends").0;
            let fields = without_comments(body);
            let fields = fields
                .split(';')
                .map(str::trim)
                .filter(|one| !one.is_empty());
            self.structures.push(Structure {
                name,
                fields: fields.map(field).collect(),
            });
        } else if type_text.starts_with("struct") {
            self.handles.push(name);
        } else if let Some((_, rest)) = type_text.split_once("(*") {
            let name = rest.split(')').next().expect("a pointer has a name");
            self.aliases.push((name.into(), "*".into()));
        } else {
            let of = type_text
                .split(' ')
                .next()
                .expect("an alias is of something");
            self.aliases.push((name, of.into()));
        }
    }
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out += before;
        rest = after.split_once("*/").expect("comments end").1;
    }
    out + rest
}

fn field(text: &str) -> Field {
    if let Some((_, rest)) = text.split_once("(*") {
        let name = rest.split(')').next().expect("a pointer has a name");
        return Field {
            of: "*".into(),
            name: name.into(),
            lengths: Vec::new(),
        };
    }
    let (text, lengths) = text.split_once('[').unwrap_or((text, ""));
    let lengths = lengths
        .split(['[', ']'])
        .filter_map(|length| length.parse().ok());
    let Parameter { of, name } = parameter(text);
    Field {
        of,
        name,
        lengths: lengths.collect(),
    }
}

/// Where a declaration ends: its semicolon outside of braces.
fn end_of(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    panic!("a declaration does not end: {text:.80}");
}

/// A comment's text.
fn plain(comment: &str) -> String {
    let inside = comment.trim_start_matches("/*").trim_end_matches("*/");
    let lines = inside.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim()
    });
    let lines: Vec<&str> = lines.collect();
    lines.join("\n").trim().to_owned()
}

fn function(text: &str, comment: String) -> Function {
    let (head, parameters) = text.split_once('(').expect("a function has parameters");
    let at = head
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .expect("it returns something")
        + 1;
    let parameters = parameters.trim_end_matches([';', ')']);
    let parameters = parameters
        .split(',')
        .map(str::trim)
        .filter(|one| *one != "void");
    Function {
        name: head[at..].into(),
        returns: head[..at].trim().into(),
        parameters: parameters.map(parameter).collect(),
        comment,
    }
}

fn parameter(text: &str) -> Parameter {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = text
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .expect("a parameter has a type")
        + 1;
    Parameter {
        of: text[..at].trim().into(),
        name: text[at..].into(),
    }
}
