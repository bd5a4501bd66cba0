//! Reads and writes little-endian fields in byte slices. Never allocates, never panics on what it reads.

use super::WireError;

/// What is left to read of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        if count > self.rest.len() {
            return Err(WireError::Truncated);
        }
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, WireError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, WireError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, WireError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, WireError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A byte that must not exceed `max`.
    pub(super) fn u8_to(&mut self, field: &'static str, max: u8) -> Result<u8, WireError> {
        let value = self.u8()?;
        if value > max {
            return Err(WireError::Range {
                field,
                value: u64::from(value),
            });
        }
        Ok(value)
    }

    /// Seven bits a byte, least significant first; the shortest form only.
    pub(super) fn varint(&mut self) -> Result<u32, WireError> {
        let mut value = 0u64;
        for shift in 0..5 {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7F) << (7 * shift);
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(WireError::LongVarint);
                }
                return u32::try_from(value).map_err(|_| WireError::LongVarint);
            }
        }
        Err(WireError::LongVarint)
    }

    /// A signed difference: 0, −1, 1, −2, … are 0, 1, 2, 3, …
    pub(super) fn zigzag(&mut self) -> Result<i32, WireError> {
        let value = self.varint()?;
        Ok((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) const fn end(&self) -> Result<(), WireError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(WireError::Trailing {
                bytes: self.rest.len(),
            })
        }
    }
}

/// A message being written into a slice. What does not fit is left out and remembered.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
    full: bool,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(bytes: &'a mut [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            full: false,
        }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) {
        match self.bytes.get_mut(self.at..self.at + bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.at += bytes.len();
            }
            None => self.full = true,
        }
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    pub(super) fn varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.u8(value as u8);
    }

    pub(super) fn zigzag(&mut self, value: i32) {
        self.varint(((value << 1) ^ (value >> 31)) as u32);
    }

    pub(super) fn set(&mut self, at: usize, value: u8) {
        if let Some(byte) = self.bytes.get_mut(at) {
            *byte = value;
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.at
    }

    pub(super) fn room(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// How many bytes were written; `None` if not all fitted.
    pub(super) const fn finish(self) -> Option<usize> {
        if self.full { None } else { Some(self.at) }
    }
}
