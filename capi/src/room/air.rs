//! A packet air
//!
//! Two `duel_link` handles in one program that hear each other without sound, thousands of times faster than it.

use crate::{
    handle::{self, Fault},
    link::{Link, duel_link, duel_practice_config},
    room::air_end,
    sized::{self, put},
    status::*,
};
use core::{ffi::c_char, time::Duration};
use link_transport::{AirConfig, Loss};

/// Makes both ends of a packet air, for tests in one program: no sound, no messages to carry. Both ends on one thread.
///
/// Thread: the game's, both.
/// Realtime: no.
/// Owns: the caller owns both: `duel_link_free`.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_air_new(
    config: *const duel_practice_config,
    why: *mut c_char,
    why_bytes: usize,
    host: *mut *mut duel_link,
    guest: *mut *mut duel_link,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = unsafe { sized::read(config) }?;
        let (plan, _, loss, snr_db) = config.checked()?;
        if host.is_null() || guest.is_null() {
            return Err(Fault::null("host or guest"));
        }
        let latency_ms = match config.latency_ms {
            0 => 250,
            given => given,
        };
        let air = AirConfig::default().with_plan(plan).with_latency(Duration::from_millis(latency_ms.into())).with_loss([if loss > 0.0 { Loss::Bernoulli(loss) } else { Loss::None }; 2]).with_snr_db([snr_db; 2]);
        let [a, b] = air_end::pair(air, config.seed).map(Link::new);
        let (a, b) = handle::new_pair(a, b)?;
        unsafe {
            put(host, a, "host")?;
            put(guest, b, "guest")?;
        }
        Ok(DUEL_OK)
    })
}
