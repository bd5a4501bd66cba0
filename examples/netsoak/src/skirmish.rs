//! The reference game online: an AI gives orders, packed into inputs; both machines run what the inputs decode to.

use game_sim::{Ai, AiLevel, Command, SkirmishCodec, World};
use match_feed::{
    Game as _, Seat,
    duel::{MapChoice, MatchSetup, PerSide, Side, compose_tick},
};
use net_session::StepInputs;
use versus_codec::{BitReader, BitWriter, CommandCodec, TurnContext};

/// An input's length at most, bytes.
pub const INPUT_BYTES: u8 = 64;

pub struct Skirmish {
    world: World,
    codec: SkirmishCodec,
    ai: Ai,
    thought_at: Option<u32>,
    /// Orders that the world was given.
    pub orders: u64,
}

impl Skirmish {
    pub fn new(seat: usize, seed: u64) -> Self {
        let seed = seed as u32;
        let setup = MatchSetup {
            map: MapChoice::BuiltIn(0),
            mutators: 0,
            seed,
            openers: PerSide {
                blue: Some((seed % 3) as u8),
                red: Some((seed / 3 % 3) as u8),
            },
        };
        let world = World::new(&setup).expect("a legal setup");
        let side = if seat == 0 { Side::Blue } else { Side::Red };
        Self {
            codec: SkirmishCodec::new(world.map_size()),
            world,
            ai: Ai::new(side, AiLevel::Hard, seed),
            thought_at: None,
            orders: 0,
        }
    }

    /// What the AI orders at this frame, once a frame: as many orders as an input holds, each behind a 1.
    pub fn input(&mut self, frame: u32) -> Option<Vec<u8>> {
        if self.thought_at == Some(frame) {
            return None;
        }
        self.thought_at = Some(frame);
        let mut bytes = vec![0_u8; usize::from(INPUT_BYTES)];
        let mut pieces = Vec::new();
        for order in self.ai.think(&self.world) {
            let _ = self
                .codec
                .canonicalize(order, &mut |piece| pieces.push(piece));
        }
        let mut used = 0;
        for count in 1..=pieces.len() {
            let mut room = vec![0_u8; usize::from(INPUT_BYTES)];
            let Some(length) = self.pack(&pieces[..count], &mut room) else {
                break;
            };
            used = length.div_ceil(8);
            bytes = room;
        }
        bytes.truncate(used);
        Some(bytes)
    }

    /// The length in bits, if they all fit.
    fn pack(&self, pieces: &[Command], room: &mut [u8]) -> Option<usize> {
        let mut out = BitWriter::new(bitvec::slice::BitSlice::from_slice_mut(room));
        let mut turn = TurnContext::default();
        for piece in pieces {
            out.flag(true).ok()?;
            self.codec.encode(piece, &mut turn, &mut out).ok()?;
        }
        out.flag(false).ok()?;
        Some(out.len())
    }

    fn unpack(&self, input: &[u8]) -> Vec<Command> {
        let mut bits = BitReader::new(bitvec::slice::BitSlice::from_slice(input));
        let mut turn = TurnContext::default();
        let mut orders = Vec::new();
        while bits.flag() == Ok(true) {
            // A liar's rest counts for nothing.
            let Ok(order) = self.codec.decode(&mut turn, &mut bits) else {
                break;
            };
            orders.push(order);
        }
        orders
    }

    pub fn step(&mut self, inputs: &StepInputs) {
        let orders =
            |at: u8| Seat::new(at).map_or_else(Vec::new, |seat| self.unpack(inputs.seat(seat)));
        let (blue, red) = (orders(0), orders(1));
        self.orders += (blue.len() + red.len()) as u64;
        self.world.step(&compose_tick(Side::Blue, blue, red));
    }

    pub fn hash(&self) -> u64 {
        self.world.hash().0
    }
}
