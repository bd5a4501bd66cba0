//! A record as pictures: its end, a moment, or a sheet of moments.

use super::{ReplayArgs, result};
use crate::{
    picture::{self, FRAMES_MAX, Fights, Frame},
    skirmish, term,
};
use game_sim::{Command, World};
use match_feed::{
    Tick,
    duel::{BattleRecord, PerSide, Side, start_ms},
    replay,
};
use std::{error::Error, path::Path};

/// Draws what `--map-png`, `--at` and `--every` ask for.
pub fn draw(
    args: &ReplayArgs,
    path: &Path,
    record: &BattleRecord<Command>,
) -> Result<(), Box<dyn Error>> {
    let end = record.end.ticks;
    let moments = moments(args, end)?;
    let world = World::new(&record.header.setup)?;
    let mut fights = Fights::default();
    let mut frames = Vec::new();
    if moments.contains(&Tick(0)) {
        frames.push(Frame {
            world: world.clone(),
            fights: fights.clone(),
        });
    }
    let (report, world) = replay(record, world, |tick, world| {
        fights.note(world);
        if moments.contains(&tick.next()) {
            frames.push(Frame {
                world: world.clone(),
                fights: fights.clone(),
            });
        }
    });
    let map = skirmish::map_name(record.header.setup.map);
    let how = format!("{}{}", result(report.outcome), why(&fights));
    let whole = format!("{} ({end} ticks)", term::clock(start_ms(end)));
    match &frames[..] {
        [only] if world.tick() == only.world.tick() => {
            let title = format!("{map} at {whole}: {how}");
            picture::save_map(path, &world, &fights, args.fog.into(), &title)
        }
        [only] => {
            let tick = only.world.tick();
            let clock = term::clock(start_ms(tick));
            let title = format!("{map} at {clock} (tick {tick}); at {whole} {how}");
            picture::save_map(path, &only.world, &only.fights, args.fog.into(), &title)
        }
        frames => {
            let title = format!("{map}, {whole}: {how}");
            picture::save_sheet(path, frames, args.fog.into(), &title)
        }
    }
}

/// The moments to draw, in order.
fn moments(args: &ReplayArgs, end: Tick) -> Result<Vec<Tick>, String> {
    let mut moments: Vec<Tick> = match args.every {
        Some(every) => {
            let count = (end.0 / every) as usize + 2;
            if count > FRAMES_MAX {
                let fits = end.0.div_ceil(FRAMES_MAX as u32 - 2);
                return Err(format!(
                    "--every {every} makes {count} pictures of these {end} ticks; a sheet holds {FRAMES_MAX}: --every \
                     {fits} fits"
                ));
            }
            (0..end.0)
                .step_by(every as usize)
                .map(Tick)
                .chain([end])
                .collect()
        }
        None if args.at.is_empty() => vec![end],
        None => args.at.iter().map(|&tick| Tick(tick)).collect(),
    };
    if let Some(late) = moments.iter().find(|&&tick| tick > end) {
        return Err(format!("--at {late}: the match ends after {end} ticks"));
    }
    moments.sort_unstable();
    moments.dedup();
    if moments.len() > FRAMES_MAX {
        return Err(format!(
            "--at names {} moments; a sheet holds {FRAMES_MAX}",
            moments.len()
        ));
    }
    Ok(moments)
}

/// What decided it, as far as the events tell.
pub fn why(fights: &Fights) -> String {
    let named = |of: PerSide<bool>| match (of.blue, of.red) {
        (true, true) => Some("both sides"),
        (true, false) => Some("blue"),
        (false, true) => Some("red"),
        (false, false) => None,
    };
    let side = |who: &str| {
        if who == "both sides" {
            "both sides'".into()
        } else {
            format!("{who}'s")
        }
    };
    match (named(fights.fallen), named(fights.resigned)) {
        (Some(who), _) => format!(", {} command centre fell", side(who)),
        (None, Some(who)) => format!(", {who} resigned"),
        (None, None) => String::new(),
    }
}

/// A side's name.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Blue => "blue",
        Side::Red => "red",
    }
}
