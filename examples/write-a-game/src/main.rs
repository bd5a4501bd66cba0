//! The smallest complete game of your own for two phones: `game.rs` is the game, `wire.rs` its commands as bits and what
//! can be chosen, and here two phones meet, agree, play and compare.
//!
//! The link is packets in a simulated air, one in ten lost. By sound it is `link_room::RoomLink` (two phones in a
//! simulated room) or `link_modem::ModemLink` (your engine's audio device): nothing else changes.
//!
//! `cargo run --release -p write-a-game`

mod game;
mod wire;

use game::{Command, Paint, side_of};
use link_transport::{AirConfig, AirEnd, LinkTime, Loss, PacketAir};
use match_feed::{
    Tick,
    duel::{MapChoice, Side},
};
use std::{error::Error, time::Duration};
use versus_codec::kit::Tile;
use versus_pairing::{Entry, HostChoice, PairingPhase};
use versus_session::{MatchEnd, Session, SessionConfig, SessionPhase, Sync};
use wire::{OneBoard, PaintCodec};

type Phone = Session<AirEnd, PaintCodec, Paint, OneBoard>;

/// A frame of your display loop: time goes on for one phone.
fn frame(phone: &mut Phone, now: LinkTime) -> Result<(), Box<dyn Error>> {
    phone.pump(now); // packets in, newest frames out
    let status = phone.status(now);
    if let PairingPhase::Picking { .. } = status.pairing.phase {
        phone.pick(Some(0))?; // the player's choice
    }
    if status.phase == SessionPhase::Ready {
        let agreed = *phone.agreed().ok_or("ready, so agreed")?;
        phone.begin_match(now, Paint::new(&agreed.setup), PaintCodec)?;
    }
    let side = phone.agreed().map(|agreed| agreed.local_side());
    // Steps every tick that is due. What is given here happens on both phones at once, some ticks later.
    phone.run(now, |tick, game, give| {
        if let Some(side) = side {
            player(side, tick, game).into_iter().for_each(give);
        }
    });
    Ok(())
}

/// Stands for a person: once a second each runner that stands still is sent to the next unpainted tile of its rows,
/// blue from the left, red from the right. Red is the lazier one.
fn player(side: Side, tick: Tick, game: &Paint) -> Vec<Command> {
    let every = if side == Side::Blue { 10 } else { 15 };
    if !tick.0.is_multiple_of(every) {
        return Vec::new();
    }
    let (columns, rows) = game::BOARD;
    let own = (0..)
        .zip(&game.runners)
        .filter(|(id, _)| side_of(*id) == side);
    own.filter(|(_, (at, to))| at == to)
        .filter_map(|(id, (at, _))| {
            let order = (0..columns * rows).map(|step| {
                let at = (at.ty * columns + step + id * 16) % (columns * rows);
                Tile {
                    tx: at % columns,
                    ty: at / columns,
                }
            });
            let to = order.into_iter().find(|&tile| game.wants(side, tile))?;
            Some(Command::Go {
                runners: vec![id],
                to,
            })
        })
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let config = |entry, seed| SessionConfig::new(entry, 1, "paint", seed);
    let choice = HostChoice::new(MapChoice::BuiltIn(0));
    let lossy = AirConfig::default().with_loss([Loss::Bernoulli(0.1); 2]);
    let (host_end, guest_end) = PacketAir::pair(lossy, 1);
    let mut host = Phone::new(host_end, config(Entry::Host(choice), 11), OneBoard)?;
    let mut guest = Phone::new(guest_end, config(Entry::Guest, 22), OneBoard)?;

    let mut now = LinkTime::ZERO;
    let settled = |phone: &Phone, now| phone.end(now).filter(MatchEnd::is_settled);
    let (host_end, guest_end) = loop {
        now = now + Duration::from_millis(16);
        frame(&mut host, now)?;
        frame(&mut guest, now)?;
        if let (Some(host), Some(guest)) = (settled(&host, now), settled(&guest, now)) {
            break (host, guest);
        }
    };
    let game = host.game().ok_or("a match was played")?;
    let [blue, red] = Side::BOTH.map(|side| game.painted(side));
    println!(
        "after {} ticks: blue painted {blue} tiles, red {red}",
        host.tick()
    );
    println!("the host: {host_end:?}\nthe guest: {guest_end:?}");
    for end in [host_end, guest_end] {
        if !matches!(
            end,
            MatchEnd::Decided {
                sync: Sync::InSync,
                ..
            }
        ) {
            return Err("the phones did not stay in sync".into());
        }
    }
    if host.record() != guest.record() {
        return Err("the phones saved different matches".into());
    }
    println!("In sync, and both saved the same match.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitvec::{bitarr, order::Msb0};
    use match_feed::{
        Game as _, Order,
        duel::{MapChoice, MatchSetup, PerSide},
    };
    use versus_codec::{BitReader, BitWriter, COMMAND_BITS_MAX, CommandCodec, TurnContext};

    #[test]
    fn two_phones_stay_in_sync() {
        main().expect("decided, in sync, equal records");
    }

    /// A record is read without a codec: what it says may be anything.
    #[test]
    fn an_order_off_the_board_does_nothing() {
        let setup = MatchSetup {
            map: MapChoice::BuiltIn(0),
            mutators: 0,
            seed: 0,
            openers: PerSide::from_fn(|_| None),
        };
        let mut game = Paint::new(&setup);
        let before = game.runners.clone();
        for (tx, ty) in [(12, 0), (0, 8), (u32::MAX, u32::MAX)] {
            let (runners, to) = (vec![0, 2, 4], Tile { tx, ty });
            let command = Command::Go { runners, to };
            let side = Side::Blue;
            for _ in 0..15 {
                game.step(&[Order {
                    seat: side.seat(),
                    command: command.clone(),
                }]);
            }
            assert_eq!(game.runners, before, "({tx}, {ty})");
        }
    }

    /// The laws that lockstep relies on, for what this game's players give.
    #[test]
    fn what_is_sent_is_what_is_read() {
        let runners = vec![4, 0, 4, 2];
        let to = Tile { tx: 11, ty: 7 };
        for given in [Command::Go { runners, to }, Command::Resign] {
            let mut sent = Vec::new();
            PaintCodec
                .canonicalize(given, &mut |piece| sent.push(piece))
                .expect("a legal order");
            for command in sent {
                let mut room = bitarr![u8, Msb0; 0; COMMAND_BITS_MAX];
                let mut turn = TurnContext::default();
                PaintCodec
                    .encode(&command, &mut turn, &mut BitWriter::new(&mut room))
                    .expect("it fits");
                let read = PaintCodec
                    .decode(&mut TurnContext::default(), &mut BitReader::new(&room))
                    .expect("legal bits");
                assert_eq!(read, command);
            }
        }
    }
}
