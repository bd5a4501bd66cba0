//! Plays thousands of seeded matches over a bad internet, a quarter of them with a peer that has the right key and lies,
//! and holds each to the laws of a session: what `cargo xtask netsoak` runs.
//!
//! Without a liar: no desync, seen or unseen; no hang; no panic; no confirmed frame stepped again; memory within its
//! bound. With one: every honest peer that goes on holds the same confirmed inputs, or the match ended for all. Every
//! failure is one line that replays it; the last line is one JSON object.

mod arena;
mod dice;
mod liar;
mod peer;
mod plan;
mod skirmish;

use arena::Verdict;
use net_transport::{LinkConfig, Loss};
use peer::Canary;
use plan::Plan;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::{alloc::System, panic, process::ExitCode, time::Instant};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const PROGRESS_EVERY: u64 = 250;
const USAGE: &str =
    "usage: netsoak [--matches N] [--seed S] [--only K] [--canary game|hidden|frozen] [--json]";

struct Wanted {
    matches: u64,
    seed: u64,
    only: Option<u64>,
    canary: Option<Canary>,
}

impl Wanted {
    fn read() -> Result<Self, String> {
        let mut wanted = Self {
            matches: 300,
            seed: 1,
            only: None,
            canary: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            if name == "--json" {
                continue;
            }
            let value = arguments.next().ok_or(USAGE)?;
            let number = value.parse::<u64>();
            match (name.as_str(), number) {
                ("--matches", Ok(number)) => wanted.matches = number,
                ("--seed", Ok(number)) => wanted.seed = number,
                ("--only", Ok(number)) => wanted.only = Some(number),
                ("--canary", _) => {
                    wanted.canary = Some(match value.as_str() {
                        "game" => Canary::Game,
                        "hidden" => Canary::Hidden,
                        "frozen" => Canary::Frozen,
                        _ => return Err(USAGE.into()),
                    });
                }
                _ => return Err(USAGE.into()),
            }
        }
        Ok(wanted)
    }
}

/// Plays one match; what it panicked with counts as a law broken.
fn judged(plan: &Plan, canary: Option<Canary>) -> Verdict {
    let region = Region::new(ALLOCATOR);
    let played = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let held = || {
            let change = region.change();
            change
                .bytes_allocated
                .saturating_sub(change.bytes_deallocated)
        };
        let verdict = arena::play(plan, canary, &held);
        (verdict, region.change())
    }));
    let (mut verdict, change) = match played {
        Ok(played) => played,
        Err(why) => {
            let text = why.downcast_ref::<String>().cloned();
            let text = text.or_else(|| why.downcast_ref::<&str>().map(|text| (*text).to_string()));
            let why = format!("panic: {}", text.unwrap_or_default());
            return Verdict {
                broken: Some(why),
                ..Verdict::default()
            };
        }
    };
    let grown = change
        .bytes_allocated
        .saturating_sub(change.bytes_deallocated);
    if grown > 64 * 1024 {
        verdict
            .broken
            .get_or_insert(format!("{grown} bytes are never given back"));
    }
    verdict
}

fn main() -> ExitCode {
    let wanted = match Wanted::read() {
        Ok(wanted) => wanted,
        Err(usage) => {
            eprintln!("{usage}");
            return ExitCode::FAILURE;
        }
    };
    let numbers = match wanted.only {
        Some(number) => number..number + 1,
        None => 0..wanted.matches,
    };
    let start = Instant::now();
    let (mut failures, mut played, mut many, mut liars, mut detected) =
        (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    let (mut unfinished, mut fooled, mut held_bytes) = (0_u64, 0_u64, 0_usize);
    let (mut skirmishes, mut orders) = (0_u64, 0_u64);
    let (mut ended, mut joined, mut frames, mut virtual_ms) = (0_u64, 0_u64, 0_u64, 0_u64);
    for number in numbers {
        let mut plan = Plan::new(wanted.seed, number);
        if wanted.canary.is_some() {
            // A canary is to be caught where nothing else happens.
            plan.events.clear();
            plan.liar = None;
            plan.open = None;
            plan.lanes = false;
            let link = LinkConfig::default().latency_us(30_000).jitter_us(5_000);
            plan.links.fill(link.loss(Loss::Bernoulli(0.05)));
        }
        if wanted.only.is_some() {
            eprintln!("{plan:#?}");
        }
        let verdict = judged(&plan, wanted.canary);
        played += 1;
        many += u64::from(plan.seats > 2);
        liars += u64::from(plan.liar.is_some());
        detected += u64::from(verdict.detected);
        ended += u64::from(verdict.ended);
        joined += verdict.joined;
        skirmishes += u64::from(plan.skirmish);
        orders += verdict.orders;
        unfinished += u64::from(verdict.unfinished);
        fooled += verdict.fooled;
        held_bytes = held_bytes.max(verdict.held_bytes);
        frames += verdict.frames;
        virtual_ms += verdict.virtual_ms;
        if let Some(why) = verdict.broken {
            failures += 1;
            if wanted.canary.is_none() || wanted.only.is_some() {
                println!(
                    "match {number} ({} seats, {:?}, {:?}): {why}",
                    plan.seats, plan.liar, plan.events
                );
                println!(
                    "  to replay it: cargo xtask netsoak --seed {} --only {number}",
                    wanted.seed
                );
            }
        }
        if played.is_multiple_of(PROGRESS_EVERY) {
            eprintln!(
                "{played} matches, {failures} failures, {} s",
                start.elapsed().as_secs()
            );
        }
    }
    println!(
        "{{\"matches\":{played},\"three_to_eight_seats\":{many},\"with_a_liar\":{liars},\"ended\":{ended},\"joined\":{joined},\"unfinished\":{unfinished},\"spectators_fooled_by_a_lying_feeder\":{fooled},\"held_bytes_most\":{held_bytes},\
         \"desyncs_detected\":{detected},\"skirmishes\":{skirmishes},\"skirmish_orders\":{orders},\"confirmed_frames\":{frames},\"virtual_s\":{},\"failures\":{failures},\"seconds\":{}}}",
        virtual_ms / 1_000,
        start.elapsed().as_secs()
    );
    let right = match wanted.canary {
        None => failures == 0,
        // Every one must be caught.
        Some(_) => failures == played,
    };
    if right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
