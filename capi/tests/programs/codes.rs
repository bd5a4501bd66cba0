//! Whatever the library says in words it says as a number too, so that a host can say it in its own language.

use crate::header::{Field, Function, Header, Structure};

/// Texts that no player reads in a language of theirs, each with what takes the code's place.
const WITHOUT: [(&str, &str); 4] = [
    ("duel_version", "it is a number, as text"),
    ("duel_status_name", "it names a code"),
    (
        "duel_skirmish_name",
        "the caller names it by table and index",
    ),
    (
        "duel_session_config.game",
        "the host says it, not the library",
    ),
];

/// Callbacks that are handed a text: what they are told comes with a number elsewhere.
const CALLBACKS: [(&str, &str); 2] = [
    ("duel_panic_fn", "DUEL_PANICKED"),
    ("duel_log_fn", "DUEL_EVENT_PHASE"),
];

/// Every text of the header that has no number beside it.
pub fn texts_without_a_code(header: &Header) -> Vec<String> {
    let mut untold = Vec::new();
    for structure in &header.structures {
        let texts = structure.fields.iter().filter(|field| is_text(&field.of));
        for field in texts {
            let name = format!("{}.{}", structure.name, field.name);
            if !is_excused(&name) && !has_code(structure, field) {
                untold.push(name);
            }
        }
    }
    for function in &header.functions {
        if !is_excused(&function.name) && gives_text(function) && !has_status(header, function) {
            untold.push(function.name.clone());
        }
    }
    for (alias, of) in &header.aliases {
        let number = CALLBACKS.iter().find(|(name, _)| name == alias);
        let told =
            number.is_some_and(|(_, code)| header.numbers.iter().any(|(one, _)| one == code));
        if of == "*" && !told {
            untold.push(alias.clone());
        }
    }
    untold
}

fn is_text(of: &str) -> bool {
    of.contains("char") && of.ends_with('*')
}

fn is_excused(name: &str) -> bool {
    WITHOUT.iter().any(|(excused, _)| *excused == name)
}

/// `x_text` has an integer `x_code` or `x`; a lone `text` has its structure's `kind`.
fn has_code(structure: &Structure, text: &Field) -> bool {
    let codes = match text.name.strip_suffix("_text") {
        Some(what) => vec![format!("{what}_code"), what.to_owned()],
        None if text.name == "text" => vec!["kind".to_owned()],
        None => Vec::new(),
    };
    structure.fields.iter().any(|field| {
        codes.contains(&field.name) && field.of == "int32_t" && field.lengths.is_empty()
    })
}

/// It returns a text, or writes one.
fn gives_text(function: &Function) -> bool {
    let writes = |of: &str| is_text(of) && !of.contains("const");
    is_text(&function.returns) || function.parameters.iter().any(|one| writes(&one.of))
}

/// Its text says more about a status: its own, or that of the call before on the same handle.
fn has_status(header: &Header, function: &Function) -> bool {
    let is_detail = function.name.strip_suffix("_detail").is_some_and(|kind| {
        header.handles.iter().any(|handle| handle == kind) && function.parameters.len() == 1
    });
    let is_why = function.returns == "duel_status"
        && function.parameters.iter().any(|one| one.name == "why");
    is_detail || is_why
}

#[test]
fn a_text_without_a_code_is_found() {
    let header = Header::parse(
        "#define DUEL_PANICKED (-4)\n#define DUEL_EVENT_PHASE 1\ntypedef struct duel_h duel_h;\n\
         typedef struct duel_s {\n  int32_t good;\n  float ill_code;\n  const char *good_text;\n  \
         const char *bad_text;\n  const char *ill_text;\n  const char *text;\n} duel_s;\n\
         const char *duel_h_detail(duel_h *h);\nconst char *duel_g_detail(duel_h *h);\n\
         duel_status duel_new(char *why, size_t why_bytes);\nduel_status duel_say(char *to, size_t bytes);\n\
         typedef void (*duel_panic_fn)(void *userdata, const char *text);\n\
         typedef void (*duel_other_fn)(void *userdata, const char *text);\n",
    );
    assert_eq!(
        texts_without_a_code(&header),
        [
            "duel_s.bad_text",
            "duel_s.ill_text",
            "duel_s.text",
            "duel_g_detail",
            "duel_say",
            "duel_other_fn",
        ]
    );
}
