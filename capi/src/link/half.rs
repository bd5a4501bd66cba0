//! Link level: the game's half
//!
//! Messages over sound, and nothing else. `duel_link_new` makes both halves of a live link: a `duel_link` for the game's
//! thread and a `duel_pump` for the audio thread. Hand the link the frames you want to be heard; each is repeated, one
//! a packet, until you hand over others. Nothing is acknowledged: packets arrive or do not. A frame is at most
//! `duel_link_capacity_bits` long, 186 or 188 bits; packets always hold that many, filled up with zeros, so a frame has
//! to say itself how long it is.
//!
//! Time is yours: every call takes microseconds of any clock of yours that never goes back.

use crate::{
    handle::{self, Board, Fault, Kind},
    link::{
        shared::{self, Held, Shared},
        words::*,
    },
    sized::{self, put, slice},
    status::*,
    words::*,
};
use core::ffi::c_char;
use link_rig::RigLink;
use link_transport::{FRAMES_MAX, FrameBits, LinkEvent, OutFrame};

impl Kind for duel_link {
    type Body = Link;
    const NUMBER: u8 = 1;
    type Hold = Held;

    fn hold(body: &Link) -> Option<Held> {
        body.shared.hold()
    }

    fn show_on(body: &Link, board: &'static Board) -> bool {
        body.shared.show_on(board)
    }

    fn show_nowhere(body: &Link) {
        body.shared.show_nowhere();
    }
}

/// What a link's handle stands for.
pub(crate) struct Link {
    pub(crate) shared: Shared,
}

impl Link {
    pub(crate) const fn new(shared: Shared) -> Self {
        Self { shared }
    }

    fn of(modem: RigLink) -> Self {
        Self::new(Shared::new(Box::new(modem)))
    }

    /// Refuses what would come between a session and its link.
    pub(crate) fn free_hand(&self) -> Result<(), Fault> {
        if self.shared.is_taken() {
            let why = "a session has this link: send and poll through the session";
            return Err(Fault::new(DUEL_TAKEN, why));
        }
        Ok(())
    }

    /// The modem's link; an error for a link without one.
    pub(crate) fn modem<R>(&self, inside: impl FnOnce(&mut RigLink) -> R) -> Result<R, Fault> {
        self.shared.with(|link| match link.modem() {
            Some(modem) => Ok(inside(modem)),
            None => Err(Fault::new(DUEL_UNSUPPORTED, "a practice link has no modem")),
        })
    }
}

/// What a modem of that configuration allocates at most, bytes. Held against a counting allocator by a test.
fn modem_bytes(rate_hz: u32) -> u64 {
    // Tables and filters grow with the rate; the queues and the transforms of the 6 kHz front end do not.
    1_400_000 + 2 * u64::from(rate_hz)
}

/// Writes how many bytes `duel_link_new` with this configuration allocates at most, both halves together. Neither half
/// allocates afterwards, but for `duel_link_reset`, which allocates as much again before it frees the old modem.
///
/// Thread: any.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_memory_bytes(
    config: *const duel_link_config,
    bytes: *mut u64,
) -> duel_status {
    crate::handle::enter!(core::ptr::null_mut(), 0 => {
        // SAFETY: the caller's promise.
        let config = modem_config(&unsafe { sized::read(config) }?)?;
        unsafe { put(bytes, modem_bytes(config.sample_rate_hz), "bytes") }?;
        Ok(DUEL_OK)
    })
}

/// Makes both halves of a live link. With `pump` NULL there is no audio half: the host makes one elsewhere
/// (`duel_pump_new`) and carries the messages between them.
///
/// `why` takes a sentence when it fails, cut to `why_bytes`; NULL if not wanted.
///
/// Thread: the game's; the pump may go to another thread at once.
/// Realtime: no.
/// Owns: the caller owns both, and frees them in any order.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_new(
    config: *const duel_link_config,
    why: *mut c_char,
    why_bytes: usize,
    link: *mut *mut duel_link,
    pump: *mut *mut duel_pump,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let config = modem_config(&unsafe { sized::read(config) }?)?;
        if link.is_null() {
            return Err(Fault::null("link"));
        }
        if pump.is_null() {
            let made = RigLink::alone(config).map_err(bad_rate)?;
            let made = handle::new(Link::of(made))?;
            unsafe { put(link, made, "link") }?;
        } else {
            let (made, half) = RigLink::pair(config).map_err(bad_rate)?;
            let (made, half) = handle::new_pair(Link::of(made), half)?;
            unsafe {
                put(link, made, "link")?;
                put(pump, half, "pump")?;
            }
        }
        Ok(DUEL_OK)
    })
}

/// Gives the link a new modem at another sample rate: for a device that was opened anew. Setup, frames, mode and session
/// key are handed on, counts and the clock go on, and a session on the link notices only a pause. The old pump plays
/// silence from then on: free it. `pump` NULL as in `duel_link_new`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: the caller owns the new pump.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `pump` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_reset(
    link: *mut duel_link,
    sample_rate_hz: u32,
    pump: *mut *mut duel_pump,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        if pump.is_null() {
            this.modem(|link| link.rebuild_alone(sample_rate_hz))?
                .map_err(bad_rate)?;
        } else {
            let half = this
                .modem(|link| link.rebuild(sample_rate_hz))?
                .map_err(bad_rate)?;
            // SAFETY: the caller's promise.
            unsafe { put(pump, handle::new(half)?, "pump") }?;
        }
        Ok(DUEL_OK)
    })
}

