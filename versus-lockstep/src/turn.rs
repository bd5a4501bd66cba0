//! A turn as it is kept: its commands encoded, in place. What runs is what was sent.

use crate::TURN_COMMANDS_MAX;
use bitvec::{array::BitArray, order::Msb0, slice::BitSlice};
use core::fmt;
use versus_codec::{BitReader, BitWriter, CommandCodec, DecodeError, EncodeError, TurnContext};

/// The longest a turn can be on the widest link, in bits: the high plan's 188 less [`HEADER_BITS_MAX`].
pub const TURN_BITS_MAX: usize = 131;
/// The longest header of a frame that describes one turn, its checkpoint flag included.
pub const HEADER_BITS_MAX: usize = 57;
const _: () = assert!(
    link_transport::capacity_bits(link_transport::Plan::High) - HEADER_BITS_MAX == TURN_BITS_MAX
);

const TURN_BYTES: usize = TURN_BITS_MAX.div_ceil(8);

/// One side's commands of one turn. Copying it never allocates.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Turn {
    bits: BitArray<[u8; TURN_BYTES], Msb0>,
    len: u8,
    commands: u8,
}

impl Turn {
    pub(crate) const EMPTY: Self = Self {
        bits: BitArray::ZERO,
        len: 0,
        commands: 0,
    };

    /// The turn of a received frame; `None` if it is longer than any that can be sealed.
    pub(crate) fn received(commands: u8, bits: &BitSlice<u8, Msb0>) -> Option<Self> {
        let len = u8::try_from(bits.len()).ok()?;
        let mut turn = Self {
            len,
            commands,
            ..Self::EMPTY
        };
        let mut out = BitWriter::new(turn.bits.as_mut_bitslice());
        out.copy(bits).ok()?;
        Some(turn)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.commands == 0
    }

    pub(crate) const fn commands(&self) -> u8 {
        self.commands
    }

    pub(crate) fn bits(&self) -> &BitSlice<u8, Msb0> {
        &self.bits[..self.len.into()]
    }

    /// The turn with one more command, `max_bits` at most in all. `context` is the turn's own so far.
    pub(crate) fn with<C: CommandCodec>(
        &self,
        codec: &C,
        command: &C::Command,
        context: &mut TurnContext,
        max_bits: usize,
    ) -> Result<Self, EncodeError> {
        let full = EncodeError::Full { capacity: max_bits };
        if self.commands == TURN_COMMANDS_MAX {
            return Err(full);
        }
        let mut longer = *self;
        let end = max_bits.min(TURN_BITS_MAX);
        let room = longer.bits.get_mut(self.len.into()..end).ok_or(full)?;
        let mut out = BitWriter::new(room);
        codec.encode(command, context, &mut out)?;
        longer.len += out.len() as u8; // at most TURN_BITS_MAX in all
        longer.commands += 1;
        Ok(longer)
    }

    /// Hands each command to `each`, in order.
    pub(crate) fn decode<C: CommandCodec>(
        &self,
        codec: &C,
        mut each: impl FnMut(C::Command),
    ) -> Result<(), DecodeError> {
        let mut input = BitReader::new(self.bits());
        let mut context = TurnContext::default();
        for _ in 0..self.commands {
            each(codec.decode(&mut context, &mut input)?);
        }
        Ok(())
    }
}

impl fmt::Debug for Turn {
    /// How many commands, and their bits in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×", self.commands)?;
        for byte in &self.bits.as_raw_slice()[..usize::from(self.len).div_ceil(8)] {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// The newest `N` turns of one side, each found by its number.
#[derive(Clone, Debug)]
pub(crate) struct TurnRing<const N: usize> {
    slots: [(u32, Turn); N],
}

/// Marks a slot that holds no turn: no match is that long (13 years).
const NONE: u32 = u32::MAX;

impl<const N: usize> TurnRing<N> {
    /// The turns before `first` are empty.
    pub(crate) fn with_empty_before(first: u32) -> Self {
        let mut ring = Self {
            slots: [(NONE, Turn::EMPTY); N],
        };
        for turn in 0..first {
            ring.put(turn, Turn::EMPTY);
        }
        ring
    }

    pub(crate) fn put(&mut self, number: u32, turn: Turn) {
        self.slots[number as usize % N] = (number, turn);
    }

    pub(crate) fn find(&self, number: u32) -> Option<&Turn> {
        let (held, turn) = &self.slots[number as usize % N];
        (*held == number).then_some(turn)
    }
}
