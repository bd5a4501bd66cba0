//! A frame's bits, most significant first.

use bitvec::{array::BitArray, field::BitField, order::Msb0, slice::BitSlice};
use core::fmt;

/// The longest frame any link of this project can be asked to carry, in bits.
pub const FRAME_BITS_MAX: usize = 256;

/// Up to [`FRAME_BITS_MAX`] bits, most significant first, held in place: copying one never allocates.
///
/// Bit `i` is bit `7 − i mod 8` of byte `i / 8`. Bits past the length are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FrameBits {
    bits: BitArray<[u8; FRAME_BITS_MAX / 8], Msb0>,
    len: u16,
}

impl FrameBits {
    /// No bits.
    pub const EMPTY: Self = Self {
        bits: BitArray::ZERO,
        len: 0,
    };

    /// `len` zero bits: what a packet carries when there is nothing to say.
    ///
    /// # Panics
    /// If `len` is over [`FRAME_BITS_MAX`].
    #[must_use]
    pub fn zeros(len: usize) -> Self {
        assert!(len <= FRAME_BITS_MAX, "a frame of {len} bits");
        Self {
            bits: BitArray::ZERO,
            len: len as u16,
        }
    }

    /// The first `len` bits of `bytes`.
    ///
    /// # Panics
    /// If `bytes` holds fewer bits, or `len` is over [`FRAME_BITS_MAX`].
    #[must_use]
    pub fn from_bytes(bytes: &[u8], len: usize) -> Self {
        Self::from_bitslice(&BitSlice::from_slice(bytes)[..len])
            .expect("at most FRAME_BITS_MAX bits")
    }

    /// A copy of `bits`, or `None` if there are more than [`FRAME_BITS_MAX`].
    #[must_use]
    pub fn from_bitslice(bits: &BitSlice<u8, Msb0>) -> Option<Self> {
        if bits.len() > FRAME_BITS_MAX {
            return None;
        }
        let mut frame = Self::zeros(bits.len());
        copy(bits, &mut frame.bits[..bits.len()]);
        Some(frame)
    }

    /// The same bits cut or filled with zeros to `len`.
    #[must_use]
    pub fn resized(&self, len: usize) -> Self {
        let mut frame = Self::zeros(len);
        let kept = len.min(self.len());
        copy(&self.bits[..kept], &mut frame.bits[..kept]);
        frame
    }

    /// How many bits there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if this begins with all of `prefix`.
    #[must_use]
    pub fn starts_with(&self, prefix: &Self) -> bool {
        self.as_bitslice().starts_with(prefix.as_bitslice())
    }

    /// The bits.
    #[must_use]
    pub fn as_bitslice(&self) -> &BitSlice<u8, Msb0> {
        &self.bits[..self.len()]
    }

    /// The bytes that hold the bits, the last one filled with zeros: `ceil(len / 8)` of them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bits.as_raw_slice()[..self.len().div_ceil(8)]
    }
}

/// Copies as many bits as both have, by words of at most 64: these run clean under Miri's Tree Borrows (`cargo xtask miri`).
fn copy(from: &BitSlice<u8, Msb0>, to: &mut BitSlice<u8, Msb0>) {
    for at in (0..from.len()).step_by(64) {
        let end = from.len().min(at + 64);
        to[at..end].store_be(from[at..end].load_be::<u64>());
    }
}

impl fmt::Debug for FrameBits {
    /// Hexadecimal digits and the length: `82009a/23`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        write!(f, "/{}", self.len)
    }
}
