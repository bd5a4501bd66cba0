//! Sounds, rumble and other effects of frames that may turn out never to have happened.
//!
//! Knows an effect by its frame and key only; what it is like belongs to the host.

use crate::Frame;
use alloc::vec::Vec;

/// An effect did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{max} effects wait for confirmation already")]
pub struct EffectsFull {
    /// How many can.
    pub max: usize,
}

/// An effect that was started and is neither confirmed nor cancelled yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect<K> {
    /// The frame that it belongs to.
    pub frame: Frame,
    /// Which of the frame's effects it is.
    pub key: K,
}

#[derive(Clone, Copy, Debug)]
struct Waiting<K> {
    effect: Effect<K>,
    /// The stepping of its frame that runs now, or ran last, has it.
    seen: bool,
}

/// Starts every effect once, cancels those that were mispredicted, and confirms each once.
///
/// Around each `Step` of a session: [`Effects::begin`] with the frame, [`Effects::emit`] for each effect that the game asks
/// for, [`Effects::end`]. When frames are confirmed: [`Effects::confirm`]. The order in which a frame's effects are asked for
/// does not matter. Allocates when it is made and never again; `emit` and `end` look at each waiting effect once.
///
/// ```
/// use net_session::{Effects, Frame};
/// let mut effects = Effects::new(64);
/// let mut playing = Vec::new();
/// effects.begin(Frame(7));
/// if effects.emit("punch")? { playing.push("punch") } // predicted: play it
/// effects.end(|_| ());
/// effects.begin(Frame(7)); // rolled back; with the real input there is no punch, but a kick
/// if effects.emit("kick")? { playing.push("kick") }
/// effects.end(|gone| playing.retain(|key| *key != gone.key));
/// assert_eq!(playing, ["kick"]);
/// let mut sure = Vec::new();
/// effects.confirm(Frame(7), |done| sure.push(done.key));
/// assert_eq!(sure, ["kick"]);
/// # Ok::<(), net_session::EffectsFull>(())
/// ```
#[derive(Debug)]
pub struct Effects<K> {
    waiting: Vec<Waiting<K>>,
    max: usize,
    stepping: Option<Frame>,
    confirmed: Option<Frame>,
}

impl<K: Copy + Eq> Effects<K> {
    /// For at most `max` effects that wait for confirmation at once: those of a frame times the frames of the prediction.
    #[must_use]
    pub fn new(max: usize) -> Self {
        Self {
            waiting: Vec::with_capacity(max),
            max,
            stepping: None,
            confirmed: None,
        }
    }

    /// `frame` is stepped now, for the first time or again.
    pub fn begin(&mut self, frame: Frame) {
        debug_assert_eq!(self.stepping, None, "the frame before was ended");
        self.stepping = Some(frame);
        for waiting in self
            .waiting
            .iter_mut()
            .filter(|it| it.effect.frame == frame)
        {
            waiting.seen = false;
        }
    }

    /// The frame being stepped asks for an effect. True if it has to be started now; false if it was started when the frame
    /// was stepped before, or if the frame is confirmed already.
    ///
    /// # Errors
    /// Too many wait: the effect is not known and is not started.
    ///
    /// # Panics
    /// Outside of [`Effects::begin`] and [`Effects::end`].
    pub fn emit(&mut self, key: K) -> Result<bool, EffectsFull> {
        let frame = self
            .stepping
            .expect("an effect belongs to a frame being stepped");
        if self.confirmed.is_some_and(|through| frame <= through) {
            return Ok(false);
        }
        let effect = Effect { frame, key };
        if let Some(waiting) = self.waiting.iter_mut().find(|it| it.effect == effect) {
            waiting.seen = true;
            return Ok(false);
        }
        if self.waiting.len() == self.max {
            return Err(EffectsFull { max: self.max });
        }
        self.waiting.push(Waiting { effect, seen: true });
        Ok(true)
    }

    /// The frame is stepped. `cancel` is told of each of its effects that was started before and did not come again.
    pub fn end(&mut self, mut cancel: impl FnMut(Effect<K>)) {
        let frame = self.stepping.take();
        self.waiting.retain(|waiting| {
            let keep = waiting.seen || Some(waiting.effect.frame) != frame;
            if !keep {
                cancel(waiting.effect);
            }
            keep
        });
    }

    /// Every frame up to `through` is final and was stepped so. `confirm` is told of each of their effects, once, by frame and
    /// within a frame in the order in which they were started.
    pub fn confirm(&mut self, through: Frame, mut confirm: impl FnMut(Effect<K>)) {
        self.confirmed = self.confirmed.max(Some(through));
        // Stable and in place, so that nothing is allocated. Nearly sorted already.
        insertion_sort(&mut self.waiting);
        self.waiting.retain(|waiting| {
            let done = waiting.effect.frame <= through;
            if done {
                confirm(waiting.effect);
            }
            !done
        });
    }

    /// Cancels all that wait: the match ended, or another state took the world's place.
    pub fn clear(&mut self, mut cancel: impl FnMut(Effect<K>)) {
        self.waiting.drain(..).for_each(|it| cancel(it.effect));
        (self.stepping, self.confirmed) = (None, None);
    }

    /// How many wait for confirmation.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

fn insertion_sort<K: Copy>(waiting: &mut [Waiting<K>]) {
    for end in 1..waiting.len() {
        let mut at = end;
        while at > 0 && waiting[at - 1].effect.frame > waiting[at].effect.frame {
            waiting.swap(at - 1, at);
            at -= 1;
        }
    }
}
