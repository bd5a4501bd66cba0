//! What holds for all arguments: symmetry, order, ends of the ranges; and the bits themselves.

use dmath::*;

/// A multiplicative generator: arguments of every size.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bits = self.0 ^ (self.0 >> 32);
        bits >> (self.0 >> 58)
    }
}

#[test]
fn mirror_images_mirror_to_the_bit() {
    let mut draw = Draw(1);
    for _ in 0..20_000 {
        let angle = draw.next() as u32;
        assert_eq!(sin(angle.wrapping_neg()), -sin(angle), "{angle}");
        assert_eq!(cos(angle.wrapping_neg()), cos(angle), "{angle}");
        assert_eq!(sin(HALF_TURN.wrapping_sub(angle)), sin(angle), "{angle}");
        let (y, x) = (1 + (draw.next() >> 1) as i64, 1 + (draw.next() >> 2) as i64);
        let Some(y) = y.checked_abs() else { continue };
        assert_eq!(atan2(-y, x), atan2(y, x).wrapping_neg(), "{y} {x}");
        assert_eq!(atan2(y, -x), HALF_TURN - atan2(y, x), "{y} {x}");
        assert_eq!(atan2(x, y), QUARTER_TURN - atan2(y, x), "{y} {x}");
        // The lowest number has no mirror image.
        assert_eq!(mul(-y, x).max(-i64::MAX), -mul(y, x), "{y} {x}");
        assert_eq!(div(-y, x), div(y, -x), "{y} {x}");
    }
}

#[test]
fn larger_arguments_never_give_less() {
    let mut draw = Draw(2);
    for _ in 0..20_000 {
        let value = draw.next().max(1);
        let more = value.saturating_add(1 + draw.next() % 1000);
        assert!(log2(value) <= log2(more), "{value} {more}");
        assert!(ln(value) <= ln(more), "{value} {more}");
        assert!(sqrt(value) <= sqrt(more), "{value} {more}");
        let (exponent, later) = ((value >> 27) as i64, (more >> 27) as i64);
        assert!(exp2(exponent) <= exp2(later), "{exponent} {later}");
    }
}

#[test]
fn what_is_exact_in_mathematics_is_exact_here() {
    for power in -32_i64..32 {
        let value = 1_u64 << (32 + power);
        assert_eq!(log2(value), power << 32);
        assert_eq!(exp2(power << 32), value);
        assert_eq!(pow(value, ONE), value);
    }
    for whole in 0..1 << 15 {
        assert_eq!(sqrt((whole * whole) << 32), whole << 32);
        assert_eq!(mul((whole as i64) << 32, ONE), (whole as i64) << 32);
    }
    for eighth in 0..8 {
        let (y, x) = [
            (0, 9),
            (9, 9),
            (9, 0),
            (9, -9),
            (0, -9),
            (-9, -9),
            (-9, 0),
            (-9, 9),
        ][eighth];
        assert_eq!(atan2(y, x), (eighth as u32) << 29);
    }
    assert_eq!([sin(0), cos(0), sin(HALF_TURN)], [0, SINE_ONE, 0]);
    assert_eq!(cos(HALF_TURN), -SINE_ONE);
}

#[test]
fn the_ends_of_the_ranges() {
    assert_eq!(atan2(0, 0), 0);
    assert_eq!(hypot(i64::MIN, i64::MIN), 13_043_817_825_332_782_212);
    assert_eq!([log2(0), ln(0)], [i64::MIN; 2]);
    assert_eq!([exp2(i64::MIN), exp2(-34 << 32)], [0, 0]);
    assert_eq!([exp2(32 << 32), exp2(i64::MAX)], [u64::MAX; 2]);
    assert_eq!(exp2((32 << 32) - 1) >> 40, u64::MAX >> 40);
    assert_eq!([pow(0, 0), pow(0, 1), pow(0, -1)], [1 << 32, 0, u64::MAX]);
    assert_eq!([pow(u64::MAX, i64::MAX), pow(1, i64::MIN)], [u64::MAX; 2]);
    assert_eq!([pow(1, i64::MAX), pow(u64::MAX, i64::MIN)], [0; 2]);
    assert_eq!(
        [mul(i64::MIN, i64::MIN), mul(i64::MIN, i64::MAX)],
        [i64::MAX, i64::MIN]
    );
    assert_eq!([div(1, 0), div(-1, 0), div(0, 0)], [i64::MAX, i64::MIN, 0]);
    assert_eq!(
        [div(7 * ONE, 2 * ONE), div(1, 2 * ONE), div(-1, 2 * ONE)],
        [7 * ONE / 2, 1, -1]
    );
}
