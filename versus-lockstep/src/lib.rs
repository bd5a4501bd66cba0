//! Turns to game frames and back: deterministic lockstep over a lossy link.
//!
//! In go one phone's commands and the frames it receives; out come the frames it sends and, tick by tick, the orders
//! that both phones apply. [`Lockstep`] seals one turn a tick, repeats turns until the peer holds them, compares the
//! two worlds by a hash trail, and balances the two clocks. It knows commands only through
//! [`CommandCodec`](versus_codec::CommandCodec), never sees a world beyond its hash, never reads a clock, and never
//! looks at a link beyond the frames: the session carries them.
//!
//! One side of a match, for each tick that is due:
//!
//! 1. [`Lockstep::give`] it the commands drained from the player, then [`Lockstep::seal`];
//! 2. ask for [`Lockstep::orders`]; `None` is a stall: hold the pose and ask again;
//! 3. step the world under them and say so with [`Lockstep::stepped`].
//!
//! ```text
//!                        tick                       tick + D
//!                          │ steps next               │ sealed before that step
//!   own turns    … t−2 t−1 t t+1                 … t+D
//!                    └ peer_ack    └─ repeated in every frame until acknowledged ─┘
//!   peer's turns … t−2 t−1 t t+1 … ack_through  (gap)  held
//!                          └ known: no stall └ or heard out of order, kept
//! ```
//!
//! Whenever packets arrive or start, [`Lockstep::handle_frame`] and [`Lockstep::handle_slot`]; and after any of these
//! send what [`Lockstep::poll_frames`] says.
//!
//! ```
//! use link_transport::LinkTime;
//! use match_feed::{Tick, WorldHash, duel::{InputDelay, Side}};
//! use versus_codec::{OpaqueCodec, OpaqueCommand};
//! use versus_lockstep::{Lockstep, LockstepConfig};
//!
//! let start = WorldHash(7);
//! let side = |local| {
//!     let delay = InputDelay::MIN;
//!     Lockstep::new(LockstepConfig::new(local, delay, start).with_capacity_bits(188).with_packet_ms(100), OpaqueCodec).unwrap()
//! };
//! let (mut blue, mut red) = (side(Side::Blue), side(Side::Red));
//! let order = OpaqueCommand::from_bytes(&[0xAB], 8).unwrap();
//! blue.give(LinkTime::ZERO, order).unwrap();
//! for tick in 0..=InputDelay::MIN.ticks() {
//!     let now = LinkTime::from_ms(100 * u64::from(tick));
//!     for (phone, peer) in [(0, 1), (1, 0)] {
//!         let mut phones = [&mut blue, &mut red];
//!         phones[phone].seal(now);
//!         if let Some(frames) = phones[phone].poll_frames() {
//!             let bits = frames[0].bits; // over the air…
//!             phones[peer].handle_frame(now, bits.as_bitslice()).unwrap();
//!         }
//!     }
//!     for phone in [&mut blue, &mut red] {
//!         let orders = phone.orders(Tick(tick)).expect("both turns are known");
//!         assert_eq!(orders.len(), usize::from(tick == 3), "it lands D ticks later, on both phones");
//!         phone.stepped(now, Tick(tick), WorldHash(tick.into()), None);
//!     }
//! }
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod config;
mod fit;
mod frame;
mod gate;
mod lockstep;
mod outbox;
mod peek;
mod peer;
mod pending;
mod status;
mod trail;
mod turn;
mod verdict;
mod window;

pub use config::{GiveError, LockstepConfig, LockstepError, PENDING_MAX, QueueFull};
pub use fit::{CHECKPOINT_RESERVE_BITS, min_capacity_bits};
pub use frame::{
    CHECKPOINT_EVERY, End, Expect, FRAME_TURNS_MAX, FrameError, FrameTurn, GameFrame, SPAN_MAX,
    TO_DISTANCE_MAX, TURN_COMMANDS_MAX, TrailMark,
};
pub use gate::SLACK_FRAMES;
pub use lockstep::Lockstep;
pub use peek::{EndKind, GamePeek};
pub use status::{LockstepStatus, OrderDelay, QUEUED_TICKS_SHOWN};
pub use trail::Trail;
pub use turn::{HEADER_BITS_MAX, TURN_BITS_MAX};
pub use verdict::{LEFT_UNHEARD, Leave, VERIFY_WITHIN, Verdict};
pub use window::SEGMENTS_MAX;
