//! How long something took.

use std::time::Instant;

/// Seconds this thread has been on a core since `from`, where the system tells; then other programs do not count.
/// Elsewhere, seconds on the wall.
pub struct CoreWatch {
    started: Instant,
    core_ns: Option<u64>,
}

impl CoreWatch {
    /// Starts.
    pub fn start() -> Self {
        Self {
            core_ns: on_core_ns(),
            started: Instant::now(),
        }
    }

    /// Seconds so far.
    pub fn seconds(&self) -> f64 {
        match (self.core_ns, on_core_ns()) {
            (Some(from), Some(to)) => to.saturating_sub(from) as f64 / 1e9,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

fn on_core_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// The shortest of some runs: nothing makes a run shorter than the work takes.
pub fn best_of(runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    (0..runs).map(|_| run()).fold(f64::INFINITY, f64::min)
}
