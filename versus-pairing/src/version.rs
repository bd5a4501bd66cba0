//! The build check: two phones that run different software must not play, and a stray frame must not stop a pairing.

use crate::LobbyHead;
use core::{cmp::Ordering, time::Duration};
use heapless::Deque;
use link_transport::LinkTime;

/// How many frames of another version, within [`WITHIN`], it takes. Source: the specification's "Build check".
const FRAMES: usize = 3;
const WITHIN: Duration = Duration::from_secs(5);

/// The two phones run different software: reload both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionMismatch {
    /// What this phone runs.
    pub own: LobbyHead,
    /// What the peer runs.
    pub theirs: LobbyHead,
}

impl VersionMismatch {
    /// Whose software is older, where the protocol versions tell: `Less` means this phone's.
    #[must_use]
    pub fn age(&self) -> Ordering {
        self.own.proto.cmp(&self.theirs.proto)
    }
}

/// Frames of another version heard lately.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrayFrames(Deque<LinkTime, FRAMES>);

impl StrayFrames {
    /// Counts one heard at `at`; true if there are enough to believe them.
    pub(crate) fn hear(&mut self, at: LinkTime) -> bool {
        if self.0.is_full() {
            self.0.pop_front();
        }
        let _ = self.0.push_back(at);
        self.0.is_full()
            && self
                .0
                .front()
                .is_some_and(|&first| at.since(first) <= WITHIN)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_frames_within_five_seconds_are_believed() {
        let mut frames = StrayFrames::default();
        let hear = |frames: &mut StrayFrames, ms| frames.hear(LinkTime::from_ms(ms));
        assert!(!hear(&mut frames, 0));
        assert!(!hear(&mut frames, 4000));
        assert!(!hear(&mut frames, 5001), "the first is too long ago");
        assert!(hear(&mut frames, 9000));
    }
}
