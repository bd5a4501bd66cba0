//! Memory: what is told in advance holds, the audio path allocates nothing, and everything is given back.

// It counts what the allocator does, and calls the C ABI.
#![allow(unsafe_code)]

use sound_duel::*;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    fmt::Write as _,
    ptr::{null, null_mut},
};

/// Counts what this thread holds and has held at most.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends has no counters any more; nothing is measured on those.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
        let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    });
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most held at once while `work` runs, over what was held before, and how many calls it took.
fn measure<R>(work: impl FnOnce() -> R) -> (u64, u64, R) {
    let (before, calls) = (HELD.get(), CALLS.get());
    MOST.set(before);
    let result = work();
    ((MOST.get() - before) as u64, CALLS.get() - calls, result)
}

fn config(rate: u32, plan: i32, listen: i32) -> duel_link_config {
    duel_link_config {
        struct_size: size_of::<duel_link_config>() as u32,
        sample_rate_hz: rate,
        plan,
        role: if listen == DUEL_LISTEN_DETECT {
            DUEL_ROLE_GUEST
        } else {
            DUEL_ROLE_HOST
        },
        listen,
        gain: 0.0,
        receive_only: 0,
    }
}

fn new_link(config: &duel_link_config) -> (*mut duel_link, *mut duel_pump) {
    let (mut link, mut pump) = (null_mut(), null_mut());
    // SAFETY: pointers to what they say.
    let status = unsafe { duel_link_new(config, null_mut(), 0, &raw mut link, &raw mut pump) };
    assert_eq!(status, DUEL_OK);
    (link, pump)
}

#[test]
fn a_link_takes_at_most_what_is_told_and_gives_it_back() {
    let mut table = String::from("   rate  plan listen      told      most\n");
    table.reserve(4096);
    let mut wrong = 0;
    for rate in [24_000, 32_000, 44_100, 48_000, 96_000, 192_000, 768_000] {
        for (plan, listen) in [
            (DUEL_PLAN_HIGH, DUEL_LISTEN_PEER),
            (DUEL_PLAN_LOW, DUEL_LISTEN_PEER),
            (DUEL_PLAN_LOW, DUEL_LISTEN_DETECT),
        ] {
            if plan == DUEL_PLAN_HIGH && rate < 44_100 {
                continue;
            }
            let config = config(rate, plan, listen);
            let mut told = 0;
            // SAFETY: pointers to what they say.
            assert_eq!(
                unsafe { duel_link_memory_bytes(&config, &raw mut told) },
                DUEL_OK
            );
            let held = HELD.get();
            let (most, _, (link, pump)) = measure(|| new_link(&config));
            let _ = writeln!(table, "{rate:>7} {plan:>5} {listen:>6} {told:>9} {most:>9}");
            wrong += usize::from(most > told || told > 2 * most);
            // SAFETY: live handles, used by nobody else.
            unsafe {
                assert_eq!(duel_link_free(link), DUEL_OK);
                assert_eq!(duel_pump_free(pump), DUEL_OK);
            }
            assert_eq!(HELD.get(), held, "{rate} Hz: everything is given back");
        }
    }
    assert_eq!(wrong, 0, "told too little, or over twice as much:\n{table}");
    println!("{table}");
}

#[test]
fn a_guard_takes_at_most_what_is_told() {
    for (rate, channels) in [
        (8_000, 1),
        (44_100, 2),
        (48_000, 2),
        (48_000, 8),
        (192_000, 2),
    ] {
        for plan in [DUEL_PLAN_HIGH, DUEL_PLAN_LOW] {
            let (mut told, mut guard) = (0, null_mut());
            // SAFETY: pointers to what they say.
            let told_it = unsafe { duel_guard_memory_bytes(rate, channels, &raw mut told) };
            let (most, _, made) = measure(|| {
                // SAFETY: as above.
                unsafe { duel_guard_new(plan, rate, channels, null_mut(), 0, &raw mut guard) }
            });
            assert_eq!((told_it, made), (DUEL_OK, DUEL_OK));
            assert!(
                most <= told && told <= 4 * most,
                "{rate} Hz, {channels}: {most}, told {told}"
            );
            // SAFETY: a live handle.
            assert_eq!(unsafe { duel_guard_free(guard) }, DUEL_OK);
        }
    }
}

