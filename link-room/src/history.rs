//! The newest stretch of a signal, by absolute frame number.

/// Keeps at least the last `keep` frames in one piece. Appending costs one copy, twice at most.
pub(crate) struct History {
    frames: Vec<f32>,
    keep: usize,
    /// The frame number of `frames[0]`.
    first: u64,
}

impl History {
    pub(crate) fn new(keep: usize) -> Self {
        Self {
            frames: Vec::with_capacity(4 * keep),
            keep,
            first: 0,
        }
    }

    /// One past the newest frame.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    pub(crate) fn append(&mut self, frames: impl IntoIterator<Item = f32>) {
        if self.frames.len() >= 3 * self.keep {
            let old = self.frames.len() - self.keep;
            self.frames.drain(..old);
            self.first += old as u64;
        }
        self.frames.extend(frames);
    }

    /// Frames `start .. start + len`; `None` if any is not there: from before the start, forgotten, or not yet known.
    pub(crate) fn window(&self, start: i64, len: usize) -> Option<&[f32]> {
        let start = usize::try_from(start - self.first as i64).ok()?;
        self.frames.get(start..start + len)
    }
}
