//! The two halves of a live modem: clock mapping, stale statistics, a stopped modem, skips, close; the audio half
//! decoding both ways, with its messages in queues and as bytes.

use link_modem::{
    Listen, ModemConfig, ModemLink, ModemPump, RateProblem, Reconfigure,
    half::{Command, Frames, MESSAGE_BYTES_MAX, MESSAGE_VERSION, MessageError, ModemFault, Report},
};
use link_transport::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role,
    SessionKey, Slot,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    time::Duration,
};

thread_local! {
    /// Allocations and releases of this thread: the test harness's other threads do not count.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// The trait is unsafe to implement; this only counts and passes on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RATE_HZ: u32 = 48_000;
const BLOCK: usize = 128;
/// From one phone's speaker to the other's microphone.
const DELAY: usize = 1_440;
/// One's own signal over the friend's: 40 dB.
const OWN: f32 = 1.0;
const FRIEND: f32 = 0.01;

fn config(role: Role) -> ModemConfig {
    ModemConfig {
        sample_rate_hz: RATE_HZ,
        plan: Plan::High,
        tx: role,
        rx: Listen::Role(role.other()),
        gain: 1.0,
    }
}

fn frame(tag: u8) -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(&[tag, 0xA5], 16),
        key: 1,
        keyed: false,
    }
}

/// How the halves of a phone are connected.
enum Halves {
    Joined,
    /// As two wasm instances: bytes carried over.
    Carried,
}

/// One phone: both halves, a device clock, and what has come out.
struct Phone {
    link: ModemLink,
    pump: Option<ModemPump>,
    halves: Halves,
    /// The device's count, and what it counts of nothing before.
    frame: u64,
    /// What it plays, as long as the other may still hear it.
    played: Vec<f32>,
    packets: Vec<LinkPacket>,
    slots: Vec<Slot>,
    /// True while the device renders nothing, and its count stands still.
    suspended: bool,
}

impl Phone {
    fn new(config: ModemConfig, halves: Halves) -> Self {
        let (link, pump) = match halves {
            Halves::Joined => ModemLink::pair(config).unwrap(),
            Halves::Carried => (
                ModemLink::alone(config).unwrap(),
                ModemPump::alone(config).unwrap(),
            ),
        };
        Self {
            link,
            pump: Some(pump),
            halves,
            frame: 777_000,
            played: vec![0.0; DELAY],
            packets: Vec::new(),
            slots: Vec::new(),
            suspended: false,
        }
    }

    fn render(&mut self, friend: &[f32]) {
        let own = self.played[self.played.len() - DELAY..][..BLOCK].to_vec();
        let mut output = [0.0; BLOCK];
        if !self.suspended
            && let Some(pump) = &mut self.pump
        {
            let heard: Vec<f32> = own
                .iter()
                .zip(friend)
                .map(|(own, friend)| OWN * own + FRIEND * friend)
                .collect();
            let _ = pump.process(&[&heard], &mut output, self.frame);
            self.frame += BLOCK as u64;
        }
        self.played.extend(output);
    }

    fn carry(&mut self) {
        let (Halves::Carried, Some(pump)) = (&self.halves, &mut self.pump) else {
            return;
        };
        let mut bytes = [0; MESSAGE_BYTES_MAX];
        while let Some(length) = self.link.poll_message(&mut bytes) {
            pump.push_message(&bytes[..length]).unwrap();
        }
        while let Some(length) = pump.poll_message(&mut bytes) {
            self.link.push_message(&bytes[..length]).unwrap();
        }
    }

    fn poll(&mut self, now: LinkTime) {
        self.carry();
        while let Some(event) = self.link.poll(now) {
            match event {
                LinkEvent::Packet(packet) => self.packets.push(packet),
                LinkEvent::Slot(slot) => self.slots.push(slot),
                _ => unreachable!(),
            }
        }
        self.carry();
    }

    fn heard(&self, tag: u8) -> usize {
        let heard = |packet: &&LinkPacket| packet.bits.starts_with(&frame(tag).bits);
        self.packets.iter().filter(heard).count()
    }
}

/// Two phones on a desk whose clocks agree; link time runs from 10 s.
struct Desk {
    phones: [Phone; 2],
    blocks: u64,
}