#[test]
fn the_audio_path_allocates_nothing_and_neither_does_polling() {
    let host = config(48_000, DUEL_PLAN_HIGH, DUEL_LISTEN_PEER);
    let guest = config(48_000, DUEL_PLAN_HIGH, DUEL_LISTEN_DETECT);
    let (mut phones, mut sound) = ([new_link(&host), new_link(&guest)], [[0.0_f32; 128]; 2]);
    let mut guard = null_mut();
    // SAFETY: here and below, live handles and pointers to what they say.
    let made = unsafe { duel_guard_new(DUEL_PLAN_HIGH, 48_000, 1, null_mut(), 0, &raw mut guard) };
    assert_eq!(made, DUEL_OK);
    let mut frame = duel_frame {
        bits: [7; 32],
        bit_count: 100,
        key: 1,
        keyed: 0,
    };
    let mut event: duel_link_event = unsafe { core::mem::zeroed() };
    event.struct_size = size_of::<duel_link_event>() as u32;
    let (mut packets, mut seen) = (0, 0);
    let (_, calls, ()) = measure(|| {
        for block in 0..4_000_u64 {
            for at in 0..2 {
                // Each hears the other, quieter, and itself.
                let mut heard = [0.0_f32; 128];
                for (i, sample) in heard.iter_mut().enumerate() {
                    *sample = 0.1 * sound[1 - at][i] + 0.3 * sound[at][i];
                }
                let (link, pump) = phones[at];
                let channel = heard.as_ptr();
                let status = unsafe {
                    duel_pump_process(
                        pump,
                        &raw const channel,
                        1,
                        sound[at].as_mut_ptr(),
                        128,
                        block * 128,
                    )
                };
                assert_eq!(status, DUEL_OK);
                let mut mix = [0.1_f32; 128];
                assert_eq!(
                    unsafe { duel_guard_process(guard, mix.as_mut_ptr(), 128) },
                    DUEL_OK
                );
                let now_us = (block + 1) * 128 * 1_000_000 / 48_000;
                while unsafe { duel_link_poll(link, now_us, &raw mut event) } == DUEL_OK {
                    packets += i32::from(event.kind == DUEL_LINK_PACKET);
                }
                if block % 50 == 0 {
                    frame.key += 1;
                    assert_eq!(
                        unsafe { duel_link_send(link, &raw const frame, 1) },
                        DUEL_OK
                    );
                    // What fails tells why without allocating, too.
                    let refused = unsafe { duel_pump_process(pump, null(), 9, null_mut(), 0, 0) };
                    assert_eq!(refused, DUEL_BAD_ARGUMENT);
                }
            }
            seen = block;
        }
    });
    assert!(packets > 60, "{packets} packets in {seen} blocks");
    assert_eq!(calls, 0, "calls of the allocator");
    for (link, pump) in &mut phones {
        unsafe {
            assert_eq!(duel_pump_free(*pump), DUEL_OK);
            assert_eq!(duel_link_free(*link), DUEL_OK);
        }
    }
    assert_eq!(unsafe { duel_guard_free(guard) }, DUEL_OK);
}

/// What the header says of sessions.
/// Slots are used again, so the table has all it needs after the first handles.
#[test]
fn a_million_handles_one_after_another_take_no_more_memory_than_a_few() {
    let make_and_free = |handles: u32| {
        for _ in 0..handles {
            let mut guard = null_mut();
            // SAFETY: a pointer to what it says, and a live handle.
            let done = unsafe {
                let made = duel_guard_new(DUEL_PLAN_LOW, 8_000, 1, null_mut(), 0, &raw mut guard);
                [made, duel_guard_free(guard)]
            };
            assert_eq!(done, [DUEL_OK; 2]);
        }
    };
    let (few, ..) = measure(|| make_and_free(10));
    let held = HELD.get();
    let (many, calls, ()) = measure(|| make_and_free(1_000_000));
    assert!(
        calls >= 1_000_000,
        "it is the handles' memory that is counted"
    );
    assert_eq!((many, HELD.get()), (few, held));
}

const SESSION_BYTES: u64 = 64 << 10;
const SKIRMISH_BYTES: u64 = 2 << 20;

#[test]
fn a_session_takes_what_the_header_says() {
    let air = duel_practice_config {
        struct_size: size_of::<duel_practice_config>() as u32,
        plan: DUEL_PLAN_HIGH,
        role: DUEL_ROLE_HOST,
        latency_ms: 0,
        loss_permille: 0,
        snr_db: 0.0,
        seed: 1,
    };
    let (mut links, mut phones) = ([null_mut(); 2], [null_mut(); 2]);
    let [host, guest] = &mut links;
    // SAFETY: here and below, live handles and pointers to what they say.
    assert_eq!(
        unsafe { duel_air_new(&air, null_mut(), 0, host, guest) },
        DUEL_OK
    );
    let mut made = 0;
    for (role, (link, phone)) in links.iter().zip(&mut phones).enumerate() {
        let config = duel_session_config {
            struct_size: size_of::<duel_session_config>() as u32,
            role: role as i32,
            build: 0,
            keep_mode: 0,
            game: null(),
            map: duel_map {
                random: 0,
                index: 0,
                seed: 0,
            },
            mutators: 0,
            host_side: DUEL_SIDE_BLUE,
            start: DUEL_START_MEASURED,
            log: None,
            log_userdata: null_mut(),
            seed: 5 + role as u64,
            delay_ticks: 0,
            reserved: 0,
        };
        let (most, _, status) =
            measure(|| unsafe { duel_skirmish_new(&config, *link, null_mut(), 0, phone) });
        assert_eq!(status, DUEL_OK);
        made = made.max(most);
    }
    let mut status: duel_session_status = unsafe { core::mem::zeroed() };
    status.struct_size = size_of::<duel_session_status>() as u32;
    let (mut begun, mut playing) = (0, 0);
    for now_us in (0..60_000_000).step_by(20_000) {
        for &phone in &phones {
            unsafe {
                assert_eq!(duel_session_pump(phone, now_us), DUEL_OK);
                assert_eq!(
                    duel_session_get_status(phone, now_us, &raw mut status),
                    DUEL_OK
                );
            }
            if status.phase == DUEL_PHASE_READY {
                let (most, _, done) =
                    measure(|| unsafe { duel_skirmish_begin(phone, now_us, DUEL_AI_NONE, 1) });
                assert_eq!(done, DUEL_OK);
                begun = begun.max(most);
            }
            let (most, _, ran) = measure(|| unsafe { duel_session_run(phone, now_us, null_mut()) });
            assert!(ran >= 0);
            playing = playing.max(most);
        }
    }
    println!(
        "a session: {made} bytes when made, {begun} when the skirmish begins, {playing} in a tick"
    );
    assert!(made <= SESSION_BYTES && begun <= SKIRMISH_BYTES && begun > 0);
    for (link, phone) in links.into_iter().zip(phones) {
        unsafe {
            assert_eq!(duel_session_free(phone), DUEL_OK);
            assert_eq!(duel_link_free(link), DUEL_OK);
        }
    }
}
