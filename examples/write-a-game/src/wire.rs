//! What lockstep and pairing ask of a game: its commands as bits, and what there is to choose from.

use crate::game::{BOARD, Command, RUNNERS};
use match_feed::duel::{Catalogue, MapChoice, MapSize, MatchSetup, Side};
use versus_codec::{
    BitReader, BitWriter, CommandCodec, DecodeError, EncodeError, NotEncodable, Subjects,
    TurnContext,
    kit::{self},
};

/// The board as the kit wants it: tiles take as few bits as it allows.
pub fn board() -> MapSize {
    MapSize::new(BOARD.0, BOARD.1).expect("a board of tiles")
}

/// The commands as bits. Few are better: some hundred cross the air each second, and late orders play worse than few.
pub struct PaintCodec;

impl CommandCodec for PaintCodec {
    type Command = Command;

    /// What is sent for an order: its runners sorted and named once. What is sent is also what this phone's own game
    /// gets. A command of many units would be split here (`kit::split_units`); three runners always fit.
    fn canonicalize(
        &self,
        mut command: Command,
        emit: &mut dyn FnMut(Command),
    ) -> Result<(), NotEncodable> {
        if let Command::Go { runners, to } = &mut command {
            kit::canonical_units(runners)?;
            if let Some(&id) = runners.iter().find(|&&id| id >= 2 * RUNNERS) {
                return Err(NotEncodable::Id { id });
            }
            if !to.is_on(board()) {
                let (tx, ty) = (to.tx, to.ty);
                return Err(NotEncodable::OffMap { tx, ty });
            }
        }
        emit(command);
        Ok(())
    }

    fn encode(
        &self,
        command: &Command,
        turn: &mut TurnContext,
        out: &mut BitWriter<'_>,
    ) -> Result<(), EncodeError> {
        match command {
            Command::Resign => out.flag(true),
            Command::Go { runners, to } => {
                out.flag(false)?;
                kit::write_units(runners, turn, out)?;
                kit::write_tile(*to, board(), out)
            }
        }
    }

    /// Reads what `encode` wrote. Bits from the air may say anything: what is no legal command is an error.
    fn decode(
        &self,
        turn: &mut TurnContext,
        input: &mut BitReader<'_>,
    ) -> Result<Command, DecodeError> {
        if input.flag()? {
            return Ok(Command::Resign);
        }
        let runners = kit::read_units(turn, input)?;
        if let Some(&id) = runners.iter().find(|&&id| id >= 2 * RUNNERS) {
            return Err(DecodeError::OutsideTable {
                what: "runner",
                index: id.into(),
                len: (2 * RUNNERS).into(),
            });
        }
        let to = kit::read_tile(board(), input)?;
        Ok(Command::Go { runners, to })
    }

    fn subjects(&self, command: &Command) -> Subjects {
        match command {
            Command::Go { runners, .. } => runners.clone(),
            Command::Resign => Subjects::new(),
        }
    }

    /// An order to runners makes an older one pointless that still waits: it need not be sent any more.
    fn overrides(&self, newer: &Command, older: &Command) -> bool {
        matches!((newer, older), (Command::Go { .. }, Command::Go { .. }))
    }

    /// Giving up goes before everything that waits.
    fn urgent(&self, command: &Command) -> bool {
        *command == Command::Resign
    }
}

/// What the phones may agree on: one board, one mutator, two openers.
pub struct OneBoard;

impl Catalogue for OneBoard {
    fn built_in_maps(&self) -> u8 {
        1
    }
    fn biomes(&self) -> u8 {
        0
    }
    fn mutators(&self) -> u8 {
        1
    }
    fn map_size(&self, map: MapChoice) -> Option<MapSize> {
        (map == MapChoice::BuiltIn(0)).then(board)
    }
    fn opener_allowed(&self, _: &MatchSetup, _: Side, opener: u8) -> bool {
        opener < 2
    }
}
