//! `desync`: two machines' bundles of one match; where their worlds came apart, and why.

mod args;
mod known;

pub use args::{DesyncArgs, EXAMPLES};

use crate::term;
use known::Replayed;
use match_feed::{BUNDLE_BYTES_MAX, Comparison, DesyncBundle, Tick, compare_bundles};
use serde_json::{Value, json};
use std::{error::Error, fs, io::Read, path::Path};

/// What the two bundles say together.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    /// They are of two matches.
    OtherMatch,
    /// A peer told two machines two things.
    InputsDiffer,
    /// The same inputs gave two worlds.
    NotDeterministic,
    /// Nothing differs in what both hold.
    Agree,
    /// They hold no tick in common.
    NothingInCommon,
}

impl Verdict {
    fn of(found: &Comparison) -> Self {
        let world = found.worlds.as_ref().map(|worlds| worlds.stepped);
        match (&found.other_match, &found.inputs, world) {
            (Some(_), ..) => Self::OtherMatch,
            // An input of tick t is in the world that t + 1 ticks made; what differed before was not its doing.
            (_, Some(inputs), Some(stepped)) if inputs.tick.is_some_and(|tick| tick >= stepped) => {
                Self::NotDeterministic
            }
            (_, Some(_), _) => Self::InputsDiffer,
            (_, None, Some(_)) => Self::NotDeterministic,
            _ if found.hashes_compared == 0 => Self::NothingInCommon,
            _ => Self::Agree,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::OtherMatch => "other match",
            Self::InputsDiffer => "inputs differ",
            Self::NotDeterministic => "not deterministic",
            Self::Agree => "agree",
            Self::NothingInCommon => "nothing in common",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::OtherMatch => "these are bundles of two matches",
            Self::InputsDiffer => {
                "inputs differ: a peer told two machines two things (a lying peer), or one of them changed what it was told"
            }
            Self::NotDeterministic => {
                "same inputs, worlds differ: the game is not deterministic, or the builds differ"
            }
            Self::Agree => {
                "nothing differs in what both hold: the worlds came apart before or after"
            }
            Self::NothingInCommon => "the bundles hold no tick in common",
        }
    }
}

/// Reads both, compares, plays both again where the game is known, and tells.
pub fn run(args: &DesyncArgs) -> Result<(), Box<dyn Error>> {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let found = compare_bundles(&a, &b);
    let verdict = Verdict::of(&found);
    let keep = found
        .worlds
        .as_ref()
        .map_or(a.found, |worlds| worlds.stepped);
    let replays = match verdict {
        Verdict::OtherMatch => [None, None],
        _ => [replay(&args.a, &a, keep)?, replay(&args.b, &b, keep)?],
    };
    let fields = fields(&a, &b, &found, &replays);
    if args.json {
        say!("{}", as_json(&found, verdict, &replays, &fields));
        return Ok(());
    }
    for (path, bundle) in [(&args.a, &a), (&args.b, &b)] {
        say!(
            "{} {}",
            term::paint(term::STRONG, path.display()),
            describe(bundle)
        );
    }
    print(&found, verdict, &replays, &fields);
    Ok(())
}

fn read(path: &Path) -> Result<DesyncBundle, Box<dyn Error>> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|why| named(&why))?;
    // A byte more than the longest bundle: enough to be refused, whatever the file is.
    file.take(BUNDLE_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|why| named(&why))?;
    Ok(DesyncBundle::decode(&bytes).map_err(|why| named(&why))?)
}

fn replay(
    path: &Path,
    bundle: &DesyncBundle,
    keep: Tick,
) -> Result<Option<Replayed>, Box<dyn Error>> {
    let replayed = known::replay(bundle, keep).transpose();
    Ok(replayed.map_err(|why| format!("{}: {why}", path.display()))?)
}

/// Parts that differ and their fields: from the worlds that both kept, else from what this machine plays.
fn fields(
    a: &DesyncBundle,
    b: &DesyncBundle,
    found: &Comparison,
    replays: &[Option<Replayed>; 2],
) -> Vec<(String, String)> {
    let Some(worlds) = &found.worlds else {
        return Vec::new();
    };
    let kept = known::diverged(a)
        .zip(known::diverged(b))
        .filter(|((at, _), (other, _))| at == other);
    let mut shown = Vec::new();
    for part in &worlds.parts {
        let text = match (
            &kept,
            replays
                .iter()
                .flatten()
                .find_map(|replayed| replayed.at.as_ref()),
        ) {
            (Some(((stepped, mine), (_, theirs))), _) => {
                let lines = known::differing_lines(
                    &known::fields(mine, part).unwrap_or_default(),
                    &known::fields(theirs, part).unwrap_or_default(),
                );
                Some(format!(
                    "after {stepped} ticks, where A and B differ:\n{lines}"
                ))
            }
            (None, Some(here)) => {
                known::fields(here, part).map(|text| format!("as this machine plays it:\n{text}"))
            }
            _ => None,
        };
        shown.extend(text.map(|text| (part.clone(), text)));
    }
    shown
}

