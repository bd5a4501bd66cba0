//! What pairing comes to, and what may be picked on the way there. Knows no frame and no time.

use crate::{LobbyConfig, Opener, catalogue::allowed};
use link_transport::{Nonce, Plan, Role, SessionKey, hash32};
use match_feed::duel::{Catalogue, InputDelay, MatchSetup, PerSide, Side};

/// One agreed match, equal on both phones but for `role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// What is played, openers included.
    pub setup: MatchSetup,
    /// The input delay.
    pub delay: InputDelay,
    /// The side the host plays.
    pub host_side: Side,
    /// The match starts in fast mode.
    pub fast: bool,
    /// What keys the match's frames.
    pub key: SessionKey,
    /// This phone's role.
    pub role: Role,
    /// The band plan it was agreed on.
    pub plan: Plan,
}

impl Agreed {
    /// The side this phone plays.
    #[must_use]
    pub const fn local_side(&self) -> Side {
        side_of(self.role, self.host_side)
    }

    /// Who plays each side.
    #[must_use]
    pub const fn seats(&self) -> PerSide<Role> {
        match self.host_side {
            Side::Blue => PerSide {
                blue: Role::Host,
                red: Role::Guest,
            },
            Side::Red => PerSide {
                blue: Role::Guest,
                red: Role::Host,
            },
        }
    }
}

/// The side `role` plays.
pub(crate) const fn side_of(role: Role, host_side: Side) -> Side {
    match role {
        Role::Host => host_side,
        Role::Guest => host_side.other(),
    }
}

/// A config both phones can name, for one pair of nonces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) config: LobbyConfig,
    pub(crate) key: SessionKey,
    pub(crate) plan: Plan,
    /// The digest both phones must arrive at.
    pub(crate) hash: u16,
}

impl Terms {
    pub(crate) fn new(config: LobbyConfig, plan: Plan, own: (Role, Nonce), peer: Nonce) -> Self {
        let key = match own.0 {
            Role::Host => SessionKey {
                host_nonce: own.1,
                guest_nonce: peer,
            },
            Role::Guest => SessionKey {
                host_nonce: peer,
                guest_nonce: own.1,
            },
        };
        Self {
            config,
            key,
            plan,
            hash: config.hash(plan, key),
        }
    }

    /// The match with no opener on either side: what the catalogue is asked about.
    pub(crate) fn bare_setup(&self) -> MatchSetup {
        let key = self.key;
        MatchSetup {
            map: self.config.map,
            mutators: self.config.mutators,
            // Source: the specification's "Config".
            seed: hash32(&[key.host_nonce.into(), key.guest_nonce.into(), 1]),
            openers: PerSide::default(),
        }
    }

    pub(crate) fn side(&self, role: Role) -> Side {
        side_of(role, self.config.host_side)
    }

    /// True if whoever has `role` may pick `opener`.
    pub(crate) fn allows(&self, catalogue: &impl Catalogue, role: Role, opener: Opener) -> bool {
        allowed(catalogue, &self.bare_setup(), self.side(role)).any(|open| open == opener)
    }

    /// "None", if whoever has `role` has no opener to choose from.
    pub(crate) fn forced_pick(&self, catalogue: &impl Catalogue, role: Role) -> Option<Opener> {
        self.allows(catalogue, role, None).then_some(None)
    }

    /// What whoever has `role` plays if it does not choose in time.
    pub(crate) fn default_pick(&self, catalogue: &impl Catalogue, role: Role) -> Opener {
        allowed(catalogue, &self.bare_setup(), self.side(role))
            .next()
            .flatten()
    }

    /// True if a pick made under these terms is as good under `other`: only the pace differs.
    pub(crate) fn same_match(&self, other: &Self) -> bool {
        let what = |terms: &Self| {
            let config = terms.config;
            (config.map, config.mutators, config.host_side, terms.key)
        };
        what(self) == what(other)
    }

    /// The match, with both picks, as whoever has `role` sees it.
    pub(crate) fn agreed(&self, role: Role, own: Opener, theirs: Opener) -> Agreed {
        let mut setup = self.bare_setup();
        setup.openers[self.side(role)] = own;
        setup.openers[self.side(role.other())] = theirs;
        Agreed {
            setup,
            delay: self.config.delay,
            host_side: self.config.host_side,
            fast: self.config.fast,
            key: self.key,
            role,
            plan: self.plan,
        }
    }
}
