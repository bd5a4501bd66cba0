//! The signs of a map: what stands for which unit, and their legend.

use super::{BLACK, ORE, Rgb, mix, side_colour};
use crate::png::Canvas;
use game_sim::{UnitKind, UnitView};
use plotters::prelude::*;
use std::error::Error;

/// The shape that stands for a kind.
#[derive(Clone, Copy)]
enum Shape {
    /// On foot.
    Dot,
    /// Light wheels.
    Diamond,
    /// Tracks.
    Square,
    /// Wings.
    Triangle,
    /// The heaviest.
    Block,
}

/// What is drawn on a shape, so that kinds of one shape differ.
#[derive(Clone, Copy)]
enum Badge {
    None,
    /// A point of this colour in the middle.
    Point(Rgb),
    /// A stroke upward: a barrel.
    Barrel,
    Cross,
}

const fn sign(kind: UnitKind) -> (Shape, Badge) {
    const WHITE: Rgb = (240, 240, 240);
    match kind {
        UnitKind::HARVESTER => (Shape::Square, Badge::Point(ORE)),
        UnitKind::SCOUT => (Shape::Diamond, Badge::None),
        UnitKind::RIFLE => (Shape::Dot, Badge::None),
        UnitKind::ROCKET => (Shape::Dot, Badge::Point(WHITE)),
        UnitKind::ARTILLERY => (Shape::Square, Badge::Barrel),
        UnitKind::REPAIR => (Shape::Square, Badge::Cross),
        UnitKind::FLAK => (Shape::Square, Badge::Point(WHITE)),
        UnitKind::FIGHTER => (Shape::Triangle, Badge::None),
        UnitKind::BOMBER => (Shape::Triangle, Badge::Point(BLACK)),
        UnitKind::CONDOR => (Shape::Triangle, Badge::Point(WHITE)),
        UnitKind::GOLIATH => (Shape::Block, Badge::Point(WHITE)),
        _ => (Shape::Square, Badge::None),
    }
}

pub const fn rgb(colour: Rgb) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

/// Draws a unit's sign around `at`, `size` pixels across at the largest.
pub fn unit(
    root: &Canvas<'_>,
    at: (i32, i32),
    size: i32,
    unit: &UnitView,
) -> Result<(), Box<dyn Error>> {
    draw_sign(root, at, size, unit.kind, side_colour(unit.side))?;
    if unit.dug_in {
        root.draw(&Circle::new(at, size * 3 / 4, rgb((240, 240, 240))))?;
    }
    // A harvester's load, a unit's wounds: a bar only where there is something to say.
    if unit.hp < unit.hp_whole && size >= 8 {
        let whole = size + 2;
        let left = (unit.hp.max(0) * whole / unit.hp_whole.max(1)).max(1);
        let (x, y) = (at.0 - whole / 2, at.1 - size / 2 - 4);
        root.draw(&Rectangle::new(
            [(x, y), (x + whole, y + 1)],
            rgb((90, 20, 20)).filled(),
        ))?;
        root.draw(&Rectangle::new(
            [(x, y), (x + left, y + 1)],
            rgb((120, 230, 120)).filled(),
        ))?;
    }
    Ok(())
}

fn draw_sign(
    root: &Canvas<'_>,
    at: (i32, i32),
    size: i32,
    kind: UnitKind,
    colour: Rgb,
) -> Result<(), Box<dyn Error>> {
    let (shape, badge) = sign(kind);
    let half = match shape {
        Shape::Dot => size * 3 / 10,
        Shape::Diamond | Shape::Square => size * 2 / 5,
        Shape::Triangle | Shape::Block => size / 2,
    }
    .max(1);
    for (half, colour) in [(half + 1, BLACK), (half, colour)] {
        let fill = rgb(colour).filled();
        let corners = |corners: &[(i32, i32)]| {
            let points: Vec<_> = corners
                .iter()
                .map(|(x, y)| (at.0 + x * half, at.1 + y * half))
                .collect();
            Polygon::new(points, fill)
        };
        match shape {
            Shape::Dot => root.draw(&Circle::new(at, half, fill))?,
            Shape::Square | Shape::Block => root.draw(&Rectangle::new(
                [(at.0 - half, at.1 - half), (at.0 + half, at.1 + half)],
                fill,
            ))?,
            Shape::Diamond => root.draw(&corners(&[(0, -1), (1, 0), (0, 1), (-1, 0)]))?,
            Shape::Triangle => root.draw(&corners(&[(0, -1), (1, 1), (-1, 1)]))?,
        }
    }
    let part = (size / 5).max(1);
    match badge {
        Badge::None => {}
        Badge::Point(colour) => {
            let at = match shape {
                Shape::Triangle => (at.0, at.1 + half / 3),
                _ => at,
            };
            root.draw(&Rectangle::new(
                [
                    (at.0 - part / 2, at.1 - part / 2),
                    (at.0 - part / 2 + part, at.1 - part / 2 + part),
                ],
                rgb(colour).filled(),
            ))?;
        }
        Badge::Barrel => root.draw(&Rectangle::new(
            [(at.0, at.1 - size * 2 / 3), (at.0 + 1, at.1)],
            rgb(mix(colour, (255, 255, 255), 60)).filled(),
        ))?,
        Badge::Cross => {
            let arm = half - 1;
            let white = rgb((240, 240, 240)).filled();
            root.draw(&Rectangle::new(
                [(at.0 - arm, at.1), (at.0 + arm, at.1 + 1)],
                white,
            ))?;
            root.draw(&Rectangle::new(
                [(at.0, at.1 - arm), (at.0 + 1, at.1 + arm)],
                white,
            ))?;
        }
    }
    Ok(())
}

/// Every kind's sign and name, in a row that begins at `at` and turns to the next at `width`.
pub fn legend(
    root: &Canvas<'_>,
    at: (i32, i32),
    width: i32,
    text: &TextStyle<'_>,
) -> Result<(), Box<dyn Error>> {
    let (mut x, mut y) = at;
    for kind in UnitKind::all() {
        let name = kind.to_string();
        let (name_px, _) = root.estimate_text_size(&name, text)?;
        let item = LEGEND_SIGN_PX + 6 + name_px as i32 + 14;
        if x + item > width {
            (x, y) = (at.0, y + LEGEND_ROW_PX);
        }
        draw_sign(
            root,
            (x + LEGEND_SIGN_PX / 2, y + LEGEND_ROW_PX / 2),
            LEGEND_SIGN_PX,
            kind,
            (190, 190, 196),
        )?;
        root.draw_text(&name, text, (x + LEGEND_SIGN_PX + 6, y + 3))?;
        x += item;
    }
    Ok(())
}

/// Size of a sign in the legend, and of a row of it.
const LEGEND_SIGN_PX: i32 = 14;
pub const LEGEND_ROW_PX: i32 = 20;
