//! Match level: your own game
//!
//! Your game is a deterministic simulation: equal setups and equal orders give equal worlds on both phones. No floats, no
//! clock, no randomness but from the setup's seed. The library calls its functions from `duel_session_run` alone, on the
//! game's thread; what they call back into the same session is refused with `DUEL_BUSY`.
//!
//! Orders are bits of your own, 1 to 83 of them. The library adds one thing: `duel_session_resign`, which ends the match
//! without your game knowing.

use crate::{
    handle::Fault,
    sized::{self, sized, slice},
    status::*,
    words::*,
};
use core::ffi::{c_char, c_void};
use match_feed::{
    Game, LoadError, Order, Outcome, SaveError, WorldHash,
    duel::{Catalogue, DuelOutcome, MUTATORS_MAX, MapChoice, MapSize, MatchSetup, PerSide, Side},
};
use versus_codec::{OPAQUE_BITS_MAX, OpaqueCommand};
use versus_pairing::{BIOMES_MAX, BUILT_IN_MAPS_MAX, OPENERS_MAX};

/// The longest order of one's own game, bits.
pub const DUEL_ORDER_BITS: u32 = 83;
const _: () = assert!(DUEL_ORDER_BITS as usize == OPAQUE_BITS_MAX);

/// An order of one's own game. Frozen.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_order {
    /// Who gives it, `DUEL_SIDE_…`.
    pub side: i32,
    /// How many bits it has.
    pub bit_count: u32,
    /// Bit `i` is bit `7 - i % 8` of byte `i / 8`; zeros follow.
    pub bits: [u8; 12],
}

impl duel_order {
    pub(crate) fn of(side: Side, command: &OpaqueCommand) -> Self {
        let mut bits = [0; 12];
        let bytes = command.as_bytes();
        bits[..bytes.len()].copy_from_slice(bytes);
        Self {
            side: side_word(side),
            bit_count: command.bit_len() as u32,
            bits,
        }
    }
}

/// Your game. Sized. The library copies it; `userdata` and the functions must live until the session is freed.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_game {
    /// `sizeof(duel_game)`.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// Passed to every function.
    pub userdata: *mut c_void,
    /// Runs one tick under `count` orders, blue's before red's. They live for the call only.
    pub step: Option<
        unsafe extern "C" fn(userdata: *mut c_void, orders: *const duel_order, count: usize),
    >,
    /// A digest of everything that can affect the future: once before the first step, and once after each.
    pub hash: Option<unsafe extern "C" fn(userdata: *mut c_void) -> u64>,
    /// 1 once the match is decided, with the winning side in `winner` (anything but a side is a draw); otherwise 0.
    pub outcome: Option<unsafe extern "C" fn(userdata: *mut c_void, winner: *mut i32) -> i32>,
    /// Writes the world if it takes at most `capacity` bytes; returns how many it takes. May be NULL.
    pub save: Option<
        unsafe extern "C" fn(userdata: *mut c_void, bytes: *mut u8, capacity: usize) -> usize,
    >,
    /// Becomes the world that was saved; 0 if that worked. May be NULL.
    pub load:
        Option<unsafe extern "C" fn(userdata: *mut c_void, bytes: *const u8, length: usize) -> i32>,
}

/// What your game has to choose from: both phones of one build hold the same. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_catalogue {
    /// `sizeof(duel_catalogue)`.
    pub struct_size: u32,
    /// Hand-made maps, at most 6; 0: one.
    pub maps: u32,
    /// Kinds of random maps, at most 5.
    pub biomes: u32,
    /// Mutators that can be switched on, at most 12.
    pub mutators: u32,
    /// Ways to start, at most 3. With none there are no picks.
    pub openers: u32,
    /// For each opener, the mutators that block it.
    pub blocked_by: [u32; 3],
}

sized! {
    duel_game to load;
    duel_catalogue to blocked_by;
}

/// A catalogue, checked.
#[derive(Clone, Copy)]
pub(crate) struct OwnCatalogue {
    maps: u8,
    biomes: u8,
    mutators: u8,
    openers: u8,
    blocked_by: [u32; 3],
}

