//! What a handle is, and the one way into every exported function: checks, panic boundary, poison. Knows no duel.
//!
//! A handle looks like a pointer and is a number: [`table`] says what it leads to, and nothing follows it. So any value at
//! all may be handed in, from any thread, at any time.

mod board;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use board::{Board, WORDS};

use crate::{
    status::{
        DUEL_BAD_ARGUMENT, DUEL_BAD_HANDLE, DUEL_BUSY, DUEL_NULL, DUEL_OK, DUEL_PANICKED,
        DUEL_REFUSED, duel_status,
    },
    text::Text,
};
use core::{ffi::c_char, fmt, ptr::without_provenance_mut};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};
use table::{POISONED, Place, Refused, Table};

/// Every handle there is: beside the panic hook the one thing here that is global to the process.
static TABLE: Table = Table::new();

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
    /// Sent, since any thread may be the next to call.
    type Body: Send;
    /// Which kind it is; not 0.
    const NUMBER: u8;
    /// What a call has to itself besides the body.
    type Hold: Hold;

    /// Takes what a call has to itself; `None` if another call has it.
    fn hold(body: &Self::Body) -> Option<Self::Hold>;

    /// Shows on `board` from now on what [`shown`] reads; false if another call is in the way.
    fn show_on(_body: &Self::Body, _board: &'static Board) -> bool {
        true
    }

    /// Shows nothing there any more. The caller holds what [`Self::hold`] gives.
    fn show_nowhere(_body: &Self::Body) {}
}

/// What a call has to itself, until dropped.
pub(crate) trait Hold {
    /// After a call that did not panic.
    fn settle(&mut self) {}
}

impl Hold for () {}

/// Makes a handle.
pub(crate) fn new<K: Kind>(body: K::Body) -> Result<*mut K, Fault> {
    let Some(reserved) = TABLE.reserve() else {
        return Err(Fault::new(DUEL_REFUSED, "too many handles are live"));
    };
    if !K::show_on(&body, reserved.slot().board()) {
        return Err(Fault::new(DUEL_BUSY, "another call is in the way"));
    }
    let number = reserved.fill(K::NUMBER, Box::into_raw(Box::new(body)));
    Ok(without_provenance_mut(number))
}

/// Makes two handles or none.
pub(crate) fn new_pair<A: Kind, B: Kind>(
    a: A::Body,
    b: B::Body,
) -> Result<(*mut A, *mut B), Fault> {
    let a = new::<A>(a)?;
    match new::<B>(b) {
        Ok(b) => Ok((a, b)),
        Err(fault) => {
            free(a);
            Err(fault)
        }
    }
}

/// What a handle allocates besides its body's own pieces, bytes.
pub(crate) const fn own_bytes<K: Kind>() -> usize {
    size_of::<K::Body>()
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

/// Where a handle leads, if it leads anywhere.
fn find<K: Kind>(handle: *mut K) -> Result<Place<'static>, duel_status> {
    if handle.is_null() {
        return Err(DUEL_NULL);
    }
    TABLE.find(handle.addr(), K::NUMBER).ok_or(DUEL_BAD_HANDLE)
}

const fn status_of(refused: Refused) -> duel_status {
    match refused {
        Refused::Unknown => DUEL_BAD_HANDLE,
        Refused::Busy => DUEL_BUSY,
        Refused::Poisoned => DUEL_PANICKED,
    }
}

/// A slot entered: left again when dropped.
struct Entered {
    place: Place<'static>,
    /// What its state becomes besides.
    poison: usize,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.place.leave(self.poison);
    }
}

impl Entered {
    fn set_detail(&self, why: Text) {
        // SAFETY: entered, so nobody else of ours touches it.
        unsafe { self.place.slot.detail().write(why) };
    }
}

/// Runs `inside` on what `handle` stands for.
pub(crate) fn with<K: Kind>(
    handle: *mut K,
    inside: impl FnOnce(&mut K::Body) -> Answer,
) -> duel_status {
    let place = match find(handle) {
        Ok(place) => place,
        Err(status) => return status,
    };
    if let Err(refused) = place.enter() {
        return status_of(refused);
    }
    let mut entered = Entered { place, poison: 0 };
    // SAFETY: `new` made it of this kind, and whoever is in the slot has it alone. A callback of `inside` that comes back
    // with this handle is refused before it gets here.
    let body = unsafe { &mut *place.slot.body::<K::Body>() };
    // Dropped before `entered`.
    let Some(mut held) = K::hold(body) else {
        return DUEL_BUSY;
    };
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let answer = inside(body);
        held.settle();
        answer
    }));
    match answer {
        Ok(Ok(status)) => status,
        Ok(Err(fault)) => {
            entered.set_detail(fault.why);
            fault.status
        }
        Err(panic) => {
            entered.poison = POISONED;
            entered.set_detail(failed(&*panic).why);
            DUEL_PANICKED
        }
    }
}

