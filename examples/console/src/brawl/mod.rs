//! `brawl`: bots play the second game; in the terminal, as a picture, or as a result.

mod args;
mod scene;

pub use args::{BrawlArgs, EXAMPLES};

use crate::{
    png,
    screen::{Brush, Key, Screen, line},
};
use game_brawl::{Bot, BrawlSetup, Camera, FxKind, World};
use match_feed::{Game, Order, Seat};
use plotters::style::RGBColor;
use ratatui::Frame;
use scene::Scene;
use serde_json::json;
use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};

/// A saved picture's size.
const PICTURE: (i32, i32) = (1280, 640);

/// Plays a match and says how it ended.
pub fn run(args: &BrawlArgs) -> Result<(), Box<dyn Error>> {
    let setup = BrawlSetup::new(args.seats, args.seed)?.with_wins(args.wins)?;
    let mut world = World::new(setup);
    let mut bots: Vec<(Seat, Bot)> = Seat::all(args.seats.into())
        .map(|seat| {
            let level = args.level[seat.index() % args.level.len()];
            (seat, Bot::new(seat, level.into(), args.seed))
        })
        .collect();
    let mut watch = match args.watch {
        true => Some(Watch::open()?),
        false => None,
    };
    let (mut busiest, mut most) = (world.clone(), 0);
    while world.outcome().is_none() {
        let pads: Vec<_> = bots
            .iter_mut()
            .map(|(seat, bot)| Order {
                seat: *seat,
                command: bot.think(&world),
            })
            .collect();
        world.step(&pads);
        let interest = interest(&world);
        if interest > most {
            (busiest, most) = (world.clone(), interest);
        }
        if let Some(watch) = &mut watch {
            watch.draw(&world)?;
        }
    }
    drop(watch);
    if let Some(path) = &args.png {
        save(path, &busiest)?;
    }
    report(args, &world);
    Ok(())
}

/// How much there is to see: hits count most, then balls and those who stand.
fn interest(world: &World) -> usize {
    let hits = world.fx().iter();
    let hits = hits
        .filter(|fx| matches!(fx.kind, FxKind::Hit { .. }))
        .count();
    let standing = world
        .fighters()
        .iter()
        .filter(|fighter| fighter.stands())
        .count();
    if hits == 0 {
        0
    } else {
        10 * hits + 3 * standing + world.balls().count()
    }
}

fn report(args: &BrawlArgs, world: &World) {
    let winner = world
        .outcome()
        .and_then(|outcome| outcome.winners.iter().next());
    let wins: Vec<u8> = world
        .fighters()
        .iter()
        .map(|fighter| fighter.wins)
        .collect();
    let seconds = f64::from(world.tick()) / f64::from(World::RATE.hz());
    let hash = world.hash().to_string();
    if args.json {
        let winner = winner.map(Seat::index);
        say!(
            "{}",
            json!({"winner": winner, "wins": wins, "rounds": world.round() + 1, "ticks": world.tick(), "hash": hash})
        );
        return;
    }
    let who = winner.map_or_else(
        || "nobody wins".to_owned(),
        |seat| format!("seat {seat} wins"),
    );
    let wins: Vec<String> = wins.iter().map(u8::to_string).collect();
    say!("  result   {who}, rounds {}", wins.join(" : "));
    say!(
        "  played   {seconds:.0} s in {} rounds, final hash {hash}",
        world.round() + 1
    );
    if let Some(path) = &args.png {
        say!("  picture  {}", path.display());
    }
}

fn save(path: &Path, world: &World) -> Result<(), Box<dyn Error>> {
    let mut camera = Camera::default();
    camera.follow(world, 1000 * PICTURE.0 / PICTURE.1);
    let scene = Scene::draw(world, camera, PICTURE.0, PICTURE.1);
    png::save(path, (PICTURE.0 as u32, PICTURE.1 as u32), |canvas| {
        for y in 0..PICTURE.1 {
            for x in 0..PICTURE.0 {
                let (r, g, b) = scene.at(x, y);
                canvas.draw_pixel((x, y), &RGBColor(r, g, b))?;
            }
        }
        Ok(())
    })
}

/// A terminal that shows a brawl at its own pace.
struct Watch {
    screen: Screen,
    camera: Camera,
    next: Instant,
}

impl Watch {
    fn open() -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            screen: Screen::open(
                "without --watch the result is printed, and --png saves a picture",
            )?,
            camera: Camera::default(),
            next: Instant::now(),
        })
    }

    /// Draws every other tick, and waits until the next is due.
    fn draw(&mut self, world: &World) -> Result<(), Box<dyn Error>> {
        self.next += Duration::from_secs(1) / u32::from(World::RATE.hz());
        if world.tick().is_multiple_of(2) {
            let camera = &mut self.camera;
            self.screen
                .draw(|frame, brush| draw(frame, brush, world, camera))?;
        }
        loop {
            let left = self.next.saturating_duration_since(Instant::now());
            match self.screen.key(left)? {
                Some(Key::Quit) => return Err("left before the match was decided".into()),
                _ if left.is_zero() => return Ok(()),
                _ => {}
            }
        }
    }
}

fn draw(frame: &mut Frame<'_>, brush: Brush, world: &World, camera: &mut Camera) {
    let area = frame.area();
    let wins: Vec<String> = world
        .fighters()
        .iter()
        .map(|fighter| format!("{}♥ {}", fighter.health, fighter.wins))
        .collect();
    line(
        frame,
        area,
        0,
        format!(
            "round {}  {}  (q leaves)",
            world.round() + 1,
            wins.join(" │ ")
        ),
    );
    let (width, height) = (i32::from(area.width), 2 * (i32::from(area.height) - 1));
    camera.follow(world, 1000 * width / height.max(1));
    let scene = Scene::draw(world, *camera, width, height);
    let buffer = frame.buffer_mut();
    for row in 0..height / 2 {
        for column in 0..width {
            let place = (area.x + column as u16, area.y + 1 + row as u16);
            if let Some(cell) = buffer.cell_mut(place) {
                cell.set_char('▀')
                    .set_fg(brush.colour(scene.at(column, 2 * row)))
                    .set_bg(brush.colour(scene.at(column, 2 * row + 1)));
            }
        }
    }
}
