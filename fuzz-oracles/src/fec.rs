//! Soft bits of any kind to a packet: never a panic, and what is accepted encodes to what was heard.

use link_fec::{CODED_BITS_MAX, PAYLOAD_BYTES_MAX, PacketDecoder, PacketShape, encode_packet};

const SHAPES: [PacketShape; 4] = [
    PacketShape::HIGH_FAST,
    PacketShape::HIGH_ROBUST,
    PacketShape::LOW_FAST,
    PacketShape::LOW_ROBUST,
];

/// First byte: shape and packet index; then two bytes of CRC start; then a soft bit for each four bytes, or, when the
/// index is odd, a sign for each bit, so that packets that decode are within reach of a mutation.
pub fn packet_decode(data: &[u8]) {
    let [head, start_high, start_low, rest @ ..] = data else {
        return;
    };
    let shape = &SHAPES[usize::from(head & 3)];
    let index = usize::from(head >> 3);
    let start = u16::from_be_bytes([*start_high, *start_low]);
    let mut soft = [0.0_f32; CODED_BITS_MAX];
    let soft = &mut soft[..shape.coded_bits()];
    if head & 4 != 0 {
        for (at, soft) in soft.iter_mut().enumerate() {
            let byte = rest.get(at / 8).copied().unwrap_or(0);
            *soft = if byte >> (7 - at % 8) & 1 == 0 {
                1.0
            } else {
                -1.0
            };
        }
    } else {
        for (soft, bytes) in soft.iter_mut().zip(rest.chunks_exact(4)) {
            *soft = f32::from_le_bytes(bytes.try_into().expect("chunks of four"));
        }
    }
    let mut payload = [0; PAYLOAD_BYTES_MAX];
    if let Ok(accepted) =
        PacketDecoder::new().decode(shape, index, &[start, 0xFFFF], soft, &mut payload)
    {
        let crc_start = [start, 0xFFFF][accepted.start_index];
        let mut slots = [0; CODED_BITS_MAX];
        encode_packet(
            shape,
            index,
            crc_start,
            &payload,
            &mut slots[..shape.coded_bits()],
        );
        let heard = soft.iter().map(|&soft| u8::from(soft < 0.0));
        let wrong = slots
            .iter()
            .zip(heard)
            .filter(|(sent, heard)| **sent != *heard)
            .count();
        assert!(
            wrong * 10 <= shape.coded_bits(),
            "the gate let {wrong} disagreements through"
        );
    }
}
