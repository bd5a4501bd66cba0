//! What every link that a handle stands for can do, whatever carries it. Knows no handle.

use crate::{
    handle::Fault,
    link::words::{duel_link_status, modem_fault_word},
    status::DUEL_BAD_DATA,
    words::{DUEL_NONE, mode_word, plan_word},
};
use link_modem::half::MESSAGE_BYTES_MAX;
use link_rig::RigLink;
use link_transport::{LinkTransport, relay::Relay};
use match_feed::duel::Medium;

/// A link of any kind. Sent, since any thread may be the next to call.
pub trait AnyLink: LinkTransport + Send {
    /// The next message for the other half, or of a relay for the other end.
    fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize>;

    fn push_message(&mut self, bytes: &[u8]) -> Result<(), Fault>;

    /// What its matches count as.
    fn medium(&self) -> Medium {
        Medium::Practice
    }

    /// The modem's link, where there is a modem.
    fn modem(&mut self) -> Option<&mut RigLink> {
        None
    }

    /// How it is doing, for C; whether it is taken is not its to know.
    fn status(&self) -> duel_link_status {
        transport_status(self)
    }
}

impl AnyLink for RigLink {
    fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        Self::poll_message(self, bytes)
    }

    fn push_message(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        Self::push_message(self, bytes).map_err(|error| Fault::new(DUEL_BAD_DATA, error))
    }

    fn medium(&self) -> Medium {
        Medium::Sound
    }

    fn modem(&mut self) -> Option<&mut RigLink> {
        Some(self)
    }

    fn status(&self) -> duel_link_status {
        let config = self.config();
        let report = self.newest_report().map(|(_, report)| report);
        duel_link_status {
            detected_plan: self.detected_plan().map_or(DUEL_NONE, plan_word),
            gain: config.gain,
            sample_rate_hz: config.sample_rate_hz,
            fault: self.stopped().map_or(0, modem_fault_word),
            input_peak: report.map_or(f32::NAN, |report| report.peak),
            dropped: report.map_or(0, |report| report.dropped),
            ..transport_status(self)
        }
    }
}

impl AnyLink for Relay {
    fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        Self::poll_message(self).map(|message| {
            bytes[..message.len()].copy_from_slice(&message);
            message.len()
        })
    }

    fn push_message(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let now = self.now();
        self.handle_bytes(now, bytes)
            .map_err(|error| Fault::new(DUEL_BAD_DATA, error))
    }
}

/// What every transport knows of itself.
fn transport_status<L: LinkTransport + ?Sized>(link: &L) -> duel_link_status {
    let stats = link.stats();
    duel_link_status {
        struct_size: 0,
        locked: stats.locked.into(),
        plan: plan_word(stats.plan),
        detected_plan: plan_word(stats.plan),
        tx_mode: mode_word(stats.tx_mode),
        rx_mode: stats.rx_mode.map_or(DUEL_NONE, mode_word),
        rx_good: stats.rx_ok,
        rx_bad: stats.rx_bad,
        last_rx_us: stats
            .last_rx
            .map_or(DUEL_NONE.into(), |at| at.as_us() as i64),
        snr_db: stats.snr_db.unwrap_or(f32::NAN),
        own_snr_db: stats.own_snr_db.unwrap_or(f32::NAN),
        loopback_ms: stats.loopback_ms.unwrap_or(f32::NAN),
        clock_ppm: stats.clock_ppm.unwrap_or(f32::NAN),
        input_peak: f32::NAN,
        gain: f32::NAN,
        capacity_bits: link.capacity_bits() as u32,
        sample_rate_hz: 0,
        fault: 0,
        taken: 0,
        dropped: 0,
    }
}
