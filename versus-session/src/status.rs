//! What a lobby and a head-up display show of a session. Changes nothing.

use core::time::Duration;
use link_transport::{LinkStats, Mode};
use match_feed::{
    Tick,
    duel::{DuelOutcome, InputDelay, Score, Side},
};
use versus_lockstep::{GiveError, LockstepStatus, Verdict};
use versus_pairing::PairingStatus;

/// "Waiting for your peer…" after this long without a new turn. Source: the specification's "Stall overlays".
pub const WAITING_SHOWN: Duration = Duration::from_millis(500);
/// "Signal lost" after this long.
pub const SIGNAL_LOST: Duration = Duration::from_secs(5);
/// The overlay itself offers to leave after this long.
pub const OVERLAY_LEAVE: Duration = Duration::from_secs(30);
/// The pause menu offers to leave after this long even while packets arrive.
pub const MENU_LEAVE: Duration = Duration::from_secs(60);

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionPhase {
    /// Pairing.
    Lobby,
    /// A match is agreed: build the game and begin.
    Ready,
    /// The match runs.
    Playing,
    /// The match has ended; its report is on the air.
    Over,
    /// This phone is saying goodbye.
    Leaving,
    /// The link is closed.
    Closed,
}

/// Why the next tick has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The peer has not begun: it still sends lobby frames.
    Load,
    /// The peer is paused.
    Paused,
    /// The peer's turns do not get through.
    Link,
}

/// The peer's next turn is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Waiting {
    /// Why.
    pub why: Why,
    /// Since its last new turn, or since it stopped saying paused.
    pub time: Duration,
}

/// What to show over a match that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// "Waiting for your peer…"
    Waiting,
    /// "Waiting for your peer to load…"
    Loading,
    /// "Peer paused"
    PeerPaused,
    /// "Signal lost: bring the phones closer"
    SignalLost,
}

impl Overlay {
    pub(crate) fn of(waiting: Option<Waiting>) -> Self {
        match waiting {
            Some(Waiting { time, .. }) if time < WAITING_SHOWN => Self::None,
            Some(Waiting { why: Why::Load, .. }) => Self::Loading,
            Some(Waiting {
                why: Why::Paused, ..
            }) => Self::PeerPaused,
            Some(Waiting { time, .. }) if time >= SIGNAL_LOST => Self::SignalLost,
            Some(_) => Self::Waiting,
            None => Self::None,
        }
    }
}

/// Whether two phones that decided a match came to the same world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sync {
    /// The peer's end report is awaited.
    Checking,
    /// They did.
    InSync,
    /// The peer never said.
    NotVerified,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchEnd {
    /// It was decided.
    Decided {
        /// How.
        outcome: DuelOutcome,
        /// Whether the peer came to the same.
        sync: Sync,
    },
    /// The two worlds differ: no contest.
    Desync {
        /// The tick after which they were found to.
        tick: Tick,
    },
    /// The peer left: no result.
    PeerLeft,
    /// This phone left: no result.
    Left,
}

impl MatchEnd {
    pub(crate) fn of(verdict: Verdict, outcome: Option<DuelOutcome>) -> Option<Self> {
        let decided = |sync| outcome.map(|outcome| Self::Decided { outcome, sync });
        match verdict {
            Verdict::Checking => decided(Sync::Checking),
            Verdict::InSync => decided(Sync::InSync),
            Verdict::NotVerified => decided(Sync::NotVerified),
            Verdict::Desync { tick } => Some(Self::Desync { tick }),
            Verdict::PeerLeft => Some(Self::PeerLeft),
            Verdict::Left => Some(Self::Left),
            _ => None,
        }
    }

    /// True once nothing more will become known of it by waiting: only a decided match waits, for the peer's report.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        !matches!(
            self,
            Self::Decided {
                sync: Sync::Checking,
                ..
            }
        )
    }

    /// How the match counts for the side this phone played.
    #[must_use]
    pub fn score(&self, local: Side) -> Score {
        match self {
            Self::Decided { outcome, .. } => Score::of(*outcome, local),
            Self::Desync { .. } => Score::NoContest,
            Self::PeerLeft | Self::Left => Score::Abandoned,
        }
    }
}

/// What the peer said before this phone began the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeerEnded {
    /// It left.
    Left,
    /// It found the worlds to differ, or its match is long decided.
    Ended,
}

/// A session in numbers, as of the last call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SessionStatus {
    /// Where it stands.
    pub phase: SessionPhase,
    /// The pairing.
    pub pairing: PairingStatus,
    /// The match, once begun.
    pub lockstep: Option<LockstepStatus>,
    /// How the match ended.
    pub end: Option<MatchEnd>,
    /// What the next tick waits for, while it does.
    pub waiting: Option<Waiting>,
    /// What to show for it.
    pub overlay: Overlay,
    /// The overlay offers to leave.
    pub overlay_leave: bool,
    /// The pause menu offers to leave without a result.
    pub menu_leave: bool,
    /// Packets arrive: the way out is to resign and leave.
    pub resign_and_leave: bool,
    /// How well this phone hears its peer, 0…7 in steps of 3 dB.
    pub rxq: u8,
    /// How well the peer says it hears this phone.
    pub peer_rxq: Option<u8>,
    /// The round trip measured in the lobby.
    pub round_trip: Option<Duration>,
    /// The input delay of the match agreed.
    pub delay: Option<InputDelay>,
    /// The mode this phone asked its link to send in.
    pub mode: Mode,
    /// The link.
    pub link: LinkStats,
    /// The paced speed, thousandths.
    pub speed_permille: u32,
    /// Time that due ticks waited for the peer.
    pub stall: Duration,
    /// Of that, the time in which the peer neither loaded nor was paused: "Waiting on the link".
    pub stall_by_link: Duration,
    /// Ticks that had to wait.
    pub stalled_ticks: u32,
    /// Game frames of the peer's that made no sense.
    pub frames_refused: u32,
    /// The peer was done before this phone began.
    pub peer_ended: Option<PeerEnded>,
    /// The peer is back in the lobby while this phone's report is up.
    pub peer_in_lobby: bool,
    /// The link may be closed: nothing more has to be said.
    pub closable: bool,
}

/// Something a host may want to tell its player, in the order it happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// The session is in another phase.
    Phase(SessionPhase),
    /// The match waits, or (`None`) goes on.
    Waiting(Option<Why>),
    /// This phone sends in another mode.
    Mode(Mode),
    /// An order was not taken.
    OrderRefused(GiveError),
    /// The match has ended, or more is known about its end.
    End(MatchEnd),
    /// The peer is back in the lobby: offer a rematch.
    PeerInLobby,
}
