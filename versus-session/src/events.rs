//! What happened since a host last asked, bounded. Changes nothing.

use crate::{MatchEnd, Session, SessionEvent, SessionPhase, Why, session::Stage};
use heapless::Deque;
use link_transport::{LinkTransport, Mode};
use match_feed::{Game, duel::Catalogue};
use versus_codec::CommandCodec;

/// Events kept for a host that does not ask.
const EVENTS_MAX: usize = 32;

/// The queue, and what was last said of everything that is only said when it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    queue: Deque<SessionEvent, EVENTS_MAX>,
    phase: Option<SessionPhase>,
    waiting: Option<Why>,
    mode: Option<Mode>,
    end: Option<MatchEnd>,
    in_lobby: bool,
}

impl Events {
    pub(crate) fn pop(&mut self) -> Option<SessionEvent> {
        self.queue.pop_front()
    }

    fn push(&mut self, event: SessionEvent) {
        if self.queue.is_full() {
            self.queue.pop_front();
        }
        let _ = self.queue.push_back(event);
    }
}

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
