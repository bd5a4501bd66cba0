//! The canonical byte form of a world: what is hashed and what is saved. Knows no game.
//!
//! A struct lists its fields once, in [`canon_struct`]; a field left out does not compile, so the hash covers every
//! field by construction.

use crate::Point;
use alloc::vec::Vec;
use match_feed::{
    EndReason, Tick,
    duel::{DuelOutcome, MapChoice, MatchSetup, PerSide, Side},
};
use versus_codec::kit::Tile;

/// Written to and read from the canonical form: little-endian, lengths first.
pub(crate) trait Canon: Sized {
    fn write(&self, out: &mut impl Sink);
    /// `None` if the bytes are no such value; nothing may be assumed of what was read by then.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

/// Where the canonical form goes.
pub(crate) trait Sink {
    fn put(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Fills the start of a buffer and counts what it was given, also what no longer fits.
pub(crate) struct Filling<'a> {
    buffer: &'a mut [u8],
    given: usize,
}

impl<'a> Filling<'a> {
    pub(crate) const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, given: 0 }
    }

    pub(crate) const fn given(&self) -> usize {
        self.given
    }
}

impl Sink for Filling<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        let end = self.given + bytes.len();
        if let Some(room) = self.buffer.get_mut(self.given..end) {
            room.copy_from_slice(bytes);
        }
        self.given = end;
    }
}

/// What is left to read.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) const fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..self.at + N)?.try_into().ok()?;
        self.at += N;
        Some(taken)
    }
}

macro_rules! canon_number {
    ($($T:ty),*) => {$(
        impl Canon for $T {
            #[inline]
            fn write(&self, out: &mut impl Sink) {
                out.put(&self.to_le_bytes());
            }
            #[inline]
            fn read(from: &mut Reader<'_>) -> Option<Self> {
                from.take().map(Self::from_le_bytes)
            }
        }
    )*};
}
canon_number!(u8, u16, u32, u64, u128, i32);

/// Implements [`Canon`] for a struct: every field, in this order.
macro_rules! canon_struct {
    ($T:ident { $($field:ident),* $(,)? }) => {
        impl $crate::canon::Canon for $T {
            #[inline]
            fn write(&self, out: &mut impl $crate::canon::Sink) {
                $( $crate::canon::Canon::write(&self.$field, out); )*
            }
            fn read(from: &mut $crate::canon::Reader<'_>) -> Option<Self> {
                Some(Self { $( $field: $crate::canon::Canon::read(from)? ),* })
            }
        }
    };
}
pub(crate) use canon_struct;

/// Implements [`Canon`] for an enum whose variants have named fields or none: a tag byte, then the fields.
macro_rules! canon_enum {
    ($T:ident { $($tag:literal => $Variant:ident $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::canon::Canon for $T {
            fn write(&self, out: &mut impl $crate::canon::Sink) {
                match self {
                    $( Self::$Variant $({ $($field),* })? => {
                        out.put(&[$tag]);
                        $( $( $crate::canon::Canon::write($field, out); )* )?
                    } )*
                }
            }
            fn read(from: &mut $crate::canon::Reader<'_>) -> Option<Self> {
                Some(match <u8 as $crate::canon::Canon>::read(from)? {
                    $( $tag => Self::$Variant $({ $($field: $crate::canon::Canon::read(from)?),* })?, )*
                    _ => return None,
                })
            }
        }
    };
}
pub(crate) use canon_enum;

canon_struct!(Point { x, y });
canon_struct!(Tile { tx, ty });
canon_enum!(Side { 0 => Blue, 1 => Red });
canon_enum!(EndReason { 0 => Decided, 1 => Resign });
canon_struct!(DuelOutcome { winner, reason });
canon_struct!(MatchSetup {
    map,
    mutators,
    seed,
    openers
});

impl Canon for Tick {
    fn write(&self, out: &mut impl Sink) {
        self.0.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u32::read(from).map(Self)
    }
}

impl Canon for bool {
    fn write(&self, out: &mut impl Sink) {
        out.put(&[(*self).into()]);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Canon for MapChoice {
    fn write(&self, out: &mut impl Sink) {
        match *self {
            Self::BuiltIn(index) => out.put(&[0, index]),
            Self::Random { biome, seed } => {
                out.put(&[1, biome]);
                seed.write(out);
            }
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match u8::read(from)? {
            0 => u8::read(from).map(Self::BuiltIn),
            1 => Some(Self::Random {
                biome: u8::read(from)?,
                seed: u32::read(from)?,
            }),
            _ => None,
        }
    }
}

impl<T: Canon> Canon for Option<T> {
    fn write(&self, out: &mut impl Sink) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::read(from)? {
            Some(T::read(from)?)
        } else {
            None
        })
    }
}

impl<T: Canon> Canon for PerSide<T> {
    fn write(&self, out: &mut impl Sink) {
        self.blue.write(out);
        self.red.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            blue: T::read(from)?,
            red: T::read(from)?,
        })
    }
}

impl<T: Canon, const N: usize> Canon for [T; N] {
    fn write(&self, out: &mut impl Sink) {
        for value in self {
            value.write(out);
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let values: Option<Vec<T>> = (0..N).map(|_| T::read(from)).collect();
        values?.try_into().ok()
    }
}

impl<T: Canon> Canon for Vec<T> {
    fn write(&self, out: &mut impl Sink) {
        (self.len() as u32).write(out);
        for value in self {
            value.write(out);
        }
    }
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let len = u32::read(from)? as usize;
        // Every value takes at least a byte: a longer list is a lie, found before anything is allocated for it.
        (len <= from.left())
            .then(|| (0..len).map(|_| T::read(from)).collect())
            .flatten()
    }
}
