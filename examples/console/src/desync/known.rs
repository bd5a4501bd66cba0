//! Playing a bundle again, where its game is known here.

use game_sim::{Command, World};
use match_feed::{DesyncBundle, Game, Order, Seat, Tick, WorldHash, duel::MatchSetup};
use std::fmt::Write;

/// What playing a bundle again on this machine found.
pub struct Replayed {
    /// The first tick, counted as ticks stepped, whose hash comes out otherwise than the bundle says.
    pub differs_at: Option<Tick>,
    /// The parts that differ there.
    pub parts: Vec<String>,
    /// How many hashes were compared.
    pub compared: u32,
    /// The world after the tick asked for.
    pub at: Option<World>,
}

/// Plays `bundle` again, from its agreed world or from the start, and keeps the world after `keep` ticks. `None`: the game is
/// not known here.
///
/// # Errors
/// The setup, the world or an input in it is none of this game's.
pub fn replay(bundle: &DesyncBundle, keep: Tick) -> Option<Result<Replayed, String>> {
    (bundle.played.game == game_sim::NAME).then(|| replay_skirmish(bundle, keep))
}

/// The fields of a part of a saved world; `None` if there is no such world or nothing to print.
pub fn fields(world: &World, part: &str) -> Option<String> {
    let mut text = String::new();
    world.describe_part(part, &mut text).ok()?;
    (!text.is_empty()).then_some(text)
}

/// The world that a machine kept after the worlds came apart.
pub fn diverged(bundle: &DesyncBundle) -> Option<(Tick, World)> {
    let state = bundle.diverged.as_ref()?;
    let mut world = start(bundle).ok()?;
    world.load(&state.bytes).ok()?;
    Some((state.stepped, world))
}

fn start(bundle: &DesyncBundle) -> Result<World, String> {
    if bundle.played.game != game_sim::NAME {
        return Err("another game".into());
    }
    let setup: MatchSetup =
        serde_json::from_slice(&bundle.played.setup).map_err(|why| format!("its setup: {why}"))?;
    World::new(&setup).map_err(|why| format!("its setup: {why}"))
}

fn replay_skirmish(bundle: &DesyncBundle, keep: Tick) -> Result<Replayed, String> {
    let mut world = start(bundle)?;
    if let Some(agreed) = &bundle.agreed {
        world
            .load(&agreed.bytes)
            .map_err(|why| format!("its agreed world: {why}"))?;
    }
    let mut replayed = Replayed {
        differs_at: None,
        parts: Vec::new(),
        compared: 0,
        at: None,
    };
    let mut ring = bundle.ring.iter().peekable();
    let mut compare = |replayed: &mut Replayed, stepped: Tick, world: &World| {
        while ring.next_if(|entry| entry.stepped < stepped).is_some() {}
        if stepped == keep {
            replayed.at = Some(world.clone());
        }
        let Some(entry) = ring.next_if(|entry| entry.stepped == stepped) else {
            return;
        };
        if replayed.differs_at.is_some() {
            return;
        }
        replayed.compared += 1;
        let mut hashes: Vec<WorldHash> = Vec::new();
        world.hash_parts(&mut |_, hash| hashes.push(hash));
        if entry.hash != world.hash() {
            replayed.differs_at = Some(stepped);
            let named = bundle
                .part_names
                .iter()
                .zip(hashes.iter().zip(&entry.parts));
            replayed.parts = named
                .filter(|(_, (here, there))| here != there)
                .map(|(name, _)| name.clone())
                .collect();
        }
    };
    compare(&mut replayed, bundle.inputs.from(), &world);
    let mut ticks = bundle.inputs.ticks();
    let mut orders = Vec::new();
    while let Some((tick, inputs)) = ticks.next_tick() {
        orders.clear();
        for (seat, input) in Seat::all(inputs.len()).zip(inputs) {
            if input.is_empty() {
                continue;
            }
            let commands: Vec<Command> = serde_json::from_slice(input)
                .map_err(|why| format!("seat {seat}'s orders of tick {tick}: {why}"))?;
            orders.extend(commands.into_iter().map(|command| Order { seat, command }));
        }
        world.step(&orders);
        compare(&mut replayed, tick.next(), &world);
    }
    Ok(replayed)
}

/// Lines that differ between two texts of the same fields, side by side; all of one where the other is missing.
pub fn differing_lines(a: &str, b: &str) -> String {
    let mut out = String::new();
    let (mut a, mut b) = (a.lines(), b.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return out,
            (mine, theirs) if mine != theirs => {
                let _ = writeln!(
                    out,
                    "    A {}\n    B {}",
                    mine.unwrap_or("").trim(),
                    theirs.unwrap_or("").trim()
                );
            }
            _ => {}
        }
    }
}
