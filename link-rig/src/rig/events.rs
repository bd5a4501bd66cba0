//! What happened to the device, the microphone and the modem, and what a rig makes of it.

use super::{Audio, Microphone, Modem, Rig};
use crate::{
    LostReason, RigError,
    event::{Action, DeviceId, Event, MicrophoneId, RigState},
};
use link_modem::half::ModemFault;
use link_transport::LinkTime;

impl Rig {
    /// Something happened to the devices.
    pub fn handle_event(&mut self, now: LinkTime, event: Event) {
        self.now = self.now.max(now);
        match event {
            Event::AudioOpened {
                device,
                rate_hz,
                running,
            } => {
                if device == self.device && self.audio == Audio::Opening {
                    self.audio = Audio::Open {
                        rate_hz,
                        stopped: (!running).then_some(self.now),
                        broken: false,
                    };
                    self.restart_capture();
                } else {
                    // Closed while it opened.
                    self.actions.push_back(Action::CloseAudio(device));
                }
            }
            Event::AudioFailed { device, modem } if device == self.device => {
                self.audio = Audio::Gone;
                self.fail(if modem {
                    RigError::NoModem
                } else {
                    RigError::NoAudio
                });
            }
            Event::AudioRunning(device) => self.note_running(device, true),
            Event::AudioStopped(device) => self.note_running(device, false),
            Event::AudioSuspended(device) => {
                self.note_running(device, false);
                if device == self.device && matches!(self.audio, Audio::Open { .. }) {
                    self.actions.push_back(Action::ResumeAudio(device));
                }
            }
            Event::AudioBroken(device) => {
                if device == self.device
                    && let Audio::Open {
                        broken, stopped, ..
                    } = &mut self.audio
                {
                    *broken = true;
                    stopped.get_or_insert(self.now);
                    if self.modem != Modem::None {
                        self.modem = Modem::Stopped;
                    }
                    self.fail(RigError::NoAudio);
                    self.lose(LostReason::AudioStopped);
                }
            }
            Event::MicrophoneOpened {
                microphone,
                rate_hz,
            } => self.note_microphone(microphone, rate_hz),
            Event::MicrophoneFailed {
                microphone,
                refused,
            } if self.is_asked(microphone) => {
                self.microphone = Microphone::Gone;
                self.microphone_failed(if refused {
                    RigError::MicrophoneRefused
                } else {
                    RigError::NoMicrophone
                });
            }
            Event::MicrophoneEnded(id)
                if id == self.microphone_id
                    && matches!(self.microphone, Microphone::Open { .. }) =>
            {
                self.microphone = Microphone::Gone;
                self.fail(RigError::NoMicrophone);
                self.lose(LostReason::MicrophoneEnded);
            }
            Event::MicrophoneMuted(id) => self.note_muted(id, Some(self.now)),
            Event::MicrophoneUnmuted(id) => {
                self.note_muted(id, None);
                self.restart_capture();
            }
            Event::DevicesChanged => self.lose(LostReason::DevicesChanged),
            Event::LinkStarted if !self.is_over() => self.modem = Modem::Live,
            Event::LinkClosed => self.modem = Modem::None,
            Event::LinkFailed(error) if self.modem == Modem::Building => {
                self.modem = Modem::Stopped;
                self.fail(error);
            }
            Event::ModemStopped(fault) => self.note_modem_stopped(fault),
            Event::GapStarted => self.capturing.in_gap = true,
            Event::GapEnded => {
                self.capturing.in_gap = false;
                self.restart_capture();
            }
            Event::Shown if !self.is_over() => self.actions.push_back(Action::RequestWakeLock),
            Event::WakeLock { held } => self.wake_lock = Some(held),
            _ => {}
        }
        self.look();
    }

    fn note_running(&mut self, device: DeviceId, running: bool) {
        let now = self.now;
        if device != self.device {
            return;
        }
        if let Audio::Open {
            stopped, broken, ..
        } = &mut self.audio
            && !*broken
        {
            if running {
                if stopped.take().is_some() {
                    self.restart_capture();
                }
            } else {
                stopped.get_or_insert(now);
            }
        }
    }

    fn note_microphone(&mut self, id: MicrophoneId, rate_hz: Option<u32>) {
        if !self.is_asked(id) {
            self.actions.push_back(Action::ReleaseMicrophone(id));
            return;
        }
        self.microphone = Microphone::Open {
            rate_hz,
            muted: None,
        };
        self.restart_capture();
        if matches!(self.state, RigState::Reconnecting(_)) {
            // However long the person took to answer.
            self.since = self.now;
        }
        if self.switching.is_some() {
            match rate_hz.filter(|&rate_hz| self.is_too_slow(rate_hz)) {
                Some(rate_hz) => {
                    self.release_microphone();
                    self.microphone_failed(RigError::MicrophoneRate { rate_hz });
                }
                None => self.switching = None,
            }
        }
    }

    fn note_muted(&mut self, id: MicrophoneId, since: Option<LinkTime>) {
        if id == self.microphone_id
            && let Microphone::Open { muted, .. } = &mut self.microphone
        {
            *muted = since.map(|now| muted.unwrap_or(now));
        }
    }

    /// A request for the microphone failed: a switch falls back, a tap or the opening fails.
    fn microphone_failed(&mut self, error: RigError) {
        match self.switching {
            Some(Some(before)) => {
                self.mode = before;
                self.switching = Some(None);
                self.ask_microphone();
            }
            Some(None) => {
                self.switching = None;
                self.lose(LostReason::MicrophoneEnded);
                self.last_error = Some(error);
            }
            None => self.fail(error),
        }
    }

    fn note_modem_stopped(&mut self, fault: ModemFault) {
        if matches!(self.modem, Modem::Live | Modem::Building) {
            self.modem = Modem::Stopped;
            match self.state {
                RigState::Reconnecting(_) => self.fail(RigError::Modem(fault)),
                _ => self.lose(LostReason::Modem(fault)),
            }
        }
    }
}
