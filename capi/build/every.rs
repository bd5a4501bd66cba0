//! Writes Rust that calls every function of the header with whatever a careless host comes up with: a list of names and
//! calls, so that no function can be left out.

use crate::header::{Function, Header, Parameter};
use std::fmt::Write as _;

/// The list, one entry a function, for `random_calls`.
pub fn calls(header: &Header) -> String {
    let mut out = format!(
        "/// Every function of the header, called with anything.\n\
         #[allow(unused_unsafe)]\n\
         pub(super) const EVERY: [(&str, Call); {}] = [\n",
        header.functions.len()
    );
    for function in &header.functions {
        call(header, function, &mut out);
    }
    out + "];\n"
}

fn call(header: &Header, function: &Function, out: &mut String) {
    let name = &function.name;
    let frees = name.ends_with("_free");
    let _ = writeln!(out, "    (\"{name}\", |host| unsafe {{");
    let mut arguments = Vec::new();
    for (at, parameter) in function.parameters.iter().enumerate() {
        let argument = argument(header, parameter, at, frees);
        let _ = writeln!(out, "        let a{at} = {argument};");
        // A pointer's type is the call's to say.
        let pointer = parameter.of.ends_with('*') && !argument.starts_with("host.handle");
        arguments.push(match pointer {
            true if parameter.of.starts_with("const") => format!("a{at}.cast_const().cast()"),
            true => format!("a{at}.cast()"),
            false => format!("a{at}"),
        });
    }
    let _ = writeln!(out, "        let came = {name}({});", arguments.join(", "));
    let _ = match function.returns.as_str() {
        "void *" => writeln!(out, "        assert!(lawful(duel_dealloc(came, a0)));"),
        _ => writeln!(out, "        host.came(\"{name}\", came);"),
    };
    for (at, parameter) in function.parameters.iter().enumerate() {
        if let Some(kind) = made(header, parameter) {
            let _ = writeln!(
                out,
                "        host.keep(\"{kind}\", a{at}, |at| {kind}_free(without_provenance_mut(at)));"
            );
        }
    }
    out.push_str("    }),\n");
}

/// The kind of handle that is written there, if one is.
fn made<'a>(header: &Header, parameter: &'a Parameter) -> Option<&'a str> {
    let kind = parameter.of.strip_suffix(" **")?;
    header.handles.iter().any(|one| one == kind).then_some(kind)
}

fn argument(header: &Header, parameter: &Parameter, at: usize, frees: bool) -> String {
    let of = parameter.of.strip_prefix("const ").unwrap_or(&parameter.of);
    let pointed = of.strip_suffix(" *");
    if let Some(kind) = pointed.filter(|of| header.handles.iter().any(|one| one == of)) {
        let method = if frees { "handle_to_free" } else { "handle" };
        return format!("host.{method}::<{kind}>(\"{kind}\", {at})");
    }
    let sized = header
        .structures
        .iter()
        .find(|one| Some(one.name.as_str()) == pointed);
    if sized.is_some_and(|one| one.is_sized()) {
        return format!(
            "host.sized({at}, size_of::<{}>())",
            pointed.unwrap_or_default()
        );
    }
    // Only what was allocated may be given back, and the hook outlives the host.
    if pointed == Some("void") {
        return "core::ptr::null_mut::<u8>()".into();
    }
    if header
        .aliases
        .iter()
        .any(|(name, of)| *name == parameter.of && of == "*")
    {
        return "None".into();
    }
    if of.ends_with('*') {
        return format!("host.memory({at})");
    }
    match (parameter.name.as_str(), of) {
        (_, "float") => "host.float()".into(),
        ("now_us", _) => "host.now_us".into(),
        // A room computes all the sound until then.
        ("until_us", _) => "u64::from(host.byte()) * 400".into(),
        // How much memory there is must be true.
        ("channels", _) => "u32::from(host.byte() % 9)".into(),
        ("frames" | "count" | "capacity" | "length" | "bytes" | "samples" | "why_bytes", _) => {
            "host.length() as _".into()
        }
        ("bit_count", _) => "host.length() as u32".into(),
        _ => "host.number() as _".into(),
    }
}
