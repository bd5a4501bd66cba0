//! Products and quotients of numbers in 1/2³².

/// What 1 is, in 1/2³².
pub const ONE: i64 = 1 << 32;

/// `one × other`, all in 1/2³², to the nearest, halves away from zero; the end of the range for what lies beyond it.
#[must_use]
pub fn mul(one: i64, other: i64) -> i64 {
    let size = u128::from(one.unsigned_abs()) * u128::from(other.unsigned_abs());
    signed((size + (1 << 31)) >> 32, (one < 0) != (other < 0))
}

/// `one ÷ other`, all in 1/2³², to the nearest, halves away from zero; the end of the range for what lies beyond it, as
/// anything divided by 0 does but 0 itself, which gives 0.
#[must_use]
pub fn div(one: i64, other: i64) -> i64 {
    let (size, by) = (
        u128::from(one.unsigned_abs()) << 32,
        u128::from(other.unsigned_abs()),
    );
    let quotient = match (size, by) {
        (0, 0) => 0,
        (_, 0) => u128::MAX,
        _ => (size + by / 2) / by,
    };
    signed(quotient, (one < 0) != (other < 0))
}

fn signed(size: u128, negative: bool) -> i64 {
    match i64::try_from(size) {
        Ok(size) if negative => -size,
        Ok(size) => size,
        Err(_) if negative => i64::MIN,
        Err(_) => i64::MAX,
    }
}
