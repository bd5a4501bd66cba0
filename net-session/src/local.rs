//! A match with every seat at one machine, through the very requests, inputs and events of a match over a network.

use crate::{
    config::{ConfigError, SessionConfig},
    session::Session,
};
use core::ops::{Deref, DerefMut};
use net_transport::{Carrier, Lane, NetEvent, NetTime, NetTransport, PeerId, SendResult};

/// A transport with nobody at its other end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl NetTransport for Nobody {
    fn carrier(&self) -> Carrier {
        Carrier::Datagram
    }

    fn poll(&mut self, _now: NetTime) -> Option<NetEvent<'_>> {
        None
    }

    fn send(&mut self, _now: NetTime, _peer: PeerId, _lane: Lane, _bytes: &[u8]) -> SendResult {
        SendResult::Gone
    }

    fn disconnect(&mut self, _now: NetTime, _peer: PeerId) {}

    fn next_wake(&self) -> Option<NetTime> {
        None
    }

    fn is_up(&self, _peer: PeerId) -> bool {
        false
    }
}

/// Hot seat: a [`Session`] that needs no network. A host that holds one calls what it would call on a session, and answers
/// the same requests, so that its game has no branch for it.
///
/// Give every seat of the match to `Place::Player`. The input delay may be 0; the prediction does not matter, since every input
/// is known.
#[derive(Debug)]
pub struct LocalSession(Session);

impl LocalSession {
    /// A session that starts by itself.
    ///
    /// # Errors
    /// A configuration that no session can have, or one that leaves a seat to somebody else.
    pub fn new(config: SessionConfig) -> Result<Self, ConfigError> {
        let seats = config.seats;
        let all = ((1_u16 << seats.min(8)) - 1) as u8;
        let (own, open) = (config.own(), config.open.bits());
        if own | open != all {
            return Err(ConfigError {
                field: "place",
                value: own.into(),
                legal: "all seats of a match at one machine, but those that stay open",
            });
        }
        Session::new(config).map(Self)
    }

    /// As [`Session::advance`].
    pub fn advance(&mut self, now: NetTime) {
        self.0.advance(now, &mut Nobody);
    }
}

impl Deref for LocalSession {
    type Target = Session;
    fn deref(&self) -> &Session {
        &self.0
    }
}

impl DerefMut for LocalSession {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.0
    }
}
