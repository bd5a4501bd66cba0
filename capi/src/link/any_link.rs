//! Whichever link a handle stands for, and how a session shares it with that handle. Knows no C.

use crate::{
    handle::Fault,
    link::{
        DUEL_FAULT_FAILED, DUEL_FAULT_GONE, DUEL_FAULT_RATE, DUEL_FAULT_UNREADABLE,
        duel_link_status,
    },
    status::DUEL_BAD_DATA,
    words::{DUEL_NONE, mode_word, plan_word},
};
use link_modem::half::{MESSAGE_BYTES_MAX, ModemFault};
use link_rig::RigLink;
#[cfg(feature = "room")]
use link_transport::AirEnd;
use link_transport::{
    LinkEvent, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, SessionKey, relay::Relay,
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// The most air time that one poll of a packet air lets pass.
#[cfg(feature = "room")]
const AIR_STEP_MAX: core::time::Duration = core::time::Duration::from_secs(3600);

/// A link of any kind.
pub enum AnyLink {
    Modem(Box<RigLink>),
    Relay(Box<Relay>),
    #[cfg(feature = "room")]
    Air(AirEnd),
}

/// Does the same on whichever it is.
macro_rules! each {
    ($this:expr, $link:ident => $what:expr) => {
        match $this {
            AnyLink::Modem($link) => $what,
            AnyLink::Relay($link) => $what,
            #[cfg(feature = "room")]
            AnyLink::Air($link) => $what,
        }
    };
}

impl AnyLink {
    pub fn modem(link: RigLink) -> Self {
        Self::Modem(Box::new(link))
    }

    pub fn poll_message(&mut self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize> {
        match self {
            Self::Modem(link) => link.poll_message(bytes),
            Self::Relay(link) => link.poll_message().map(|message| {
                bytes[..message.len()].copy_from_slice(&message);
                message.len()
            }),
            #[cfg(feature = "room")]
            Self::Air(_) => None,
        }
    }

    pub fn push_message(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        match self {
            Self::Modem(link) => link
                .push_message(bytes)
                .map_err(|error| Fault::new(DUEL_BAD_DATA, error)),
            Self::Relay(link) => {
                let now = link.now();
                link.handle_bytes(now, bytes)
                    .map_err(|error| Fault::new(DUEL_BAD_DATA, error))
            }
            #[cfg(feature = "room")]
            Self::Air(_) => Err(Fault::new(
                crate::status::DUEL_UNSUPPORTED,
                "the ends of a packet air need no messages",
            )),
        }
    }
}

impl LinkTransport for AnyLink {
    fn capacity_bits(&self) -> usize {
        each!(self, link => link.capacity_bits())
    }
    fn send(&mut self, frames: &[OutFrame]) {
        each!(self, link => link.send(frames));
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        match self {
            Self::Modem(link) => link.poll(now),
            Self::Relay(link) => link.poll(now),
            // It works through every packet that would have been on the air.
            #[cfg(feature = "room")]
            Self::Air(link) => link.poll(now.min(link.now() + AIR_STEP_MAX)),
        }
    }
    fn now(&self) -> LinkTime {
        each!(self, link => link.now())
    }
    fn set_mode(&mut self, mode: Mode) {
        each!(self, link => link.set_mode(mode));
    }
    fn set_session_key(&mut self, key: SessionKey) {
        each!(self, link => link.set_session_key(key));
    }
    fn stats(&self) -> LinkStats {
        each!(self, link => link.stats())
    }
    fn close(&mut self) {
        each!(self, link => link.close());
    }
}

/// A link that its handle and a session hold together: whoever is freed last frees it.
///
/// Both belong to the game's thread, and nothing calls back while a link is at work, so a borrow never meets another.
#[derive(Clone)]
pub struct Shared {
    link: Rc<RefCell<AnyLink>>,
    taken: Rc<Cell<bool>>,
}

impl Shared {
    pub fn new(link: AnyLink) -> Self {
        Self {
            link: Rc::new(RefCell::new(link)),
            taken: Rc::new(Cell::new(false)),
        }
    }

    pub fn with<R>(&self, inside: impl FnOnce(&mut AnyLink) -> R) -> R {
        inside(&mut self.link.borrow_mut())
    }

    pub fn is_taken(&self) -> bool {
        self.taken.get()
    }

    pub fn is_practice(&self) -> bool {
        !matches!(&*self.link.borrow(), AnyLink::Modem(_))
    }

    /// For a session: the same link, taken until the session drops it. `None` if another session has it.
    pub fn take(&self) -> Option<Taken> {
        (!self.taken.replace(true)).then(|| Taken(self.clone()))
    }

    pub fn capacity_bits(&self) -> usize {
        self.link.borrow().capacity_bits()
    }

    pub fn status(&self) -> duel_link_status {
        let link = &*self.link.borrow();
        let stats = link.stats();
        let mut out = duel_link_status {
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
            taken: self.is_taken().into(),
            dropped: 0,
        };
        if let AnyLink::Modem(link) = link {
            let config = link.config();
            out.detected_plan = link.detected_plan().map_or(DUEL_NONE, plan_word);
            out.gain = config.gain;
            out.sample_rate_hz = config.sample_rate_hz;
            out.fault = link.stopped().map_or(0, modem_fault_word);
            if let Some((_, report)) = link.newest_report() {
                out.input_peak = report.peak;
                out.dropped = report.dropped;
            }
        }
        out
    }
}

pub fn modem_fault_word(fault: ModemFault) -> i32 {
    match fault {
        ModemFault::Rate(_) => DUEL_FAULT_RATE,
        ModemFault::Unreadable => DUEL_FAULT_UNREADABLE,
        ModemFault::Gone => DUEL_FAULT_GONE,
        _ => DUEL_FAULT_FAILED,
    }
}

/// A link as a session has it.
pub struct Taken(Shared);

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.taken.set(false);
    }
}

impl LinkTransport for Taken {
    fn capacity_bits(&self) -> usize {
        self.0.capacity_bits()
    }
    fn send(&mut self, frames: &[OutFrame]) {
        self.0.with(|link| link.send(frames));
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.0.with(|link| link.poll(now))
    }
    fn now(&self) -> LinkTime {
        self.0.link.borrow().now()
    }
    fn set_mode(&mut self, mode: Mode) {
        self.0.with(|link| link.set_mode(mode));
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.0.with(|link| link.set_session_key(key));
    }
    fn stats(&self) -> LinkStats {
        self.0.link.borrow().stats()
    }
    fn close(&mut self) {
        self.0.with(LinkTransport::close);
    }
}
