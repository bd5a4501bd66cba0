//! Runs the trials of one row of the table, on as many threads as asked for, and says what came of them.

use link_modem::{Listen, ModemConfig, ModemCore};
use link_room::{
    Fault, FaultKind, Phone, RoomConfig, RoomLinkConfig,
    sounds::{SoundKind, Sounds},
    trial::{Direction, Tally, Trial},
};
use link_transport::{LinkTime, Mode, Plan, Role, packet_ms};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// Packets that start from here on count: by then both have locked.
const SETTLED: LinkTime = LinkTime::from_ms(3_000);
/// Packets this late may still be on their way at the end.
const IN_FLIGHT: Duration = Duration::from_millis(1_000);
/// A sync symbol, and what a lock may take besides.
const SYNC_MS: u64 = 50;
const SUPERFRAME_MS: u64 = 2_050;
const LOCK_SPARE_MS: u64 = 100;
/// The first path is met within this.
const TIMING_MS: f64 = 1.0;

/// The rooms of the table: no seed that anything was tuned on.
pub const FIRST_SEED: u64 = 1_000;

/// How much is measured.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Rooms a row, each with every pair of clocks and rates.
    pub rooms: u64,
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
        /// The least share, percent.
        bar: Option<f64>,
    },
    /// From when sound goes on at the guest's microphone to the next good packet there, started after the fault.
    Recovery {
        kind: FaultKind,
        lasts_ms: u64,
        median_ms: u64,
        worst_ms: u64,
    },
    /// From when the friend is first heard to the first packet, and where its window lies.
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
            } => self.recovery(extent, *kind, *lasts_ms, [*median_ms, *worst_ms]),
            Measure::Acquisition { room } => self.acquisition(extent, *room),
            Measure::False(kind) => false_packets(extent, *kind),
        }
    }

    fn link(&self, room: RoomConfig) -> RoomLinkConfig {
        RoomLinkConfig {
            room,
            plan: self.plan,
            mode: self.mode,
            ..RoomLinkConfig::default()
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
        for seed in FIRST_SEED..FIRST_SEED + extent.rooms {
            for rates_hz in [[48_000, 48_000], [48_000, 44_100]] {
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
        // After a fault counts what starts two superframes after it.
        let after = fault.map_or(Duration::ZERO, |(_, lasts)| {
            lasts + Duration::from_millis(2_500)
        });
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
            directions: Some([to_guest, to_host].map(|tally| tally.percent().unwrap_or(0.0))),
            count: format!("{} packets", both.sent),
            snr_db: (!readings.is_empty())
                .then(|| readings.iter().sum::<f64>() / readings.len() as f64),
            held: bar
                .map(|bar| percent >= bar && wrong == 0)
                .or((wrong > 0).then_some(false)),
        }
    }

    fn recovery(&self, extent: Extent, kind: FaultKind, lasts_ms: u64, bars_ms: [u64; 2]) -> Line {
        let lasts = Duration::from_millis(lasts_ms);
        // Anywhere in the superframe.
        let at = |seed: u64| Duration::from_millis(4_000 + (seed * 787) % SUPERFRAME_MS);
        let trials: Vec<Trial> = (FIRST_SEED..FIRST_SEED + extent.events)
            .map(|seed| {
                let room = RoomConfig::default().with_skews_ppm([100.0, -100.0]);
                let mut trial = Trial::new(self.link(room), Duration::from_secs(11), seed);
                trial.faults.push(Fault {
                    at: at(seed),
                    lasts,
                    kind,
                });
                trial
            })
            .collect();
        let outcomes = in_parallel(&trials, extent.jobs, Trial::run);
        let mut took_ms: Vec<u64> = trials
            .iter()
            .zip(&outcomes)
            .map(|(trial, [to_guest, _])| {
                let over = LinkTime::ZERO + at(trial.seed) + lasts;
                // What a sender plays again is heard only after the devices' latencies.
                let [host, guest] = &trial.link.room.phones;
                let way_ms = match kind {
                    SENDER_STOPS => host.output_latency_ms + guest.input_latency_ms,
                    _ => 0.0,
                };
                let took = to_guest.first_after(over);
                took.map_or(u64::MAX, |took| {
                    (took.as_millis() as u64).saturating_sub(way_ms as u64)
                })
            })
            .collect();
        took_ms.sort_unstable();
        let wrong: usize = outcomes.iter().flatten().map(|d| d.wrong).sum();
        let (median, worst) = (took_ms[took_ms.len() / 2], took_ms[took_ms.len() - 1]);
        Line {
            bar: format!("{:.2} / {:.2} s", seconds(bars_ms[0]), seconds(bars_ms[1])),
            figure: format!("{:.2} / {:.2} s", seconds(median), seconds(worst)),
            directions: None,
            count: format!("{} faults", took_ms.len()),
            snr_db: None,
            held: Some(median <= bars_ms[0] && worst <= bars_ms[1] && wrong == 0),
        }
    }

    fn acquisition(&self, extent: Extent, room: fn(u64, Plan) -> RoomConfig) -> Line {
        // Unheard at first, then suddenly there, anywhere in the superframe.
        let start = |seed: u64| Duration::from_millis(2_500 + (seed * 787) % SUPERFRAME_MS);
        let skews = |seed: u64| {
            if seed.is_multiple_of(2) {
                [300.0, -300.0]
            } else {
                [-300.0, 300.0]
            }
        };
        let trials: Vec<Trial> = (FIRST_SEED..FIRST_SEED + extent.events)
            .map(|seed| {
                let room = room(seed, self.plan).with_skews_ppm(skews(seed));
                let mut trial = Trial::new(self.link(room), Duration::from_secs(9), seed);
                trial.faults.push(Fault {
                    at: Duration::ZERO,
                    lasts: start(seed),
                    kind: FaultKind::Dropout,
                });
                trial
            })
            .collect();
        let outcomes = in_parallel(&trials, extent.jobs, Trial::run);
        let packet = u64::from(packet_ms(self.plan, self.mode));
        let bar_ms = SUPERFRAME_MS + SYNC_MS + packet + LOCK_SPARE_MS;
        let (mut took_ms, mut off_ms, mut wrong) = (Vec::new(), 0.0_f64, 0);
        for (trial, directions) in trials.iter().zip(&outcomes) {
            for (index, direction) in directions.iter().enumerate() {
                wrong += direction.wrong;
                let heard_from = start(trial.seed).as_millis() as u64;
                let first = direction.received.first().map(|seen| seen.handed_over);
                took_ms
                    .push(first.map_or(u64::MAX, |first| first.as_ms().saturating_sub(heard_from)));
                let [from, to] = [index, 1 - index];
                let room_ms = |time: LinkTime, phone: usize| {
                    time.as_us() as f64
                        / 1000.0
                        / (1.0 + trial.link.room.phones[phone].skew_ppm * 1e-6)
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
        took_ms.sort_unstable();
        let late = took_ms.iter().filter(|&&took| took > bar_ms).count();
        let (median, worst) = (took_ms[took_ms.len() / 2], took_ms[took_ms.len() - 1]);
        Line {
            bar: format!("{:.2} s, ±{TIMING_MS} ms", seconds(bar_ms)),
            figure: format!(
                "{:.2} / {:.2} s, ±{off_ms:.2} ms{}",
                seconds(median),
                seconds(worst),
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
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// Four receivers, one for each band, listen to sound that is no modem.
fn false_packets(extent: Extent, kind: SoundKind) -> Line {
    const RATE_HZ: u32 = 48_000;
    const PIECE_S: u64 = 60;
    let pieces: Vec<(u64, u64)> = (0..extent.sound_s.div_ceil(PIECE_S))
        .map(|piece| {
            let seconds = PIECE_S.min(extent.sound_s - piece * PIECE_S);
            (FIRST_SEED + piece, seconds)
        })
        .collect();
    let heard = in_parallel(&pieces, extent.jobs, |&(seed, seconds)| {
        let mut sounds = Sounds::new(kind, RATE_HZ, seed);
        let mut listeners: Vec<ModemCore> = [Plan::High, Plan::Low]
            .into_iter()
            .flat_map(|plan| [Role::Host, Role::Guest].map(|role| (plan, role)))
            .map(|(plan, role)| {
                ModemCore::new(ModemConfig {
                    sample_rate_hz: RATE_HZ,
                    plan,
                    tx: role.other(),
                    rx: Listen::Role(role),
                    gain: 0.0,
                })
                .expect("48 kHz carries both plans")
            })
            .collect();
        let (mut block, mut unused, mut heard) = ([0.0; 512], [0.0; 512], 0);
        for first in (0..seconds * u64::from(RATE_HZ)).step_by(block.len()) {
            sounds.fill(&mut block);
            for listener in &mut listeners {
                listener.process(&block, &mut unused, first);
                heard += std::iter::from_fn(|| listener.take_packet()).count();
            }
        }
        heard
    });
    let heard: usize = heard.into_iter().sum();
    Line {
        bar: "0".into(),
        figure: format!("{heard}"),
        directions: None,
        count: format!("{} s, 4 bands", extent.sound_s),
        snr_db: None,
        held: Some(heard == 0),
    }
}

/// Maps every item, in any order, and gives the results in the items' order.
fn in_parallel<T: Sync, R: Send>(items: &[T], jobs: usize, run: impl Fn(&T) -> R + Sync) -> Vec<R> {
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
