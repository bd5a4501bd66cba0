//! Square roots and the length of a vector.

/// The length of the vector (`x`, `y`), in the unit of both, to the nearest whole one: exact.
///
/// Costs the root of a 128-bit number.
#[must_use]
pub fn hypot(x: i64, y: i64) -> u64 {
    let square = |side: i64| u128::from(side.unsigned_abs()) * u128::from(side.unsigned_abs());
    nearest_root(square(x) + square(y)) // at most 2 × 2^126
}

/// The root of `value`, both in 1/2³²: the nearest there is.
///
/// Costs the root of a 96-bit number.
#[must_use]
pub fn sqrt(value: u64) -> u64 {
    nearest_root(u128::from(value) << 32)
}

/// Of at most 2¹²⁷.
fn nearest_root(square: u128) -> u64 {
    let root = square.isqrt();
    // (r + ½)² = r² + r + ¼: no whole number lies on the boundary.
    let up = square - root * root > root;
    (root + u128::from(up)) as u64
}
