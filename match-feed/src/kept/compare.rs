//! Two machines' bundles of one match: where their worlds, or what they were told, came apart.

use super::{
    bundle::{DesyncBundle, InputDigests, RingEntry},
    track::InputTrack,
};
use crate::{SEATS_MAX, Seat, Tick};
use alloc::{string::String, vec::Vec};

/// The first input that the two hold differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDifference {
    /// The tick, or `None` where only the digests tell: then it lies before the tick of the digests.
    pub tick: Option<Tick>,
    /// Whose input it is.
    pub seat: Seat,
    /// What the first bundle holds, and the second.
    pub inputs: Option<[Vec<u8>; 2]>,
    /// The checkpoint whose digests tell it, where they do.
    pub digests_at: Option<Tick>,
}

/// The first hashes that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldDifference {
    /// How many ticks were stepped.
    pub stepped: Tick,
    /// The parts that differ, by name; empty where the bundles have none, or none differs.
    pub parts: Vec<String>,
    /// True if the hashes of the tick before are in both and equal, so that nothing differed earlier.
    pub first: bool,
}

/// What two bundles say together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What of the match differs, in words: then the bundles are of two matches, and nothing else is compared.
    pub other_match: Option<&'static str>,
    /// The first input that differs, if one does.
    pub inputs: Option<InputDifference>,
    /// The first hashes that differ, if some do.
    pub worlds: Option<WorldDifference>,
    /// How many ticks both hold the inputs of.
    pub inputs_compared: u32,
    /// How many ticks both hold hashes of.
    pub hashes_compared: u32,
}

/// Compares two bundles. Which is first does not matter but for the order of the inputs shown. The cost grows with their
/// length only.
#[must_use]
pub fn compare_bundles(a: &DesyncBundle, b: &DesyncBundle) -> Comparison {
    let other_match = [
        ("the games differ", a.played.game != b.played.game),
        (
            "the games' ids differ: two builds",
            a.played.game_id != b.played.game_id,
        ),
        ("the tick rates differ", a.played.rate != b.played.rate),
        (
            "the numbers of seats differ",
            a.played.seats != b.played.seats,
        ),
        ("the seeds differ", a.played.seed != b.played.seed),
        ("the setups differ", a.played.setup != b.played.setup),
        (
            "the worlds' parts differ: two builds",
            a.part_names != b.part_names,
        ),
    ]
    .into_iter()
    .find_map(|(what, differs)| differs.then_some(what));
    let mut comparison = Comparison {
        other_match,
        inputs: None,
        worlds: None,
        inputs_compared: 0,
        hashes_compared: 0,
    };
    if comparison.other_match.is_none() {
        compare_worlds(a, b, &mut comparison);
        compare_inputs(&a.inputs, &b.inputs, &mut comparison);
        if comparison.inputs.is_none() {
            comparison.inputs = compare_digests(&a.digests, &b.digests);
        }
    }
    comparison
}

fn compare_worlds(a: &DesyncBundle, b: &DesyncBundle, to: &mut Comparison) {
    let mut b_ring = b.ring.iter().peekable();
    let mut equal_before = None;
    for mine in &a.ring {
        while b_ring
            .next_if(|theirs| theirs.stepped < mine.stepped)
            .is_some()
        {}
        let Some(theirs) = b_ring.next_if(|theirs| theirs.stepped == mine.stepped) else {
            continue;
        };
        to.hashes_compared += 1;
        if same(mine, theirs) {
            equal_before = Some(mine.stepped);
        } else if to.worlds.is_none() {
            let differing = a
                .part_names
                .iter()
                .zip(mine.parts.iter().zip(&theirs.parts));
            to.worlds = Some(WorldDifference {
                stepped: mine.stepped,
                parts: differing
                    .filter(|(_, (mine, theirs))| mine != theirs)
                    .map(|(name, _)| name.clone())
                    .collect(),
                first: mine.stepped == Tick(0)
                    || equal_before.is_some_and(|before| before.next() == mine.stepped),
            });
        }
    }
}

fn same(mine: &RingEntry, theirs: &RingEntry) -> bool {
    mine.hash == theirs.hash && mine.parts == theirs.parts
}

fn compare_inputs(a: &InputTrack, b: &InputTrack, to: &mut Comparison) {
    let start = a.from().max(b.from());
    let (mut a, mut b) = (a.clone(), b.clone());
    a.drop_before(start);
    b.drop_before(start);
    let (mut a, mut b) = (a.ticks(), b.ticks());
    while let (Some((tick, mine)), Some((_, theirs))) = (a.next_tick(), b.next_tick()) {
        to.inputs_compared += 1;
        let differing = mine
            .iter()
            .zip(theirs)
            .position(|(mine, theirs)| mine != theirs);
        if let Some(seat) = differing {
            to.inputs = Some(InputDifference {
                tick: Some(tick),
                seat: Seat::all(SEATS_MAX).nth(seat).expect("a seat of the match"),
                inputs: Some([mine[seat].to_vec(), theirs[seat].to_vec()]),
                digests_at: None,
            });
            return;
        }
    }
}

fn compare_digests(a: &[InputDigests], b: &[InputDigests]) -> Option<InputDifference> {
    a.iter().find_map(|mine| {
        let theirs = b.iter().find(|theirs| theirs.stepped == mine.stepped)?;
        let seat = Seat::all(SEATS_MAX)
            .find(|seat| mine.digests[seat.index()] != theirs.digests[seat.index()])?;
        Some(InputDifference {
            tick: None,
            seat,
            inputs: None,
            digests_at: Some(mine.stepped),
        })
    })
}
