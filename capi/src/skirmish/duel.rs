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
pub(crate) use build_id::BUILD_ID;
use game_sim::{Ai, Command, SkirmishCodec, World};
use link_transport::LinkTime;
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};
use versus_session::{Session, SessionConfig};

// The same id as the console host's, so that the two play with each other.
#[path = "../../../examples/console/src/build_id.rs"]
mod build_id;

/// The game's name in records.
pub(crate) const NAME: &str = "skirmish";

/// What the skirmish offers.
#[derive(Clone, Copy)]
pub(crate) struct Skirmish;

impl Catalogue for Skirmish {
    fn built_in_maps(&self) -> u8 {
        game_sim::map_count()
    }
    fn biomes(&self) -> u8 {
        game_sim::biome_count()
    }
    fn mutators(&self) -> u8 {
        game_sim::mutator_names().len() as u8
    }
    fn map_size(&self, choice: MapChoice) -> Option<MapSize> {
        game_sim::map_size(choice)
    }
    fn opener_allowed(&self, setup: &MatchSetup, side: Side, opener: u8) -> bool {
        game_sim::opener_allowed(setup, side, opener)
    }
}

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
