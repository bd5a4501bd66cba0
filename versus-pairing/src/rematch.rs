//! Once more: what a phone keeps of a duel to reopen its lobby, and when it gives up on its peer.

use crate::{Entry, HostChoice, StartMode};
use core::time::Duration;
use link_transport::{LinkTime, Plan, Role};
use match_feed::duel::{MapChoice, Side};

/// A phone that hears nothing for this long in a rematch's lobby goes back to the menu.
pub const REMATCH_WAIT: Duration = Duration::from_secs(60);

/// What a host stores of a duel when its player taps Rematch, on either phone, and pairs with the next time.
///
/// Sides swap; roles, and with them bands, never do. Source: the specification's "Rematch".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rematch {
    /// This phone's role, as it was.
    pub role: Role,
    /// The band plan, as it was: the one found, where this phone listened on both.
    pub plan: Plan,
    /// The side the host plays now: the other one.
    pub host_side: Side,
    /// The map, as it was: the host's choice, which a guest keeps for show.
    pub map: MapChoice,
    /// The mutators, as they were.
    pub mutators: u16,
}

impl Rematch {
    /// The rematch of a match that was agreed.
    #[must_use]
    pub const fn of(agreed: &crate::Agreed) -> Self {
        Self {
            role: agreed.role,
            plan: agreed.plan,
            host_side: agreed.host_side.other(),
            map: agreed.setup.map,
            mutators: agreed.setup.mutators,
        }
    }

    /// How this phone enters the next pairing, on [`Self::plan`].
    #[must_use]
    pub const fn entry(&self, start_mode: StartMode) -> Entry {
        match self.role {
            Role::Host => Entry::Host(
                HostChoice::new(self.map)
                    .with_mutators(self.mutators)
                    .with_host_side(self.host_side)
                    .with_start_mode(start_mode),
            ),
            Role::Guest => Entry::Guest,
        }
    }
}

/// Watches a rematch's lobby for a peer that does not come.
#[derive(Clone, Copy, Debug)]
pub struct RematchWait {
    since: LinkTime,
}

impl RematchWait {
    /// The lobby has opened.
    #[must_use]
    pub const fn new(now: LinkTime) -> Self {
        Self { since: now }
    }

    /// Whether to go back to the menu, if this phone last heard anything at `last_heard`.
    #[must_use]
    pub fn is_over(&self, now: LinkTime, last_heard: Option<LinkTime>) -> bool {
        let since = last_heard.map_or(self.since, |heard| heard.max(self.since));
        now.since(since) >= REMATCH_WAIT
    }
}
