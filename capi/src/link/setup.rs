//! Link level: setup, gaps and messages
//!
//! What a lobby changes of a link while it runs, what its audio half reports besides packets, and the messages between
//! halves that share no memory.

use crate::{
    handle::Fault,
    link::{message::poll_message, words::*},
    sized::{self, put, slice},
    status::*,
    words::*,
};
use link_modem::Reconfigure;
use link_rig::RigLink;
use link_transport::{Mode, Plan, Role, SessionKey};

/// Input that was missing. Frozen.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_gap {
    /// When it started.
    pub at_us: u64,
    /// How long it was, or -1 while it lasts: each gap is told twice.
    pub lasted_us: i64,
}

/// Sends in this mode, `DUEL_MODE_…`, from the next point at which the link can switch.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_set_mode(link: *mut duel_link, mode: duel_mode) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.free_hand()?;
        let mode = Mode::word(mode)?;
        this.shared.with(|link| link.set_mode(mode));
        Ok(DUEL_OK)
    })
}

/// Frames marked `keyed` go out under this key from now on, and packets under it are told as such. Both phones need the
/// same pair of numbers, 1 to 65,535 each, such as one drawn by either.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_set_session_key(
    link: *mut duel_link,
    host_nonce: u32,
    guest_nonce: u32,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.free_hand()?;
        let nonce = |nonce: u32| match u16::try_from(nonce) {
            Ok(0) | Err(_) => Err(Fault::argument(format_args!("nonce {nonce}: 1 to 65535"))),
            Ok(nonce) => Ok(nonce),
        };
        let key = SessionKey {
            host_nonce: nonce(host_nonce)?,
            guest_nonce: nonce(guest_nonce)?,
        };
        this.shared.with(|link| link.set_session_key(key));
        Ok(DUEL_OK)
    })
}

/// Changes plan, role and what is listened to, from the next symbol on: to fall back to the low plan, to switch roles, to
/// begin or end a self-test. A guest's lobby calls it with `DUEL_LISTEN_DETECT`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_set_bands(
    link: *mut duel_link,
    plan: duel_plan,
    role: duel_role,
    listen: duel_listen,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        let tx = Role::word(role)?;
        let change = Reconfigure::default()
            .with_plan(Plan::word(plan)?)
            .with_tx(tx)
            .with_rx(crate::words::listen(listen, tx)?);
        this.modem(|link| link.reconfigure(change))?
            .map_err(bad_rate)?;
        Ok(DUEL_OK)
    })
}

/// Sets the loudness, 0 to 1.5; 0 is silence, and the modem only listens.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_set_gain(link: *mut duel_link, gain: f32) -> duel_status {
    crate::handle::enter!(link, |this| {
        let gain = legal_gain(gain)?;
        this.modem(|link| link.set_gain(gain))?;
        Ok(DUEL_OK)
    })
}

/// The next start or end of missing input; `DUEL_EMPTY` when there is none. A rig wants them: `duel_rig_watch` takes
/// them itself.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `gap` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_poll_gap(
    link: *mut duel_link,
    gap: *mut duel_gap,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        if gap.is_null() {
            return Err(Fault::null("gap"));
        }
        let Some(next) = this.modem(RigLink::take_gap)? else {
            return Ok(DUEL_EMPTY);
        };
        let lasted = next.lasted.map(|span| span.as_micros());
        let out = duel_gap {
            at_us: next.at.as_us(),
            lasted_us: lasted.map_or(DUEL_NONE.into(), |us| us as i64),
        };
        // SAFETY: the caller's promise.
        unsafe { put(gap, out, "gap") }?;
        Ok(DUEL_OK)
    })
}

/// The next thing the modem refused, `DUEL_FAULT_…`, its sentence in the detail; `DUEL_EMPTY` when there is none. None of
/// them stops it.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `fault` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_poll_refusal(
    link: *mut duel_link,
    fault: *mut duel_fault,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        if fault.is_null() {
            return Err(Fault::null("fault"));
        }
        match this.modem(RigLink::take_refusal)? {
            Some(refusal) => {
                // SAFETY: the caller's promise.
                unsafe { put(fault, modem_fault_word(refusal), "fault") }?;
                Ok(DUEL_OK)
            }
            None => Ok(DUEL_EMPTY),
        }
    })
}

/// Says that the audio half died in a way that it cannot tell of itself: its thread or its wasm instance is gone.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_pump_failed(link: *mut duel_link) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.modem(RigLink::pump_failed)?;
        Ok(DUEL_OK)
    })
}

/// The next message for the other half (`duel_pump_push_message`), or of a relay for the other end's relay;
/// `DUEL_EMPTY` when there is none. `bytes` has room for `DUEL_MESSAGE_BYTES`. Nothing for a link made with its pump.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `bytes` points to `capacity` bytes; `length` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_poll_message(
    link: *mut duel_link,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        // SAFETY: the caller's promise.
        unsafe {
            poll_message(bytes, capacity, length, |message| {
                this.shared.with(|link| link.poll_message(message))
            })
        }
    })
}

/// A message of the other half (`duel_pump_poll_message`), whole; of a relay, bytes of the other end's as they come, cut
/// anywhere. It counts at the next poll.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the bytes are copied.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_push_message(
    link: *mut duel_link,
    bytes: *const u8,
    length: usize,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, length, "bytes") }?;
        this.shared.with(|link| link.push_message(bytes))?;
        Ok(DUEL_OK)
    })
}

/// Stops sending and receiving for good: the audio half plays silence from its next block on.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_close(link: *mut duel_link) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.free_hand()?;
        this.shared.with(|link| link.close());
        Ok(DUEL_OK)
    })
}

/// The setup as it is now: with the plan found, and the loudness set. What a pump of its own (`duel_pump_new`) is made
/// with after a reset.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `config` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_get_config(
    link: *mut duel_link,
    config: *mut duel_link_config,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        let now = this.modem(|link| link.config())?;
        let out = duel_link_config {
            struct_size: 0,
            sample_rate_hz: now.sample_rate_hz,
            plan: plan_word(now.plan),
            role: role_word(now.tx),
            listen: listen_word(now.rx, now.tx),
            gain: now.gain,
            receive_only: i32::from(now.gain <= 0.0),
        };
        // SAFETY: the caller's promise.
        unsafe { sized::write(config, &out) }?;
        Ok(DUEL_OK)
    })
}
