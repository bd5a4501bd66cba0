//! Match level: what to show
//!
//! One structure for the lobby, the head-up display and the end. Numbers that are not known are -1, floats not a number.

#[cfg(feature = "skirmish")]
use crate::session::any_session::Duel;
use crate::{
    session::any_session::{AnySession, live, pick_word},
    session::{duel_map, duel_session},
    sized::{self, sized},
    status::*,
    text::Text,
    words::*,
};
use core::{cmp::Ordering, ffi::c_char, time::Duration};
use link_transport::LinkTime;
use match_feed::{
    EndReason,
    duel::{Score, Side},
};
use versus_lockstep::LockstepStatus;
use versus_pairing::{Hint, PairingPhase};
use versus_session::{MatchEnd, Overlay, PeerEnded, SessionPhase, SessionStatus, Sync, Why};

/// Where a session stands: `DUEL_PHASE_…`.
pub type duel_phase = i32;
/// Pairing: see `pairing`.
pub const DUEL_PHASE_LOBBY: i32 = 0;
/// A match is agreed: build the game and begin.
pub const DUEL_PHASE_READY: i32 = 1;
/// The match runs.
pub const DUEL_PHASE_PLAYING: i32 = 2;
/// The match has ended; its report is on the air.
pub const DUEL_PHASE_OVER: i32 = 3;
/// This phone is saying goodbye.
pub const DUEL_PHASE_LEAVING: i32 = 4;
/// The link is closed.
pub const DUEL_PHASE_CLOSED: i32 = 5;

/// Where a pairing stands: `DUEL_PAIRING_…`.
pub type duel_pairing = i32;
/// Nobody heard yet.
pub const DUEL_PAIRING_LISTENING: i32 = 0;
/// A peer is heard: the link is being measured, the match agreed.
pub const DUEL_PAIRING_MEASURING: i32 = 1;
/// The match is agreed but for the openers: `duel_session_pick`, within `pick_left_ms`.
pub const DUEL_PAIRING_PICKING: i32 = 2;
/// This phone has picked; its peer has not, as far as is known.
pub const DUEL_PAIRING_PICKED: i32 = 3;
/// GO is on the air.
pub const DUEL_PAIRING_GOING: i32 = 4;
/// Agreed: the match can begin.
pub const DUEL_PAIRING_STARTED: i32 = 5;
/// This phone gave up, `problem_text` says why: offer `duel_session_retry`.
pub const DUEL_PAIRING_FAILED: i32 = 6;
/// The phones run different software: update both.
pub const DUEL_PAIRING_OTHER_VERSION: i32 = 7;

/// What to tell a player whose phone hears nothing: `DUEL_HINT_…`.
pub type duel_hint = i32;
/// Nothing yet.
pub const DUEL_HINT_NONE: i32 = 0;
/// One phone hosts, the other joins: offer to switch.
pub const DUEL_HINT_SWITCH_ROLE: i32 = 1;
/// Tips about volume, distance and headphones.
pub const DUEL_HINT_TIPS: i32 = 2;

/// Why the next tick has to wait: `DUEL_WAIT_…`.
pub type duel_wait = i32;
/// It does not.
pub const DUEL_WAIT_NONE: i32 = 0;
/// The peer has not begun.
pub const DUEL_WAIT_LOAD: i32 = 1;
/// The peer is paused.
pub const DUEL_WAIT_PAUSED: i32 = 2;
/// The peer's turns do not get through.
pub const DUEL_WAIT_LINK: i32 = 3;

/// What to show over a match that waits: `DUEL_OVERLAY_…`.
pub type duel_overlay = i32;
/// Nothing.
pub const DUEL_OVERLAY_NONE: i32 = 0;
/// "Waiting for your peer…"
pub const DUEL_OVERLAY_WAITING: i32 = 1;
/// "Waiting for your peer to load…"
pub const DUEL_OVERLAY_LOADING: i32 = 2;
/// "Peer paused"
pub const DUEL_OVERLAY_PEER_PAUSED: i32 = 3;
/// "Signal lost: bring the phones closer"
pub const DUEL_OVERLAY_SIGNAL_LOST: i32 = 4;

/// How a match ended: `DUEL_END_…`.
pub type duel_end = i32;
/// It has not.
pub const DUEL_END_NONE: i32 = 0;
/// It was decided: `winner`, `resigned`, and `sync` for whether the peer came to the same.
pub const DUEL_END_DECIDED: i32 = 1;
/// The two worlds differ, found out after `end_tick` ticks: no contest.
pub const DUEL_END_DESYNC: i32 = 2;
/// The peer left: no result.
pub const DUEL_END_PEER_LEFT: i32 = 3;
/// This phone left: no result.
pub const DUEL_END_LEFT: i32 = 4;

