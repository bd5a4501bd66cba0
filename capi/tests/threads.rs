//! Two threads in the library at once, as hosts have them and as they should not: under ThreadSanitizer by `cargo xtask
//! tsan`, and the parts that an interpreter can run by `cargo xtask miri`.

// It calls the C ABI.
#![allow(unsafe_code)]

use link_modem::{Listen, ModemConfig, ModemLink};
use link_transport::{FrameBits, LinkEvent, LinkTime, LinkTransport, OutFrame, Role};
use sound_duel::*;
use std::{
    ptr::{null_mut, without_provenance_mut},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

/// Frames of a block.
const BLOCK: usize = 128;
const RATE_HZ: u32 = 48_000;

/// A handle for another thread: a number like any.
struct Sent<T>(*mut T);

impl<T> Sent<T> {
    fn number(&self) -> usize {
        self.0.addr()
    }
}

fn handle<T>(number: usize) -> *mut T {
    without_provenance_mut(number)
}

fn sized<T>() -> T {
    // SAFETY: a structure of integers, floats, pointers and functions: zeros are one.
    let mut zeros: T = unsafe { core::mem::zeroed() };
    // SAFETY: every sized structure begins with its size.
    unsafe { (&raw mut zeros).cast::<u32>().write(size_of::<T>() as u32) };
    zeros
}

fn status_of(link: usize) -> (duel_status, duel_link_status) {
    let mut status: duel_link_status = sized();
    // SAFETY: a structure that says its size.
    let came = unsafe { duel_link_get_status(handle(link), &raw mut status) };
    (came, status)
}

/// Reads a link's status until told to stop; every reading must work, be whole, and be no older than the last.
fn read_until(done: &AtomicBool, link: usize) -> u64 {
    let (mut readings, mut newest) = (0, 0);
    loop {
        let last = done.load(Ordering::Relaxed);
        let (came, status) = status_of(link);
        assert_eq!(came, DUEL_OK, "nothing makes a reading fail");
        assert!(status.capacity_bits >= 186 && status.rx_good >= newest);
        newest = status.rx_good;
        readings += 1;
        if last {
            return readings;
        }
        thread::yield_now();
    }
}

/// The two halves of a modem through Rust, a thread each.
#[test]
#[cfg_attr(miri, ignore = "a modem takes an interpreter hours")]
fn a_modems_halves_on_two_threads() {
    let config = ModemConfig::new(RATE_HZ, Role::Host).with_rx(Listen::Role(Role::Host));
    let (mut link, mut pump) = ModemLink::pair(config).expect("48 kHz carries the high plan");
    let frames = AtomicU64::new(0);
    let packets = thread::scope(|scope| {
        scope.spawn(|| {
            // It hears itself.
            let mut sound = [0.0; BLOCK];
            for block in 0..2_000_u64 {
                let heard = sound;
                assert!(pump.process(&[&heard], &mut sound, block * BLOCK as u64));
                frames.store((block + 1) * BLOCK as u64, Ordering::Relaxed);
            }
        });
        link.send(&[OutFrame {
            bits: FrameBits::from_bytes(b"two halves", 80),
            key: 1,
            keyed: false,
        }]);
        let mut packets = 0;
        let end = 2_000 * BLOCK as u64;
        loop {
            let at = frames.load(Ordering::Relaxed);
            let now = LinkTime::from_us(at * 1_000_000 / u64::from(RATE_HZ));
            while let Some(event) = link.poll(now) {
                packets += u32::from(matches!(event, LinkEvent::Packet(_)));
            }
            if at == end {
                return packets;
            }
            thread::yield_now();
        }
    });
    assert!(packets > 5, "{packets} packets");
}

/// The same through C, with a third thread that looks at the link's status.
#[test]
#[cfg_attr(miri, ignore = "a modem takes an interpreter hours")]
fn a_links_halves_on_two_threads_and_its_status_on_a_third() {
    let config = duel_link_config {
        listen: DUEL_LISTEN_SELF,
        ..sized()
    };
    let (mut link, mut pump) = (null_mut(), null_mut());
    // SAFETY: here and below, pointers to what they say.
    let made = unsafe { duel_link_new(&config, null_mut(), 0, &raw mut link, &raw mut pump) };
    assert_eq!(made, DUEL_OK);
    let (number, pump) = (Sent(link).number(), Sent(pump).number());
    let (frames, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut frame: duel_frame = unsafe { core::mem::zeroed() };
    frame.bit_count = 100;
    assert_eq!(
        unsafe { duel_link_send(link, &raw const frame, 1) },
        DUEL_OK
    );
    let (packets, readings) = thread::scope(|scope| {
        scope.spawn(|| {
            let mut sound = [0.0_f32; BLOCK];
            for block in 0..2_000_u64 {
                let heard = sound;
                let channel = heard.as_ptr();
                let status = unsafe {
                    duel_pump_process(
                        handle(pump),
                        &raw const channel,
                        1,
                        sound.as_mut_ptr(),
                        BLOCK as u32,
                        block * BLOCK as u64,
                    )
                };
                assert_eq!(status, DUEL_OK);
                frames.store((block + 1) * BLOCK as u64, Ordering::Relaxed);
            }
            assert_eq!(unsafe { duel_pump_free(handle(pump)) }, DUEL_OK);
        });
        let reader = scope.spawn(|| read_until(&done, number));
        let (mut event, mut packets): (duel_link_event, _) = (sized(), 0_u32);
        loop {
            let at = frames.load(Ordering::Relaxed);
            let now_us = at * 1_000_000 / u64::from(RATE_HZ);
            loop {
                match unsafe { duel_link_poll(link, now_us, &raw mut event) } {
                    DUEL_OK => packets += u32::from(event.kind == DUEL_LINK_PACKET),
                    DUEL_EMPTY => break,
                    other => panic!("a reading made a poll come to {other}"),
                }
            }
            if at == 2_000 * BLOCK as u64 {
                break;
            }
            thread::yield_now();
        }
        done.store(true, Ordering::Relaxed);
        (packets, reader.join().expect("it reads"))
    });
    let (came, status) = status_of(number);
    assert_eq!((came, status.rx_good), (DUEL_OK, packets.into()));
    assert!(
        packets > 5 && readings > 5,
        "{packets} packets, {readings} readings"
    );
    assert_eq!(unsafe { duel_link_free(link) }, DUEL_OK);
    assert_eq!(status_of(number).0, DUEL_BAD_HANDLE);
}

/// Two sessions on the ends of an air.
fn phones() -> ([usize; 2], [usize; 2]) {
    let air: duel_practice_config = sized();
    let (mut links, mut sessions) = ([null_mut(); 2], [null_mut(); 2]);
    let [host, guest] = &mut links;
    // SAFETY: here and below, pointers to what they say.
    let made = unsafe { duel_air_new(&air, null_mut(), 0, host, guest) };
    assert_eq!(made, DUEL_OK);
    for (role, (link, session)) in links.iter().zip(&mut sessions).enumerate() {
        let config = duel_session_config {
            role: role as i32,
            seed: 5 + role as u64,
            ..sized()
        };
        let catalogue: duel_catalogue = sized();
        let made = unsafe { duel_session_new(&config, &catalogue, *link, null_mut(), 0, session) };
        assert_eq!(made, DUEL_OK);
    }
    (
        links.map(|link: *mut duel_link| link.addr()),
        sessions.map(|session: *mut duel_session| session.addr()),
    )
}

/// A session on one thread, its link's status from another.
#[test]
fn a_session_is_not_disturbed_by_who_reads_its_links_status() {
    let (links, sessions) = phones();
    let done = AtomicBool::new(false);
    let last_us: u64 = if cfg!(miri) { 1_000_000 } else { 30_000_000 };
    thread::scope(|scope| {
        for link in links {
            let done = &done;
            scope.spawn(move || read_until(done, link));
        }
        for now_us in (0..last_us).step_by(50_000) {
            for session in sessions {
                // SAFETY: here and below, pointers to what they say.
                let pumped = unsafe { duel_session_pump(handle(session), now_us) };
                assert_eq!(pumped, DUEL_OK, "a reading makes nothing fail");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    let (came, status) = status_of(links[0]);
    assert_eq!((came, status.taken), (DUEL_OK, 1));
    assert!(status.rx_good > 3, "{} packets", status.rx_good);
    for session in sessions {
        assert_eq!(unsafe { duel_session_free(handle(session)) }, DUEL_OK);
    }
    assert_eq!(status_of(links[0]).1.taken, 0, "it is free again at once");
    for link in links {
        assert_eq!(unsafe { duel_link_free(handle(link)) }, DUEL_OK);
    }
}

/// What no host should do: every thread calls everything, and frees it. Each call is done whole or refused.
#[test]
fn calls_that_overlap_are_refused_and_nothing_breaks() {
    let rounds = if cfg!(miri) { 2 } else { 200 };
    let known = [DUEL_OK, DUEL_EMPTY, DUEL_BUSY, DUEL_BAD_HANDLE, DUEL_TAKEN];
    for _ in 0..rounds {
        let (links, sessions) = phones();
        thread::scope(|scope| {
            for thread in 0..3_u64 {
                scope.spawn(move || {
                    let mut event: duel_link_event = sized();
                    let mut status: duel_session_status = sized();
                    let mut shown: duel_link_status = sized();
                    let calls = if cfg!(miri) { 2 } else { 20 };
                    for call in 0..calls {
                        let now_us = (call + thread) * 100_000;
                        for at in 0..2 {
                            let (link, session) = (handle(links[at]), handle(sessions[at]));
                            // SAFETY: pointers to what they say.
                            let came = unsafe {
                                [
                                    duel_session_pump(session, now_us),
                                    duel_link_send(link, core::ptr::null(), 0),
                                    duel_session_get_status(session, now_us, &raw mut status),
                                    duel_link_poll(link, now_us, &raw mut event),
                                    duel_link_get_status(link, &raw mut shown),
                                ]
                            };
                            assert!(came.iter().all(|came| known.contains(came)), "{came:?}");
                            assert_ne!(came[4], DUEL_BUSY, "a reading never is");
                        }
                    }
                    for at in [0, 1] {
                        // SAFETY: whatever they are by now.
                        let freed = unsafe {
                            [
                                duel_link_free(handle(links[at])),
                                duel_session_free(handle(sessions[at])),
                            ]
                        };
                        assert!(freed.iter().all(|freed| known.contains(freed)), "{freed:?}");
                    }
                });
            }
        });
        for at in 0..2 {
            // SAFETY: what refused to be freed while another call was in it.
            let freed = unsafe {
                [
                    duel_link_free(handle(links[at])),
                    duel_session_free(handle(sessions[at])),
                ]
            };
            let gone = [DUEL_OK, DUEL_BAD_HANDLE];
            assert!(freed.iter().all(|freed| gone.contains(freed)), "{freed:?}");
        }
    }
}
