//! Live links through the room: on each phone a game half and an audio half, joined by queues, keep every promise of
//! [`link_transport::contract`], and a Join finds its plan.

use link_modem::{Listen, ModemConfig, ModemLink, ModemPump};
use link_room::{Phone, Room, RoomConfig};
use link_transport::{
    LinkEvent, LinkStats, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role, SessionKey, contract,
};
use std::{cell::RefCell, collections::VecDeque, rc::Rc, time::Duration};

/// Frames each device hands over at a time: a worklet's, and a native device's.
const BLOCKS: [usize; 2] = [128, 480];

/// How often both game halves look.
const LOOK: Duration = Duration::from_millis(1);

/// The room, both devices' audio callbacks and both game halves.
struct Live {
    room: Room,
    pumps: [ModemPump; 2],
    links: [ModemLink; 2],
    events: [VecDeque<LinkEvent>; 2],
    now: LinkTime,
    /// The devices' counts do not start at zero.
    counts: [u64; 2],
}

impl Live {
    /// Both phones' clocks are the room's; their devices' are not.
    fn run(&mut self, until: LinkTime) {
        while self.now + LOOK <= until {
            self.now = self.now + LOOK;
            self.run_devices(Duration::from_micros(self.now.as_us()));
            for (link, events) in self.links.iter_mut().zip(&mut self.events) {
                events.extend(std::iter::from_fn(|| link.poll(self.now)));
            }
        }
    }

    /// Runs every block that has been captured whole by `until`, and none before it has been.
    fn run_devices(&mut self, until: Duration) {
        loop {
            let phone = self.room.next();
            let (mut microphone, mut speaker) = ([0.0; 480], [0.0; 480]);
            let block = BLOCKS[phone.index()];
            let pump = &mut self.pumps[phone.index()];
            let lasts = block as f64 / f64::from(pump.sample_rate_hz());
            if self.room.time(phone) + Duration::from_secs_f64(lasts) > until {
                break;
            }
            let (microphone, speaker) = (&mut microphone[..block], &mut speaker[..block]);
            let frame = self.counts[phone.index()] + self.room.frame(phone);
            self.room.capture(phone, microphone);
            let _ = pump.process(&[microphone], speaker, frame);
            self.room.play(phone, speaker);
        }
    }
}

/// A phone's end.
struct End {
    live: Rc<RefCell<Live>>,
    phone: usize,
    now: LinkTime,
}

fn pair(room: &RoomConfig, plan: Plan, joins: bool) -> [End; 2] {
    let halves = Phone::BOTH.map(|phone| {
        let tx = match phone {
            Phone::A => Role::Host,
            Phone::B => Role::Guest,
        };
        let rx = if joins && phone == Phone::B {
            Listen::Detect
        } else {
            Listen::Role(tx.other())
        };
        ModemLink::pair(
            ModemConfig::new(room.phones[phone.index()].sample_rate_hz, tx)
                .with_plan(plan)
                .with_rx(rx),
        )
        .unwrap()
    });
    let [(host, a), (guest, b)] = halves;
    let live = Rc::new(RefCell::new(Live {
        room: Room::new(room),
        pumps: [a, b],
        links: [host, guest],
        events: [VecDeque::new(), VecDeque::new()],
        now: LinkTime::ZERO,
        counts: [0, 9_876_543],
    }));
    [0, 1].map(|phone| End {
        live: Rc::clone(&live),
        phone,
        now: LinkTime::ZERO,
    })
}

impl End {
    fn with<T>(&self, act: impl FnOnce(&mut ModemLink) -> T) -> T {
        act(&mut self.live.borrow_mut().links[self.phone])
    }
}

impl LinkTransport for End {
    fn capacity_bits(&self) -> usize {
        self.with(|link| link.capacity_bits())
    }
    fn send(&mut self, frames: &[OutFrame]) {
        self.with(|link| link.send(frames));
    }
    fn poll(&mut self, now: LinkTime) -> Option<LinkEvent> {
        self.now = self.now.max(now);
        let mut live = self.live.borrow_mut();
        live.run(self.now);
        live.events[self.phone].pop_front()
    }
    fn now(&self) -> LinkTime {
        self.now
    }
    fn set_mode(&mut self, mode: Mode) {
        self.with(|link| link.set_mode(mode));
    }
    fn set_session_key(&mut self, key: SessionKey) {
        self.with(|link| link.set_session_key(key));
    }
    fn stats(&self) -> LinkStats {
        self.with(|link| link.stats())
    }
    fn close(&mut self) {
        self.with(|link| link.close());
        self.live.borrow_mut().events[self.phone].clear();
    }
}

#[test]
fn both_halves_on_both_phones_keep_the_contract() {
    for (plan, rates_hz) in [
        (Plan::High, [48_000, 44_100]),
        (Plan::Low, [24_000, 48_000]),
    ] {
        let room = RoomConfig::at_distance_cm(20.0)
            .with_rates_hz(rates_hz)
            .with_skews_ppm([300.0, -300.0]);
        let [mut host, mut guest] = pair(&room, plan, false);
        contract::check(&mut host, &mut guest);
    }
}

#[test]
fn a_join_finds_either_plan() {
    for plan in [Plan::High, Plan::Low] {
        let [mut host, mut guest] = pair(&RoomConfig::default(), plan, true);
        let (mut heard, mut now) = ([0, 0], LinkTime::ZERO);
        for _ in 0..600 {
            now = now + Duration::from_millis(10);
            for (heard, end) in heard.iter_mut().zip([&mut host, &mut guest]) {
                while let Some(event) = end.poll(now) {
                    *heard += usize::from(matches!(event, LinkEvent::Packet(_)));
                }
            }
        }
        assert_eq!(guest.with(|link| link.detected_plan()), Some(plan));
        assert!(heard.iter().all(|&packets| packets > 8), "{heard:?}");
    }
}
