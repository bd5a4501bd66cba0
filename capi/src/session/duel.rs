//! What a session's handle can stand for, as the session room sees it: something that runs, is shown and saved, and may
//! have a peer. Knows no game: each game's room implements [`Duel`] for its own.

use crate::{
    handle::Fault,
    link::shared::Taken,
    session::{
        show::{show_end, show_lobby, show_match},
        words::duel_session_status,
    },
    status::*,
    text::Text,
    words::DUEL_NONE,
};
use core::any::Any;
use link_transport::LinkTime;
use match_feed::{
    Game,
    duel::{Catalogue, InputDelay},
};
use serde::{Serialize, de::DeserializeOwned};
use versus_codec::CommandCodec;
use versus_lockstep::Leave;
use versus_pairing::{Agreed, Opener, PickError};
use versus_session::{MatchEnd, OrderError, Session, SessionConfig, SessionEvent, SessionPhase};

/// What a session's handle stands for.
pub(crate) trait Duel: Any + Send {
    /// Steps what is due; returns how many ticks.
    fn run(&mut self, now: LinkTime, paused: bool) -> u32;

    /// Its half of a duel with a peer; an error for what has none.
    fn live(&mut self) -> Result<&mut dyn Live, Fault> {
        Err(no_peer())
    }

    /// Fills in what there is to show; what is wrong goes to `problem` in words.
    fn show(&mut self, now: LinkTime, out: &mut duel_session_status, problem: &mut Text) {
        if let Ok(live) = self.live() {
            live.show(now, out, problem);
        }
    }

    /// The world as the game saves it.
    fn saved(&mut self) -> Result<Vec<u8>, Fault> {
        self.live()?.saved()
    }

    /// Gives up the match.
    fn resign(&mut self, _now: LinkTime) -> Result<(), Fault> {
        Err(no_peer())
    }

    /// The next lobby, on the same link.
    fn again(self: Box<Self>, config: SessionConfig) -> Result<Box<dyn Duel>, Fault>;
}

impl dyn Duel {
    /// This duel as what it is, if it is that.
    pub(crate) fn downcast_mut<D: Duel>(&mut self) -> Option<&mut D> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// One phone's half of a duel with a peer, whatever the game.
pub(crate) trait Live {
    fn pump(&mut self, now: LinkTime);
    fn pick(&mut self, opener: Opener) -> Result<(), PickError>;
    /// The openers on offer: bit `i` for opener `i`.
    fn openers(&self) -> u32;
    fn retry(&mut self, now: LinkTime);
    fn agreed(&self) -> Option<Agreed>;
    fn force_delay(&mut self, delay: InputDelay);
    /// Whether the next tick waits for the peer.
    fn is_waiting(&self, now: LinkTime) -> bool;
    /// Whether a match has begun.
    fn has_begun(&self) -> bool;
    /// Whether the link is closed.
    fn is_closed(&self, now: LinkTime) -> bool;
    fn set_paused(&mut self, now: LinkTime, paused: bool);
    fn leave(&mut self, now: LinkTime, leave: Leave);
    fn close(&mut self);
    fn end(&self, now: LinkTime) -> Option<MatchEnd>;
    /// The record as one line of JSON, once a match has begun.
    fn record(&self) -> Option<String>;
    fn saved(&self) -> Result<Vec<u8>, Fault>;
    fn poll_event(&mut self) -> Option<SessionEvent>;
    fn show(&self, now: LinkTime, out: &mut duel_session_status, problem: &mut Text);
}

impl<C, G, K> Live for Session<Taken, C, G, K>
where
    C: CommandCodec<Command: Serialize + DeserializeOwned>,
    G: Game<Command = C::Command>,
    K: Catalogue,
{
    fn pump(&mut self, now: LinkTime) {
        self.pump(now);
    }
    fn pick(&mut self, opener: Opener) -> Result<(), PickError> {
        self.pick(opener)
    }
    fn openers(&self) -> u32 {
        let named = self.openers().flatten();
        named.fold(0, |bits, opener| bits | 1 << opener)
    }
    fn retry(&mut self, now: LinkTime) {
        self.retry(now);
    }
    fn agreed(&self) -> Option<Agreed> {
        self.agreed().copied()
    }
    fn force_delay(&mut self, delay: InputDelay) {
        self.force_delay(delay);
    }
    fn is_waiting(&self, now: LinkTime) -> bool {
        self.status(now).waiting.is_some()
    }
    fn has_begun(&self) -> bool {
        self.game().is_some()
    }
    fn is_closed(&self, now: LinkTime) -> bool {
        self.status(now).phase == SessionPhase::Closed
    }
    fn set_paused(&mut self, now: LinkTime, paused: bool) {
        self.set_paused(now, paused);
    }
    fn leave(&mut self, now: LinkTime, leave: Leave) {
        self.leave(now, leave);
    }
    fn close(&mut self) {
        self.close();
    }
    fn end(&self, now: LinkTime) -> Option<MatchEnd> {
        self.end(now)
    }
    fn record(&self) -> Option<String> {
        self.record().map(|record| record.to_json())
    }
    fn saved(&self) -> Result<Vec<u8>, Fault> {
        let game = self.game();
        let game = game.ok_or_else(|| Fault::new(DUEL_NOT_NOW, "no match has begun"))?;
        let saved = game.save();
        saved.ok_or_else(|| Fault::new(DUEL_UNSUPPORTED, "the game cannot be saved"))
    }
    fn poll_event(&mut self) -> Option<SessionEvent> {
        self.poll_event()
    }
    fn show(&self, now: LinkTime, out: &mut duel_session_status, problem: &mut Text) {
        out.builds[0] = self.build().into();
        let found = self.status(now);
        show_lobby(out, &found, problem);
        show_match(out, &found);
        show_end(out, found.end, found.pairing.local_side);
        (out.tick, out.pose_permille) = (self.tick().0, self.permille());
        let wake = self.next_wake();
        out.next_wake_us = wake.map_or(DUEL_NONE.into(), |at| at.as_us() as i64);
    }
}

pub(crate) fn no_peer() -> Fault {
    Fault::new(DUEL_UNSUPPORTED, "a replay has neither lobby nor peer")
}

pub(crate) fn order_fault(error: OrderError) -> Fault {
    match error {
        OrderError::NotPlaying => Fault::new(DUEL_NOT_NOW, error),
        _ => Fault::new(DUEL_REFUSED, error),
    }
}
