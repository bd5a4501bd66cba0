//! An acoustic OFDM modem for two phones on one table: both transmit all the time, each in its own band.
//!
//! **Goes in:** blocks of microphone samples of any length, and the frames to send. **Comes out:** blocks of speaker
//! samples, the packets of the peer with their quality, and statistics. **Never:** reads a clock, a device or a
//! file; looks inside a frame; allocates, locks or panics once built; delivers a packet that failed its CRC.
//!
//! [`ModemCore`] is the modem. A live link runs it in two [`half`]s: [`ModemPump`] on the audio thread, [`ModemLink`] on
//! the game's. [`GameAudioGuard`] keeps the game's own sound out of its way.
//!
//! ```text
//!  frames ─► rotation ─► link-fec ─► phase steps ─► inverse FFT ─► fades ──────────────────────► speaker
//!
//!                                                ┌► search: ρ of both sync patterns ─► candidates
//!  mic ─► gaps ─► band filter, 6 kHz ─► steady ──┤                                          │ trial
//!                                  tones, clicks └► windows ─► tones ─► clock ─► channel ─► soft bits ─► link-fec ─► packets
//! ```
//!
//! Measured at 48 kHz with one's own signal 40 dB over the peer's (`cargo bench -p link-modem`, figures that differ
//! from processor to processor): about 0.15 % of one core on the low plan, about 0.26 % on the high one, about 1 MiB of
//! memory. Asserted by `tests/`: on a clean wire the effective signal-to-noise ratio reads over 60 dB; 99 % of packets or
//! more arrive under one's own signal 60 dB over the peer's (50 dB on the low plan), beside a steady tone 36 dB over one
//! of the peer's, through three screen taps a second 20 dB over the peer, and through white noise 7 dB (fast) or 4 dB
//! (robust) below it; on the high plan a sender that jumps is heard again within 0.4 s. The low plan, whose packets last
//! twice as long, took up to 0.64 s in the room (`docs/DELIVERY.md`).
//!
//! ```
//! use link_modem::{Listen, ModemConfig, ModemCore};
//! use link_transport::{FrameBits, OutFrame, Plan, Role};
//!
//! let host = ModemConfig::new(48_000, Role::Host);
//! // At gain 0 a modem only listens.
//! let guest = host.with_tx(Role::Guest).with_rx(Listen::Role(Role::Host)).with_gain(0.0);
//! let (mut host, mut guest) = (ModemCore::new(host)?, ModemCore::new(guest)?);
//!
//! let hello = FrameBits::from_bytes(b"hello", 40);
//! host.set_payloads(&[OutFrame { bits: hello, key: 1, keyed: false }]);
//! let (mut air, mut unused) = ([0.0; 128], [0.0; 128]);
//! let packet = (0..).find_map(|block| {
//!     host.process(&[0.0; 128], &mut air, block * 128);
//!     guest.process(&air, &mut unused, block * 128);
//!     guest.take_packet()
//! });
//! let packet = packet.expect("half a second of air");
//! assert!(packet.bits.starts_with(&hello) && packet.snr_db > 45.0);
//! # Ok::<(), link_modem::RateProblem>(())
//! ```
#![forbid(unsafe_code)]

mod config;
mod core;
pub mod fft;
mod gaps;
pub mod guard;
pub mod half;
mod heavy;
mod level;
mod microphone;
mod modulation;
pub mod params;
mod receiver;
mod restart;
mod self_monitor;
mod short_sort;
mod transmitter;

pub use self::core::ModemCore;
pub use config::{
    Gap, Listen, ModemConfig, ModemStats, RATE_MAX_HZ, RateProblem, Reconfigure, RxPacket,
    SlotEvent,
};
pub use guard::GameAudioGuard;
pub use half::{Misuse, ModemLink, ModemPump};
pub use microphone::{CHANNELS_MAX, ChannelChoice};
pub use params::PIECE_FRAMES_MAX;
