//! Verdicts beside deliveries: rooms measured, and then talked through.
//!
//! `cargo xtask matrix verdicts` prints two tables. The first has the rooms that the limits of `src/probe/verdict.rs` come
//! from. The second has every kind of fault, twenty seeds each, none of which any limit was fitted on: at most one verdict in
//! a hundred may be wrong (a band that was said to work loses more than one packet in twenty, or one that was said to fail
//! carries more than half), and the cause must be named right in nineteen of twenty measurements.

#[path = "../tests/common/mod.rs"]
mod common;

use common::{delivered_both, measure};
use link_modem::params::Band;
use link_room::{
    Agc, Blocks, Codec, Dropouts, RoomConfig, Talker, Treble, Wander,
    probe::{Cause, LinkReading, Outlook},
};
use link_transport::{Mode, Plan, Role};
use std::{env, process::ExitCode, time::Duration};

/// Rooms that the limits were fitted on: one seed each, and never judged by.
fn fitted() -> Vec<(&'static str, RoomConfig)> {
    let default = RoomConfig::default;
    vec![
        ("20 cm", RoomConfig::at_distance_cm(20.0)),
        ("40 cm", RoomConfig::at_distance_cm(40.0)),
        ("80 cm", RoomConfig::at_distance_cm(80.0)),
        ("160 cm", RoomConfig::at_distance_cm(160.0)),
        ("300 cm", RoomConfig::at_distance_cm(300.0)),
        (
            "cluster +3",
            RoomConfig::at_distance_cm(40.0).with_cluster_db(3.0),
        ),
        (
            "cluster +8",
            RoomConfig::at_distance_cm(40.0).with_cluster_db(8.0),
        ),
        ("noise 16 20cm", default().with_noise_snr10_db(16.0)),
        ("noise 12 20cm", default().with_noise_snr10_db(12.0)),
        ("noise 9 20cm", default().with_noise_snr10_db(9.0)),
        (
            "noise 26 80cm",
            RoomConfig::at_distance_cm(80.0).with_noise_snr10_db(26.0),
        ),
        ("treble", default().with_treble(Treble::default())),
        (
            "treble noise 20",
            default()
                .with_treble(Treble::default())
                .with_noise_snr10_db(20.0),
        ),
        ("cutoff 7.5k", default().with_capture_cutoff_hz(7_500.0)),
        ("cutoff 15k", default().with_capture_cutoff_hz(15_000.0)),
    ]
}

/// A kind of fault, the room of each seed, and what may be named as the cause where a band does not simply work.
struct Kind {
    name: &'static str,
    room: fn(u64) -> RoomConfig,
    causes: &'static [&'static str],
}

/// Phones 15 to 33 cm apart: no two seeds alike.
fn table(seed: u64) -> RoomConfig {
    RoomConfig::at_distance_cm(15.0 + (seed * 7 % 19) as f64).with_seed(seed)
}

const CUT: &[&str] = &["cut off"];

/// What is judged: see the top.
const JUDGED: [Kind; 17] = [
    Kind {
        name: "clean",
        room: table,
        causes: &[],
    },
    Kind {
        name: "far: 120 to 264 cm",
        room: |seed| {
            RoomConfig::at_distance_cm(120.0 + 8.0 * (seed * 7 % 19) as f64).with_seed(seed)
        },
        causes: &["echo", "noise", "quiet"],
    },
    Kind {
        name: "noise 4 to 13 dB",
        room: |seed| table(seed).with_noise_snr10_db(4.0 + (seed % 10) as f64),
        causes: &["noise"],
    },
    Kind {
        name: "treble of a voice phone",
        room: |seed| table(seed).with_treble(Treble::default()),
        causes: &["quiet"],
    },
    Kind {
        name: "captured at 8 kHz",
        room: |seed| table(seed).captured_at(8_000),
        causes: CUT,
    },
    Kind {
        name: "captured at 16 kHz",
        room: |seed| table(seed).captured_at(16_000),
        causes: CUT,
    },
    Kind {
        name: "captured at 24 kHz",
        room: |seed| table(seed).captured_at(24_000),
        causes: CUT,
    },
    Kind {
        name: "captured at 32 kHz",
        room: |seed| table(seed).captured_at(32_000),
        causes: CUT,
    },
    Kind {
        name: "clock wanders 30 ppm in 4 s",
        room: |seed| {
            table(seed).with_wander(Wander {
                ppm: 30.0,
                period_s: 4.0,
            })
        },
        causes: &["clock"],
    },
    Kind {
        name: "clock wanders 250 ppm in 20 s",
        room: |seed| {
            table(seed).with_wander(Wander {
                ppm: 250.0,
                period_s: 20.0,
            })
        },
        causes: &["clock"],
    },
    Kind {
        name: "blocks lost and doubled, 1/s",
        room: |seed| {
            table(seed).with_blocks(Blocks {
                per_second: 1.0,
                frames: 512,
                replaced: false,
            })
        },
        causes: &["holes"],
    },
    Kind {
        name: "blocks replaced, 1/s",
        room: |seed| {
            table(seed).with_blocks(Blocks {
                per_second: 1.0,
                frames: 512,
                replaced: true,
            })
        },
        causes: &["holes"],
    },
    Kind {
        name: "holes of 20 ms, 1/s",
        room: |seed| {
            table(seed).with_dropouts(Dropouts {
                per_second: 1.0,
                lasts_ms: 20.0,
            })
        },
        causes: &["holes"],
    },
    Kind {
        name: "gain steps 6 dB",
        room: |seed| {
            table(seed).with_agc(Agc {
                step_db: 6.0,
                every_s: 1.0,
            })
        },
        causes: &["unsteady"],
    },
    Kind {
        name: "codec to 16 kHz, -15 dB",
        room: |seed| {
            table(seed)
                .with_capture_cutoff_hz(16_000.0)
                .with_codec(Codec { noise_db: -15.0 })
        },
        causes: CUT,
    },
    Kind {
        name: "codec, 0 dB",
        room: |seed| table(seed).with_codec(Codec { noise_db: 0.0 }),
        causes: &["unsteady", "noise"],
    },
    Kind {
        name: "second talker, +20 dB",
        room: |seed| table(seed).with_talker(Talker { over_peer_db: 20.0 }),
        causes: &["noise", "unsteady"],
    },
];

