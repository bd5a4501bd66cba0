//! A message between the halves of a link as C takes it. Knows neither half.

use crate::{
    handle::{Answer, Fault},
    sized::{put, slice_mut},
    status::*,
};
use link_modem::half::MESSAGE_BYTES_MAX;

/// What both halves do to hand out a message.
///
/// # Safety
/// As the exported functions.
pub(crate) unsafe fn poll_message(
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
    next: impl FnOnce(&mut [u8; MESSAGE_BYTES_MAX]) -> Option<usize>,
) -> Answer {
    if length.is_null() {
        return Err(Fault::null("length"));
    }
    if capacity < MESSAGE_BYTES_MAX {
        return Err(Fault::new(
            DUEL_TOO_SMALL,
            format_args!("room for {capacity} bytes: a message may have {MESSAGE_BYTES_MAX}"),
        ));
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice_mut(bytes, capacity, "bytes") }?;
    let Some((message, _)) = bytes.split_first_chunk_mut() else {
        return Err(Fault::new(DUEL_TOO_SMALL, "no room for a message"));
    };
    let Some(len) = next(message) else {
        return Ok(DUEL_EMPTY);
    };
    // SAFETY: the caller's promise.
    unsafe { put(length, len, "length") }?;
    Ok(DUEL_OK)
}
