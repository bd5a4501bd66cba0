//! What of a session has changed since a host last asked, as events. Changes nothing else.

use crate::{Session, SessionEvent, session::Stage};
use link_transport::LinkTransport;
use match_feed::{Game, duel::Catalogue};
use versus_codec::CommandCodec;

impl<T, C, G, K> Session<T, C, G, K>
where
    T: LinkTransport,
    C: CommandCodec,
    G: Game<Command = C::Command>,
    K: Catalogue,
{
    /// Turns what has changed into events.
    pub(crate) fn notice(&mut self) {
        let now = self.now;
        let (phase, end, mode) = (self.phase(now), self.end(now), self.mode);
        let why = self.peer.why(now);
        let waiting = self
            .play()
            .and_then(|play| play.waiting(now, why))
            .map(|waiting| waiting.why);
        let in_lobby = self.peer.is_in_lobby(now);
        if let Stage::Match(play) = &mut self.stage {
            while let Some(error) = play.refused.pop_front() {
                self.events.push(SessionEvent::OrderRefused(error));
            }
        }
        let events = &mut self.events;
        if events.phase.replace(phase) != Some(phase) {
            events.push(SessionEvent::Phase(phase));
        }
        if events.waiting != waiting {
            events.waiting = waiting;
            events.push(SessionEvent::Waiting(waiting));
        }
        if events.mode.replace(mode).is_some_and(|old| old != mode) {
            events.push(SessionEvent::Mode(mode));
        }
        if let Some(end) = end.filter(|_| events.end != end) {
            events.end = Some(end);
            events.push(SessionEvent::End(end));
        }
        if core::mem::replace(&mut events.in_lobby, in_lobby) != in_lobby && in_lobby {
            events.push(SessionEvent::PeerInLobby);
        }
    }
}
