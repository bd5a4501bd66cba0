//! What happened since a host last asked, bounded. Changes nothing.

use crate::{MatchEnd, SessionEvent, SessionPhase, Why};
use heapless::Deque;
use link_transport::Mode;

/// Events kept for a host that does not ask.
const EVENTS_MAX: usize = 32;

/// The queue, and what was last said of everything that is only said when it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    queue: Deque<SessionEvent, EVENTS_MAX>,
    pub(crate) phase: Option<SessionPhase>,
    pub(crate) waiting: Option<Why>,
    pub(crate) mode: Option<Mode>,
    pub(crate) end: Option<MatchEnd>,
    pub(crate) in_lobby: bool,
}

impl Events {
    pub(crate) fn pop(&mut self) -> Option<SessionEvent> {
        self.queue.pop_front()
    }

    pub(crate) fn push(&mut self, event: SessionEvent) {
        if self.queue.is_full() {
            self.queue.pop_front();
        }
        let _ = self.queue.push_back(event);
    }
}