/// Whether two phones that decided a match came to the same world: `DUEL_SYNC_…`.
pub type duel_sync = i32;
/// "Checking sync…": the peer's report is awaited.
pub const DUEL_SYNC_CHECKING: i32 = 0;
/// They did.
pub const DUEL_SYNC_IN_SYNC: i32 = 1;
/// The peer never said: "Not verified".
pub const DUEL_SYNC_NOT_VERIFIED: i32 = 2;

/// How a match counts for this phone: `DUEL_SCORE_…`.
pub type duel_score = i32;
/// Not at all yet.
pub const DUEL_SCORE_NONE: i32 = 0;
/// Won.
pub const DUEL_SCORE_WIN: i32 = 1;
/// Lost.
pub const DUEL_SCORE_LOSS: i32 = 2;
/// Drawn.
pub const DUEL_SCORE_DRAW: i32 = 3;
/// It ended without a result.
pub const DUEL_SCORE_ABANDONED: i32 = 4;
/// The worlds differed.
pub const DUEL_SCORE_NO_CONTEST: i32 = 5;

/// What the peer said before this phone began the match: `DUEL_PEER_…`.
pub type duel_peer = i32;
/// Nothing.
pub const DUEL_PEER_NONE: i32 = 0;
/// It left: do not begin.
pub const DUEL_PEER_LEFT: i32 = 1;
/// It found the worlds to differ, or its match is long decided.
pub const DUEL_PEER_ENDED: i32 = 2;

/// A session, to show. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_session_status {
    /// `sizeof(duel_session_status)`.
    pub struct_size: u32,
    /// Where it stands, `DUEL_PHASE_…`.
    pub phase: i32,

    /// Lobby: where the pairing stands, `DUEL_PAIRING_…`.
    pub pairing: i32,
    /// Lobby: time left to pick an opener, or -1.
    pub pick_left_ms: i32,
    /// Lobby: what to tell a player whose phone hears nothing, `DUEL_HINT_…`.
    pub hint: i32,
    /// Lobby: how long ago the peer was last heard, or -1.
    pub since_heard_ms: i32,
    /// Lobby: 1 if the peer was heard hearing this phone within 2 s.
    pub peer_hears_me: i32,
    /// How well this phone hears its peer, 0 to 7 in steps of 3 dB.
    pub rx_quality: i32,
    /// How well the peer says that it hears this phone, or -1.
    pub peer_rx_quality: i32,
    /// The round trip measured in the lobby, or -1.
    pub round_trip_us: i64,
    /// 1: `offer_…` is what the host offers, or what was agreed.
    pub offered: i32,
    /// Offered: the map.
    pub offer_map: duel_map,
    /// Offered: mutators, bit `i` for mutator `i`.
    pub offer_mutators: u32,
    /// Offered: the side the host plays, or -1.
    pub offer_host_side: i32,
    /// Offered: 1 if it starts in fast mode.
    pub offer_fast: i32,
    /// Agreed: how many ticks pass between giving an order and its being applied, or -1.
    pub delay_ticks: i32,
    /// Agreed: the side this phone plays, or -1.
    pub local_side: i32,
    /// Picking: this phone's pick, an opener, `DUEL_NO_OPENER`, or -1 for none yet.
    pub own_pick: i32,
    /// Picking: the peer's, once it is final, or -1.
    pub peer_pick: i32,
    /// 1: the host offers what this phone's catalogue does not hold; `problem_text` names it.
    pub offer_refused: i32,
    /// Other version: whose software is older: -1 this phone's, 1 the peer's, 0 unknown.
    pub version_age: i32,
    /// Other version: this phone's build and the peer's.
    pub builds: [u32; 2],
    /// What the peer said before this phone began, `DUEL_PEER_…`.
    pub peer_ended: i32,
    /// 1: a rematch's lobby has heard nothing for a minute: back to the menu.
    pub rematch_over: i32,

    /// Match: how many ticks have been stepped.
    pub tick: u32,
    /// Match: how far the pose is between the last tick and the next, in thousandths.
    pub pose_permille: u32,
    /// Match: how fast it runs, in thousandths.
    pub speed_permille: u32,
    /// Match: why the next tick waits, `DUEL_WAIT_…`.
    pub waiting: i32,
    /// Match: for how long.
    pub waiting_ms: u32,
    /// Match: what to show for it, `DUEL_OVERLAY_…`.
    pub overlay: i32,
    /// Match: 1 if the overlay offers to leave.
    pub overlay_leave: i32,
    /// Match: 1 if the pause menu offers to leave without a result.
    pub menu_leave: i32,
    /// Match: 1 if packets arrive: the way out is "Resign and leave".
    pub resign_and_leave: i32,
    /// Match: 1 if this phone is paused.
    pub paused: i32,
    /// Match: 1 if the peer says that it is.
    pub peer_paused: i32,
    /// Match: 1 if the player should be told that orders wait for the link: "Orders queued".
    pub orders_queued: i32,
    /// Match: pieces of orders that wait.
    pub orders_waiting: u32,
    /// Match: how long orders took on average, in ticks.
    pub order_delay_ticks: f32,
    /// Match: the longest an order took, in ticks.
    pub order_delay_max_ticks: u32,
    /// Match: ticks that had to wait.
    pub stalled_ticks: u32,
    /// Match: time that due ticks waited.
    pub stall_ms: u64,
    /// Match: of that, the time in which the peer neither loaded nor was paused.
    pub stall_by_link_ms: u64,
    /// Match: game frames of the peer's that made no sense.
    pub frames_refused: u32,
    /// The mode this phone asked its link to send in, `DUEL_MODE_…`.
    pub mode: i32,

    /// End: how, `DUEL_END_…`.
    pub end: i32,
    /// End: the winning side, or -1 for a draw.
    pub winner: i32,
    /// End: 1 if by resignation.
    pub resigned: i32,
    /// End: whether the peer came to the same, `DUEL_SYNC_…`.
    pub sync: i32,
    /// End: the tick after which the worlds were found to differ.
    pub end_tick: u32,
    /// End: 1 once nothing more will become known of it by waiting.
    pub settled: i32,
    /// End: how it counts for this phone, `DUEL_SCORE_…`.
    pub score: i32,
    /// End: 1 if the peer is back in the lobby: offer a rematch.
    pub peer_in_lobby: i32,
    /// 1: nothing more has to be said, and the link may be closed.
    pub closable: i32,

    /// Why the pairing failed, or what is wrong with the offer, in English; empty if nothing is. In the session, until its
    /// next call.
    pub problem_text: *const c_char,
    /// When something will be due that no packet has to bring, or -1. Pump at least every 50 ms besides.
    pub next_wake_us: i64,
}

