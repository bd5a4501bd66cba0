//! Every number of the rules, in tables a designer can edit. Knows no world.
//!
//! Times are ticks of 100 ms, distances 1024ths of a tile, money credits. Changing a number changes the game: the
//! golden match in `tests/golden.json` says so.

pub mod mutators;

use crate::{BuildingKind, Power, SUBS_PER_TILE, UnitKind};

/// Tenths of a tile as a distance.
const fn tenths(tenths: i32) -> i32 {
    tenths * SUBS_PER_TILE / 10
}

/// What something is made of: the columns of [`Weapon::versus`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// On foot.
    Foot = 0,
    /// On wheels or tracks.
    Plate = 1,
    /// Walls.
    Wall = 2,
    /// In the air.
    Air = 3,
}

/// What a unit or building shoots with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weapon {
    /// Hit points taken by a shot, before [`Self::versus`].
    pub damage: i32,
    /// Farthest target.
    pub range: i32,
    /// Nearest target.
    pub min_range: i32,
    /// Ticks between shots.
    pub reload: u16,
    /// Radius in which others of the enemy take [`SPLASH_PERCENT`] of it; 0 for none.
    pub splash: i32,
    /// Percent of the damage that foot, plate, walls and aircraft take; 0 cannot be aimed at.
    pub versus: [i32; 4],
}

/// How a unit gets about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// Over open ground.
    Ground,
    /// Over everything.
    Air,
}

/// A kind of unit.
#[derive(Clone, Copy, Debug)]
pub struct UnitSpec {
    /// What it costs.
    pub cost: u32,
    /// Ticks to make one.
    pub build: u16,
    /// Hit points when whole.
    pub hp: i32,
    /// Distance a tick on plain ground.
    pub speed: i32,
    /// Half of its width.
    pub radius: i32,
    /// How far it sees, tiles.
    pub sight: u32,
    /// What it is made of.
    pub armour: Armour,
    /// How it gets about.
    pub gait: Gait,
    /// What it shoots with.
    pub weapon: Option<Weapon>,
    /// What it shoots with while anchored; `None` for what cannot anchor.
    pub anchored: Option<Weapon>,
    /// Where it is made.
    pub made_in: BuildingKind,
    /// What its side must own besides.
    pub needs: Option<BuildingKind>,
}

/// A kind of building.
#[derive(Clone, Copy, Debug)]
pub struct BuildingSpec {
    /// What it costs; `None` for what cannot be built.
    pub cost: Option<u32>,
    /// Ticks to build one.
    pub build: u16,
    /// Hit points when whole.
    pub hp: i32,
    /// Columns and rows it covers.
    pub tiles: (u32, u32),
    /// How far it sees, tiles.
    pub sight: u32,
    /// Power supplied (positive) or used.
    pub power: i32,
    /// What it shoots with.
    pub weapon: Option<Weapon>,
    /// What its side must own before.
    pub needs: Option<BuildingKind>,
}

const fn gun(damage: i32, range: i32, reload: u16, versus: [i32; 4]) -> Option<Weapon> {
    Some(Weapon {
        damage,
        range: tenths(range),
        min_range: 0,
        reload,
        splash: 0,
        versus,
    })
}

const fn shell(of: Option<Weapon>, min_range: i32, splash: i32) -> Option<Weapon> {
    match of {
        None => None,
        Some(weapon) => Some(Weapon {
            min_range: tenths(min_range),
            splash: tenths(splash),
            ..weapon
        }),
    }
}

const BARRACKS: BuildingKind = BuildingKind::BARRACKS;
const FACTORY: BuildingKind = BuildingKind::FACTORY;
const AIRFIELD: BuildingKind = BuildingKind::AIRFIELD;
const UPLINK: BuildingKind = BuildingKind::UPLINK;

