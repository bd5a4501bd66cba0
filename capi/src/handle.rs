//! What a handle is, and the one way into every exported function: checks, panic boundary, poison. Knows no duel.

use crate::{
    status::{
        DUEL_BAD_ARGUMENT, DUEL_BAD_HANDLE, DUEL_BUSY, DUEL_NULL, DUEL_OK, DUEL_PANICKED,
        duel_status,
    },
    text::Text,
};
use core::{
    ffi::c_char,
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Why a call did not do what it was asked: a status, and what the handle's detail will say.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    pub status: duel_status,
    pub why: Text,
}

impl Fault {
    pub fn new(status: duel_status, why: impl fmt::Display) -> Self {
        Self {
            status,
            why: Text::of(why),
        }
    }

    pub fn null(what: &str) -> Self {
        Self::new(DUEL_NULL, format_args!("{what} is NULL"))
    }

    pub fn argument(why: impl fmt::Display) -> Self {
        Self::new(DUEL_BAD_ARGUMENT, why)
    }
}

/// What the inside of an exported function comes to.
pub(crate) type Answer = Result<duel_status, Fault>;

/// A kind of handle as C sees it, and what is behind it.
pub(crate) trait Kind {
    type Body;
    /// What its handles begin with, after two words that an allocator may scribble over once they are freed.
    const MAGIC: u64;
}

/// What a handle points to. Small and of one shape for all kinds: the body lies elsewhere, so that a freed handle
/// is still mapped memory wherever the allocator keeps small pieces.
#[repr(C)]
struct Slot<B> {
    _scribble: [u64; 2],
    magic: u64,
    busy: AtomicBool,
    poisoned: bool,
    detail: Text,
    body: *mut B,
}

const FREED: u64 = 0xDEAD_D0E1_DEAD_D0E1;

/// Makes a handle. The only allocation besides the body's own.
pub(crate) fn new<K: Kind>(body: K::Body) -> *mut K {
    let slot = Slot {
        _scribble: [0; 2],
        magic: K::MAGIC,
        busy: AtomicBool::new(false),
        poisoned: false,
        detail: Text::EMPTY,
        body: Box::into_raw(Box::new(body)),
    };
    Box::into_raw(Box::new(slot)).cast()
}

/// What a handle allocates besides its body's own pieces, bytes.
pub(crate) const fn own_bytes<K: Kind>() -> usize {
    size_of::<Slot<K::Body>>() + size_of::<K::Body>()
}

/// A pointer of which the caller of an exported function promised that it is null or a handle.
pub(crate) struct Promised<K>(*mut K);

impl<K> Promised<K> {
    /// # Safety
    /// `handle` is null, or was made by [`new`] for some kind and is not used by anybody else meanwhile.
    pub const unsafe fn new(handle: *mut K) -> Self {
        Self(handle)
    }
}

/// Where a constructor writes why it failed.
pub(crate) struct Why {
    to: *mut c_char,
    bytes: usize,
}

impl Why {
    /// # Safety
    /// `to` is null or points to `bytes` writable bytes.
    pub const unsafe fn new(to: *mut c_char, bytes: usize) -> Self {
        Self { to, bytes }
    }
}

/// A handle entered: left again when dropped.
struct Entered<B> {
    slot: *mut Slot<B>,
}

impl<B> Drop for Entered<B> {
    fn drop(&mut self) {
        // SAFETY: `check` found a live slot, and nothing frees it while it is entered.
        unsafe { (*self.slot).busy.store(false, Ordering::Release) };
    }
}

/// Finds the slot of a handle and enters it.
fn check<K: Kind>(handle: Promised<K>) -> Result<Entered<K::Body>, duel_status> {
    let slot: *mut Slot<K::Body> = handle.0.cast();
    if slot.is_null() {
        return Err(DUEL_NULL);
    }
    if !slot.is_aligned() {
        return Err(DUEL_BAD_HANDLE);
    }
    // SAFETY: promised. Volatile, since a freed handle is looked at on purpose.
    if unsafe { core::ptr::read_volatile(&raw const (*slot).magic) } != K::MAGIC {
        return Err(DUEL_BAD_HANDLE);
    }
    // SAFETY: a live slot.
    if unsafe { (*slot).busy.swap(true, Ordering::Acquire) } {
        return Err(DUEL_BUSY);
    }
    Ok(Entered { slot })
}

