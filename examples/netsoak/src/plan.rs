//! What one match is: all of it follows from the run's seed and the match's number.

use crate::dice::Dice;
use net_session::OnDrop;
use net_transport::{Carrier, LinkConfig, Loss};

/// The longest match in virtual time whose links were cut, milliseconds.
pub const TIME_MS_MAX: u64 = 30_000;
/// The same where no link was cut: lockstep without a delay is slow over a long way, but it must come to its end.
pub const WHOLE_TIME_MS_MAX: u64 = 240_000;

/// Something that happens to a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What {
    /// The process is gone without a word.
    Kill { seat: usize },
    /// Its player leaves.
    Leave { seat: usize },
    /// A killed process is started anew and wants its seat back.
    Rejoin { seat: usize },
    /// Somebody takes the open seat.
    Join { seat: usize },
    /// Somebody watches.
    Watch,
    /// These ends hear nobody else for a while.
    Part { bits: u8, ms: u64 },
    /// One direction is dead for a while.
    Outage { from: usize, to: usize, ms: u64 },
    /// A hidden tab, or back.
    Away { seat: usize, away: bool },
}

/// How a peer with the right key lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lie {
    /// Other inputs to some peers than to others.
    TwoFaces,
    /// From some moment on, another history of its own inputs.
    Turncoat,
    /// Its messages are changed at random and sealed anew.
    Mutates,
    /// Sends its old messages again, to whomever.
    Replays,
    /// Says false hashes.
    FalseHashes,
    /// Sends noise, sealed, many times what is usual.
    Floods,
    /// Votes falsely on who stays: legal views, proposals, promises and commits that nobody agreed on.
    FalseVotes,
}

/// One match.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub seats: usize,
    /// The seat that nobody has at the start.
    pub open: Option<usize>,
    /// The skirmish, by two AIs; else the toy game.
    pub skirmish: bool,
    pub rate_hz: u8,
    /// The game ends after so many frames.
    pub frames: u32,
    pub prediction: u8,
    pub delay: u8,
    pub adaptive: Option<(u8, u8)>,
    pub on_drop: OnDrop,
    pub carrier: Carrier,
    /// Both lanes are made of the carrier's datagrams, as over UDP.
    pub lanes: bool,
    /// By sender, then receiver; the last end watches.
    pub links: Vec<LinkConfig>,
    pub clocks_ppm: Vec<i32>,
    pub ballast: usize,
    pub events: Vec<(u64, What)>,
    pub liar: Option<(usize, Lie)>,
}

fn link(dice: &mut Dice) -> LinkConfig {
    let share = |dice: &mut Dice, most: u64| dice.below(most) as f64 / 1_000.0;
    let loss = match dice.below(6) {
        0 | 1 => Loss::None,
        2 => Loss::Every(dice.within(4, 30) as u32),
        3 => Loss::Bernoulli(share(dice, 250)),
        4 => Loss::PacketBursts {
            share: share(dice, 200),
            mean_packets: dice.within(1, 6) as f64,
        },
        _ => Loss::TimeBursts {
            share: share(dice, 150),
            mean_ms: dice.within(10, 120) as f64,
        },
    };
    let mut link = LinkConfig::default()
        .latency_us(dice.within(0, 100_000))
        .jitter_us(dice.below(25_000))
        .loss(loss);
    if dice.once_in(4) {
        link = link.duplicate(share(dice, 200));
    }
    if dice.once_in(4) {
        link = link.damage(share(dice, 50));
    }
    if dice.once_in(4) {
        link = link.reorder(share(dice, 100), dice.within(10_000, 150_000));
    }
    if dice.once_in(6) {
        link = link.bandwidth(
            dice.within(200_000, 3_000_000),
            dice.within(50_000, 300_000),
        );
    }
    link
}

