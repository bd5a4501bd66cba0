//! A lockstep as a match feed: seals once a tick, hands out both sides' orders, records what was stepped. Knows no
//! link and no game.

use link_transport::LinkTime;
use match_feed::{
    BattleRecord, MatchFeed, Order, Outcome, RecordHeader, Recorder, Side, Tick, WorldHash,
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
    recorder: Recorder<C::Command>,
    local: Side,
    now: LinkTime,
    outcome: Option<Outcome>,
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
            recorder: Recorder::new(header, start),
            local,
            now: LinkTime::ZERO,
            outcome: None,
        })
    }

    /// What time it is for the calls that follow.
    pub fn set_now(&mut self, now: LinkTime) {
        self.now = self.now.max(now);
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
    pub fn give(&mut self, command: C::Command) -> Result<(), GiveError> {
        self.lockstep.give(self.now, command)
    }

    /// An order that goes ahead of everything that waits; see [`Lockstep::give_first`].
    ///
    /// # Errors
    /// It cannot be sent.
    pub fn give_first(&mut self, command: C::Command) -> Result<(), GiveError> {
        self.lockstep.give_first(self.now, command)
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
    pub const fn outcome(&self) -> Option<Outcome> {
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

    fn orders(&mut self, tick: Tick) -> Option<&[Order<C::Command>]> {
        self.lockstep.seal(self.now);
        self.lockstep.orders(tick)
    }

    fn stepped(&mut self, tick: Tick, hash: WorldHash, outcome: Option<Outcome>) {
        if let Some(orders) = self.lockstep.orders(tick) {
            self.recorder.stepped(tick, orders, hash);
        }
        self.lockstep.stepped(self.now, tick, hash, outcome);
        self.outcome = outcome;
    }

    fn local(&self) -> Option<Side> {
        Some(self.local)
    }

    fn speed_permille(&self) -> u32 {
        self.lockstep.speed_permille()
    }
}
