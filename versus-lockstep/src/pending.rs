//! Commands given but not sealed yet, in the order they will be. Acts before anything is sent, so no rule here can
//! make two worlds differ.

use crate::{GiveError, PENDING_MAX, QueueFull};
use alloc::{collections::VecDeque, vec::Vec};
use core::mem;
use match_feed::Tick;
use versus_codec::{COMMAND_BITS_MAX, CommandCodec, NotEncodable, Subjects, encoded_bits};

/// One canonical command that waits.
#[derive(Clone, Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) command: T,
    /// When its order was given.
    pub(crate) given: Tick,
    /// Since when each of its units waits: longer than this order does, where it replaced one that waited.
    units: Vec<(u32, Tick)>,
}

impl<T> Waiting<T> {
    /// Since when any of it waits.
    fn since(&self) -> Tick {
        let oldest = self.units.iter().map(|&(_, since)| since).min();
        oldest.map_or(self.given, |oldest| oldest.min(self.given))
    }

    fn names(&self, unit: u32) -> bool {
        self.units.iter().any(|&(named, _)| named == unit)
    }

    fn names_any_of(&self, other: &Self) -> bool {
        other.units.iter().any(|&(unit, _)| self.names(unit))
    }
}

/// The queue. Source: the specification's "Pending queue".
#[derive(Clone, Debug)]
pub(crate) struct Pending<T> {
    queue: VecDeque<Waiting<T>>,
    /// The pieces of the order being given, and the units that each names: kept empty, for their room.
    pieces: Vec<T>,
    named: Vec<Subjects>,
}

impl<T: PartialEq> Pending<T> {
    pub(crate) const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            pieces: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Adds one order, given at `tick`, in its canonical form and split into pieces that fit; ahead of everything that
    /// waits if `first`, or if the codec calls it urgent. Work is bounded by the product of what waits and what the order
    /// names. Allocates only what the commands do, once the queue has been as long before.
    pub(crate) fn give<C: CommandCodec<Command = T>>(
        &mut self,
        codec: &C,
        command: T,
        first: bool,
        tick: Tick,
    ) -> Result<(), GiveError> {
        let mut pieces = mem::take(&mut self.pieces);
        let given = canonical_pieces(codec, command, &mut pieces).and_then(|()| {
            let first = first || pieces.iter().any(|piece| codec.urgent(piece));
            let queued = if first {
                self.put_first(codec, &mut pieces, tick)
            } else {
                self.add(codec, &mut pieces, tick)
            };
            Ok(queued?)
        });
        pieces.clear();
        self.pieces = pieces;
        given
    }

    fn add<C: CommandCodec<Command = T>>(
        &mut self,
        codec: &C,
        pieces: &mut Vec<T>,
        tick: Tick,
    ) -> Result<(), QueueFull> {
        if self.queue.len() + pieces.len() > PENDING_MAX {
            return Err(QueueFull);
        }
        let mut named = mem::take(&mut self.named);
        named.extend(pieces.iter().map(|piece| codec.subjects(piece)));
        let replaced = self.replace(codec, pieces, &named);
        let waits = |unit: u32| {
            let earlier = replaced.iter().filter(|&&(waited, _)| waited == unit);
            let since = earlier.map(|&(_, since)| since).min();
            (unit, since.map_or(tick, |since| since.min(tick)))
        };
        let earlier = self.queue.len();
        let fresh = pieces.drain(..).zip(named.drain(..));
        self.queue.extend(fresh.map(|(command, units)| Waiting {
            command,
            given: tick,
            units: units.into_iter().map(waits).collect(),
        }));
        // Of equally long waits the order's own order stays. One by one: pieces are few, and the standard library's sort
        // is 5 kB of code for every game's orders.
        let fresh = &mut self.queue.make_contiguous()[earlier..];
        for from in 1..fresh.len() {
            let since = fresh[from].since();
            let to = fresh[..from].partition_point(|waiting| waiting.since() <= since);
            for at in (to..from).rev() {
                fresh.swap(at, at + 1);
            }
        }
        self.named = named;
        Ok(())
    }

    /// A resignation lands D ticks later, whatever waits. Saying it again changes nothing, however full the queue is.
    ///
    /// A full queue takes one order more: whoever may only resign must be able to.
    fn put_first<C: CommandCodec<Command = T>>(
        &mut self,
        codec: &C,
        pieces: &mut Vec<T>,
        tick: Tick,
    ) -> Result<(), QueueFull> {
        pieces.retain(|piece| self.queue.iter().all(|waiting| waiting.command != *piece));
        if !pieces.is_empty() && self.queue.len() > PENDING_MAX {
            return Err(QueueFull);
        }
        for command in pieces.drain(..).rev() {
            let units = codec.subjects(&command);
            let units = units.into_iter().map(|unit| (unit, tick)).collect();
            self.queue.push_front(Waiting {
                command,
                given: tick,
                units,
            });
        }
        Ok(())
    }

    /// Drops every queued command that the new order overrides outright, and says which units waited since when.
    ///
    /// From the newest back: what is dropped no longer stands between the new order and what came before it.
    fn replace<C: CommandCodec<Command = T>>(
        &mut self,
        codec: &C,
        pieces: &[T],
        named: &[Subjects],
    ) -> Vec<(u32, Tick)> {
        let mut replaced = Vec::new();
        let names = |unit: u32| named.iter().any(|units| units.contains(&unit));
        for at in (0..self.queue.len()).rev() {
            let older = &self.queue[at];
            let overridden = pieces
                .iter()
                .any(|piece| codec.overrides(piece, &older.command))
                && older.units.iter().all(|&(unit, _)| names(unit))
                && !self
                    .queue
                    .range(at + 1..)
                    .any(|between| between.names_any_of(older));
            if overridden {
                let dropped = self.queue.remove(at);
                replaced.extend(dropped.into_iter().flat_map(|dropped| dropped.units));
            }
        }
        replaced
    }

    pub(crate) fn front(&self) -> Option<&Waiting<T>> {
        self.queue.front()
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting<T>> {
        self.queue.pop_front()
    }

    pub(crate) fn commands(&self) -> impl Iterator<Item = &T> {
        self.queue.iter().map(|waiting| &waiting.command)
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }

    /// Since when the longest wait lasts.
    pub(crate) fn oldest(&self) -> Option<Tick> {
        self.queue.iter().map(Waiting::since).min()
    }
}

/// Writes `command` into `pieces` as it will be sent.
fn canonical_pieces<C: CommandCodec>(
    codec: &C,
    command: C::Command,
    pieces: &mut Vec<C::Command>,
) -> Result<(), GiveError> {
    codec.canonicalize(command, &mut |piece| pieces.push(piece))?;
    for piece in pieces {
        let bits = encoded_bits(codec, piece)?;
        if bits > COMMAND_BITS_MAX {
            return Err(NotEncodable::TooLong { bits }.into());
        }
    }
    Ok(())
}
