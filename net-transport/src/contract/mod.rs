//! What every transport promises, numbered, and [`check`], which holds one to it.
//!
//! 1. **Up.** [`NetEvent::PeerUp`] comes once a peer, before anything else of it; messages go to nobody else.
//! 2. **Draining.** `poll` comes to `None`. A host that polls only at `next_wake` and when bytes have come misses nothing.
//! 3. **Reliable.** Messages of 0 to 65,536 bytes arrive once, whole and in order, whatever the weather.
//! 4. **Fast.** Messages of 0 to 1,200 bytes pass whole in clear weather.
//! 5. **Fresh.** A fast message arrives within a second of `send`, or never; what a stream itself had to repeat may come later.
//! 6. **What it says it is.** Over [`Carrier::Datagram`] what is lost stays lost and delays nothing; over
//!    [`Carrier::Stream`] fast messages arrive undamaged and in order.
//! 7. **Full.** A lane without room says `Full` and keeps nothing of the message: it holds less than 4 MiB, and takes
//!    messages again later.
//! 8. **Apart.** Over [`Carrier::Datagram`] a reliable message, however long, does not hold up the fast lane.
//! 9. **Too long.** A message longer than its lane takes is refused as `TooLong`, peers and lanes unharmed.
//! 10. **Gone.** Sending to a peer that is not up says `Gone`; `is_up` says the same.
//! 11. **Down.** [`NetEvent::PeerDown`] comes once a peer and nothing of that peer after it: `Local` where it was
//!     disconnected, `Closed` or `Lost` at the other end. Other peers notice nothing.

mod crew;
mod rules;

use crate::{NetTime, NetTransport};
use alloc::{boxed::Box, string::String};
use core::fmt;

#[cfg(doc)]
use crate::{Carrier, NetEvent};

/// Under which conditions a [`Rig`] is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weather {
    /// Nothing is lost, damaged or reordered. A limited bandwidth (a few Mbit/s) makes rule 8 bite.
    Clear,
    /// At least a tenth of what passes is lost, and none of it waits longer than half a second.
    Rough,
}

/// Two or more connected ends of one kind of transport, and a way to let time pass.
pub trait Rig {
    /// How many ends, each a peer of every other one; at least 2.
    fn ends(&self) -> usize;
    /// One of them.
    fn end(&mut self, at: usize) -> &mut dyn NetTransport;
    /// What that end's clock shows.
    fn now(&mut self, at: usize) -> NetTime;
    /// Lets `us` microseconds pass, or a little more.
    fn pass(&mut self, us: u64);
    /// Whether bytes came for that end that its `next_wake` knew nothing of. A rig that cannot tell says `true`.
    fn heard(&mut self, _at: usize) -> bool {
        true
    }
}

/// The rule that a transport broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its number in [the contract](self).
    pub rule: u8,
    /// What was seen.
    pub why: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}: {}", self.rule, self.why)
    }
}

impl core::error::Error for Broken {}

/// Holds a transport to the contract. `make` builds new, unpolled rigs, and may say `None` to [`Weather::Rough`] alone,
/// if it has no way to spoil the weather: the answer is then that rules 3 and 6 were held in clear weather only
/// (`Ok(false)`).
///
/// Takes about a minute of the rig's time.
///
/// # Errors
/// The first rule found broken.
pub fn check(make: &mut dyn FnMut(Weather) -> Option<Box<dyn Rig>>) -> Result<bool, Broken> {
    rules::clear(make)?;
    match make(Weather::Rough) {
        Some(rig) => rules::rough(rig).map(|()| true),
        None => Ok(false),
    }
}
