//! What members know of a state that differs. Knows no session.

use crate::{Frame, wire::Parts};
use alloc::{string::String, vec::Vec};
use net_transport::NetTime;

/// What one member knows of a state that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Testimony {
    /// Whose.
    pub member: u8,
    /// False if it never came to that frame; nothing else counts then.
    pub known: bool,
    /// The state's hash.
    pub hash: u64,
    /// The digest of each seat's inputs before the frame. Where these differ, somebody told two members different inputs;
    /// where only hashes differ, the game is broken.
    pub digests: Vec<u64>,
    /// The hash's parts.
    pub parts: Vec<(String, u64)>,
}

/// A state that differs between members: what a desync bundle needs beside the state at [`Desync::agreed`] and the
/// confirmed inputs since, which the host has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Desync {
    /// The position whose state differs.
    pub frame: Frame,
    /// The newest position whose state all held alike.
    pub agreed: Frame,
    /// What each member knows, this end first.
    pub testimonies: Vec<Testimony>,
    pub(crate) since: NetTime,
}

impl Testimony {
    pub(crate) fn new(member: u8, parts: &Parts<'_>) -> Self {
        Self {
            member,
            known: parts.known,
            hash: parts.hash,
            digests: parts.digests[..usize::from(parts.seats)].to_vec(),
            parts: parts
                .parts
                .iter()
                .map(|part| (String::from(part.name), part.hash))
                .collect(),
        }
    }
}