/// A cause's name, as `sound-duel probe` says it.
fn name(cause: Cause) -> &'static str {
    match cause {
        Cause::Nothing => "none",
        Cause::CutOff { .. } => "cut off",
        Cause::Holes { .. } => "holes",
        Cause::Clock { .. } => "clock",
        Cause::Unsteady { .. } => "unsteady",
        Cause::Quiet { .. } => "quiet",
        Cause::Noise { .. } => "noise",
        Cause::Echo { .. } => "echo",
        _ => "?",
    }
}

/// What came of some verdicts.
#[derive(Default)]
struct Score {
    /// By outlook: fails, may work, works.
    said: [usize; 3],
    wrong: usize,
    measurements: usize,
    causes_right: usize,
    notes: Vec<String>,
}

impl Score {
    fn verdicts(&self) -> usize {
        self.said.iter().sum()
    }

    /// Holds one band's verdict against what a conversation delivered.
    fn judge(&mut self, link: &LinkReading, mode: Mode, good: f64, of: &str) {
        let outlook = link.outlook(mode);
        self.said[outlook as usize] += 1;
        let came = match outlook {
            Outlook::Works => good > 0.95,
            Outlook::Barely => true,
            Outlook::Fails => good < 0.5,
        };
        if !came {
            self.wrong += 1;
            self.notes.push(format!(
                "    {of}: {} {:?} {mode:?} {} at {:.1} dB delivers {:.1} %",
                link.band.plan,
                link.band.role,
                outlook.name(),
                link.snr_db,
                100.0 * good
            ));
        }
    }

    fn add(&mut self, room: &RoomConfig, talk: Duration, causes: Option<&[&str]>, of: &str) {
        let report = measure(room);
        self.measurements += 1;
        let named = report
            .links
            .iter()
            .filter(|link| link.outlook(Mode::Fast) != Outlook::Works);
        let mistaken: Vec<&str> = named
            .map(|link| name(link.cause()))
            .filter(|cause| causes.is_some_and(|causes| !causes.contains(cause)))
            .collect();
        self.causes_right += usize::from(mistaken.is_empty());
        if !mistaken.is_empty() {
            self.notes.push(format!("    {of}: named {mistaken:?}"));
        }
        for plan in [Plan::High, Plan::Low] {
            for mode in [Mode::Fast, Mode::Robust] {
                let good = delivered_both(room, plan, mode, talk);
                for (role, good) in [Role::Host, Role::Guest].into_iter().zip(good) {
                    let link = &report.links[Band::new(plan, role).index()];
                    self.judge(link, mode, good, of);
                }
            }
        }
    }

    fn print(&self, kind: &str) {
        let [fails, barely, works] = self.said;
        println!(
            "| {kind} | {works} | {barely} | {fails} | {} of {} | {} of {} |",
            self.wrong,
            self.verdicts(),
            self.causes_right,
            self.measurements
        );
        self.notes.iter().for_each(|note| eprintln!("{note}"));
    }
}

/// `--seeds N`, `--seconds S` and `--kinds TEXT`.
fn option(name: &str) -> Option<String> {
    let mut arguments = env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

fn main() -> ExitCode {
    let number = |name: &str, otherwise: u64| {
        option(name)
            .and_then(|text| text.parse().ok())
            .unwrap_or(otherwise)
    };
    let (seeds, talk) = (
        number("--seeds", 20),
        Duration::from_secs(number("--seconds", 12)),
    );
    let wanted = option("--kinds").unwrap_or_default();
    let head = |title: &str| {
        println!(
            "\n| {title} | works | may work | fails | wrong | cause right |\n|---|---|---|---|---|---|"
        );
    };
    if wanted.is_empty() {
        head("fitted on, one seed each");
        for (kind, room) in fitted() {
            let mut score = Score::default();
            score.add(&room, talk, None, kind);
            score.print(kind);
        }
    }
    head(&format!("judged on, {seeds} seeds each"));
    let (mut wrong, mut verdicts, mut misnamed) = (0, 0, false);
    for kind in JUDGED.iter().filter(|kind| kind.name.contains(&wanted)) {
        let mut score = Score::default();
        // No seed that anything was fitted on.
        for seed in 101..101 + seeds {
            score.add(
                &(kind.room)(seed),
                talk,
                Some(kind.causes),
                &format!("seed {seed}"),
            );
        }
        score.print(kind.name);
        (wrong, verdicts) = (wrong + score.wrong, verdicts + score.verdicts());
        misnamed |= 20 * score.causes_right < 19 * score.measurements;
    }
    println!("\n{wrong} of {verdicts} verdicts did not come true");
    ExitCode::from(u8::from(100 * wrong > verdicts || misnamed))
}
