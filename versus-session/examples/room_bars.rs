//! What the whole stack is held to by sound: pace, least input delay, and ninety seconds of everything at once, each as a
//! row of one table with its bar. What `cargo xtask room-bars` runs; the tests play a slice of it.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/room.rs"]
mod room;
#[path = "../tests/common/skirmish.rs"]
mod skirmish;

use link_transport::{AirConfig, Mode, Plan};
use match_feed::duel::InputDelay;
use room::{Case, Cost, Duel};
use std::{panic, process::ExitCode, time::Duration};
use versus_pairing::StartMode;
use versus_session::ModePolicy;

/// Three minutes of ticks at ten a second, and how far off it may be.
const PACE_TICKS: u32 = 1_800;
const PACE_OFF: f64 = 0.01;
const PACE_STALL: Duration = Duration::from_millis(150);
/// The length of a duel that an input delay is judged by, and the share of it that may be stalled.
const DELAY_TICKS: u32 = 1_200;
const DELAY_STALL_PERCENT: f64 = 0.5;

const WAYS: [(Plan, Mode); 4] = [
    (Plan::High, Mode::Fast),
    (Plan::High, Mode::Robust),
    (Plan::Low, Mode::Fast),
    (Plan::Low, Mode::Robust),
];

/// What was asked for.
struct Wanted {
    /// How many rooms each row of sound is measured in.
    seeds: u64,
    seed: u64,
    only: Option<String>,
}

impl Wanted {
    fn read() -> Result<Self, String> {
        let mut wanted = Self {
            seeds: 3,
            seed: 1,
            only: None,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or(format!("{name} wants a value"))?;
            let number = || value.parse().map_err(|_| format!("{name} wants a number"));
            match name.as_str() {
                "--seeds" => wanted.seeds = number()?,
                "--seed" => wanted.seed = number()?,
                "--only" if ["air", "pace", "delay", "stack"].contains(&value.as_str()) => {
                    wanted.only = Some(value);
                }
                "--only" => return Err("--only wants air, pace, delay or stack".into()),
                _ => return Err(format!("{name}: there are --seeds, --seed and --only")),
            }
        }
        Ok(wanted)
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == part)
    }

    fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        self.seed..self.seed + self.seeds
    }
}

/// A row's verdict; `None` where a figure is only reported.
fn print_row(what: &str, bar: &str, reached: &str, holds: Option<bool>) -> bool {
    let verdict = match holds {
        Some(true) => "ok",
        Some(false) => "MISSED",
        None => "-",
    };
    println!("{what:<44} {bar:<30} {reached:<62} {verdict}");
    holds.unwrap_or(true)
}

fn way(plan: Plan, mode: Mode) -> String {
    format!("{plan:?} {mode:?}").to_lowercase()
}

fn pace_row(what: &str, costs: &[(Cost, f64)], judged: bool) -> bool {
    let off = |&(_, rate): &(Cost, f64)| (rate - 10.0).abs();
    let (least, most) = costs
        .iter()
        .fold((f64::MAX, 0.0_f64), |(least, most), (_, rate)| {
            (least.min(*rate), most.max(*rate))
        });
    let stall = costs
        .iter()
        .map(|(cost, _)| cost.stall)
        .max()
        .unwrap_or_default();
    let holds = costs.iter().all(|cost| off(cost) <= PACE_OFF) && stall <= PACE_STALL;
    print_row(
        what,
        &format!("10 ± {PACE_OFF} a second, ≤ {} ms", PACE_STALL.as_millis()),
        &format!(
            "{least:.3} to {most:.3} a second, stalled ≤ {} ms",
            stall.as_millis()
        ),
        judged.then_some(holds),
    )
}

/// Three minutes of a toy game over packets.
fn pace_over_packets(plan: Plan, mode: Mode) -> bool {
    let latencies_ms: &[u64] = match plan {
        Plan::High => &[200, 230, 250, 330],
        Plan::Low => &[400, 440, 478],
    };
    let mut costs = Vec::new();
    for &latency_ms in latencies_ms {
        let mut pair = common::Pair::new(common::Setup {
            air: AirConfig::default()
                .with_plan(plan)
                .with_latency(Duration::from_millis(latency_ms)),
            seed: latency_ms,
            start_mode: StartMode::Fixed(mode),
            modes: ModePolicy::Keep,
            ..common::Setup::default()
        });
        pair.begin();
        pair.run_ms(2_000);
        let before = pair.statuses();
        let took = Duration::from_secs(180);
        pair.run_ms(180_000);
        pair.assert_same_worlds();
        for (before, after) in before.iter().zip(pair.statuses()) {
            let tick =
                |status: &versus_session::SessionStatus| status.lockstep.expect("plays").tick.0;
            let cost = Cost {
                ticks: tick(&after) - tick(before),
                took,
                waited: after.stalled_ticks - before.stalled_ticks,
                stall: after.stall - before.stall,
            };
            costs.push((cost, cost.ticks_per_second()));
        }
    }
    let what = format!(
        "pace over packets, {}, {latencies_ms:?} ms",
        way(plan, mode)
    );
    pace_row(&what, &costs, (plan, mode) != (Plan::Low, Mode::Robust))
}

