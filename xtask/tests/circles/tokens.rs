//! A Rust source as words and marks: without comments, texts, lifetimes, attributes, and what is compiled for tests only.

/// A token: a word, a number, `::`, or one mark.
pub type Token = String;

/// Takes a source apart.
pub fn tokens(source: &str) -> Vec<Token> {
    let plain = plain(source);
    let mut out = Vec::new();
    let mut rest = plain.as_str();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            out.push(rest[..end].to_owned());
        }
        rest = &rest[end..];
    }
    without_tests(&out)
}

/// Without comments, texts, characters and lifetimes.
fn plain(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        let word_before = out
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if rest.starts_with('"') {
            text(rest)
        } else if !word_before && let Some(length) = prefixed_text(rest) {
            length
        } else if rest.starts_with('\'') {
            character(rest)
        } else {
            0
        };
        if skipped > 0 {
            out.push(' ');
            at += skipped;
            continue;
        }
        let next = rest.chars().next().expect("not at the end");
        out.push(next);
        at += next.len_utf8();
    }
    out
}

/// How long a comment of the other kind is; they nest.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `b"…"`, `c"…"`, `r"…"`, `br#"…"#` and the like; a byte `b'x'` too.
fn prefixed_text(rest: &str) -> Option<usize> {
    let letters = rest.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    if !(1..=2).contains(&letters) {
        return None;
    }
    let after = &rest[letters..];
    if rest.starts_with("b'") {
        return Some(1 + character(after));
    }
    if !rest[..letters].contains('r') {
        return after.starts_with('"').then(|| letters + text(after));
    }
    let hashes = after.find(|c| c != '#')?;
    if !after[hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = &after[hashes + 1..];
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(letters + hashes + 1 + length)
}

/// A character, or a lifetime.
fn character(rest: &str) -> usize {
    let mut inside = rest.chars().skip(1);
    match (inside.next(), inside.next()) {
        (Some('\\'), _) => {
            let from = "'\\x".len();
            rest.get(from..)
                .and_then(|rest| rest.find('\''))
                .map_or(rest.len(), |at| from + at + 1)
        }
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => rest[1..]
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .map_or(rest.len(), |at| 1 + at),
    }
}

/// Drops attributes, and every item whose attribute says that only tests have it.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let inner = tokens[at] == "#"
            && tokens.get(at + 1).is_some_and(|t| t == "!")
            && tokens.get(at + 2).is_some_and(|t| t == "[");
        let outer = tokens[at] == "#" && tokens.get(at + 1).is_some_and(|t| t == "[");
        if !inner && !outer {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let open = at + if inner { 2 } else { 1 };
        let close = closing(tokens, open);
        let attribute = &tokens[open + 1..close];
        at = close + 1;
        if outer && for_tests(attribute) {
            at = end_of_item(tokens, at);
        }
    }
    out
}

fn for_tests(attribute: &[Token]) -> bool {
    let says = |word: &str| attribute.iter().any(|token| token == word);
    attribute.first().is_some_and(|token| token == "test")
        || attribute.first().is_some_and(|token| token == "cfg") && says("test") && !says("not")
}

/// Where the bracket at `open` is closed.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// The place after the item at `at`: after its `;`, its body, or its `,`.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at].as_str() {
            ";" | "," => return at + 1,
            "{" => return closing(tokens, at) + 1,
            // The end of what the item lies in.
            "}" | ")" => return at,
            "(" | "[" => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    at
}
