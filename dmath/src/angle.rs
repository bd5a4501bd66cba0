//! Angles: sine, cosine and the angle of a vector.

use crate::tables::{ARCTANGENT, RADIAN, SINE};

/// A quarter of a turn, 90°.
pub const QUARTER_TURN: u32 = 1 << 30;
/// Half a turn, 180°.
pub const HALF_TURN: u32 = 1 << 31;
/// What a sine of 1 is.
pub const SINE_ONE: i32 = 1 << 30;

/// The sine of `angle` (1/2³² turn), in 1/2³⁰: within 0.51 of the last place; 0 and ±1 are exact, and
/// `sin(−a) = −sin(a)` to the bit.
///
/// Costs ten multiplications. Source: the Taylor series of degree 19 over a quarter turn.
#[must_use]
pub fn sin(angle: u32) -> i32 {
    let (quarter, within) = (angle >> 30, angle & (QUARTER_TURN - 1));
    // Odd quarters run backwards, the last two below zero.
    let size = if quarter & 1 == 0 {
        quarter_sine(within)
    } else {
        quarter_sine(QUARTER_TURN - within)
    };
    if quarter < 2 { size } else { -size }
}

/// The cosine of `angle` (1/2³² turn), in 1/2³⁰: as exact as [`sin`], of which it is a quarter turn ahead.
#[must_use]
pub fn cos(angle: u32) -> i32 {
    sin(angle.wrapping_add(QUARTER_TURN))
}

/// Of 0 to a quarter turn, both included.
fn quarter_sine(angle: u32) -> i32 {
    let share = u64::from(angle) << 30; // of a quarter turn, in 1/2^60
    let square = product(share, share, 60);
    let [first @ .., last] = SINE;
    // Each term is larger than all that follow, so nothing goes below zero.
    let series = first
        .iter()
        .rev()
        .fold(last, |sum, term| term - product(sum, square, 60));
    ((product(series, share, 60) + (1 << 29)) >> 30) as i32
}

/// `one × other ÷ 2^bits`, rounded down; fits by the caller's promise.
fn product(one: u64, other: u64, bits: u32) -> u64 {
    ((u128::from(one) * u128::from(other)) >> bits) as u64
}

/// The angle (1/2³² turn) of the vector (`x`, `y`), anticlockwise from the x axis: within 0.51 of the last place, and
/// exact for multiples of an eighth of a turn. 0 for (0, 0). Its mirror images in either axis mirror to the bit.
///
/// Costs two divisions of 128 bits by 64 and five multiplications. Source: a table of 65 angles, and the arctangent's
/// series of degree 7 for the 128th between.
#[must_use]
pub fn atan2(y: i64, x: i64) -> u32 {
    let (up, along) = (y.unsigned_abs(), x.unsigned_abs());
    if up == 0 && along == 0 {
        return 0;
    }
    let first_quarter = if up > along {
        QUARTER_TURN - eighth_turn(along, up)
    } else {
        eighth_turn(up, along)
    };
    let upper_half = if x < 0 {
        HALF_TURN - first_quarter
    } else {
        first_quarter
    };
    if y < 0 {
        upper_half.wrapping_neg()
    } else {
        upper_half
    }
}

/// The angle whose tangent is `small ÷ large`, which is at most 1; `large` is not 0.
fn eighth_turn(small: u64, large: u64) -> u32 {
    const ONE: i128 = 1 << 62;
    let ratio = ((u128::from(small) << 62) / u128::from(large)) as i128;
    let step = (ratio + (1 << 55)) >> 56; // the nearest 64th
    let at = step << 56;
    // tan(a − b) = (tan a − tan b) ÷ (1 + tan a · tan b): at most a 128th.
    let tangent = ((ratio - at) << 62) / (ONE + ((ratio * at) >> 62));
    let square = (tangent * tangent) >> 62;
    let fold = [ONE / 5, ONE / 3, ONE]
        .iter()
        .fold(ONE / 7, |sum, term| term - ((sum * square) >> 62));
    let radians = (tangent * fold) >> 62;
    let turns = i128::from(ARCTANGENT[step as usize]) + ((radians * i128::from(RADIAN)) >> 62);
    ((turns + (1 << 29)) >> 30) as u32
}
