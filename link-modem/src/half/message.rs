//! What the two halves of a live modem tell each other, as values. Knows nothing of queues, time or bytes.

use super::misuse::Misuse;
use crate::config::{Gap, ModemStats, RateProblem, Reconfigure, RxPacket, SlotEvent};
use link_transport::{FRAME_BITS_MAX, FRAMES_MAX, Mode, OutFrame, Plan, SessionKey};
use thiserror::Error;

/// The first byte of every message. Halves of different versions do not understand each other.
pub const MESSAGE_VERSION: u8 = 2;
/// The longest message, in bytes.
pub const MESSAGE_BYTES_MAX: usize = 2 + 1 + FRAMES_MAX * FRAME_BYTES;

/// Key, keyed, length and bits of one frame.
const FRAME_BYTES: usize = 4 + 1 + 2 + FRAME_BITS_MAX / 8;

/// The frames of one [`Command::Payloads`].
pub type Frames = heapless::Vec<OutFrame, FRAMES_MAX>;

/// What the game half tells the audio half.
///
/// It lies in fixed queues that the audio thread frees, so the large one is not boxed.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// The frames to send from now on; keys ascend.
    Payloads(Frames),
    /// The mode to send in from the next superframe on.
    Mode(Mode),
    /// The session's key.
    Session(SessionKey),
    /// What to change of the setup.
    Configure {
        /// The changes.
        change: Reconfigure,
        /// Which change this is: every [`StatsReport`] says the newest one obeyed.
        serial: u32,
    },
    /// The device stopped for that many frames without its count saying so.
    Skip {
        /// Frames at the modem's sample rate.
        frames: u64,
    },
    /// Stop for good.
    Close,
}

/// What the audio half tells the game half. Every frame count is the device's own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Report {
    /// A packet arrived.
    Packet(RxPacket),
    /// A packet of one's own started.
    Slot(SlotEvent),
    /// How the modem is doing: four times a second, and at once when a lock or a plan is found or lost.
    Stats(StatsReport),
    /// Input is missing: once with 0 frames when a gap starts, once with its total when capture resumes.
    Gap(Gap),
    /// Something went wrong. After a fatal one the modem does nothing more.
    Fault {
        /// What went wrong.
        fault: ModemFault,
        /// True if the modem has stopped; false if it only refused something.
        fatal: bool,
    },
    /// Where the device's clock is: the frame after the last one processed.
    Clock {
        /// That frame.
        frame: u64,
    },
}

/// Statistics, with what only the audio half knows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StatsReport {
    /// The modem's own.
    pub modem: ModemStats,
    /// The plan found or configured; `None` while still detecting.
    pub detected: Option<Plan>,
    /// The largest input magnitude since the report before.
    pub peak: f32,
    /// Reports that found the queue full and were lost.
    pub dropped: u64,
    /// The serial number of the newest [`Command::Configure`] obeyed or refused; 0 before the first.
    pub setup: u32,
    /// How its owner calls it wrongly, while it does: told as a fault when it starts.
    pub misuse: Option<Misuse>,
    /// The channel heard of those that came, from 0.
    pub channel: u8,
}

/// What can go wrong in the audio half, as a sentence for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModemFault {
    /// The plan asked for does not fit the sample rate.
    #[error(transparent)]
    Rate(#[from] RateProblem),
    /// The audio callback calls the modem wrongly.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// A message did not decode: the halves are of different versions.
    #[error("The modem got a message that it can't read")]
    Unreadable,
    /// The audio half is gone: its owner dropped it.
    #[error("The audio device dropped the modem")]
    Gone,
    /// The audio half failed while processing.
    #[error("The modem failed while processing sound")]
    Failed,
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// Not [`MESSAGE_VERSION`].
    #[error("a message of version {got}, where this half speaks version {MESSAGE_VERSION}")]
    Version {
        /// The first byte; 0 if there is none.
        got: u8,
    },
    /// No such kind in this direction.
    #[error("a message of unknown kind {kind}")]
    Kind {
        /// The second byte; 0 if there is none.
        kind: u8,
    },
    /// The body is too short, too long or holds a value that is none of those there are.
    #[error("a message of kind {kind} whose {len} bytes do not make sense")]
    Body {
        /// The second byte.
        kind: u8,
        /// The message's length.
        len: usize,
    },
}