sized! {
    duel_session_status to next_wake_us;
}

fn ms(span: Duration) -> i32 {
    i32::try_from(span.as_millis()).unwrap_or(i32::MAX)
}

/// How the session stands at `now_us`.
///
/// Thread: the game's.
/// Realtime: no.
/// Owns: nothing.
/// Since: ABI 1.
///
/// # Safety
/// `session` is NULL or a handle; `status` is NULL or one whose `struct_size` is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn duel_session_get_status(
    session: *mut duel_session,
    now_us: u64,
    status: *mut duel_session_status,
) -> duel_status {
    crate::handle::enter!(session, |this| {
        let now = time(now_us)?;
        let mut out = blank(this, now);
        #[cfg(feature = "skirmish")]
        if let Duel::Replay(playback) = &this.duel {
            out.phase = playback.phase();
            out.tick = playback.tick();
            out.pose_permille = playback.pose_permille();
            show_end(&mut out, playback.end(), None);
            // SAFETY: the caller's promise.
            unsafe { sized::write(status, &out) }?;
            return Ok(DUEL_OK);
        }
        let (found, tick, permille, wake) = live!(this, session => (
            session.status(now),
            session.tick(),
            session.permille(),
            session.next_wake(),
        ));
        show_lobby(&mut out, &found, &mut this.problem_text);
        show_match(&mut out, &found);
        show_end(&mut out, found.end, found.pairing.local_side);
        (out.tick, out.pose_permille) = (tick.0, permille);
        out.next_wake_us = wake.map_or(DUEL_NONE.into(), |at| at.as_us() as i64);
        out.problem_text = this.problem_text.as_ptr();
        // SAFETY: the caller's promise.
        unsafe { sized::write(status, &out) }?;
        Ok(DUEL_OK)
    })
}

