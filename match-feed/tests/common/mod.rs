//! A toy game: each side owns a counter that its orders add to, and a shared mix of everything that happened.

use match_feed::{duel::*, *};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tug {
    pub totals: PerSide<u64>,
    pub mixed: u64,
    pub ticks: u32,
}

impl Game for Tug {
    type Command = i32;

    fn step(&mut self, orders: &[Order<i32>]) {
        for order in orders {
            let side = order.side().expect("two sides play the toy");
            self.totals[side] = self.totals[side].wrapping_add(order.command as u64);
            self.mixed = self.mixed.rotate_left(7) ^ order.command as u64;
        }
        self.ticks += 1;
    }

    fn hash(&self) -> WorldHash {
        let words = [
            self.totals.blue,
            self.totals.red,
            self.mixed,
            self.ticks.into(),
        ];
        WorldHash::of(&words.map(u64::to_le_bytes).concat())
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.totals.blue >= 1_000).then_some(Outcome::won(Side::Blue))
    }
}

pub fn header() -> RecordHeader {
    RecordHeader {
        game: "tug".into(),
        build: 7,
        setup: MatchSetup {
            map: MapChoice::Random {
                biome: 3,
                seed: 0xDEAD_BEEF,
            },
            mutators: 0b1010,
            seed: 99,
            openers: PerSide {
                blue: Some(2),
                red: None,
            },
        },
        delay: InputDelay::new(4).unwrap(),
        seats: PerSide {
            blue: "guest".into(),
            red: "host".into(),
        },
    }
}

/// Plays a match decided after 250 ticks and records it.
pub fn recorded() -> (BattleRecord<i32>, Tug) {
    let mut game = Tug::default();
    let mut recorder = BattleRecorder::new(header(), game.hash());
    for t in 0.. {
        let mine = (t % 3 == 0).then_some(12);
        let orders = compose_tick(Side::Red, (t % 5 == 0).then_some(-(t as i32)), mine);
        game.step(&orders);
        recorder.stepped(Tick(t), &orders, game.hash());
        if game.outcome().is_some() {
            return (
                recorder.finish(
                    game.outcome()
                        .map(|outcome| DuelOutcome::try_from(outcome).unwrap()),
                ),
                game,
            );
        }
    }
    unreachable!()
}
