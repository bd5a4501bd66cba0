//! Plain little-endian bytes, written and read in order. Knows nothing of messages.

/// Writes values one after another into a buffer that is long enough by construction.
pub(super) struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn put(&mut self, value: &[u8]) {
        self.bytes[self.at..self.at + value.len()].copy_from_slice(value);
        self.at += value.len();
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

    pub(super) fn f32(&mut self, value: f32) {
        self.put(&value.to_le_bytes());
    }

    /// A flag and a value, zero where there is none.
    pub(super) fn optional_u32(&mut self, value: Option<u32>) {
        self.u8(u8::from(value.is_some()));
        self.u32(value.unwrap_or(0));
    }

    /// As [`Self::optional_u32`].
    pub(super) fn optional_f32(&mut self, value: Option<f32>) {
        self.u8(u8::from(value.is_some()));
        self.f32(value.unwrap_or(0.0));
    }

    pub(super) fn written(&self) -> usize {
        self.at
    }
}

/// Reads values one after another; `None` once the bytes end or a value is none of those there are.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (value, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(value)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    pub(super) fn bool(&mut self) -> Option<bool> {
        match self.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn optional_u32(&mut self) -> Option<Option<u32>> {
        let (is_some, value) = (self.bool()?, self.u32()?);
        Some(is_some.then_some(value))
    }

    pub(super) fn optional_f32(&mut self) -> Option<Option<f32>> {
        let (is_some, value) = (self.bool()?, self.f32()?);
        Some(is_some.then_some(value))
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