const START: LinkTime = LinkTime::from_ms(10_000);

impl Desk {
    fn new(configs: [ModemConfig; 2], halves: fn() -> Halves) -> Self {
        Self {
            phones: configs.map(|config| Phone::new(config, halves())),
            blocks: 0,
        }
    }

    fn pair() -> Self {
        Self::new([config(Role::Host), config(Role::Guest)], || Halves::Joined)
    }

    fn now(&self) -> LinkTime {
        START + Duration::from_secs_f64(self.blocks as f64 * BLOCK as f64 / f64::from(RATE_HZ))
    }

    /// Runs both devices for a while and polls both links about every 10 ms.
    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds * f64::from(RATE_HZ)) as usize / BLOCK {
            let heard = [1, 0].map(|other: usize| {
                let played = &self.phones[other].played;
                played[played.len() - DELAY..][..BLOCK].to_vec()
            });
            for (phone, friend) in self.phones.iter_mut().zip(&heard) {
                phone.render(friend);
            }
            self.blocks += 1;
            if self.blocks.is_multiple_of(4) {
                let now = self.now();
                for phone in &mut self.phones {
                    phone.poll(now);
                }
            }
        }
    }
}

#[test]
fn both_ways_with_the_messages_in_queues_and_as_bytes() {
    for halves in [|| Halves::Joined, || Halves::Carried] {
        let mut desk = Desk::new([config(Role::Host), config(Role::Guest)], halves);
        for (tag, phone) in (1..).zip(&mut desk.phones) {
            phone.link.send(&[frame(tag)]);
            phone.link.set_mode(Mode::Fast);
        }
        desk.run(5.0);
        for (phone, tag) in desk.phones.iter().zip([2, 1]) {
            assert!(phone.heard(tag) > 25, "{} of 30", phone.heard(tag));
            let stats = phone.link.stats();
            assert!(stats.locked && stats.snr_db.unwrap() > 20.0, "{stats:?}");
            assert_eq!(
                (stats.tx_mode, stats.rx_mode),
                (Mode::Fast, Some(Mode::Fast))
            );
            assert!(stats.own_snr_db.unwrap() > 20.0, "{stats:?}");
            assert_eq!(stats.last_rx, phone.packets.last().map(|packet| packet.at));
        }
    }
}

#[test]
fn a_packet_is_stamped_when_its_last_sample_arrived() {
    let mut desk = Desk::pair();
    desk.phones[0].link.send(&[frame(1)]);
    desk.run(6.0);
    let [host, guest] = &desk.phones;
    // Robust: 200 ms of air, and the fade out is not waited for.
    let delay_ms = 200.0 + DELAY as f64 / 48.0;
    let mut compared = 0;
    for packet in &guest.packets {
        let sent = host.slots.iter().map(|slot| {
            let ms = packet.at.as_us() as f64 - slot.at.as_us() as f64;
            ms / 1000.0 - delay_ms
        });
        let error_ms = sent.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
        assert!(error_ms.abs() < 6.0, "{error_ms} ms off");
        compared += 1;
    }
    assert!(compared > 15, "{compared}");
    for pair in host.slots.windows(2).skip(2) {
        let apart_ms = pair[1].at.since(pair[0].at).as_secs_f64() * 1000.0;
        let sync_ms = (apart_ms - 250.0).abs().min((apart_ms - 200.0).abs());
        assert!(sync_ms < 6.0, "slots {apart_ms} ms apart");
    }
}

#[test]
fn statistics_go_stale_after_a_second_without_a_report() {
    let mut desk = Desk::pair();
    desk.run(3.0);
    let now = desk.now();
    let link = &mut desk.phones[0].link;
    assert!(link.stats().locked && link.modem_stats().is_some());
    let rx_ok = link.stats().rx_ok;
    assert!(link.poll(now + Duration::from_millis(700)).is_none());
    assert!(link.stats().locked, "not stale yet");
    assert!(link.poll(now + Duration::from_millis(1_300)).is_none());
    let stats = link.stats();
    assert!(!stats.locked && stats.snr_db.is_none() && stats.own_snr_db.is_none());
    assert_eq!(stats.rx_ok, rx_ok, "counts stand");
    assert!(link.modem_stats().is_none());
    assert!(link.newest_report().is_some());
}

