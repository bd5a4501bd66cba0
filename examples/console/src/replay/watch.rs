//! `replay --watch`: a match in the terminal, with a hand on its time.

use super::{
    ReplayArgs,
    args::SPEEDS,
    pictures::{side_name, why},
    result,
};
use crate::{
    picture::{self, Eyes, Fights},
    screen::{Brush, Key, Screen, line},
    skirmish, term,
};
use game_sim::{BuildingKind, Command, FxEvent, World};
use match_feed::{
    Game, Order, Tick,
    duel::{BattleRecord, Side, TICK_MS, start_ms},
};
use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};
use std::{
    collections::VecDeque,
    error::Error,
    time::{Duration, Instant},
};

/// How often the picture is drawn anew.
const FRAME: Duration = Duration::from_millis(50);
/// A state to go back to is kept every so many ticks.
const KEPT_EVERY: u32 = 200;
/// How far an arrow goes, ticks.
const STRIDE: u32 = 100;
/// Ticks stepped for one picture at the most, so that keys are heard while a slow machine catches up.
const STEPS_MAX: u32 = 100;
/// Lines of news kept.
const NEWS_MAX: usize = 40;
/// How many of them below the map.
const NEWS_BELOW: u16 = 6;
/// Lines above the map, and below it: the keys.
const HEAD_ROWS: u16 = 3;
const FOOT_ROWS: u16 = 1;
/// From this height on there is room for news below the map; from this width beside the map on, there instead.
const NEWS_FROM_ROWS: u16 = 26;
const NEWS_COLUMNS: u16 = 28;

const HELP: &str = "space pause   + - speed   ← → 10 s   f fog   q leave";
const HELP_SHORT: &str = "space + - ← → f fog, q leave";

/// Shows the record from its start until the person leaves.
pub fn run(args: &ReplayArgs, record: &BattleRecord<Command>) -> Result<(), Box<dyn Error>> {
    let mut screen =
        Screen::open("--map-png with --every 300 draws the match as a sheet of pictures instead")?;
    let mut show = Show::new(record, args.speed, args.fog.into())?;
    let mut last = Instant::now();
    loop {
        screen.draw(|frame, brush| show.draw(frame, brush))?;
        if let Some(key) = screen.key(FRAME)? {
            if key == Key::Quit {
                return Ok(());
            }
            show.press(key);
        }
        let now = Instant::now();
        show.run(now - last);
        last = now;
    }
}

/// A moment of the match.
#[derive(Clone)]
struct Moment {
    world: World,
    fights: Fights,
    news: VecDeque<(Tick, Side, String)>,
}

struct Show<'a> {
    record: &'a BattleRecord<Command>,
    now: Moment,
    /// Moments to go back to, [`KEPT_EVERY`] ticks apart from the start on.
    kept: Vec<Moment>,
    eyes: Eyes,
    speed: f64,
    paused: bool,
    /// Play that is due, ticks.
    due: f64,
}

impl<'a> Show<'a> {
    fn new(
        record: &'a BattleRecord<Command>,
        speed: f64,
        eyes: Eyes,
    ) -> Result<Self, Box<dyn Error>> {
        let now = Moment {
            world: World::new(&record.header.setup)?,
            fights: Fights::default(),
            news: VecDeque::new(),
        };
        Ok(Self {
            record,
            kept: vec![now.clone()],
            now,
            eyes,
            speed,
            paused: false,
            due: 0.0,
        })
    }

    fn tick(&self) -> Tick {
        self.now.world.tick()
    }

    fn is_over(&self) -> bool {
        self.tick() >= self.record.end.ticks
    }

    /// Lets `passed` pass.
    fn run(&mut self, passed: Duration) {
        if self.paused {
            return;
        }
        let ticks = passed.as_secs_f64() * 1000.0 / TICK_MS as f64 * self.speed;
        self.due = (self.due + ticks).min(STEPS_MAX.into());
        while self.due >= 1.0 && !self.is_over() {
            self.due -= 1.0;
            self.step();
        }
    }

    fn step(&mut self) {
        let tick = self.tick();
        let turns = &self.record.turns;
        let from = turns.partition_point(|turn| turn.0 < tick);
        let orders: Vec<Order<Command>> = turns[from..]
            .iter()
            .take_while(|turn| turn.0 == tick)
            .flat_map(|turn| {
                turn.2.iter().map(|command| Order {
                    seat: turn.1.seat(),
                    command: command.clone(),
                })
            })
            .collect();
        self.now.world.step(&orders);
        self.now.fights.note(&self.now.world);
        self.now.gather_news();
        let tick = self.tick().0;
        if tick.is_multiple_of(KEPT_EVERY) && self.kept.len() as u32 * KEPT_EVERY == tick {
            self.kept.push(self.now.clone());
        }
    }

    fn press(&mut self, key: Key) {
        let (slowest, fastest) = SPEEDS;
        match key {
            Key::Char(' ') => self.paused = !self.paused,
            Key::Char('+' | '=') => self.speed = (self.speed * 2.0).min(fastest),
            Key::Char('-' | '_') => self.speed = (self.speed / 2.0).max(slowest),
            Key::Char('f') => {
                self.eyes = match self.eyes {
                    None => Some(Side::Blue),
                    Some(Side::Blue) => Some(Side::Red),
                    Some(Side::Red) => None,
                }
            }
            Key::Left => self.go_to(Tick(self.tick().0.saturating_sub(STRIDE))),
            Key::Right => self.go_to(Tick(self.tick().0 + STRIDE)),
            _ => {}
        }
    }