/// A status that says nothing yet.
fn blank(this: &mut AnySession, now: LinkTime) -> duel_session_status {
    this.problem_text = Text::EMPTY;
    duel_session_status {
        struct_size: 0,
        phase: DUEL_PHASE_LOBBY,
        pairing: DUEL_PAIRING_STARTED,
        pick_left_ms: DUEL_NONE,
        hint: DUEL_HINT_NONE,
        since_heard_ms: DUEL_NONE,
        peer_hears_me: 0,
        rx_quality: 0,
        peer_rx_quality: DUEL_NONE,
        round_trip_us: DUEL_NONE.into(),
        offered: 0,
        offer_map: duel_map {
            random: 0,
            index: 0,
            seed: 0,
        },
        offer_mutators: 0,
        offer_host_side: DUEL_NONE,
        offer_fast: 0,
        delay_ticks: DUEL_NONE,
        local_side: DUEL_NONE,
        own_pick: DUEL_NONE,
        peer_pick: DUEL_NONE,
        offer_refused: 0,
        version_age: 0,
        builds: [this.options.build.into(), 0],
        peer_ended: DUEL_PEER_NONE,
        rematch_over: this.rematch_is_over(now).into(),
        tick: 0,
        pose_permille: 0,
        speed_permille: 1000,
        waiting: DUEL_WAIT_NONE,
        waiting_ms: 0,
        overlay: DUEL_OVERLAY_NONE,
        overlay_leave: 0,
        menu_leave: 0,
        resign_and_leave: 0,
        paused: this.paused.into(),
        peer_paused: 0,
        orders_queued: 0,
        orders_waiting: 0,
        order_delay_ticks: 0.0,
        order_delay_max_ticks: 0,
        stalled_ticks: 0,
        stall_ms: 0,
        stall_by_link_ms: 0,
        frames_refused: 0,
        mode: DUEL_MODE_ROBUST,
        end: DUEL_END_NONE,
        winner: DUEL_NONE,
        resigned: 0,
        sync: DUEL_SYNC_CHECKING,
        end_tick: 0,
        settled: 0,
        score: DUEL_SCORE_NONE,
        peer_in_lobby: 0,
        closable: 0,
        next_wake_us: DUEL_NONE.into(),
        problem_text: this.problem_text.as_ptr(),
    }
}

fn show_lobby(out: &mut duel_session_status, found: &SessionStatus, problem: &mut Text) {
    let pairing = &found.pairing;
    out.phase = phase_word(found.phase);
    out.pairing = match pairing.phase {
        PairingPhase::Listening => DUEL_PAIRING_LISTENING,
        PairingPhase::Measuring => DUEL_PAIRING_MEASURING,
        PairingPhase::Picking { left } => {
            out.pick_left_ms = ms(left);
            DUEL_PAIRING_PICKING
        }
        PairingPhase::Picked => DUEL_PAIRING_PICKED,
        PairingPhase::Going => DUEL_PAIRING_GOING,
        PairingPhase::Started => DUEL_PAIRING_STARTED,
        PairingPhase::Failed(why) => {
            problem.set(why);
            DUEL_PAIRING_FAILED
        }
        PairingPhase::OtherVersion(mismatch) => {
            out.version_age = match mismatch.age() {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            };
            out.builds = [mismatch.own.build.into(), mismatch.theirs.build.into()];
            problem.set("the phones run different versions of the game");
            DUEL_PAIRING_OTHER_VERSION
        }
        // The session draws a new nonce at its next pump.
        _ => DUEL_PAIRING_LISTENING,
    };
    out.hint = match pairing.hint {
        Hint::None => DUEL_HINT_NONE,
        Hint::SwitchRole => DUEL_HINT_SWITCH_ROLE,
        Hint::Tips => DUEL_HINT_TIPS,
    };
    out.since_heard_ms = pairing.since_heard.map_or(DUEL_NONE, ms);
    out.peer_hears_me = pairing.peer_hears_me.into();
    out.rx_quality = found.rxq.into();
    out.peer_rx_quality = found.peer_rxq.map_or(DUEL_NONE, i32::from);
    out.round_trip_us = found
        .round_trip
        .map_or(DUEL_NONE.into(), |span| span.as_micros() as i64);
    if let Some(config) = pairing.config {
        out.offered = 1;
        out.offer_map = duel_map::of(config.map);
        out.offer_mutators = config.mutators.into();
        out.offer_host_side = side_word(config.host_side);
        out.offer_fast = config.fast.into();
        out.delay_ticks = config.delay.ticks() as i32;
    }
    if let Some(delay) = found.delay {
        out.delay_ticks = delay.ticks() as i32;
    }
    out.local_side = pairing.local_side.map_or(DUEL_NONE, side_word);
    out.own_pick = pick_word(pairing.own_pick);
    out.peer_pick = pick_word(pairing.peer_pick);
    if let Some(refused) = pairing.refused {
        out.offer_refused = 1;
        problem.set(refused);
    }
    out.peer_ended = match found.peer_ended {
        None => DUEL_PEER_NONE,
        Some(PeerEnded::Left) => DUEL_PEER_LEFT,
        Some(PeerEnded::Ended) => DUEL_PEER_ENDED,
    };
}

