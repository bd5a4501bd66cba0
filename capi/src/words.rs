//! Words
//!
//! The few words everything shares. They cross as `int32_t`, and every function checks them; zero is the default.

use crate::handle::Fault;
use link_modem::Listen;
use link_transport::{LinkTime, Mode, Plan, Role};
use match_feed::duel::Side;

/// The pair of frequency bands in use: `DUEL_PLAN_…`.
pub type duel_plan = i32;
/// Host 9.5–12.5 kHz, guest 16–19 kHz: hardly audible. Needs 44.1 kHz or more.
pub const DUEL_PLAN_HIGH: i32 = 0;
/// Host 5–6.5 kHz, guest 8–9.5 kHz: audible, for phones that cannot play the high bands. Needs 24 kHz or more.
pub const DUEL_PLAN_LOW: i32 = 1;

/// Which band of the plan a phone sends in; it never changes during a pairing: `DUEL_ROLE_…`.
pub type duel_role = i32;
/// The phone that chooses the match.
pub const DUEL_ROLE_HOST: i32 = 0;
/// The phone that joins it.
pub const DUEL_ROLE_GUEST: i32 = 1;

/// What a phone listens to: `DUEL_LISTEN_…`.
pub type duel_listen = i32;
/// The peer: the other role's band.
pub const DUEL_LISTEN_PEER: i32 = 0;
/// The host's band of either plan, until one is found: what a guest does in the lobby.
pub const DUEL_LISTEN_DETECT: i32 = 1;
/// Its own band: a self-test, which decodes its own packets.
pub const DUEL_LISTEN_SELF: i32 = 2;

/// How packets are modulated; both carry the same bits: `DUEL_MODE_…`.
pub type duel_mode = i32;
/// Slower and safer: a packet takes 200 ms on the high plan, 400 ms on the low one.
pub const DUEL_MODE_ROBUST: i32 = 0;
/// A packet takes 100 ms on the high plan, 200 ms on the low one.
pub const DUEL_MODE_FAST: i32 = 1;

/// A side of a match, the same on both phones: `DUEL_SIDE_…`.
pub type duel_side = i32;
/// Acts first within a tick. The host plays it, unless a rematch swapped the sides.
pub const DUEL_SIDE_BLUE: i32 = 0;
/// Acts second.
pub const DUEL_SIDE_RED: i32 = 1;

/// Where something is not known, not there, or not yet: in times, sides, openers, picks and ids.
pub const DUEL_NONE: i32 = -1;

/// A checked integer of C's as a value, and back.
pub(crate) trait Word: Copy + Sized + 'static {
    const NAME: &'static str;
    /// The values, by number.
    const ALL: &'static [Self];

    fn word(word: i32) -> Result<Self, Fault> {
        let value = usize::try_from(word).ok().and_then(|at| Self::ALL.get(at));
        value.copied().ok_or_else(|| {
            let last = Self::ALL.len() - 1;
            Fault::argument(format_args!("{} {word}: 0 to {last}", Self::NAME))
        })
    }
}

impl Word for Plan {
    const NAME: &'static str = "plan";
    const ALL: &'static [Self] = &[Self::High, Self::Low];
}
impl Word for Role {
    const NAME: &'static str = "role";
    const ALL: &'static [Self] = &[Self::Host, Self::Guest];
}
impl Word for Mode {
    const NAME: &'static str = "mode";
    const ALL: &'static [Self] = &[Self::Robust, Self::Fast];
}
impl Word for Side {
    const NAME: &'static str = "side";
    const ALL: &'static [Self] = &Self::BOTH;
}

pub(crate) const fn plan_word(plan: Plan) -> duel_plan {
    match plan {
        Plan::High => DUEL_PLAN_HIGH,
        Plan::Low => DUEL_PLAN_LOW,
    }
}

pub(crate) const fn role_word(role: Role) -> duel_role {
    role.index() as i32
}

pub(crate) const fn mode_word(mode: Mode) -> duel_mode {
    match mode {
        Mode::Robust => DUEL_MODE_ROBUST,
        Mode::Fast => DUEL_MODE_FAST,
    }
}

pub(crate) const fn side_word(side: Side) -> duel_side {
    side.index() as i32
}

/// What a phone of that role listens to.
pub(crate) fn listen(word: duel_listen, tx: Role) -> Result<Listen, Fault> {
    Ok(match word {
        DUEL_LISTEN_PEER => Listen::Role(tx.other()),
        DUEL_LISTEN_DETECT => Listen::Detect,
        DUEL_LISTEN_SELF => Listen::Role(tx),
        other => return Err(Fault::argument(format_args!("listen {other}: 0 to 2"))),
    })
}

pub(crate) fn listen_word(listen: Listen, tx: Role) -> duel_listen {
    match listen {
        Listen::Detect => DUEL_LISTEN_DETECT,
        Listen::Role(role) if role == tx => DUEL_LISTEN_SELF,
        Listen::Role(_) => DUEL_LISTEN_PEER,
    }
}

/// A flag that must be 0 or 1.
pub(crate) fn flag(word: i32, what: &str) -> Result<bool, Fault> {
    match word {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Fault::argument(format_args!("{what} {other}: 0 or 1"))),
    }
}

/// A time of C's. What no clock shows is a mistake, and links that simulate would work through all of it.
pub(crate) fn time(now_us: u64) -> Result<LinkTime, Fault> {
    /// 285 years.
    const LATEST_US: u64 = 1 << 53;
    if now_us > LATEST_US {
        return Err(Fault::argument(format_args!(
            "now_us {now_us}: no clock of microseconds shows that"
        )));
    }
    Ok(LinkTime::from_us(now_us))
}