#[test]
fn a_stopped_modem_is_known_before_anything_else() {
    let (mut link, mut pump) = (
        ModemLink::alone(config(Role::Host)).unwrap(),
        ModemPump::alone(config(Role::Host)).unwrap(),
    );
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    let mut output = [0.0; BLOCK];
    for block in 0..200 {
        assert!(pump.process(&[&[0.1; BLOCK]], &mut output, block * 128));
    }
    while let Some(length) = pump.poll_message(&mut bytes) {
        link.push_message(&bytes[..length]).unwrap();
    }
    // A refusal stops nothing.
    let refused = Report::Fault {
        fault: ModemFault::Unreadable,
        fatal: false,
    };
    let length = refused.encode(&mut bytes);
    link.push_message(&bytes[..length]).unwrap();
    let fatal = Report::Fault {
        fault: ModemFault::Failed,
        fatal: true,
    };
    let length = fatal.encode(&mut bytes);
    link.push_message(&bytes[..length]).unwrap();
    assert_eq!(link.stopped(), None, "nothing is taken in before a poll");
    let first = link.poll(START);
    assert_eq!(
        link.stopped(),
        Some(ModemFault::Failed),
        "known with the first event"
    );
    assert!(matches!(first, Some(LinkEvent::Slot(_))), "{first:?}");
    assert!(
        link.modem_stats().is_none() && !link.stats().locked,
        "stale at once"
    );
    assert_eq!(link.take_refusal(), Some(ModemFault::Unreadable));
    assert_eq!(link.take_refusal(), None);
}

#[test]
fn a_refused_message_is_no_stop() {
    let mut desk = Desk::new([config(Role::Host), config(Role::Guest)], || {
        Halves::Carried
    });
    desk.run(1.0);
    let phone = &mut desk.phones[0];
    let bad = phone.pump.as_mut().unwrap().push_message(&[9, 9, 9]);
    assert_eq!(bad, Err(MessageError::Version { got: 9 }));
    desk.run(1.0);
    let link = &mut desk.phones[0].link;
    assert_eq!(link.take_refusal(), Some(ModemFault::Unreadable));
    assert_eq!(link.stopped(), None);
    assert!(link.modem_stats().is_some());
}

#[test]
fn a_pump_that_is_dropped_has_stopped_the_link() {
    let mut desk = Desk::pair();
    desk.run(2.0);
    desk.phones[0].pump = None;
    desk.run(0.1);
    assert_eq!(desk.phones[0].link.stopped(), Some(ModemFault::Gone));
    assert!(!desk.phones[0].link.stats().locked);
}

