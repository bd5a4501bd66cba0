//! Two phones' devices in one simulated room: `play --practice`, and the tests. Nothing is heard, everything else is as
//! with real devices: callbacks, queues, microphones that get lost.

use super::{
    Health, Sound,
    engine::{self, Control, Engine, Feed, speaker},
};
use link_modem::ModemPump;
use link_rig::{Action, DeviceId, Event, MicrophoneId};
use link_room::{Phone, Room, RoomConfig};
use link_transport::LinkTime;
use std::{
    cell::RefCell, collections::VecDeque, rc::Rc, sync::atomic::Ordering::Relaxed, time::Duration,
};

/// Frames a device hands over at a time.
const BLOCK: usize = 480;

/// The room and what both devices run in it.
struct Air {
    room: Room,
    rates_hz: [u32; 2],
    ends: [End; 2],
}

#[derive(Default)]
struct End {
    engine: Option<Engine>,
    feed: Option<Feed>,
    stopped: bool,
}

/// One phone's devices.
pub struct RoomSound {
    air: Rc<RefCell<Air>>,
    phone: Phone,
    rate_hz: u32,
    control: Option<Control>,
    device: Option<DeviceId>,
    microphone: Option<MicrophoneId>,
    events: VecDeque<Event>,
    troubles: Troubles,
}

/// What is wrong with a phone's devices, for those who want to see what a player sees then.
#[derive(Clone, Copy, Debug, Default)]
pub struct Troubles {
    /// The microphone is refused.
    pub refused: bool,
    /// There is no microphone.
    pub no_microphone: bool,
    /// The device waits for a tap.
    pub waits_for_tap: bool,
}

impl RoomSound {
    /// Both phones' devices in a new room.
    ///
    /// # Panics
    /// If the room's [`RoomConfig::problem`] is not `None`.
    pub fn pair(config: &RoomConfig) -> [Self; 2] {
        let air = Rc::new(RefCell::new(Air {
            room: Room::new(config),
            rates_hz: config.phones.map(|phone| phone.sample_rate_hz),
            ends: [End::default(), End::default()],
        }));
        Phone::BOTH.map(|phone| Self {
            air: Rc::clone(&air),
            phone,
            rate_hz: config.phones[phone.index()].sample_rate_hz,
            control: None,
            device: None,
            microphone: None,
            events: VecDeque::new(),
            troubles: Troubles::default(),
        })
    }

    fn end<T>(&self, act: impl FnOnce(&mut End) -> T) -> T {
        act(&mut self.air.borrow_mut().ends[self.phone.index()])
    }

    fn ask_microphone(&mut self, microphone: MicrophoneId) {
        let Troubles {
            refused,
            no_microphone,
            ..
        } = self.troubles;
        let event = match &mut self.control {
            Some(control) if !refused && !no_microphone => {
                let (feed, tap) = engine::microphone(1, BLOCK, control.counters());
                control.plug(Some(tap));
                self.end(|end| end.feed = Some(feed));
                self.microphone = Some(microphone);
                let rate_hz = Some(self.rate_hz);
                Event::MicrophoneOpened {
                    microphone,
                    rate_hz,
                }
            }
            _ => Event::MicrophoneFailed {
                microphone,
                refused,
            },
        };
        self.events.push_back(event);
    }

    fn release_microphone(&mut self) {
        self.end(|end| end.feed = None);
        if let Some(control) = &mut self.control {
            control.plug(None);
        }
        self.microphone = None;
    }
}

#[cfg(test)]
impl RoomSound {
    /// What goes wrong from now on.
    pub fn set_troubles(&mut self, troubles: Troubles) {
        self.troubles = troubles;
    }

    /// Takes the microphone away, as pulling its plug does.
    pub fn unplug(&mut self) {
        if let Some(microphone) = self.microphone {
            self.release_microphone();
            self.events.push_back(Event::MicrophoneEnded(microphone));
        }
    }

