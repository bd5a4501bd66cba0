//! The reliable lane of one direction of a simulated link: segments one after another, repeated until they arrive.
//! Knows the link below it, and no peers.

use super::{link::Link, pool::Pool};
use crate::{Lane, RELIABLE_BYTES_MAX};
use alloc::{collections::VecDeque, vec::Vec};

/// What one direction holds at most of messages that have not arrived, in bytes: two of the longest.
const HELD_BYTES_MAX: usize = 2 * RELIABLE_BYTES_MAX;
/// And in messages: the short ones cost too.
const HELD_MAX: usize = 256;
/// What one segment carries, in bytes.
const SEGMENT_BYTES: usize = 1_180;
/// The shortest wait before a segment is sent again.
pub(super) const RETRY_US_MIN: u64 = 20_000;
/// A fast message over a stream is dropped when it has waited this long for its turn.
const STALE_US: u64 = 250_000;

#[derive(Debug)]
pub(super) struct ReliableLane {
    waiting: VecDeque<Waiting>,
    /// What has left but not arrived: when it does, and its length.
    flying: VecDeque<(u64, usize)>,
    /// Bytes of both.
    held_bytes: usize,
    /// The last message was refused: its sender waits for room.
    refused: bool,
    /// Nothing is sent before: the link was out when it was tried.
    blocked_until_us: u64,
    /// When the newest message that has left arrives: none after it arrives earlier.
    arrived_us: u64,
}

#[derive(Debug)]
struct Waiting {
    lane: Lane,
    since_us: u64,
    bytes: Vec<u8>,
    /// How much of it has left.
    left: usize,
    /// When the last of what has left arrives.
    arrives_us: u64,
}

impl Default for ReliableLane {
    fn default() -> Self {
        Self {
            waiting: VecDeque::with_capacity(HELD_MAX),
            flying: VecDeque::with_capacity(HELD_MAX),
            held_bytes: 0,
            refused: false,
            blocked_until_us: 0,
            arrived_us: 0,
        }
    }
}

impl ReliableLane {
    /// Takes a message, or says that there is no room.
    pub fn push(&mut self, now_us: u64, lane: Lane, bytes: &[u8], pool: &mut Pool) -> bool {
        while let Some((_, length)) = self.flying.front().filter(|flying| flying.0 <= now_us) {
            self.held_bytes -= length;
            self.flying.pop_front();
        }
        let held = self.waiting.len() + self.flying.len();
        let room = held < HELD_MAX
            && self.held_bytes + bytes.len() <= HELD_BYTES_MAX
            && (lane == Lane::Reliable || self.waiting.is_empty());
        self.refused = !room;
        if room {
            self.held_bytes += bytes.len();
            self.waiting.push_back(Waiting {
                lane,
                since_us: now_us,
                bytes: pool.take(bytes),
                left: 0,
                arrives_us: 0,
            });
        }
        room
    }

    pub fn clear(&mut self, pool: &mut Pool) {
        for waiting in self.waiting.drain(..) {
            pool.give_back(waiting.bytes);
        }
        self.flying.clear();
        self.held_bytes = 0;
    }

    /// When the next segment may go, if any waits.
    pub fn next_us(&self, link: &Link) -> Option<u64> {
        let first = self.waiting.front()?;
        Some(
            first
                .since_us
                .max(link.free_at_us())
                .max(self.blocked_until_us),
        )
    }

    /// When there may be room again for what was refused.
    pub fn room_us(&self) -> Option<u64> {
        let first = self.flying.front().filter(|_| self.refused)?;
        Some(first.0)
    }

    /// Sends until `now_us`: the next message that has all left, and when it arrives.
    pub fn run(
        &mut self,
        now_us: u64,
        link: &mut Link,
        back_us: u64,
        pool: &mut Pool,
    ) -> Option<(u64, Lane, Vec<u8>)> {
        // What a lane learns of a loss by: a round trip and some patience.
        let retry_us = (link.config.latency_us + back_us) * 3 / 2 + RETRY_US_MIN;
        while let Some(at_us) = self.next_us(link).filter(|at_us| *at_us <= now_us) {
            let first = self.waiting.front_mut()?;
            if first.lane == Lane::Fast && at_us - first.since_us > STALE_US {
                self.drop_first(pool);
                continue;
            }
            if link.is_out(at_us) {
                self.blocked_until_us = at_us + retry_us;
                continue;
            }
            let length = (first.bytes.len() - first.left).min(SEGMENT_BYTES);
            first.arrives_us = first.arrives_us.max(link.segment(at_us, length, retry_us));
            first.left += length;
            if first.left == first.bytes.len() {
                let first = self.waiting.pop_front()?;
                self.arrived_us = self.arrived_us.max(first.arrives_us);
                self.flying.push_back((self.arrived_us, first.bytes.len()));
                return Some((self.arrived_us, first.lane, first.bytes));
            }
        }
        None
    }

    fn drop_first(&mut self, pool: &mut Pool) {
        if let Some(first) = self.waiting.pop_front() {
            self.held_bytes -= first.bytes.len();
            pool.give_back(first.bytes);
        }
    }
}
