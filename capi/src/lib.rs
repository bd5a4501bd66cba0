//! The stable C ABI: what engines embed. So far it says which version it is and what its status codes mean.
//!
//! Conventions, from the first function on: names begin with `duel_`, out-parameters come last and are written only on
//! success, nothing is global, and every pointer is checked. Within one [`DUEL_ABI`] symbols are only added, status
//! numbers are never reused, and struct fields are only appended.
//!
//! ```
//! assert_eq!(sound_duel::duel_abi(), sound_duel::DUEL_ABI);
//! ```
// The attribute that exports a symbol counts as unsafe code; nothing here dereferences a pointer.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};

/// The ABI's number: a program built against one runs on every library that says the same.
pub const DUEL_ABI: u32 = 0;

/// What a function did: 0 done; positive: normal, nothing to do; negative: an error.
pub type DuelStatus = i32;

/// Every status there is, with its name. Numbers are never reused.
const STATUSES: [(DuelStatus, &CStr); 7] = [
    (0, c"DUEL_OK"),
    (1, c"DUEL_EMPTY"),
    (2, c"DUEL_STALLED"),
    (-1, c"DUEL_NULL"),
    (-2, c"DUEL_BAD_HANDLE"),
    (-3, c"DUEL_BAD_ARGUMENT"),
    (-4, c"DUEL_PANICKED"),
];

/// The ABI that this library speaks: [`DUEL_ABI`]. Compare it with the header's at start.
///
/// Thread: any. Realtime: yes. Owns: nothing. Since: ABI 0.
#[unsafe(no_mangle)]
pub extern "C" fn duel_abi() -> u32 {
    DUEL_ABI
}

/// The library's version, such as `0.1.0`: a string that lives as long as the library.
///
/// Thread: any. Realtime: yes. Owns: nothing. Since: ABI 0.
#[unsafe(no_mangle)]
pub extern "C" fn duel_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// A status code's name, such as `DUEL_EMPTY`, or `DUEL_UNKNOWN`: a string that lives as long as the library.
///
/// Thread: any. Realtime: yes. Owns: nothing. Since: ABI 0.
#[unsafe(no_mangle)]
pub extern "C" fn duel_status_name(status: DuelStatus) -> *const c_char {
    let known = STATUSES.iter().find(|(number, _)| *number == status);
    known.map_or(c"DUEL_UNKNOWN", |(_, name)| name).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pointer: *const c_char) -> &'static str {
        // SAFETY: every function here returns a string with a static lifetime.
        unsafe { CStr::from_ptr(pointer) }.to_str().unwrap()
    }

    #[test]
    fn numbers_and_names_are_frozen() {
        assert_eq!(text(duel_version()), env!("CARGO_PKG_VERSION"));
        let names: Vec<_> = (-5..=3)
            .map(|status| text(duel_status_name(status)))
            .collect();
        assert_eq!(
            names,
            [
                "DUEL_UNKNOWN",
                "DUEL_PANICKED",
                "DUEL_BAD_ARGUMENT",
                "DUEL_BAD_HANDLE",
                "DUEL_NULL",
                "DUEL_OK",
                "DUEL_EMPTY",
                "DUEL_STALLED",
                "DUEL_UNKNOWN"
            ]
        );
    }
}
