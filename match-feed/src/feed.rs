//! Running a game on a feed of orders.

use crate::{Game, Order, Outcome, Side, Tick, WorldHash};

/// Supplies the orders of each tick: a duel over a link, or a saved record.
pub trait MatchFeed {
    /// What a player can order.
    type Command;

    /// The orders of `tick` as every machine applies them, or `None` while they are not known yet.
    ///
    /// Ticks are asked for in order, each until it is answered. Asking again changes nothing: input is drained once
    /// per tick, however often a stalled tick is asked for.
    fn orders(&mut self, tick: Tick) -> Option<&[Order<Self::Command>]>;

    /// `tick` was stepped under the orders last answered.
    fn stepped(&mut self, tick: Tick, hash: WorldHash, outcome: Option<Outcome>);

    /// The side this phone commands; `None` for a match that is only watched.
    fn local(&self) -> Option<Side> {
        None
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

    /// Runs the next tick if its orders are known.
    pub fn step(&mut self) -> Step {
        if let Some(outcome) = self.game.outcome() {
            return Step::Over(outcome);
        }
        let Some(orders) = self.feed.orders(self.next) else {
            return Step::Stalled;
        };
        self.game.step(orders);
        let stepped = self.next;
        self.next = stepped.next();
        self.feed
            .stepped(stepped, self.game.hash(), self.game.outcome());
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
