//! Match level: where a session stands
//!
//! The words and the structure of the next section. Numbers that are not known are -1, floats not a number.

use crate::{session::config::duel_map, sized::sized};
use core::ffi::c_char;
use link_transport::RXQ_MAX;

/// The best `rx_quality`.
pub const DUEL_RX_QUALITY_MAX: i32 = 7;
const _: () = assert!(DUEL_RX_QUALITY_MAX == RXQ_MAX as i32);

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
/// This phone gave up, `problem` says why: offer `duel_session_retry`.
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

/// What is wrong with the pairing or the offer: `DUEL_PROBLEM_…`. Two numbers go with it: `problem_values`.
pub type duel_problem = i32;
/// Nothing.
pub const DUEL_PROBLEM_NONE: i32 = 0;
/// The peer starts another match than this phone: this phone's digest of it, and the peer's.
pub const DUEL_PROBLEM_OTHER_CONFIG: i32 = 1;
/// The peer has another pick of this phone's than it made: this phone's, and what the peer says. Picks as in `own_pick`.
pub const DUEL_PROBLEM_WRONG_PICK: i32 = 2;
/// The peer changed its pick: what it is now, and what it was.
pub const DUEL_PROBLEM_CHANGED_PICK: i32 = 3;
/// The peer's pick is not one it may make: the pick, and 0.
pub const DUEL_PROBLEM_BLOCKED_PICK: i32 = 4;
/// The phones run different versions of the game: this phone's build, and the peer's.
pub const DUEL_PROBLEM_OTHER_VERSION: i32 = 5;
/// A hand-made map is offered that this phone's catalogue does not hold: its index, and how many there are.
pub const DUEL_PROBLEM_NO_MAP: i32 = 6;
/// A kind of random map that it does not hold: its index, and how many there are.
pub const DUEL_PROBLEM_NO_BIOME: i32 = 7;
/// A mutator that it does not hold: the mask, and how many there are.
pub const DUEL_PROBLEM_NO_MUTATOR: i32 = 8;
/// A map that it counts but has no size for: its index, and 0.
pub const DUEL_PROBLEM_NO_MAP_SIZE: i32 = 9;
/// Something else that went wrong; both numbers are 0.
pub const DUEL_PROBLEM_OTHER: i32 = 10;

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
    /// How well this phone hears its peer, 0 to `DUEL_RX_QUALITY_MAX` in steps of 3 dB.
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
    /// 1: the host offers what this phone's catalogue does not hold; `problem` names it.
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

    /// Why the pairing failed, or what is wrong with the offer, `DUEL_PROBLEM_…`.
    pub problem: i32,
    /// The two numbers that it speaks of.
    pub problem_values: [i32; 2],
    /// Zero.
    pub reserved: i32,
    /// The same in English; empty if nothing is wrong. In the session, until its next call.
    pub problem_text: *const c_char,
    /// When something will be due that no packet has to bring, or -1. Pump at least every 50 ms besides.
    pub next_wake_us: i64,
}

sized! {
    duel_session_status to next_wake_us;
}
