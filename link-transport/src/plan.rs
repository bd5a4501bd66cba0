//! The words every layer shares about a link: band plan, mode, role, and what each pair of them carries.

/// The pair of frequency bands in use. Source: the specification's "Decisions", row "Band plan".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Plan {
    /// Host 9.525–12.5 kHz, guest 15.975–18.95 kHz.
    #[default]
    High,
    /// Host 5.025–6.5 kHz, guest 8.025–9.5 kHz: audible, for phones that cannot play the high bands.
    Low,
}

impl core::fmt::Display for Plan {
    /// `high` or `low`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::High => "high",
            Self::Low => "low",
        })
    }
}

/// How a packet is modulated. The payload is the same in both, so a switch never changes what fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Differential BPSK: twice the symbols per packet.
    #[default]
    Robust,
    /// Differential QPSK.
    Fast,
}

/// Which band of the plan a phone transmits in. Roles never change during a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The phone that chose the match.
    Host,
    /// The phone that joined it.
    Guest,
}

impl Role {
    /// The peer's role.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }

    /// 0 for the host, 1 for the guest: as on the wire and as an array index.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Host => 0,
            Self::Guest => 1,
        }
    }
}

/// One symbol with its prefix, in milliseconds. Source: the specification's "Numerology".
pub const SYMBOL_MS: u32 = 50;
/// Symbols of a superframe: a sync, then 40 of data. A mode changes only where one starts.
pub const SUPERFRAME_SYMBOLS: usize = 41;
/// A superframe in milliseconds: 2.05 s.
pub const SUPERFRAME_MS: u32 = SUPERFRAME_SYMBOLS as u32 * SYMBOL_MS;

/// Milliseconds of air one packet takes, its sync symbols left out: 100, 200, 200 or 400.
#[must_use]
pub const fn packet_ms(plan: Plan, mode: Mode) -> u32 {
    match (plan, mode) {
        (Plan::High, Mode::Fast) => 100,
        (Plan::High, Mode::Robust) | (Plan::Low, Mode::Fast) => 200,
        (Plan::Low, Mode::Robust) => 400,
    }
}

/// Payload bits of one packet, the same in both modes: 188 on the high plan, 186 on the low.
#[must_use]
pub const fn capacity_bits(plan: Plan) -> usize {
    match plan {
        Plan::High => 188,
        Plan::Low => 186,
    }
}
