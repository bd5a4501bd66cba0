//! An acoustic OFDM modem for two phones on one table: both transmit all the time, each in its own band.
//!
//! **Goes in:** blocks of microphone samples of any length, and the frames to send. **Comes out:** blocks of speaker
//! samples, the packets of the friend with their quality, and statistics. **Never:** reads a clock, a device or a
//! file; looks inside a frame; allocates, locks or panics once built; delivers a packet that failed its CRC.
//!
//! ```text
//!  frames ─► rotation ─► link-fec ─► phase steps ─► inverse FFT ─► fades ─────────────────► speaker
//!
//!                                     ┌► search: ρ of both sync patterns ─► candidates
//!  mic ─► gaps ─► band filter ÷ 8 ─► history                                    │ trial
//!                                     └► windows ─► tones ─► clock ─► soft bits ─► link-fec ─► packets
//! ```
//!
//! Measured (`cargo bench -p link-modem`): 0.14 % of one core for a whole modem on the high plan at 48 kHz. On a
//! clean wire the effective signal-to-noise ratio reads 90 dB, where it stops counting; under one's own signal 60 dB
//! over the friend's it reads 28 dB on the high plan, and 20 dB under 50 dB on the low one.
//!
//! ```
//! use link_modem::{Listen, ModemConfig, ModemCore};
//! use link_transport::{FrameBits, OutFrame, Plan, Role};
//!
//! let host = ModemConfig { sample_rate_hz: 48_000, plan: Plan::High, tx: Role::Host, rx: Listen::Role(Role::Guest), gain: 1.0 };
//! // At gain 0 a modem only listens.
//! let guest = ModemConfig { tx: Role::Guest, rx: Listen::Role(Role::Host), gain: 0.0, ..host };
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
mod gaps;
mod modulation;
pub mod params;
mod receiver;
mod restart;
mod self_monitor;
mod transmitter;

pub use self::core::{ModemCore, PIECE_FRAMES_MAX};
pub use config::{
    Gap, Listen, ModemConfig, ModemStats, RATE_MAX_HZ, RateProblem, Reconfigure, RxPacket,
    SlotEvent,
};
