//! A live modem in two halves: one on the audio thread, one on the game's, and messages of fixed layout between them.
//!
//! ```text
//!  game thread                                    audio thread (or AudioWorklet)
//!  ModemLink: LinkTransport, clock, suspensions ══ commands ═► ModemPump: ModemCore, microphone, speaker
//!                                               ◄═ reports ═══
//! ```
//!
//! Natively [`ModemLink::pair`] joins them by fixed queues. Where they share no memory (two wasm instances), each
//! stands alone and the host carries the same messages as bytes: `poll_message` here, `push_message` there.
//!
//! ```
//! use link_modem::{Listen, ModemConfig, ModemLink};
//! use link_transport::{FrameBits, LinkEvent, LinkTime, LinkTransport, OutFrame, Plan, Role};
//!
//! let setup = ModemConfig::new(48_000, Role::Host);
//! let (mut link, mut pump) = ModemLink::pair(setup)?;
//! // The audio device's thread: microphone in, a slice for each channel; speaker out.
//! let audio = std::thread::spawn(move || {
//!     let (microphone, mut speaker, mut frame) = ([0.0; 128], [0.0; 128], 0);
//!     while pump.process(&[&microphone], &mut speaker, frame) {
//!         frame += 128;
//!     }
//! });
//! // The game's thread.
//! let hello = FrameBits::from_bytes(b"hello", 40);
//! link.send(&[OutFrame { bits: hello, key: 1, keyed: false }]);
//! let sent = (0..).find_map(|us| {
//!     std::thread::yield_now();
//!     link.poll(LinkTime::from_us(us))
//! });
//! assert!(matches!(sent, Some(LinkEvent::Slot(_))));
//! link.close();
//! audio.join().expect("the pump stops when the link closes");
//! # Ok::<(), link_modem::RateProblem>(())
//! ```

mod clock_map;

mod link;
mod message;
mod message_bytes;
mod misuse;
mod port;
mod pump;
mod wire;

pub use link::{LinkGap, ModemLink};
pub use message::{
    Command, Frames, MESSAGE_BYTES_MAX, MESSAGE_VERSION, MessageError, ModemFault, Report,
    StatsReport,
};
pub use misuse::Misuse;
pub use pump::ModemPump;

/// Commands on their way: more than one of each kind.
const COMMANDS_MAX: usize = 16;
/// Reports on their way: some seconds of packets, slots, statistics and clock.
const REPORTS_MAX: usize = 512;
