//! Powers and logarithms.

use crate::tables::{LN_2, ROOTS};

/// Fraction bits that powers and logarithms are computed with.
const BITS: u32 = 56;

/// 2 to the power of `exponent`, both in 1/2³²: within half of the last place and 2⁻⁵⁸ of the result. `u64::MAX` for
/// what is larger than that (from 32 on), 0 for what rounds to 0.
///
/// Costs at most 32 multiplications.
#[must_use]
pub fn exp2(exponent: i64) -> u64 {
    power_of_two(i128::from(exponent) << (BITS - 32))
}

/// The logarithm of `value` to the base 2, both in 1/2³²: within 0.51 of the last place, and exact for powers of two.
/// `i64::MIN` for 0.
///
/// Costs 56 multiplications. Source: the logarithm's digits by repeated squaring (Knuth, TAOCP 1.2.2, exercise 25).
#[must_use]
pub fn log2(value: u64) -> i64 {
    match logarithm(value) {
        Some(logarithm) => (logarithm + (1 << (BITS - 33))) >> (BITS - 32),
        None => i64::MIN,
    }
}

/// The natural logarithm of `value`, both in 1/2³²: within 0.51 of the last place. `i64::MIN` for 0.
///
/// Costs one multiplication more than [`log2`].
#[must_use]
pub fn ln(value: u64) -> i64 {
    const SHIFT: u32 = BITS + 64 - 32;
    match logarithm(value) {
        Some(logarithm) => {
            ((i128::from(logarithm) * i128::from(LN_2) + (1 << (SHIFT - 1))) >> SHIFT) as i64
        }
        None => i64::MIN,
    }
}

/// `base` to the power of `exponent`, all in 1/2³²: within half of the last place and (|exponent| + 4) × 2⁻⁵⁶ of the
/// result. `u64::MAX` for what is larger than that, 0 for what rounds to 0. 0 to the power of 0 is 1, and to a
/// negative one `u64::MAX`.
///
/// Costs at most 113 multiplications.
#[must_use]
pub fn pow(base: u64, exponent: i64) -> u64 {
    match (logarithm(base), exponent) {
        (_, 0) => 1 << 32,
        (None, 1..) => 0,
        (None, _) => u64::MAX,
        (Some(logarithm), _) => {
            let product = i128::from(logarithm) * i128::from(exponent);
            power_of_two((product + (1 << 31)) >> 32)
        }
    }
}

/// The binary logarithm of `value` (1/2³²), in 1/2⁵⁶, rounded down; none of 0.
fn logarithm(value: u64) -> Option<i64> {
    let zeros = value.leading_zeros();
    let mut mantissa = value.checked_shl(zeros)?; // 1 to 2, in 1/2^63
    let mut bits = 0_i64;
    for _ in 0..BITS {
        let square = u128::from(mantissa) * u128::from(mantissa); // 1 to 4, in 1/2^126
        let bit = (square >> 127) as u32;
        mantissa = (square >> (63 + bit)) as u64;
        bits = bits << 1 | i64::from(bit);
    }
    Some(((31 - i64::from(zeros)) << BITS) + bits)
}

/// 2 to the power of `exponent` (1/2⁵⁶), in 1/2³².
fn power_of_two(exponent: i128) -> u64 {
    let whole = exponent >> BITS;
    if whole >= 32 {
        return u64::MAX;
    }
    if whole < -34 {
        return 0;
    }
    let mut mantissa = 1_u128 << 63; // 1 to 2, in 1/2^63
    for (at, &root) in ROOTS.iter().enumerate() {
        if exponent >> (BITS - 1 - at as u32) & 1 == 1 {
            mantissa = (mantissa * u128::from(root) + (1 << 62)) >> 63;
        }
    }
    let shift = 31 - whole as i32; // 0 to 65
    let rounded = match shift {
        0 => mantissa,
        _ => (mantissa + (1 << (shift - 1))) >> shift,
    };
    u64::try_from(rounded).unwrap_or(u64::MAX)
}
