//! A time on one end's own clock, in microseconds. Knows nothing of any other clock.

/// A moment on one end's clock: microseconds since a start that the host chose.
///
/// Monotonic and told by the host. Two ends' times must not be compared: their clocks start at different moments and
/// run at slightly different rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetTime(u64);

impl NetTime {
    /// The clock's start.
    pub const ZERO: Self = Self(0);
    /// Later than any moment that a clock reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// `us` microseconds after the start.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us)
    }

    /// `ms` milliseconds after the start; [`NetTime::MAX`] if that is too far.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000))
    }

    /// Microseconds since the start.
    #[must_use]
    pub const fn as_us(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the start, rounded down.
    #[must_use]
    pub const fn as_ms(self) -> u64 {
        self.0 / 1_000
    }

    /// `us` microseconds later; [`NetTime::MAX`] if that is too far.
    #[must_use]
    pub const fn plus(self, us: u64) -> Self {
        Self(self.0.saturating_add(us))
    }

    /// Microseconds from `earlier` to this moment; 0 if `earlier` is the later one.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::NetTime;

    #[test]
    fn neither_sums_nor_differences_wrap() {
        assert_eq!(NetTime::from_ms(3).plus(5).as_us(), 3_005);
        assert_eq!(NetTime::MAX.plus(1), NetTime::MAX);
        assert_eq!(NetTime::from_ms(u64::MAX), NetTime::MAX);
        assert_eq!(NetTime::from_us(9).since(NetTime::from_us(4)), 5);
        assert_eq!(NetTime::ZERO.since(NetTime::MAX), 0);
    }
}
