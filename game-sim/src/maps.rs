//! The hand-made maps, each drawn as half of itself: whatever is painted is painted turned by 180° too.

use crate::map::{Map, Terrain};

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

/// Ore in a tile near a home, and in a tile worth an expedition.
const HOME_ORE: u16 = 650;
const FAR_ORE: u16 = 800;

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
    // A wide land broken by small outcrops.
    Plan {
        name: "Scatter",
        width: 96,
        height: 72,
        shapes: &[
            Rock(22, 40, 4, 4),
            Rock(30, 52, 4, 3),
            Rock(36, 32, 3, 6),
            Rock(44, 44, 5, 3),
            Rock(14, 26, 5, 3),
            Rock(60, 60, 4, 4),
            Rock(47, 20, 2, 8),
            Water(40, 58, 6, 5),
            Water(4, 30, 5, 4),
            Rough(26, 20, 12, 8),
            Rough(50, 50, 8, 6),
            Ore(11, 46, 3, HOME_ORE),
            Ore(22, 63, 3, HOME_ORE),
            Ore(28, 34, 3, FAR_ORE),
            Ore(54, 64, 3, FAR_ORE),
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
        width: 80,
        height: 80,
        shapes: &[
            Water(28, 32, 24, 16),
            Water(32, 28, 16, 24),
            Rock(14, 44, 8, 3),
            Rock(34, 60, 3, 8),
            Rock(10, 24, 4, 8),
            Rough(18, 24, 10, 8),
            Ore(10, 55, 3, HOME_ORE),
            Ore(22, 71, 3, HOME_ORE),
            Ore(22, 34, 3, FAR_ORE),
            Ore(48, 66, 2, FAR_ORE),
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