    /// Goes to a moment, from the kept one before it if that is nearer.
    fn go_to(&mut self, to: Tick) {
        let to = to.min(self.record.end.ticks);
        if to < self.tick() {
            let at = (to.0 / KEPT_EVERY) as usize;
            self.now = self.kept[at.min(self.kept.len() - 1)].clone();
        }
        while self.tick() < to {
            self.step();
        }
        self.due = 0.0;
    }

    fn draw(&self, frame: &mut Frame<'_>, brush: Brush) {
        let area = frame.area();
        let world = &self.now.world;
        line(frame, area, 0, self.heading(area.width));
        for (row, side) in (1..).zip(Side::BOTH) {
            let style = Style::new().fg(brush.colour(picture::side_colour(side)));
            let text = picture::figures(world, &self.now.fights, side);
            line(frame, area, row, Span::styled(text, style));
        }
        let draw = |rows: u16| {
            let (world, fights) = (&self.now.world, &self.now.fights);
            picture::draw_cells(world, fights, self.eyes, area.width.into(), rows.into())
        };
        let rows = area.height - HEAD_ROWS - FOOT_ROWS;
        let mut cells = draw(rows);
        let beside = area.width.saturating_sub(cells.columns as u16 + 1);
        let news = if beside >= NEWS_COLUMNS {
            Rect::new(area.width - beside, HEAD_ROWS, beside, rows)
        } else if area.height >= NEWS_FROM_ROWS {
            cells = draw(rows - NEWS_BELOW);
            let from = HEAD_ROWS + cells.rows as u16;
            Rect::new(0, from, area.width, area.height - FOOT_ROWS - from)
        } else {
            Rect::default()
        };
        let left = match beside {
            NEWS_COLUMNS.. => 0,
            _ => (area.width - cells.columns as u16) / 2,
        };
        brush.cells(frame.buffer_mut(), (left, HEAD_ROWS), &cells);
        self.draw_news(frame, brush, news);
        let help = if usize::from(area.width) >= HELP.chars().count() {
            HELP
        } else {
            HELP_SHORT
        };
        let dim = Style::new().add_modifier(Modifier::DIM);
        line(frame, area, area.height - 1, Span::styled(help, dim));
    }

    fn draw_news(&self, frame: &mut Frame<'_>, brush: Brush, area: Rect) {
        let room = usize::from(area.height);
        for (row, (tick, side, text)) in (0..).zip(self.now.news.iter().rev().take(room)) {
            let style = Style::new().fg(brush.colour(picture::side_colour(*side)));
            let text = format!("{}  {text}", term::clock(start_ms(*tick)));
            line(frame, area, row, Span::styled(text, style));
        }
    }

    /// The map, the time and how it goes on, in as much room as there is.
    fn heading(&self, width: u16) -> Line<'static> {
        let setup = &self.record.header.setup;
        let end = self.record.end.ticks;
        let clock = term::clock(start_ms(self.tick()));
        let pace = if self.is_over() {
            let outcome = self.now.world.outcome();
            format!("{}{}", result(outcome), why(&self.now.fights))
        } else if self.paused {
            "paused".into()
        } else {
            format!("{} × real time", self.speed)
        };
        let eyes = match self.eyes {
            None => "no fog",
            Some(Side::Blue) => "as blue sees it",
            Some(Side::Red) => "as red sees it",
        };
        let short = format!("{clock}  {pace}  {eyes}");
        let long = format!(
            "{}  {clock} of {} (tick {})  {pace}  {eyes}",
            skirmish::map_name(setup.map),
            term::clock(start_ms(end)),
            self.tick(),
        );
        let text = if long.chars().count() <= usize::from(width) {
            long
        } else {
            short
        };
        Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
    }
}

/// A kind with its article.
fn one(kind: BuildingKind) -> String {
    let name = kind.to_string();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u', 'h']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

impl Moment {
    /// Keeps what a person would want to be told of the last tick.
    fn gather_news(&mut self) {
        let tick = self.world.tick();
        for event in self.world.events() {
            let (side, text) = match *event {
                FxEvent::BuildingPlaced { side, kind, .. } => {
                    (side, format!("builds {}", one(kind)))
                }
                FxEvent::BuildingLost {
                    side, kind, sold, ..
                } => {
                    let verb = if sold { "sells" } else { "loses" };
                    (side, format!("{verb} {}", one(kind)))
                }
                FxEvent::WaveArrived { side, .. } => (side, "gets a reinforcement".into()),
                FxEvent::PowerUsed { side, power, .. } => (side, format!("calls down a {power}")),
                FxEvent::GoliathHooked { side, up, .. } => {
                    let verb = if up { "lifts" } else { "sets down" };
                    (side, format!("{verb} a goliath"))
                }
                FxEvent::Resigned { side } => (side, "resigns".into()),
                _ => continue,
            };
            let text = format!("{} {text}", side_name(side));
            self.news.push_back((tick, side, text));
        }
        while self.news.len() > NEWS_MAX {
            self.news.pop_front();
        }
    }
}
