//! What units, buildings and powers are called. Indices are the wire form; their order is fixed for ever.

use alloc::{format, string::String};
use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Declares a kind: an index into a table of names that may also hold indices the game has no name for, because a
/// codec can be built for larger tables than the game's own.
macro_rules! kind {
    ($(#[$doc:meta])* $Kind:ident, $fallback:literal, $($(#[$item_doc:meta])* $CONST:ident = $name:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Kind(pub u8);

        impl $Kind {
            /// The names, in wire order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
            kind!(@consts 0u8, $($(#[$item_doc])* $CONST,)*);

            /// How many kinds the game has.
            #[must_use]
            pub const fn count() -> u8 {
                Self::NAMES.len() as u8
            }

            /// Every kind the game has, in wire order.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> {
                (0..Self::count()).map(Self)
            }

            /// Its name; `None` for an index the game has no name for.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                Self::NAMES.get(usize::from(self.0)).copied()
            }

            /// The kind of this name, or of an index written as the table's name and a number.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                if let Some(index) = Self::NAMES.iter().position(|&known| known == name) {
                    return u8::try_from(index).ok().map(Self);
                }
                let digits = name.strip_prefix($fallback)?;
                let plain = digits.bytes().all(|b| b.is_ascii_digit());
                plain.then(|| digits.parse().ok().map(Self)).flatten()
            }
        }

        impl fmt::Display for $Kind {
            /// The name; the table's name and the index where the game has none.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, concat!($fallback, "{}"), self.0),
                }
            }
        }

        impl fmt::Debug for $Kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Serialize for $Kind {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $Kind {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = String::deserialize(from)?;
                Self::by_name(&name)
                    .ok_or_else(|| D::Error::custom(format!(concat!("no ", $fallback, " kind is called {:?}"), name)))
            }
        }
    };
    (@consts $index:expr, $(#[$item_doc:meta])* $CONST:ident, $($rest:tt)*) => {
        $(#[$item_doc])*
        pub const $CONST: Self = Self($index);
        kind!(@consts $index + 1, $($rest)*);
    };
    (@consts $index:expr,) => {};
}

kind! {
    /// A kind of unit.
    UnitKind, "unit",
    /// Mines ore and brings it to a refinery.
    HARVESTER = "harvester",
    /// Fast and far-sighted, weak in a fight.
    SCOUT = "scout",
    /// Line infantry.
    RIFLE = "rifle",
    /// Anti-armour infantry that also reaches aircraft.
    ROCKET = "rocket",
    /// The line vehicle.
    TANK = "tank",
    /// Fires far, but only while anchored.
    ARTILLERY = "artillery",
    /// Repairs vehicles and buildings nearby.
    REPAIR = "repair",
    /// Shoots at aircraft, from the ground.
    FLAK = "flak",
    /// Fast aircraft against aircraft and light targets.
    FIGHTER = "fighter",
    /// Slow aircraft against buildings and vehicles; cannot reach aircraft.
    BOMBER = "bomber",
    /// Air carrier: takes infantry aboard, and hooks a Goliath together with another Condor.
    CONDOR = "condor",
    /// Slow heavy tank that Condors can carry.
    GOLIATH = "goliath",
}

kind! {
    /// A kind of building.
    BuildingKind, "building",
    /// The command centre: a side that loses it is beaten.
    HQ = "hq",
    /// Supplies power.
    REACTOR = "reactor",
    /// Takes in ore; comes with a harvester.
    REFINERY = "refinery",
    /// Trains infantry.
    BARRACKS = "barracks",
    /// Builds vehicles.
    FACTORY = "factory",
    /// Builds aircraft.
    AIRFIELD = "airfield",
    /// Shoots at ground units.
    TURRET = "turret",
    /// Enables the powers and sees far.
    UPLINK = "uplink",
}

kind! {
    /// A kind of power, called down on a point.
    Power, "power",
    /// Heavy damage in a small circle, after a delay that lets the quick escape.
    STRIKE = "strike",
    /// Repairs a side's own units and buildings in a circle.
    MEND = "mend",
    /// Reveals a large circle for a while.
    SCAN = "scan",
    /// Drops a squad of rifles.
    DROP = "drop",
}

macro_rules! canon_kind {
    ($($Kind:ident),*) => {$(
        impl crate::canon::Canon for $Kind {
            fn write(&self, out: &mut impl crate::canon::Sink) {
                self.0.write(out);
            }
            fn read(from: &mut crate::canon::Reader<'_>) -> Option<Self> {
                <u8 as crate::canon::Canon>::read(from).map(Self)
            }
        }
    )*};
}
canon_kind!(UnitKind, BuildingKind);
