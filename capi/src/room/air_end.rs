//! The ends of a packet air as links. Knows no handle.

use crate::{
    handle::Fault,
    link::{any_link::AnyLink, shared::Shared},
    status::DUEL_UNSUPPORTED,
};
use core::time::Duration;
use link_modem::half::MESSAGE_BYTES_MAX;
use link_transport::{
    AirConfig, AirEnd, LinkEvent, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, PacketAir,
    SessionKey,
};

/// The most air time that one poll lets pass: it works through every packet that would have been on the air.
const STEP_MAX: Duration = Duration::from_secs(3600);

/// Both ends of a new air.
pub fn pair(config: AirConfig, seed: u64) -> [Shared; 2] {
    let (host, guest) = PacketAir::pair(config, seed);
    Shared::pair(Box::new(End(host)), Box::new(End(guest)))
}

struct End(AirEnd);

// SAFETY: the ends count each other without atomics, so both must go from thread to thread together and be dropped
// together. `pair` alone makes them, and puts both into one `Shared`, which never gives out what is in it, lets one call at
// a time at either, and drops them as one.
unsafe impl Send for End {}

impl AnyLink for End {
    fn poll_message(&mut self, _: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        None
    }

    fn push_message(&mut self, _: &[u8]) -> Result<(), Fault> {
        let why = "the ends of a packet air need no messages";
        Err(Fault::new(DUEL_UNSUPPORTED, why))
    }
}

impl LinkTransport for End {
    fn capacity_bits(&self) -> usize {
        self.0.capacity_bits()
    }
    fn send(&mut self, frames: &[OutFrame]) {
        self.0.send(frames);
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.0.poll(now.min(self.0.now() + STEP_MAX))
    }
    fn now(&self) -> LinkTime {
        self.0.now()
    }
    fn set_mode(&mut self, mode: Mode) {
        self.0.set_mode(mode);
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.0.set_session_key(key);
    }
    fn stats(&self) -> LinkStats {
        self.0.stats()
    }
    fn close(&mut self) {
        self.0.close();
    }
}
