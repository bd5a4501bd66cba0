//! The frames a phone keeps on the air: one per segment, rebuilt when something they say has changed.

use crate::{
    End, FrameTurn, GameFrame, TrailMark,
    fit::{ack_bounds, tick_lag_bounds},
    window::{SEGMENTS_MAX, Segment, Window},
};
use bitvec::{array::BitArray, order::Msb0};
use link_transport::{FRAME_BITS_MAX, FrameBits, OutFrame};
use match_feed::{Tick, duel::InputDelay};
use versus_codec::{BitWriter, EncodeError};

/// What every frame of a list says alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    pub(crate) delay: InputDelay,
    pub(crate) capacity_bits: usize,
    pub(crate) paused: bool,
    pub(crate) end: End,
    pub(crate) rxq: u8,
    pub(crate) tick: Tick,
    pub(crate) ack_through: u32,
    pub(crate) checkpoint: Option<TrailMark>,
}

/// One frame per segment of `window`, or the oldest segment's alone, with ascending keys.
pub(crate) fn build(
    window: &Window,
    heading: &Heading,
    oldest_alone: bool,
) -> heapless::Vec<OutFrame, SEGMENTS_MAX> {
    let segments = window.segments();
    let listed = if oldest_alone { 1 } else { segments.len() };
    let newest = segments.len() - 1;
    let frame_of = |(at, &segment): (usize, &Segment)| OutFrame {
        bits: build_one(window, heading, segment, at == newest),
        key: segment.key,
        keyed: true,
    };
    segments
        .iter()
        .enumerate()
        .take(listed)
        .map(frame_of)
        .collect()
}

fn build_one(window: &Window, heading: &Heading, segment: Segment, newest: bool) -> FrameBits {
    let (from, to) = window.described(segment);
    // No phone steps a turn past the one that decided its world: they are described as empty.
    let last_turn = match heading.end {
        End::Decided(report) => report.tick.0,
        _ => u32::MAX,
    };
    let turns = window
        .with_commands(from, to.min(last_turn))
        .map(|(turn, held)| FrameTurn {
            turn,
            commands: held.commands(),
            bits: held.bits(),
        })
        .collect();
    let lag = clamp(
        i64::from(to) - i64::from(heading.tick.0),
        tick_lag_bounds(heading.delay),
    );
    let ack = clamp(
        i64::from(heading.ack_through) - i64::from(to),
        ack_bounds(heading.delay),
    );
    let frame = GameFrame {
        paused: heading.paused,
        end: End::Playing,
        rxq: heading.rxq,
        from,
        to,
        tick: Tick((i64::from(to) - lag).max(0) as u32),
        ack_through: (i64::from(to) + ack).max(0) as u32,
        turns,
        checkpoint: None,
    };
    // The report rides in the newest segment's frame alone; `left` and `desync` ride in every one.
    let (end, without_report) = match heading.end {
        End::Decided(_) if newest => (heading.end, End::Playing),
        End::Decided(_) => (End::Playing, End::Playing),
        other => (other, other),
    };
    // What gives way, in this order: the checkpoint, then the end report. The turns come first.
    let built = [
        (end, heading.checkpoint),
        (end, None),
        (without_report, heading.checkpoint),
        (without_report, None),
    ]
    .into_iter()
    .find_map(|(end, checkpoint)| {
        let frame = GameFrame {
            end,
            checkpoint,
            ..frame.clone()
        };
        encoded(&frame, heading.capacity_bits).ok()
    });
    debug_assert!(
        built.is_some(),
        "the window rule let through what does not fit: {frame:?}"
    );
    built.unwrap_or(FrameBits::EMPTY)
}

fn encoded(frame: &GameFrame<'_>, capacity_bits: usize) -> Result<FrameBits, EncodeError> {
    let mut bits = BitArray::<[u8; FRAME_BITS_MAX / 8], Msb0>::ZERO;
    let mut out = BitWriter::new(&mut bits[..capacity_bits]);
    frame.encode(&mut out)?;
    let len = out.len();
    FrameBits::from_bitslice(&bits[..len]).ok_or(EncodeError::Full {
        capacity: FRAME_BITS_MAX,
    })
}

fn clamp(value: i64, (low, high): (i64, i64)) -> i64 {
    value.clamp(low, high)
}
