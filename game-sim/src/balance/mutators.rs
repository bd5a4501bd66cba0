//! What each mutator makes of the rules. Knows no world.

/// Percent of every map's ore under "bonanza".
pub const BONANZA_ORE_PERCENT: u32 = 180;
/// Percent of every map's ore under "famine".
pub const FAMINE_ORE_PERCENT: u32 = 55;
/// Percent of all damage under "glass".
pub const GLASS_DAMAGE_PERCENT: u32 = 200;
/// Percent of all damage under "stout".
pub const STOUT_DAMAGE_PERCENT: u32 = 60;
/// Percent of all speeds under "swift".
pub const SWIFT_SPEED_PERCENT: u32 = 130;
/// Percent of the pace at which things are made under "rush".
pub const RUSH_BUILD_PERCENT: u32 = 200;

/// Percent of the command centres' hit points in a blitz.
pub const BLITZ_HQ_PERCENT: u32 = 30;
/// Credits a side starts a blitz with.
pub const BLITZ_CREDITS: u32 = 3 * super::START_CREDITS;
/// How many more of each armed starting unit a side has in a blitz.
pub const BLITZ_EXTRA_UNITS: usize = 3;
/// [`super::CRUMBLE_FROM`] in a blitz.
pub const BLITZ_CRUMBLE_FROM: u32 = 300;
/// [`super::BURN_FROM`] in a blitz.
pub const BLITZ_BURN_FROM: u32 = 600;
/// [`super::BURN_HP`] in a blitz.
pub const BLITZ_BURN_HP: i32 = 40;
