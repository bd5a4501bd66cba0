//! Status codes
//!
//! What a function did. 0 is done; positive means that it worked and there is nothing to do; negative is an error,
//! and the handle's `duel_..._detail` says more. Numbers are never reused.

/// What a function did: 0 done; positive: normal, nothing to do; negative: an error.
pub type duel_status = i32;

/// Done.
pub const DUEL_OK: i32 = 0;
/// Nothing there (now): no event, no packet, no change.
pub const DUEL_EMPTY: i32 = 1;
/// The next tick waits for the peer.
pub const DUEL_STALLED: i32 = 2;
/// The link is closed, or its other half is gone: silence was played, and the caller may stop.
pub const DUEL_CLOSED: i32 = 3;

/// A pointer that has to point somewhere is NULL.
pub const DUEL_NULL: i32 = -1;
/// No handle of this kind: freed, of another kind, or any other number.
pub const DUEL_BAD_HANDLE: i32 = -2;
/// A value outside its range: an enumeration's number, a count, an index.
pub const DUEL_BAD_ARGUMENT: i32 = -3;
/// The library failed inside this handle, now or earlier: a bug. It can only be freed. On wasm the instance traps.
pub const DUEL_PANICKED: i32 = -4;
/// `struct_size` is smaller than the structure ever was: forgotten, or another structure.
pub const DUEL_BAD_SIZE: i32 = -5;
/// The structure is of a newer header and uses fields that this library does not know.
pub const DUEL_TOO_NEW: i32 = -6;
/// Another call is in this handle, or in what it shares with others: from inside one of its own callbacks, or from two
/// threads at once. Nothing was done.
pub const DUEL_BUSY: i32 = -7;
/// The sound link cannot run at this sample rate.
pub const DUEL_BAD_RATE: i32 = -8;
/// Not in this phase.
pub const DUEL_NOT_NOW: i32 = -9;
/// This kind of link or game, or a library built without that part, cannot do it.
pub const DUEL_UNSUPPORTED: i32 = -10;
/// Understood and not taken: an order that cannot be sent, an opener that is blocked, a map that is not there.
pub const DUEL_REFUSED: i32 = -11;
/// Bytes that are no message, record or world.
pub const DUEL_BAD_DATA: i32 = -12;
/// The buffer is too small.
pub const DUEL_TOO_SMALL: i32 = -13;
/// A session has this link: send and poll through the session.
pub const DUEL_TAKEN: i32 = -14;