pub(crate) fn phase_word(phase: SessionPhase) -> i32 {
    match phase {
        SessionPhase::Lobby => DUEL_PHASE_LOBBY,
        SessionPhase::Ready => DUEL_PHASE_READY,
        SessionPhase::Playing => DUEL_PHASE_PLAYING,
        SessionPhase::Over => DUEL_PHASE_OVER,
        SessionPhase::Leaving => DUEL_PHASE_LEAVING,
        SessionPhase::Closed => DUEL_PHASE_CLOSED,
    }
}

pub(crate) fn why_word(why: Option<Why>) -> i32 {
    match why {
        None => DUEL_WAIT_NONE,
        Some(Why::Load) => DUEL_WAIT_LOAD,
        Some(Why::Paused) => DUEL_WAIT_PAUSED,
        Some(Why::Link) => DUEL_WAIT_LINK,
    }
}

fn show_match(out: &mut duel_session_status, found: &SessionStatus) {
    out.speed_permille = found.speed_permille;
    out.waiting = why_word(found.waiting.map(|waiting| waiting.why));
    out.waiting_ms = found
        .waiting
        .map_or(0, |waiting| ms(waiting.time).unsigned_abs());
    out.overlay = match found.overlay {
        Overlay::None => DUEL_OVERLAY_NONE,
        Overlay::Waiting => DUEL_OVERLAY_WAITING,
        Overlay::Loading => DUEL_OVERLAY_LOADING,
        Overlay::PeerPaused => DUEL_OVERLAY_PEER_PAUSED,
        Overlay::SignalLost => DUEL_OVERLAY_SIGNAL_LOST,
    };
    out.overlay_leave = found.overlay_leave.into();
    out.menu_leave = found.menu_leave.into();
    out.resign_and_leave = found.resign_and_leave.into();
    if let Some(lockstep) = &found.lockstep {
        show_lockstep(out, lockstep);
    }
    out.stalled_ticks = found.stalled_ticks;
    out.stall_ms = found.stall.as_millis() as u64;
    out.stall_by_link_ms = found.stall_by_link.as_millis() as u64;
    out.frames_refused = found.frames_refused;
    out.mode = mode_word(found.mode);
    out.peer_in_lobby = found.peer_in_lobby.into();
    out.closable = found.closable.into();
}

fn show_lockstep(out: &mut duel_session_status, lockstep: &LockstepStatus) {
    out.paused = lockstep.paused.into();
    out.peer_paused = lockstep.peer_paused.into();
    out.orders_queued = lockstep.orders_queued().into();
    out.orders_waiting = lockstep.queued as u32;
    out.order_delay_ticks = lockstep.order_delay.mean_ticks() as f32;
    out.order_delay_max_ticks = lockstep.order_delay.max_ticks;
}

fn show_end(out: &mut duel_session_status, end: Option<MatchEnd>, local: Option<Side>) {
    let Some(end) = end else { return };
    out.end = end_word(&end);
    out.settled = end.is_settled().into();
    match end {
        MatchEnd::Decided { outcome, sync } => {
            out.winner = outcome.winner.map_or(DUEL_NONE, side_word);
            out.resigned = (outcome.reason == EndReason::Resign).into();
            out.sync = match sync {
                Sync::Checking => DUEL_SYNC_CHECKING,
                Sync::InSync => DUEL_SYNC_IN_SYNC,
                Sync::NotVerified => DUEL_SYNC_NOT_VERIFIED,
            };
        }
        MatchEnd::Desync { tick } => out.end_tick = tick.0,
        _ => {}
    }
    if let Some(local) = local {
        out.score = score_word(end.score(local));
    }
}

pub(crate) fn end_word(end: &MatchEnd) -> i32 {
    match end {
        MatchEnd::Decided { .. } => DUEL_END_DECIDED,
        MatchEnd::Desync { .. } => DUEL_END_DESYNC,
        MatchEnd::PeerLeft => DUEL_END_PEER_LEFT,
        _ => DUEL_END_LEFT,
    }
}

pub(crate) fn score_word(score: Score) -> i32 {
    match score {
        Score::Win => DUEL_SCORE_WIN,
        Score::Loss => DUEL_SCORE_LOSS,
        Score::Draw => DUEL_SCORE_DRAW,
        Score::Abandoned => DUEL_SCORE_ABANDONED,
        Score::NoContest => DUEL_SCORE_NO_CONTEST,
    }
}
