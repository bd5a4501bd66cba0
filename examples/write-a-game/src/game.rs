//! The game: runners paint the tiles they cross, and who has painted more when time is up wins. It knows no link.

use match_feed::{
    Game, Order, Outcome, WorldHash,
    duel::{DuelOutcome, MatchSetup, PerSide, Side},
};
use serde::{Deserialize, Serialize};
use versus_codec::kit::Tile;

/// Columns and rows of the board.
pub const BOARD: (u32, u32) = (12, 8);
/// How long a match lasts, in ticks of 100 ms; mutator 0 halves it.
pub const TICKS: u32 = 300;
/// Runners a side has. Blue's ids are even, red's odd: an id names a runner, whoever gives the order.
pub const RUNNERS: u32 = 3;

/// What a player can order. Records hold these, so they read and write as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Command {
    /// These runners are to run there.
    Go {
        /// Which.
        runners: Vec<u32>,
        /// Where to.
        to: Tile,
    },
    /// The player gives up.
    Resign,
}

/// A match. Only whole numbers and lists in a fixed order: both phones must come to the same, bit for bit.
pub struct Paint {
    /// Where each runner is and where it goes, by id.
    pub runners: Vec<(Tile, Tile)>,
    /// Who painted each tile last, row by row.
    tiles: Vec<Option<Side>>,
    ticks_left: u32,
    resigned: PerSide<bool>,
}

impl Paint {
    /// Built from what the phones agreed, and from nothing else.
    pub fn new(setup: &MatchSetup) -> Self {
        let (columns, rows) = BOARD;
        // Opener 0 starts in a column at the edge, opener 1 one column in.
        let corner = |id: u32| {
            let (edge, row) = (u32::from(setup.openers[side_of(id)] == Some(1)), 2 + id / 2);
            match side_of(id) {
                Side::Blue => Tile { tx: edge, ty: row },
                Side::Red => Tile {
                    tx: columns - 1 - edge,
                    ty: rows - 1 - row,
                },
            }
        };
        Self {
            runners: (0..2 * RUNNERS)
                .map(|id| (corner(id), corner(id)))
                .collect(),
            tiles: vec![None; (columns * rows) as usize],
            ticks_left: TICKS >> (setup.mutators & 1),
            resigned: PerSide {
                blue: false,
                red: false,
            },
        }
    }

    /// How many tiles a side has painted.
    pub fn painted(&self, side: Side) -> usize {
        self.tiles
            .iter()
            .filter(|&&tile| tile == Some(side))
            .count()
    }

    /// Whether a side would gain by painting there.
    pub fn wants(&self, side: Side, tile: Tile) -> bool {
        self.tiles[index(tile)] != Some(side)
    }
}

/// Whose runner an id names.
pub fn side_of(id: u32) -> Side {
    Side::BOTH[id as usize % 2]
}

fn index(tile: Tile) -> usize {
    (tile.ty * BOARD.0 + tile.tx) as usize
}

impl Game for Paint {
    type Command = Command;

    /// A tick. Orders come with blue's first on both phones; what is against the rules does nothing.
    fn step(&mut self, orders: &[Order<Command>]) {
        for order in orders {
            let Some(side) = order.side() else { continue };
            match &order.command {
                Command::Resign => self.resigned[side] = true,
                // A link's codec lets no tile off the board through, but a record read from a file has none.
                Command::Go { runners, to } if to.tx < BOARD.0 && to.ty < BOARD.1 => {
                    for &id in runners.iter().filter(|&&id| side_of(id) == side) {
                        if let Some(runner) = self.runners.get_mut(id as usize) {
                            runner.1 = *to;
                        }
                    }
                }
                Command::Go { .. } => {}
            }
        }
        for (id, (at, to)) in (0..).zip(&mut self.runners) {
            at.tx = at.tx + u32::from(at.tx < to.tx) - u32::from(at.tx > to.tx);
            at.ty = at.ty + u32::from(at.ty < to.ty) - u32::from(at.ty > to.ty);
            self.tiles[index(*at)] = Some(side_of(id));
        }
        self.ticks_left = self.ticks_left.saturating_sub(1);
    }

    /// Everything that decides what comes next, in one fixed order. The phones compare it all through the match.
    fn hash(&self) -> WorldHash {
        let mut bytes = self.ticks_left.to_le_bytes().to_vec();
        let places = self
            .runners
            .iter()
            .flat_map(|(at, to)| [at.tx, at.ty, to.tx, to.ty]);
        bytes.extend(places.flat_map(u32::to_le_bytes));
        bytes.extend(
            self.tiles
                .iter()
                .map(|tile| tile.map_or(2, |side| side.index() as u8)),
        );
        bytes.extend([self.resigned.blue, self.resigned.red].map(u8::from));
        WorldHash::of(&bytes)
    }

    fn outcome(&self) -> Option<Outcome> {
        let resigned = DuelOutcome::resigned(self.resigned.blue, self.resigned.red);
        if resigned.is_some() || self.ticks_left > 0 {
            return resigned.map(Outcome::from);
        }
        let [blue, red] = Side::BOTH.map(|side| self.painted(side));
        Some(match blue.cmp(&red) {
            std::cmp::Ordering::Equal => Outcome::draw(),
            std::cmp::Ordering::Greater => Outcome::won(Side::Blue),
            std::cmp::Ordering::Less => Outcome::won(Side::Red),
        })
    }
}
