//! Every function that takes a handle, called with one that is none: null, freed, of another kind, any number at all. Small
//! enough for an interpreter that watches every access: `cargo xtask miri`.

// It calls the C ABI.
#![allow(unsafe_code)]

#[path = "programs/header.rs"]
mod header;

use core::{
    ffi::{CStr, c_char, c_void},
    ptr::{null, null_mut, without_provenance_mut},
};
use header::Header;
use sound_duel::*;
use std::{collections::BTreeSet, path::Path, sync::OnceLock};

/// What the other parameters are: nothing.
trait Nothing {
    fn nothing() -> Self;
}
macro_rules! zero {
    ($($of:ty)*) => {$(
        impl Nothing for $of {
            fn nothing() -> Self {
                0 as Self
            }
        }
    )*};
}
zero! { i32 u32 u64 usize f32 }
impl<T> Nothing for *const T {
    fn nothing() -> Self {
        null()
    }
}
impl<T> Nothing for *mut T {
    fn nothing() -> Self {
        null_mut()
    }
}

/// What a call came to.
#[derive(Debug, PartialEq)]
enum Came {
    To(duel_status),
    /// A function that tells no status: this number.
    Number(u64),
    Text(String),
}
impl From<duel_status> for Came {
    fn from(status: duel_status) -> Self {
        Self::To(status)
    }
}
impl From<u32> for Came {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}
impl From<u64> for Came {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}
impl From<*const c_char> for Came {
    fn from(text: *const c_char) -> Self {
        // SAFETY: every function that returns a text returns one.
        let text = unsafe { CStr::from_ptr(text) };
        Self::Text(text.to_string_lossy().into_owned())
    }
}

struct Function {
    name: &'static str,
    call: fn(*mut c_void) -> Came,
}

macro_rules! functions {
    ($($name:ident($($other:tt)*))*) => {
        [$(Function {
            name: stringify!($name),
            // SAFETY: whatever the handle is; the rest is nothing.
            call: |handle| unsafe { $name(handle.cast(), $(functions!(@ $other)),*) }.into(),
        }),*]
    };
    (@ $other:tt) => { Nothing::nothing() };
}

/// Each with as many parameters as it has besides its handle. Held against the header below.
const FUNCTIONS: &[Function] = &functions! {
    duel_link_reset(_ _)
    duel_link_free()
    duel_link_detail()
    duel_link_send(_ _)
    duel_link_poll(_ _)
    duel_link_capacity_bits()
    duel_link_get_status(_)
    duel_link_set_mode(_)
    duel_link_set_session_key(_ _)
    duel_link_set_bands(_ _ _)
    duel_link_set_gain(_)
    duel_link_poll_gap(_)
    duel_link_poll_refusal(_)
    duel_link_pump_failed()
    duel_link_poll_message(_ _ _)
    duel_link_push_message(_ _)
    duel_link_close()
    duel_link_get_config(_)
    duel_pump_free()
    duel_pump_detail()
    duel_pump_process(_ _ _ _ _)
    duel_pump_process_interleaved(_ _ _ _ _)
    duel_pump_poll_message(_ _ _)
    duel_pump_push_message(_ _)
    duel_pump_dropped()
    duel_guard_free()
    duel_guard_set_on(_)
    duel_guard_latency_frames()
    duel_guard_process(_ _)
    duel_rig_free()
    duel_rig_detail()
    duel_rig_handle_event(_ _)
    duel_rig_handle_tap(_)
    duel_rig_handle_time(_)
    duel_rig_watch(_ _)
    duel_rig_poll_action(_)
    duel_rig_get_status(_ _)
    duel_rig_set_mic_mode(_ _)
    duel_rig_close(_)
    duel_advice_free()
    duel_advice_detail()
    duel_advice_watch(_ _)
    duel_advice_get_status(_ _)
    duel_room_free()
    duel_room_detail()
    duel_room_run(_ _ _)
    duel_room_next(_ _)
    duel_room_capture(_ _ _)
    duel_room_play(_ _ _)
    duel_room_trouble(_ _ _ _)
    duel_session_free()
    duel_session_detail()
    duel_session_pump(_)
    duel_session_pick(_)
    duel_session_openers(_)
    duel_session_retry(_)
    duel_session_agreed(_)
    duel_session_begin(_ _)
    duel_session_run(_ _)
    duel_session_order(_ _ _ _)
    duel_session_in_flight(_ _)
    duel_session_resign(_)
    duel_session_set_paused(_ _)
    duel_session_leave(_ _)
    duel_session_close()
    duel_session_reset(_ _)
    duel_session_get_status(_ _)
    duel_session_poll_event(_)
    duel_session_record(_ _ _)
    duel_session_save(_ _ _)
    duel_session_count_score(_ _ _)
    duel_skirmish_begin(_ _ _)
    duel_skirmish_bans(_ _)
    duel_skirmish_give(_ _)
    duel_skirmish_in_flight(_ _)
    duel_skirmish_get_world(_)
    duel_skirmish_get_units(_ _ _ _)
    duel_skirmish_get_buildings(_ _ _ _)
    duel_skirmish_get_terrain(_ _)
    duel_skirmish_get_ore(_ _)
    duel_skirmish_get_fog(_ _ _)
    duel_skirmish_can_place(_ _ _ _ _)
    duel_skirmish_poll_effect(_)
    duel_replay_seek(_)
    duel_replay_set_speed(_)
    duel_replay_get_report(_)
};