/// The units, by [`UnitKind`].
#[rustfmt::skip]
const UNITS: [UnitSpec; UnitKind::NAMES.len()] = [
    // harvester
    UnitSpec { cost: 500, build: 110, hp: 420, speed: 165, radius: 380, sight: 5, armour: Armour::Plate, gait: Gait::Ground,
        weapon: None, anchored: None, made_in: FACTORY, needs: None },
    // scout
    UnitSpec { cost: 150, build: 40, hp: 120, speed: 260, radius: 300, sight: 9, armour: Armour::Plate, gait: Gait::Ground,
        weapon: gun(7, 45, 5, [100, 40, 25, 60]), anchored: None, made_in: FACTORY, needs: None },
    // rifle
    UnitSpec { cost: 100, build: 32, hp: 85, speed: 115, radius: 210, sight: 7, armour: Armour::Foot, gait: Gait::Ground,
        weapon: gun(10, 45, 8, [100, 35, 40, 50]), anchored: None, made_in: BARRACKS, needs: None },
    // rocket
    UnitSpec { cost: 200, build: 50, hp: 80, speed: 105, radius: 210, sight: 7, armour: Armour::Foot, gait: Gait::Ground,
        weapon: gun(40, 55, 22, [30, 100, 80, 110]), anchored: None, made_in: BARRACKS, needs: None },
    // tank
    UnitSpec { cost: 400, build: 75, hp: 320, speed: 155, radius: 360, sight: 7, armour: Armour::Plate, gait: Gait::Ground,
        weapon: gun(36, 50, 16, [60, 100, 85, 0]), anchored: None, made_in: FACTORY, needs: None },
    // artillery
    UnitSpec { cost: 550, build: 95, hp: 120, speed: 105, radius: 360, sight: 7, armour: Armour::Plate, gait: Gait::Ground,
        weapon: gun(20, 50, 26, [80, 70, 70, 0]), anchored: shell(gun(80, 110, 34, [90, 80, 140, 0]), 25, 12),
        made_in: FACTORY, needs: Some(UPLINK) },
    // repair
    UnitSpec { cost: 300, build: 65, hp: 180, speed: 150, radius: 320, sight: 6, armour: Armour::Plate, gait: Gait::Ground,
        weapon: None, anchored: None, made_in: FACTORY, needs: None },
    // flak
    UnitSpec { cost: 300, build: 60, hp: 190, speed: 150, radius: 340, sight: 8, armour: Armour::Plate, gait: Gait::Ground,
        weapon: gun(16, 70, 6, [50, 25, 20, 170]), anchored: None, made_in: FACTORY, needs: None },
    // fighter
    UnitSpec { cost: 400, build: 80, hp: 170, speed: 400, radius: 340, sight: 9, armour: Armour::Air, gait: Gait::Air,
        weapon: gun(14, 45, 5, [65, 40, 25, 130]), anchored: None, made_in: AIRFIELD, needs: None },
    // bomber
    UnitSpec { cost: 650, build: 110, hp: 240, speed: 260, radius: 400, sight: 7, armour: Armour::Air, gait: Gait::Air,
        weapon: shell(gun(100, 12, 30, [70, 100, 150, 0]), 0, 10), anchored: None, made_in: AIRFIELD, needs: None },
    // condor
    UnitSpec { cost: 350, build: 80, hp: 360, speed: 290, radius: 420, sight: 7, armour: Armour::Air, gait: Gait::Air,
        weapon: None, anchored: None, made_in: AIRFIELD, needs: None },
    // goliath
    UnitSpec { cost: 1100, build: 170, hp: 1200, speed: 72, radius: 460, sight: 7, armour: Armour::Plate, gait: Gait::Ground,
        weapon: gun(85, 55, 20, [85, 110, 115, 0]), anchored: None, made_in: FACTORY, needs: Some(UPLINK) },
];

/// The buildings, by [`BuildingKind`].
#[rustfmt::skip]
const BUILDINGS: [BuildingSpec; BuildingKind::NAMES.len()] = [
    // hq
    BuildingSpec { cost: None, build: 0, hp: 1700, tiles: (3, 3), sight: 9, power: 30, weapon: None, needs: None },
    // reactor
    BuildingSpec { cost: Some(300), build: 70, hp: 700, tiles: (2, 2), sight: 5, power: 60, weapon: None, needs: None },
    // refinery
    BuildingSpec { cost: Some(900), build: 120, hp: 1100, tiles: (3, 2), sight: 6, power: -20, weapon: None, needs: None },
    // barracks
    BuildingSpec { cost: Some(400), build: 80, hp: 900, tiles: (2, 2), sight: 6, power: -15, weapon: None, needs: None },
    // factory
    BuildingSpec { cost: Some(800), build: 110, hp: 1200, tiles: (3, 3), sight: 6, power: -25, weapon: None,
        needs: Some(BARRACKS) },
    // airfield
    BuildingSpec { cost: Some(800), build: 110, hp: 900, tiles: (3, 2), sight: 7, power: -25, weapon: None,
        needs: Some(FACTORY) },
    // turret
    BuildingSpec { cost: Some(400), build: 70, hp: 650, tiles: (1, 1), sight: 8, power: -10,
        weapon: gun(26, 65, 12, [90, 90, 0, 60]), needs: Some(BARRACKS) },
    // uplink
    BuildingSpec { cost: Some(700), build: 110, hp: 700, tiles: (2, 2), sight: 11, power: -30, weapon: None,
        needs: Some(FACTORY) },
];

