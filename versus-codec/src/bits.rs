//! Reading and writing bits, most significant first, and Exp-Golomb numbers.

use crate::{DecodeError, EncodeError};
use bitvec::{field::BitField, order::Msb0, slice::BitSlice};

/// More leading zeros than this in a [`BitReader::ue`] are refused.
pub const LEADING_ZEROS_MAX: u32 = 24;

/// The largest number a `UE` can hold: 2²⁵ − 2.
pub const UE_MAX: u64 = (1 << (LEADING_ZEROS_MAX + 1)) - 2;

/// Writes bits into a slice, or only counts them.
#[derive(Debug)]
pub struct BitWriter<'a> {
    out: Option<&'a mut BitSlice<u8, Msb0>>,
    len: usize,
}

impl<'a> BitWriter<'a> {
    /// Writes from the start of `out`, which is as long as may be written.
    pub const fn new(out: &'a mut BitSlice<u8, Msb0>) -> Self {
        Self {
            out: Some(out),
            len: 0,
        }
    }

    /// Writes nowhere: [`Self::len`] says how many bits it would have been.
    #[must_use]
    pub const fn counting() -> Self {
        Self { out: None, len: 0 }
    }

    /// Bits written.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// True if nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The low `count` bits of `value`, most significant first. `count` is at most 64.
    ///
    /// # Errors
    /// [`EncodeError::Full`] if they do not fit; nothing is written then.
    pub fn bits(&mut self, value: u64, count: u32) -> Result<(), EncodeError> {
        debug_assert!(
            count == 64 || value >> count == 0,
            "{value} in {count} bits"
        );
        let end = self.len + count as usize;
        if let Some(out) = &mut self.out {
            let capacity = out.len();
            let field = out
                .get_mut(self.len..end)
                .ok_or(EncodeError::Full { capacity })?;
            if count > 0 {
                field.store_be(value);
            }
        }
        self.len = end;
        Ok(())
    }

    /// One bit.
    ///
    /// # Errors
    /// As [`Self::bits`].
    pub fn flag(&mut self, value: bool) -> Result<(), EncodeError> {
        self.bits(value.into(), 1)
    }

    /// Bits as they are.
    ///
    /// # Errors
    /// As [`Self::bits`].
    pub fn copy(&mut self, bits: &BitSlice<u8, Msb0>) -> Result<(), EncodeError> {
        let end = self.len + bits.len();
        if let Some(out) = &mut self.out {
            let capacity = out.len();
            let field = out
                .get_mut(self.len..end)
                .ok_or(EncodeError::Full { capacity })?;
            // By words of at most 64 bits, as `FrameBits` copies.
            for at in (0..bits.len()).step_by(64) {
                let end = bits.len().min(at + 64);
                field[at..end].store_be(bits[at..end].load_be::<u64>());
            }
        }
        self.len = end;
        Ok(())
    }

    /// Unsigned Exp-Golomb: `value + 1` in binary, preceded by one zero fewer than it has digits.
    ///
    /// # Errors
    /// [`EncodeError::TooLarge`] above [`UE_MAX`], and as [`Self::bits`].
    pub fn ue(&mut self, value: u64) -> Result<(), EncodeError> {
        if value > UE_MAX {
            return Err(EncodeError::TooLarge { value });
        }
        let zeros = (value + 1).ilog2();
        self.bits(value + 1, 2 * zeros + 1)
    }

    /// Signed Exp-Golomb: 0, 1, −1, 2, −2… as 0, 1, 2, 3, 4…
    ///
    /// # Errors
    /// As [`Self::ue`].
    pub fn se(&mut self, value: i64) -> Result<(), EncodeError> {
        let doubled = value.unsigned_abs().saturating_mul(2);
        self.ue(if value > 0 { doubled - 1 } else { doubled })
    }
}

/// Reads bits from a slice; every read past its end is an error.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    input: &'a BitSlice<u8, Msb0>,
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the start of `input`.
    #[must_use]
    pub const fn new(input: &'a BitSlice<u8, Msb0>) -> Self {
        Self { input, at: 0 }
    }

    /// Bits read.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Bits not read yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.input.len() - self.at
    }

    /// The bits read since position `from`.
    ///
    /// # Panics
    /// If `from` is past [`Self::at`].
    #[must_use]
    pub fn since(&self, from: usize) -> &'a BitSlice<u8, Msb0> {
        &self.input[from..self.at]
    }

    /// The next `count` bits, at most 64, as a number.
    ///
    /// # Errors
    /// [`DecodeError::CutShort`] if fewer are left.
    pub fn bits(&mut self, count: u32) -> Result<u64, DecodeError> {
        let cut_short = DecodeError::CutShort {
            at: self.at,
            needed: count as usize,
            left: self.left(),
        };
        let field = self
            .input
            .get(self.at..self.at + count as usize)
            .ok_or(cut_short)?;
        self.at += count as usize;
        Ok(if count == 0 { 0 } else { field.load_be() })
    }

    /// One bit.
    ///
    /// # Errors
    /// As [`Self::bits`].
    pub fn flag(&mut self) -> Result<bool, DecodeError> {
        Ok(self.bits(1)? == 1)
    }

    /// Unsigned Exp-Golomb; see [`BitWriter::ue`].
    ///
    /// # Errors
    /// [`DecodeError::LeadingZeros`] for more than [`LEADING_ZEROS_MAX`], and as [`Self::bits`].
    pub fn ue(&mut self) -> Result<u64, DecodeError> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
            if zeros > LEADING_ZEROS_MAX {
                return Err(DecodeError::LeadingZeros { at: self.at });
            }
        }
        Ok((1 << zeros) + self.bits(zeros)? - 1)
    }

    /// Signed Exp-Golomb; see [`BitWriter::se`].
    ///
    /// # Errors
    /// As [`Self::ue`].
    pub fn se(&mut self) -> Result<i64, DecodeError> {
        let mapped = self.ue()? as i64; // at most UE_MAX
        Ok(if mapped % 2 == 1 {
            mapped / 2 + 1
        } else {
            -(mapped / 2)
        })
    }
}
