//! Game frames heard before the match has begun here, for its lockstep to take first. Knows no match.

use link_transport::{FrameBits, LinkTime};

type Heard = (LinkTime, FrameBits);

/// What is worth keeping: frames repeat, so the newest are enough.
///
/// Two must say that a peer has left before it counts, and whoever has left says nothing else any more: what comes
/// after is a recording, which must not take their place. A frame that says the match goes on, and is newer than a single
/// one that says otherwise, tells that one for damaged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    /// The two newest that say an end, the older first.
    ended: [Option<Heard>; 2],
    /// The newest that says none.
    playing: Option<Heard>,
}

impl Kept {
    pub(crate) fn hear(&mut self, at: LinkTime, bits: FrameBits, ended: bool) {
        let heard = Some((at, bits));
        if !ended {
            self.playing = heard;
        } else if self.ended[1].is_some_and(|(newest, _)| newest < at) {
            self.ended = [self.ended[1], heard];
        } else {
            // Of one moment's, one counts.
            self.ended[1] = heard;
        }
    }

    /// What is kept, the oldest first.
    pub(crate) fn in_order(self) -> impl Iterator<Item = Heard> {
        let [older, newer] = self.ended;
        let mut kept = [self.playing, older, newer];
        // Three comparisons sort three; the standard library's sort would be 5 kB of code for them.
        for (earlier, later) in [(0, 1), (1, 2), (0, 1)] {
            let at = |place: usize| kept[place].map(|(at, _)| at);
            if at(later) < at(earlier) {
                kept.swap(earlier, later);
            }
        }
        kept.into_iter().flatten()
    }
}