    /// Stops the device, as a call coming in does, or lets it go on.
    pub fn stop(&mut self, stopped: bool) {
        self.end(|end| end.stopped = stopped);
        if let Some(device) = self.device {
            self.events.push_back(if stopped {
                Event::AudioStopped(device)
            } else {
                Event::AudioRunning(device)
            });
        }
    }

    /// Breaks the device for good.
    pub fn break_device(&mut self) {
        if let Some(device) = self.device {
            self.events.push_back(Event::AudioBroken(device));
        }
    }

    /// Lets something happen to the sound.
    pub fn inject(&mut self, fault: link_room::Fault) {
        self.air.borrow_mut().room.inject(fault);
    }
}

impl Sound for RoomSound {
    fn act(&mut self, _now: LinkTime, action: Action) {
        match action {
            Action::OpenAudio(device) => {
                let (mut control, engine) = speaker(1);
                // A microphone that is open is heard by the new device.
                if self.microphone.is_some() {
                    let (feed, tap) = engine::microphone(1, BLOCK, control.counters());
                    control.plug(Some(tap));
                    self.end(|end| end.feed = Some(feed));
                }
                self.end(|end| (end.engine, end.stopped) = (Some(engine), false));
                (self.control, self.device) = (Some(control), Some(device));
                self.events.push_back(Event::AudioOpened {
                    device,
                    rate_hz: self.rate_hz,
                    running: !self.troubles.waits_for_tap,
                });
            }
            Action::ResumeAudio(device) if !self.troubles.waits_for_tap => {
                self.end(|end| end.stopped = false);
                self.events.push_back(Event::AudioRunning(device));
            }
            Action::CloseAudio(device) if self.device == Some(device) => {
                self.end(|end| end.engine = None);
                (self.control, self.device) = (None, None);
            }
            Action::AskMicrophone { microphone, .. } => self.ask_microphone(microphone),
            Action::ReleaseMicrophone(microphone) if self.microphone == Some(microphone) => {
                self.release_microphone();
            }
            Action::RequestWakeLock => self.events.push_back(Event::WakeLock { held: true }),
            _ => {}
        }
    }

    fn run_pump(&mut self, pump: ModemPump) {
        if let Some(control) = &mut self.control {
            control.run_pump(pump);
        }
    }

    /// Runs the whole room forward to `now` first.
    fn poll_event(&mut self, now: LinkTime) -> Option<Event> {
        self.air
            .borrow_mut()
            .run(Duration::from_micros(now.as_us()));
        if let Some(control) = &mut self.control {
            control.sweep();
        }
        self.events.pop_front()
    }

    fn is_real(&self) -> bool {
        false
    }

    fn devices(&self) -> String {
        format!("a simulated room, {} Hz", self.rate_hz)
    }

    fn health(&self) -> Health {
        let counters = self.control.as_ref().map(|control| control.counters());
        Health {
            starved: counters.map_or(0, |counters| counters.starved.load(Relaxed)),
            dropped: counters.map_or(0, |counters| counters.dropped.load(Relaxed)),
            errors: 0,
        }
    }
}

impl Air {
    /// Runs every block that has been captured whole by `until`, in order of room time.
    fn run(&mut self, until: Duration) {
        loop {
            let phone = self.room.next();
            let rate_hz = f64::from(self.rates_hz[phone.index()]);
            if self.room.time(phone) + Duration::from_secs_f64(BLOCK as f64 / rate_hz) > until {
                break;
            }
            let (mut microphone, mut speaker) = ([0.0; BLOCK], [0.0; BLOCK]);
            self.room.capture(phone, &mut microphone);
            let end = &mut self.ends[phone.index()];
            if !end.stopped {
                if let Some(feed) = &mut end.feed {
                    feed.capture(&microphone);
                }
                if let Some(engine) = &mut end.engine {
                    engine.render(&mut speaker);
                }
            }
            self.room.play(phone, &speaker);
        }
    }
}
