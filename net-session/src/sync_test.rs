//! Finds what makes a game differ from itself: every frame is rolled back and stepped again, and compared part by part.
//!
//! Never sees the game: it asks for the same requests as a session, and compares what the host answers.

use crate::{
    Frame,
    event::{Request, StepFlags, StepInputs},
    wire::{INPUT_BYTES_MAX, Part, SEATS_MAX},
};
use alloc::{borrow::ToOwned, collections::VecDeque, string::String, vec::Vec};
use match_feed::{Seat, WorldHash};

/// The most frames that a sync test rolls back at a time.
pub const CHECK_DISTANCE_MAX: u32 = 60;
/// The most mismatches that are listed; more are counted.
pub const MISMATCHES_MAX: usize = 4_096;

/// The name of the part that stands for the saved bytes, where they differ and no part's hash does.
pub const SAVED_BYTES: &str = "saved bytes";

/// A frame that came out differently the second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameMismatch {
    /// The position whose state differs.
    pub frame: Frame,
    /// The position that was loaded. Equal to `frame`: the state differed right after it was loaded, before any step.
    pub loaded: Frame,
    /// Hash at first, and now.
    pub hashes: [u64; 2],
    /// The parts that differ, by name. [`SAVED_BYTES`] alone: the hashes are equal, but the bytes that were saved are not, so the
    /// hash has a gap, or the save holds what is no state. Empty: the hash differs and no part does, so the parts have a gap.
    pub parts: Vec<String>,
}

/// What was said of a frame's state first.
#[derive(Debug, Default)]
struct Record {
    frame: u32,
    hash: Option<(u64, Vec<(String, u64)>)>,
    saved: Option<WorldHash>,
    /// What was said in this pass.
    now: Option<(u64, bool)>,
}

/// Where the test stands within an `advance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// All is asked for.
    Idle,
    /// Hash the state at the position, and save it if it was not just loaded.
    Look { save: bool },
    /// Save the state at the position.
    Save,
    /// Step on, or go back.
    Go,
}

/// A session for tests. Give inputs, call [`Self::advance`], do what [`Self::poll_request`] says, as with a session; answer `Hash`
/// by [`Self::put_hash`], and `Save` by [`Self::put_state`] as well if the bytes shall be compared. After each frame it goes back by the check
/// distance, and hashes right after the load and after each step.
#[derive(Debug)]
pub struct SyncTest {
    distance: u32,
    seats: u8,
    position: u32,
    /// The first frame never stepped.
    newest: u32,
    goal: u32,
    /// Loaded in this pass.
    loaded: Option<u32>,
    stage: Stage,
    inputs: VecDeque<StepInputs>,
    local: StepInputs,
    records: VecDeque<Record>,
    mismatches: Vec<FrameMismatch>,
    count: u64,
}

impl SyncTest {
    /// For a game of `seats` seats, 1 to 8. Each frame is rolled back `distance` frames, 1 to [`CHECK_DISTANCE_MAX`].
    ///
    /// # Panics
    /// Outside of these bounds.
    #[must_use]
    pub fn new(seats: u8, distance: u32) -> Self {
        assert!(
            (1..=SEATS_MAX).contains(&usize::from(seats)),
            "1 to 8 seats"
        );
        assert!(
            (1..=CHECK_DISTANCE_MAX).contains(&distance),
            "1 to 60 frames back"
        );
        Self {
            distance,
            seats,
            position: 0,
            newest: 0,
            goal: 0,
            loaded: None,
            stage: Stage::Look { save: true },
            inputs: VecDeque::new(),
            local: StepInputs::new(seats),
            records: VecDeque::new(),
            mismatches: Vec::new(),
            count: 0,
        }
    }

    /// Gives a seat's input for the frames to come. It stays in force until another is given. One that is too long, or of a
    /// seat that the game has not, is left out.
    pub fn set_input(&mut self, seat: Seat, input: &[u8]) {
        if seat.index() < usize::from(self.seats) && input.len() <= INPUT_BYTES_MAX {
            self.local.set(seat.index(), input);
        }
    }

    /// Takes the inputs of one more frame. Drain [`Self::poll_request`] before and after.
    pub fn advance(&mut self) {
        self.inputs.push_back(self.local.clone());
        // The frames that can be stepped again, and the one to come.
        if self.inputs.len() > self.distance as usize + 1 {
            self.inputs.pop_front();
        }
        self.newest = self.goal;
        self.goal += 1;
        if self.stage == Stage::Idle {
            self.stage = Stage::Go;
        }
        self.loaded = None;
    }

