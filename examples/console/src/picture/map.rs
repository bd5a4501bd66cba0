//! One moment of a match as a PNG: ground under fog, bases, units, and what was just fought.

use super::{
    BLACK, DEATH, Eyes, Fights, Rgb, SHOT, UNSEEN, fights::What, ground, marks, mix, shows,
    side_colour, tiles,
};
use crate::{
    font,
    png::{self, Canvas},
};
use game_sim::{Point, SUBS_PER_TILE, World};
use marks::rgb;
use match_feed::duel::Side;
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, path::Path};

/// How far back a picture shows shots and deaths, ticks.
const SHOTS_TICKS: u32 = 6;
const DEATHS_TICKS: u32 = 40;

/// A moment, and how to draw it.
pub struct MapPicture<'a> {
    /// The world.
    pub world: &'a World,
    /// What was fought so far.
    pub fights: &'a Fights,
    /// Who looks.
    pub eyes: Eyes,
    /// Pixels a tile.
    pub tile_px: i32,
    /// Whether buildings carry their names.
    pub names: bool,
}

/// Pixels a tile of a picture of its own, and its margins above and below the map.
const TILE_PX: i32 = 14;
const TITLE_PX: i32 = 56;
const LEGEND_PX: i32 = 2 * marks::LEGEND_ROW_PX + 12;

/// Saves a picture of its own: the map under a title and both sides' figures, a legend below.
pub fn save(
    path: &Path,
    world: &World,
    fights: &Fights,
    eyes: Eyes,
    title: &str,
) -> Result<(), Box<dyn Error>> {
    font::register();
    let picture = MapPicture {
        world,
        fights,
        eyes,
        tile_px: TILE_PX,
        names: true,
    };
    let (width, height) = picture.size();
    let whole = (width as u32, (height + TITLE_PX + LEGEND_PX) as u32);
    png::save(path, whole, |root| {
        root.fill(&rgb((24, 26, 30)))?;
        root.draw_text(title, &font::letters(18, (240, 240, 240)), (10, 7))?;
        let mut x = 10;
        for side in Side::BOTH {
            let style = font::letters(14, mix(side_colour(side), (255, 255, 255), 25));
            let text = figures(world, fights, side);
            root.draw_text(&text, &style, (x, 32))?;
            x = (x + root.estimate_text_size(&text, &style)?.0 as i32 + 26).max(width / 2);
        }
        picture.draw(root, (0, TITLE_PX))?;
        marks::legend(
            root,
            (10, TITLE_PX + height + 6),
            width - 10,
            &font::letters(12, (200, 200, 206)),
        )
    })
}

/// How a side stands, in a line.
pub fn figures(world: &World, fights: &Fights, side: Side) -> String {
    let units = world.units().filter(|unit| unit.side == side).count();
    let buildings = world
        .buildings()
        .filter(|building| building.side == side)
        .count();
    format!(
        "{}: {units} units, {buildings} buildings, {} credits; lost {} and {}",
        if side == Side::Blue { "blue" } else { "red" },
        world.credits(side),
        fights.units_lost[side],
        fights.buildings_lost[side],
    )
}