impl OwnCatalogue {
    pub(crate) fn new(catalogue: &duel_catalogue) -> Result<Self, Fault> {
        let at_most = |value: u32, max: u8, what: &str| match u8::try_from(value) {
            Ok(value) if value <= max => Ok(value),
            _ => Err(Fault::argument(format_args!(
                "{what} {value}: at most {max}"
            ))),
        };
        let biomes = at_most(catalogue.biomes, BIOMES_MAX, "biomes")?;
        let maps = at_most(catalogue.maps, BUILT_IN_MAPS_MAX, "maps")?;
        Ok(Self {
            maps: if maps == 0 { 1 } else { maps },
            biomes,
            mutators: at_most(catalogue.mutators, MUTATORS_MAX as u8, "mutators")?,
            openers: at_most(catalogue.openers, OPENERS_MAX, "openers")?,
            blocked_by: catalogue.blocked_by,
        })
    }
}

impl Catalogue for OwnCatalogue {
    fn built_in_maps(&self) -> u8 {
        self.maps
    }
    fn biomes(&self) -> u8 {
        self.biomes
    }
    fn mutators(&self) -> u8 {
        self.mutators
    }
    /// Opaque orders carry no places, so nothing asks for the size itself.
    fn map_size(&self, _: MapChoice) -> Option<MapSize> {
        MapSize::new(1, 1)
    }
    fn opener_allowed(&self, setup: &MatchSetup, _: Side, opener: u8) -> bool {
        let blocked = self.blocked_by.get(usize::from(opener));
        opener < self.openers && blocked.is_some_and(|mask| u32::from(setup.mutators) & mask == 0)
    }
}

/// The host's own game, with resignation added: an order of no bits is one.
pub(crate) struct OwnGame {
    game: duel_game,
    resigned: PerSide<bool>,
    decided: Option<Outcome>,
    /// The orders of the tick being stepped; kept for its memory.
    orders: Vec<duel_order>,
}

// SAFETY: of all that is in it only `userdata` is not sent by itself, and the host promised that its functions may be called
// with it from whichever thread calls the session.
unsafe impl Send for OwnGame {}

/// The order that resigns.
pub(crate) fn resignation() -> OpaqueCommand {
    OpaqueCommand::from_bytes(&[], 0).expect("no bits fit")
}

impl OwnGame {
    pub(crate) fn new(game: duel_game) -> Result<Self, Fault> {
        if game.step.is_none() || game.hash.is_none() || game.outcome.is_none() {
            return Err(Fault::null("duel_game.step, hash or outcome"));
        }
        if game.reserved != 0 {
            return Err(Fault::argument("duel_game.reserved is not zero"));
        }
        Ok(Self {
            game,
            resigned: PerSide::default(),
            decided: None,
            orders: Vec::with_capacity(64),
        })
    }

    fn raw_hash(&self) -> u64 {
        let hash = self.game.hash.expect("checked when made");
        // SAFETY: the host gave it with its userdata.
        unsafe { hash(self.game.userdata) }
    }

    fn own_outcome(&self) -> Option<Outcome> {
        let outcome = self.game.outcome.expect("checked when made");
        let mut winner = DUEL_NONE;
        // SAFETY: the host gave it with its userdata.
        let decided = unsafe { outcome(self.game.userdata, &raw mut winner) };
        (decided != 0).then(|| match Side::word(winner) {
            Ok(side) => Outcome::won(side),
            Err(_) => Outcome::draw(),
        })
    }
}

impl Game for OwnGame {
    type Command = OpaqueCommand;

    fn step(&mut self, orders: &[Order<OpaqueCommand>]) {
        self.orders.clear();
        for order in orders {
            let Some(side) = order.side() else { continue };
            if order.command.bit_len() == 0 {
                self.resigned[side] = true;
                continue;
            }
            self.orders.push(duel_order::of(side, &order.command));
        }
        let step = self.game.step.expect("checked when made");
        // SAFETY: the host gave it with its userdata; the orders outlive the call.
        unsafe { step(self.game.userdata, self.orders.as_ptr(), self.orders.len()) };
        if self.decided.is_none() {
            let resigned = DuelOutcome::resigned(self.resigned.blue, self.resigned.red);
            self.decided = resigned.map(Outcome::from).or_else(|| self.own_outcome());
        }
    }