fn describe(bundle: &DesyncBundle) -> String {
    let played = &bundle.played;
    let seats: Vec<String> = bundle.local.iter().map(|seat| seat.to_string()).collect();
    let agreed = match &bundle.agreed {
        Some(state) => format!("agreed until tick {}", state.stepped),
        None => "no world agreed on".into(),
    };
    format!(
        "{}, id {:016x}, on {}, seat {}; found after {} ticks; {agreed}; {} hashes",
        term::quoted(&played.game),
        played.game_id,
        term::quoted(&bundle.machine),
        seats.join(" and "),
        bundle.found,
        bundle.ring.len()
    )
}

fn print(
    found: &Comparison,
    verdict: Verdict,
    replays: &[Option<Replayed>; 2],
    fields: &[(String, String)],
) {
    if let Some(what) = found.other_match {
        say!("  {what}");
    }
    match &found.inputs {
        Some(differs) => {
            let seat = differs.seat;
            match (differs.tick, &differs.inputs, differs.digests_at) {
                (Some(tick), Some([mine, theirs]), _) => {
                    say!("  inputs   seat {seat}'s input of tick {tick} is the first that differs");
                    say!(
                        "           A holds {}, B holds {}",
                        shown(mine),
                        shown(theirs)
                    );
                }
                (.., at) => {
                    let at = at.unwrap_or_default();
                    say!(
                        "  inputs   seat {seat}'s differ before tick {at}, by their digests; the inputs themselves are not kept"
                    );
                }
            }
        }
        None => say!(
            "  inputs   equal in the {} ticks that both hold",
            found.inputs_compared
        ),
    }
    match &found.worlds {
        Some(differs) => {
            let first = if differs.first {
                "the first that differs: the tick before is equal"
            } else {
                "the first of those that both hold"
            };
            say!(
                "  worlds   differ after {} ticks ({first})",
                differs.stepped
            );
            say!(
                "  parts    {}",
                if differs.parts.is_empty() {
                    "none differs: the parts leave out what the hash covers".into()
                } else {
                    differs.parts.join(", ")
                }
            );
        }
        None => say!(
            "  worlds   equal in the {} hashes that both hold",
            found.hashes_compared
        ),
    }
    for (name, replayed) in ["A", "B"].iter().zip(replays) {
        let Some(replayed) = replayed else {
            if verdict != Verdict::OtherMatch {
                say!("  replay   {name}'s game is not known here, so it is not played again");
            }
            continue;
        };
        match replayed.differs_at {
            None => say!(
                "  replay   this machine plays {name} as {name} did ({} hashes)",
                replayed.compared
            ),
            Some(at) => say!(
                "  replay   this machine plays {name} otherwise than {name} did, first after {at} ticks: {}",
                replayed.parts.join(", ")
            ),
        }
    }
    for (part, text) in fields {
        say!("  {} {text}", term::paint(term::STRONG, part));
    }
    say!("  {}", term::paint(term::STRONG, verdict.words()));
}

/// An input, as text where it is some.
fn shown(input: &[u8]) -> String {
    match std::str::from_utf8(input) {
        _ if input.is_empty() => "nothing".into(),
        Ok(text) if text.chars().all(|c| !c.is_control()) => term::quoted(text).to_string(),
        _ => hex_of(input),
    }
}

fn as_json(
    found: &Comparison,
    verdict: Verdict,
    replays: &[Option<Replayed>; 2],
    fields: &[(String, String)],
) -> Value {
    let replay = |replayed: &Option<Replayed>| {
        replayed.as_ref().map(|it| json!({"first_difference": it.differs_at, "parts": it.parts, "compared": it.compared}))
    };
    json!({
        "verdict": verdict.name(),
        "other_match": found.other_match,
        "inputs_compared": found.inputs_compared,
        "hashes_compared": found.hashes_compared,
        "input": found.inputs.as_ref().map(|it| json!({
            "tick": it.tick,
            "seat": it.seat,
            "a": it.inputs.as_ref().map(|both| hex_of(&both[0])),
            "b": it.inputs.as_ref().map(|both| hex_of(&both[1])),
            "digests_at": it.digests_at,
        })),
        "world": found.worlds.as_ref().map(|it| json!({"stepped": it.stepped, "parts": it.parts, "first": it.first})),
        "replay": {"a": replay(&replays[0]), "b": replay(&replays[1])},
        "fields": fields.iter().map(|(part, text)| (part.clone(), json!(text))).collect::<serde_json::Map<_, _>>(),
    })
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
