//! The reference game: a deterministic real-time skirmish.