/// The header, read once.
fn header() -> &'static Header {
    static HEADER: OnceLock<Header> = OnceLock::new();
    HEADER.get_or_init(read_header)
}

fn read_header() -> Header {
    let capi = Path::new(env!("CARGO_MANIFEST_DIR"));
    Header::read(&capi.join("include")).expect("the headers are there")
}

/// A function's kind of handle, if its first parameter is one.
fn kind_of(header: &Header, function: &header::Function) -> Option<String> {
    let first = function.parameters.first()?.of.strip_suffix(" *")?;
    let is_handle = header.handles.iter().any(|handle| handle == first);
    is_handle.then(|| first.to_owned())
}

#[test]
fn every_function_that_takes_a_handle_is_here() {
    let header = header();
    let take: BTreeSet<&str> = header
        .functions
        .iter()
        .filter(|function| kind_of(header, function).is_some())
        .map(|function| function.name.as_str())
        .collect();
    let here: BTreeSet<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    assert_eq!(take, here);
    assert!(here.len() > 80);
}

/// A live handle of every kind, with its kind's name.
fn live() -> Vec<(&'static str, *mut c_void)> {
    fn sized<T>() -> T {
        // SAFETY: a structure of integers, floats, pointers and functions: zeros are one.
        let mut zeros: T = unsafe { core::mem::zeroed() };
        // SAFETY: every sized structure begins with its size.
        unsafe { (&raw mut zeros).cast::<u32>().write(size_of::<T>() as u32) };
        zeros
    }
    let (mut host, mut guest, mut relay) = (null_mut(), null_mut(), null_mut());
    let (mut session, mut guard, mut rig) = (null_mut(), null_mut(), null_mut());
    let (mut advice, mut room, mut pump) = (null_mut(), null_mut(), null_mut());
    let (practice, link): (duel_practice_config, duel_link_config) = (sized(), sized());
    // SAFETY: pointers to what they say.
    let made = unsafe {
        [
            duel_air_new(&practice, null_mut(), 0, &raw mut host, &raw mut guest),
            duel_session_new(&sized(), &sized(), host, null_mut(), 0, &raw mut session),
            duel_link_free(host),
            duel_link_free(guest),
            duel_relay_new(&practice, null_mut(), 0, &raw mut relay),
            duel_guard_new(DUEL_PLAN_LOW, 8_000, 1, null_mut(), 0, &raw mut guard),
            duel_rig_new(0, 0, 0, 0, 0, null_mut(), 0, &raw mut rig),
            duel_advice_new(&link, null_mut(), 0, &raw mut advice),
            // What these two are made of takes an interpreter minutes, and is not what is looked at.
            if cfg!(miri) {
                DUEL_OK
            } else {
                duel_room_new(&sized(), null_mut(), 0, &raw mut room)
            },
            if cfg!(miri) {
                DUEL_OK
            } else {
                duel_pump_new(&link, null_mut(), 0, &raw mut pump)
            },
        ]
    };
    assert_eq!(made, [DUEL_OK; 10]);
    let all: [(&str, *mut c_void); 7] = [
        ("duel_session", session.cast()),
        ("duel_link", relay.cast()),
        ("duel_guard", guard.cast()),
        ("duel_rig", rig.cast()),
        ("duel_advice", advice.cast()),
        ("duel_room", room.cast()),
        ("duel_pump", pump.cast()),
    ];
    all.into_iter()
        .filter(|(_, handle)| !handle.is_null())
        .collect()
}

