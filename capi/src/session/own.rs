//! A duel of the host's own game.

use crate::{
    handle::Fault,
    link::shared::Taken,
    session::{
        duel::{Duel, Live, order_fault},
        game::{OwnCatalogue, OwnGame, resignation},
    },
    status::*,
};
use link_transport::LinkTime;
use versus_codec::OpaqueCodec;
use versus_session::{Session, SessionConfig};

/// A duel of the host's own game.
pub(crate) struct OwnDuel {
    pub(crate) session: Session<Taken, OpaqueCodec, OwnGame, OwnCatalogue>,
    catalogue: OwnCatalogue,
}

impl OwnDuel {
    pub(crate) fn new(
        link: Taken,
        config: SessionConfig,
        catalogue: OwnCatalogue,
    ) -> Result<Self, Fault> {
        let session = Session::new(link, config, catalogue);
        let session = session.map_err(|error| Fault::new(DUEL_REFUSED, error))?;
        Ok(Self { session, catalogue })
    }

    /// The duel of a session's; an error if it plays something else.
    pub(crate) fn of(duel: &mut dyn Duel) -> Result<&mut Self, Fault> {
        duel.downcast_mut().ok_or_else(|| {
            Fault::new(
                DUEL_UNSUPPORTED,
                "this session does not play a game of your own",
            )
        })
    }
}

impl Duel for OwnDuel {
    fn run(&mut self, now: LinkTime, _paused: bool) -> u32 {
        self.session.run(now, |_, _, _| {})
    }
    fn live(&mut self) -> Result<&mut dyn Live, Fault> {
        Ok(&mut self.session)
    }
    fn resign(&mut self, now: LinkTime) -> Result<(), Fault> {
        let given = self.session.give_first(now, resignation());
        given.map_err(order_fault)
    }
    fn again(self: Box<Self>, config: SessionConfig) -> Result<Box<dyn Duel>, Fault> {
        let next = Self::new(self.session.into_transport(), config, self.catalogue)?;
        Ok(Box::new(next))
    }
}
