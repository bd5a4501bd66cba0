//! What a recorder collects, and what a record that was read has to hold.

use super::{RecordError, Recorded, SeatTurn};
use crate::{Order, SeatSet, Tick, WorldHash};
use alloc::vec::Vec;

#[derive(Clone, Debug)]
pub(crate) struct Log<C> {
    every: u32,
    pub(crate) turns: Vec<SeatTurn<C>>,
    pub(crate) hashes: Vec<(Tick, WorldHash)>,
    pub(crate) ticks: Tick,
}

impl<C: Clone> Log<C> {
    pub(crate) fn new(every: u32, start: WorldHash) -> Self {
        assert!(every > 0, "a hash is kept every so many ticks");
        Self {
            every,
            turns: Vec::new(),
            hashes: alloc::vec![(Tick(0), start)],
            ticks: Tick(0),
        }
    }

    pub(crate) fn stepped(&mut self, tick: Tick, orders: &[Order<C>], hash: WorldHash) {
        debug_assert_eq!(tick, self.ticks, "ticks are recorded in order");
        let seats: SeatSet = orders.iter().map(|order| order.seat).collect();
        for seat in seats.iter() {
            let of_seat = orders.iter().filter(|order| order.seat == seat);
            let commands = of_seat.map(|order| order.command.clone()).collect();
            self.turns.push(SeatTurn(tick, seat, commands));
        }
        self.ticks = tick.next();
        if self.ticks.0.is_multiple_of(self.every) {
            self.hashes.push((self.ticks, hash));
        }
    }
}

/// Refuses a record whose turns or hashes are out of order, or whose hashes do not go with its ticks.
pub(crate) fn check(record: &impl Recorded) -> Result<(), RecordError> {
    let (ticks, every) = (record.ticks(), record.hash_every());
    let mut last = None;
    for (tick, seat, _) in (0..).map_while(|nth| record.turn(nth)) {
        let this = Some((tick, seat));
        if this <= last || tick >= ticks {
            return Err(RecordError::Order {
                what: "turns",
                at: tick,
            });
        }
        last = this;
    }
    for (at, &(tick, _)) in (0..).zip(record.hashes()) {
        if u64::from(tick.0) != at * u64::from(every) {
            return Err(RecordError::Order {
                what: "hashes",
                at: tick,
            });
        }
    }
    // Without this a record cut short of hashes would prove less than it seems to.
    let (found, expected) = (record.hashes().len(), 1 + (ticks.0 / every) as usize);
    if found == expected {
        Ok(())
    } else {
        Err(RecordError::HashCount {
            found,
            expected,
            ticks,
        })
    }
}
