//! What one thread shows and others read at any time: a few words, whole or not at all. Waits for nobody.
//!
//! Two copies: the writer fills the one that is not shown, then shows it. A reader who finds that another was shown
//! meanwhile reads again; one who is slow, or a writer who is stopped halfway, keeps nobody waiting. Every word is an
//! atomic, so there is no race whatever the threads do.

use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Words that a board shows.
pub(crate) const WORDS: usize = 24;

/// Zeros are a board that shows zeros; for a new slot's memory they have to be.
pub(crate) struct Board {
    /// How often something was shown; the lowest bit says which copy is.
    shown: AtomicUsize,
    copies: [[AtomicU32; WORDS]; 2],
}

impl Board {
    /// Shows zeros.
    pub(crate) const fn blank() -> Self {
        Self {
            shown: AtomicUsize::new(0),
            copies: [const { [const { AtomicU32::new(0) }; WORDS] }; 2],
        }
    }

    /// Shows other words. One thread at a time.
    pub(crate) fn show(&self, words: &[u32; WORDS]) {
        let next = self.shown.load(Ordering::Relaxed).wrapping_add(1);
        for (to, &word) in self.copies[next % 2].iter().zip(words) {
            // Whoever sees this word also sees that the other copy is shown, and has been since before it was written.
            to.store(word, Ordering::Release);
        }
        self.shown.store(next, Ordering::Release);
    }

    /// What is shown, and whether nothing was shown while reading: otherwise the words may be of two times.
    fn look(&self) -> Option<[u32; WORDS]> {
        let before = self.shown.load(Ordering::Acquire);
        let words = core::array::from_fn(|at| self.copies[before % 2][at].load(Ordering::Acquire));
        (self.shown.load(Ordering::Relaxed) == before).then_some(words)
    }

    /// What is shown. Reads again for each time that something was shown meanwhile.
    pub(crate) fn read(&self) -> [u32; WORDS] {
        loop {
            if let Some(words) = self.look() {
                return words;
            }
            core::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::atomic::AtomicBool, thread};

    #[test]
    fn words_are_of_one_time() {
        let last = if cfg!(miri) { 40 } else { 200_000 };
        let board = Board::blank();
        board.show(&[1; WORDS]);
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut newest = 1;
                    while !done.load(Ordering::Relaxed) {
                        let words = board.read();
                        assert_eq!(words, [words[0]; WORDS], "of one time");
                        assert!(words[0] >= newest, "never an older one");
                        newest = words[0];
                    }
                });
            }
            for value in 2..=last {
                board.show(&[value; WORDS]);
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(board.read(), [last; WORDS]);
    }
}
