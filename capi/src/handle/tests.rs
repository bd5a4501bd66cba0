//! What handles promise: none is followed, none comes back, none is used twice at once.

use super::*;
use crate::library::duel_set_panic_hook;
use core::{
    ffi::{CStr, c_void},
    ptr::{null_mut, without_provenance_mut},
};
use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

struct Counter;
struct Other;
/// Counts those dropped.
struct Dropped;
kind! {
    Counter = u32, 0xF1;
    Other = u32, 0xF2;
    Dropped = CountsDrops, 0xF3;
}

static DROPS: AtomicU64 = AtomicU64::new(0);

struct CountsDrops;

impl Drop for CountsDrops {
    fn drop(&mut self) {
        DROPS.fetch_add(1, Ordering::Relaxed);
    }
}

fn counter(value: u32) -> *mut Counter {
    new::<Counter>(value).map_err(|fault| fault.status).unwrap()
}

fn text(handle: *mut Counter) -> String {
    let text = enter!(detail handle);
    // SAFETY: a text inside a slot.
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
    let handle = counter(1);
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
    assert_eq!(shown(handle), Err(DUEL_PANICKED));
    assert_eq!(enter!(free handle), DUEL_OK);
    assert_eq!(enter!(handle, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
}

#[test]
fn null_foreign_freed_and_reentered_handles_are_told() {
    let handle = counter(1);
    let null: *mut Counter = null_mut();
    assert_eq!(enter!(null, |_| { Ok(DUEL_OK) }), DUEL_NULL);
    let foreign: *mut Other = handle.cast();
    assert_eq!(enter!(foreign, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
    assert_eq!(enter!(free foreign), DUEL_BAD_HANDLE);
    assert_eq!(shown(foreign), Err(DUEL_BAD_HANDLE));
    let odd: *mut Counter = handle.wrapping_byte_add(1);
    assert_eq!(enter!(odd, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
    let inside = enter!(handle, |_| {
        assert_eq!(enter!(free handle), DUEL_BUSY);
        assert_eq!(text(handle), "");
        assert!(shown(handle).is_ok(), "what is shown, always is");
        Ok(enter!(handle, |_| { Ok(DUEL_OK) }))
    });
    assert_eq!(inside, DUEL_BUSY);
    assert_eq!(enter!(free null), DUEL_OK);
    assert_eq!(enter!(free handle), DUEL_OK);
    assert_eq!(enter!(free handle), DUEL_BAD_HANDLE);
    assert_eq!(enter!(handle, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
    assert_eq!(shown(handle), Err(DUEL_BAD_HANDLE));
    assert_eq!(text(handle), "");
}

#[test]
fn an_error_leaves_its_text() {
    let handle = counter(1);
    let refused = enter!(handle, |count| {
        Err(Fault::argument(format_args!("{count} is wrong")))
    });
    assert_eq!(refused, DUEL_BAD_ARGUMENT);
    assert_eq!(text(handle), "1 is wrong");
    assert_eq!(enter!(handle, 0, |count| { *count }), 1);
    let shown = enter!(detail handle);
    assert_eq!(enter!(free handle), DUEL_OK);
    // SAFETY: a text lies where it is for as long as the process.
    assert!(unsafe { CStr::from_ptr(shown) }.count_bytes() < 256);
}

#[test]
fn a_pointer_to_anything_is_no_handle() {
    let mut anything = [0xFF_u8; 512];
    let own = anything.as_mut_ptr();
    for at in 0..64 {
        let inside: *mut Counter = own.wrapping_add(at).cast();
        assert_eq!(enter!(inside, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
        assert_eq!(enter!(free inside), DUEL_BAD_HANDLE);
        let low: *mut Counter = without_provenance_mut(1 + at);
        assert_eq!(enter!(low, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
        let high: *mut Counter = without_provenance_mut(usize::MAX - at);
        assert_eq!(enter!(free high), DUEL_BAD_HANDLE);
    }
    assert_eq!(anything, [0xFF; 512], "and nothing is written through it");
}

#[test]
fn a_number_never_stands_for_two_things() {
    let rounds = if cfg!(miri) { 300 } else { 1_000_000 };
    let mut sample = BTreeSet::new();
    let first = counter(0);
    for round in 1..=rounds {
        let handle = counter(round);
        assert_ne!(handle, first);
        if round % 1_000 < 2 {
            assert!(sample.insert(handle), "{handle:?} came before");
        }
        assert_eq!(enter!(free handle), DUEL_OK);
        assert_eq!(enter!(handle, |_| { Ok(DUEL_OK) }), DUEL_BAD_HANDLE);
    }
    assert_eq!(enter!(first, 1, |value| { *value }), 0);
    assert_eq!(enter!(free first), DUEL_OK);
}

#[test]
fn a_free_beside_calls_is_told_or_does_it_once() {
    let rounds = if cfg!(miri) { 6 } else { 20_000 };
    let before = DROPS.load(Ordering::Relaxed);
    for _ in 0..rounds {
        let handle = new::<Dropped>(CountsDrops).map_err(|_| ()).unwrap();
        let number = handle.addr();
        let freed = thread::scope(|scope| {
            let threads = [0, 1].map(|_| {
                scope.spawn(move || {
                    let handle: *mut Dropped = without_provenance_mut(number);
                    let called = enter!(handle, |_| { Ok(DUEL_OK) });
                    assert!([DUEL_OK, DUEL_BUSY, DUEL_BAD_HANDLE].contains(&called));
                    let _ = shown(handle);
                    let freed = enter!(free handle);
                    assert!([DUEL_OK, DUEL_BUSY, DUEL_BAD_HANDLE].contains(&freed));
                    freed == DUEL_OK
                })
            });
            threads.map(|thread| thread.join().unwrap())
        });
        assert_ne!(freed, [true; 2], "freed twice");
        if freed == [false; 2] {
            assert_eq!(enter!(free handle), DUEL_OK);
        }
    }
    let drops = DROPS.load(Ordering::Relaxed) - before;
    assert_eq!(drops, rounds, "each body is dropped once");
}
