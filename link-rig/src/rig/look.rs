//! What a rig does next, as far as its devices and the time allow: losses, switches, the steps of an opening.

use super::{
    Audio, CAPTURE_OK, MUTED, Microphone, Modem, RATE_WANTED_HZ, Rig, STOPPED, TAP_TIMEOUT,
};
use crate::{
    LostReason, RigError,
    event::{Action, RigState},
};

impl Rig {
    /// Goes on with whatever can go on.
    pub(super) fn look(&mut self) {
        match self.state {
            RigState::Opening | RigState::Reconnecting(_) => self.look_at_opening(),
            RigState::TapToStart if self.is_running() => {
                self.restart_capture();
                self.enter(RigState::Live);
            }
            RigState::Live => {
                self.look_for_losses();
                self.look_at_switch();
            }
            RigState::Recovering(_) => {
                self.look_for_losses();
                if matches!(self.state, RigState::Recovering(_))
                    && self.capture_ok(self.now) >= CAPTURE_OK
                {
                    self.enter(RigState::Live);
                }
            }
            RigState::Lost(reason) => {
                // What came back by itself is kept, not rebuilt.
                let back = self.is_running() && self.modem != Modem::Stopped;
                let heard = matches!(self.microphone, Microphone::Open { muted: None, .. });
                let passing = matches!(
                    reason,
                    LostReason::AudioStopped | LostReason::MicrophoneMuted
                );
                if back && heard && passing {
                    self.enter(RigState::Recovering(reason));
                }
            }
            _ => {}
        }
    }

    fn look_for_losses(&mut self) {
        if let Audio::Open {
            stopped: Some(at), ..
        } = self.audio
            && self.now.since(at) >= STOPPED
        {
            self.lose(LostReason::AudioStopped);
        }
        if let Microphone::Open {
            muted: Some(at), ..
        } = self.microphone
            && self.now.since(at) >= MUTED
        {
            self.lose(LostReason::MicrophoneMuted);
        }
    }

    fn look_at_switch(&mut self) {
        if self.state != RigState::Live || self.switching.is_some() {
            return;
        }
        if let Some(mode) = self.next_mode.take() {
            self.switching = Some(Some(self.mode));
            self.mode = mode;
            self.release_microphone();
            self.ask_microphone();
        }
    }

    /// The device and the microphone, then the rate, then the link, then running.
    fn look_at_opening(&mut self) {
        let tapped = matches!(self.state, RigState::Reconnecting(_));
        if tapped
            && self.microphone != Microphone::Asked
            && self.now.since(self.since) >= TAP_TIMEOUT
        {
            self.fail(RigError::TimedOut);
            return;
        }
        let (
            Audio::Open { rate_hz, .. },
            Microphone::Open {
                rate_hz: heard_hz, ..
            },
        ) = (self.audio, self.microphone)
        else {
            return;
        };
        if self.may_try_again(rate_hz) {
            self.second_try = true;
            self.reopen_audio();
            if heard_hz.is_some_and(|rate_hz| rate_hz < RATE_WANTED_HZ) {
                self.release_microphone();
                self.ask_microphone();
            }
            return;
        }
        let at_rate = self.wanted.with_sample_rate_hz(rate_hz);
        if let Some(error) = RigError::of_rate(at_rate) {
            self.fail(error);
            return;
        }
        if let Some(rate_hz) = heard_hz.filter(|&rate_hz| self.is_too_slow(rate_hz)) {
            // The next tap asks for it again.
            self.release_microphone();
            self.fail(RigError::MicrophoneRate { rate_hz });
            return;
        }
        match self.modem {
            Modem::Stopped => {
                self.modem = Modem::Building;
                self.actions.push_back(Action::RebuildLink(self.device));
            }
            Modem::Building => {}
            Modem::None | Modem::Live => self.finish_opening(),
        }
    }

    fn finish_opening(&mut self) {
        match (self.state, self.is_running()) {
            (RigState::Opening, true) => self.enter(RigState::Live),
            (RigState::Opening, false) => {
                // Asked for once more now that the microphone is in.
                self.actions.push_back(Action::ResumeAudio(self.device));
                self.enter(RigState::TapToStart);
            }
            (RigState::Reconnecting(reason), true) => {
                self.reconnected = Some(self.now);
                self.restart_capture();
                self.enter(RigState::Recovering(reason));
            }
            _ => {}
        }
    }
}