#[test]
fn a_link_that_is_closed_or_dropped_closes_the_pump() {
    let (mut link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    let mut output = [0.0; 4_800];
    assert!(pump.process(&[&[0.1; 4_800]], &mut output, 0));
    assert!(output.iter().any(|&sample| sample != 0.0));
    link.close();
    assert!(!pump.process(&[&[0.1; 4_800]], &mut output, 4_800));
    assert!(output.iter().all(|&sample| sample == 0.0), "silence");
    assert!(link.poll(START).is_none(), "nothing that was waiting");

    let (link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    drop(link);
    assert!(!pump.process(&[&[0.1; 4_800]], &mut output, 0));
}

/// Suspends the host's device, and says how long after it goes on the guest hears the host again.
fn heard_again_after_ms(desk: &mut Desk, suspended_s: f64) -> f64 {
    desk.phones[0].suspended = true;
    desk.run(suspended_s);
    desk.phones[0].suspended = false;
    let resumed = desk.now();
    desk.run(3.0);
    let guest = &desk.phones[1];
    let again = guest.packets.iter().find(|packet| packet.at > resumed);
    let again = again.expect("heard again").at;
    again.since(resumed).as_secs_f64() * 1000.0
}

#[test]
fn a_suspended_device_is_told_of_and_heard_again_quickly() {
    let mut desk = Desk::pair();
    for phone in &mut desk.phones {
        phone.link.send(&[frame(1)]);
        phone.link.set_mode(Mode::Fast);
    }
    desk.run(4.0);
    for suspended_s in [0.35, 1.2] {
        let ms = heard_again_after_ms(&mut desk, suspended_s);
        assert!(ms < 800.0, "after {suspended_s} s: {ms} ms");
    }
    // The clock goes on through it: what arrives now is stamped now.
    for phone in &desk.phones {
        let late = desk.now().since(phone.packets.last().unwrap().at);
        assert!(late < Duration::from_millis(350), "{late:?}");
        assert!(phone.packets.is_sorted_by_key(|packet| packet.at));
        assert!(phone.slots.is_sorted_by_key(|slot| slot.at));
    }
}

#[test]
fn a_join_holds_186_bits_until_a_report_shows_the_plan_it_found() {
    for plan in [Plan::High, Plan::Low] {
        let host = ModemConfig {
            plan,
            ..config(Role::Host)
        };
        let join = ModemConfig {
            rx: Listen::Detect,
            ..config(Role::Guest)
        };
        let mut desk = Desk::new([host, join], || Halves::Joined);
        desk.run(0.1);
        let link = &desk.phones[1].link;
        assert_eq!((link.detected_plan(), link.capacity_bits()), (None, 186));
        desk.run(6.0);
        let [host, guest] = &desk.phones;
        let capacity = host.link.capacity_bits();
        assert_eq!(guest.link.detected_plan(), Some(plan));
        assert_eq!(guest.link.capacity_bits(), capacity);
        assert_eq!(
            (guest.link.stats().plan, guest.link.config().plan),
            (plan, plan)
        );
        assert!(guest.packets.len() > 8 && host.packets.len() > 5);
        assert!(
            guest
                .packets
                .iter()
                .all(|packet| packet.bits.len() == capacity)
        );
        // What an earlier setup found says nothing of the next.
        let detect = Reconfigure {
            rx: Some(Listen::Detect),
            ..Reconfigure::default()
        };
        let link = &mut desk.phones[1].link;
        link.reconfigure(detect).unwrap();
        let now = desk.now();
        let link = &mut desk.phones[1].link;
        while link.poll(now).is_some() {}
        assert_eq!((link.detected_plan(), link.capacity_bits()), (None, 186));
    }
}

#[test]
fn a_setup_that_does_not_fit_the_rate_changes_nothing() {
    let low = ModemConfig {
        sample_rate_hz: 24_000,
        plan: Plan::Low,
        ..config(Role::Host)
    };
    let (mut link, _pump) = ModemLink::pair(low).unwrap();
    let high = Reconfigure {
        plan: Some(Plan::High),
        gain: Some(0.5),
        ..Reconfigure::default()
    };
    assert!(matches!(
        link.reconfigure(high),
        Err(RateProblem::TooSlow { .. })
    ));
    assert_eq!(link.config(), low);
    let odd = ModemConfig {
        sample_rate_hz: 44_101,
        ..low
    };
    assert!(ModemLink::pair(odd).is_err() && ModemLink::alone(odd).is_err());
    assert!(ModemPump::alone(odd).is_err());
}

#[test]
fn a_gap_is_told_when_it_starts_and_with_its_total() {
    let mut desk = Desk::pair();
    desk.run(1.0);
    let Desk { phones, .. } = &mut desk;
    let (link, pump) = (&mut phones[0].link, phones[0].pump.as_mut().unwrap());
    let mut output = [0.0; BLOCK];
    let mut frame = phones[0].frame;
    let mut now = LinkTime::from_ms(11_000);
    let mut run = |input: [f32; BLOCK], blocks: u64| {
        for _ in 0..blocks {
            pump.process(&[&input], &mut output, frame);
            frame += BLOCK as u64;
            now = now + Duration::from_micros(2_667);
        }
        while link.poll(now).is_some() {}
        std::iter::from_fn(|| link.take_gap()).collect::<Vec<_>>()
    };
    // The silence before the first sound came round.
    run([0.1; BLOCK], 10);
    let started = run([0.0; BLOCK], 30);
    assert!(
        matches!(started[..], [gap] if gap.lasted.is_none()),
        "{started:?}"
    );
    assert!(run([0.0; BLOCK], 870).is_empty(), "one gap, however long");
    let ended = run([0.1; BLOCK], 1);
    let [gap] = ended[..] else {
        panic!("{ended:?}")
    };
    let lasted = gap.lasted.unwrap();
    assert_eq!(lasted.as_millis(), 2_400, "{ended:?}");
    assert!(gap.at.since(started[0].at) < Duration::from_millis(10));
}

#[test]
fn a_dead_channel_is_not_heard() {
    for interleaved in [false, true] {
        let mut host = ModemPump::alone(config(Role::Host)).unwrap();
        let (mut link, mut guest) = ModemLink::pair(ModemConfig {
            gain: 0.0,
            ..config(Role::Guest)
        })
        .unwrap();
        let (mut air, mut output) = ([0.0; 500], [0.0; 500]);
        let mut packets = 0;
        for block in 0..300 {
            host.process(&[], &mut air, block * 500);
            if interleaved {
                let stereo: Vec<f32> = air.iter().flat_map(|&x| [1e-4 * x, x]).collect();
                guest.process_interleaved(&stereo, 2, &mut output, block * 500);
            } else {
                let dead = [1e-7; 500];
                guest.process(&[&dead, &air], &mut output, block * 500);
            }
            let now = LinkTime::from_us(block * 500 * 1_000_000 / 48_000);
            while let Some(event) = link.poll(now) {
                packets += usize::from(matches!(event, LinkEvent::Packet(_)));
            }
        }
        assert!(packets > 8, "{packets}");
    }
}

#[test]
fn a_queue_that_nobody_reads_costs_reports_and_nothing_else() {
    let (mut link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    let mut output = [0.0; 480];
    for block in 0..6_000 {
        assert!(pump.process(&[&[0.1; 480]], &mut output, block * 480));
    }
    assert!(pump.dropped() > 0);
    while link.poll(LinkTime::from_ms(60_000)).is_some() {}
    for block in 6_000..6_100 {
        pump.process(&[&[0.1; 480]], &mut output, block * 480);
    }
    while link.poll(LinkTime::from_ms(61_000)).is_some() {}
    let (_, report) = link.newest_report().unwrap();
    assert!(
        report.modem.sample > 6_100 * 480 - 48_000 / 4,
        "what comes now is now"
    );
    assert_eq!(report.dropped, pump.dropped());
}

#[test]
fn what_is_to_be_sent_survives_a_full_queue() {
    let (mut link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    for tag in 0..200 {
        link.send(&[OutFrame {
            key: tag,
            ..frame(tag as u8)
        }]);
        link.set_mode(if tag.is_multiple_of(2) {
            Mode::Robust
        } else {
            Mode::Fast
        });
    }
    let mut output = [0.0; BLOCK];
    let mut keys = Vec::new();
    for block in 0..2_000 {
        pump.process(&[&[0.1; BLOCK]], &mut output, block * 128);
        while let Some(event) = link.poll(LinkTime::from_us(block * 2_667)) {
            if let LinkEvent::Slot(slot) = event {
                keys.push(slot.key);
            }
        }
    }
    assert_eq!(keys.last(), Some(&Some(199)), "the newest list");
    assert_eq!(link.stats().tx_mode, Mode::Fast, "the newest mode");
}

#[test]
fn the_audio_half_allocates_nothing_and_frees_nothing() {
    let (mut link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    let mut output = [0.0; 512];
    let stereo = [0.1; 1_024];
    let mut counted = 0;
    for block in 0..2_000_u64 {
        match block {
            100 => link.send(&[frame(1), OutFrame { key: 2, ..frame(2) }]),
            200 => link.set_mode(Mode::Fast),
            300 => link.set_session_key(SessionKey {
                host_nonce: 1,
                guest_nonce: 2,
            }),
            400 => link
                .reconfigure(Reconfigure {
                    plan: Some(Plan::Low),
                    ..Reconfigure::default()
                })
                .unwrap(),
            1_900 => link.close(),
            _ => {}
        }
        // A suspension, and a stretch in which nobody looks.
        let now = LinkTime::from_us(block * 10_667 + if block > 600 { 500_000 } else { 0 });
        if !(1_200..1_600).contains(&block) {
            while link.poll(now).is_some() {}
        }
        let silent = (900..950).contains(&block);
        let before = ALLOCATIONS.get();
        let _ = if silent {
            pump.process(&[&[0.0; 512]], &mut output, block * 512)
        } else {
            pump.process_interleaved(&stereo, 2, &mut output, block * 512)
        };
        counted += ALLOCATIONS.get() - before;
    }
    assert_eq!(counted, 0);
}

#[test]
fn the_halves_may_live_on_two_threads() {
    fn sent<T: Send>() {}
    sent::<ModemLink>();
    sent::<ModemPump>();
    let (mut link, mut pump) = ModemLink::pair(config(Role::Host)).unwrap();
    link.send(&[frame(3)]);
    let audio = std::thread::spawn(move || {
        let mut output = [0.0; BLOCK];
        let mut block = 0;
        while pump.process(&[&[0.1; BLOCK]], &mut output, block * 128) {
            block += 1;
        }
        block
    });
    let mut slots = 0;
    let mut us = 0;
    while slots < 10 {
        us += 100;
        while let Some(event) = link.poll(LinkTime::from_us(us)) {
            slots += usize::from(matches!(event, LinkEvent::Slot(_)));
        }
        std::thread::yield_now();
    }
    link.close();
    assert!(audio.join().unwrap() > 0);
    while link.poll(LinkTime::from_us(us + 1)).is_some() {}
    assert_eq!(
        link.stopped().filter(|fault| *fault != ModemFault::Gone),
        None
    );
}

fn commands() -> Vec<Command> {
    let long = OutFrame {
        bits: FrameBits::from_bytes(&[0xFF; 32], 256),
        key: u32::MAX,
        keyed: true,
    };
    let all = Frames::from_iter([frame(0), frame(1), long, long, long, long, long, long]);
    vec![
        Command::Payloads(Frames::new()),
        Command::Payloads(all),
        Command::Mode(Mode::Fast),
        Command::Session(SessionKey {
            host_nonce: 0x1234,
            guest_nonce: 0xFEDC,
        }),
        Command::Configure {
            change: Reconfigure::default(),
            serial: 0,
        },
        Command::Configure {
            change: Reconfigure {
                plan: Some(Plan::Low),
                tx: Some(Role::Guest),
                rx: Some(Listen::Detect),
                gain: Some(0.5),
            },
            serial: 0x0102_0304,
        },
        Command::Skip { frames: u64::MAX },
        Command::Close,
    ]
}

/// What a pump really says in three seconds, and one of each fault.
fn reports() -> Vec<Report> {
    let mut pump = ModemPump::alone(ModemConfig {
        rx: Listen::Role(Role::Host),
        ..config(Role::Host)
    })
    .unwrap();
    let (mut reports, mut output, mut bytes) = (Vec::new(), [0.0; BLOCK], [0; MESSAGE_BYTES_MAX]);
    for block in 0..1_125 {
        let input = output;
        pump.process(&[&input], &mut output, block * 128);
        while let Some(length) = pump.poll_message(&mut bytes) {
            reports.push(Report::decode(&bytes[..length]).unwrap());
        }
    }
    let packets = reports
        .iter()
        .filter(|report| matches!(report, Report::Packet(_)));
    assert!(packets.count() > 5, "a self-test hears itself");
    let rates = [
        (44_101, Plan::High),
        (8_000, Plan::Low),
        (1_000_000, Plan::High),
    ];
    let problems = rates.map(|(sample_rate_hz, plan)| {
        let odd = ModemConfig {
            sample_rate_hz,
            plan,
            ..config(Role::Host)
        };
        ModemFault::Rate(odd.rate_problem().unwrap())
    });
    let faults = [ModemFault::Gone, ModemFault::Failed, ModemFault::Unreadable];
    reports.extend(
        faults
            .into_iter()
            .chain(problems)
            .map(|fault| Report::Fault { fault, fatal: true }),
    );
    reports
}

#[test]
fn every_message_reads_back_as_it_was() {
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    for command in commands() {
        let length = command.encode(&mut bytes);
        assert_eq!(Command::decode(&bytes[..length]), Ok(command));
    }
    for report in reports() {
        let length = report.encode(&mut bytes);
        assert_eq!(Report::decode(&bytes[..length]), Ok(report));
    }
}

#[test]
fn the_layout_stands() {
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    let skip = Command::Skip { frames: 0x0102 };
    let length = skip.encode(&mut bytes);
    assert_eq!(
        bytes[..length],
        [MESSAGE_VERSION, 5, 2, 1, 0, 0, 0, 0, 0, 0]
    );
    let length = Command::Payloads(Frames::from_iter([frame(9)])).encode(&mut bytes);
    assert_eq!(length, MESSAGE_BYTES_MAX, "the longest");
    assert_eq!(
        bytes[..12],
        [MESSAGE_VERSION, 1, 1, 1, 0, 0, 0, 0, 16, 0, 9, 0xA5]
    );
    let length = Report::Clock { frame: 7 }.encode(&mut bytes);
    assert_eq!(
        bytes[..length],
        [MESSAGE_VERSION, 0x86, 7, 0, 0, 0, 0, 0, 0, 0]
    );
}

#[test]
fn hostile_messages_are_refused_with_a_reason_or_survived() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let mut originals = Vec::new();
    let mut bytes = [0; MESSAGE_BYTES_MAX];
    for command in commands() {
        let length = command.encode(&mut bytes);
        originals.push(bytes[..length].to_vec());
    }
    for report in reports().into_iter().rev().take(40) {
        let length = report.encode(&mut bytes);
        originals.push(bytes[..length].to_vec());
    }
    assert_eq!(Command::decode(&[]), Err(MessageError::Version { got: 0 }));
    assert_eq!(
        Command::decode(&[MESSAGE_VERSION]),
        Err(MessageError::Kind { kind: 0 })
    );
    assert_eq!(
        Command::decode(&[MESSAGE_VERSION, 7]),
        Err(MessageError::Kind { kind: 7 })
    );
    // Keys that do not ascend would break the rotation.
    let mut unsorted = originals[1].clone();
    unsorted[3] = 2;
    assert_eq!(
        Command::decode(&unsorted),
        Err(MessageError::Body {
            kind: 1,
            len: unsorted.len()
        })
    );
    for original in &originals {
        let mut longer = original.clone();
        longer.push(0);
        assert!(Command::decode(&longer).is_err() && Report::decode(&longer).is_err());
        for cut in 0..original.len() {
            assert!(Command::decode(&original[..cut]).is_err());
            assert!(Report::decode(&original[..cut]).is_err());
        }
    }
    let mut link = ModemLink::alone(config(Role::Guest)).unwrap();
    let mut pump = ModemPump::alone(config(Role::Guest)).unwrap();
    let (mut output, mut taken) = ([0.0; BLOCK], 0);
    for round in 0..40_000_u64 {
        let mut message = originals[rng.next_u32() as usize % originals.len()].clone();
        for _ in 0..rng.next_u32() % 4 {
            let at = rng.next_u32() as usize % message.len();
            message[at] = rng.next_u32() as u8;
        }
        // A closed link would take no more.
        if message.get(1) == Some(&6) && message.len() == 2 {
            continue;
        }
        taken += usize::from(pump.push_message(&message).is_ok());
        taken += usize::from(link.push_message(&message).is_ok());
        if round % 8 == 0 {
            let frame = u64::from(rng.next_u32()) * round;
            pump.process(&[&[0.1; BLOCK]], &mut output, frame);
            assert!(output.iter().all(|sample| sample.abs() <= 1.0));
            while pump.poll_message(&mut bytes).is_some() {}
            let now = LinkTime::from_us(round * u64::from(rng.next_u32() % 50_000));
            while let Some(event) = link.poll(now) {
                if let LinkEvent::Packet(packet) = event {
                    assert!(packet.at <= link.now() && packet.bits.len() == link.capacity_bits());
                }
            }
            while link.take_gap().is_some() || link.take_refusal().is_some() {}
            while link.poll_message(&mut bytes).is_some() {}
        }
    }
    assert!(taken > 1_000, "{taken} of them were messages");
}
