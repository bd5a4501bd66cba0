//! The library
//!
//! Which library this is, memory for hosts that have no `malloc` beside it, and what to call when the library itself
//! fails.

use crate::{status::*, text::Text};
use core::ffi::{CStr, c_char, c_void};
use std::alloc::{Layout, alloc, dealloc};

/// The ABI's number: a program built against one runs on every library that says the same.
pub const DUEL_ABI: u32 = 1;

/// `duel_features`: the simulated room and the packet air are there.
pub const DUEL_FEATURE_ROOM: u32 = 1;
/// `duel_features`: the reference game is there.
pub const DUEL_FEATURE_SKIRMISH: u32 = 2;

/// The longest text of the library, its ending zero included: room for any `why`.
pub const DUEL_TEXT_BYTES: usize = 256;
const _: () = assert!(DUEL_TEXT_BYTES == crate::text::TEXT_BYTES);

/// What memory of `duel_alloc` is aligned to.
const ALIGNMENT: usize = 16;

/// Called with a text when the library panics: a bug in it. The text lives for the call only.
pub type duel_panic_fn = Option<unsafe extern "C" fn(userdata: *mut c_void, text: *const c_char)>;

/// Every status there is, with its name.
pub(crate) const STATUSES: [(duel_status, &CStr); 18] = [
    (DUEL_OK, c"DUEL_OK"),
    (DUEL_EMPTY, c"DUEL_EMPTY"),
    (DUEL_STALLED, c"DUEL_STALLED"),
    (DUEL_CLOSED, c"DUEL_CLOSED"),
    (DUEL_NULL, c"DUEL_NULL"),
    (DUEL_BAD_HANDLE, c"DUEL_BAD_HANDLE"),
    (DUEL_BAD_ARGUMENT, c"DUEL_BAD_ARGUMENT"),
    (DUEL_PANICKED, c"DUEL_PANICKED"),
    (DUEL_BAD_SIZE, c"DUEL_BAD_SIZE"),
    (DUEL_TOO_NEW, c"DUEL_TOO_NEW"),
    (DUEL_BUSY, c"DUEL_BUSY"),
    (DUEL_BAD_RATE, c"DUEL_BAD_RATE"),
    (DUEL_NOT_NOW, c"DUEL_NOT_NOW"),
    (DUEL_UNSUPPORTED, c"DUEL_UNSUPPORTED"),
    (DUEL_REFUSED, c"DUEL_REFUSED"),
    (DUEL_BAD_DATA, c"DUEL_BAD_DATA"),
    (DUEL_TOO_SMALL, c"DUEL_TOO_SMALL"),
    (DUEL_TAKEN, c"DUEL_TAKEN"),
];

/// A status code's name, such as `DUEL_EMPTY`, or `DUEL_UNKNOWN`. The string lives as long as the library.
///
/// Thread: any.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
#[unsafe(no_mangle)]
pub extern "C" fn duel_status_name(status: duel_status) -> *const c_char {
    crate::handle::enter!({
        let known = STATUSES.iter().find(|(number, _)| *number == status);
        known.map_or(c"DUEL_UNKNOWN", |(_, name)| name).as_ptr()
    })
}

/// The ABI that this library speaks. Compare it with the header's `DUEL_ABI` at start.
///
/// Thread: any.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
#[unsafe(no_mangle)]
pub extern "C" fn duel_abi() -> u32 {
    crate::handle::enter!({ DUEL_ABI })
}

/// The library's version, such as `0.1.0`. The string lives as long as the library.
///
/// Thread: any.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
#[unsafe(no_mangle)]
pub extern "C" fn duel_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    crate::handle::enter!({ VERSION.as_ptr().cast() })
}

/// Which optional parts this library was built with: `DUEL_FEATURE_…` added up. The functions of a part that is
/// missing are not there to link with.
///
/// Thread: any.
/// Realtime: yes.
/// Owns: nothing.
/// Since: ABI 1.
#[unsafe(no_mangle)]
pub extern "C" fn duel_features() -> u32 {
    crate::handle::enter!({
        let room = if cfg!(feature = "room") {
            DUEL_FEATURE_ROOM
        } else {
            0
        };
        let skirmish = if cfg!(feature = "skirmish") {
            DUEL_FEATURE_SKIRMISH
        } else {
            0
        };
        room | skirmish
    })
}

/// Memory of `bytes` bytes, aligned to 16 and zeroed, or NULL: for hosts that cannot allocate on the library's side
/// themselves, as a page around a wasm instance. C programs use their own.
///
/// Thread: any.
/// Realtime: no.
/// Owns: the caller owns it, until `duel_dealloc` with the same size.
/// Since: ABI 1.
#[unsafe(no_mangle)]
pub extern "C" fn duel_alloc(bytes: usize) -> *mut c_void {
    crate::handle::enter!(core::ptr::null_mut() => {
        match Layout::from_size_align(bytes.max(1), ALIGNMENT) {
            // SAFETY: not of size zero.
            Ok(layout) => unsafe {
                let memory = alloc(layout);
                if !memory.is_null() {
                    memory.write_bytes(0, bytes);
                }
                memory.cast()
            },
            Err(_) => core::ptr::null_mut(),
        }
    })
}

/// Gives back what `duel_alloc` gave for as many bytes. NULL is fine.
///
/// Thread: any.
/// Realtime: no.
/// Owns: takes the memory.
/// Since: ABI 1.
///
/// # Safety
/// `memory` is NULL or came from `duel_alloc(bytes)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_dealloc(memory: *mut c_void, bytes: usize) -> duel_status {
    crate::handle::enter!(DUEL_PANICKED => {
        match Layout::from_size_align(bytes.max(1), ALIGNMENT) {
            Ok(layout) if !memory.is_null() => {
                // SAFETY: the caller's promise.
                unsafe { dealloc(memory.cast(), layout) };
                DUEL_OK
            }
            Ok(_) => DUEL_OK,
            Err(_) => DUEL_BAD_ARGUMENT,
        }
    })
}

/// What to call when the library panics, instead of printing to standard error; NULL prints again. The one thing here
/// that is global to the process: set it once, before anything else. It is called on the thread that failed, on wasm
/// right before the instance traps. A panic is a bug in the library; the handle it happened in answers
/// `DUEL_PANICKED` from then on.
///
/// Thread: any, but not while another thread is in the library.
/// Realtime: no.
/// Owns: nothing; `userdata` must outlive the library's use.
/// Since: ABI 1.
///
/// # Safety
/// `hook` may be called with `userdata` on any thread, at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_set_panic_hook(
    hook: duel_panic_fn,
    userdata: *mut c_void,
) -> duel_status {
    /// The host promised that any thread may use it.
    struct Anywhere(*mut c_void);
    // SAFETY: as above.
    unsafe impl Send for Anywhere {}
    // SAFETY: as above.
    unsafe impl Sync for Anywhere {}

    crate::handle::enter!(DUEL_PANICKED => {
        match hook {
            None => drop(std::panic::take_hook()),
            Some(hook) => {
                let userdata = Anywhere(userdata);
                std::panic::set_hook(Box::new(move |panic| {
                    let userdata = &userdata;
                    let text = Text::of(panic);
                    // SAFETY: the host's promise.
                    unsafe { hook(userdata.0, text.as_ptr()) };
                }));
            }
        }
        DUEL_OK
    })
}
