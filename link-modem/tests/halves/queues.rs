//! Both ways through the queues: what is said, stopped, refused, lost, and what it costs.

use crate::desk::{BLOCK, Desk, Halves, START, config, frame};
use link_modem::half::{MESSAGE_BYTES_MAX, MessageError, ModemFault, Report};
use link_modem::{Listen, ModemLink, ModemPump, RateProblem, Reconfigure};
use link_transport::{LinkEvent, LinkTime, LinkTransport, Mode, OutFrame, Plan, Role, SessionKey};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

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

#[test]
fn a_join_holds_186_bits_until_a_report_shows_the_plan_it_found() {
    for plan in [Plan::High, Plan::Low] {
        let host = config(Role::Host).with_plan(plan);
        let join = config(Role::Guest).with_rx(Listen::Detect);
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
        let detect = Reconfigure::default().with_rx(Listen::Detect);
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
    let low = config(Role::Host)
        .with_sample_rate_hz(24_000)
        .with_plan(Plan::Low);
    let (mut link, _pump) = ModemLink::pair(low).unwrap();
    let high = Reconfigure::default().with_plan(Plan::High).with_gain(0.5);
    assert!(matches!(
        link.reconfigure(high),
        Err(RateProblem::TooSlow { .. })
    ));
    assert_eq!(link.config(), low);
    let odd = low.with_sample_rate_hz(44_101);
    assert!(ModemLink::pair(odd).is_err() && ModemLink::alone(odd).is_err());
    assert!(ModemPump::alone(odd).is_err());
}

#[test]
fn a_dead_channel_is_not_heard() {
    for interleaved in [false, true] {
        let mut host = ModemPump::alone(config(Role::Host)).unwrap();
        let (mut link, mut guest) = ModemLink::pair(config(Role::Guest).with_gain(0.0)).unwrap();
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
                .reconfigure(Reconfigure::default().with_plan(Plan::Low))
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
