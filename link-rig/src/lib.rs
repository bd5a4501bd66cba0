//! The audio life of a live link: a rig opens a device and a microphone, notices when they are lost, and brings the
//! link back. Without any input or output: hosts supply devices and draw what it says.
//!
//! **Goes in:** what happened to the device, the microphone and the modem ([`Event`]), taps, and the time. **Comes
//! out:** what to do ([`Action`]), what to draw ([`RigState`]), and a [`RigLink`], a transport that outlives its device.
//! **Never:** opens a device, reads a clock, or decides for the person: what needs a tap waits for one.
//!
//! ```text
//!            ┌──────────┐ device, microphone, rate ┌──────┐  lost   ┌──────┐ tap ┌──────────────┐
//!  open ────►│ Opening  ├─────────────────────────►│ Live │────────►│ Lost │────►│ Reconnecting │
//!            └┬────────┬┘                          └──▲─▲─┘         └▲─▲─┬─┘     └─┬──────────┬─┘
//!     refused │        │ TapToStart ───── tap ────────┘ │ 1.5 s      │ │ │ came    │ failed   │
//!             ▼        └────────────►                   │ gap-free   │ │ │ back    │          ▼
//!           Failed                                      └────────────┼─┼─┴───────► Recovering ◄┘
//!                                                       lost again ──┘ └───────────┘
//! ```
//!
//! ```
//! use link_modem::{Listen, ModemConfig};
//! use link_rig::{Action, Event, MicMode, Rig, RigLink, RigState};
//! use link_transport::{LinkTime, Plan, Role};
//!
//! let now = LinkTime::ZERO;
//! let rx = Listen::Role(Role::Guest);
//! let mut rig = Rig::open(now, Plan::High, rx, MicMode::Raw);
//! while let Some(action) = rig.poll_action() {
//!     match action {
//!         // A host opens a device here, and tells when it has.
//!         Action::OpenAudio(device) => rig.handle_event(now, Event::AudioOpened { device, rate_hz: 48_000, running: true }),
//!         Action::AskMicrophone { microphone, .. } => {
//!             rig.handle_event(now, Event::MicrophoneOpened { microphone, rate_hz: None });
//!         }
//!         _ => {}
//!     }
//! }
//! assert_eq!(rig.state(), RigState::Live);
//! let setup = ModemConfig::new(48_000, Role::Host).with_rx(rx);
//! let (link, pump) = RigLink::pair(setup)?;
//! rig.handle_event(now, Event::LinkStarted);
//! # let _ = (link, pump);
//! # Ok::<(), link_modem::RateProblem>(())
//! ```
#![forbid(unsafe_code)]

mod advice;
mod event;
mod reason;
mod rig;
mod rig_link;

pub use advice::{
    BAND_AFTER, BandAdvice, BandReason, GAIN_DOWN_DB, GAIN_DOWN_EVERY, GAIN_MIN, GAIN_UP_AFTER,
    GAIN_UP_DB, GAIN_UP_EVERY, GOOD_MIN, LOUD_AFTER, LOUD_PEAK, LinkAdvice, OWN_SNR_MIN_DB,
    ROUTE_AFTER, RouteOffer,
};
pub use event::{Action, DeviceId, Event, MicMode, MicrophoneId, RigState};
pub use reason::{LostReason, Remedy, RigError};
pub use rig::{CAPTURE_OK, LEAVE_AFTER, MUTED, RECOVERED, Rig, STOPPED, TAP_TIMEOUT};
pub use rig_link::{EARLIER_MAX, RigLink};