fn free(handles: &[(&'static str, *mut c_void)]) {
    for &(kind, handle) in handles {
        let name = format!("{kind}_free");
        let free = FUNCTIONS.iter().find(|function| function.name == name);
        let freed = (free.expect("every kind is freed").call)(handle);
        assert_eq!(freed, Came::To(DUEL_OK), "{name}");
    }
}

fn calls_come_to(expected: duel_status, handle: *mut c_void, unless_of: Option<&str>) {
    let header = header();
    for function in FUNCTIONS {
        let declared = header
            .functions
            .iter()
            .find(|one| one.name == function.name);
        let kind = declared.and_then(|declared| kind_of(header, declared));
        if kind.as_deref() == unless_of {
            continue;
        }
        let came = (function.call)(handle);
        let good = match &came {
            Came::To(status) if handle.is_null() && function.name.ends_with("_free") => {
                *status == DUEL_OK
            }
            Came::To(status) => *status == expected,
            Came::Number(number) => *number == 0,
            Came::Text(text) => text.is_empty(),
        };
        assert!(good, "{}({handle:?}): {came:?}", function.name);
    }
}

#[test]
fn null_is_told_from_a_handle() {
    calls_come_to(DUEL_NULL, null_mut(), None);
}

#[test]
fn a_freed_handle_is_none_whatever_took_its_place() {
    let freed = live();
    free(&freed);
    for &(_, handle) in &freed {
        calls_come_to(DUEL_BAD_HANDLE, handle, None);
    }
    let again = live();
    for &(_, handle) in &freed {
        calls_come_to(DUEL_BAD_HANDLE, handle, None);
    }
    free(&again);
}

#[test]
fn a_handle_of_another_kind_is_none() {
    let handles = live();
    for &(kind, handle) in &handles {
        calls_come_to(DUEL_BAD_HANDLE, handle, Some(kind));
    }
    // None was harmed.
    free(&handles);
}

#[test]
fn any_other_number_is_none() {
    let handles = live();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let rounds = if cfg!(miri) { 4 } else { 500 };
    for round in 0..rounds {
        random = random
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(round | 1);
        let (_, near) = handles[round as usize % handles.len()];
        let near = near.addr() ^ 2 << (random % 40);
        for number in [
            random as usize | 1,
            random as usize,
            near,
            round as usize + 1,
        ] {
            calls_come_to(DUEL_BAD_HANDLE, without_provenance_mut(number), None);
        }
    }
    free(&handles);
}

#[test]
fn memory_of_ones_own_is_none_and_is_not_touched() {
    let mut own = [0xEE_u8; 1024];
    for at in 0..9 {
        let inside = own.as_mut_ptr().wrapping_add(at);
        calls_come_to(DUEL_BAD_HANDLE, inside.cast(), None);
    }
    assert_eq!(own, [0xEE; 1024]);
    // Nor is what is no memory any more.
    let gone = Box::into_raw(Box::new([0_u64; 64]));
    // SAFETY: just made.
    drop(unsafe { Box::from_raw(gone) });
    calls_come_to(DUEL_BAD_HANDLE, gone.cast(), None);
}
