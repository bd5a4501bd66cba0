//! What is kept about who takes part. Knows no session.

use crate::wire::{Commit, NO_MEMBER, Propose, SEATS_MAX};
use net_transport::NetTime;

/// What the members agreed on, and are agreeing on.
#[derive(Debug)]
pub(crate) struct Members {
    /// Who plays: bit i is member i.
    pub(crate) live: u8,
    pub(crate) epoch: u32,
    /// What each seat's former owner must show to come back.
    pub(crate) proofs: [Option<[u8; 16]>; SEATS_MAX],
    /// What this end proposes.
    pub(crate) proposal: Option<Propose>,
    pub(crate) round: u32,
    /// What this end promised, and to whom.
    pub(crate) promised: Option<(u8, Propose)>,
    /// What it promised for the same epoch to coordinators before, each of whom may have committed it and gone.
    pub(crate) former: [Option<Propose>; SEATS_MAX],
    /// The newest commit, told to all who do not know it.
    pub(crate) commit: Option<Commit>,
    pub(crate) conflict: Option<(u8, NetTime)>,
    pub(crate) view_count: u32,
    /// This end does not agree with the others, or somebody is to come in: views are exchanged.
    pub(crate) unsettled: bool,
    /// Who gives this end all seats' inputs while it is not alive.
    pub(crate) feeder: u8,
    /// How far it was fed: the first frame that it lacks, and the bytes that it has of a snapshot.
    pub(crate) fed: (u32, u32),
    /// When that last changed.
    pub(crate) fed_at: NetTime,
    /// Bit m of seat s: this end passes what it holds of the former owner's inputs on to member m.
    pub(crate) pass: [u8; SEATS_MAX],
    /// This end has just come in and may have to hurry.
    pub(crate) catching_up: bool,
}

impl Default for Members {
    fn default() -> Self {
        Self {
            live: 0,
            epoch: 0,
            proofs: [None; SEATS_MAX],
            proposal: None,
            round: 0,
            promised: None,
            former: [None; SEATS_MAX],
            commit: None,
            conflict: None,
            view_count: 0,
            unsettled: false,
            feeder: NO_MEMBER,
            fed: (0, 0),
            fed_at: NetTime::ZERO,
            pass: [0; SEATS_MAX],
            catching_up: false,
        }
    }
}
