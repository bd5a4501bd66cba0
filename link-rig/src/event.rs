//! What a host tells a rig, and what a rig asks of its host. Plain values.

use crate::{LostReason, RigError};
use link_modem::half::ModemFault;

/// One audio device opened for the rig; each time it opens one anew, it counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceId(pub u32);

/// One request for the microphone; each counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MicrophoneId(pub u32);

/// How the microphone is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MicMode {
    /// Echo cancellation, noise suppression and gain control off, one channel.
    #[default]
    Raw,
    /// The same with echo cancellation on.
    EchoCancelling,
}

/// What happened to the devices. An event of a device or microphone that the rig has let go changes nothing; one that
/// opens too late is closed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// [`Action::OpenAudio`] is done.
    AudioOpened {
        /// Which.
        device: DeviceId,
        /// Its sample rate.
        rate_hz: u32,
        /// False if the system wants a tap first.
        running: bool,
    },
    /// [`Action::OpenAudio`] failed.
    AudioFailed {
        /// Which.
        device: DeviceId,
        /// True if the modem's audio half was what did not load.
        modem: bool,
    },
    /// The device renders.
    AudioRunning(DeviceId),
    /// The device does not render, and may again by itself (a call came in).
    AudioStopped(DeviceId),
    /// The device is suspended and waits to be resumed (a call ended).
    AudioSuspended(DeviceId),
    /// The device is gone for good: only a new one helps.
    AudioBroken(DeviceId),
    /// [`Action::AskMicrophone`] is done and the microphone connected to the device.
    MicrophoneOpened {
        /// Which.
        microphone: MicrophoneId,
        /// Its own sample rate, where the system tells.
        rate_hz: Option<u32>,
    },
    /// [`Action::AskMicrophone`] was refused, or there is none.
    MicrophoneFailed {
        /// Which.
        microphone: MicrophoneId,
        /// True if someone said no; false if there is none.
        refused: bool,
    },
    /// The microphone's stream ended.
    MicrophoneEnded(MicrophoneId),
    /// It delivers nothing for now.
    MicrophoneMuted(MicrophoneId),
    /// It delivers again.
    MicrophoneUnmuted(MicrophoneId),
    /// Headphones, Bluetooth or another device came or went.
    DevicesChanged,
    /// A link runs on the rig's device: it was made, or [`Action::RebuildLink`] is done.
    LinkStarted,
    /// The rig's link was closed by its owner.
    LinkClosed,
    /// [`Action::RebuildLink`] failed.
    LinkFailed(RigError),
    /// The link's modem stopped: `ModemLink::stopped`.
    ModemStopped(ModemFault),
    /// Input went missing: a `LinkGap` without an end.
    GapStarted,
    /// Input is there again.
    GapEnded,
    /// The screen shows the game again.
    Shown,
    /// The answer to [`Action::RequestWakeLock`].
    WakeLock {
        /// True if the screen will stay on.
        held: bool,
    },
}

/// What the host is to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Open an audio device at its own rate, for playing and recording, and start it within the tap.
    OpenAudio(DeviceId),
    /// Let it start or go on.
    ResumeAudio(DeviceId),
    /// Close it and whatever ran on it.
    CloseAudio(DeviceId),
    /// Ask for the microphone and connect it to the device, into the modem that runs there if one does.
    AskMicrophone {
        /// Which.
        microphone: MicrophoneId,
        /// How.
        mode: MicMode,
    },
    /// Stop it. Always before another is asked for: some phones enter and leave their call mode only then.
    ReleaseMicrophone(MicrophoneId),
    /// Give the link a new modem on this device: `RigLink::rebuild`.
    RebuildLink(DeviceId),
    /// Keep the screen on.
    RequestWakeLock,
    /// Let it go.
    ReleaseWakeLock,
}

/// Where a rig is: what to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RigState {
    /// Waiting for the device and the microphone.
    Opening,
    /// All there, but the system wants a tap: "Tap to start sound".
    TapToStart,
    /// Sound runs.
    Live,
    /// "Tap to reconnect the sound link".
    Lost(LostReason),
    /// A tap is being worked on.
    Reconnecting(LostReason),
    /// Sound runs again, and the capture has to prove itself before the cover goes.
    Recovering(LostReason),
    /// It could not open; everything is let go.
    Failed(RigError),
    /// Closed by its owner.
    Closed,
}
