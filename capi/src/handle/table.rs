//! Where handles lead: numbers to slots. Lock-free; a slot never moves and is never given back.
//!
//! A handle is a number, never an address:
//!
//! ```text
//!   | 0 … | generation, scrambled | index | 1 |
//! ```
//!
//! The index finds a slot, whose one word of state says which generation of it is live, of which kind, and whether a
//! call is in it. A call enters by one compare-and-swap of that word, so finding out whether a handle is live and keeping
//! it so are one step. What a number says is compared, never followed.
//!
//! A slot that is given back is used again under its next generation. One whose generations are used up is retired, so no
//! number ever stands for two things.

use super::board::Board;
use crate::text::Text;
use core::{
    cell::UnsafeCell,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};

/// Bits of a number that say which slot. At most 262,144 handles live at once; on 32-bit machines 4,096.
const INDEX_BITS: u32 = if usize::BITS >= 64 { 18 } else { 12 };
/// Bits that say which of its generations: 268 million, or 262,144. With the index and the mark 47 bits, since engines keep
/// pointers in 47 bits (LuaJIT, boxed numbers), or 31, so that a page reads no negative number.
const GENERATION_BITS: u32 = if usize::BITS >= 64 { 28 } else { 18 };
const GENERATION_MAX: usize = (1 << GENERATION_BITS) - 1;
/// Set in every handle: odd, so it is the address of nothing that has an alignment.
const MARK: usize = 1;
/// What numbers show of a generation differs in its topmost bit, so that small numbers and low addresses stand for nothing, …
const SCRAMBLE: usize = 1 << (GENERATION_BITS - 1);
/// … and below that by slot: a number with one bit wrong in its index is not a neighbour's of the same generation. The golden
/// ratio's share of 2³², a prime: multiples of it lie far apart.
const SPREAD: usize = 0x9E37_79B1;
const _: () = assert!(1 + INDEX_BITS + GENERATION_BITS < usize::BITS);

/// Slots that lie in the library itself; more are allocated once these are in use, as many again each time.
const FIRST: usize = 64;
const SEGMENTS: usize = (INDEX_BITS - FIRST.ilog2()) as usize;

/// A call is in the slot; or, of kind 0, it is being filled.
pub(super) const BUSY: usize = 1;
/// The library panicked in it.
pub(super) const POISONED: usize = 2;
const KIND_SHIFT: u32 = 2;
const GENERATION_SHIFT: u32 = KIND_SHIFT + u8::BITS;
const _: () = assert!(GENERATION_SHIFT + GENERATION_BITS < usize::BITS);

/// A slot's state: its generation, the kind of what is in it (0: nothing), and no call.
const fn idle(generation: usize, kind: u8) -> usize {
    generation << GENERATION_SHIFT | (kind as usize) << KIND_SHIFT
}

/// Where one handle leads. Zeros are an empty slot.
pub(super) struct Slot {
    state: AtomicUsize,
    /// What the handle stands for; of whoever is in the slot.
    body: AtomicPtr<()>,
    /// Why the newest call failed; written by whoever is in the slot, read by C.
    detail: UnsafeCell<Text>,
    /// What is shown to calls that do not enter.
    board: Board,
}

// SAFETY: `detail` is touched only by who is in the slot, which one thread is at a time.
unsafe impl Sync for Slot {}

impl Slot {
    const fn empty() -> Self {
        Self {
            state: AtomicUsize::new(0),
            body: AtomicPtr::new(null_mut()),
            detail: UnsafeCell::new(Text::EMPTY),
            board: Board::blank(),
        }
    }

    pub(super) fn body<B>(&self) -> *mut B {
        self.body.load(Ordering::Relaxed).cast()
    }

    pub(super) const fn detail(&self) -> *mut Text {
        self.detail.get()
    }

    pub(super) const fn board(&self) -> &Board {
        &self.board
    }
}

/// A handle's slot, and what its state is when no call is in it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) slot: &'a Slot,
    idle: usize,
}

/// Why a slot was not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// No such handle.
    Unknown,
    Busy,
    Poisoned,
}

