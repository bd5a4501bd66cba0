//! The second game: a saved world is one that can be played, or refused; a pad's input has one form.

use game_brawl::{BrawlSetup, Pad, SAVED_BYTES_MAX, World};
use match_feed::{Game, Order, Seat};

/// Steps that a loaded world is played.
const STEPS: usize = 120;

/// Two bytes of a pad each seat holds down, then a saved world: what loads saves the same, plays on, and never leaves
/// what can be saved.
pub fn brawl_load(data: &[u8]) {
    let Some((pads, saved)) = data.split_first_chunk::<2>() else {
        return;
    };
    let setup = BrawlSetup::new(2, 0).expect("two seats");
    let mut world = World::new(setup);
    let before = world.hash();
    if world.load(saved).is_err() {
        assert_eq!(world.hash(), before, "a refused world changes nothing");
        return;
    }
    let mut again = [0; SAVED_BYTES_MAX];
    let length = world.save_into(&mut again).expect("room for any world");
    assert_eq!(&again[..length], saved, "one world has one form");
    let bits = u16::from_le_bytes(*pads);
    for tick in 0..STEPS as u32 {
        let pads: Vec<Order<Pad>> = Seat::all(world.setup().seats())
            .map(|seat| Order {
                seat,
                command: Pad::from_bits(bits.rotate_left(tick / 8 + 3 * seat.index() as u32)),
            })
            .collect();
        world.step(&pads);
        let length = world.save_into(&mut again).expect("room for any world");
        let mut other = World::new(setup);
        let loaded = other.load(&again[..length]);
        assert_eq!(loaded, Ok(()), "what is played can be saved and loaded");
        assert_eq!(other.hash(), world.hash());
    }
}

/// A pad's input, and a setup: read or refused, and what is read is written back the same.
pub fn brawl_input(data: &[u8]) {
    if let Ok(pad) = Pad::decode(data) {
        let mut bytes = [0; game_brawl::INPUT_BYTES as usize];
        let length = pad.encode(&mut bytes);
        assert_eq!(&bytes[..length], data);
        assert_eq!(pad.mirrored().mirrored(), pad);
    }
    if let Ok(setup) = BrawlSetup::decode(data) {
        assert_eq!(setup.encode(), data);
    }
}
