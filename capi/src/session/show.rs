//! A session's status as C is shown it. Knows no handle.

use crate::{
    session::{config::*, words::*},
    text::Text,
    words::*,
};
use core::{cmp::Ordering, time::Duration};
use match_feed::{
    EndReason,
    duel::{Score, Side},
};
use versus_lockstep::LockstepStatus;
use versus_pairing::{CatalogueError, Hint, PairingFailure, PairingPhase};
use versus_session::{
    MatchEnd, Overlay, PeerEnded, SessionEvent, SessionPhase, SessionStatus, Sync, Why,
};

fn ms(span: Duration) -> i32 {
    i32::try_from(span.as_millis()).unwrap_or(i32::MAX)
}

/// A status that says nothing yet.
pub(crate) fn blank(problem_text: &Text) -> duel_session_status {
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
        builds: [0; 2],
        peer_ended: DUEL_PEER_NONE,
        rematch_over: 0,
        tick: 0,
        pose_permille: 0,
        speed_permille: 1000,
        waiting: DUEL_WAIT_NONE,
        waiting_ms: 0,
        overlay: DUEL_OVERLAY_NONE,
        overlay_leave: 0,
        menu_leave: 0,
        resign_and_leave: 0,
        paused: 0,
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
        problem: DUEL_PROBLEM_NONE,
        problem_values: [0; 2],
        reserved: 0,
        problem_text: problem_text.as_ptr(),
    }
}

pub(crate) fn show_lobby(out: &mut duel_session_status, found: &SessionStatus, problem: &mut Text) {
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
            (out.problem, out.problem_values) = failure_word(why);
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
            out.problem = DUEL_PROBLEM_OTHER_VERSION;
            out.problem_values = [mismatch.own.build.into(), mismatch.theirs.build.into()];
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
        (out.problem, out.problem_values) = refusal_word(refused);
    }
    out.peer_ended = match found.peer_ended {
        None => DUEL_PEER_NONE,
        Some(PeerEnded::Left) => DUEL_PEER_LEFT,
        Some(PeerEnded::Ended) => DUEL_PEER_ENDED,
    };
}

fn failure_word(why: PairingFailure) -> (duel_problem, [i32; 2]) {
    match why {
        PairingFailure::OtherConfig { own, theirs } => {
            (DUEL_PROBLEM_OTHER_CONFIG, [own.into(), theirs.into()])
        }
        PairingFailure::WrongPick { own, named } => (
            DUEL_PROBLEM_WRONG_PICK,
            [pick_word(own), opener_word(named)],
        ),
        PairingFailure::ChangedPick { pick, committed } => (
            DUEL_PROBLEM_CHANGED_PICK,
            [opener_word(pick), opener_word(committed)],
        ),
        PairingFailure::BlockedPick { pick } => (DUEL_PROBLEM_BLOCKED_PICK, [opener_word(pick), 0]),
        _ => (DUEL_PROBLEM_OTHER, [0; 2]),
    }
}

fn refusal_word(why: CatalogueError) -> (duel_problem, [i32; 2]) {
    match why {
        CatalogueError::Map { index, count } => (DUEL_PROBLEM_NO_MAP, [index.into(), count.into()]),
        CatalogueError::Biome { biome, count } => {
            (DUEL_PROBLEM_NO_BIOME, [biome.into(), count.into()])
        }
        CatalogueError::Mutators { mask, count } => {
            (DUEL_PROBLEM_NO_MUTATOR, [mask.into(), count.into()])
        }
        CatalogueError::NoMap { map } => {
            let index = duel_map::of(map).index;
            (
                DUEL_PROBLEM_NO_MAP_SIZE,
                [i32::try_from(index).unwrap_or(i32::MAX), 0],
            )
        }
        _ => (DUEL_PROBLEM_OTHER, [0; 2]),
    }
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

pub(crate) fn show_match(out: &mut duel_session_status, found: &SessionStatus) {
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

pub(crate) fn show_end(out: &mut duel_session_status, end: Option<MatchEnd>, local: Option<Side>) {
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

/// An event in words, for a log.
pub(crate) fn event_text(event: &SessionEvent) -> Text {
    match event {
        SessionEvent::Phase(phase) => Text::of(format_args!("phase: {phase:?}")),
        SessionEvent::Waiting(Some(why)) => Text::of(format_args!("waiting: {why:?}")),
        SessionEvent::Waiting(None) => Text::of("going on"),
        SessionEvent::Mode(mode) => Text::of(format_args!("mode: {mode:?}")),
        SessionEvent::OrderRefused(error) => Text::of(format_args!("order refused: {error}")),
        SessionEvent::End(end) => Text::of(format_args!("end: {end:?}")),
        SessionEvent::PeerInLobby => Text::of("the peer is back in the lobby"),
        _ => Text::of("something that has no text"),
    }
}
