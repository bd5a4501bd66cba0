//! Rows about moments: how soon a link is there, and how soon it is back.

use crate::measure::{
    ACQUISITION_S, Extent, FIRST_SEED, Line, RECOVERY_S, Row, SENDER_STOPS, in_parallel, seconds,
};
use link_room::{Fault, FaultKind, RoomConfig, trial::Trial};
use link_transport::{LinkTime, Plan, SUPERFRAME_MS, SYMBOL_MS, packet_ms};
use std::{fmt, time::Duration};

/// The longest wait for a sync, and that symbol itself; what a lock may take besides.
const SYNC_WITHIN_MS: u64 = (SUPERFRAME_MS + SYMBOL_MS) as u64;
const LOCK_SPARE_MS: u64 = 100;
/// The first path is met within this.
const TIMING_MS: f64 = 1.0;

/// Median and worst of some times, ms; `None` is never.
#[derive(Clone, Copy)]
struct Times {
    median: Option<u64>,
    worst: Option<u64>,
}

impl Times {
    fn of(took_ms: &[Option<u64>]) -> Self {
        let mut sorted = took_ms.to_vec();
        sorted.sort_unstable_by_key(|took| took.unwrap_or(u64::MAX));
        Self {
            median: sorted[sorted.len() / 2],
            worst: sorted[sorted.len() - 1],
        }
    }

    fn numbers(self) -> Vec<(&'static str, f64)> {
        let named = [("median_s", self.median), ("worst_s", self.worst)];
        named
            .into_iter()
            .filter_map(|(name, ms)| ms.map(|ms| (name, seconds(ms))))
            .collect()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, worst] = [self.median, self.worst].map(|ms| match ms {
            Some(ms) => format!("{:.2}", seconds(ms)),
            None => "never".into(),
        });
        write!(f, "{median} / {worst} s")
    }
}

/// From when sound goes on at the guest's microphone to the next good packet, as [`Measure::Recovery`] says.
///
/// [`Measure::Recovery`]: crate::measure::Measure::Recovery
pub fn recovery(
    row: &Row,
    extent: Extent,
    kind: FaultKind,
    lasts_ms: u64,
    bars_ms: [u64; 2],
) -> Line {
    let lasts = Duration::from_millis(lasts_ms);
    // Anywhere in the superframe.
    let at = |seed: u64| Duration::from_millis(2_500 + (seed * 787) % u64::from(SUPERFRAME_MS));
    let trials: Vec<Trial> = (FIRST_SEED..FIRST_SEED + extent.events)
        .map(|seed| {
            let room = RoomConfig::default().with_skews_ppm([100.0, -100.0]);
            let mut trial = Trial::new(row.link(room), Duration::from_secs(RECOVERY_S), seed);
            trial.faults.push(Fault {
                at: at(seed),
                lasts,
                kind,
            });
            trial
        })
        .collect();
    let outcomes = in_parallel(&trials, extent.jobs, Trial::run);
    let took_ms: Vec<Option<u64>> = trials
        .iter()
        .zip(&outcomes)
        .map(|(trial, [to_guest, _])| {
            let over = LinkTime::ZERO + at(trial.seed) + lasts;
            let [host, guest] = &trial.link.room.phones;
            let (took, way_ms) = match kind {
                // What a sender plays again is heard only after the devices' latencies.
                SENDER_STOPS => (
                    to_guest.first_after(over),
                    host.output_latency_ms + guest.input_latency_ms,
                ),
                // What was on its way may be read from the part that was heard.
                _ => (to_guest.first_heard_after(over), 0.0),
            };
            took.map(|took| (took.as_millis() as u64).saturating_sub(way_ms as u64))
        })
        .collect();
    let wrong: usize = outcomes.iter().flatten().map(|d| d.wrong).sum();
    let times = Times::of(&took_ms);
    let bars = Times {
        median: Some(bars_ms[0]),
        worst: Some(bars_ms[1]),
    };
    Line {
        bar: bars.to_string(),
        figure: times.to_string(),
        numbers: times.numbers(),
        directions: None,
        count: format!("{} faults", took_ms.len()),
        snr_db: None,
        held: Some(
            times.median.is_some_and(|median| median <= bars_ms[0])
                && times.worst.is_some_and(|worst| worst <= bars_ms[1])
                && wrong == 0,
        ),
    }
}

/// From when a peer is first heard to its first packet, and where that packet's window lies.
pub fn acquisition(row: &Row, extent: Extent, room: fn(u64, Plan) -> RoomConfig) -> Line {
    // Unheard at first, then suddenly there, anywhere in the superframe: two starts a conversation, one each way.
    let start = |seed: u64| Duration::from_millis(500 + (seed * 787) % u64::from(SUPERFRAME_MS));
    let skews = |seed: u64| {
        if seed.is_multiple_of(2) {
            [300.0, -300.0]
        } else {
            [-300.0, 300.0]
        }
    };
    let trials: Vec<Trial> = (FIRST_SEED..FIRST_SEED + extent.events.div_ceil(2))
        .map(|seed| {
            let room = room(seed, row.plan).with_skews_ppm(skews(seed));
            let mut trial = Trial::new(row.link(room), Duration::from_secs(ACQUISITION_S), seed);
            trial.faults.push(Fault {
                at: Duration::ZERO,
                lasts: start(seed),
                kind: FaultKind::Dropout,
            });
            trial
        })
        .collect();
    let outcomes = in_parallel(&trials, extent.jobs, Trial::run);
    let packet = u64::from(packet_ms(row.plan, row.mode));
    let bar_ms = SYNC_WITHIN_MS + packet + LOCK_SPARE_MS;
    let (mut took_ms, mut off_ms, mut wrong) = (Vec::new(), 0.0_f64, 0);
    for (trial, directions) in trials.iter().zip(&outcomes) {
        for (index, direction) in directions.iter().enumerate() {
            wrong += direction.wrong;
            let heard_from = start(trial.seed).as_millis() as u64;
            let first = direction.received.first().map(|seen| seen.handed_over);
            took_ms.push(first.map(|first| first.as_ms().saturating_sub(heard_from)));
            let [from, to] = [index, 1 - index];
            let room_ms = |time: LinkTime, phone: usize| {
                time.as_us() as f64 / 1000.0 / (1.0 + trial.link.room.phones[phone].skew_ppm * 1e-6)
            };
            let phones = &trial.link.room.phones;
            let way_ms = phones[from].output_latency_ms
                + phones[to].input_latency_ms
                + trial.link.room.distance_cm / 34.3;
            if let Some(&(sent, complete)) = direction.journeys().first() {
                let took = room_ms(complete, to) - room_ms(sent, from);
                off_ms = off_ms.max((took - way_ms - packet as f64).abs());
            }
        }
    }
    let late = took_ms
        .iter()
        .filter(|took| took.is_none_or(|took| took > bar_ms))
        .count();
    let times = Times::of(&took_ms);
    let mut numbers = times.numbers();
    numbers.extend([
        ("off_ms", off_ms),
        ("late", late as f64),
        ("wrong", wrong as f64),
    ]);
    Line {
        bar: format!("{:.2} s, ±{TIMING_MS} ms", seconds(bar_ms)),
        numbers,
        figure: format!(
            "{times}, ±{off_ms:.2} ms{}",
            if late > 0 {
                format!(", {late} late")
            } else {
                String::new()
            }
        ),
        directions: None,
        count: format!("{} starts", took_ms.len()),
        snr_db: None,
        held: Some(late == 0 && off_ms <= TIMING_MS && wrong == 0),
    }
}
