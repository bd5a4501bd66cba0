//! How a world begins, is stepped, hashed, saved and loaded: the order in which everything happens in a tick.

use crate::{
    BrawlSetup, Pad, Phase, SAVED_BYTES_MAX, World,
    canon::{self, Pass, Reading, Refused, Writing},
    dice::Dice,
    rules::RATE_HZ,
    strike::Impacts,
    world::State,
};
use core::fmt;
use match_feed::{
    Game, LoadError, Order, Outcome, SEATS_MAX, SaveError, Seat, TickRate, WorldHash,
};

/// The game's name.
pub const NAME: &str = "brawl";

type Part = fn(&mut Writing<'_>, &mut State) -> Result<(), Refused>;

impl World {
    /// Ticks a second.
    pub const RATE: TickRate = TickRate::new(RATE_HZ).expect("1 to 240");

    /// The parts of the world by name, in the order in which they are saved.
    const PARTS: [(&str, Part); 4] = [
        ("setup", |pass, state| canon::setup(pass, &mut state.setup)),
        ("round", |pass, state| canon::course(pass, state)),
        ("fighters", |pass, state| canon::fighters(pass, state)),
        ("balls", |pass, state| canon::balls(pass, state)),
    ];

    /// A match before its first step.
    #[must_use]
    pub fn new(setup: BrawlSetup) -> Self {
        let mut world = Self {
            state: State {
                setup,
                tick: 0,
                dice: Dice(setup.seed()),
                phase: Phase::Ready,
                clock: 0,
                round: 0,
                round_winner: None,
                fighters: Default::default(),
                balls: Default::default(),
            },
            fx: heapless::Vec::new(),
        };
        world.begin_round();
        world
    }

    /// Runs one tick under a pad for each fighter.
    fn run(&mut self, mut pads: [Pad; SEATS_MAX]) {
        self.fx.clear();
        self.state.tick = self.state.tick.saturating_add(1);
        if !self.tick_round() {
            pads = Default::default();
        }
        let pressed = self.control(pads);
        self.move_fighters();
        self.fly_balls();
        let mut impacts = Impacts::default();
        self.strike(&mut impacts);
        self.hit_with_balls(&mut impacts);
        self.suffer(&impacts);
        self.grip(&pressed);
        if self.state.phase == Phase::Fight {
            self.drop_balls();
            self.wear_down();
        }
        self.drop_out();
        self.judge();
    }

    fn write(&self, buffer: &mut [u8], part: Part) -> usize {
        let mut writing = Writing { buffer, given: 0 };
        let written = part(&mut writing, &mut self.state.clone());
        debug_assert!(written.is_ok(), "the world leaves its own ranges");
        writing.given
    }

    fn write_all(&self, buffer: &mut [u8]) -> usize {
        self.write(buffer, |pass, state| {
            Self::PARTS
                .iter()
                .try_for_each(|(_, part)| part(pass, state))
        })
    }
}

fn read_all(pass: &mut impl Pass, state: &mut State) -> Result<(), Refused> {
    canon::setup(pass, &mut state.setup)?;
    canon::course(pass, state)?;
    canon::fighters(pass, state)?;
    canon::balls(pass, state)
}

impl Game for World {
    type Command = Pad;

    /// Of several pads of a seat the last one counts; a seat without one holds nothing down.
    fn step(&mut self, orders: &[Order<Pad>]) {
        if self.state.phase == Phase::Over {
            self.fx.clear();
            return;
        }
        let mut pads = [Pad::NEUTRAL; SEATS_MAX];
        let seats = self.state.setup.seats();
        for order in orders.iter().filter(|order| order.seat.index() < seats) {
            pads[order.seat.index()] = order.command;
        }
        self.run(pads);
    }

    fn hash(&self) -> WorldHash {
        let mut bytes = [0; SAVED_BYTES_MAX];
        let length = self.write_all(&mut bytes);
        WorldHash::of(&bytes[..length])
    }

    fn hash_parts(&self, part: &mut dyn FnMut(&'static str, WorldHash)) {
        for (name, write) in Self::PARTS {
            let mut bytes = [0; SAVED_BYTES_MAX];
            let length = self.write(&mut bytes, write);
            part(name, WorldHash::of(&bytes[..length]));
        }
    }

    fn describe_part(&self, part: &str, to: &mut dyn fmt::Write) -> fmt::Result {
        let state = &self.state;
        match part {
            "setup" => writeln!(to, "{:#?}", state.setup),
            "round" => writeln!(
                to,
                "tick {}\n{:?}\n{:?}, tick {} of it\nround {}, the last won by {:?}",
                state.tick, state.dice, state.phase, state.clock, state.round, state.round_winner
            ),
            "fighters" => writeln!(to, "{:#?}", self.fighters()),
            "balls" => writeln!(to, "{:#?}", state.balls),
            _ => Ok(()),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.result()
    }

    fn save_into(&self, buffer: &mut [u8]) -> Result<usize, SaveError> {
        let room = buffer.len();
        match self.write_all(buffer) {
            needed if needed > room => Err(SaveError::TooSmall { needed }),
            length => Ok(length),
        }
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        let mut state = self.state;
        let mut reading = Reading {
            bytes: saved,
            from: 0,
            at: 0,
        };
        if read_all(&mut reading, &mut state).is_err() {
            return Err(LoadError::Damaged { at: reading.from });
        }
        if reading.at != saved.len() {
            return Err(LoadError::Damaged { at: reading.at });
        }
        self.state = state;
        self.fx.clear();
        Ok(())
    }
}

/// A pad a seat, as orders: what a host has of a session's inputs. An input that is no pad is a pad at rest.
impl World {
    /// The orders that a tick's inputs stand for, the lowest seat's first.
    pub fn orders<'a>(
        inputs: impl IntoIterator<Item = &'a [u8]>,
    ) -> heapless::Vec<Order<Pad>, SEATS_MAX> {
        Seat::all(SEATS_MAX)
            .zip(inputs)
            .map(|(seat, input)| Order {
                seat,
                command: Pad::decode(input).unwrap_or_default(),
            })
            .collect()
    }
}