    /// The next thing for the host to do.
    pub fn poll_request(&mut self) -> Option<Request<'_>> {
        let frame = Frame(self.position);
        match self.stage {
            Stage::Idle => None,
            Stage::Look { save } => {
                self.stage = if save { Stage::Save } else { Stage::Go };
                self.open_record();
                Some(Request::Hash { frame })
            }
            Stage::Save => {
                self.stage = Stage::Go;
                Some(Request::Save { frame })
            }
            Stage::Go if self.position < self.goal => {
                self.stage = Stage::Look { save: true };
                self.position += 1;
                let back = (self.goal - frame.0) as usize;
                Some(Request::Step {
                    frame,
                    inputs: &self.inputs[self.inputs.len() - back],
                    flags: StepFlags {
                        predicted: true,
                        resimulated: frame.0 < self.newest || self.loaded.is_some(),
                        confirmed: false,
                    },
                })
            }
            Stage::Go if self.loaded.is_none() && self.goal >= self.distance => {
                self.position = self.goal - self.distance;
                self.loaded = Some(self.position);
                self.stage = Stage::Look { save: false };
                Some(Request::Load {
                    frame: Frame(self.position),
                })
            }
            Stage::Go => {
                self.stage = Stage::Idle;
                None
            }
        }
    }

    /// The answer to `Request::Hash`: the hash of the state before `frame`, and of its parts.
    pub fn put_hash(&mut self, frame: Frame, hash: u64, parts: &[Part<'_>]) {
        let loaded = self.loaded;
        let Some(record) = self.records.iter_mut().find(|it| it.frame == frame.0) else {
            return;
        };
        let Some((first, first_parts)) = &record.hash else {
            let named = parts.iter().map(|part| (part.name.to_owned(), part.hash));
            record.hash = Some((hash, named.collect()));
            return;
        };
        let mut differing: Vec<String> = Vec::new();
        for (name, was) in first_parts {
            let now = parts.iter().find(|part| part.name == name);
            if now.is_none_or(|now| now.hash != *was) {
                differing.push(name.clone());
            }
        }
        let added = parts
            .iter()
            .filter(|part| first_parts.iter().all(|(name, _)| name != part.name));
        differing.extend(added.map(|part| part.name.to_owned()));
        let differs = hash != *first || !differing.is_empty();
        record.now = Some((hash, differs));
        if differs {
            let hashes = [*first, hash];
            self.list(frame, loaded, hashes, differing);
        }
    }

    /// The bytes that the host saved for `frame`: they are compared too. For games whose equal states give equal bytes, as all
    /// should.
    pub fn put_state(&mut self, frame: Frame, state: &[u8]) {
        let loaded = self.loaded;
        let Some(record) = self.records.iter_mut().find(|it| it.frame == frame.0) else {
            return;
        };
        let saved = WorldHash::of(state);
        let Some(first) = record.saved else {
            record.saved = Some(saved);
            return;
        };
        // Where the hash differs too, that says more.
        if let Some((hash, false)) = record.now
            && first != saved
        {
            self.list(
                frame,
                loaded,
                [hash, hash],
                alloc::vec![SAVED_BYTES.to_owned()],
            );
        }
    }

    /// Every frame that differed, in the order found; the first says most. At most [`MISMATCHES_MAX`].
    #[must_use]
    pub fn mismatches(&self) -> &[FrameMismatch] {
        &self.mismatches
    }

    /// How many there were, those not listed among them.
    #[must_use]
    pub const fn mismatch_count(&self) -> u64 {
        self.count
    }

    /// How many frames were stepped, each again as often as the distance says.
    #[must_use]
    pub const fn frames(&self) -> u32 {
        self.goal
    }

    fn list(&mut self, frame: Frame, loaded: Option<u32>, hashes: [u64; 2], parts: Vec<String>) {
        self.count += 1;
        if self.mismatches.len() < MISMATCHES_MAX {
            let loaded = Frame(loaded.unwrap_or(frame.0));
            self.mismatches.push(FrameMismatch {
                frame,
                loaded,
                hashes,
                parts,
            });
        }
    }

    fn open_record(&mut self) {
        match self.records.iter_mut().find(|it| it.frame == self.position) {
            Some(record) => record.now = None,
            None => {
                self.records.push_back(Record {
                    frame: self.position,
                    ..Record::default()
                });
                if self.records.len() > self.distance as usize + 2 {
                    self.records.pop_front();
                }
            }
        }
    }
}
