//! Paints the part of the map that is shown: ground, buildings, units with their names' first letters, cursor, boxes.

use super::STRONG;
use crate::{
    picture::{self, Cells, Rgb},
    play::{
        field::{Armed, Cursor, Field, TOP_ROWS},
        view::MatchView,
    },
    screen::Brush,
    term,
};
use game_sim::{BuildingKind, UnitKind, UnitView, World, balance};
use match_feed::duel::{Side, start_ms};
use ratatui::{
    Frame,
    buffer::Buffer,
    style::{Color, Modifier, Style},
    text::{Line, Span},
};
use versus_codec::kit::Tile;

const WHITE: Rgb = (255, 255, 255);
const HURT: Rgb = (255, 190, 90);
const CURSOR: Rgb = (255, 235, 120);
const ROOM: Rgb = (60, 150, 70);
const NO_ROOM: Rgb = (160, 50, 50);

/// Paints the line above the map and the map.
pub fn draw(frame: &mut Frame<'_>, brush: Brush, view: &MatchView<'_>) {
    top(frame, brush, view);
    let (world, field) = (view.world, view.field);
    let map = world.map_size();
    // One pixel a tile; what is shown of them is up to the camera.
    let rows = (map.height() as usize).div_ceil(2);
    let cells = picture::draw_cells(
        world,
        view.fights,
        Some(view.side),
        map.width() as usize,
        rows,
    );
    let mut canvas = Canvas {
        buffer: frame.buffer_mut(),
        brush,
        field,
        cells: &cells,
    };
    canvas.ground(world);
    if field.camera.near {
        canvas.buildings(view);
        canvas.units(view);
    } else {
        canvas.dots(view);
    }
    canvas.marks(view);
}

fn top(frame: &mut Frame<'_>, brush: Brush, view: &MatchView<'_>) {
    let (world, side) = (view.world, view.side);
    let name = match side {
        Side::Blue => "blue",
        Side::Red => "red",
    };
    let power = world.power(side);
    let power_style = if power < 0 { super::BAD } else { Style::new() };
    let mut spans = vec![
        Span::styled(
            format!("{:>6} ", term::clock(start_ms(world.tick()))),
            STRONG,
        ),
        Span::styled(format!("you are {name}  "), side_style(brush, side)),
        Span::raw(format!("{} credits  ", world.credits(side))),
        Span::styled(format!("power {power:+}  "), power_style),
        Span::styled(format!("{} ms  ", view.delay_ms), super::FAINT),
    ];
    if view.queued {
        spans.push(Span::styled("Orders queued  ", super::WARN));
    }
    if view.resigning {
        spans.push(Span::styled("Resigning…  ", super::WARN));
    }
    if view.ai {
        spans.push(Span::styled("an AI plays for you", super::FAINT));
    }
    let mut area = frame.area();
    area.height = TOP_ROWS;
    frame.render_widget(Line::from(spans), area);
}

fn side_style(brush: Brush, side: Side) -> Style {
    Style::new().fg(brush.colour(picture::side_colour(side)))
}

/// The two letters of a unit.
fn letters(kind: UnitKind) -> [char; 2] {
    let mut name = kind.name().unwrap_or("??").chars();
    let first = name.next().unwrap_or('?');
    // Rifle and rocket, repair: the second letter tells them apart.
    [first.to_ascii_uppercase(), name.next().unwrap_or(' ')]
}

struct Canvas<'a, 'b> {
    buffer: &'a mut Buffer,
    brush: Brush,
    field: &'b Field,
    cells: &'b Cells,
}

impl Canvas<'_, '_> {
    fn pixel(&self, tile: Tile) -> Color {
        let (column, row) = (tile.tx as usize, tile.ty as usize);
        self.brush.colour(self.cells.at(column, row / 2)[row % 2])
    }

    /// The characters of a tile, where it is shown: its column and row. Far away two tiles share a row.
    fn place(&self, tile: Tile) -> Option<(u16, u16)> {
        let camera = self.field.camera;
        let (columns, rows) = camera.cells();
        let across = u16::try_from(tile.tx.checked_sub(camera.left)?).ok()?;
        let down = u16::try_from(tile.ty.checked_sub(camera.top)?).ok()?;
        let (column, row) = if camera.near {
            (2 * across, down)
        } else {
            (across, down / 2)
        };
        let wide = if camera.near { 1 } else { 0 };
        (column + wide < columns && row < rows).then_some((column, TOP_ROWS + row))
    }

    fn ground(&mut self, world: &World) {
        let camera = self.field.camera;
        let (across, down) = camera.tiles();
        let map = world.map_size();
        for ty in camera.top..(camera.top + down).min(map.height()) {
            for tx in camera.left..(camera.left + across).min(map.width()) {
                let tile = Tile { tx, ty };
                let Some((column, row)) = self.place(tile) else {
                    continue;
                };
                let colour = self.pixel(tile);
                if camera.near {
                    for column in [column, column + 1] {
                        if let Some(cell) = self.buffer.cell_mut((column, row)) {
                            cell.set_char(' ').set_bg(colour);
                        }
                    }
                } else if let Some(cell) = self.buffer.cell_mut((column, row)) {
                    cell.set_char('▀');
                    if ty % 2 == 0 {
                        cell.set_fg(colour);
                    } else {
                        cell.set_bg(colour);
                    }
                }
            }
        }
    }

