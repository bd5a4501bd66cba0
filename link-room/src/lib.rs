//! A simulated room: two phones' speakers and microphones, and the air between, sample by sample.
//!
//! What the phones play goes into a [`Room`], what their microphones hear comes out: the peer's sound, weak and
//! followed by echoes; one's own, 40 dB louder; the speaker's harmonics; noise. Each phone has its own sample rate and
//! its own clock. A [`RoomLink`] puts a modem at each end and is a [`link_transport::LinkTransport`] like any other.
//!
//! ```text
//!            clock A                                                        clock B
//!  play ─► speaker curve ─┬─► own path (+40 dB) ─► + ─► capture   capture ◄─ + ◄─ own path ◄─┬─ speaker curve ◄─ play
//!                         │                        ▲ noise, taps      noise ▲                │
//!                         └─► echoes of the room ──┼──── resampled A → B ───┘                │
//!                                                  └──── resampled B → A ─── echoes ◄────────┘
//! ```
//!
//! What real phones add is off by default and switched on one by one in [`RoomConfig`]: steady tones, taps, game audio,
//! clusters of echo, [`Treble`] that falls off and loses its phase, a [`SecondSpeaker`], [`Motion`], clipping, cut-offs,
//! [`Agc`], [`Dropouts`], clocks that [`Wander`], lost and repeated [`Blocks`], a [`Codec`], a second [`Talker`]. [`trial`] measures what a link delivers in such a room, and `cargo xtask matrix` all of it as one
//! table; [`sounds`] holds what no receiver may take for a packet.
//!
//! It is as hard as a real table: a probe of 21.3 ms symbols with a 5.3 ms prefix reads in it what it read there
//! (see [`probe`]). It never reads a clock, and everything random in it comes from one seed.
//!
//! ```
//! use link_room::{RoomLink, RoomLinkConfig};
//! use link_transport::{FrameBits, LinkEvent, LinkTransport, OutFrame};
//! use std::time::Duration;
//!
//! let (mut host, mut guest) = RoomLink::pair(RoomLinkConfig::default(), 1);
//! let frame = FrameBits::from_bytes(&[0b1010_0000], 3);
//! host.send(&[OutFrame { bits: frame, key: 0, keyed: false }]);
//! let mut heard = None;
//! for room_ms in (0..1500).step_by(10) {
//!     let now = guest.clock(Duration::from_millis(room_ms));
//!     while let Some(event) = guest.poll(now) {
//!         if let LinkEvent::Packet(packet) = event { heard = Some(packet) }
//!     }
//! }
//! let heard = heard.expect("a packet within 1.5 s");
//! assert!(heard.bits.starts_with(&frame) && heard.snr_db.unwrap() > 15.0);
//! ```
#![forbid(unsafe_code)]

mod capture;
mod config;
mod convolver;
mod dice;
mod disturbance;
mod echoes;
mod history;
mod jammer;
mod kernel;
mod link;
mod motion;
pub mod probe;
mod resampler;
mod room;
pub mod sounds;
mod speaker;
pub mod trial;
mod troubles;
mod voice;

pub use config::{
    DISTANCES_CM, Harmonics, Jammer, LATENCIES_MS, Phone, PhoneConfig, RoomConfig, RoomProblem,
    SAMPLE_RATES_HZ, SKEW_MAX_PPM, Taps, Tone,
};
pub use link::{RoomEnd, RoomLink, RoomLinkConfig};
pub use room::{Fault, FaultKind, Room, play_through};
pub use troubles::{Agc, Blocks, Codec, Dropouts, Motion, SecondSpeaker, Talker, Treble, Wander};
