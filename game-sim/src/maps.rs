//! The hand-made maps, each drawn as half of itself: whatever is painted is painted turned by 180° too.

use crate::{
    balance::{FAR_ORE, HOME_ORE},
    map::{Map, Terrain},
};

/// A shape on a hand-made map, in tiles.
enum Shape {
    /// A filled rectangle: x, y, width, height.
    Rock(i32, i32, i32, i32),
    /// As [`Shape::Rock`], of water.
    Water(i32, i32, i32, i32),
    /// As [`Shape::Rock`], of rough ground.
    Rough(i32, i32, i32, i32),
    /// An opening in what was painted before.
    Gap(i32, i32, i32, i32),
    /// A round ore field: x, y of the middle, radius, credits a tile.
    Ore(i32, i32, i32, u16),
}
use Shape::{Gap, Ore, Rock, Rough, Water};

struct Plan {
    name: &'static str,
    width: u32,
    height: u32,
    shapes: &'static [Shape],
}

/// Blue's home is in the south-west. Only one of each pair of shapes is listed.
const PLANS: [Plan; 6] = [
    // An open field with a rock spine across the middle and two wide passes.
    Plan {
        name: "Crossing",
        width: 64,
        height: 64,
        shapes: &[
            Rock(14, 20, 4, 14),
            Rock(24, 28, 16, 3),
            Gap(30, 28, 4, 3),
            Rock(26, 44, 8, 3),
            Rough(36, 46, 10, 8),
            Ore(9, 42, 3, HOME_ORE),
            Ore(21, 56, 3, HOME_ORE),
            Ore(6, 22, 2, FAR_ORE),
            Ore(44, 56, 2, FAR_ORE),
        ],
    },
    // A river with three fords.
    Plan {
        name: "Fords",
        width: 72,
        height: 64,
        shapes: &[
            Water(0, 16, 20, 4),
            Water(16, 20, 14, 4),
            Water(26, 24, 8, 10),
            Gap(8, 16, 5, 4),
            Gap(21, 20, 5, 4),
            Gap(30, 30, 12, 4),
            Rock(18, 38, 3, 10),
            Rock(36, 50, 10, 3),
            Rough(26, 40, 8, 6),
            Ore(10, 42, 3, HOME_ORE),
            Ore(22, 57, 3, HOME_ORE),
            Ore(46, 58, 2, FAR_ORE),
            Ore(20, 28, 2, FAR_ORE),
        ],
    },
    // Walls around each home with two gates.
    Plan {
        name: "Citadel",
        width: 72,
        height: 72,
        shapes: &[
            Rock(0, 46, 24, 3),
            Rock(24, 46, 3, 26),
            Gap(10, 46, 5, 3),
            Gap(24, 58, 3, 5),
            Gap(22, 46, 5, 5),
            Rock(33, 30, 6, 3),
            Rock(10, 28, 8, 4),
            Rough(28, 36, 8, 8),
            Ore(9, 52, 2, HOME_ORE),
            Ore(19, 64, 3, HOME_ORE),
            Ore(18, 38, 3, FAR_ORE),
            Ore(34, 60, 2, FAR_ORE),
        ],
    },
    // A wide land broken by outcrops, with a pond in the middle: the largest there is.
    Plan {
        name: "Scatter",
        width: 128,
        height: 128,
        shapes: &[
            Rock(20, 88, 5, 5),
            Rock(34, 100, 5, 4),
            Rock(30, 74, 4, 8),
            Rock(48, 84, 7, 4),
            Rock(14, 64, 7, 4),
            Rock(56, 102, 4, 8),
            Rock(72, 112, 8, 4),
            Rock(44, 62, 4, 9),
            Rock(26, 50, 8, 4),
            Rock(10, 40, 4, 8),
            Rock(86, 100, 6, 6),
            Rock(66, 82, 5, 5),
            Water(60, 58, 8, 12),
            Water(5, 78, 7, 6),
            Water(44, 113, 8, 6),
            Rough(22, 60, 14, 10),
            Rough(70, 90, 14, 10),
            Rough(40, 40, 10, 10),
            Ore(11, 104, 3, HOME_ORE),
            Ore(23, 118, 3, HOME_ORE),
            Ore(23, 105, 2, HOME_ORE),
            Ore(38, 88, 3, FAR_ORE),
            Ore(60, 118, 3, FAR_ORE),
            Ore(8, 62, 3, FAR_ORE),
            Ore(54, 74, 2, FAR_ORE),
            Ore(92, 118, 2, FAR_ORE),
        ],
    },
    // Three lanes between two long ridges.
    Plan {
        name: "Lanes",
        width: 64,
        height: 80,
        shapes: &[
            Rock(12, 34, 3, 24),
            Gap(12, 44, 3, 4),
            Rock(26, 24, 3, 34),
            Gap(26, 38, 3, 4),
            Rock(24, 64, 10, 3),
            Rough(16, 36, 8, 10),
            Ore(7, 56, 2, HOME_ORE),
            Ore(20, 71, 3, HOME_ORE),
            Ore(20, 54, 2, HOME_ORE),
            Ore(6, 34, 2, FAR_ORE),
            Ore(46, 72, 2, FAR_ORE),
        ],
    },
    // A lake in the middle: the fight goes around either shore, or over it.
    Plan {
        name: "Lakeshore",
        width: 96,
        height: 96,
        shapes: &[
            Water(34, 40, 28, 16),
            Water(38, 34, 20, 28),
            Rock(16, 55, 9, 3),
            Rock(40, 74, 3, 9),
            Rock(10, 28, 4, 9),
            Rock(70, 84, 5, 4),
            Rough(20, 28, 11, 10),
            Rough(46, 66, 12, 5),
            Ore(10, 71, 3, HOME_ORE),
            Ore(22, 87, 3, HOME_ORE),
            Ore(26, 42, 3, FAR_ORE),
            Ore(58, 80, 3, FAR_ORE),
            Ore(6, 48, 2, FAR_ORE),
        ],
    },
];