/// A unit kind's numbers. The kind is one of the game's.
#[must_use]
pub fn unit(kind: UnitKind) -> &'static UnitSpec {
    &UNITS[usize::from(kind.0)]
}

/// A building kind's numbers. The kind is one of the game's.
#[must_use]
pub fn building(kind: BuildingKind) -> &'static BuildingSpec {
    &BUILDINGS[usize::from(kind.0)]
}

/// What a power costs and does.
#[derive(Clone, Copy, Debug)]
pub struct PowerSpec {
    /// What a use costs.
    pub cost: u32,
    /// Ticks from one use to the next, and from the start of the match to the first.
    pub cooldown: u32,
    /// Its circle.
    pub radius: i32,
}

#[rustfmt::skip]
const POWERS: [PowerSpec; Power::NAMES.len()] = [
    PowerSpec { cost: 400, cooldown: 900, radius: tenths(30) }, // strike
    PowerSpec { cost: 200, cooldown: 600, radius: tenths(40) }, // mend
    PowerSpec { cost: 100, cooldown: 450, radius: tenths(90) }, // scan
    PowerSpec { cost: 500, cooldown: 900, radius: tenths(20) }, // drop
];

/// A power's numbers. The power is one of the game's.
#[must_use]
pub fn power(power: Power) -> &'static PowerSpec {
    &POWERS[usize::from(power.0)]
}

/// Ticks from calling a strike to its fall.
pub const STRIKE_DELAY: u32 = 25;
/// Hit points a strike takes at its centre; half at its edge.
pub const STRIKE_DAMAGE: i32 = 320;
/// Hit points a mend gives.
pub const MEND_HP: i32 = 160;
/// Ticks a scan lasts.
pub const SCAN_TICKS: u32 = 120;
/// Rifles in a drop.
pub const DROP_SQUAD: usize = 4;

/// Credits a side starts with.
pub const START_CREDITS: u32 = 2400;
/// Units a side starts with, around its home.
pub const START_UNITS: &[UnitKind] = &[
    UnitKind::HARVESTER,
    UnitKind::HARVESTER,
    UnitKind::SCOUT,
    UnitKind::RIFLE,
    UnitKind::RIFLE,
    UnitKind::RIFLE,
];
/// Buildings a side starts with besides its command centre, by the offset of their north-west tile from the home's
/// middle as blue sees it; red's are turned by 180°.
pub const START_BUILDINGS: &[(BuildingKind, i32, i32)] = &[
    (BuildingKind::REACTOR, -5, 3),
    (BuildingKind::REFINERY, 2, -5),
];

/// Where units start, by their offset in tiles from the home's middle as blue sees it: around the command centre,
/// toward the middle of the map.
pub const START_PLACES: [(i32, i32); 8] = [
    (4, 0),
    (4, 2),
    (6, -2),
    (0, -4),
    (-2, -4),
    (-3, -5),
    (6, 1),
    (0, -6),
];

/// What an opener adds to a side's start.
#[derive(Clone, Copy, Debug)]
pub struct OpenerSpec {
    /// Units, each at one of [`START_PLACES`].
    pub units: &'static [(UnitKind, usize)],
    /// Buildings, placed as [`START_BUILDINGS`] are.
    pub buildings: &'static [(BuildingKind, i32, i32)],
}

/// The openers, in pick order: see [`crate::OPENERS`].
pub const OPENERS: [OpenerSpec; 3] = [
    // prospector: one more harvester
    OpenerSpec {
        units: &[(UnitKind::HARVESTER, 3)],
        buildings: &[],
    },
    // raiders: a fast fighting party
    OpenerSpec {
        units: &[
            (UnitKind::RIFLE, 4),
            (UnitKind::RIFLE, 5),
            (UnitKind::TANK, 6),
            (UnitKind::TANK, 7),
            (UnitKind::SCOUT, 2),
        ],
        buildings: &[],
    },
    // fortress: a turret on the way in, and the barracks to build more
    OpenerSpec {
        units: &[],
        buildings: &[
            (BuildingKind::TURRET, 6, -6),
            (BuildingKind::BARRACKS, -6, -2),
        ],
    },
];

/// Units a side may have, those queued not counted.
pub const UNITS_PER_SIDE_MAX: usize = 100;
/// Buildings a side may have.
pub const BUILDINGS_PER_SIDE_MAX: usize = 40;
/// Units in a building's queue.
pub const QUEUE_MAX: usize = 5;
/// Tiles between a new building and the nearest of its side's.
pub const PLACE_REACH: u32 = 5;
/// Percent of a building's cost that a sale of it whole returns.
pub const SELL_PERCENT: u32 = 50;

