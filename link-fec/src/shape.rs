//! The size of a packet in symbols, tones and bits, and how its coded bits are spread.

/// Bits of the checksum that follows the payload.
pub const CRC_BITS: usize = 16;

/// Zero bits that end a packet and bring the encoder back to its first state.
pub const TAIL_BITS: usize = 6;

/// The most coded bits a packet of this project has: high plan, 2 symbols × 105 tones × 2 bits.
pub const CODED_BITS_MAX: usize = 420;

/// The most bits that enter the encoder: payload, checksum and tail.
pub const INFO_BITS_MAX: usize = CODED_BITS_MAX / 2;

/// Bytes that hold any packet's payload.
pub const PAYLOAD_BYTES_MAX: usize = 24;

/// One packet's dimensions. Source: the specification's "Numerology" and "Transmitter", packet bits.
///
/// Coded bit `j` goes to symbol `s = j mod P` and data tone `(a·q + b·s) mod T`, where `q = j / P`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PacketShape {
    /// Symbols in a packet, `P`.
    pub symbols: usize,
    /// Data tones in a symbol, `T`.
    pub tones: usize,
    /// 1 (differential BPSK) or 2 (differential QPSK).
    pub bits_per_tone: usize,
    /// How many tones apart coded bits `P` apart lie.
    pub a: usize,
    /// How many tones apart the same place in two successive symbols lies.
    pub b: usize,
}

impl PacketShape {
    /// High plan, fast.
    pub const HIGH_FAST: Self = Self {
        symbols: 2,
        tones: 105,
        bits_per_tone: 2,
        a: 8,
        b: 56,
    };
    /// High plan, robust.
    pub const HIGH_ROBUST: Self = Self {
        symbols: 4,
        tones: 105,
        bits_per_tone: 1,
        a: 8,
        b: 56,
    };
    /// Low plan, fast.
    pub const LOW_FAST: Self = Self {
        symbols: 4,
        tones: 52,
        bits_per_tone: 2,
        a: 17,
        b: 4,
    };
    /// Low plan, robust.
    pub const LOW_ROBUST: Self = Self {
        symbols: 8,
        tones: 52,
        bits_per_tone: 1,
        a: 17,
        b: 4,
    };

    /// Slots in a packet: as many as coded bits.
    #[must_use]
    pub const fn coded_bits(&self) -> usize {
        self.symbols * self.tones * self.bits_per_tone
    }

    /// Bits that enter the encoder: payload, checksum and tail.
    #[must_use]
    pub const fn info_bits(&self) -> usize {
        self.coded_bits() / 2
    }

    /// Payload bits in a packet.
    #[must_use]
    pub const fn payload_bits(&self) -> usize {
        self.info_bits() - CRC_BITS - TAIL_BITS
    }
}

const _: () = {
    assert!(PacketShape::HIGH_FAST.payload_bits() == 188);
    assert!(PacketShape::HIGH_ROBUST.payload_bits() == 188);
    assert!(PacketShape::LOW_FAST.payload_bits() == 186);
    assert!(PacketShape::LOW_ROBUST.payload_bits() == 186);
    assert!(PacketShape::HIGH_FAST.coded_bits() == CODED_BITS_MAX);
    assert!(PAYLOAD_BYTES_MAX == PacketShape::HIGH_FAST.payload_bits().div_ceil(8));
};
