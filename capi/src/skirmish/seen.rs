//! What can be seen of a session that plays or replays the skirmish: its world and its effects.

use crate::{
    handle::Fault,
    session::{any_session::AnySession, duel::Duel},
    skirmish::{
        duel::{SkirmishDuel, no_skirmish},
        effects::Effects,
        playback::Playback,
    },
    status::DUEL_NOT_NOW,
};
use core::any::Any;
use game_sim::World;

/// The world of a match or of a replay.
pub(crate) fn world(this: &AnySession) -> Result<&World, Fault> {
    if let Some(playback) = as_is::<Playback>(this) {
        return Ok(playback.world());
    }
    let duel = as_is::<SkirmishDuel>(this).ok_or_else(no_skirmish)?;
    let world = duel.session.game();
    world.ok_or_else(|| Fault::new(DUEL_NOT_NOW, "no match has begun"))
}

/// What happened in the ticks just stepped.
pub(crate) fn effects(this: &mut AnySession) -> Result<&mut Effects, Fault> {
    if as_is::<Playback>(this).is_none() {
        return Ok(&mut SkirmishDuel::of(this)?.effects);
    }
    let playback = this
        .duel
        .downcast_mut::<Playback>()
        .ok_or_else(no_skirmish)?;
    Ok(&mut playback.effects)
}

/// What the session plays, if it is that.
fn as_is<D: Duel>(this: &AnySession) -> Option<&D> {
    (&*this.duel as &dyn Any).downcast_ref()
}
