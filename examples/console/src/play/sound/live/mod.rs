//! This machine's own devices, by `cpal`: does what the rig asks on threads of their own, and watches the callbacks.

mod choose;
mod open;
mod presence;
mod watch;

pub use choose::list;

use super::{Health, Sound, engine::Control};
use choose::{Direction, choose};
use link_modem::ModemPump;
use link_rig::{Action, DeviceId, Event, MicrophoneId};
use link_transport::LinkTime;
use open::{Microphone, OpenError, Speaker};
use std::{
    collections::VecDeque,
    error::Error,
    sync::{
        atomic::Ordering::Relaxed,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};
use watch::{Troubles, Watch};

/// A microphone that has not come by then does not: a suspended one may keep its caller waiting for ever.
const MICROPHONE_WITHIN: Duration = Duration::from_secs(6);

/// What a thread that opened something says, and which speaker's time it belongs to. A rig's ids alone would not tell:
/// each rig counts from one, and the thread of one that is gone may answer the next.
struct Done {
    ticket: Ticket,
    what: Opened,
}

enum Opened {
    Speaker(DeviceId, Result<Speaker, OpenError>),
    Microphone(MicrophoneId, Result<Microphone, OpenError>),
}

impl Opened {
    /// Lets go what came too late, on a thread of its own.
    fn close(self) {
        match self {
            Self::Speaker(_, Ok(speaker)) => speaker.close(),
            Self::Microphone(_, Ok(microphone)) => microphone.close(),
            _ => {}
        }
    }
}

/// Counts on with every speaker asked for or let go.
type Ticket = u64;

/// This machine's speaker and microphone.
pub struct LiveSound {
    /// The devices' ids; `None` for the system's own choice.
    output: Option<String>,
    input: Option<String>,
    buffer_frames: u32,
    done: Receiver<Done>,
    to_done: Sender<Done>,
    ticket: Ticket,
    device: Option<DeviceId>,
    speaker: Option<Speaker>,
    rendered: Watch,
    asked: Option<(MicrophoneId, LinkTime)>,
    /// An open microphone whose speaker was replaced is opened anew for the new one, and nobody told.
    moving: Option<MicrophoneId>,
    microphone: Option<(MicrophoneId, Microphone)>,
    captured: Watch,
    errors: u64,
    events: VecDeque<Event>,
    names: [String; 2],
}

impl LiveSound {
    /// Looks for the devices named, and opens nothing yet.
    ///
    /// # Errors
    /// No such device, or several of that name: says which there are.
    pub fn new(
        output: Option<&str>,
        input: Option<&str>,
        buffer_frames: u32,
    ) -> Result<Self, Box<dyn Error>> {
        let output = output
            .map(|name| choose(Direction::Output, name))
            .transpose()?;
        let input = input
            .map(|name| choose(Direction::Input, name))
            .transpose()?;
        let (to_done, done) = channel();
        let name = |id: &Option<String>, direction: &str| {
            id.clone().unwrap_or(format!("the system's {direction}"))
        };
        Ok(Self {
            names: [name(&output, "speaker"), name(&input, "microphone")],
            output,
            input,
            buffer_frames,
            done,
            to_done,
            ticket: 0,
            device: None,
            speaker: None,
            rendered: Watch::default(),
            asked: None,
            moving: None,
            microphone: None,
            captured: Watch::default(),
            errors: 0,
            events: VecDeque::new(),
        })
    }

    /// From now on this speaker is meant and no other; what is opened for it carries the ticket.
    fn expect_speaker(&mut self, device: Option<DeviceId>) -> Ticket {
        self.device = device;
        self.ticket += 1;
        self.ticket
    }

    fn open_speaker(&mut self, device: DeviceId) {
        let ticket = self.expect_speaker(Some(device));
        let (id, buffer, to_done) = (
            self.output.clone(),
            self.buffer_frames,
            self.to_done.clone(),
        );
        thread::spawn(move || {
            let opened = Speaker::open(id.as_deref(), buffer);
            // Nobody waits any more if the program ends.
            let _ = to_done.send(Done {
                ticket,
                what: Opened::Speaker(device, opened),
            });
        });
    }

    /// Asks for the microphone once there is a speaker whose thread can listen to it.
    fn ask_microphone(&mut self, microphone: MicrophoneId) {
        let Some(speaker) = &self.speaker else {
            return;
        };
        let (id, buffer, to_done) = (self.input.clone(), self.buffer_frames, self.to_done.clone());
        let ticket = self.ticket;
        let (rate_hz, counters) = (speaker.rate_hz, speaker.control.counters().clone());
        thread::spawn(move || {
            let opened = Microphone::open(id.as_deref(), buffer, rate_hz, &counters);
            let _ = to_done.send(Done {
                ticket,
                what: Opened::Microphone(microphone, opened),
            });
        });
    }

    fn take_in(&mut self, done: Done, now: LinkTime) {
        if done.ticket != self.ticket {
            done.what.close();
            return;
        }
        match done.what {
            Opened::Speaker(device, Ok(speaker)) => {
                self.rendered = Watch::new(now);
                self.names[0].clone_from(&speaker.name);
                self.events.push_back(Event::AudioOpened {
                    device,
                    rate_hz: speaker.rate_hz,
                    running: true,
                });
                if let Some(old) = self.speaker.replace(speaker) {
                    old.close();
                }
                if let Some((microphone, old)) = self.microphone.take() {
                    old.close();
                    self.moving = Some(microphone);
                }
                if let Some(microphone) = self.moving {
                    self.ask_microphone(microphone);
                } else if let Some((microphone, at)) = &mut self.asked {
                    *at = now;
                    let microphone = *microphone;
                    self.ask_microphone(microphone);
                }
            }
            Opened::Speaker(device, Err(_)) => {
                self.errors += 1;
                self.device = None;
                let modem = false;
                self.events.push_back(Event::AudioFailed { device, modem });
            }
            Opened::Microphone(id, opened) => {
                let moved = self.moving == Some(id);
                if !moved && self.asked.is_none_or(|(asked, _)| asked != id) {
                    Opened::Microphone(id, opened).close();
                    return;
                }
                (self.asked, self.moving) = (None, None);
                match (opened, &mut self.speaker) {
                    (Ok(mut microphone), Some(speaker)) => {
                        speaker.control.plug(microphone.tap.take());
                        self.captured = Watch::new(now);
                        self.names[1].clone_from(&microphone.name);
                        if !moved {
                            self.events.push_back(Event::MicrophoneOpened {
                                microphone: id,
                                rate_hz: Some(microphone.rate_hz),
                            });
                        }
                        if let Some((_, old)) = self.microphone.replace((id, microphone)) {
                            old.close();
                        }
                    }
                    (opened, _) if moved => {
                        Opened::Microphone(id, opened).close();
                        self.errors += 1;
                        self.events.push_back(Event::MicrophoneEnded(id));
                    }
                    (opened, _) => {
                        self.errors += 1;
                        let refused = opened.as_ref().is_err_and(|why| why.refused);
                        Opened::Microphone(id, opened).close();
                        self.events.push_back(Event::MicrophoneFailed {
                            microphone: id,
                            refused,
                        });
                    }
                }
            }
        }
    }

    fn release_microphone(&mut self) {
        self.moving = None;
        if let Some((_, microphone)) = self.microphone.take() {
            microphone.close();
        }
        if let Some(speaker) = &mut self.speaker {
            speaker.control.plug(None);
        }
    }

    /// What the callbacks have done, or have not.
    fn watch(&mut self, now: LinkTime) {
        if let (Some(device), Some(speaker)) = (self.device, &mut self.speaker) {
            speaker.control.sweep();
            let Troubles {
                count,
                broken,
                changed,
            } = speaker.errors.take();
            self.errors += count;
            let rendered = speaker.control.counters().rendered.load(Relaxed);
            if let Some(runs) = self.rendered.look(now, rendered) {
                self.events.push_back(if runs {
                    Event::AudioRunning(device)
                } else {
                    Event::AudioStopped(device)
                });
            }
            if changed {
                self.events.push_back(Event::DevicesChanged);
            }
            if broken {
                self.events.push_back(Event::AudioBroken(device));
            }
        }
        if let (Some((id, microphone)), Some(speaker)) = (&self.microphone, &self.speaker) {
            let id = *id;
            let Troubles {
                count,
                broken,
                changed,
            } = microphone.errors.take();
            self.errors += count;
            let captured = speaker.control.counters().captured.load(Relaxed);
            if let Some(runs) = self.captured.look(now, captured) {
                self.events.push_back(if runs {
                    Event::MicrophoneUnmuted(id)
                } else {
                    Event::MicrophoneMuted(id)
                });
            }
            if changed {
                self.events.push_back(Event::DevicesChanged);
            }
            if broken {
                self.release_microphone();
                self.events.push_back(Event::MicrophoneEnded(id));
            }
        }
        if let Some((microphone, at)) = self.asked
            && now.since(at) >= MICROPHONE_WITHIN
        {
            self.asked = None;
            let refused = false;
            self.events.push_back(Event::MicrophoneFailed {
                microphone,
                refused,
            });
        }
    }
}

impl Sound for LiveSound {
    fn act(&mut self, now: LinkTime, action: Action) {
        match action {
            Action::OpenAudio(device) => self.open_speaker(device),
            Action::ResumeAudio(device) if self.device == Some(device) => {
                if let Some(speaker) = &self.speaker {
                    let _ = speaker.resume(); // what it cannot, the watch on its callbacks tells
                }
            }
            Action::CloseAudio(device) if self.device == Some(device) => {
                self.expect_speaker(None);
                if let Some(speaker) = self.speaker.take() {
                    speaker.close();
                }
            }
            Action::AskMicrophone { microphone, .. } => {
                // `cpal` has no say in echo cancellation: the mode is the system's.
                self.asked = Some((microphone, now));
                self.ask_microphone(microphone);
            }
            Action::ReleaseMicrophone(id) => {
                let open = self.microphone.as_ref().map(|(open, _)| *open);
                if self.moving == Some(id) || open == Some(id) {
                    self.release_microphone();
                }
            }
            // A computer's screen is its owner's business.
            Action::RequestWakeLock => self.events.push_back(Event::WakeLock { held: true }),
            _ => {}
        }
    }

    fn run_pump(&mut self, pump: ModemPump) {
        if let Some(speaker) = &mut self.speaker {
            speaker.control.run_pump(pump);
        }
    }

    fn poll_event(&mut self, now: LinkTime) -> Option<Event> {
        while let Ok(done) = self.done.try_recv() {
            self.take_in(done, now);
        }
        self.watch(now);
        self.events.pop_front()
    }

    fn is_real(&self) -> bool {
        true
    }

    fn devices(&self) -> String {
        let rate = self
            .speaker
            .as_ref()
            .map_or(String::new(), |speaker| format!(", {} Hz", speaker.rate_hz));
        format!("{}, {}{rate}", self.names[0], self.names[1])
    }

    fn health(&self) -> Health {
        let control: Option<&Control> = self.speaker.as_ref().map(|speaker| &speaker.control);
        let counters = control.map(|control| control.counters());
        Health {
            starved: counters.map_or(0, |counters| counters.starved.load(Relaxed)),
            dropped: counters.map_or(0, |counters| counters.dropped.load(Relaxed)),
            errors: self.errors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{open::missing, *};

    #[test]
    fn the_thread_of_a_rig_that_is_gone_does_not_answer_the_next_one() {
        let mut sound = LiveSound::new(None, None, 960).unwrap();
        let (device, now) = (DeviceId(1), LinkTime::ZERO);
        let says_no = |ticket| Done {
            ticket,
            what: Opened::Speaker(device, Err(missing("speaker"))),
        };
        let gone = sound.expect_speaker(Some(device));
        sound.act(now, Action::CloseAudio(device));
        let next = sound.expect_speaker(Some(device));
        sound.take_in(says_no(gone), now);
        assert_eq!(sound.poll_event(now), None);
        sound.take_in(says_no(next), now);
        let modem = false;
        let failed = Event::AudioFailed { device, modem };
        assert_eq!(sound.poll_event(now), Some(failed));
    }
}
