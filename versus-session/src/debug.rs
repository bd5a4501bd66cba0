//! The text a player can copy when a match ends out of sync: everything needed to find out why. Changes nothing.

use crate::Session;
use alloc::string::String;
use core::fmt::{self, Write};
use link_transport::{LinkTime, LinkTransport};
use match_feed::{Game, duel::Catalogue};
use versus_codec::CommandCodec;

impl<T, C, G, K> Session<T, C, G, K>
where
    T: LinkTransport,
    C: CommandCodec,
    G: Game<Command = C::Command>,
    K: Catalogue,
{
    /// What was agreed, both nonces, the input delay, how both phones stand, the hashes and every turn with commands;
    /// `None` before a match has begun. For people: its form may change.
    #[must_use]
    pub fn debug_info(&self, now: LinkTime) -> Option<String> {
        let mut text = String::new();
        self.write_debug_info(now, &mut text).ok()?;
        (!text.is_empty()).then_some(text)
    }

    fn write_debug_info(&self, now: LinkTime, to: &mut String) -> fmt::Result {
        let (Some(agreed), Some(play)) = (self.agreed(), self.play()) else {
            return Ok(());
        };
        let now = self.now.max(now);
        let status = play.status(now);
        let record = play.running.feed().record();
        writeln!(
            to,
            "game {} build {:#06x}",
            self.config.game, self.config.build
        )?;
        writeln!(
            to,
            "{:?} as {:?}, {:?}",
            agreed.local_side(),
            agreed.role,
            agreed.plan
        )?;
        writeln!(to, "{:?}", agreed.setup)?;
        writeln!(to, "{:?}", agreed.key)?;
        writeln!(
            to,
            "delay {} ticks, fast {}",
            agreed.delay.ticks(),
            agreed.fast
        )?;
        writeln!(to, "verdict {:?}", status.verdict)?;
        writeln!(
            to,
            "own: tick {}, trail {:08x}, sealed {}, {:?}",
            status.tick, status.trail, status.newest_sealed, status.end
        )?;
        writeln!(
            to,
            "peer: tick {:?}, turns through {}, {:?}",
            status.peer_tick, status.ack_through, status.peer_end
        )?;
        writeln!(to, "frames refused {}", play.frames_refused)?;
        for (tick, hash) in &record.hashes {
            writeln!(to, "hash {tick} {hash}")?;
        }
        for match_feed::duel::RecordTurn(tick, side, commands) in &record.turns {
            writeln!(to, "turn {tick} {side:?} {commands:?}")?;
        }
        Ok(())
    }
}