/// Runs `inside` on what `handle` stands for.
pub(crate) fn with<K: Kind>(
    handle: Promised<K>,
    inside: impl FnOnce(&mut K::Body) -> Answer,
) -> duel_status {
    let entered = match check(handle) {
        Ok(entered) => entered,
        Err(status) => return status,
    };
    let slot = entered.slot;
    // SAFETY: a live slot, entered.
    if unsafe { (*slot).poisoned } {
        return DUEL_PANICKED;
    }
    // SAFETY: entered, so nobody else uses the body. Only that is referred to: a callback of `inside` that comes back
    // with this handle looks at the slot.
    let body = unsafe { &mut *(*slot).body };
    match catch_unwind(AssertUnwindSafe(|| inside(body))) {
        Ok(Ok(status)) => status,
        Ok(Err(fault)) => {
            // SAFETY: as above.
            unsafe { (*slot).detail = fault.why };
            fault.status
        }
        Err(panic) => {
            let why = Text::of(format_args!("the library failed: {}", message(&*panic)));
            // SAFETY: as above.
            unsafe {
                (*slot).poisoned = true;
                (*slot).detail = why;
            }
            DUEL_PANICKED
        }
    }
}

/// Reads a value from what `handle` stands for; `otherwise` if it stands for nothing.
pub(crate) fn read<K: Kind, R>(
    handle: Promised<K>,
    otherwise: R,
    inside: impl FnOnce(&mut K::Body) -> R,
) -> R {
    let mut found = None;
    with(handle, |body| {
        found = Some(inside(body));
        Ok(DUEL_OK)
    });
    found.unwrap_or(otherwise)
}

/// Runs `inside`, which has no handle.
pub(crate) fn without<R>(panicked: R, inside: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(inside)).unwrap_or(panicked)
}

/// Runs a constructor; why it failed goes to `why`.
pub(crate) fn make(why: Why, inside: impl FnOnce() -> Answer) -> duel_status {
    let fault = match catch_unwind(AssertUnwindSafe(inside)) {
        Ok(Ok(status)) => return status,
        Ok(Err(fault)) => fault,
        Err(panic) => Fault::new(
            DUEL_PANICKED,
            format_args!("the library failed: {}", message(&*panic)),
        ),
    };
    // SAFETY: promised.
    unsafe { fault.why.copy_to(why.to, why.bytes) };
    fault.status
}

/// The text of the last error of a handle; empty for none and for what is no handle.
pub(crate) fn detail<K: Kind>(handle: Promised<K>) -> *const c_char {
    match check(handle) {
        // SAFETY: a live slot; the text lies in it.
        Ok(entered) => unsafe { (*entered.slot).detail.as_ptr() },
        Err(_) => c"".as_ptr(),
    }
}

/// Frees a handle; null is fine.
pub(crate) fn free<K: Kind>(handle: Promised<K>) -> duel_status {
    let entered = match check(handle) {
        Ok(entered) => entered,
        Err(DUEL_NULL) => return DUEL_OK,
        Err(status) => return status,
    };
    let slot = entered.slot;
    core::mem::forget(entered);
    // SAFETY: entered, and made by `new`: both boxes are ours. The magic goes first, and is really written.
    let (slot, body) = unsafe {
        core::ptr::write_volatile(&raw mut (*slot).magic, FREED);
        (Box::from_raw(slot), Box::from_raw((*slot).body))
    };
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(body)));
    drop(slot);
    if dropped.is_ok() {
        DUEL_OK
    } else {
        DUEL_PANICKED
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text")
}

/// The one way into every exported function.
///
/// * `enter!(handle, |body| { … })` checks the handle, runs the block on what it stands for, and comes to a status.
/// * `enter!(handle, otherwise, |body| { … })` the same for a value.
/// * `enter!(why, why_bytes => { … })` runs a constructor, which has no handle yet.
/// * `enter!(detail handle)`, `enter!(free handle)` do what every kind of handle has alike.
/// * `enter!({ … })` runs what has no handle and cannot fail; `enter!(otherwise => { … })` what might.
///
/// Each catches panics; with a handle it is poisoned by one.
macro_rules! enter {
    (detail $handle:expr) => {
        $crate::handle::detail($crate::handle::enter!(@promised $handle))
    };
    (free $handle:expr) => {
        $crate::handle::free($crate::handle::enter!(@promised $handle))
    };
    (@promised $handle:expr) => {
        // SAFETY: the exported function's own promise: null, or a handle.
        unsafe { $crate::handle::Promised::new($handle) }
    };
    ($body:block) => {
        $body
    };
    ($why:expr, $why_bytes:expr => $body:block) => {
        $crate::handle::make(
            // SAFETY: the exported function's own promise: null, or that many writable bytes.
            unsafe { $crate::handle::Why::new($why, $why_bytes) },
            || $body,
        )
    };
    ($otherwise:expr => $body:block) => {
        $crate::handle::without($otherwise, || $body)
    };
    ($handle:expr, |$this:pat_param| $body:block) => {
        $crate::handle::with($crate::handle::enter!(@promised $handle), |$this| $body)
    };
    ($handle:expr, $otherwise:expr, |$this:pat_param| $body:block) => {
        $crate::handle::read($crate::handle::enter!(@promised $handle), $otherwise, |$this| $body)
    };
}

