//! Calls of any function at all, by a list written from the header itself: handles that are NULL, live, freed, of another
//! kind, near a live one, or any number; memory that is as long as it is said to be. What is no handle must be told.

use super::{Host, lawful};
use crate::*;
use core::{
    ffi::{CStr, c_char},
    ptr::{null_mut, without_provenance_mut},
};

/// Bytes that a pointer leads to: 512 of the largest thing there is.
const MEMORY: usize = 512 * 80;
/// Parameters that a function has at most.
const PARAMETERS: usize = 10;
/// Handles made here that live at once, and freed ones that are remembered.
const MADE_MAX: usize = 6;
const FREED_MAX: usize = 32;

/// A function called with what the host comes up with.
type Call = fn(&mut Host<'_>);

include!(concat!(env!("OUT_DIR"), "/every_call.rs"));

/// Memory as C's allocator aligns it.
#[derive(Clone)]
#[repr(align(16))]
struct Memory([u8; MEMORY]);

/// A handle made by a function of the list.
struct Made {
    kind: &'static str,
    number: usize,
    free: fn(usize) -> duel_status,
}

/// What the first parameter is, if that is a handle.
#[derive(Clone, Copy, PartialEq)]
enum First {
    NoHandle,
    Null,
    Live,
    /// None of this kind.
    Wrong,
}

/// A way to come to a number that is no handle, or not the right one.
#[derive(Clone, Copy)]
pub(super) enum Mistake {
    Freed,
    OtherKind,
    Near,
    Any,
    Null,
}

/// What these calls hold.
pub(super) struct Wild {
    memory: Vec<Memory>,
    made: Vec<Made>,
    freed: Vec<usize>,
    first: First,
    /// How often each function was called.
    pub(super) called: [u32; EVERY.len()],
    /// How often each mistake was made, in the order of [`Mistake`].
    pub(super) mistakes: [u32; 5],
}

impl Wild {
    pub(super) fn new() -> Self {
        Self {
            memory: vec![Memory([0; MEMORY]); PARAMETERS],
            made: Vec::new(),
            freed: Vec::new(),
            first: First::NoHandle,
            called: [0; EVERY.len()],
            mistakes: [0; 5],
        }
    }

    /// Remembers a number that is no handle any more.
    pub(super) fn was_freed<T>(&mut self, handle: *mut T) {
        if !handle.is_null() {
            if self.freed.len() == FREED_MAX {
                self.freed.remove(0);
            }
            self.freed.push(handle.addr());
        }
    }

    /// One that was freed before, if any was.
    pub(super) fn freed<T>(&self, which: u8) -> Option<*mut T> {
        let at = usize::from(which) % self.freed.len().max(1);
        self.freed
            .get(at)
            .map(|&number| without_provenance_mut(number))
    }
}

impl Drop for Wild {
    fn drop(&mut self) {
        for made in self.made.drain(..) {
            assert!(lawful((made.free)(made.number)), "a live handle is freed");
        }
    }
}

/// What a call came to.
enum Came {
    To(duel_status),
    Number(u64),
    Text(*const c_char),
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
        Self::Text(text)
    }
}