/// Frees a link; NULL is fine. Its pump plays silence from then on. A session that has the link keeps it alive.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: takes the handle.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle that nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_free(link: *mut duel_link) -> duel_status {
    crate::handle::enter!(free link)
}

/// Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
///
/// Thread: the game's.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_detail(link: *mut duel_link) -> *const c_char {
    crate::handle::enter!(detail link)
}

/// Replaces the frames being sent, at most `DUEL_FRAMES_MAX`; none is fine, and packets of zeros go out then. Each frame
/// is repeated until the next call.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing; the frames are copied.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `frames` points to `count` frames.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_send(
    link: *mut duel_link,
    frames: *const duel_frame,
    count: usize,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.free_hand()?;
        if count > FRAMES_MAX {
            return Err(Fault::argument(format_args!(
                "{count} frames: at most {FRAMES_MAX}"
            )));
        }
        let mut checked = [OutFrame {
            bits: FrameBits::EMPTY,
            key: 0,
            keyed: false,
        }; FRAMES_MAX];
        let capacity = this.shared.with(|link| link.capacity_bits());
        // SAFETY: the caller's promise.
        let frames = unsafe { slice(frames, count, "frames") }?;
        for (at, (frame, checked)) in frames.iter().zip(&mut checked).enumerate() {
            let bits = frame.bit_count as usize;
            if bits > capacity {
                return Err(Fault::argument(format_args!(
                    "frame {at} has {bits} bits: the link carries {capacity}"
                )));
            }
            *checked = OutFrame {
                bits: FrameBits::from_bytes(&frame.bits, bits),
                key: frame.key,
                keyed: flag(frame.keyed, "keyed")?,
            };
        }
        let checked = &checked[..count];
        if !checked.is_sorted_by(|a, b| a.key < b.key) {
            return Err(Fault::argument("the frames' keys do not ascend"));
        }
        this.shared.with(|link| link.send(checked));
        Ok(DUEL_OK)
    })
}

/// The next thing that happened up to `now_us`, in order of time; `DUEL_EMPTY` when there is no more. Call it until then,
/// every frame of yours. A `now_us` before the last one counts as the last one.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `event` is NULL or an event whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_poll(
    link: *mut duel_link,
    now_us: u64,
    event: *mut duel_link_event,
) -> duel_status {
    crate::handle::enter!(link, |this| {
        this.free_hand()?;
        // SAFETY: the caller's promise.
        unsafe { sized::check_out(event) }?;
        let now = time(now_us)?;
        let polled = this.shared.with(|link| link.poll(now));
        let Some(polled) = polled else {
            return Ok(DUEL_EMPTY);
        };
        unsafe { sized::write(event, &event_of(&polled)) }?;
        Ok(DUEL_OK)
    })
}

fn event_of(event: &LinkEvent) -> duel_link_event {
    let mut out = duel_link_event {
        struct_size: 0,
        kind: 0,
        at_us: 0,
        bit_count: 0,
        session: 0,
        snr_db: f32::NAN,
        key: DUEL_NONE.into(),
        bits: [0; DUEL_FRAME_BYTES],
    };
    match event {
        LinkEvent::Packet(packet) => {
            let bytes = packet.bits.as_bytes();
            out.kind = DUEL_LINK_PACKET;
            out.at_us = packet.at.as_us();
            out.bit_count = packet.bits.len() as u32;
            out.session = packet.session.into();
            out.snr_db = packet.snr_db.unwrap_or(f32::NAN);
            out.bits[..bytes.len()].copy_from_slice(bytes);
        }
        LinkEvent::Slot(slot) => {
            out.kind = DUEL_LINK_SLOT;
            out.at_us = slot.at.as_us();
            out.key = slot.key.map_or(DUEL_NONE.into(), i64::from);
        }
        _ => {}
    }
    out
}

/// The most bits a frame can have now: 188 on the high plan, 186 on the low one or while it is not found; 0 for no
/// handle.
///
/// Thread: any, at any time.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_capacity_bits(link: *mut duel_link) -> u32 {
    crate::handle::enter!(shown link, |_| 0, |words| { shared::from_words(words).capacity_bits })
}

/// How the link is doing, as of the last call on it or on its session. Never `DUEL_BUSY`, and in no other call's way; leaves
/// no detail.
///
/// Thread: any, at any time.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `link` is NULL or a handle; `status` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_link_get_status(
    link: *mut duel_link,
    status: *mut duel_link_status,
) -> duel_status {
    crate::handle::enter!(shown link, |refused| refused, |words| {
        // SAFETY: the caller's promise.
        match unsafe { sized::write(status, &shared::from_words(words)) } {
            Ok(()) => DUEL_OK,
            Err(fault) => fault.status,
        }
    })
}