impl MapPicture<'_> {
    /// Width and height in pixels.
    pub fn size(&self) -> (i32, i32) {
        let map = self.world.map_size();
        (
            map.width() as i32 * self.tile_px,
            map.height() as i32 * self.tile_px,
        )
    }

    /// Draws it with its north-west corner at `corner`.
    pub fn draw(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        self.draw_ground(root, corner)?;
        self.draw_buildings(root, corner)?;
        self.draw_units(root, corner)?;
        self.draw_fights(root, corner)?;
        if self.names {
            self.draw_names(root, corner)?;
        }
        Ok(())
    }

    fn pixel(&self, corner: (i32, i32), at: Point) -> (i32, i32) {
        let pixel = |subs: i32| subs * self.tile_px / SUBS_PER_TILE;
        (corner.0 + pixel(at.x), corner.1 + pixel(at.y))
    }

    fn draw_ground(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        let px = self.tile_px;
        for tile in tiles(self.world) {
            let (x, y) = (
                corner.0 + tile.tx as i32 * px,
                corner.1 + tile.ty as i32 * px,
            );
            let colour = ground(self.world, self.eyes, tile);
            root.draw(&Rectangle::new(
                [(x, y), (x + px, y + px)],
                rgb(colour).filled(),
            ))?;
        }
        Ok(())
    }

    /// The buildings on the picture, each as its box in pixels.
    fn boxes(
        &self,
        corner: (i32, i32),
    ) -> impl Iterator<Item = (game_sim::BuildingView<'_>, [(i32, i32); 2])> {
        let px = self.tile_px;
        self.world
            .buildings()
            .filter(|building| shows(self.world, self.eyes, building.side, building.middle.tile()))
            .map(move |building| {
                let (x, y) = (
                    corner.0 + building.at.tx as i32 * px,
                    corner.1 + building.at.ty as i32 * px,
                );
                let (w, h) = (building.tiles.0 as i32 * px, building.tiles.1 as i32 * px);
                (building, [(x, y), (x + w - 1, y + h - 1)])
            })
    }

    fn draw_buildings(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        for (building, [(left, top), (right, bottom)]) in self.boxes(corner) {
            let colour = side_colour(building.side);
            let fill = rgb(mix(colour, BLACK, 40)).filled();
            root.draw(&Rectangle::new([(left, top), (right, bottom)], fill))?;
            root.draw(&Rectangle::new(
                [(left, top), (right, bottom)],
                rgb(mix(colour, BLACK, 75)),
            ))?;
            let thick = (self.tile_px / 6).max(1);
            let whole = right - left - 2;
            let left_px = building.hp.max(0) * whole / building.hp_whole.max(1);
            let colour = if building.hp * 3 < building.hp_whole {
                (240, 120, 90)
            } else {
                (120, 230, 120)
            };
            root.draw(&Rectangle::new(
                [(left + 1, bottom - thick), (left + 1 + left_px, bottom - 1)],
                rgb(colour).filled(),
            ))?;
        }
        Ok(())
    }

    fn draw_units(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        let mut units: Vec<_> = self
            .world
            .units()
            .filter(|unit| unit.carrier.is_none())
            .filter(|unit| shows(self.world, self.eyes, unit.side, unit.at.tile()))
            .collect();
        // What flies is above what drives.
        units.sort_by_key(|unit| {
            game_sim::balance::unit(unit.kind).gait == game_sim::balance::Gait::Air
        });
        let size = (self.tile_px * 5 / 4).max(5);
        for unit in units {
            marks::unit(root, self.pixel(corner, unit.at), size, &unit)?;
        }
        Ok(())
    }

    fn draw_fights(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        let now = self.world.tick();
        let seen = |at: Point| {
            self.eyes
                .is_none_or(|eyes| self.world.visible(eyes, at.tile()))
        };
        for mark in self.fights.recent(now, DEATHS_TICKS) {
            let age = now.0 - mark.tick.0;
            let faded = |colour: Rgb| mix(colour, UNSEEN, age * 60 / DEATHS_TICKS);
            match mark.what {
                What::Shot { from, to } if age < SHOTS_TICKS && (seen(from) || seen(to)) => {
                    let line = [self.pixel(corner, from), self.pixel(corner, to)];
                    let colour = mix(SHOT, side_colour(mark.side), 35);
                    root.draw(&PathElement::new(line, rgb(faded(colour)).stroke_width(1)))?;
                    let dot = Circle::new(line[1], (self.tile_px / 7).max(1), rgb(SHOT).filled());
                    root.draw(&dot)?;
                }
                What::UnitLost(at) if seen(at) => {
                    let arm = (self.tile_px / 3).max(2);
                    self.draw_cross(root, self.pixel(corner, at), arm, faded(DEATH), mark.side)?;
                }
                What::BuildingLost(at) if seen(at) => {
                    self.draw_cross(
                        root,
                        self.pixel(corner, at),
                        self.tile_px.max(4),
                        faded(DEATH),
                        mark.side,
                    )?;
                }
                What::Strike(at) if seen(at) => {
                    let ring = Circle::new(
                        self.pixel(corner, at),
                        3 * self.tile_px,
                        rgb(faded(SHOT)).stroke_width(2),
                    );
                    root.draw(&ring)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn draw_cross(
        &self,
        root: &Canvas<'_>,
        (x, y): (i32, i32),
        arm: i32,
        colour: Rgb,
        side: Side,
    ) -> Result<(), Box<dyn Error>> {
        let strokes = [(2, mix(side_colour(side), BLACK, 45)), (0, colour)];
        for (more, colour) in strokes {
            let style = rgb(colour).stroke_width(1 + more);
            root.draw(&PathElement::new(
                [(x - arm, y - arm), (x + arm, y + arm)],
                style,
            ))?;
            root.draw(&PathElement::new(
                [(x - arm, y + arm), (x + arm, y - arm)],
                style,
            ))?;
        }
        Ok(())
    }

    /// Each building's name over its middle, moved aside or cut to its first letters where another is in the way.
    fn draw_names(&self, root: &Canvas<'_>, corner: (i32, i32)) -> Result<(), Box<dyn Error>> {
        let centred = Pos::new(HPos::Center, VPos::Center);
        let [light, dark] =
            [(250, 250, 250), BLACK].map(|colour| font::letters(12, colour).pos(centred));
        let mut taken: Vec<[i32; 4]> = Vec::new();
        for (building, [(left, top), (right, bottom)]) in self.boxes(corner) {
            let (middle, y) = ((left + right) / 2, (top + bottom) / 2);
            let name = building.kind.to_string();
            let short: String = name.chars().take(3).collect();
            let places = [
                (&name, y),
                (&name, top - 6),
                (&name, bottom + 7),
                (&short, y),
            ];
            let (map_width, height) = self.size();
            for (place, (text, y)) in places.into_iter().enumerate() {
                let width = root.estimate_text_size(text, &light)?.0 as i32;
                let half = width / 2 + 2;
                let x = middle.clamp(corner.0 + half, corner.0 + map_width - half);
                let held = [x - width / 2 - 1, y - 6, x + width / 2 + 1, y + 6];
                let free = taken.iter().all(|other| {
                    held[2] < other[0]
                        || held[0] > other[2]
                        || held[3] < other[1]
                        || held[1] > other[3]
                });
                let inside = held[1] >= corner.1 && held[3] <= corner.1 + height;
                if (free && inside) || place == places.len() - 1 {
                    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                        root.draw_text(text, &dark, (x + dx, y + dy))?;
                    }
                    root.draw_text(text, &light, (x, y))?;
                    taken.push(held);
                    break;
                }
            }
        }
        Ok(())
    }
}
