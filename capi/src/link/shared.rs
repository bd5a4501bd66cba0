//! How handles share a link: a link's own and its session's, or the two ends of one air. Knows no C.
//!
//! One flag guards all of it. A call on any of the handles takes the flag first ([`Shared::hold`], by way of
//! `Kind::hold`) and is refused while another has it; nobody waits. At its end a call publishes how the links are doing, for
//! who reads that without taking the flag.

use crate::{
    handle::{Board, Hold, WORDS},
    link::{any_link::AnyLink, words::duel_link_status},
};
use core::{
    cell::RefCell,
    sync::atomic::{AtomicBool, Ordering},
};
use link_transport::{LinkEvent, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, SessionKey};
use match_feed::duel::Medium;
use std::sync::Arc;

/// Links that are used, and go, together.
struct Joint {
    /// A call has them.
    busy: AtomicBool,
    /// Of that call alone.
    seats: RefCell<Vec<Seat>>,
}

// SAFETY: `seats` is touched only by the call that set `busy`, one at a time (`Shared::with` checks that there is one), and
// by the drop, when nobody else is left. All that is in it can be sent: `AnyLink` demands it.
unsafe impl Send for Joint {}
// SAFETY: as above.
unsafe impl Sync for Joint {}

struct Seat {
    link: Box<dyn AnyLink>,
    /// A session has it. Counted beside the flag, so that a session can be dropped whoever has that.
    taken: Arc<AtomicBool>,
    /// Where its handle shows how it is doing, while it has one.
    board: Option<&'static Board>,
}

impl Seat {
    fn new(link: Box<dyn AnyLink>) -> Self {
        Self {
            link,
            taken: Arc::default(),
            board: None,
        }
    }

    fn publish(&self) {
        if let Some(board) = self.board {
            let taken = self.taken.load(Ordering::Acquire).into();
            board.show(&to_words(duel_link_status {
                taken,
                ..self.link.status()
            }));
        }
    }
}

/// A link and all who hold it: whoever is freed last frees it.
#[derive(Clone)]
pub struct Shared {
    joint: Arc<Joint>,
    /// Which of the joint's.
    at: usize,
}

impl Shared {
    pub fn new(link: Box<dyn AnyLink>) -> Self {
        Self::of(vec![Seat::new(link)], 0)
    }

    /// Two links that are used, and go, together.
    #[cfg(feature = "room")]
    pub fn pair(a: Box<dyn AnyLink>, b: Box<dyn AnyLink>) -> [Self; 2] {
        let a = Self::of(vec![Seat::new(a), Seat::new(b)], 0);
        let b = Self { at: 1, ..a.clone() };
        [a, b]
    }

    fn of(seats: Vec<Seat>, at: usize) -> Self {
        let joint = Arc::new(Joint {
            busy: AtomicBool::new(false),
            seats: RefCell::new(seats),
        });
        Self { joint, at }
    }

    /// Has the link, and those with it, to itself until dropped; `None` while another call has.
    pub fn hold(&self) -> Option<Held> {
        let busy = self.joint.busy.swap(true, Ordering::Acquire);
        (!busy).then(|| Held(Arc::clone(&self.joint)))
    }

    /// Shows how it is doing on `board`, now and after every call; false while another call has it.
    pub fn show_on(&self, board: &'static Board) -> bool {
        let Some(mut held) = self.hold() else {
            return false;
        };
        self.seat(|seat| seat.board = Some(board));
        held.settle();
        true
    }

    /// Its handle goes. The caller holds it.
    pub fn show_nowhere(&self) {
        self.seat(|seat| seat.board = None);
    }

    fn seat<R>(&self, inside: impl FnOnce(&mut Seat) -> R) -> R {
        assert!(
            self.joint.busy.load(Ordering::Relaxed),
            "a link is used by a call that holds it"
        );
        inside(&mut self.joint.seats.borrow_mut()[self.at])
    }

    /// The caller holds it.
    pub fn with<R>(&self, inside: impl FnOnce(&mut dyn AnyLink) -> R) -> R {
        self.seat(|seat| inside(&mut *seat.link))
    }

    pub fn is_taken(&self) -> bool {
        self.seat(|seat| seat.taken.load(Ordering::Acquire))
    }

    pub fn medium(&self) -> Medium {
        self.with(|link| link.medium())
    }

    /// For a session: the same link, taken until the session drops it. `None` if another session has it.
    pub fn take(&self) -> Option<Taken> {
        let taken = self.seat(|seat| Arc::clone(&seat.taken));
        (!taken.swap(true, Ordering::AcqRel)).then(|| Taken {
            link: self.clone(),
            taken,
        })
    }
}

/// A call has the links of a joint.
pub struct Held(Arc<Joint>);

impl Hold for Held {
    fn settle(&mut self) {
        self.0.seats.borrow().iter().for_each(Seat::publish);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}

/// A session may have a link, or none.
impl Hold for Option<Held> {
    fn settle(&mut self) {
        if let Some(held) = self {
            held.settle();
        }
    }
}

const _: () = assert!(size_of::<duel_link_status>() == WORDS * size_of::<u32>());

fn to_words(status: duel_link_status) -> [u32; WORDS] {
    // SAFETY: as many bytes, none of them padding: `layout.rs` says where each field lies.
    unsafe { core::mem::transmute(status) }
}

/// What a link's handle shows.
pub fn from_words(words: [u32; WORDS]) -> duel_link_status {
    // SAFETY: as many bytes, and any are a status.
    unsafe { core::mem::transmute(words) }
}

/// A link as a session has it: used only in the session's calls, which hold it.
pub struct Taken {
    link: Shared,
    taken: Arc<AtomicBool>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.taken.store(false, Ordering::Release);
    }
}

impl LinkTransport for Taken {
    fn capacity_bits(&self) -> usize {
        self.link.with(|link| link.capacity_bits())
    }
    fn send(&mut self, frames: &[OutFrame]) {
        self.link.with(|link| link.send(frames));
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.link.with(|link| link.poll(now))
    }
    fn now(&self) -> LinkTime {
        self.link.with(|link| link.now())
    }
    fn set_mode(&mut self, mode: Mode) {
        self.link.with(|link| link.set_mode(mode));
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.link.with(|link| link.set_session_key(key));
    }
    fn stats(&self) -> LinkStats {
        self.link.with(|link| link.stats())
    }
    fn close(&mut self) {
        self.link.with(|link| link.close());
    }
}
