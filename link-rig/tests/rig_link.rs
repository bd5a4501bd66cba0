//! A link that survives a rebuild underneath: same clock; setup, gain, frames, mode and key replayed.

use link_modem::{Listen, ModemConfig, ModemPump, Reconfigure, half::MESSAGE_BYTES_MAX};
use link_rig::{
    Action, CAPTURE_OK, EARLIER_MAX, Event, LostReason, MicMode, Rig, RigLink, RigState,
};
use link_transport::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role,
    SessionKey, Slot,
};
use std::time::Duration;

fn config(tx: Role, plan: Plan, rx: Listen) -> ModemConfig {
    ModemConfig::new(48_000, tx).with_plan(plan).with_rx(rx)
}

fn frame(tag: u8, keyed: bool) -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(&[tag, 0xA5], 16),
        key: tag.into(),
        keyed,
    }
}

/// One phone: its link, the audio half of the moment, and what came out.
struct Phone {
    link: RigLink,
    pump: Option<ModemPump>,
    frame: u64,
    played: [f32; BLOCK],
    packets: Vec<LinkPacket>,
    slots: Vec<Slot>,
}

const BLOCK: usize = 480;

impl Phone {
    fn new(config: ModemConfig) -> Self {
        let (link, pump) = RigLink::pair(config).unwrap();
        Self {
            link,
            pump: Some(pump),
            frame: 5_000,
            played: [0.0; BLOCK],
            packets: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// The device is gone and another one, with another count, takes its place.
    fn rebuild(&mut self) {
        self.pump = Some(self.link.rebuild(48_000).unwrap());
        self.frame = 0;
    }

    fn step(&mut self, heard: &[f32], now: LinkTime) {
        let mut played = [0.0; BLOCK];
        if let Some(pump) = &mut self.pump {
            let _ = pump.process(&[heard], &mut played, self.frame);
            self.frame += BLOCK as u64;
        }
        self.played = played;
        while let Some(event) = self.link.poll(now) {
            match event {
                LinkEvent::Packet(packet) => self.packets.push(packet),
                LinkEvent::Slot(slot) => self.slots.push(slot),
                _ => unreachable!(),
            }
        }
        assert_eq!(self.link.now(), now);
    }
}

struct Table {
    phones: [Phone; 2],
    now: LinkTime,
}

impl Table {
    fn new(plan: Plan, guest: Listen) -> Self {
        Self {
            phones: [
                Phone::new(config(Role::Host, plan, Listen::Role(Role::Guest))),
                Phone::new(config(Role::Guest, Plan::High, guest)),
            ],
            now: LinkTime::from_ms(90_000),
        }
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds * 100.0) as usize {
            self.now = self.now + Duration::from_millis(10);
            let air = [1, 0].map(|other: usize| {
                let peer = self.phones[other].played;
                let own = self.phones[1 - other].played;
                let sound: [f32; BLOCK] = std::array::from_fn(|i| own[i] + 0.01 * peer[i]);
                sound
            });
            for (phone, heard) in self.phones.iter_mut().zip(air) {
                phone.step(&heard, self.now);
            }
        }
    }
}

#[test]
fn a_rebuild_goes_on_where_it_was() {
    let mut table = Table::new(Plan::High, Listen::Role(Role::Host));
    let key = SessionKey {
        host_nonce: 7,
        guest_nonce: 8,
    };
    for phone in &mut table.phones {
        phone.link.set_session_key(key);
        phone.link.set_mode(Mode::Fast);
        phone.link.send(&[frame(3, true), frame(9, true)]);
    }
    table.phones[0].link.set_gain(0.5);
    table.run(4.0);
    let before = table.phones[0].link.stats();
    assert!(before.rx_ok > 20, "{before:?}");
    // The device dies; for a while there is none.
    table.phones[0].pump = None;
    table.run(1.0);
    assert!(table.phones[0].link.stopped().is_some() && !table.phones[0].link.stats().locked);
    table.phones[0].rebuild();
    assert_eq!(
        table.phones[0].link.stopped(),
        None,
        "a new modem has not stopped"
    );
    let rebuilt = table.now;
    table.run(4.0);
    let [host, guest] = &table.phones;
    let after = host.link.stats();
    assert!(after.rx_ok > before.rx_ok + 20, "counts go on: {after:?}");
    assert_eq!(
        (after.tx_mode, after.rx_mode),
        (Mode::Fast, Some(Mode::Fast))
    );
    assert_eq!(host.link.config().gain, 0.5);
    assert_eq!(host.link.config().plan, Plan::High);
    let since = |packet: &&LinkPacket| packet.at > rebuilt + Duration::from_secs(1);
    for phone in [host, guest] {
        let heard: Vec<&LinkPacket> = phone.packets.iter().filter(since).collect();
        assert!(heard.len() > 15, "{}", heard.len());
        assert!(
            heard.iter().all(|packet| packet.session),
            "keyed under the replayed key"
        );
        let tags = [3, 9].map(|tag| {
            let is = |packet: &&&LinkPacket| packet.bits.starts_with(&frame(tag, true).bits);
            heard.iter().filter(is).count()
        });
        assert!(tags.iter().all(|&count| count > 5), "{tags:?}");
        assert!(phone.packets.is_sorted_by_key(|packet| packet.at));
        assert!(phone.slots.is_sorted_by_key(|slot| slot.at), "one clock");
    }
}

#[test]
fn a_modem_that_stops_is_one_loss_and_a_tap_rebuilds_it() {
    let mut table = Table::new(Plan::High, Listen::Role(Role::Host));
    for phone in &mut table.phones {
        phone.link.send(&[frame(3, false)]);
    }
    let opened = table.now;
    let rx = Listen::Role(Role::Guest);
    let mut rig = Rig::open(opened, Plan::High, rx, MicMode::Raw);
    while let Some(action) = rig.poll_action() {
        match action {
            Action::OpenAudio(device) => {
                let (rate_hz, running) = (48_000, true);
                let event = Event::AudioOpened {
                    device,
                    rate_hz,
                    running,
                };
                rig.handle_event(opened, event);
            }
            Action::AskMicrophone { microphone, .. } => {
                let rate_hz = None;
                let event = Event::MicrophoneOpened {
                    microphone,
                    rate_hz,
                };
                rig.handle_event(opened, event);
            }
            _ => {}
        }
    }
    rig.handle_event(opened, Event::LinkStarted);
    table.run(3.0);
    // Its audio half fails: the link says so once, and the rig makes one loss of it.
    table.phones[0].pump = None;
    table.run(0.5);
    let fault = table.phones[0].link.stopped().expect("the pump is gone");
    for _ in 0..3 {
        rig.handle_event(table.now, Event::ModemStopped(fault));
        assert_eq!(rig.state(), RigState::Lost(LostReason::Modem(fault)));
    }
    assert_eq!(rig.poll_action(), None, "nothing before the tap");
    rig.handle_tap(table.now);
    while let Some(action) = rig.poll_action() {
        match action {
            Action::OpenAudio(device) => {
                let (rate_hz, running) = (48_000, true);
                let event = Event::AudioOpened {
                    device,
                    rate_hz,
                    running,
                };
                rig.handle_event(table.now, event);
            }
            Action::RebuildLink(_) => {
                table.phones[0].rebuild();
                rig.handle_event(table.now, Event::LinkStarted);
            }
            _ => {}
        }
    }
    let fault = LostReason::Modem(fault);
    assert_eq!(rig.state(), RigState::Recovering(fault));
    let heard = table.phones[0].packets.len();
    table.run(CAPTURE_OK.as_secs_f64() + 1.5);
    rig.handle_time(table.now);
    assert_eq!(rig.state(), RigState::Live);
    assert!(table.phones[0].packets.len() > heard, "heard again");
}

#[test]
fn a_join_is_rebuilt_on_the_plan_it_found() {
    let mut table = Table::new(Plan::Low, Listen::Detect);
    table.run(6.0);
    assert_eq!(table.phones[1].link.detected_plan(), Some(Plan::Low));
    table.phones[1].rebuild();
    let link = &table.phones[1].link;
    assert_eq!(link.detected_plan(), Some(Plan::Low), "known at once");
    assert_eq!(link.config().rx, Listen::Role(Role::Host));
    assert_eq!((link.stats().plan, link.capacity_bits()), (Plan::Low, 186));
    let before = table.phones[1].packets.len();
    table.run(5.0);
    assert!(table.phones[1].packets.len() > before + 5);
}

#[test]
fn a_rebuild_before_the_plan_is_found_still_looks_for_it() {
    let mut table = Table::new(Plan::Low, Listen::Detect);
    table.phones[1].rebuild();
    assert_eq!(table.phones[1].link.detected_plan(), None);
    table.run(6.0);
    assert_eq!(table.phones[1].link.detected_plan(), Some(Plan::Low));
}

#[test]
fn a_rate_that_cannot_carry_the_plan_leaves_the_link_as_it_was() {
    let mut phone = Phone::new(config(Role::Host, Plan::High, Listen::Role(Role::Guest)));
    assert!(phone.link.rebuild(16_000).is_err());
    assert_eq!(phone.link.config().sample_rate_hz, 48_000);
    let low = Reconfigure::default().with_plan(Plan::Low);
    phone.link.reconfigure(low).unwrap();
    assert!(phone.link.rebuild(24_000).is_ok());
    assert_eq!(phone.link.capacity_bits(), 186);
}

#[test]
fn a_closed_link_stays_closed_through_a_rebuild() {
    let mut table = Table::new(Plan::High, Listen::Role(Role::Host));
    table.run(1.0);
    table.phones[0].link.close();
    table.phones[0].rebuild();
    let slots = table.phones[0].slots.len();
    table.run(1.0);
    assert_eq!(table.phones[0].slots.len(), slots);
    assert!(table.phones[0].played.iter().all(|&sample| sample == 0.0));
}

/// What a modem reports of three seconds in which it plays a frame with this key, as bytes.
fn reports_of(key: u8) -> Vec<Vec<u8>> {
    let config = config(Role::Host, Plan::High, Listen::Role(Role::Guest));
    let mut link = RigLink::alone(config).unwrap();
    let mut pump = ModemPump::alone(config).unwrap();
    link.set_mode(Mode::Fast);
    link.send(&[frame(key, false)]);
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    while let Some(length) = link.poll_message(&mut bytes) {
        pump.push_message(&bytes[..length]).unwrap();
    }
    let mut reports = Vec::new();
    for block in 0..300 {
        let _ = pump.process(&[&[0.0; BLOCK]], &mut [0.0; BLOCK], block * BLOCK as u64);
        while let Some(length) = pump.poll_message(&mut bytes) {
            reports.push(bytes[..length].to_vec());
        }
    }
    reports
}

#[test]
fn what_nobody_polls_does_not_pile_up_from_rebuild_to_rebuild() {
    let config = config(Role::Host, Plan::High, Listen::Role(Role::Guest));
    let mut link = RigLink::alone(config).unwrap();
    let (first, later) = (reports_of(3), reports_of(9));
    for reports in std::iter::once(&first).chain(std::iter::repeat_n(&later, 30)) {
        for bytes in reports {
            link.push_message(bytes).unwrap();
        }
        link.rebuild_alone(48_000).unwrap();
    }
    let mut keys = Vec::new();
    while let Some(event) = link.poll(LinkTime::from_ms(1)) {
        match event {
            LinkEvent::Slot(slot) => keys.push(slot.key),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(keys.len(), EARLIER_MAX);
    assert!(
        keys.iter().all(|&key| key == Some(9)),
        "the oldest go: {keys:?}"
    );
}
