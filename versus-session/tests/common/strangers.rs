//! Packets that no peer has sent: damaged ones that pass their CRC, a third phone's, another match's.

use super::{BUILD, Dice, Pair, Phone, Setup, fast};
use link_transport::{FrameBits, LinkPacket, LinkTime, LinkTransport, Role};
use versus_pairing::{LobbyFrame, LobbyHead, PROTO};

/// The CRC's generator, x¹⁶ + x¹² + x⁵ + 1, and its degree.
const CRC_POLYNOMIAL: u64 = 0x1_1021;
const CRC_BITS: usize = CRC_POLYNOMIAL.ilog2() as usize;

/// A packet that came out wrong and whose CRC fits all the same.
///
/// Three kinds, since a link has more than one way to fail: a burst, as a decoder that loses its way leaves behind, of
/// the only form that a CRC passes (a multiple of its polynomial); noise from end to end, under a game or lobby frame's
/// first bits; and one to three bits flipped. The last is harsher than any link: this CRC catches every such packet.
/// It is here because what it makes looks most like a frame.
pub fn damaged(packet: &LinkPacket, dice: &mut Dice) -> LinkPacket {
    let mut bits = packet.bits.as_bitslice().to_bitvec();
    let len = bits.len();
    let mut flip = |at: usize| {
        if let Some(mut bit) = bits.get_mut(at) {
            *bit = !*bit;
        }
    };
    match dice.roll(10) {
        0..5 => (0..1 + dice.roll(3)).for_each(|_| flip(dice.roll(120) as usize)),
        5..9 => {
            let burst = burst(dice);
            let burst_bits = burst.ilog2() as usize + 1;
            let start = dice.roll((len + CRC_BITS - burst_bits) as u32 + 1) as usize;
            for at in 0..burst_bits {
                if burst >> at & 1 == 1 {
                    flip(start + burst_bits - 1 - at);
                }
            }
        }
        _ => (2..len).filter(|_| dice.chance(50)).for_each(flip),
    }
    LinkPacket {
        bits: FrameBits::from_bitslice(&bits).expect("as long as it was"),
        ..*packet
    }
}

/// An error pattern of up to 48 bits that the CRC does not see.
fn burst(dice: &mut Dice) -> u64 {
    let factor_bits = dice.roll(32);
    let inner = u64::from(dice.roll(u32::MAX)) & ((1 << factor_bits) - 1);
    let factor = inner | 1 << factor_bits | 1;
    (0..=factor_bits)
        .filter(|bit| factor >> bit & 1 == 1)
        .fold(0, |sum, bit| sum ^ CRC_POLYNOMIAL << bit)
}

/// A lobby frame of a phone of the peer's role that is not the peer.
pub fn third(phone: usize, own: u16, dice: &mut Dice) -> LinkPacket {
    let role = [Role::Guest, Role::Host][phone];
    let head = LobbyHead {
        role,
        proto: PROTO,
        build: if dice.chance(80) { BUILD } else { 1 },
    };
    let opener = Some(dice.roll(3) as u8);
    let frame = LobbyFrame {
        head,
        nonce: if dice.chance(95) {
            1 + dice.roll(3) as u16
        } else {
            0
        },
        heard: if dice.chance(50) {
            own
        } else {
            dice.roll(3) as u16
        },
        rxq: dice.roll(8) as u8,
        ping: dice.roll(256) as u8,
        echo: dice.roll(256) as u8,
        hold: dice.roll(128) as u8,
        config: None,
        conf_hash: dice.roll(65_536) as u16,
        pick: opener,
        picked: dice.chance(50),
        go: dice.chance(20).then_some(opener),
    };
    LinkPacket {
        bits: frame.encode().resized(188),
        snr_db: None,
        at: LinkTime::ZERO,
        session: false,
    }
}

/// Everything that was on the air in eight seconds of another pair's evening.
pub fn another_match(seed: u32) -> Vec<LinkPacket> {
    let mut pair = Pair::new(Setup {
        seed: 0xABCD_0000 + u64::from(seed % 16),
        ..fast()
    });
    pair.run_ms(8_000);
    let [host, guest] = pair.phones();
    let heard = |phone: &Phone| phone.session.transport().heard.clone();
    [heard(host), heard(guest)].concat()
}