    fn hash(&self) -> WorldHash {
        let (hash, gone) = (self.raw_hash(), self.resigned);
        if gone == PerSide::default() {
            return WorldHash(hash);
        }
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&hash.to_le_bytes());
        bytes[8..].copy_from_slice(&[gone.blue.into(), gone.red.into()]);
        WorldHash::of(&bytes)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.decided
    }

    fn save_into(&self, buffer: &mut [u8]) -> Result<usize, SaveError> {
        let save = self.game.save.ok_or(SaveError::Unsupported)?;
        // SAFETY: the host gave it with its userdata.
        let needed = unsafe { save(self.game.userdata, core::ptr::null_mut(), 0) };
        if needed > buffer.len() {
            return Err(SaveError::TooSmall { needed });
        }
        // SAFETY: as above, with at least the room that it asked for.
        let written = unsafe { save(self.game.userdata, buffer.as_mut_ptr(), buffer.len()) };
        if written > buffer.len() {
            return Err(SaveError::TooSmall { needed: written });
        }
        Ok(written)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), LoadError> {
        let load = self.game.load.ok_or(LoadError::Unsupported)?;
        // SAFETY: the host gave it with its userdata.
        let status = unsafe { load(self.game.userdata, saved.as_ptr(), saved.len()) };
        if status == 0 {
            Ok(())
        } else {
            Err(LoadError::Damaged { at: 0 })
        }
    }
}

/// Finds out whether your game is fit to be played on two phones: saves it, steps it `ticks` times (with the orders given
/// in every tick), loads what was saved, steps it again, and compares every hash. A float, a clock, an uninitialised
/// byte or something left out of the save shows here, on one machine. The game ends up `ticks` later; it needs save and
/// load.
///
/// `DUEL_REFUSED`: it is not, and `why` says in which tick it came out differently.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// The pointers are NULL or point to what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_game_check(
    game: *const duel_game,
    orders: *const duel_order,
    count: usize,
    ticks: u32,
    why: *mut c_char,
    why_bytes: usize,
) -> duel_status {
    crate::handle::enter!(why, why_bytes => {
        // SAFETY: the caller's promise.
        let mut game = OwnGame::new(unsafe { sized::read(game) }?)?;
        let orders = unsafe { slice(orders, count, "orders") }?;
        let mut given = Vec::with_capacity(count);
        for order in orders {
            given.push(Order {
                seat: Side::word(order.side)?.seat(),
                command: order_of(&order.bits, order.bit_count)?,
            });
        }
        let start = game.hash();
        let saved = game.save().ok_or(Fault::new(DUEL_UNSUPPORTED, "the game cannot be saved"))?;
        let mut hashes = Vec::new();
        for _ in 0..ticks {
            game.step(&given);
            hashes.push(game.hash());
        }
        game.load(&saved).map_err(|error| Fault::new(DUEL_REFUSED, error))?;
        let differs = |tick: usize| {
            Fault::new(
                DUEL_REFUSED,
                format_args!("after {tick} ticks the world loaded came to another hash"),
            )
        };
        if game.hash() != start {
            return Err(differs(0));
        }
        for (tick, &hash) in hashes.iter().enumerate() {
            game.step(&given);
            if game.hash() != hash {
                return Err(differs(tick + 1));
            }
        }
        Ok(DUEL_OK)
    })
}

/// An order of C's, checked: at least one bit, since none is a resignation.
pub(crate) fn order_of(bytes: &[u8], bit_count: u32) -> Result<OpaqueCommand, Fault> {
    if !(1..=DUEL_ORDER_BITS).contains(&bit_count) {
        return Err(Fault::argument(format_args!(
            "an order of {bit_count} bits: 1 to {DUEL_ORDER_BITS}"
        )));
    }
    OpaqueCommand::from_bytes(bytes, bit_count as usize)
        .map_err(|error| Fault::new(DUEL_REFUSED, error))
}
