//! Which slot each coded bit goes to: neighbours in the code end far apart in time and frequency.

use crate::PacketShape;

/// The slot of each coded bit in turn, in (symbol, tone, bit in tone) order with the last fastest.
///
/// Coded bit `j` goes to symbol `s = j mod P`, tone `(a·q + b·s) mod T` and bit `q / T` of that tone, with
/// `q = j / P`. A permutation whenever `a` and `T` share no factor, as in all four shapes.
pub fn slots(shape: &PacketShape) -> impl Iterator<Item = usize> + use<> {
    let PacketShape {
        symbols,
        tones,
        bits_per_tone,
        a,
        b,
    } = *shape;
    let (mut symbol, mut bit, mut step, mut base, mut tone) = (0, 0, 0, 0, 0);
    // Additions only: a division per slot would cost more than the decoder's trellis.
    (0..shape.coded_bits()).map(move |_| {
        let slot = (symbol * tones + tone) * bits_per_tone + bit;
        symbol += 1;
        tone = wrapped(tone + b, tones);
        if symbol == symbols {
            symbol = 0;
            base = wrapped(base + a, tones);
            tone = base;
            step += 1;
            if step == tones {
                step = 0;
                bit += 1;
            }
        }
        slot
    })
}

/// `tone` mod `tones`, for a `tone` that is rarely much larger.
const fn wrapped(mut tone: usize, tones: usize) -> usize {
    while tone >= tones {
        tone -= tones;
    }
    tone
}
