//! A duel of the skirmish, as a session plays it. Knows no replay.

use crate::{
    handle::Fault,
    link::shared::Taken,
    session::{
        any_session::AnySession,
        duel::{Duel, Live, order_fault},
    },
    skirmish::effects::Effects,
    status::*,
};
use game_sim::{Ai, Command, Skirmish, SkirmishCodec, World};
use link_transport::LinkTime;
use versus_session::{Session, SessionConfig};

/// A duel of the skirmish.
pub(crate) struct SkirmishDuel {
    pub(crate) session: Session<Taken, SkirmishCodec, World, Skirmish>,
    pub(crate) effects: Effects,
    /// The newest order that C was shown, whose units it may read.
    pub(crate) shown: Option<Command>,
    ai: Option<Ai>,
}

impl SkirmishDuel {
    pub(crate) fn new(link: Taken, config: SessionConfig) -> Result<Self, Fault> {
        let session = Session::new(link, config, Skirmish);
        Ok(Self {
            session: session.map_err(|error| Fault::new(DUEL_REFUSED, error))?,
            effects: Effects::new(),
            shown: None,
            ai: None,
        })
    }

    /// The duel of a session's; an error if it plays something else.
    pub(crate) fn of(this: &mut AnySession) -> Result<&mut Self, Fault> {
        this.duel.downcast_mut().ok_or_else(no_skirmish)
    }

    /// Who plays this phone's side, besides its player.
    pub(crate) fn set_ai(&mut self, ai: Option<Ai>) {
        self.ai = ai;
    }
}

impl Duel for SkirmishDuel {
    fn run(&mut self, now: LinkTime, _paused: bool) -> u32 {
        let (ai, effects) = (&mut self.ai, &mut self.effects);
        let stepped = self.session.run(now, |_, world, give| {
            effects.collect(world);
            if let Some(ai) = ai {
                ai.think(world).into_iter().for_each(give);
            }
        });
        if let Some(world) = self.session.game() {
            self.effects.collect(world);
        }
        stepped
    }
    fn live(&mut self) -> Result<&mut dyn Live, Fault> {
        Ok(&mut self.session)
    }
    fn resign(&mut self, now: LinkTime) -> Result<(), Fault> {
        let given = self.session.give_first(now, Command::Resign);
        given.map_err(order_fault)
    }
    fn again(self: Box<Self>, config: SessionConfig) -> Result<Box<dyn Duel>, Fault> {
        Ok(Box::new(Self::new(self.session.into_transport(), config)?))
    }
}

pub(crate) fn no_skirmish() -> Fault {
    Fault::new(DUEL_UNSUPPORTED, "this session does not play the skirmish")
}
