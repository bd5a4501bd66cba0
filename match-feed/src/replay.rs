//! Playing a record again and comparing every hash.

use crate::{
    Game, HostTime, Match, MatchFeed, Order, Outcome, Recorded, Step, Tick, TickRate, WorldHash,
};
use alloc::vec::Vec;

/// Feeds a recorded match's orders.
#[derive(Debug)]
pub struct ReplayFeed<'a, R: Recorded> {
    record: &'a R,
    next_turn: usize,
    tick: Option<Tick>,
    orders: Vec<Order<R::Command>>,
    hash: Option<WorldHash>,
}

impl<'a, R: Recorded> ReplayFeed<'a, R> {
    /// Starts at tick 0.
    #[must_use]
    pub const fn new(record: &'a R) -> Self {
        Self {
            record,
            next_turn: 0,
            tick: None,
            orders: Vec::new(),
            hash: None,
        }
    }

    /// The hash after the last tick stepped.
    #[must_use]
    pub const fn hash(&self) -> Option<WorldHash> {
        self.hash
    }
}

impl<R: Recorded<Command: Clone>> MatchFeed for ReplayFeed<'_, R> {
    type Command = R::Command;

    fn rate(&self) -> TickRate {
        self.record.rate()
    }

    fn orders(&mut self, _now: HostTime, tick: Tick) -> Option<&[Order<R::Command>]> {
        if tick >= self.record.ticks() {
            return None;
        }
        if self.tick != Some(tick) {
            self.tick = Some(tick);
            self.orders.clear();
            while let Some((at, seat, commands)) = self.record.turn(self.next_turn)
                && at <= tick
            {
                let orders = commands.iter().cloned();
                self.orders
                    .extend(orders.map(|command| Order { seat, command }));
                self.next_turn += 1;
            }
        }
        Some(&self.orders)
    }

    fn stepped(&mut self, _now: HostTime, _tick: Tick, hash: WorldHash, _: Option<Outcome>) {
        self.hash = Some(hash);
    }
}

/// A checkpoint that came out differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HashDifference {
    /// How many ticks had been stepped.
    pub tick: Tick,
    /// What the record says; `None` if it holds no hash for this tick.
    pub recorded: Option<WorldHash>,
    /// What this machine computed.
    pub computed: WorldHash,
}

/// What a replay found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayReport {
    /// Ticks stepped.
    pub ticks: Tick,
    /// Hashes that agreed before the first difference.
    pub hashes_equal: usize,
    /// The first checkpoint that differs.
    pub difference: Option<HashDifference>,
    /// The outcome this machine reached.
    pub outcome: Option<Outcome>,
    /// The recorded end was reached: the same outcome at the same tick.
    pub end_agrees: bool,
}

impl ReplayReport {
    /// True if every hash and the end came out as recorded.
    #[must_use]
    pub const fn agrees(&self) -> bool {
        self.difference.is_none() && self.end_agrees
    }
}

/// Plays `record` on `game`, set up from the record's own setup, and compares every hash; `each` sees the game
/// after every tick.
pub fn replay<G: Game>(
    record: &impl Recorded<Command = G::Command>,
    game: G,
    mut each: impl FnMut(Tick, &G),
) -> (ReplayReport, G)
where
    G::Command: Clone,
{
    let mut hashes = record.hashes().iter().copied();
    let mut report = ReplayReport {
        ticks: Tick(0),
        hashes_equal: 0,
        difference: None,
        outcome: None,
        end_agrees: false,
    };
    let compare =
        |report: &mut ReplayReport, recorded: Option<(Tick, WorldHash)>, tick, computed| {
            if report.difference.is_none() && recorded == Some((tick, computed)) {
                report.hashes_equal += 1;
            } else if report.difference.is_none() {
                let recorded = recorded.map(|(_, hash)| hash);
                report.difference = Some(HashDifference {
                    tick,
                    recorded,
                    computed,
                });
            }
        };
    compare(&mut report, hashes.next(), Tick(0), game.hash());
    let mut running = Match::new(game, ReplayFeed::new(record));
    while let Step::Stepped(tick) = running.step(HostTime::ZERO) {
        each(tick, running.game());
        report.ticks = tick.next();
        if report.ticks.0.is_multiple_of(record.hash_every()) {
            let computed = running.feed().hash().expect("a step reports its hash");
            let at = report.ticks;
            compare(&mut report, hashes.next(), at, computed);
        }
    }
    report.outcome = running.game().outcome();
    report.end_agrees = report.outcome == record.outcome() && report.ticks == record.ticks();
    (report, running.into_game())
}
