//! Runs the trials of one row of the table, on as many threads as asked for, and says what came of them.

use link_room::{
    Fault, FaultKind, Phone, RoomConfig, RoomLinkConfig,
    sounds::SoundKind,
    trial::{Direction, Tally, Trial},
};
use link_transport::{
    LinkTime, Mode, Plan, SUPERFRAME_MS, SUPERFRAME_SYMBOLS, SYMBOL_MS, packet_ms,
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// Packets that start from here on count: by then both have locked.
const SETTLED: LinkTime = LinkTime::from_ms(3_000);
/// Packets this late may still be on their way at the end.
const IN_FLIGHT: Duration = Duration::from_millis(1_000);
/// Of a conversation, what is not counted.
const UNCOUNTED_MS: u64 = (SETTLED.as_us() / 1_000) + IN_FLIGHT.as_millis() as u64;
/// Both phones alike, and not.
const RATES_HZ: [[u32; 2]; 2] = [[48_000, 48_000], [48_000, 44_100]];

/// The rooms of the table: no seed that anything was tuned on.
pub const FIRST_SEED: u64 = 1_000;

/// A conversation with a fault, and one with a start, in seconds.
pub const RECOVERY_S: u64 = 8;
pub const ACQUISITION_S: u64 = 7;

/// How much is measured.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Share of the packets that a row's bar asks for; every row has at least one room.
    pub effort: f64,
    /// Seconds of each conversation.
    pub seconds: u64,
    /// Faults and starts, where these are counted.
    pub events: u64,
    /// Seconds of sound that is not a modem, of each kind.
    pub sound_s: u64,
    /// Threads.
    pub jobs: usize,
}

/// What a row's bar is about.
pub enum Measure {
    /// Packets delivered.
    Delivery {
        /// The room of a seed.
        room: fn(u64, Plan) -> RoomConfig,
        /// Pairs of clock errors, host's and guest's.
        skews_ppm: &'static [[f64; 2]],
        /// What happens on the way.
        fault: Option<(FaultKind, Duration)>,
        /// The least share, percent. It decides how many packets are counted.
        bar: Option<f64>,
    },
    /// From when sound goes on at the guest's microphone to the next good packet there. After a gap that is from the gap's
    /// end to the first packet read, begun in the gap or not; after a jump from when the sender's sound is back at the
    /// microphone, the devices' latencies taken off, to the first packet that started after it.
    Recovery {
        kind: FaultKind,
        lasts_ms: u64,
        median_ms: u64,
        worst_ms: u64,
    },
    /// From when the peer is first heard to the first packet, and where its window lies.
    Acquisition { room: fn(u64, Plan) -> RoomConfig },
    /// Packets heard in what is none.
    False(SoundKind),
}

/// One row of the table.
pub struct Row {
    pub case: &'static str,
    pub plan: Plan,
    pub mode: Mode,
    pub measure: Measure,
}

/// A row, measured.
pub struct Line {
    pub bar: String,
    pub figure: String,
    /// The figure as numbers, by name.
    pub numbers: Vec<(&'static str, f64)>,
    /// To the guest and to the host, where they are told apart.
    pub directions: Option<[f64; 2]>,
    pub count: String,
    pub snr_db: Option<f64>,
    /// `None` where no bar is set.
    pub held: Option<bool>,
}

impl Row {
    pub fn run(&self, extent: Extent) -> Line {
        match &self.measure {
            Measure::Delivery {
                room,
                skews_ppm,
                fault,
                bar,
            } => self.delivery(extent, *room, skews_ppm, *fault, *bar),
            Measure::Recovery {
                kind,
                lasts_ms,
                median_ms,
                worst_ms,
            } => crate::events::recovery(self, extent, *kind, *lasts_ms, [*median_ms, *worst_ms]),
            Measure::Acquisition { room } => crate::events::acquisition(self, extent, *room),
            Measure::False(kind) => crate::not_modems::false_packets(extent, *kind),
        }
    }

    /// The link of this row in a room.
    pub fn link(&self, room: RoomConfig) -> RoomLinkConfig {
        RoomLinkConfig::default()
            .with_room(room)
            .with_plan(self.plan)
            .with_mode(self.mode)
    }

