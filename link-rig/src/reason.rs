//! Why sound failed, as sentences for a person.

use link_modem::{ModemConfig, RateProblem, half::ModemFault};
use std::fmt;
use thiserror::Error;

/// Why a rig could not open, or a tap could not bring the link back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RigError {
    /// No audio device would open.
    #[error("This phone can't play sound now")]
    NoAudio,
    /// The modem's audio half did not load or start.
    #[error("The sound modem didn't start")]
    NoModem,
    /// The person or the system said no.
    #[error("Microphone refused")]
    MicrophoneRefused,
    /// There is none, or another program holds it.
    #[error("No microphone found")]
    NoMicrophone,
    /// The device's sample rate cannot carry the plan.
    #[error(transparent)]
    Rate(RateProblem),
    /// The microphone's own sample rate cannot (a Bluetooth headset).
    #[error("The microphone runs at {rate_hz} Hz, too slow for the sound link")]
    MicrophoneRate {
        /// That rate.
        rate_hz: u32,
    },
    /// The device did not come back in time.
    #[error("The sound didn't start again")]
    TimedOut,
    /// The modem stopped.
    #[error(transparent)]
    Modem(ModemFault),
    /// The link was lost again right after.
    #[error("{0}")]
    LostAgain(LostReason),
}

impl RigError {
    /// What to try.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        self.remedy().sentence()
    }

    /// The same, not in words.
    #[must_use]
    pub const fn remedy(self) -> Remedy {
        match self {
            Self::Rate(_) | Self::MicrophoneRate { .. } | Self::NoMicrophone => Remedy::Disconnect,
            Self::MicrophoneRefused => Remedy::AllowMicrophone,
            _ => Remedy::CloseApps,
        }
    }

    pub(crate) fn of_rate(wanted: ModemConfig) -> Option<Self> {
        wanted.rate_problem().map(Self::Rate)
    }
}

/// What to try about a [`RigError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Again with headphones and Bluetooth disconnected.
    Disconnect,
    /// Again with the microphone allowed.
    AllowMicrophone,
    /// Again with other apps that use sound closed.
    CloseApps,
}

impl Remedy {
    /// As a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Disconnect => "Try again with headphones and Bluetooth disconnected.",
            Self::AllowMicrophone => "Allow the microphone for this game, then try again.",
            Self::CloseApps => "Close other apps that use sound, then try again.",
        }
    }
}

/// Why a live link was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostReason {
    /// The microphone's stream ended.
    MicrophoneEnded,
    /// The microphone was muted for longer than [`crate::MUTED`].
    MicrophoneMuted,
    /// The audio device did not run for longer than [`crate::STOPPED`].
    AudioStopped,
    /// Headphones, Bluetooth or another device came or went.
    DevicesChanged,
    /// The modem stopped.
    Modem(ModemFault),
}

impl fmt::Display for LostReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MicrophoneEnded => "The microphone was taken away",
            Self::MicrophoneMuted => "The microphone is muted",
            Self::AudioStopped => "The phone stopped the sound",
            Self::DevicesChanged => "An audio device was plugged in or out",
            Self::Modem(_) => "The sound link stopped working",
        })
    }
}