/// How many there are.
pub(crate) const COUNT: u8 = PLANS.len() as u8;

/// A map's name.
pub(crate) fn name(index: u8) -> Option<&'static str> {
    PLANS.get(usize::from(index)).map(|plan| plan.name)
}

/// A map's sides, in tiles.
pub(crate) fn sides(index: u8) -> Option<(u32, u32)> {
    PLANS
        .get(usize::from(index))
        .map(|plan| (plan.width, plan.height))
}

/// Draws a map.
pub(crate) fn draw(index: u8) -> Option<Map> {
    let plan = PLANS.get(usize::from(index))?;
    let mut map = Map::plain(plan.width, plan.height)?;
    for shape in plan.shapes {
        match *shape {
            Rock(x, y, w, h) => fill(&mut map, x, y, w, h, Terrain::Rock),
            Water(x, y, w, h) => fill(&mut map, x, y, w, h, Terrain::Water),
            Rough(x, y, w, h) => fill(&mut map, x, y, w, h, Terrain::Rough),
            Gap(x, y, w, h) => fill(&mut map, x, y, w, h, Terrain::Plain),
            Ore(x, y, radius, credits) => ore_field(&mut map, x, y, radius, credits),
        }
    }
    Some(map.finish())
}

fn fill(map: &mut Map, x: i32, y: i32, width: i32, height: i32, terrain: Terrain) {
    for ty in y..y + height {
        for tx in x..x + width {
            map.paint(tx, ty, terrain);
        }
    }
}

/// Fills a circle with ore.
pub(crate) fn ore_field(map: &mut Map, x: i32, y: i32, radius: i32, credits: u16) {
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            if dx * dx + dy * dy <= radius * radius {
                map.put_ore(x + dx, y + dy, credits);
            }
        }
    }
}
