//! One seat's inputs by frame, in memory that is allocated once.

use alloc::{vec, vec::Vec};

use crate::wire::NO_FRAME;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// It is kept.
    New,
    /// It was there.
    Same,
    /// Another one stands for this frame. That one stays.
    Differs,
    /// Its frame is too old or too far ahead to be kept.
    Outside,
}

/// A ring of inputs. Frames before [`InputRing::next`] are there without a gap, as far back as the ring goes; later ones may
/// be.
#[derive(Debug)]
pub(crate) struct InputRing {
    frames: Vec<u32>,
    lengths: Vec<u8>,
    bytes: Vec<u8>,
    stride: usize,
    next: u32,
}

impl InputRing {
    /// For `frames` frames (a power of two) of at most `stride` bytes.
    pub(crate) fn new(frames: usize, stride: usize) -> Self {
        debug_assert!(frames.is_power_of_two());
        Self {
            frames: vec![NO_FRAME; frames],
            lengths: vec![0; frames],
            bytes: vec![0; frames * stride],
            stride,
            next: 0,
        }
    }

    /// Forgets everything; the inputs begin at `frame`.
    pub(crate) fn reset(&mut self, frame: u32) {
        self.frames.fill(NO_FRAME);
        self.next = frame;
    }

    const fn slot(&self, frame: u32) -> usize {
        frame as usize & (self.frames.len() - 1)
    }

    /// The first frame of which there is no input.
    pub(crate) const fn next(&self) -> u32 {
        self.next
    }

    /// How many frames before `next` are there, and as many behind it fit.
    const fn half(&self) -> u32 {
        self.frames.len() as u32 / 2
    }

    pub(crate) fn get(&self, frame: u32) -> Option<&[u8]> {
        let slot = self.slot(frame);
        (self.frames[slot] == frame && frame != NO_FRAME).then(|| {
            let start = slot * self.stride;
            &self.bytes[start..start + usize::from(self.lengths[slot])]
        })
    }

    fn write(&mut self, frame: u32, input: &[u8]) {
        let slot = self.slot(frame);
        self.frames[slot] = frame;
        self.lengths[slot] = input.len() as u8;
        let start = slot * self.stride;
        self.bytes[start..start + input.len()].copy_from_slice(input);
    }

    /// Keeps an input that came from elsewhere. Moves `next` over all that is now there without a gap.
    pub(crate) fn put(&mut self, frame: u32, input: &[u8]) -> Put {
        debug_assert!(input.len() <= self.stride);
        if let Some(there) = self.get(frame) {
            return if there == input {
                Put::Same
            } else {
                Put::Differs
            };
        }
        if frame < self.next || frame - self.next >= self.half() {
            return Put::Outside;
        }
        self.write(frame, input);
        while self.frames[self.slot(self.next)] == self.next {
            self.next += 1;
        }
        Put::New
    }

    /// Appends the next frame's input.
    pub(crate) fn push(&mut self, input: &[u8]) {
        self.write(self.next, input);
        self.next += 1;
    }

    /// Sets the input before the first one, which the first is coded against.
    pub(crate) fn put_before_next(&mut self, input: &[u8]) {
        if let Some(frame) = self.next.checked_sub(1) {
            self.write(frame, input);
        }
    }

    /// Drops what was kept from `frame` on, which must not be before `next`.
    pub(crate) fn forget_from(&mut self, frame: u32) {
        for ahead in frame..frame.saturating_add(self.half()) {
            let slot = self.slot(ahead);
            if self.frames[slot] == ahead {
                self.frames[slot] = NO_FRAME;
            }
        }
    }

    /// Lets frames up to before `frame` be empty inputs.
    pub(crate) fn fill_to(&mut self, frame: u32) {
        if frame > self.next && frame - self.next > self.half() {
            self.reset(frame - self.half());
        }
        while self.next < frame {
            self.push(&[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InputRing, Put};

    #[test]
    fn gaps_are_filled_in_any_order_and_the_first_word_stands() {
        let mut ring = InputRing::new(16, 2);
        assert_eq!(ring.put(2, b"c"), Put::New);
        assert_eq!(ring.put(0, b"a"), Put::New);
        assert_eq!(ring.next(), 1);
        assert_eq!(ring.put(1, b"b"), Put::New);
        assert_eq!(ring.next(), 3);
        assert_eq!(ring.put(1, b"x"), Put::Differs);
        assert_eq!(ring.get(1), Some(&b"b"[..]));
        assert_eq!(ring.put(1, b"b"), Put::Same);
        assert_eq!(ring.put(11, b"z"), Put::Outside);
        assert_eq!(ring.put(10, b"z"), Put::New);
    }

    #[test]
    fn the_last_half_of_a_ring_is_always_there() {
        let mut ring = InputRing::new(16, 1);
        for frame in 0..1_000u32 {
            assert_eq!(ring.put(frame, &[frame as u8]), Put::New);
            for back in 0..ring.half().min(frame) {
                assert_eq!(ring.get(frame - back), Some(&[(frame - back) as u8][..]));
            }
        }
        assert_eq!(ring.get(900), None);
        assert_eq!(ring.put(900, &[0]), Put::Outside);
    }
}