/// Percent of their pace at which a side short of power makes things.
pub const SHORT_POWER_PERCENT: u32 = 50;
/// A side short of power reloads its turrets in one tick of so many.
pub const SHORT_POWER_RELOAD_EVERY: u32 = 2;

/// Ore in a tile near a home, credits.
pub const HOME_ORE: u16 = 650;
/// Ore in a tile worth an expedition, credits.
pub const FAR_ORE: u16 = 800;
/// How far from the point ordered a harvester looks for ore.
pub const HARVEST_REACH: i32 = tenths(30);
/// An ore tile that another harvester mines seems this much farther away.
pub const CROWDED_ORE: i32 = tenths(30);
/// Credits a harvester carries when full.
pub const HARVESTER_LOAD: u16 = 250;
/// Credits mined a tick.
pub const MINE_RATE: u16 = 8;
/// Credits unloaded a tick.
pub const UNLOAD_RATE: u16 = 25;
/// Credits every side gets each second, so that a beaten economy can still try.
pub const STIPEND: u32 = 4;

/// Near enough to mine, to hand over, to board and to put down.
pub const DOCK: i32 = tenths(10);
/// Ticks to dig in or pack up.
pub const ANCHOR_TICKS: u16 = 15;
/// Room in a Condor, in infantry.
pub const CONDOR_SEATS: usize = 6;
/// Condors it takes to lift a Goliath.
pub const LIFT_CONDORS: usize = 2;
/// Condors this near to a Goliath can hook it.
pub const HOOK: i32 = tenths(6);
/// Percent of a Condor's speed under a Goliath.
pub const LIFT_SPEED_PERCENT: i32 = 60;
/// Percent of a ground unit's speed on rough ground.
pub const ROUGH_SPEED_PERCENT: i32 = 70;
/// Hit points a repair unit gives to one neighbour every [`REPAIR_EVERY`] ticks.
pub const REPAIR_HP: i32 = 14;
/// See [`REPAIR_HP`].
pub const REPAIR_EVERY: u32 = 10;
/// How far a repair unit reaches.
pub const REPAIR_REACH: i32 = tenths(25);

/// What a wave costs, and how long until the next.
pub const WAVE_COST: u32 = 1000;
/// Ticks from one wave to the next, and from the start of the match to the first.
pub const WAVE_COOLDOWN: u32 = 900;
/// Who comes; every [`WAVE_GROWTH`] ticks of the match bring one more tank.
pub const WAVE_UNITS: &[UnitKind] = &[
    UnitKind::TANK,
    UnitKind::TANK,
    UnitKind::RIFLE,
    UnitKind::RIFLE,
    UnitKind::RIFLE,
    UnitKind::ROCKET,
];
/// See [`WAVE_UNITS`].
pub const WAVE_GROWTH: u32 = 1800;

/// How far from its post an idle unit chases.
pub const LEASH: i32 = tenths(50);
/// How much farther than its range a unit looks for targets.
pub const LOOK_BEYOND: i32 = tenths(20);
/// A target farther than this beyond the range is given up.
pub const LOSE_BEYOND: i32 = tenths(40);
/// Targets that can shoot back seem this much nearer.
pub const THREAT_NEARER: i32 = tenths(20);
/// Walls that do not shoot seem this much farther, but for the command centre's.
pub const WALL_FARTHER: i32 = tenths(40);
/// Ticks between a unit's looks for a better target.
pub const LOOK_EVERY: u32 = 4;
/// Damage varies by this many percent either way.
pub const DAMAGE_SPREAD: i32 = 15;
/// Percent of a shell's damage that others around its burst take.
pub const SPLASH_PERCENT: i32 = 50;

/// From this tick on walls crumble: they take more damage with every minute.
pub const CRUMBLE_FROM: u32 = 1800;
/// How much more, percent a minute.
pub const CRUMBLE_PERCENT: u32 = 40;
/// From this tick on both command centres burn, so that long matches end. A command centre that repair units mend may
/// outlast it: one of them gives [`REPAIR_HP`] every [`REPAIR_EVERY`] ticks, the burning takes [`BURN_HP`] a second,
/// [`BURN_WEAKER_TIMES`] that from the weaker side.
pub const BURN_FROM: u32 = 5400;
/// Hit points a second.
pub const BURN_HP: i32 = 7;
/// So many times that for the side whose units and buildings have cost less.
pub const BURN_WEAKER_TIMES: i32 = 2;
