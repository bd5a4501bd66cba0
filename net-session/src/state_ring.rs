//! The states that a session asks a host to save, kept by frame in memory that is allocated once.
//!
//! Knows nothing of what a state says.

use crate::Frame;
use alloc::vec::Vec;

/// The largest state, bytes: 16 MiB.
pub const STATE_BYTES_MAX: usize = 16 << 20;
/// The most slots of a ring: the longest prediction, the frame before it, and states pinned.
pub const STATE_SLOTS_MAX: usize = 128;

/// Why a state was not kept, or a ring not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateRingError {
    /// A ring of no slots, or of too many.
    #[error("a ring of {slots} states: it has 1 to {STATE_SLOTS_MAX}")]
    Slots {
        /// How many were asked for.
        slots: usize,
    },
    /// A state that no session takes.
    #[error("a state of {bytes} bytes: the largest here has {max}")]
    TooLarge {
        /// How long it says it is.
        bytes: usize,
        /// The longest that this ring takes.
        max: usize,
    },
    /// The memory could not be had.
    #[error("{bytes} bytes for the saved states could not be allocated")]
    NoMemory {
        /// How many were asked for.
        bytes: usize,
    },
    /// Every slot is pinned.
    #[error("all {slots} states are pinned: frame {frame} cannot be saved")]
    AllPinned {
        /// The frame to be saved.
        frame: Frame,
        /// How many slots there are.
        slots: usize,
    },
}

/// What one slot holds.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    frame: Option<Frame>,
    bytes: usize,
    pinned: bool,
}

/// A fixed number of states of at most a fixed size, found by frame.
///
/// Allocates when it is made and never again. A new state takes the slot of the same frame, else a free one, else that of
/// the oldest frame that is not pinned; each costs one look at every slot.
///
/// ```
/// use net_session::{Frame, StateRing};
/// let mut ring = StateRing::new(10, 64)?;
/// ring.put(Frame(3), b"the world as of frame 3")?;
/// assert_eq!(ring.get(Frame(3)), Some(&b"the world as of frame 3"[..]));
/// assert_eq!(ring.get(Frame(4)), None);
/// # Ok::<(), net_session::StateRingError>(())
/// ```
#[derive(Debug)]
pub struct StateRing {
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    state_max: usize,
}

impl StateRing {
    /// A ring of `slots` states, 1 to [`STATE_SLOTS_MAX`], of at most `state_max` bytes each. A session that predicts P
    /// frames needs P + 2, and one more for each state that is to stay pinned.
    ///
    /// # Errors
    /// Too many slots, too large a state, or no memory for `slots × state_max` bytes.
    pub fn new(slots: usize, state_max: usize) -> Result<Self, StateRingError> {
        if !(1..=STATE_SLOTS_MAX).contains(&slots) {
            return Err(StateRingError::Slots { slots });
        }
        if state_max > STATE_BYTES_MAX {
            return Err(StateRingError::TooLarge {
                bytes: state_max,
                max: STATE_BYTES_MAX,
            });
        }
        // At most 2 GiB: where that does not fit an address, the reservation fails.
        let all = slots.saturating_mul(state_max);
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(all)
            .map_err(|_| StateRingError::NoMemory { bytes: all })?;
        bytes.resize(all, 0);
        Ok(Self {
            bytes,
            slots: alloc::vec![Slot::default(); slots],
            state_max,
        })
    }

    /// The longest state it takes, bytes.
    #[must_use]
    pub const fn state_max(&self) -> usize {
        self.state_max
    }

    /// Saves `frame`: `write` is given the slot's `state_max` bytes, whatever they held before, and returns how many of
    /// them it filled from the front.
    ///
    /// # Errors
    /// `write` says more than it was given (then no state of `frame` is kept), or every slot is pinned (then it is not called).
    pub fn save(
        &mut self,
        frame: Frame,
        write: impl FnOnce(&mut [u8]) -> usize,
    ) -> Result<(), StateRingError> {
        let at = self.slot_for(frame)?;
        let start = at * self.state_max;
        let pinned = self.slots[at].frame == Some(frame) && self.slots[at].pinned;
        self.slots[at] = Slot::default();
        let bytes = write(&mut self.bytes[start..start + self.state_max]);
        if bytes > self.state_max {
            return Err(StateRingError::TooLarge {
                bytes,
                max: self.state_max,
            });
        }
        self.slots[at] = Slot {
            frame: Some(frame),
            bytes,
            pinned,
        };
        Ok(())
    }

    /// Saves a copy of `state` as that of `frame`.
    ///
    /// # Errors
    /// It is too long, or every slot is pinned.
    pub fn put(&mut self, frame: Frame, state: &[u8]) -> Result<(), StateRingError> {
        if state.len() > self.state_max {
            return Err(StateRingError::TooLarge {
                bytes: state.len(),
                max: self.state_max,
            });
        }
        self.save(frame, |slot| {
            slot[..state.len()].copy_from_slice(state);
            state.len()
        })
    }

    /// The state of `frame`, or `None` if it is not kept (any more).
    #[must_use]
    pub fn get(&self, frame: Frame) -> Option<&[u8]> {
        let at = self.find(frame)?;
        let start = at * self.state_max;
        Some(&self.bytes[start..start + self.slots[at].bytes])
    }

    /// Keeps the state of `frame` until it is unpinned, however old it gets. False if it is not here.
    pub fn pin(&mut self, frame: Frame) -> bool {
        self.set_pinned(frame, true)
    }

    /// Lets the state of `frame` go when its slot is needed. False if it is not here.
    pub fn unpin(&mut self, frame: Frame) -> bool {
        self.set_pinned(frame, false)
    }

    /// Pins the state of `frame` and unpins every other: for the newest agreed one. False, and nothing is changed, if it is
    /// not here.
    pub fn pin_only(&mut self, frame: Frame) -> bool {
        if self.find(frame).is_none() {
            return false;
        }
        for slot in &mut self.slots {
            slot.pinned = slot.frame == Some(frame);
        }
        true
    }

    /// Forgets every state. Keeps the memory.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    fn set_pinned(&mut self, frame: Frame, pinned: bool) -> bool {
        match self.find(frame) {
            Some(at) => {
                self.slots[at].pinned = pinned;
                true
            }
            None => false,
        }
    }

    fn find(&self, frame: Frame) -> Option<usize> {
        self.slots.iter().position(|slot| slot.frame == Some(frame))
    }

    fn slot_for(&self, frame: Frame) -> Result<usize, StateRingError> {
        if let Some(at) = self.find(frame) {
            return Ok(at);
        }
        let open = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| !slot.pinned);
        // `None`, a free slot, comes before every frame.
        open.min_by_key(|(_, slot)| slot.frame)
            .map(|(at, _)| at)
            .ok_or(StateRingError::AllPinned {
                frame,
                slots: self.slots.len(),
            })
    }
}
