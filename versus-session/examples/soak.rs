//! Plays seeded duels of a toy game under every kind of fault, and says what became of them: what `cargo xtask soak`
//! runs. Every failure is one line that replays it, what a false desync is comes after them, and the last line always is
//! one JSON object, with `--json` and without.

#[path = "../tests/common/mod.rs"]
mod common;

use common::*;
use std::{
    collections::BTreeMap,
    panic,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

/// What was asked for.
#[derive(Clone, Debug)]
struct Wanted {
    /// Matches of 20 to 60 seconds.
    matches: u32,
    /// Matches of [`Self::minutes`] besides: one to a hundred short ones unless said otherwise.
    long: u32,
    minutes: u32,
    seed: u32,
    threads: u32,
}

/// The whole soak.
const FULL: [u32; 3] = [20_000, 200, 5];
const PROGRESS_EVERY: u32 = 500;

impl Wanted {
    fn read() -> Result<Self, String> {
        let [matches, _, minutes] = FULL;
        let mut wanted = Self {
            matches,
            long: u32::MAX,
            minutes,
            seed: 0,
            threads: 1,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            match name.as_str() {
                // The last line always is.
                "--json" => continue,
                "--full" => {
                    [wanted.matches, wanted.long, wanted.minutes] = FULL;
                    continue;
                }
                _ => {}
            }
            let value = arguments.next().and_then(|text| text.parse().ok());
            let value = value.ok_or(format!("{name} wants a number"))?;
            match name.as_str() {
                "--matches" => wanted.matches = value,
                "--long" => wanted.long = value,
                "--minutes" => wanted.minutes = value,
                "--seed" => wanted.seed = value,
                "--threads" => wanted.threads = value.max(1),
                _ => return Err(format!("{name} is nothing that a soak knows")),
            }
        }
        if wanted.long == u32::MAX {
            wanted.long = wanted.matches.div_ceil(100);
        }
        Ok(wanted)
    }
}

/// What became of the matches.
#[derive(Debug, Default)]
struct Tally {
    fates: BTreeMap<Fate, u32>,
    failures: BTreeMap<Failure, u32>,
    panics: u32,
    exchanges_waited: u32,
    damaged: usize,
}

impl Tally {
    fn json(&self, wanted: &Wanted) -> String {
        let fate = |fate| self.fates.get(&fate).copied().unwrap_or(0);
        let failed = |failure| self.failures.get(&failure).copied().unwrap_or(0);
        let numbers = [
            ("matches", wanted.matches + wanted.long),
            ("short", wanted.matches),
            ("long", wanted.long),
            ("minutes", wanted.minutes),
            ("seed", wanted.seed),
            ("undetected_desyncs", failed(Failure::UndetectedDesync)),
            ("false_desyncs", failed(Failure::FalseDesync)),
            ("panics", self.panics),
            ("hangs", failed(Failure::Hang)),
            ("unexplained_desyncs", failed(Failure::CausedDesync)),
            ("other_stories", failed(Failure::OtherStory)),
            ("unbounded", failed(Failure::Unbounded)),
            ("unbounded_stalls", failed(Failure::UnboundedStall)),
            ("in_sync", fate(Fate::InSync)),
            ("desyncs_of_a_broken_machine", fate(Fate::Desync)),
            ("desyncs_by_damage", fate(Fate::DesyncByDamage)),
            ("left", fate(Fate::Left)),
            ("both_left", fate(Fate::BothLeft)),
            ("left_lobby", fate(Fate::LeftLobby)),
            ("left_unheard", fate(Fate::LeftUnheard)),
            ("left_decided", fate(Fate::LeftDecided)),
            ("left_astray", fate(Fate::LeftAstray)),
            ("not_verified", fate(Fate::NotVerified)),
            ("two_generals", fate(Fate::TwoGenerals)),
            ("taken_for_left", fate(Fate::TakenForLeft)),
            ("damaged_packets", self.damaged as u32),
            ("longest_wait_exchanges", self.exchanges_waited),
        ];
        let fields: Vec<String> = numbers
            .iter()
            .map(|(name, number)| format!("\"{name}\":{number}"))
            .collect();
        format!("{{{}}}", fields.join(","))
    }
}

fn play_one(at: u32, wanted: &Wanted, tally: &Mutex<Tally>) {
    let seed = wanted.seed.wrapping_add(at);
    let (ticks, faults_ms, replay) = if at < wanted.matches {
        (SHORT_TICKS, SHORT_FAULTS_MS, "--matches 1 --long 0".into())
    } else {
        let length = 600 * wanted.minutes;
        let replay = format!("--matches 0 --long 1 --minutes {}", wanted.minutes);
        (
            length..length + 1,
            u64::from(wanted.minutes) * 60_000,
            replay,
        )
    };
    let played = panic::catch_unwind(|| play(seed, ticks, faults_ms));
    let mut tally = tally.lock().expect("no match panics while it counts");
    let failed = match played {
        Ok(Ok(played)) => {
            *tally.fates.entry(played.fate).or_default() += 1;
            tally.exchanges_waited = tally.exchanges_waited.max(played.exchanges_waited);
            tally.damaged += played.damaged;
            return;
        }
        Ok(Err((failure, how))) => {
            *tally.failures.entry(failure).or_default() += 1;
            eprintln!("{how}");
            format!("{failure:?}")
        }
        Err(_) => {
            tally.panics += 1;
            "panic".into()
        }
    };
    println!("{failed}: cargo xtask soak --seed {seed} {replay}");
}

fn main() -> ExitCode {
    let wanted = match Wanted::read() {
        Ok(wanted) => wanted,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let all = wanted.matches + wanted.long;
    let tally = Mutex::new(Tally::default());
    let next = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..wanted.threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= all {
                        break;
                    }
                    if at > 0 && at.is_multiple_of(PROGRESS_EVERY) {
                        eprintln!("{at} of {all}");
                    }
                    play_one(at, &wanted, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no match panics while it counts");
    println!("A false desync: {FALSE_DESYNC}.");
    println!("{}", tally.json(&wanted));
    let failures: u32 = tally.failures.values().sum();
    if failures + tally.panics == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
