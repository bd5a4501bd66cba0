//! Random maps: a biome and a seed give a map that is connected, and fair because it is painted turned by 180° too.

use crate::{
    balance::{FAR_ORE, HOME_ORE},
    dice::Dice,
    map::{Map, Terrain},
    maps::ore_field,
};
use match_feed::duel::Side;
use versus_codec::kit::Tile;

/// What a biome's land is like.
struct Biome {
    name: &'static str,
    /// Blobs of each terrain on half the map, for every 1,024 tiles of the whole.
    rock: u32,
    water: u32,
    rough: u32,
    /// The largest blob's radius, tiles.
    blob: i32,
    /// Ore fields away from home, on half the map; see [`TILES_PER_FIELD`].
    far_fields: u32,
}

#[rustfmt::skip]
const BIOMES: [Biome; 5] = [
    Biome { name: "Steppe",      rock: 2, water: 0, rough: 3, blob: 3, far_fields: 2 },
    Biome { name: "Highland",    rock: 5, water: 0, rough: 2, blob: 3, far_fields: 2 },
    Biome { name: "Marsh",       rock: 0, water: 4, rough: 5, blob: 3, far_fields: 2 },
    Biome { name: "Archipelago", rock: 1, water: 5, rough: 0, blob: 4, far_fields: 3 },
    Biome { name: "Wasteland",   rock: 3, water: 1, rough: 4, blob: 2, far_fields: 1 },
];

/// How many biomes there are.
pub(crate) const BIOME_COUNT: u8 = BIOMES.len() as u8;

/// The sizes a random map may have: small ones more often, since a walk across the largest takes two minutes.
const SIDES: [(u32, u32); 12] = [
    (64, 64),
    (72, 64),
    (64, 72),
    (72, 72),
    (80, 64),
    (80, 80),
    (96, 72),
    (72, 96),
    (96, 96),
    (112, 96),
    (112, 112),
    (128, 128),
];
/// A far ore field is drawn for every so many tiles of the map, besides the biome's own.
const TILES_PER_FIELD: u32 = 5_000;
/// The PCG stream of map seeds; a match's dice use another, so equal seeds do not walk together.
const MAP_STREAM: u64 = 0x6D61_7073;

/// A biome's name.
pub(crate) fn biome_name(biome: u8) -> Option<&'static str> {
    BIOMES.get(usize::from(biome)).map(|biome| biome.name)
}

/// A map's sides, in tiles: a draw of the seed, the first of the generator's.
pub(crate) fn sides(biome: u8, seed: u32) -> Option<(u32, u32)> {
    BIOMES.get(usize::from(biome))?;
    let mut dice = Dice::new(seed.into(), MAP_STREAM + u64::from(biome));
    Some(SIDES[dice.below(SIDES.len() as u32) as usize])
}

/// Draws a map.
pub(crate) fn draw(biome: u8, seed: u32) -> Option<Map> {
    let (width, height) = sides(biome, seed)?;
    let land = &BIOMES[usize::from(biome)];
    let mut dice = Dice::new(seed.into(), MAP_STREAM + u64::from(biome));
    dice.below(SIDES.len() as u32); // the size, drawn by `sides`
    let mut map = Map::plain(width, height)?;
    for (per_1024, terrain) in [
        (land.rough, Terrain::Rough),
        (land.rock, Terrain::Rock),
        (land.water, Terrain::Water),
    ] {
        for _ in 0..per_1024 * width * height / 1024 / 2 {
            blob(&mut map, &mut dice, land.blob, terrain);
        }
    }
    let home = map.homes[Side::Blue];
    let (hx, hy) = (home.tx as i32, home.ty as i32);
    // Two fields by the home: one northward, one eastward.
    ore_field(
        &mut map,
        hx + dice.between(-1, 3),
        hy - dice.between(11, 13),
        3,
        HOME_ORE,
    );
    ore_field(
        &mut map,
        hx + dice.between(11, 13),
        hy + dice.between(-3, 1),
        3,
        HOME_ORE,
    );
    for _ in 0..land.far_fields + width * height / TILES_PER_FIELD {
        let x = dice.between(4, width as i32 - 5);
        let y = dice.between(4, height as i32 - 5);
        let far = |home: Tile| (home.tx as i32 - x).abs() + (home.ty as i32 - y).abs() > 22;
        if Side::BOTH.into_iter().all(|side| far(map.homes[side])) {
            ore_field(&mut map, x, y, 2, FAR_ORE);
        }
    }
    connect(&mut map);
    Some(map.finish())
}

/// A ragged round patch somewhere.
fn blob(map: &mut Map, dice: &mut Dice, largest: i32, terrain: Terrain) {
    let radius = dice.between(1, largest);
    let x = dice.between(0, map.width() as i32 - 1);
    let y = dice.between(0, map.height() as i32 - 1);
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            let edge = radius * radius - dice.between(0, radius);
            if dx * dx + dy * dy <= edge {
                map.paint(x + dx, y + dy, terrain);
            }
        }
    }
}

/// Cuts a road three tiles wide wherever a home cannot reach the other home or an ore tile.
fn connect(map: &mut Map) {
    let home = map.homes[Side::Blue];
    loop {
        let reached = map.reached_from(home);
        let enemy = map.index(map.homes[Side::Red]);
        let cut_off =
            (0..reached.len()).find(|&at| !reached[at] && (map.ore[at] > 0 || at == enemy));
        let Some(at) = cut_off else { return };
        let width = map.width();
        let goal = Tile {
            tx: at as u32 % width,
            ty: at as u32 / width,
        };
        cut_road(map, goal, home);
    }
}

fn cut_road(map: &mut Map, from: Tile, to: Tile) {
    let (mut x, mut y) = (from.tx as i32, from.ty as i32);
    let (ex, ey) = (to.tx as i32, to.ty as i32);
    while (x, y) != (ex, ey) {
        for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
            let open = |tile| map.terrain[map.index(tile)].is_open();
            if map.tile_at(x + dx, y + dy).is_some_and(|tile| !open(tile)) {
                map.paint(x + dx, y + dy, Terrain::Plain);
            }
        }
        // The longer axis first, so that the road is as straight as steps along the axes allow.
        if (ex - x).abs() >= (ey - y).abs() {
            x += (ex - x).signum();
        } else {
            y += (ey - y).signum();
        }
    }
}
