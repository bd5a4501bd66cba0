//! Whole packets: payload to slots, and soft slots to an accepted payload.

use crate::{
    CODED_BITS_MAX, CRC_BITS, INFO_BITS_MAX, PAYLOAD_BYTES_MAX, PacketShape, TAIL_BITS,
    conv::Encoder,
    crc16::crc16,
    gate, interleave,
    scramble::Scrambler,
    viterbi::{SOFT_MAX, Viterbi},
};

/// Soft values beyond this many times the mean of their magnitudes are clamped to it.
/// Source: the specification's "Soft bits", where the mean is 1 and λ is clamped to ±4.
const CLAMP_OVER_MEAN: f32 = 4.0;

/// A soft value beyond this is an erasure, as one that is not finite: sums must stay finite.
const MAGNITUDE_MAX: f32 = 1e30;

/// Encodes packet `packet_index` of its superframe.
///
/// `payload` holds `shape.payload_bits()` bits, most significant first; bits after them are ignored. Each of the
/// first `shape.coded_bits()` bytes of `slots` becomes 0 or 1, in (symbol, tone, bit in tone) order, the last fastest.
/// `crc_start` is the session key, or 0xFFFF.
///
/// # Panics
/// If `payload` or `slots` is too short.
pub fn encode_packet(
    shape: &PacketShape,
    packet_index: usize,
    crc_start: u16,
    payload: &[u8],
    slots: &mut [u8],
) {
    let payload_bits = shape.payload_bits();
    let slots = &mut slots[..shape.coded_bits()];
    let crc = crc16(crc_start, payload, payload_bits);

    let payload_bit = |i: usize| (payload[i / 8] >> (7 - i % 8)) & 1;
    let crc_bit = |i: usize| (crc >> (CRC_BITS - 1 - i)) as u8 & 1;
    let info = (0..payload_bits)
        .map(payload_bit)
        .chain((0..CRC_BITS).map(crc_bit))
        .chain([0; TAIL_BITS]);

    let mut places = interleave::slots(shape);
    let mut encoder = Encoder::default();
    for bit in info {
        let (first, second) = encoder.push(bit);
        for coded in [first, second] {
            slots[places.next().expect("one place for each coded bit")] = coded;
        }
    }
    for (slot, pn) in slots.iter_mut().zip(Scrambler::new(packet_index)) {
        *slot ^= pn;
    }
}

/// A packet that passed the gate and its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Which of the start values its checksum matched.
    pub start_index: usize,
    /// Coded bits whose hard decision was wrong, plus a quarter of the erased ones.
    pub disagreements: usize,
}

/// Why a packet was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// What was decoded is too unlike what was heard.
    Gate {
        /// Coded bits whose hard decision disagrees with the decoded packet, plus a quarter of the erased ones.
        disagreements: usize,
        /// Of how many.
        coded_bits: usize,
    },
    /// The checksum matches none of the start values.
    Crc,
}

impl core::fmt::Display for Rejected {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Gate {
                disagreements,
                coded_bits,
            } => {
                write!(
                    f,
                    "{disagreements} of {coded_bits} coded bits disagree with what was heard"
                )
            }
            Self::Crc => write!(f, "the checksum matches no start value"),
        }
    }
}

impl core::error::Error for Rejected {}

/// Decodes packets. Holds its working memory (16 kB), so that decoding never allocates.
#[derive(Clone)]
pub struct PacketDecoder {
    viterbi: Viterbi,
    /// Soft values in code order, descrambled.
    soft: [f32; CODED_BITS_MAX],
    /// The same, quantised.
    quantised: [i16; CODED_BITS_MAX],
    info: [u8; INFO_BITS_MAX],
}

impl Default for PacketDecoder {
    fn default() -> Self {
        Self::new()
    }
}

