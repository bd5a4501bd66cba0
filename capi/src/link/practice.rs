//! Links without sound
//!
//! For practice and for tests: they are `duel_link` handles like any other, and a session plays over them the same way. A
//! relay moves messages over a byte stream of the host's: what `duel_link_poll_message` gives at one end goes into
//! `duel_link_push_message` at the other. (`duel_air_new` joins two ends in one program.)

use crate::{
    handle::{self, Fault},
    link::{Link, duel_link, shared::Shared},
    sized::{self, put, sized},
    status::*,
    words::*,
};
use core::{ffi::c_char, time::Duration};
use link_transport::{
    Plan, Role,
    relay::{Relay, RelayConfig},
};

/// How a practice link is set up. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_practice_config {
    /// `sizeof(duel_practice_config)`.
    pub struct_size: u32,
    /// The band plan that is played on: it gives the pace and the capacity, `DUEL_PLAN_…`.
    pub plan: i32,
    /// A relay's own role, `DUEL_ROLE_…`.
    pub role: i32,
    /// From a packet's start to its arrival; at most 2,000. 0: what the packet itself takes, or 250 in a packet air.
    pub latency_ms: u32,
    /// Packets of a thousand that get lost.
    pub loss_permille: u32,
    /// What each end says of what it hears; 0: 21.
    pub snr_db: f32,
    /// Decides losses, and when packets start.
    pub seed: u64,
}

sized! {
    duel_practice_config to seed;
}

impl duel_practice_config {
    pub(crate) fn checked(&self) -> Result<(Plan, Role, f64, f32), Fault> {
        if self.latency_ms > 2000 {
            return Err(Fault::argument(format_args!(
                "latency_ms {}: at most 2000",
                self.latency_ms
            )));
        }
        if self.loss_permille > 1000 {
            return Err(Fault::argument(format_args!(
                "loss_permille {}: at most 1000",
                self.loss_permille
            )));
        }
        if !self.snr_db.is_finite() {
            return Err(Fault::argument("snr_db is not a number"));
        }
        let snr_db = if self.snr_db == 0.0 {
            21.0
        } else {
            self.snr_db
        };
        let loss = f64::from(self.loss_permille) / 1000.0;
        Ok((Plan::word(self.plan)?, Role::word(self.role)?, loss, snr_db))
    }
}

/// Makes one end of a relay: carry its messages over any byte stream.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns it: `duel_link_free`.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_relay_new(
    config: *const duel_practice_config,
    why: *mut c_char,
    why_bytes: usize,
    link: *mut *mut duel_link,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = unsafe { sized::read(config) }?;
        let (plan, role, loss, snr_db) = config.checked()?;
        if link.is_null() {
            return Err(Fault::null("link"));
        }
        let relay = Relay::new(
            RelayConfig::new(role).with_plan(plan).with_latency(Duration::from_millis(config.latency_ms.into())).with_loss(loss).with_snr_db(snr_db),
            config.seed,
        );
        let made = Link::new(Shared::new(Box::new(relay)));
        unsafe { put(link, handle::new(made)?, "link") }?;
        Ok(DUEL_OK)
    })
}