/// What the list's calls are made of.
impl Host<'_> {
    /// Calls one of all functions.
    pub(super) fn call_any(&mut self) {
        let at = usize::from(self.byte()) % EVERY.len();
        self.wild.called[at] += 1;
        self.wild.first = First::NoHandle;
        EVERY[at].1(self);
    }

    /// Live handles with their kinds: the host's own, and those made here.
    fn live(&self) -> Vec<(&'static str, usize)> {
        let mut live = Vec::new();
        live.extend(self.links.map(|link| ("duel_link", link.addr())));
        live.extend(self.pumps.map(|pump| ("duel_pump", pump.addr())));
        live.extend(self.sessions.map(|one| ("duel_session", one.addr())));
        live.push(("duel_guard", self.guard.addr()));
        live.push(("duel_rig", self.rig.addr()));
        live.push(("duel_advice", self.advice.addr()));
        live.push(("duel_room", self.room.addr()));
        live.retain(|&(_, number)| number != 0);
        live.extend(self.wild.made.iter().map(|made| (made.kind, made.number)));
        live
    }

    /// A handle of that kind as a function's parameter `at`, or what is none.
    fn handle<T>(&mut self, kind: &'static str, at: usize) -> *mut T {
        let live = self.live();
        let right: Vec<usize> = live
            .iter()
            .filter(|one| one.0 == kind)
            .map(|one| one.1)
            .collect();
        let number = match self.byte() % 8 {
            0..=2 => self.one_of(&right),
            _ => self.wrong_number(kind, &live),
        };
        self.is_first(at, number, right.contains(&number));
        without_provenance_mut(number)
    }

    /// The same for a function that frees. A live one is never the host's own, which would use it on.
    fn handle_to_free<T>(&mut self, kind: &'static str, at: usize) -> *mut T {
        let live = self.live();
        let own = self.wild.made.iter().position(|made| made.kind == kind);
        let number = match (own, self.byte() % 8) {
            (Some(own), 0..=2) => {
                let number = self.wild.made.swap_remove(own).number;
                self.wild.was_freed(without_provenance_mut::<T>(number));
                self.is_first(at, number, true);
                return without_provenance_mut(number);
            }
            _ => self.wrong_number(kind, &live),
        };
        // A number near a live handle may be another's.
        let number = if live.contains(&(kind, number)) {
            0
        } else {
            number
        };
        self.is_first(at, number, false);
        without_provenance_mut(number)
    }

    fn is_first(&mut self, at: usize, number: usize, right: bool) {
        if at == 0 {
            self.wild.first = match number {
                0 => First::Null,
                _ if right => First::Live,
                _ => First::Wrong,
            };
        }
    }

    fn one_of(&mut self, numbers: &[usize]) -> usize {
        let which = usize::from(self.byte());
        numbers
            .get(which % numbers.len().max(1))
            .map_or(0, |&number| number)
    }

    fn wrong_number(&mut self, kind: &str, live: &[(&'static str, usize)]) -> usize {
        let others: Vec<usize> = live
            .iter()
            .filter(|one| one.0 != kind)
            .map(|one| one.1)
            .collect();
        let all: Vec<usize> = live.iter().map(|one| one.1).collect();
        let freed = self.wild.freed.clone();
        let (mistake, number) = match self.byte() % 8 {
            0 | 1 => (Mistake::Freed, self.one_of(&freed)),
            2 | 3 => (Mistake::OtherKind, self.one_of(&others)),
            4 => (
                Mistake::Near,
                self.one_of(&all) ^ 1 << (u32::from(self.byte()) % usize::BITS),
            ),
            5 | 6 => {
                let mut number = 0;
                for _ in 0..size_of::<usize>() {
                    number = number << 8 | usize::from(self.byte());
                }
                (Mistake::Any, number)
            }
            _ => (Mistake::Null, 0),
        };
        let made = number != 0 || matches!(mistake, Mistake::Null);
        self.wild.mistakes[mistake as usize] += u32::from(made);
        number
    }

    /// NULL, or memory of zeros.
    fn memory(&mut self, at: usize) -> *mut u8 {
        if self.byte() < 16 {
            return null_mut();
        }
        let memory = &mut self.wild.memory[at].0;
        memory.fill(0);
        memory.as_mut_ptr()
    }

    /// The same with a structure's size in front: true, too small, newer than this library, or absurd.
    fn sized(&mut self, at: usize, size: usize) -> *mut u8 {
        let memory = self.memory(at);
        if !memory.is_null() {
            let said = match self.byte() {
                0..=223 => size as u32,
                224..=239 => u32::from(self.byte()) % size as u32,
                240..=247 => size as u32 + 8,
                _ => u32::MAX - 15,
            };
            // SAFETY: it is longer than four bytes, and aligned.
            unsafe { memory.cast::<u32>().write(said) };
        }
        memory
    }

    /// Holds what a call came to against what its handle was.
    fn came(&mut self, name: &str, came: impl Into<Came>) {
        let first = self.wild.first;
        let none = matches!(first, First::Wrong | First::Null);
        match came.into() {
            Came::To(status) => {
                lawful(status);
                let frees = name.ends_with("_free");
                match first {
                    First::Wrong => assert_eq!(status, DUEL_BAD_HANDLE, "{name}"),
                    First::Null if !frees => assert_eq!(status, DUEL_NULL, "{name}"),
                    First::Null | First::Live if frees => assert_eq!(status, DUEL_OK, "{name}"),
                    _ => {}
                }
            }
            Came::Number(number) => {
                assert!(!none || number == 0, "{name}: {number} of no handle");
            }
            Came::Text(text) => {
                // SAFETY: every function that returns a text returns one.
                let bytes = unsafe { CStr::from_ptr(text) }.count_bytes();
                let of_handle = name.ends_with("_detail");
                assert!(
                    bytes < DUEL_TEXT_BYTES && (!none || !of_handle || bytes == 0),
                    "{name}"
                );
            }
        }
    }

    /// Keeps the handle that a call wrote to this memory, if it did; the oldest is freed if there are many.
    fn keep(&mut self, kind: &'static str, memory: *mut u8, free: fn(usize) -> duel_status) {
        if memory.is_null() {
            return;
        }
        // SAFETY: a function was told to write a handle there, and zeros are NULL.
        let number = unsafe { memory.cast::<usize>().read() };
        if number == 0 {
            return;
        }
        if self.wild.made.len() == MADE_MAX {
            let oldest = self.wild.made.remove(0);
            assert!(
                lawful((oldest.free)(oldest.number)),
                "a live handle is freed"
            );
            self.wild
                .was_freed(without_provenance_mut::<u8>(oldest.number));
        }
        self.wild.made.push(Made { kind, number, free });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a seed's own.
    fn bytes(seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let byte = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u8
        };
        core::iter::repeat_with(byte).take(48 << 10).collect()
    }

    #[test]
    fn every_function_is_called_with_every_mistake() {
        let (mut called, mut mistakes) = ([0; EVERY.len()], [0; 5]);
        for seed in 1..=2 {
            let bytes = bytes(seed);
            let mut host = Host::new(&bytes);
            while host.bytes.len() > 64 {
                host.now_us += u64::from(host.byte()) * 1_000;
                host.call_any();
            }
            for (sum, one) in called.iter_mut().zip(host.wild.called) {
                *sum += one;
            }
            for (sum, one) in mistakes.iter_mut().zip(host.wild.mistakes) {
                *sum += one;
            }
        }
        for ((name, _), called) in EVERY.iter().zip(called) {
            assert!(called > 10, "{name} was called {called} times");
        }
        assert!(mistakes.iter().all(|&made| made > 100), "{mistakes:?}");
        println!(
            "{} calls, mistakes {mistakes:?}",
            called.iter().sum::<u32>()
        );
    }
}