impl PacketDecoder {
    /// An idle decoder.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            viterbi: Viterbi::new(),
            soft: [0.0; CODED_BITS_MAX],
            quantised: [0; CODED_BITS_MAX],
            info: [0; INFO_BITS_MAX],
        }
    }

    /// Decodes packet `packet_index` of its superframe from `soft`, one value a slot in slot order: positive means 0,
    /// the magnitude how sure. Only ratios matter, values over four times the mean count as that. Zero, NaN and
    /// infinities (and anything beyond 10³⁰) are erasures.
    ///
    /// `crc_starts` are tried in order. On success the first `shape.payload_bits()` bits of `payload` are the packet's
    /// and the rest zero; on failure `payload` is left alone. The cost is the same whatever the input.
    ///
    /// # Errors
    /// [`Rejected::Gate`] or [`Rejected::Crc`].
    ///
    /// # Panics
    /// If `soft` has fewer than `shape.coded_bits()` values, or the shape more than [`CODED_BITS_MAX`].
    pub fn decode(
        &mut self,
        shape: &PacketShape,
        packet_index: usize,
        crc_starts: &[u16],
        soft: &[f32],
        payload: &mut [u8; PAYLOAD_BYTES_MAX],
    ) -> Result<Accepted, Rejected> {
        let coded_bits = shape.coded_bits();
        self.gather(shape, packet_index, &soft[..coded_bits]);
        let soft = &self.soft[..coded_bits];
        let quantised = &mut self.quantised[..coded_bits];
        let info = &mut self.info[..shape.info_bits()];
        quantise(soft, quantised);
        self.viterbi.decode(quantised, info);

        let disagreements = gate::disagreements(info, soft);
        if gate::rejects(disagreements, coded_bits) {
            return Err(Rejected::Gate {
                disagreements,
                coded_bits,
            });
        }

        let payload_bits = shape.payload_bits();
        let mut heard = [0; PAYLOAD_BYTES_MAX];
        for (i, &bit) in info[..payload_bits].iter().enumerate() {
            heard[i / 8] |= bit << (7 - i % 8);
        }
        let crc = info[payload_bits..][..CRC_BITS]
            .iter()
            .fold(0, |crc, &bit| (crc << 1) | u16::from(bit));
        let start_index = crc_starts
            .iter()
            .position(|&start| crc16(start, &heard, payload_bits) == crc)
            .ok_or(Rejected::Crc)?;
        *payload = heard;
        Ok(Accepted {
            start_index,
            disagreements,
        })
    }

    /// Descrambles `slots` and puts them in code order, erasures as zero.
    fn gather(&mut self, shape: &PacketShape, packet_index: usize, slots: &[f32]) {
        let mut descrambled = [0.0; CODED_BITS_MAX];
        for ((out, &value), pn) in descrambled
            .iter_mut()
            .zip(slots)
            .zip(Scrambler::new(packet_index))
        {
            let sane = if value.abs() <= MAGNITUDE_MAX {
                value
            } else {
                0.0
            };
            *out = sane * (1.0 - 2.0 * f32::from(pn));
        }
        for (value, slot) in self.soft.iter_mut().zip(interleave::slots(shape)) {
            *value = descrambled[slot];
        }
    }
}

/// Scales soft values so that [`SOFT_MAX`] is the smaller of their peak and [`CLAMP_OVER_MEAN`] times their mean
/// magnitude, erasures left out of the mean.
fn quantise(soft: &[f32], quantised: &mut [i16]) {
    // Eight running figures: a single one would wait for itself at every step.
    const LANES: usize = 8;
    let (mut peaks, mut sums, mut counts) = ([0.0_f32; LANES], [0.0_f32; LANES], [0.0_f32; LANES]);
    for block in soft.chunks(LANES) {
        for (lane, value) in block.iter().enumerate() {
            let magnitude = value.abs();
            peaks[lane] = peaks[lane].max(magnitude);
            sums[lane] += magnitude;
            counts[lane] += f32::from(u8::from(magnitude > 0.0));
        }
    }
    let peak = peaks.into_iter().fold(0.0, f32::max);
    let (sum, heard): (f32, f32) = (sums.iter().sum(), counts.iter().sum());
    let clamp = peak
        .min(CLAMP_OVER_MEAN * sum / heard.max(1.0))
        .max(f32::MIN_POSITIVE);
    let full = f32::from(SOFT_MAX);
    let scale = (1.0 / clamp).min(f32::MAX);
    for (out, value) in quantised.iter_mut().zip(soft) {
        // Adding 1.5 · 2²³ rounds to the nearest integer and leaves it in the low mantissa bits: `round` is not in
        // `core`, and a saturating cast does not vectorise.
        const ROUND: f32 = 12_582_912.0;
        let scaled = (value * scale).clamp(-1.0, 1.0) * full;
        *out = (scaled + ROUND).to_bits() as i16;
    }
}