/// Three minutes of the reference game by sound.
fn pace_by_sound(plan: Plan, mode: Mode, wanted: &Wanted) -> bool {
    let mut costs = Vec::new();
    for seed in wanted.seeds() {
        let mut duel = Duel::begin(&Case::fixed(plan, mode, seed));
        duel.run_until_tick(room::COUNTED_FROM + PACE_TICKS);
        costs.extend(duel.costs().map(|cost| (cost, cost.ticks_per_second())));
    }
    let what = format!("pace by sound, {}", way(plan, mode));
    pace_row(&what, &costs, (plan, mode) != (Plan::Low, Mode::Robust))
}

/// The least input delay that bears the sound, with every greater one.
fn least_delay(plan: Plan, mode: Mode, wanted: &Wanted) -> bool {
    let bar = match (plan, mode) {
        (Plan::High, Mode::Fast) => Some(4),
        (Plan::Low, Mode::Robust) => None,
        _ => Some(6),
    };
    let mut shares = Vec::new();
    for delay in (3..=8).filter_map(InputDelay::new) {
        let mut worst = 0.0_f64;
        for seed in wanted.seeds() {
            let mut case = Case::fixed(plan, mode, seed);
            case.delay = Some(delay);
            let mut duel = Duel::begin(&case);
            duel.run_until_tick(DELAY_TICKS);
            for cost in duel.costs() {
                worst = worst.max(cost.stalled_percent());
            }
        }
        shares.push((delay.ticks(), worst));
    }
    let bears = shares
        .iter()
        .rev()
        .take_while(|(_, share)| *share <= DELAY_STALL_PERCENT);
    let least = bears.last().map(|&(delay, _)| delay);
    let listed: Vec<String> = shares
        .iter()
        .map(|(delay, share)| format!("{delay}: {share:.2} %"))
        .collect();
    let least_text = least.map_or("none".into(), |delay| delay.to_string());
    print_row(
        &format!(
            "least D with ≤ {DELAY_STALL_PERCENT} % stalled, {}",
            way(plan, mode)
        ),
        &bar.map_or("reported".into(), |bar| format!("{bar}")),
        &format!("{least_text} ({})", listed.join(", ")),
        bar.map(|bar| least.is_some_and(|least| least <= bar)),
    )
}

/// Everything at once.
fn full_stack(plan: Plan, seed: u64) -> bool {
    let most_percent = room::full_stack_waits_percent_max(plan);
    let what = format!("90 s of everything, {plan:?} plan, room {seed}").to_lowercase();
    let bar = format!("≥ {} % of ticks unstalled", 100.0 - most_percent);
    let played = panic::catch_unwind(|| {
        let mut duel = Duel::begin(&Case::full_stack(plan, seed));
        duel.run_until_tick(room::FULL_STACK_TICKS);
        let costs = duel.costs();
        let delay = duel.statuses()[0].lockstep.expect("plays").order_delay;
        duel.resign_and_compare();
        (costs, delay)
    });
    let Ok((costs, order_delay)) = played else {
        return print_row(&what, &bar, "failed: see above", Some(false));
    };
    let worst = |share: fn(&Cost) -> f64| costs.iter().map(share).fold(0.0, f64::max);
    let (waited, stalled) = (worst(Cost::waited_percent), worst(Cost::stalled_percent));
    print_row(
        &what,
        &bar,
        &format!(
            "{:.1} % by ticks, {:.1} % by time; order pieces {:.1} ticks; records equal",
            100.0 - waited,
            100.0 - stalled,
            order_delay.mean_ticks()
        ),
        Some(waited <= most_percent && stalled <= most_percent),
    )
}

fn main() -> ExitCode {
    let wanted = match Wanted::read() {
        Ok(wanted) => wanted,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let mut holds = true;
    for (plan, mode) in WAYS.into_iter().filter(|_| wanted.wants("air")) {
        holds &= pace_over_packets(plan, mode);
    }
    for (plan, mode) in WAYS.into_iter().filter(|_| wanted.wants("pace")) {
        holds &= pace_by_sound(plan, mode, &wanted);
    }
    for (plan, mode) in WAYS.into_iter().filter(|_| wanted.wants("delay")) {
        holds &= least_delay(plan, mode, &wanted);
    }
    for plan in [Plan::High, Plan::Low]
        .into_iter()
        .filter(|_| wanted.wants("stack"))
    {
        for seed in wanted.seeds() {
            holds &= full_stack(plan, seed);
        }
    }
    if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
