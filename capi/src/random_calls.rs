//! Any sequence of calls as a careless host might make it: behind the feature `random-calls`, for the fuzzer.
//!
//! The sequence is written in bytes, one operation after another. Handles are NULL, live, or of another kind; numbers are
//! anything; memory is as long as it is said to be. Whatever is called, nothing may panic, every status has a name, and a
//! call that fails writes nothing.

use crate::*;
use core::{
    ffi::{CStr, c_char, c_void},
    ptr::{null, null_mut},
};

/// Operations of one sequence.
const CALLS_MAX: usize = 96;
/// Samples and bytes that a call is handed at most.
const BUFFER: usize = 512;

/// Runs the sequence that `data` describes.
///
/// # Panics
/// If a law is broken.
pub fn random_calls(data: &[u8]) {
    let mut host = Host::new(data);
    for _ in 0..CALLS_MAX {
        if host.bytes.is_empty() {
            break;
        }
        host.call();
    }
}

/// A game that counts, boxed so that it stays where it is.
struct Counter {
    orders: u64,
    ticks: u64,
}

unsafe extern "C" fn step(userdata: *mut c_void, orders: *const duel_order, count: usize) {
    // SAFETY: the host's own counter, and the library's orders.
    let (counter, orders) = unsafe {
        (
            &mut *userdata.cast::<Counter>(),
            core::slice::from_raw_parts(orders, count),
        )
    };
    counter.ticks += 1;
    for order in orders {
        assert!(
            (1..=DUEL_ORDER_BITS).contains(&order.bit_count),
            "an order of {} bits",
            order.bit_count
        );
        assert!(
            (0..2).contains(&order.side),
            "an order of side {}",
            order.side
        );
        counter.orders = counter
            .orders
            .wrapping_mul(31)
            .wrapping_add(order.bits[0].into());
    }
}

unsafe extern "C" fn hash(userdata: *mut c_void) -> u64 {
    // SAFETY: the host's own counter.
    let counter = unsafe { &*userdata.cast::<Counter>() };
    counter.orders ^ counter.ticks << 32
}

unsafe extern "C" fn outcome(userdata: *mut c_void, winner: *mut i32) -> i32 {
    // SAFETY: the host's own counter, and the library's number.
    unsafe {
        *winner = (*userdata.cast::<Counter>()).orders as i32 % 3;
        ((*userdata.cast::<Counter>()).ticks > 50).into()
    }
}

/// A careless host and all it holds.
struct Host<'a> {
    bytes: &'a [u8],
    now_us: u64,
    frame: u64,
    links: [*mut duel_link; 2],
    pumps: [*mut duel_pump; 2],
    sessions: [*mut duel_session; 2],
    guard: *mut duel_guard,
    rig: *mut duel_rig,
    advice: *mut duel_advice,
    room: *mut duel_room,
    games: [Box<Counter>; 2],
    why: [c_char; 64],
}

/// A status that no bug may cause.
fn lawful(status: duel_status) -> bool {
    assert_ne!(status, DUEL_PANICKED, "the library panicked");
    let name = duel_status_name(status);
    // SAFETY: a static string.
    assert_ne!(
        unsafe { CStr::from_ptr(name) },
        c"DUEL_UNKNOWN",
        "status {status}"
    );
    status == DUEL_OK
}