pub(crate) use enter;

/// Declares a kind of handle: its opaque C type and what is behind it.
macro_rules! kind {
    ($($(#[$doc:meta])* $name:ident = $Body:ty, $magic:literal;)*) => {$(
        impl $crate::handle::Kind for $name {
            type Body = $Body;
            // "duel" in the upper half, so that no small number passes.
            const MAGIC: u64 = 0x6475_656C_0000_0000 | $magic;
        }
    )*};
}
pub(crate) use kind;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::duel_set_panic_hook;
    use core::{
        ffi::{CStr, c_void},
        ptr::null_mut,
    };
    use std::sync::Mutex;

    struct Counter;
    struct Other;
    kind! {
        Counter = u32, 0xF1;
        Other = u32, 0xF2;
    }

    fn text(handle: *mut Counter) -> String {
        let text = enter!(detail handle);
        // SAFETY: a text inside a handle.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_str().unwrap().to_owned()
    }

    /// What the hook was called with.
    type Heard = Mutex<Vec<String>>;

    unsafe extern "C" fn hear(userdata: *mut c_void, text: *const c_char) {
        // SAFETY: the test's own list, and a text for the call.
        let (heard, text) = unsafe { (&*userdata.cast::<Heard>(), CStr::from_ptr(text)) };
        heard.lock().unwrap().push(text.to_str().unwrap().into());
    }

    #[test]
    fn a_panic_poisons_and_only_freeing_helps() {
        let handle = new::<Counter>(1);
        let heard = Heard::default();
        let userdata = (&raw const heard).cast_mut().cast();
        // SAFETY: the list outlives the hook.
        assert_eq!(
            unsafe { duel_set_panic_hook(Some(hear), userdata) },
            DUEL_OK
        );
        let status = enter!(handle, |_| { panic!("planted {}", 7) });
        // SAFETY: no hook.
        assert_eq!(unsafe { duel_set_panic_hook(None, null_mut()) }, DUEL_OK);
        assert_eq!(status, DUEL_PANICKED);
        let heard = heard.into_inner().unwrap();
        assert!(
            heard.iter().any(|text| text.contains("planted 7")),
            "{heard:?}"
        );
        assert_eq!(text(handle), "the library failed: planted 7");
        assert_eq!(enter!(handle, |_| { Ok(DUEL_OK) }), DUEL_PANICKED);
        assert_eq!(enter!(free handle), DUEL_OK);
    }

    #[test]
    fn null_foreign_and_reentered_handles_are_told() {
        let handle = new::<Counter>(1);
        let null: *mut Counter = core::ptr::null_mut();
        assert_eq!(enter!(null, |_| { Ok(DUEL_OK) }), DUEL_NULL);
        let foreign: *mut Other = handle.cast();
        assert_eq!(enter!(foreign, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
        assert_eq!(enter!(free foreign), DUEL_BAD_HANDLE);
        let odd: *mut Counter = handle.wrapping_byte_add(1);
        assert_eq!(enter!(odd, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
        let inside = enter!(handle, |_| {
            assert_eq!(enter!(free handle), DUEL_BUSY);
            Ok(enter!(handle, |_| { Ok(DUEL_OK) }))
        });
        assert_eq!(inside, DUEL_BUSY);
        assert_eq!(enter!(free null), DUEL_OK);
        assert_eq!(enter!(free handle), DUEL_OK);
    }

    #[test]
    fn an_error_leaves_its_text() {
        let handle = new::<Counter>(1);
        let refused = enter!(handle, |count| {
            Err(Fault::argument(format_args!("{count} is wrong")))
        });
        assert_eq!(refused, DUEL_BAD_ARGUMENT);
        assert_eq!(text(handle), "1 is wrong");
        assert_eq!(enter!(handle, 0, |count| { *count }), 1);
        assert_eq!(enter!(free handle), DUEL_OK);
    }
}
