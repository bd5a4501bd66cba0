//! A lockstep as a match feed: seals once a tick, hands out both sides' orders, records what was stepped. Knows no
//! link and no game.

use link_transport::LinkTime;
use match_feed::{
    HostTime, MatchFeed, Order, Outcome, SeatSet, Tick, TickRate, WorldHash,
    duel::{BattleRecord, BattleRecorder, DuelOutcome, RecordHeader, Side, TICK_RATE},
};
use versus_codec::CommandCodec;
use versus_lockstep::{GiveError, Lockstep, LockstepConfig, LockstepError};

/// The feed of a duel in play.
///
/// It is asked for a tick's orders as often as the host likes: the turn is sealed once, and a tick that has to wait
/// for the peer consumes no input and leaves the pose where it is.
#[derive(Clone, Debug)]
pub struct VersusFeed<C: CommandCodec> {
    lockstep: Lockstep<C>,
    recorder: BattleRecorder<C::Command>,
    local: Side,
    outcome: Option<DuelOutcome>,
}

impl<C: CommandCodec> VersusFeed<C> {
    /// The feed of a match that has not stepped yet.
    ///
    /// # Errors
    /// As [`Lockstep::new`].
    pub fn new(
        config: LockstepConfig,
        header: RecordHeader,
        codec: C,
    ) -> Result<Self, LockstepError> {
        let (local, start) = (config.local, config.start);
        Ok(Self {
            lockstep: Lockstep::new(config, codec)?,
            recorder: BattleRecorder::new(header, start),
            local,
            outcome: None,
        })
    }

    /// True exactly when the player's input for the next tick is to be drained: once per tick, before it is sealed.
    #[must_use]
    pub fn is_input_due(&self) -> bool {
        self.lockstep.is_seal_due()
    }

    /// An order of this phone's player.
    ///
    /// # Errors
    /// It cannot be sent.
    pub fn give(&mut self, now: LinkTime, command: C::Command) -> Result<(), GiveError> {
        self.lockstep.give(now, command)
    }

    /// An order that goes ahead of everything that waits; see [`Lockstep::give_first`].
    ///
    /// # Errors
    /// It cannot be sent.
    pub fn give_first(&mut self, now: LinkTime, command: C::Command) -> Result<(), GiveError> {
        self.lockstep.give_first(now, command)
    }

    /// The lockstep.
    #[must_use]
    pub const fn lockstep(&self) -> &Lockstep<C> {
        &self.lockstep
    }

    /// The lockstep.
    pub const fn lockstep_mut(&mut self) -> &mut Lockstep<C> {
        &mut self.lockstep
    }

    /// How this phone's world was decided.
    #[must_use]
    pub const fn outcome(&self) -> Option<DuelOutcome> {
        self.outcome
    }

    /// The match so far, ended as it stands.
    #[must_use]
    pub fn record(&self) -> BattleRecord<C::Command> {
        self.recorder.finish(self.outcome)
    }
}

impl<C: CommandCodec> MatchFeed for VersusFeed<C> {
    type Command = C::Command;

    fn rate(&self) -> TickRate {
        TICK_RATE
    }

    fn orders(&mut self, now: HostTime, tick: Tick) -> Option<&[Order<C::Command>]> {
        self.lockstep.seal(link_time(now));
        self.lockstep.orders(tick)
    }

    /// # Panics
    /// If the game says that another than seat 0 or 1 has won, or both.
    fn stepped(&mut self, now: HostTime, tick: Tick, hash: WorldHash, outcome: Option<Outcome>) {
        if let Some(orders) = self.lockstep.orders(tick) {
            self.recorder.stepped(tick, orders, hash);
        }
        self.lockstep.stepped(link_time(now), tick, hash, outcome);
        self.outcome = outcome.map(|outcome| {
            DuelOutcome::try_from(outcome).expect("the game of a duel has two seats")
        });
    }

    fn local(&self) -> SeatSet {
        self.local.into()
    }

    fn speed_permille(&self) -> u32 {
        self.lockstep.speed_permille()
    }
}

/// A feed's clock is its link's.
pub(crate) const fn host_time(now: LinkTime) -> HostTime {
    HostTime::from_us(now.as_us())
}

const fn link_time(now: HostTime) -> LinkTime {
    LinkTime::from_us(now.as_us())
}