impl Place<'_> {
    /// Enters, so that nobody else does until [`Self::leave`].
    pub(super) fn enter(self) -> Result<(), Refused> {
        self.enter_from(self.idle)
    }

    /// As [`Self::enter`], poisoned or not: what to leave it with again.
    pub(super) fn enter_to_free(self) -> Result<usize, Refused> {
        match self.enter() {
            Err(Refused::Poisoned) => self.enter_from(self.idle | POISONED).map(|()| POISONED),
            entered => entered.map(|()| 0),
        }
    }

    fn enter_from(self, idle: usize) -> Result<(), Refused> {
        let state = &self.slot.state;
        match state.compare_exchange(idle, idle | BUSY, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            Err(found) => Err(self.why_not(found)),
        }
    }

    fn why_not(self, found: usize) -> Refused {
        if found & !(BUSY | POISONED) != self.idle {
            Refused::Unknown
        } else if found & BUSY != 0 {
            Refused::Busy
        } else {
            Refused::Poisoned
        }
    }

    /// Whether the handle is live and no call is in it, now.
    pub(super) fn look(self) -> Result<(), Refused> {
        match self.slot.state.load(Ordering::Acquire) {
            found if found == self.idle => Ok(()),
            found => Err(self.why_not(found)),
        }
    }

    /// Lets others enter again; with [`POISONED`] only to free it.
    pub(super) fn leave(self, poison: usize) {
        self.slot.state.store(self.idle | poison, Ordering::Release);
    }
}

/// An empty slot that nobody else takes; given back when dropped, unless filled.
pub(super) struct Reserved<'a> {
    table: &'a Table,
    slot: &'a Slot,
    index: usize,
    generation: usize,
}

impl<'a> Reserved<'a> {
    pub(super) const fn slot(&self) -> &'a Slot {
        self.slot
    }

    /// Puts something in; the number leads to it from now on.
    pub(super) fn fill<B>(self, kind: u8, body: *mut B) -> usize {
        debug_assert!(kind != 0);
        self.slot.body.store(body.cast(), Ordering::Relaxed);
        // SAFETY: nobody else is in the slot.
        unsafe { self.slot.detail().write(Text::EMPTY) };
        let state = idle(self.generation, kind);
        self.slot.state.store(state, Ordering::Release);
        let number = number(self.index, self.generation);
        core::mem::forget(self);
        number
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.table.empty(self.slot, self.index, self.generation);
    }
}

const fn number(index: usize, generation: usize) -> usize {
    ((generation ^ scramble(index)) << INDEX_BITS | index) << 1 | MARK
}

/// What a slot's generations are shown by: its own inverse under `^`.
const fn scramble(index: usize) -> usize {
    index.wrapping_mul(SPREAD) & (SCRAMBLE - 1) | SCRAMBLE
}

/// All slots there are.
pub(super) struct Table {
    first: [Slot; FIRST],
    /// Twice as many as all before it, each.
    more: [AtomicPtr<Slot>; SEGMENTS],
    /// Where to look for an empty slot first.
    hint: AtomicUsize,
    /// A slot is retired this many generations before its numbers are used up. A table of zeros takes no room in the
    /// library's file.
    retired_early: usize,
}

impl Table {
    pub(super) const fn new() -> Self {
        Self::retiring_early(0)
    }

    const fn retiring_early(retired_early: usize) -> Self {
        Self {
            first: [const { Slot::empty() }; FIRST],
            more: [const { AtomicPtr::new(null_mut()) }; SEGMENTS],
            hint: AtomicUsize::new(0),
            retired_early,
        }
    }

