//! Little-endian fields to and from bytes, with a magic in front and a digest behind.

use crate::WorldHash;
use alloc::{string::String, vec::Vec};

/// Why a kept file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// It does not begin as such a file does.
    #[error("not {what}: it begins otherwise")]
    NotThis {
        /// What it should be.
        what: &'static str,
    },
    /// A later version of this software wrote it.
    #[error("{what} of version {found}; this build reads {reads}")]
    Version {
        /// What it is.
        what: &'static str,
        /// What it says.
        found: u8,
        /// What can be read.
        reads: u8,
    },
    /// Too long to be one match.
    #[error("{bytes} bytes: the longest accepted has {max}")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The longest.
        max: usize,
    },
    /// It is not what was written.
    #[error("the file was changed: it says check {stored}, its bytes give {computed}")]
    Changed {
        /// The digest in it.
        stored: WorldHash,
        /// The digest of it.
        computed: WorldHash,
    },
    /// It ends within a field.
    #[error("the file ends within its {field}, at byte {at}")]
    Truncated {
        /// Which field.
        field: &'static str,
        /// Where it starts.
        at: usize,
    },
    /// A value that is never written.
    #[error("the {field} at byte {at} cannot be")]
    Range {
        /// Which field.
        field: &'static str,
        /// Where it ends.
        at: usize,
    },
    /// Bytes after the last field.
    #[error("{bytes} bytes follow the last field")]
    Trailing {
        /// How many.
        bytes: usize,
    },
}

const MAGIC_BYTES: usize = 7;
const CHECK_BYTES: usize = 8;

/// What kind of file it is: seven bytes, then one of version.
pub struct Kind {
    pub magic: &'static [u8; MAGIC_BYTES],
    pub version: u8,
    /// With its article: "an input log".
    pub what: &'static str,
    pub bytes_max: usize,
}

/// Writes fields one after another.
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn new(kind: &Kind) -> Self {
        let mut bytes = kind.magic.to_vec();
        bytes.push(kind.version);
        Self(bytes)
    }

    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.0.extend(value);
    }

    /// A number of things, which the caller has bounded.
    pub fn count(&mut self, value: usize) {
        self.u32(u32::try_from(value).expect("bounded by the kind's length"));
    }

    /// Text of at most 255 bytes.
    pub fn text(&mut self, text: &str) {
        self.u8(u8::try_from(text.len()).expect("bounded where it was set"));
        self.bytes(text.as_bytes());
    }

    /// Everything, with the digest behind.
    pub fn finish(mut self) -> Vec<u8> {
        let check = WorldHash::of(&self.0);
        self.u64(check.0);
        self.0
    }
}

/// Reads fields one after another.
pub struct Reader<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// After magic, version and digest are found right.
    pub fn new(kind: &Kind, file: &'a [u8]) -> Result<Self, KeptError> {
        if file.len() > kind.bytes_max {
            return Err(KeptError::TooLong {
                bytes: file.len(),
                max: kind.bytes_max,
            });
        }
        let Some(rest) = file.strip_prefix(kind.magic) else {
            return Err(KeptError::NotThis { what: kind.what });
        };
        match rest.first() {
            Some(&found) if found == kind.version => {}
            Some(&found) => {
                return Err(KeptError::Version {
                    what: kind.what,
                    found,
                    reads: kind.version,
                });
            }
            None => {
                return Err(KeptError::Truncated {
                    field: "version",
                    at: MAGIC_BYTES,
                });
            }
        }
        let (body, check) = file
            .split_last_chunk::<CHECK_BYTES>()
            .filter(|(body, _)| body.len() > MAGIC_BYTES)
            .ok_or(KeptError::Truncated {
                field: "check",
                at: MAGIC_BYTES + 1,
            })?;
        let (stored, computed) = (WorldHash(u64::from_le_bytes(*check)), WorldHash::of(body));
        if stored != computed {
            return Err(KeptError::Changed { stored, computed });
        }
        Ok(Self {
            all: body,
            at: MAGIC_BYTES + 1,
        })
    }

    pub fn bytes(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], KeptError> {
        let truncated = KeptError::Truncated { field, at: self.at };
        let end = self.at.checked_add(count).ok_or(truncated.clone())?;
        let bytes = self.all.get(self.at..end).ok_or(truncated)?;
        self.at = end;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], KeptError> {
        let bytes = self.bytes(field, N)?;
        Ok(bytes.try_into().expect("as many as were asked for"))
    }

    pub fn u8(&mut self, field: &'static str) -> Result<u8, KeptError> {
        Ok(u8::from_le_bytes(self.array(field)?))
    }

    pub fn u16(&mut self, field: &'static str) -> Result<u16, KeptError> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    pub fn u32(&mut self, field: &'static str) -> Result<u32, KeptError> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    pub fn u64(&mut self, field: &'static str) -> Result<u64, KeptError> {
        Ok(u64::from_le_bytes(self.array(field)?))
    }

    /// A number of things of at least `each` bytes: never more than can follow, so that it may be reserved.
    pub fn count(&mut self, field: &'static str, each: usize) -> Result<usize, KeptError> {
        let count = self.u32(field)? as usize;
        if count > (self.all.len() - self.at) / each {
            return Err(KeptError::Truncated { field, at: self.at });
        }
        Ok(count)
    }

    pub fn text(&mut self, field: &'static str, max: usize) -> Result<String, KeptError> {
        let length = usize::from(self.u8(field)?);
        let bytes = self.bytes(field, length)?;
        match core::str::from_utf8(bytes) {
            Ok(text) if length <= max => Ok(text.into()),
            _ => Err(self.range(field)),
        }
    }

    /// The error that what was just read cannot be.
    pub const fn range(&self, field: &'static str) -> KeptError {
        KeptError::Range { field, at: self.at }
    }

    pub fn finish(self) -> Result<(), KeptError> {
        match self.all.len() - self.at {
            0 => Ok(()),
            bytes => Err(KeptError::Trailing { bytes }),
        }
    }
}
