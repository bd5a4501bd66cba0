//! A game of your own over sound: two phones in a simulated room, 40 lines of game, no network.
//!
//! `cargo run --release -p versus-session --example own_game`

use link_room::{RoomLink, RoomLinkConfig};
use link_transport::{LinkTime, LinkTransport};
use match_feed::{
    Game, Order, Outcome, WorldHash,
    duel::{Catalogue, MapChoice, MapSize, MatchSetup, PerSide, Side},
};
use std::{error::Error, time::Duration};
use versus_codec::{OpaqueCodec, OpaqueCommand};
use versus_pairing::{Entry, HostChoice, PairingPhase};
use versus_session::{Session, SessionConfig, SessionPhase};

/// A rope between two sides: whoever pulls it 100 further than the other wins.
#[derive(Default)]
struct TugOfWar {
    pulled: PerSide<u32>,
    ticks: u32,
}

impl Game for TugOfWar {
    type Command = OpaqueCommand;

    fn step(&mut self, orders: &[Order<OpaqueCommand>]) {
        for order in orders {
            if let Some(side) = order.side() {
                self.pulled[side] += u32::from(order.command.as_bytes()[0]);
            }
        }
        self.ticks += 1;
    }

    fn hash(&self) -> WorldHash {
        let words = [self.pulled.blue, self.pulled.red, self.ticks];
        WorldHash::of(&words.map(u32::to_le_bytes).concat())
    }

    fn outcome(&self) -> Option<Outcome> {
        let ahead = |side: Side| self.pulled[side] >= self.pulled[side.other()] + 100;
        Side::BOTH
            .into_iter()
            .find(|&side| ahead(side))
            .map(Outcome::won)
    }
}

/// What can be played: one rope, no mutators, one way to start.
struct OneRope;

impl Catalogue for OneRope {
    fn built_in_maps(&self) -> u8 {
        1
    }
    fn biomes(&self) -> u8 {
        0
    }
    fn mutators(&self) -> u8 {
        0
    }
    fn map_size(&self, _: MapChoice) -> Option<MapSize> {
        MapSize::new(1, 1)
    }
    fn opener_allowed(&self, _: &MatchSetup, _: Side, opener: u8) -> bool {
        opener == 0
    }
}

type Phone<L> = Session<L, OpaqueCodec, TugOfWar, OneRope>;

/// What a host does once a frame. `L` is any link: two modems in a room here, an audio device in your engine.
fn frame<L: LinkTransport>(
    phone: &mut Phone<L>,
    now: LinkTime,
    pull: u8,
) -> Result<(), Box<dyn Error>> {
    phone.pump(now); // packets in, newest frames out
    let status = phone.status(now);
    if let PairingPhase::Picking { .. } = status.pairing.phase {
        phone.pick(Some(0))?; // the player's choice of opener
    }
    if status.phase == SessionPhase::Ready {
        phone.begin_match(now, TugOfWar::default(), OpaqueCodec)?; // build the game from `phone.agreed()`
    }
    // Steps every tick that is due; what is given here is on both phones D ticks later.
    phone.run(now, |tick, _game, give| {
        if tick.0 % 5 == 0 {
            give(OpaqueCommand::from_bytes(&[pull], 8).expect("8 of at most 83 bits"));
        }
    });
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let config = |entry, seed| SessionConfig::new(entry, 1, "tug-of-war", seed);
    let choice = HostChoice::new(MapChoice::BuiltIn(0));
    let (host_link, guest_link) = RoomLink::pair(RoomLinkConfig::default(), 1);
    let mut host: Phone<_> = Session::new(host_link, config(Entry::Host(choice), 11), OneRope)?;
    let mut guest: Phone<_> = Session::new(guest_link, config(Entry::Guest, 22), OneRope)?;

    let mut now = LinkTime::ZERO;
    let ends = loop {
        now = now + Duration::from_millis(16);
        frame(&mut host, now, 9)?;
        frame(&mut guest, now, 7)?;
        let ends = [&host, &guest].map(|phone| phone.end(now));
        if ends
            .iter()
            .all(|end| end.is_some_and(|end| end.is_settled()))
        {
            break ends;
        }
    };
    println!(
        "after {} ms of sound and {} ticks: {:?}",
        now.as_ms(),
        host.tick(),
        ends[0]
    );
    assert_eq!(
        host.record(),
        guest.record(),
        "both phones saved the same match"
    );
    Ok(())
}
