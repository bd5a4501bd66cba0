//! What a phone's audio devices are to `play`: they do what a rig asks, run a modem's pump, and tell what happened.
//! The simulated room is one such thing, this machine's own devices are another.

mod engine;
#[cfg(feature = "live")]
pub mod live;
pub mod room;

use link_modem::ModemPump;
use link_rig::{Action, Event};
use link_transport::LinkTime;

/// A phone's audio devices.
pub trait Sound {
    /// Does what the rig asks for, and tells what came of it by [`Sound::poll_event`]. Never waits for a device.
    ///
    /// Of a rig's actions this is asked all but `RebuildLink`, which is the link's owner's.
    fn act(&mut self, now: LinkTime, action: Action);

    /// Runs this pump on the open device from now on, in place of the one before.
    fn run_pump(&mut self, pump: ModemPump);

    /// The next thing that happened up to `now`.
    fn poll_event(&mut self, now: LinkTime) -> Option<Event>;

    /// True where what is played and heard is sound in a real room, which people near have to bear.
    fn is_real(&self) -> bool;

    /// The devices in words.
    fn devices(&self) -> String;

    /// How the devices have kept up.
    fn health(&self) -> Health;
}

/// How devices have kept up so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Times the speaker asked for more than the microphone had brought.
    pub starved: u64,
    /// Microphone frames passed over.
    pub dropped: u64,
    /// Errors the devices told of.
    pub errors: u64,
}