/// What is shown of `handle`, without entering it: from any thread, whatever else is going on.
pub(crate) fn shown<K: Kind>(handle: *mut K) -> Result<[u32; WORDS], duel_status> {
    let place = find(handle)?;
    let is_live = || match place.look() {
        Ok(()) | Err(Refused::Busy) => Ok(()),
        Err(refused) => Err(status_of(refused)),
    };
    is_live()?;
    let words = place.slot.board().read();
    // If the handle was freed meanwhile they may be another's.
    is_live()?;
    Ok(words)
}

/// Reads a value from what `handle` stands for; `otherwise` if it stands for nothing.
pub(crate) fn read<K: Kind, R>(
    handle: *mut K,
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
        Err(panic) => failed(&*panic),
    };
    // SAFETY: promised.
    unsafe { fault.why.copy_to(why.to, why.bytes) };
    fault.status
}

/// The text of the last error of a handle; empty for none, for what is no handle, and while a call is in it. It lies in the
/// slot, so that it can be read whatever becomes of the handle.
pub(crate) fn detail<K: Kind>(handle: *mut K) -> *const c_char {
    let Ok(place) = find(handle) else {
        return c"".as_ptr();
    };
    match place.look() {
        Ok(()) | Err(Refused::Poisoned) => Text::ptr_of(place.slot.detail()),
        Err(_) => c"".as_ptr(),
    }
}

/// Frees a handle; null is fine. Waits for nobody: a call that is in it, or in what it shares, is told.
pub(crate) fn free<K: Kind>(handle: *mut K) -> duel_status {
    let place = match find(handle) {
        Ok(place) => place,
        Err(DUEL_NULL) => return DUEL_OK,
        Err(status) => return status,
    };
    let poison = match place.enter_to_free() {
        Ok(poison) => poison,
        Err(refused) => return status_of(refused),
    };
    let entered = Entered { place, poison };
    let body = place.slot.body::<K::Body>();
    // SAFETY: as in `with`.
    let Some(mut held) = K::hold(unsafe { &*body }) else {
        return DUEL_BUSY;
    };
    // SAFETY: as above.
    K::show_nowhere(unsafe { &*body });
    core::mem::forget(entered);
    TABLE.release(handle.addr(), place);
    // SAFETY: `new` made it a box, and the slot that led to it leads there no more.
    let body = unsafe { Box::from_raw(body) };
    let dropped = catch_unwind(AssertUnwindSafe(|| {
        drop(body);
        held.settle();
    }));
    if dropped.is_ok() {
        DUEL_OK
    } else {
        DUEL_PANICKED
    }
}

fn failed(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Fault::new(
        DUEL_PANICKED,
        format_args!("the library failed: {}", text.unwrap_or("no text")),
    )
}

/// The one way into every exported function.
///
/// * `enter!(handle, |body| { … })` checks the handle, runs the block on what it stands for, and comes to a status.
/// * `enter!(handle, otherwise, |body| { … })` the same for a value.
/// * `enter!(shown handle, otherwise, |words| { … })` runs the block on what the handle shows, without entering it.
/// * `enter!(why, why_bytes => { … })` runs a constructor, which has no handle yet.
/// * `enter!(detail handle)`, `enter!(free handle)` do what every kind of handle has alike.
/// * `enter!({ … })` runs what has no handle and cannot fail; `enter!(otherwise => { … })` what might.
///
/// Each catches panics; a handle that was entered is poisoned by one.
macro_rules! enter {
    (detail $handle:expr) => {
        $crate::handle::detail($handle)
    };
    (free $handle:expr) => {
        $crate::handle::free($handle)
    };
    (shown $handle:expr, $otherwise:expr, |$words:pat_param| $body:block) => {
        match $crate::handle::shown($handle) {
            Ok($words) => $crate::handle::without($crate::status::DUEL_PANICKED as _, || $body),
            Err(status) => $otherwise(status),
        }
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
        $crate::handle::with($handle, |$this| $body)
    };
    ($handle:expr, $otherwise:expr, |$this:pat_param| $body:block) => {
        $crate::handle::read($handle, $otherwise, |$this| $body)
    };
}

pub(crate) use enter;

/// Declares a kind of handle that has its body to itself: its opaque C type, what is behind it, and its number.
macro_rules! kind {
    ($($name:ident = $Body:ty, $number:literal;)*) => {$(
        impl $crate::handle::Kind for $name {
            type Body = $Body;
            const NUMBER: u8 = $number;
            type Hold = ();

            fn hold(_: &$Body) -> Option<()> {
                Some(())
            }
        }
    )*};
}
pub(crate) use kind;
