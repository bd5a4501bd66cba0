//! Bit for bit against vectors made by a separate implementation. A missing file is a failure.

mod support;

use link_fec::{
    PAYLOAD_BYTES_MAX, PacketDecoder, conv::Encoder, crc16::crc16, encode_packet, interleave,
    scramble::Scrambler,
};
use serde_json::Value;

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/fec/packets.json");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

fn bits(value: &Value) -> Vec<u8> {
    value
        .as_str()
        .expect("a bit string")
        .bytes()
        .map(|digit| digit - b'0')
        .collect()
}

fn packed(bits: &[u8]) -> [u8; PAYLOAD_BYTES_MAX] {
    let mut bytes = [0; PAYLOAD_BYTES_MAX];
    for (i, bit) in bits.iter().enumerate() {
        bytes[i / 8] |= bit << (7 - i % 8);
    }
    bytes
}

#[test]
fn all_eight_packets_agree_at_every_stage() {
    let vectors = vectors();
    let packets = vectors["packets"].as_array().expect("packets");
    assert_eq!(packets.len(), 8);
    for packet in packets {
        let text = |key: &str| packet[key].as_str().expect("text");
        let shape = support::shape(text("plan"), text("mode"));
        let packet_index = packet["packetIndex"].as_u64().expect("index") as usize;
        let start = packet["crcInit"].as_u64().expect("start") as u16;
        let payload_bits = bits(&packet["payload"]);
        let payload = packed(&payload_bits);
        let coded = bits(&packet["coded"]);
        let slots = bits(&packet["slots_symbol_tone_bit"]);
        assert_eq!(payload_bits.len(), shape.payload_bits());

        assert_eq!(
            crc16(start, &payload, payload_bits.len()),
            u16::from_str_radix(text("crc"), 16).unwrap()
        );

        let mut out = vec![9; shape.coded_bits()];
        encode_packet(&shape, packet_index, start, &payload, &mut out);
        assert_eq!(out, slots, "{packet}");

        // Undo the last two steps by themselves: what is left is the code word.
        let pn: Vec<u8> = Scrambler::new(packet_index).take(slots.len()).collect();
        let descrambled: Vec<u8> = interleave::slots(&shape)
            .map(|slot| slots[slot] ^ pn[slot])
            .collect();
        assert_eq!(descrambled, coded);

        let mut heard = [0xAA; PAYLOAD_BYTES_MAX];
        let accepted = PacketDecoder::new()
            .decode(
                &shape,
                packet_index,
                &[start ^ 0x5555, start],
                &support::perfect(&slots),
                &mut heard,
            )
            .expect("a perfect packet");
        assert_eq!((accepted.start_index, accepted.disagreements), (1, 0));
        assert_eq!(heard, payload);
    }
}

#[test]
fn the_sequences_of_four_packet_indices_agree() {
    let vectors = vectors();
    let sequences = vectors["pn_first_32"].as_object().expect("sequences");
    assert_eq!(sequences.len(), 4);
    for (index, expected) in sequences {
        let sequence: Vec<u8> = Scrambler::new(index.parse().expect("an index"))
            .take(32)
            .collect();
        assert_eq!(sequence, bits(expected), "packet {index}");
    }
}

#[test]
fn the_impulse_agrees() {
    let expected = bits(&vectors()["conv_impulse"]);
    let mut encoder = Encoder::default();
    let response: Vec<u8> = (0..expected.len() / 2)
        .flat_map(|i| <[u8; 2]>::from(encoder.push(u8::from(i == 0))))
        .collect();
    assert_eq!(response, expected);
}

#[test]
fn the_checksum_has_its_catalogue_check_value() {
    let vectors = vectors();
    assert_eq!(vectors["crc_check_123456789"], "29b1");
    assert_eq!(crc16(0xFFFF, b"123456789", 72), 0x29B1);
}
