//! Turns to game frames and back: deterministic lockstep over a lossy link.