    /// Each building's name over its tiles, as much as fits.
    fn buildings(&mut self, view: &MatchView<'_>) {
        for building in view.world.buildings() {
            let seen =
                building.side == view.side || view.world.visible(view.side, building.middle.tile());
            if !seen {
                continue;
            }
            let chosen = view.field.building == Some(building.id);
            let hurt = building.hp * 2 < building.hp_whole;
            let name: Vec<char> = building.kind.name().unwrap_or("?").chars().collect();
            let columns = 2 * building.tiles.0 as usize;
            for (at, letter) in name.iter().take(columns).enumerate() {
                let tile = Tile {
                    tx: building.at.tx + at as u32 / 2,
                    ty: building.at.ty,
                };
                let Some((column, row)) = self.place(tile) else {
                    continue;
                };
                if let Some(cell) = self.buffer.cell_mut((column + (at % 2) as u16, row)) {
                    let colour = if hurt { HURT } else { WHITE };
                    cell.set_char(*letter).set_fg(self.brush.colour(colour));
                    if chosen {
                        cell.modifier |= Modifier::REVERSED;
                    }
                }
            }
        }
    }

    fn shown<'w>(view: &'w MatchView<'_>) -> impl Iterator<Item = UnitView> + 'w {
        let units = view.world.units().filter(|unit| unit.carrier.is_none());
        units.filter(|unit| unit.side == view.side || view.world.visible(view.side, unit.at.tile()))
    }

    fn units(&mut self, view: &MatchView<'_>) {
        for unit in Self::shown(view) {
            let Some((column, row)) = self.place(unit.at.tile()) else {
                continue;
            };
            let chosen = view.field.selected.contains(&unit.id);
            let hurt = unit.hp * 2 < unit.hp_whole;
            let (r, g, b) = picture::side_colour(unit.side);
            for (at, letter) in letters(unit.kind).into_iter().enumerate() {
                let Some(cell) = self.buffer.cell_mut((column + at as u16, row)) else {
                    continue;
                };
                cell.set_char(letter);
                let colour = if hurt { HURT } else { WHITE };
                cell.set_fg(self.brush.colour(colour));
                cell.set_bg(self.brush.colour((r / 2, g / 2, b / 2)));
                cell.modifier = if chosen {
                    Modifier::BOLD | Modifier::REVERSED
                } else {
                    Modifier::BOLD
                };
            }
        }
    }

    /// From far away the picture shows units already; those selected shine.
    fn dots(&mut self, view: &MatchView<'_>) {
        let selected: Vec<Tile> = view
            .field
            .units(view.world)
            .map(|unit| unit.at.tile())
            .collect();
        for tile in selected {
            self.tint(tile, WHITE);
        }
    }

    /// Colours one tile: its background from near, its half from far.
    fn tint(&mut self, tile: Tile, colour: Rgb) {
        let colour = self.brush.colour(colour);
        let Some((column, row)) = self.place(tile) else {
            return;
        };
        let near = self.field.camera.near;
        let columns = if near { 2 } else { 1 };
        for column in column..column + columns {
            if let Some(cell) = self.buffer.cell_mut((column, row)) {
                if near || tile.ty % 2 == 1 {
                    cell.set_bg(colour);
                } else {
                    cell.set_fg(colour);
                }
            }
        }
    }

    /// The cursor, the box being drawn, the place of what is to be placed.
    fn marks(&mut self, view: &MatchView<'_>) {
        let cursor = self.field.cursor.tile();
        if let Some(Armed::Place(kind)) = self.field.armed {
            self.footprint(view, kind, cursor);
            return;
        }
        if let Some(corner) = self.field.corner {
            self.outline(corner, self.field.cursor);
        }
        self.tint(cursor, CURSOR);
        if self.field.camera.near
            && let Some((column, row)) = self.place(cursor)
        {
            for column in [column, column + 1] {
                if let Some(cell) = self.buffer.cell_mut((column, row)) {
                    cell.set_fg(Color::Black);
                }
            }
        }
    }

    fn footprint(&mut self, view: &MatchView<'_>, kind: BuildingKind, at: Tile) {
        let fits = view.world.can_place(view.side, kind, at);
        let colour = if fits { ROOM } else { NO_ROOM };
        let (columns, rows) = balance::building(kind).tiles;
        for ty in at.ty..at.ty + rows {
            for tx in at.tx..at.tx + columns {
                self.tint(Tile { tx, ty }, colour);
            }
        }
    }

    fn outline(&mut self, from: Cursor, to: Cursor) {
        let (left, right) = (from.tx.min(to.tx), from.tx.max(to.tx));
        let (top, bottom) = (from.ty.min(to.ty), from.ty.max(to.ty));
        for tx in left..=right {
            self.tint(Tile { tx, ty: top }, CURSOR);
            self.tint(Tile { tx, ty: bottom }, CURSOR);
        }
        for ty in top..=bottom {
            self.tint(Tile { tx: left, ty }, CURSOR);
            self.tint(Tile { tx: right, ty }, CURSOR);
        }
    }
}
