//! Running a game on a feed of orders.

use crate::{Game, Order, Outcome, SeatSet, Tick, TickRate, WorldHash};

/// Now, on the clock of the machine that plays: microseconds from any origin. Each link and session has a time of its
/// own; a feed converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HostTime(u64);

impl HostTime {
    /// The origin.
    pub const ZERO: Self = Self(0);

    /// `us` microseconds after the origin.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us)
    }

    /// Microseconds after the origin.
    #[must_use]
    pub const fn as_us(self) -> u64 {
        self.0
    }
}

/// Supplies the orders of each tick: a duel over a link, a session over the internet, or a saved record. It reads no
/// clock: it is told `now`, which never goes back.
pub trait MatchFeed {
    /// What a player can order.
    type Command;

    /// How many ticks a second the match runs at normal speed.
    fn rate(&self) -> TickRate;

    /// The orders of `tick` as every machine applies them, or `None` while they are not known yet.
    ///
    /// Ticks are asked for in order, each until it is answered. Asking again changes nothing: input is drained once
    /// per tick, however often a stalled tick is asked for.
    fn orders(&mut self, now: HostTime, tick: Tick) -> Option<&[Order<Self::Command>]>;

    /// `tick` was stepped under the orders last answered.
    fn stepped(&mut self, now: HostTime, tick: Tick, hash: WorldHash, outcome: Option<Outcome>);

    /// The seats this machine commands; none for a match that is only watched.
    fn local(&self) -> SeatSet {
        SeatSet::EMPTY
    }

    /// The speed to run at, in thousandths of normal speed.
    fn speed_permille(&self) -> u32 {
        1000
    }
}

/// What [`Match::step`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The tick ran.
    Stepped(Tick),
    /// The feed does not know the tick's orders yet: hold the pose and ask again.
    Stalled,
    /// The match is decided; nothing more is stepped.
    Over(Outcome),
}

/// A game in play.
#[derive(Debug)]
pub struct Match<G, F> {
    game: G,
    feed: F,
    next: Tick,
}

impl<G: Game, F: MatchFeed<Command = G::Command>> Match<G, F> {
    /// Puts `game`, as set up and not stepped yet, on `feed`.
    pub const fn new(game: G, feed: F) -> Self {
        Self {
            game,
            feed,
            next: Tick(0),
        }
    }

    /// Runs the next tick if its orders are known. Nothing but the feed looks at `now`.
    pub fn step(&mut self, now: HostTime) -> Step {
        if let Some(outcome) = self.game.outcome() {
            return Step::Over(outcome);
        }
        let Some(orders) = self.feed.orders(now, self.next) else {
            return Step::Stalled;
        };
        self.game.step(orders);
        let stepped = self.next;
        self.next = stepped.next();
        self.feed
            .stepped(now, stepped, self.game.hash(), self.game.outcome());
        Step::Stepped(stepped)
    }

    /// The tick that comes next: how many have been stepped.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.next
    }

    /// The game, as of the last tick stepped.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The game, for a host that must reach into it. Changing what its hash covers desyncs the match.
    pub const fn game_mut(&mut self) -> &mut G {
        &mut self.game
    }

    /// The feed.
    #[must_use]
    pub const fn feed(&self) -> &F {
        &self.feed
    }

    /// The feed.
    pub const fn feed_mut(&mut self) -> &mut F {
        &mut self.feed
    }

    /// Ends the match and keeps the game.
    pub fn into_game(self) -> G {
        self.game
    }
}
