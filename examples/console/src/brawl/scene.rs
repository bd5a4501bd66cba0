//! A moment of a brawl as pixels: for a picture, and for a terminal whose cells show two each.

use crate::picture::Rgb;
use game_brawl::{Camera, Fighter, FxKind, Limbs, Spot, World, limbs, rules};
use match_feed::SEATS_MAX;

/// A colour a seat.
const SEAT_COLOURS: [Rgb; SEATS_MAX] = [
    (90, 160, 255),
    (255, 100, 90),
    (120, 220, 120),
    (250, 210, 80),
    (210, 130, 250),
    (90, 220, 220),
    (250, 160, 70),
    (230, 230, 230),
];
const SKY: Rgb = (24, 26, 38);
const GROUND: Rgb = (58, 52, 48);
const SHADOW: Rgb = (36, 33, 31);
const FLASH: Rgb = (255, 255, 210);
const DUST: Rgb = (150, 140, 125);
const BALL: Rgb = (235, 225, 200);
/// How thick limbs are, units.
const LIMB: i32 = 7;

/// Pixels, row by row from the top.
pub struct Scene {
    pub width: i32,
    pub height: i32,
    pixels: Vec<Rgb>,
    camera: Camera,
}

impl Scene {
    /// Draws the world as the camera sees it. A pixel is as wide as it is high.
    pub fn draw(world: &World, camera: Camera, width: i32, height: i32) -> Self {
        let mut scene = Self {
            width,
            height,
            pixels: vec![SKY; (width * height) as usize],
            camera,
        };
        let ground = scene.place(Spot::default()).1;
        scene.fill((0, ground), (width, height), GROUND);
        for fighter in world.fighters() {
            scene.disc(fighter.shadow(), rules::BODY_HALF, SHADOW);
        }
        for (fighter, colour) in world.fighters().iter().zip(SEAT_COLOURS) {
            scene.fighter(fighter, colour);
        }
        for ball in world.balls() {
            let radius = ball.numbers().radius;
            let (x, y) = (ball.x / rules::UNIT, ball.y / rules::UNIT + radius);
            scene.disc(Spot { x, y }, radius, BALL);
        }
        for fx in world.fx() {
            let spot = Spot { x: fx.x, y: fx.y };
            match fx.kind {
                FxKind::Hit { damage } => scene.disc(spot, 10 + i32::from(damage), FLASH),
                FxKind::Blocked | FxKind::GuardBroken => scene.disc(spot, 10, (120, 180, 255)),
                FxKind::Landed | FxKind::Fell | FxKind::Jumped | FxKind::Bounced => {
                    scene.disc(Spot { x: fx.x, y: 4 }, 12, DUST);
                }
                _ => {}
            }
        }
        scene
    }

    /// The colour of a pixel.
    pub fn at(&self, x: i32, y: i32) -> Rgb {
        self.pixels[(y * self.width + x) as usize]
    }

    fn fighter(&mut self, fighter: &Fighter, colour: Rgb) {
        let body: Limbs = limbs(fighter);
        let dark = (colour.0 / 2, colour.1 / 2, colour.2 / 2);
        for (side, tone) in [(1, dark), (0, colour)] {
            self.limb(body.hip, body.knees[side], tone);
            self.limb(body.knees[side], body.feet[side], tone);
            self.limb(body.neck, body.elbows[side], tone);
            self.limb(body.elbows[side], body.hands[side], tone);
        }
        self.limb(body.neck, body.hip, colour);
        self.disc(body.head, Limbs::HEAD, colour);
        // Health, above the head.
        let (x, y) = (fighter.unit_x(), fighter.unit_y() + rules::BODY_HEIGHT + 14);
        let right = x - 30 + 60 * i32::from(fighter.health) / i32::from(rules::HEALTH);
        let (from, to) = (
            self.place(Spot {
                x: x - 30,
                y: y + 6,
            }),
            self.place(Spot { x: right, y }),
        );
        self.fill(from, (to.0, to.1.max(from.1 + 1)), colour);
    }

    /// Where a place of the stage is on the screen.
    fn place(&self, spot: Spot) -> (i32, i32) {
        let shown = self.camera.height().max(1);
        let x = (spot.x - self.camera.x()) * self.height / shown + self.width / 2;
        let y = (spot.y - self.camera.bottom()) * self.height / shown;
        (x, self.height - y)
    }

    fn fill(&mut self, from: (i32, i32), to: (i32, i32), colour: Rgb) {
        for y in from.1.max(0)..to.1.min(self.height) {
            for x in from.0.max(0)..to.0.min(self.width) {
                self.pixels[(y * self.width + x) as usize] = colour;
            }
        }
    }

    fn disc(&mut self, middle: Spot, radius: i32, colour: Rgb) {
        let (x, y) = self.place(middle);
        let radius = radius * self.height / self.camera.height().max(1);
        for row in -radius..=radius {
            let half = (radius * radius - row * row).isqrt();
            self.fill((x - half, y + row), (x + half + 1, y + row + 1), colour);
        }
    }

    fn limb(&mut self, from: Spot, to: Spot, colour: Rgb) {
        let steps = (to.x - from.x).abs().max((to.y - from.y).abs()).max(1);
        for step in (0..=steps).step_by(2) {
            let x = from.x + (to.x - from.x) * step / steps;
            let y = from.y + (to.y - from.y) * step / steps;
            self.disc(Spot { x, y }, LIMB, colour);
        }
    }
}
