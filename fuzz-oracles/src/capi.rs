//! The C ABI by sequence of calls: the careless host lives in `capi`, where C's pointers are at home.

/// Any sequence of calls into the C ABI: nothing panics, every status has a name, failures write nothing.
pub fn capi_calls(data: &[u8]) {
    sound_duel::random_calls(data);
}