    /// Rooms for enough packets, each with every pair of clocks and rates.
    fn rooms(&self, extent: Extent) -> u64 {
        let Measure::Delivery {
            bar,
            skews_ppm,
            fault,
            ..
        } = &self.measure
        else {
            return 0;
        };
        let wanted = extent.effort * f64::from(packets_wanted(*bar));
        let counted_ms = extent.seconds * 1000 - after_ms(*fault) - UNCOUNTED_MS;
        let symbols = packet_ms(self.plan, self.mode) / SYMBOL_MS;
        let conversations = 2 * skews_ppm.len() as u64 * RATES_HZ.len() as u64;
        let a_superframe = (SUPERFRAME_SYMBOLS as u64 - 1) / u64::from(symbols);
        let packets = conversations * counted_ms * a_superframe / u64::from(SUPERFRAME_MS);
        (wanted / packets as f64).ceil().max(1.0) as u64
    }

    /// About how long it takes, in any unit.
    pub fn cost(&self, extent: Extent) -> f64 {
        match &self.measure {
            Measure::Delivery { skews_ppm, .. } => {
                let trials = self.rooms(extent) * (skews_ppm.len() * RATES_HZ.len()) as u64;
                (trials * extent.seconds) as f64
            }
            Measure::Recovery { .. } => (extent.events * RECOVERY_S) as f64,
            Measure::Acquisition { .. } => (extent.events.div_ceil(2) * ACQUISITION_S) as f64,
            Measure::False(_) => extent.sound_s as f64 / 2.0,
        }
    }

    fn delivery(
        &self,
        extent: Extent,
        room: fn(u64, Plan) -> RoomConfig,
        skews_ppm: &[[f64; 2]],
        fault: Option<(FaultKind, Duration)>,
        bar: Option<f64>,
    ) -> Line {
        let lasts = Duration::from_secs(extent.seconds);
        let mut trials = Vec::new();
        for seed in FIRST_SEED..FIRST_SEED + self.rooms(extent) {
            for rates_hz in RATES_HZ {
                for &skews in skews_ppm {
                    let room = room(seed, self.plan)
                        .with_rates_hz(rates_hz)
                        .with_skews_ppm(skews);
                    let mut trial = Trial::new(self.link(room), lasts, seed);
                    trial.faults.extend(fault.map(|(kind, lasts)| Fault {
                        at: Duration::from_secs(3),
                        lasts,
                        kind,
                    }));
                    trials.push(trial);
                }
            }
        }
        let after = Duration::from_millis(after_ms(fault));
        let span = SETTLED + after..LinkTime::ZERO + (lasts - IN_FLIGHT);
        let outcomes = in_parallel(&trials, extent.jobs, Trial::run);
        let tally = |index: usize| -> Tally {
            outcomes
                .iter()
                .map(|directions| directions[index].delivered(span.clone()))
                .sum()
        };
        let [to_guest, to_host] = [tally(0), tally(1)];
        let wrong: usize = outcomes.iter().flatten().map(|d| d.wrong).sum();
        let (both, readings) = (to_guest + to_host, outcomes.iter().flatten());
        let readings: Vec<f64> = readings.filter_map(Direction::snr_db).collect();
        let percent = both.percent().unwrap_or(0.0);
        Line {
            bar: bar.map_or(String::new(), |bar| format!("≥ {bar} %")),
            figure: if wrong == 0 {
                format!("{percent:.2} %")
            } else {
                format!("{percent:.2} %, {wrong} WRONG")
            },
            numbers: vec![("percent", percent), ("wrong", wrong as f64)],
            directions: Some([to_guest, to_host].map(|tally| tally.percent().unwrap_or(0.0))),
            count: format!("{} packets", both.sent),
            snr_db: (!readings.is_empty())
                .then(|| readings.iter().sum::<f64>() / readings.len() as f64),
            held: bar
                .map(|bar| percent >= bar && wrong == 0)
                .or((wrong > 0).then_some(false)),
        }
    }
}

/// Packets after which a share is known to a bar's precision: of 3,000 that all arrive, 99.9 % do, with 95 % confidence.
const fn packets_wanted(bar: Option<f64>) -> u32 {
    match bar {
        Some(99.9..100.0) => 3_000,
        Some(_) => 1_500,
        None => 600,
    }
}

/// After a fault counts what starts two superframes after it.
fn after_ms(fault: Option<(FaultKind, Duration)>) -> u64 {
    fault.map_or(0, |(_, lasts)| lasts.as_millis() as u64 + 2_500)
}

/// Seconds, for people.
pub fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// Maps every item, in any order, and gives the results in the items' order.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((index, item)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).map(|item| (index, item))
        } {
            done.push((index, run(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a trial ran"))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The phone whose device stops and the phone whose recording has gaps, in the rows on recovery.
pub const SENDER_STOPS: FaultKind = FaultKind::DeviceStop(Phone::A);
pub const RECEIVER_GAPS: FaultKind = FaultKind::CaptureGap(Phone::B);