impl Plan {
    /// The `number`-th match of a run: two in five have 3 to 8 seats, every fourth a liar (a third seat at least then
    /// makes it worth it, most of the time).
    pub fn new(run_seed: u64, number: u64) -> Self {
        let seed = Dice::new(run_seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95)).next();
        let mut dice = Dice::new(seed);
        let seats = if number % 5 < 2 {
            dice.within(3, 8) as usize
        } else {
            2
        };
        let rate_hz = [60, 60, 60, 30, 10, 120][dice.below(6) as usize];
        let ends = seats + 1;
        // Half of the matches have one kind of link throughout, the others each direction its own.
        let same = dice.once_in(2).then(|| link(&mut dice));
        let links = (0..ends * ends).map(|_| same.unwrap_or_else(|| link(&mut dice)));
        let links = links.collect();
        let clock = |_| {
            if dice.once_in(2) {
                0
            } else {
                dice.below(10_001) as i32 - 5_000
            }
        };
        let clocks_ppm = (0..ends).map(clock).collect();
        let lockstep = dice.once_in(2);
        let mut plan = Self {
            seed,
            seats,
            open: None,
            skirmish: number % 10 == 7,
            rate_hz,
            frames: u32::from(rate_hz) * dice.within(4, 9) as u32,
            prediction: if lockstep {
                0
            } else {
                dice.within(1, 20) as u8
            },
            delay: dice.within(0, 10) as u8,
            adaptive: dice.once_in(4).then_some((1, 14)),
            on_drop: [OnDrop::Neutral, OnDrop::Bot, OnDrop::End][dice.below(3) as usize],
            carrier: if dice.once_in(8) {
                Carrier::Stream
            } else {
                Carrier::Datagram
            },
            lanes: false,
            links,
            clocks_ppm,
            ballast: dice.below(20_000) as usize,
            events: Vec::new(),
            liar: None,
        };
        if number % 4 == 3 {
            let lies = [
                Lie::TwoFaces,
                Lie::Turncoat,
                Lie::Mutates,
                Lie::Replays,
                Lie::FalseHashes,
                Lie::Floods,
                Lie::FalseVotes,
            ];
            let seat = dice.below(seats as u64) as usize;
            plan.liar = Some((seat, lies[dice.below(7) as usize]));
        }
        if plan.carrier == Carrier::Stream {
            // No stream lives with more: what is lost holds up all that comes after it.
            let loss = Loss::Bernoulli(dice.below(30) as f64 / 1_000.0);
            plan.links.iter_mut().for_each(|link| link.loss = loss);
        }
        // A liar speaks by the air's own lanes.
        plan.lanes = plan.carrier == Carrier::Datagram && plan.liar.is_none() && dice.once_in(4);
        plan.troubles(&mut dice);
        if plan.skirmish {
            plan.rate_hz = 10;
            plan.frames = 10 * dice.within(6, 12) as u32;
            plan.prediction = 0;
            // It has two sides, and comes without a way to save itself here.
            plan.events
                .retain(|event| !matches!(event.1, What::Watch | What::Rejoin { .. }));
        }
        plan.events.sort_by_key(|event| event.0);
        plan
    }

    fn troubles(&mut self, dice: &mut Dice) {
        let seats = self.seats;
        let when = |dice: &mut Dice| dice.within(1_500, 6_000);
        let someone = |dice: &mut Dice| dice.below(seats as u64) as usize;
        if dice.once_in(5) {
            self.events.push((when(dice), What::Watch));
        }
        match dice.below(8) {
            0 | 1 => {}
            2 => {
                let (seat, at) = (someone(dice), when(dice));
                self.events.push((at, What::Leave { seat }));
            }
            3 => {
                // At once or in turn.
                let apart = if dice.once_in(2) {
                    0
                } else {
                    dice.below(1_500)
                };
                let (first, at) = (someone(dice), when(dice));
                for nth in 0..dice.within(1, (seats as u64 / 2).clamp(1, 2)) {
                    let seat = (first + nth as usize) % seats;
                    self.events.push((at + nth * apart, What::Kill { seat }));
                }
            }
            4 => {
                let bits = dice.within(1, (1 << seats) - 2) as u8;
                let ms = if dice.once_in(2) {
                    dice.within(200, 4_000)
                } else {
                    60_000
                };
                self.events.push((when(dice), What::Part { bits, ms }));
            }
            5 => {
                let from = someone(dice);
                let to = (from + 1 + dice.below(seats as u64 - 1) as usize) % seats;
                let ms = if dice.once_in(2) {
                    dice.within(200, 4_000)
                } else {
                    60_000
                };
                self.events
                    .push((when(dice), What::Outage { from, to, ms }));
            }
            6 => {
                let (seat, at) = (someone(dice), when(dice));
                if seats > 2 && dice.once_in(2) {
                    self.open = Some(seat);
                    self.events.push((at, What::Join { seat }));
                } else {
                    // A page loaded anew, or somebody who comes back after being dropped.
                    let later = if dice.once_in(2) {
                        dice.within(200, 900)
                    } else {
                        dice.within(6_500, 9_000)
                    };
                    self.events.push((at, What::Kill { seat }));
                    self.events.push((at + later, What::Rejoin { seat }));
                }
            }
            _ => {
                let (seat, at) = (someone(dice), when(dice));
                self.events.push((at, What::Away { seat, away: true }));
                let back = at + dice.within(300, 2_000);
                self.events.push((back, What::Away { seat, away: false }));
            }
        }
        let open = self.open;
        if let Some((liar, _)) = self.liar
            && open == Some(liar)
        {
            self.liar = None;
        }
    }

    /// Whether something keeps peers from hearing each other for a while, or for good.
    pub fn cuts(&self) -> bool {
        let cut = |what: &What| matches!(what, What::Part { .. } | What::Outage { .. });
        self.events.iter().any(|(_, what)| cut(what))
    }

    /// Random, and new for every session: `life` counts an end's.
    pub fn nonce(&self, end: usize, life: u64) -> u64 {
        Dice::new(self.seed ^ (end as u64) << 8 ^ life << 20).next() | 1
    }
}
