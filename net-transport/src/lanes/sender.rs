//! The sending half of the reliable lane: chunks, their repetition by measured round trip, and their pace. Knows no
//! datagram's layout.

use super::{CHUNK_BYTES_MAX, WINDOW_CHUNKS};
use crate::{NetTime, RELIABLE_BYTES_MAX};
use alloc::{collections::VecDeque, vec::Vec};

/// What waits and is under way together, at most: two of the longest messages.
const HELD_BYTES_MAX: usize = 2 * RELIABLE_BYTES_MAX;
/// And in chunks, since short messages cost one each.
const HELD_CHUNKS_MAX: usize = 512;
const _: () = assert!(RELIABLE_BYTES_MAX.div_ceil(CHUNK_BYTES_MAX) < HELD_CHUNKS_MAX);
/// How much longer than on an idle link a round trip may take before the sender slows down: what the fast lane is
/// made to wait at a bottleneck, at most about. (LEDBAT, RFC 6817, allows 100 ms: too long for a game.)
const QUEUEING_TARGET_US: u64 = 20_000;
/// The idle link's round trip is the shortest of the last one to two stretches of this length.
const BASE_STRETCH_US: u64 = 10_000_000;
const ROUND_TRIP_UNKNOWN_US: u64 = 100_000;
const TIMEOUT_US_MIN: u64 = 20_000;
const TIMEOUT_US_MAX: u64 = 1_000_000;
/// Chunks under way at the start, at least after a timeout, and at least after other loss: a lossy radio is no
/// congestion, and a game's message is short.
const WINDOW_START: f32 = 10.0;
const WINDOW_MIN: f32 = 4.0;
const WINDOW_LOSSY: f32 = 8.0;
/// A host that comes by rarely may make up for this much time at once.
const CATCH_UP_US: u64 = 20_000;

#[derive(Clone, Copy, Debug)]
struct Chunk {
    length: usize,
    last: bool,
    sent_at: NetTime,
    tries: u32,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Waits,
    Flies,
    Lost,
    Arrived,
}

#[derive(Debug)]
pub(super) struct Sender {
    bytes: VecDeque<u8>,
    chunks: VecDeque<Chunk>,
    /// The number of the first chunk.
    base: u32,
    flying: u32,
    window: f32,
    slow_start: bool,
    slowed_at: NetTime,
    next_at: NetTime,
    smooth_us: Option<u64>,
    deviation_us: u64,
    backoff: u32,
    base_us: [u64; 2],
    base_since: NetTime,
    recent_us: [u64; 4],
}

/// A chunk to be sent now.
pub(super) struct Outgoing {
    pub number: u32,
    pub last: bool,
}

impl Sender {
    pub fn new() -> Self {
        Self {
            bytes: VecDeque::new(),
            chunks: VecDeque::new(),
            base: 0,
            flying: 0,
            window: WINDOW_START,
            slow_start: true,
            slowed_at: NetTime::ZERO,
            next_at: NetTime::ZERO,
            smooth_us: None,
            deviation_us: 0,
            backoff: 0,
            base_us: [u64::MAX; 2],
            base_since: NetTime::ZERO,
            recent_us: [u64::MAX; 4],
        }
    }

    /// Takes a message, or says that there is no room.
    pub fn push(&mut self, message: &[u8]) -> bool {
        let chunks = message.len().div_ceil(CHUNK_BYTES_MAX).max(1);
        let numbers_left = (u32::MAX - self.base) as usize;
        if self.bytes.len() + message.len() > HELD_BYTES_MAX
            || self.chunks.len() + chunks > HELD_CHUNKS_MAX.min(numbers_left)
        {
            return false;
        }
        self.bytes.extend(message);
        for at in 0..chunks {
            self.chunks.push_back(Chunk {
                length: (message.len() - at * CHUNK_BYTES_MAX).min(CHUNK_BYTES_MAX),
                last: at + 1 == chunks,
                sent_at: NetTime::ZERO,
                tries: 0,
                state: State::Waits,
            });
        }
        true
    }

    /// The smoothed round trip, once measured.
    pub fn round_trip_us(&self) -> Option<u64> {
        self.smooth_us
    }

    fn timeout_us(&self) -> u64 {
        let round_us = self
            .smooth_us
            .map_or(ROUND_TRIP_UNKNOWN_US * 2, |smooth_us| {
                smooth_us + 4 * self.deviation_us
            });
        (round_us.max(TIMEOUT_US_MIN) << self.backoff.min(6)).min(TIMEOUT_US_MAX)
    }

    /// When something is to be sent, or judged lost.
    pub fn next_wake(&self) -> Option<NetTime> {
        let ready = self.next_ready().map(|_| self.next_at);
        let timeout = self
            .oldest_flying()
            .map(|sent_at| sent_at.plus(self.timeout_us()));
        ready.into_iter().chain(timeout).min()
    }

    fn oldest_flying(&self) -> Option<NetTime> {
        let flies = self
            .window_chunks()
            .filter(|(_, chunk)| chunk.state == State::Flies);
        flies.map(|(_, chunk)| chunk.sent_at).min()
    }

    fn window_chunks(&self) -> impl Iterator<Item = (usize, &Chunk)> {
        self.chunks.iter().enumerate().take(WINDOW_CHUNKS as usize)
    }

    /// The first chunk that may go: a lost one before a new one.
    fn next_ready(&self) -> Option<usize> {
        if self.flying as f32 >= self.window {
            return None;
        }
        let first = |state| {
            self.window_chunks()
                .find(|(_, chunk)| chunk.state == state)
                .map(|(at, _)| at)
        };
        first(State::Lost).or_else(|| first(State::Waits))
    }

