//! What a session knows of one other member, and what it owes it.

use crate::{
    event::Cause,
    probe::{Losses, RoundTrips},
    wire::{ByeReason, HashReport, Key, NO_FRAME, Promise, Ready, Role, SEATS_MAX, View},
};
use net_transport::{NetTime, PeerId};

/// Hash reports of one member that wait for this end's own.
const REPORTS: usize = 4;

/// How far a member that is no player has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guest {
    /// It is none, or has not asked.
    No,
    /// Wants a snapshot. `seats` as in `Ask`.
    Waits,
    /// Is sent the snapshot: the next byte to send, the first that it lacks, and when that last changed.
    Loads {
        sent: u32,
        acked: u32,
        moved: NetTime,
    },
    /// Has the snapshot, and is fed inputs.
    Fed,
    /// Has caught up and is to come in.
    Ready,
}

/// One other member.
#[derive(Debug)]
pub(crate) struct Link {
    /// Where its messages come from.
    pub(crate) peer: Option<PeerId>,
    pub(crate) role: Role,
    /// Seats it said to have or to want.
    pub(crate) own: u8,
    pub(crate) nonce: u64,
    pub(crate) key: Option<Key>,
    /// It has shown that it knows this end's nonce.
    pub(crate) established: bool,
    pub(crate) hello_at: NetTime,
    pub(crate) hello_due: bool,
    pub(crate) heard: NetTime,
    /// It is gone for this end, and why.
    pub(crate) gone: Option<Cause>,
    /// It said goodbye of its own.
    pub(crate) goodbye: bool,
    /// It is through with the match: has all hashes.
    pub(crate) done: bool,

    // The start.
    pub(crate) pong_due: Option<u8>,
    pub(crate) ping_at: NetTime,
    pub(crate) ready: Option<Ready>,
    pub(crate) ready_heard: bool,
    pub(crate) ready_at: NetTime,
    pub(crate) start_at: NetTime,
    /// It has sent inputs: it has begun.
    pub(crate) started: bool,

    // Inputs.
    /// The first frame of each seat that it lacks, as it said; `NO_FRAME`: it said nothing yet.
    pub(crate) acked: [u32; SEATS_MAX],
    /// Where the next packet goes on when one does not hold everything.
    pub(crate) cursor: [u32; SEATS_MAX],
    pub(crate) next_id: u8,
    pub(crate) send_at: NetTime,
    /// Of a window that goes twice, the second is still due.
    pub(crate) second_due: bool,
    pub(crate) probe_at: NetTime,
    pub(crate) echo_due: Option<(u8, NetTime)>,
    pub(crate) trips: RoundTrips,
    pub(crate) losses: Losses,
    /// What it said of this end's packets.
    pub(crate) its_loss: u8,
    pub(crate) its_bursts: bool,
    pub(crate) its_wish: u8,
    pub(crate) its_away: bool,
    /// Its next frame as of when.
    pub(crate) its_frame: Option<(u32, NetTime)>,
    /// How far this end is ahead of it, thousandths of a frame, smoothed.
    pub(crate) gap_permille: Option<i64>,
    /// This end's own half of that.
    pub(crate) ahead_permille: i64,

    // Hashes.
    pub(crate) reports: [Option<HashReport>; REPORTS],
    /// The newest frame whose hash both hold alike.
    pub(crate) agreed: u32,
    /// The first frame whose hash they hold differently, and since when that is known. For ends without a seat.
    pub(crate) differs: Option<(u32, NetTime)>,
    /// The newest frame whose hash it has surely got.
    pub(crate) told: u32,
    /// Packet ids that carried a report, and the frame of the report.
    pub(crate) telling: [Option<(u8, u32)>; 8],
    pub(crate) telling_at: usize,
    pub(crate) parts_at: NetTime,
    pub(crate) has_parts: bool,

    // Members.
    pub(crate) view: Option<View>,
    pub(crate) epoch: u32,
    pub(crate) promise: Option<Promise>,
    pub(crate) promise_due: bool,
    pub(crate) view_due: bool,
    pub(crate) member_at: NetTime,
    pub(crate) bye: ByeReason,
    pub(crate) bye_left: u8,

    // Joining.
    pub(crate) guest: Guest,
    pub(crate) asked: u8,
    pub(crate) chunk_ack_due: bool,
    pub(crate) chunk_at: NetTime,
}

impl Link {
    pub(crate) fn new() -> Self {
        Self {
            peer: None,
            role: Role::Player,
            own: 0,
            nonce: 0,
            key: None,
            established: false,
            hello_at: NetTime::ZERO,
            hello_due: false,
            heard: NetTime::ZERO,
            gone: None,
            goodbye: false,
            done: false,
            pong_due: None,
            ping_at: NetTime::ZERO,
            ready: None,
            ready_heard: false,
            ready_at: NetTime::ZERO,
            start_at: NetTime::ZERO,
            started: false,
            acked: [NO_FRAME; SEATS_MAX],
            cursor: [0; SEATS_MAX],
            next_id: 0,
            send_at: NetTime::ZERO,
            second_due: false,
            probe_at: NetTime::ZERO,
            echo_due: None,
            trips: RoundTrips::default(),
            losses: Losses::default(),
            its_loss: 0,
            its_bursts: false,
            its_wish: 0,
            its_away: false,
            its_frame: None,
            gap_permille: None,
            ahead_permille: 0,
            reports: [None; REPORTS],
            agreed: 0,
            differs: None,
            told: 0,
            telling: [None; 8],
            telling_at: 0,
            parts_at: NetTime::ZERO,
            has_parts: false,
            view: None,
            epoch: 0,
            promise: None,
            promise_due: false,
            view_due: false,
            member_at: NetTime::ZERO,
            bye: ByeReason::Quit,
            bye_left: 0,
            guest: Guest::No,
            asked: 0,
            chunk_ack_due: false,
            chunk_at: NetTime::ZERO,
        }
    }

    /// It can be sent sealed messages.
    pub(crate) const fn talks(&self) -> bool {
        self.peer.is_some() && self.key.is_some() && self.gone.is_none()
    }

    /// Its hash of the last frame is this end's: it came, or the member is through, which it only is with everybody's hash
    /// like its own.
    pub(crate) const fn holds(&self, end: u32) -> bool {
        self.done || self.agreed >= end
    }

    /// Much of what this end sends is lost: windows go twice.
    pub(crate) const fn is_bad(&self) -> bool {
        self.its_loss > 15 || self.its_bursts
    }

    /// Keeps a hash report until this end has its own.
    pub(crate) fn report(&mut self, report: HashReport) {
        if self
            .reports
            .iter()
            .flatten()
            .any(|it| it.frame == report.frame)
        {
            return;
        }
        let oldest = self
            .reports
            .iter_mut()
            .min_by_key(|it| it.map_or(0, |it| u64::from(it.frame) + 1));
        if let Some(oldest) = oldest {
            *oldest = Some(report);
        }
    }
}