    /// Where a handle of that kind leads. Whether it is live is found out on entering.
    pub(super) fn find(&self, number: usize, kind: u8) -> Option<Place<'_>> {
        let (mark, rest) = (number & MARK, number >> 1);
        let (index, generation) = (rest & ((1 << INDEX_BITS) - 1), rest >> INDEX_BITS);
        let generation = generation ^ scramble(index);
        if mark == 0 || generation > GENERATION_MAX {
            return None;
        }
        Some(Place {
            slot: self.slot(index)?,
            idle: idle(generation, kind),
        })
    }

    fn slot(&self, index: usize) -> Option<&Slot> {
        if let Some(slot) = self.first.get(index) {
            return Some(slot);
        }
        let segment = (index / FIRST).ilog2() as usize;
        let slots = self.more.get(segment)?.load(Ordering::Acquire);
        if slots.is_null() {
            return None;
        }
        // SAFETY: the segment holds the indices from `FIRST << segment` to twice that, and is there for good.
        Some(unsafe { &*slots.add(index - (FIRST << segment)) })
    }

    /// How many slots are there.
    fn len(&self) -> usize {
        let there = |slots: &&AtomicPtr<Slot>| !slots.load(Ordering::Acquire).is_null();
        FIRST << self.more.iter().take_while(there).count()
    }

    /// An empty slot. Allocates if none is left; `None` if there can be no more.
    pub(super) fn reserve(&self) -> Option<Reserved<'_>> {
        loop {
            let (len, hint) = (self.len(), self.hint.load(Ordering::Relaxed));
            let hint = hint.min(len);
            let found = (hint..len)
                .chain(0..hint)
                .find_map(|index| self.reserve_at(index));
            if let Some(reserved) = found {
                self.hint.store(reserved.index + 1, Ordering::Relaxed);
                return Some(reserved);
            }
            self.grow(len)?;
        }
    }

    fn reserve_at(&self, index: usize) -> Option<Reserved<'_>> {
        let slot = self.slot(index)?;
        let state = slot.state.load(Ordering::Relaxed);
        let generation = state >> GENERATION_SHIFT;
        if state != idle(generation, 0) || generation >= GENERATION_MAX - self.retired_early {
            return None;
        }
        slot.state
            .compare_exchange(state, state | BUSY, Ordering::Acquire, Ordering::Relaxed)
            .ok()?;
        Some(Reserved {
            table: self,
            slot,
            index,
            generation,
        })
    }

    /// Allocates as many slots again as there are.
    fn grow(&self, len: usize) -> Option<()> {
        let segment = self.more.get((len / FIRST).ilog2() as usize)?;
        let layout = Layout::array::<Slot>(len).ok()?;
        // SAFETY: not of size zero, and zeros are empty slots.
        let slots: *mut Slot = unsafe { alloc_zeroed(layout) }.cast();
        if slots.is_null() {
            handle_alloc_error(layout);
        }
        let stored =
            segment.compare_exchange(null_mut(), slots, Ordering::Release, Ordering::Relaxed);
        if stored.is_err() {
            // SAFETY: another thread was faster, and nobody has seen these.
            unsafe { dealloc(slots.cast(), layout) };
        }
        Some(())
    }

    /// Empties a slot that the caller is in: its number leads nowhere from now on, and its next generation may be used.
    pub(super) fn release(&self, number: usize, place: Place<'_>) {
        let index = number >> 1 & ((1 << INDEX_BITS) - 1);
        let generation = place.idle >> GENERATION_SHIFT;
        self.empty(place.slot, index, generation + 1);
    }

    fn empty(&self, slot: &Slot, index: usize, generation: usize) {
        slot.state.store(idle(generation, 0), Ordering::Release);
        self.hint.fetch_min(index, Ordering::Relaxed);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        for (at, slots) in self.more.iter_mut().enumerate() {
            let slots = *slots.get_mut();
            if let Ok(layout) = Layout::array::<Slot>(FIRST << at)
                && !slots.is_null()
            {
                // SAFETY: `grow` made it with this layout, and a table that is dropped is nobody else's.
                unsafe { dealloc(slots.cast(), layout) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, sync::atomic::AtomicBool, thread};

    const KIND: u8 = 1;
    const OTHER: u8 = 2;

    fn fill(table: &Table, body: usize) -> usize {
        let reserved = table.reserve().expect("there is room");
        reserved.fill(KIND, core::ptr::without_provenance_mut::<()>(body))
    }

    fn enter(table: &Table, number: usize, kind: u8) -> Result<Place<'_>, Refused> {
        let place = table.find(number, kind).ok_or(Refused::Unknown)?;
        place.enter().map(|()| place)
    }

    fn release(table: &Table, number: usize) {
        let place = enter(table, number, KIND).unwrap_or_else(|why| panic!("{why:?}"));
        table.release(number, place);
    }

    #[test]
    fn a_number_leads_to_its_own_and_to_nothing_once_freed() {
        let table = Box::new(Table::new());
        let numbers: Vec<usize> = (1..=200).map(|body| fill(&table, body)).collect();
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 200);
        for (at, &number) in numbers.iter().enumerate() {
            assert!(number % 2 == 1 && number >> 47 == 0, "{number:#x}");
            let place = enter(&table, number, KIND).map_err(|_| ()).unwrap();
            assert_eq!(place.slot.body::<()>().addr(), at + 1);
            assert!(matches!(enter(&table, number, KIND), Err(Refused::Busy)));
            assert!(matches!(
                enter(&table, number, OTHER),
                Err(Refused::Unknown)
            ));
            place.leave(0);
        }
        for &number in &numbers {
            release(&table, number);
            assert!(matches!(enter(&table, number, KIND), Err(Refused::Unknown)));
        }
        let again = fill(&table, 7);
        assert!(!numbers.contains(&again), "a number never comes back");
        assert!(enter(&table, again, KIND).is_ok());
    }

    #[test]
    fn numbers_of_nobody_lead_nowhere() {
        let table = Box::new(Table::new());
        let live = fill(&table, 1);
        let mut random = 0x9E37_79B9_usize;
        for near in 0..2_000 {
            random = random
                .wrapping_mul(0x5851_F42D_4C95_7F2D_u64 as usize)
                .wrapping_add(near);
            for number in [
                near,
                random,
                live ^ 1 << (near as u32 % usize::BITS),
                usize::MAX - near,
            ] {
                if number != live {
                    assert!(
                        matches!(enter(&table, number, KIND), Err(Refused::Unknown)),
                        "{number:#x}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_number_with_one_bit_wrong_is_nobodys() {
        let count = if cfg!(miri) {
            16
        } else {
            5_000.min(1 << INDEX_BITS)
        };
        let table = Box::new(Table::new());
        let numbers: Vec<usize> = (1..=count).map(|body| fill(&table, body)).collect();
        for number in numbers {
            for bit in 0..usize::BITS {
                let wrong = number ^ 1 << bit;
                assert!(
                    matches!(enter(&table, wrong, KIND), Err(Refused::Unknown)),
                    "{number:#x} without bit {bit}"
                );
            }
        }
    }

    #[test]
    fn a_poisoned_slot_can_only_be_freed() {
        let table = Box::new(Table::new());
        let number = fill(&table, 1);
        let place = enter(&table, number, KIND).map_err(|_| ()).unwrap();
        place.leave(POISONED);
        assert_eq!(place.enter(), Err(Refused::Poisoned));
        assert_eq!(place.look(), Err(Refused::Poisoned));
        assert_eq!(place.enter_to_free(), Ok(POISONED));
        assert_eq!(place.enter_to_free(), Err(Refused::Busy));
        table.release(number, place);
        assert_eq!(place.enter_to_free(), Err(Refused::Unknown));
    }

    #[test]
    fn a_slot_is_retired_before_a_number_could_come_back() {
        let uses = if cfg!(miri) { 1 } else { 3 };
        let table = Box::new(Table::retiring_early(GENERATION_MAX - uses));
        let mut seen = BTreeSet::new();
        for _ in 0..uses * FIRST {
            let number = fill(&table, 1);
            release(&table, number);
            assert!(seen.insert(number));
        }
        assert_eq!(table.len(), FIRST);
        let number = fill(&table, 1);
        assert!(seen.insert(number));
        assert_eq!(table.len(), 2 * FIRST, "all of the first are retired");
    }

    #[test]
    fn a_full_table_says_so_and_has_room_again() {
        // So many slots are a lot of work for an interpreter.
        if cfg!(miri) {
            return;
        }
        let table = Box::new(Table::new());
        let numbers: Vec<usize> = (0..1 << INDEX_BITS)
            .map(|body| fill(&table, body + 1))
            .collect();
        assert!(table.reserve().is_none());
        release(&table, numbers[100]);
        assert!(enter(&table, numbers[100], KIND).is_err());
        let again = fill(&table, 1);
        assert!(!numbers.contains(&again));
        assert!(table.reserve().is_none());
    }

    #[test]
    fn a_reservation_that_is_dropped_is_given_back() {
        let table = Box::new(Table::new());
        drop(table.reserve());
        let number = fill(&table, 1);
        release(&table, number);
        assert_eq!(table.len(), FIRST);
    }

    #[test]
    fn one_of_many_threads_enters_and_one_frees() {
        let rounds = if cfg!(miri) { 8 } else { 2_000 };
        let table = Box::new(Table::new());
        for _ in 0..rounds {
            let number = fill(&table, 1);
            let (inside, frees) = (AtomicBool::new(false), AtomicUsize::new(0));
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for _ in 0..4 {
                            let Some(place) = table.find(number, KIND) else {
                                return;
                            };
                            if place.enter().is_ok() {
                                assert!(!inside.swap(true, Ordering::Relaxed), "two are in");
                                inside.store(false, Ordering::Relaxed);
                                place.leave(0);
                            }
                        }
                        let Some(place) = table.find(number, KIND) else {
                            return;
                        };
                        if place.enter_to_free().is_ok() {
                            frees.fetch_add(1, Ordering::Relaxed);
                            table.release(number, place);
                        }
                        // The slot may be somebody else's by now.
                        let own = fill(&table, 2);
                        release(&table, own);
                    });
                }
            });
            // Each that came while another was in went away unserved.
            if frees.into_inner() == 0 {
                release(&table, number);
            }
            assert!(enter(&table, number, KIND).is_err());
        }
        assert_eq!(table.len(), FIRST);
    }
}