impl<'a> Host<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let counter = || {
            Box::new(Counter {
                orders: 0,
                ticks: 0,
            })
        };
        Self {
            bytes,
            now_us: 0,
            frame: 0,
            links: [null_mut(); 2],
            pumps: [null_mut(); 2],
            sessions: [null_mut(); 2],
            guard: null_mut(),
            rig: null_mut(),
            advice: null_mut(),
            room: null_mut(),
            games: [counter(), counter()],
            why: [0; 64],
        }
    }

    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        *first
    }

    /// Mostly small, sometimes anything.
    fn number(&mut self) -> i32 {
        match self.byte() {
            small @ 0..=239 => i32::from(small % 6) - 1,
            _ => i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
        }
    }

    /// Any number that is a size: what it says is there.
    fn length(&mut self) -> usize {
        usize::from(self.byte()) * 2
    }

    fn float(&mut self) -> f32 {
        match self.byte() {
            byte @ 0..=199 => f32::from(byte) / 100.0,
            200..=219 => -1.0,
            220..=239 => f32::NAN,
            _ => f32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
        }
    }

    fn struct_size<T>(&mut self) -> u32 {
        match self.byte() {
            0..=239 => size_of::<T>() as u32,
            _ => self.number() as u32 % (size_of::<T>() as u32 + 1),
        }
    }

    /// The handle, or now and then NULL or one of another kind.
    fn mistaken<T>(&mut self, handle: *mut T) -> *mut T {
        match self.byte() {
            0..=239 => handle,
            240..=247 => null_mut(),
            _ => self.guard.cast(),
        }
    }

    fn link_config(&mut self) -> duel_link_config {
        duel_link_config {
            struct_size: self.struct_size::<duel_link_config>(),
            sample_rate_hz: match self.byte() % 8 {
                0..4 => 0,
                4 => 44_100,
                5 => 24_000,
                6 => 8_000,
                _ => self.number() as u32,
            },
            plan: self.number(),
            role: self.number(),
            listen: self.number(),
            gain: self.float(),
            receive_only: self.number(),
        }
    }

    fn call(&mut self) {
        self.now_us += u64::from(self.byte()) * 1_000;
        let which = usize::from(self.byte() & 1);
        // SAFETY: handles are NULL or live, pointers are NULL or as long as they are said to be.
        unsafe {
            match self.byte() % 12 {
                0 => self.make(which),
                1 => self.free(which),
                2 | 3 => self.call_link(which),
                4 => self.call_pump(which),
                5..=7 => self.call_session(which),
                8 => self.call_rig(which),
                9 => self.call_room(),
                10 => self.carry(),
                _ => self.call_guard(),
            };
        }
    }

    unsafe fn make(&mut self, which: usize) {
        let (why, why_bytes) = (self.why.as_mut_ptr(), usize::from(self.byte() % 65));
        unsafe {
            match self.byte() % 8 {
                0 | 1 if self.links[which].is_null() && self.pumps[which].is_null() => {
                    let config = self.link_config();
                    let apart = self.byte().is_multiple_of(4);
                    let pump = if apart {
                        null_mut()
                    } else {
                        &raw mut self.pumps[which]
                    };
                    let made =
                        duel_link_new(&config, why, why_bytes, &raw mut self.links[which], pump);
                    assert_eq!(
                        lawful(made),
                        !self.links[which].is_null(),
                        "made is written, and only then"
                    );
                }
                2 if self.pumps[which].is_null() => {
                    let config = self.link_config();
                    lawful(duel_pump_new(
                        &config,
                        why,
                        why_bytes,
                        &raw mut self.pumps[which],
                    ));
                }
                3 if self.links[which].is_null() => {
                    let config = self.practice();
                    lawful(duel_relay_new(
                        &config,
                        why,
                        why_bytes,
                        &raw mut self.links[which],
                    ));
                }
                4 if self.links.iter().all(|link| link.is_null()) => {
                    let config = self.practice();
                    let [host, guest] = &mut self.links;
                    lawful(duel_air_new(&config, why, why_bytes, host, guest));
                }
                5 if self.sessions[which].is_null() => self.make_session(which, why, why_bytes),
                6 if self.rig.is_null() => {
                    let words = [self.number(), self.number(), self.number(), self.number()];
                    let [plan, role, listen, mode] = words;
                    lawful(duel_rig_new(
                        self.now_us,
                        plan,
                        role,
                        listen,
                        mode,
                        why,
                        why_bytes,
                        &raw mut self.rig,
                    ));
                }
                7 if self.advice.is_null() => {
                    let config = self.link_config();
                    lawful(duel_advice_new(
                        &config,
                        why,
                        why_bytes,
                        &raw mut self.advice,
                    ));
                }
                _ if self.room.is_null() => {
                    let mut config: duel_room_config = core::mem::zeroed();
                    config.struct_size = self.struct_size::<duel_room_config>();
                    config.distance_cm = self.float().into();
                    config.skew_ppm = [self.float().into(), self.float().into()];
                    lawful(duel_room_new(&config, why, why_bytes, &raw mut self.room));
                }
                _ => {}
            }
        }
    }

    fn practice(&mut self) -> duel_practice_config {
        duel_practice_config {
            struct_size: self.struct_size::<duel_practice_config>(),
            plan: self.number(),
            role: self.number(),
            latency_ms: self.byte().into(),
            loss_permille: self.byte().into(),
            snr_db: self.float(),
            seed: self.byte().into(),
        }
    }

    unsafe fn make_session(&mut self, which: usize, why: *mut c_char, why_bytes: usize) {
        let config = duel_session_config {
            struct_size: self.struct_size::<duel_session_config>(),
            role: if self.byte() < 200 {
                which as i32
            } else {
                self.number()
            },
            build: self.number() as u32,
            keep_mode: self.number(),
            game: if self.byte() < 128 {
                null()
            } else {
                c"fuzz".as_ptr()
            },
            map: duel_map {
                random: self.number(),
                index: self.number() as u32,
                seed: 1,
            },
            mutators: self.number() as u32,
            host_side: self.number(),
            start: self.number(),
            log: None,
            log_userdata: null_mut(),
            seed: self.byte().into(),
        };
        let link = self.links[which];
        let link = self.mistaken(link);
        let session = &raw mut self.sessions[which];
        unsafe {
            if self.byte().is_multiple_of(2) {
                lawful(duel_skirmish_new(&config, link, why, why_bytes, session));
                return;
            }
            let catalogue = duel_catalogue {
                struct_size: self.struct_size::<duel_catalogue>(),
                maps: self.number() as u32,
                biomes: self.number() as u32,
                mutators: self.number() as u32,
                openers: self.number() as u32,
                blocked_by: [self.byte().into(), 0, 1],
            };
            lawful(duel_session_new(
                &config, &catalogue, link, why, why_bytes, session,
            ));
        }
    }

    unsafe fn free(&mut self, which: usize) {
        /// Frees, and forgets.
        macro_rules! drop_it {
            ($free:ident, $handle:expr) => {{
                let handle = core::mem::replace(&mut $handle, null_mut());
                assert!(lawful(unsafe { $free(handle) }), "a live handle is freed");
            }};
        }
        match self.byte() % 10 {
            0 => drop_it!(duel_link_free, self.links[which]),
            1 => drop_it!(duel_pump_free, self.pumps[which]),
            2 => drop_it!(duel_session_free, self.sessions[which]),
            3 => drop_it!(duel_guard_free, self.guard),
            4 => drop_it!(duel_rig_free, self.rig),
            5 => drop_it!(duel_advice_free, self.advice),
            6 => drop_it!(duel_room_free, self.room),
            _ => {}
        }
    }

    unsafe fn call_link(&mut self, which: usize) {
        let link = self.links[which];
        let link = self.mistaken(link);
        unsafe {
            match self.byte() % 14 {
                0 | 1 => {
                    let count = usize::from(self.byte() % 10);
                    let mut frames = [duel_frame {
                        bits: [0; 32],
                        bit_count: 0,
                        key: 0,
                        keyed: 0,
                    }; 10];
                    for frame in &mut frames[..count] {
                        frame.bits[0] = self.byte();
                        frame.bit_count = self.byte().into();
                        frame.key = self.number() as u32;
                        frame.keyed = self.number();
                    }
                    lawful(duel_link_send(link, frames.as_ptr(), count));
                }
                2 | 3 => {
                    let mut event: duel_link_event = core::mem::zeroed();
                    event.struct_size = self.struct_size::<duel_link_event>();
                    event.kind = 77;
                    let polled = duel_link_poll(link, self.now_us, &raw mut event);
                    assert_eq!(
                        lawful(polled),
                        event.kind != 77,
                        "written exactly on success"
                    );
                }
                4 => drop(lawful(duel_link_set_mode(link, self.number()))),
                5 => drop(lawful(duel_link_set_session_key(
                    link,
                    self.number() as u32,
                    self.number() as u32,
                ))),
                6 => drop(lawful(duel_link_set_bands(
                    link,
                    self.number(),
                    self.number(),
                    self.number(),
                ))),
                7 => drop(lawful(duel_link_set_gain(link, self.float()))),
                8 => {
                    let mut status: duel_link_status = core::mem::zeroed();
                    status.struct_size = self.struct_size::<duel_link_status>();
                    lawful(duel_link_get_status(link, &raw mut status));
                }
                9 => {
                    let rate = if self.byte() < 200 {
                        48_000
                    } else {
                        self.number() as u32
                    };
                    let mut pump = null_mut();
                    let apart = self.byte().is_multiple_of(2);
                    let out = if apart { null_mut() } else { &raw mut pump };
                    if lawful(duel_link_reset(link, rate, out)) && !apart {
                        lawful(duel_pump_free(core::mem::replace(
                            &mut self.pumps[which],
                            pump,
                        )));
                    }
                }
                10 => drop(lawful(duel_link_pump_failed(link))),
                11 => drop(lawful(duel_link_close(link))),
                12 => {
                    let bytes: Vec<u8> = (0..self.length()).map(|_| self.byte()).collect();
                    lawful(duel_link_push_message(link, bytes.as_ptr(), bytes.len()));
                }
                _ => {
                    let mut gap = duel_gap {
                        at_us: 0,
                        lasted_us: 0,
                    };
                    lawful(duel_link_poll_gap(link, &raw mut gap));
                    assert!(duel_link_capacity_bits(link) <= 188);
                    assert!(CStr::from_ptr(duel_link_detail(link)).count_bytes() < DUEL_TEXT_BYTES);
                }
            }
        }
    }

    unsafe fn call_pump(&mut self, which: usize) {
        let pump = self.pumps[which];
        let pump = self.mistaken(pump);
        let (frames, level) = (self.length().min(BUFFER), self.float());
        let input = [level; 2 * BUFFER];
        let mut output = [f32::NAN; BUFFER];
        self.frame = match self.byte() {
            0..=239 => self.frame,
            _ => self.number() as u64,
        };
        unsafe {
            let processed = match self.byte() % 4 {
                0 => duel_pump_process(
                    pump,
                    null(),
                    0,
                    output.as_mut_ptr(),
                    frames as u32,
                    self.frame,
                ),
                1 => {
                    let channels = [input.as_ptr(), null()];
                    let count = u32::from(self.byte() % 3);
                    duel_pump_process(
                        pump,
                        channels.as_ptr(),
                        count,
                        output.as_mut_ptr(),
                        frames as u32,
                        self.frame,
                    )
                }
                _ => {
                    let channels = u32::from(self.byte() % 3);
                    duel_pump_process_interleaved(
                        pump,
                        input.as_ptr(),
                        channels,
                        output.as_mut_ptr(),
                        frames as u32,
                        self.frame,
                    )
                }
            };
            lawful(processed);
            if processed >= 0 {
                assert!(
                    output[..frames].iter().all(|x| x.abs() <= 1.0),
                    "what is played is sound"
                );
                self.frame = self.frame.wrapping_add(frames as u64);
            }
            assert!(
                output[frames..].iter().all(|x| x.is_nan()),
                "and no more than the block"
            );
        }
    }

    unsafe fn call_session(&mut self, which: usize) {
        let session = self.sessions[which];
        let session = self.mistaken(session);
        let now_us = self.now_us;
        unsafe {
            match self.byte() % 20 {
                0..=4 => drop(lawful(duel_session_pump(session, now_us))),
                5 | 6 => {
                    let mut ticks = 0;
                    lawful(duel_session_run(session, now_us, &raw mut ticks));
                    assert!(ticks <= 5);
                }
                7 => drop(lawful(duel_session_pick(session, self.number()))),
                8 | 9 => {
                    let game = duel_game {
                        struct_size: self.struct_size::<duel_game>(),
                        reserved: 0,
                        userdata: (&raw mut *self.games[which]).cast(),
                        step: Some(step),
                        hash: Some(hash),
                        outcome: Some(outcome),
                        save: None,
                        load: None,
                    };
                    lawful(duel_session_begin(session, now_us, &game));
                    lawful(duel_skirmish_begin(session, now_us, self.number(), 1));
                }
                10 => {
                    let bits = [self.byte(); 11];
                    let (count, first) = (u32::from(self.byte()).min(88), self.number());
                    lawful(duel_session_order(
                        session,
                        now_us,
                        bits.as_ptr(),
                        count,
                        first,
                    ));
                }
                11 => {
                    let units = [self.byte().into(), self.byte().into()];
                    let order = duel_skirmish_order {
                        struct_size: self.struct_size::<duel_skirmish_order>(),
                        kind: i32::from(self.byte() % 22),
                        units: units.as_ptr(),
                        unit_count: u32::from(self.byte() % 3),
                        object: self.number() as u32,
                        what: self.number(),
                        x: self.number(),
                        y: self.number(),
                        here: self.number(),
                    };
                    lawful(duel_skirmish_give(session, now_us, &order));
                }
                12 => drop(lawful(duel_session_set_paused(
                    session,
                    now_us,
                    self.number(),
                ))),
                13 => drop(lawful(duel_session_leave(session, now_us, self.number()))),
                14 => drop(lawful(duel_session_reset(
                    session,
                    now_us,
                    self.byte().into(),
                ))),
                15 => drop(lawful(duel_session_retry(session, now_us))),
                16 => {
                    let mut status: duel_session_status = core::mem::zeroed();
                    status.struct_size = self.struct_size::<duel_session_status>();
                    lawful(duel_session_get_status(session, now_us, &raw mut status));
                }
                17 => {
                    let mut length = 0;
                    if lawful(duel_session_record(session, null_mut(), 0, &raw mut length)) {
                        assert!(length > 100);
                    }
                    let mut units = [core::mem::zeroed(); 8];
                    lawful(duel_skirmish_get_units(
                        session,
                        self.number(),
                        units.as_mut_ptr(),
                        8,
                        &raw mut length,
                    ));
                }
                18 => {
                    let mut event: duel_session_event = core::mem::zeroed();
                    event.struct_size = self.struct_size::<duel_session_event>();
                    lawful(duel_session_poll_event(session, &raw mut event));
                    lawful(duel_session_resign(session, now_us));
                }
                _ => drop(lawful(duel_session_close(session))),
            }
        }
    }

    unsafe fn call_rig(&mut self, which: usize) {
        let (rig, advice, link) = (self.rig, self.advice, self.links[which]);
        let (rig, link) = (self.mistaken(rig), self.mistaken(link));
        let now_us = self.now_us;
        unsafe {
            match self.byte() % 8 {
                0 | 1 => {
                    let event = duel_rig_event {
                        struct_size: self.struct_size::<duel_rig_event>(),
                        kind: i32::from(self.byte() % 20),
                        id: self.number() as u32,
                        rate_hz: if self.byte() < 128 {
                            48_000
                        } else {
                            self.number() as u32
                        },
                        flag: self.number(),
                    };
                    lawful(duel_rig_handle_event(rig, now_us, &event));
                }
                2 => drop(lawful(duel_rig_handle_tap(rig, now_us))),
                3 => {
                    let mut action: duel_rig_action = core::mem::zeroed();
                    action.struct_size = self.struct_size::<duel_rig_action>();
                    while lawful(duel_rig_poll_action(rig, &raw mut action)) {}
                }
                4 => {
                    let mut status: duel_rig_status = core::mem::zeroed();
                    status.struct_size = self.struct_size::<duel_rig_status>();
                    lawful(duel_rig_get_status(rig, now_us, &raw mut status));
                }
                5 => drop(lawful(duel_rig_watch(rig, now_us, link))),
                6 => drop(lawful(duel_advice_watch(advice, link, null_mut()))),
                _ => drop(lawful(duel_rig_close(rig, now_us))),
            }
        }
    }

    unsafe fn call_room(&mut self) {
        let room = self.room;
        let room = self.mistaken(room);
        let pumps = self.pumps;
        let pump = self.mistaken(pumps[0]);
        unsafe {
            match self.byte() % 3 {
                0 => {
                    // At most a tenth of a second at once, so that a sequence stays short.
                    let mut phone = 0;
                    let mut frame = 0;
                    if lawful(duel_room_next(room, &raw mut phone, &raw mut frame)) {
                        let until_us = self.now_us.min(frame * 1_000_000 / 48_000 + 100_000);
                        lawful(duel_room_run(room, until_us, pump, pumps[1]));
                    }
                }
                1 => {
                    let mut sound = [0.5; BUFFER];
                    let (phone, frames) = (self.number(), self.length().min(BUFFER) as u32);
                    lawful(duel_room_capture(room, phone, sound.as_mut_ptr(), frames));
                    lawful(duel_room_play(room, phone, sound.as_ptr(), frames));
                }
                _ => {
                    let (trouble, phone) = (self.number(), self.number());
                    lawful(duel_room_trouble(
                        room,
                        trouble,
                        phone,
                        self.now_us,
                        100_000,
                    ));
                }
            }
        }
    }

    /// Carries messages between a link and its pump, or between two relays, now and then damaged.
    unsafe fn carry(&mut self) {
        let mut message = [0; DUEL_MESSAGE_BYTES];
        let mut length = 0;
        let damage = self.byte();
        unsafe {
            for (from, link) in self.links.into_iter().enumerate() {
                for _ in 0..64 {
                    if !lawful(duel_link_poll_message(
                        link,
                        message.as_mut_ptr(),
                        message.len(),
                        &raw mut length,
                    )) {
                        break;
                    }
                    if damage > 250 {
                        message[usize::from(damage) % length] ^= 1;
                    }
                    lawful(duel_pump_push_message(
                        self.pumps[from],
                        message.as_ptr(),
                        length,
                    ));
                    lawful(duel_link_push_message(
                        self.links[1 - from],
                        message.as_ptr(),
                        length,
                    ));
                }
                for _ in 0..64 {
                    let pump = self.pumps[from];
                    if !lawful(duel_pump_poll_message(
                        pump,
                        message.as_mut_ptr(),
                        message.len(),
                        &raw mut length,
                    )) {
                        break;
                    }
                    lawful(duel_link_push_message(link, message.as_ptr(), length));
                }
            }
        }
    }

    unsafe fn call_guard(&mut self) {
        unsafe {
            if self.guard.is_null() {
                let (rate, channels) = (48_000, self.number() as u32 % 10);
                let plan = self.number();
                lawful(duel_guard_new(
                    plan,
                    rate,
                    channels,
                    null_mut(),
                    0,
                    &raw mut self.guard,
                ));
                return;
            }
            let mut mix = [self.float(); BUFFER];
            lawful(duel_guard_set_on(self.guard, self.number()));
            let samples = self.length().min(BUFFER);
            lawful(duel_guard_process(self.guard, mix.as_mut_ptr(), samples));
        }
    }
}

impl Drop for Host<'_> {
    fn drop(&mut self) {
        // SAFETY: every handle is NULL or live, and nobody else has it.
        unsafe {
            for at in 0..2 {
                lawful(duel_session_free(self.sessions[at]));
                lawful(duel_link_free(self.links[at]));
                lawful(duel_pump_free(self.pumps[at]));
            }
            lawful(duel_guard_free(self.guard));
            lawful(duel_rig_free(self.rig));
            lawful(duel_advice_free(self.advice));
            lawful(duel_room_free(self.room));
        }
    }
}
