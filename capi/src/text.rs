//! Text of a fixed size for C: cut at a whole character, always ended by a zero. Allocates nothing.

use core::{
    ffi::c_char,
    fmt::{self, Write as _},
};

/// Bytes of a text, its ending zero included.
pub const TEXT_BYTES: usize = 256;

/// A text that is written into, and read by C.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Text {
    bytes: [u8; TEXT_BYTES],
    len: usize,
}

impl Text {
    pub const EMPTY: Self = Self {
        bytes: [0; TEXT_BYTES],
        len: 0,
    };

    pub fn of(what: impl fmt::Display) -> Self {
        let mut text = Self::EMPTY;
        // Writing never fails: what does not fit is cut.
        let _ = write!(text, "{what}");
        text
    }

    pub fn set(&mut self, what: impl fmt::Display) {
        *self = Self::of(what);
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
    }

    /// Ends in a zero; lives as long as this text is where it is.
    pub fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }

    /// As [`Self::as_ptr`], of a text that is written anew from time to time: refers to nothing.
    pub const fn ptr_of(text: *mut Self) -> *const c_char {
        // The bytes come first.
        text.cast_const().cast()
    }

    /// Copies as much as fits into `bytes` of C's, ending it with a zero.
    ///
    /// # Safety
    /// `to` is null or points to `bytes` writable bytes.
    pub unsafe fn copy_to(&self, to: *mut c_char, bytes: usize) {
        if to.is_null() || bytes == 0 {
            return;
        }
        let mut len = self.len.min(bytes - 1);
        while !self.as_str().is_char_boundary(len) {
            len -= 1;
        }
        // SAFETY: `len < bytes`, and the caller promises that many.
        unsafe {
            core::ptr::copy_nonoverlapping(self.bytes.as_ptr(), to.cast(), len);
            to.add(len).write(0);
        }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for character in more.chars() {
            let len = character.len_utf8();
            if character == '\0' || self.len + len >= TEXT_BYTES {
                break;
            }
            character.encode_utf8(&mut self.bytes[self.len..]);
            self.len += len;
        }
        Ok(())
    }
}