    /// The next chunk to send, its bytes in `out`. Runs over at most [`WINDOW_CHUNKS`] chunks.
    pub fn poll(&mut self, now: NetTime, out: &mut Vec<u8>) -> Option<Outgoing> {
        self.judge_timeouts(now);
        let at = self.next_ready()?;
        if now < self.next_at {
            return None;
        }
        let apart_us = self.smooth_us.unwrap_or(ROUND_TRIP_UNKNOWN_US) as f32 * 0.8 / self.window;
        let earliest = NetTime::from_us(now.as_us().saturating_sub(CATCH_UP_US));
        self.next_at = self.next_at.max(earliest).plus(apart_us as u64);
        let start: usize = self.chunks.iter().take(at).map(|chunk| chunk.length).sum();
        let chunk = &mut self.chunks[at];
        chunk.state = State::Flies;
        chunk.sent_at = now;
        chunk.tries += 1;
        self.flying += 1;
        out.clear();
        out.extend(self.bytes.range(start..start + chunk.length));
        Some(Outgoing {
            number: self.base + at as u32,
            last: chunk.last,
        })
    }

    fn judge_timeouts(&mut self, now: NetTime) {
        let Some(oldest) = self.oldest_flying() else {
            return;
        };
        if now < oldest.plus(self.timeout_us()) {
            return;
        }
        for chunk in self.chunks.iter_mut().take(WINDOW_CHUNKS as usize) {
            if chunk.state == State::Flies {
                chunk.state = State::Lost;
            }
        }
        self.flying = 0;
        self.backoff += 1;
        self.window = WINDOW_MIN;
        self.slow_start = false;
    }

    /// The peer says what has arrived. Old and impossible acknowledgements change nothing.
    pub fn handle_ack(&mut self, now: NetTime, next: u32, beyond: u64) {
        let Some(past) = next.checked_sub(self.base) else {
            return;
        };
        let sent = self
            .chunks
            .iter()
            .take_while(|chunk| chunk.tries > 0)
            .count();
        if past as usize > sent {
            return;
        }
        let named = |at: usize| match (at as u32).checked_sub(past) {
            None => true,
            Some(0) => false,
            Some(over) => over <= 64 && beyond >> (over - 1) & 1 == 1,
        };
        let mut newest: Option<Chunk> = None;
        let mut arrived = 0_u32;
        for (at, chunk) in self.chunks.iter_mut().enumerate().take(sent) {
            if chunk.state == State::Arrived || !named(at) {
                continue;
            }
            self.flying -= u32::from(chunk.state == State::Flies);
            chunk.state = State::Arrived;
            arrived += 1;
            if newest.is_none_or(|newest| newest.sent_at < chunk.sent_at) {
                newest = Some(*chunk);
            }
        }
        while self
            .chunks
            .front()
            .is_some_and(|chunk| chunk.state == State::Arrived)
        {
            let Some(chunk) = self.chunks.pop_front() else {
                break;
            };
            self.bytes.drain(..chunk.length);
            self.base += 1;
        }
        let Some(newest) = newest else { return };
        self.backoff = 0;
        // Karn: what was sent twice tells no round trip.
        if newest.tries == 1 {
            self.measure(now, now.since(newest.sent_at));
        }
        self.grow(arrived);
        self.judge_overtaken(now, newest.sent_at);
    }

    /// What was sent well before something that has arrived is lost (RACK, RFC 8985).
    fn judge_overtaken(&mut self, now: NetTime, newest: NetTime) {
        let patience_us = self.smooth_us.unwrap_or(ROUND_TRIP_UNKNOWN_US) / 4;
        let mut lost = 0;
        for chunk in self.chunks.iter_mut().take(WINDOW_CHUNKS as usize) {
            if chunk.state == State::Flies && newest.since(chunk.sent_at) > patience_us {
                chunk.state = State::Lost;
                lost += 1;
            }
        }
        self.flying -= lost;
        let round_us = self.smooth_us.unwrap_or(ROUND_TRIP_UNKNOWN_US);
        if lost > 0 && now.since(self.slowed_at) > round_us {
            self.slowed_at = now;
            self.slow_start = false;
            self.window = (self.window * 0.7).max(WINDOW_LOSSY.min(self.window));
        }
    }

    fn measure(&mut self, now: NetTime, sample_us: u64) {
        match self.smooth_us {
            None => {
                self.smooth_us = Some(sample_us);
                self.deviation_us = sample_us / 2;
            }
            Some(smooth_us) => {
                self.deviation_us = (3 * self.deviation_us + smooth_us.abs_diff(sample_us)) / 4;
                self.smooth_us = Some((7 * smooth_us + sample_us) / 8);
            }
        }
        if now.since(self.base_since) > BASE_STRETCH_US {
            self.base_us = [u64::MAX, self.base_us[0]];
            self.base_since = now;
        }
        self.base_us[0] = self.base_us[0].min(sample_us);
        self.recent_us.rotate_left(1);
        self.recent_us[3] = sample_us;
    }

    /// Congestion is a queue at the bottleneck: the window grows while there is none, and shrinks when there is.
    fn grow(&mut self, arrived: u32) {
        let least = |all: &[u64]| all.iter().copied().min().unwrap_or(u64::MAX);
        let queueing_us = least(&self.recent_us)
            .saturating_sub(least(&self.base_us))
            .min(10 * QUEUEING_TARGET_US);
        let arrived = arrived as f32;
        if self.slow_start && queueing_us < QUEUEING_TARGET_US / 2 {
            self.window += arrived;
        } else {
            self.slow_start = false;
            let off = 1.0 - queueing_us as f32 / QUEUEING_TARGET_US as f32;
            self.window += off.max(-2.0) * arrived / self.window;
        }
        self.window = self.window.clamp(WINDOW_MIN, WINDOW_CHUNKS as f32);
    }
}
