//! The world by named parts, to say where two of them differ.

use crate::{World, canon::Canon, state::State};
use alloc::vec::Vec;
use core::fmt::{self, Debug};
use match_feed::{WorldHash, duel::PerSide};

/// A part of the world that can be hashed and shown.
trait Part: Debug {
    fn canonical(&self, out: &mut Vec<u8>);
}

impl<T: Canon + Debug> Part for T {
    fn canonical(&self, out: &mut Vec<u8>) {
        self.write(out);
    }
}

impl World {
    /// Everything that is hashed, under the names that a desync's report shows.
    fn parts(&self) -> [(&'static str, &dyn Part); 12] {
        // A field of the state that is no part does not compile.
        let State {
            tick,
            next_id,
            dice,
            units,
            buildings,
            ore,
            sides: PerSide { blue, red },
            strikes,
            scans,
            outcome,
        } = &self.state;
        [
            ("setup", &self.setup),
            ("tick", tick),
            ("ids", next_id),
            ("dice", dice),
            ("units", units),
            ("buildings", buildings),
            ("ore", ore),
            ("blue's economy", blue),
            ("red's economy", red),
            ("strikes", strikes),
            ("scans", scans),
            ("outcome", outcome),
        ]
    }

    pub(crate) fn each_part_hash(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        let mut bytes = Vec::new();
        for (name, of) in self.parts() {
            bytes.clear();
            of.canonical(&mut bytes);
            part(name, WorldHash::of(&bytes));
        }
    }

    /// The part's fields, one a line.
    pub(crate) fn write_part(&self, part: &str, to: &mut dyn fmt::Write) -> fmt::Result {
        for (name, of) in self.parts() {
            if name == part {
                writeln!(to, "{of:#?}")?;
            }
        }
        Ok(())
    }
}
