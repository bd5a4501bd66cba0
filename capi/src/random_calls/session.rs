//! Calls of a session, with a game that only counts.

use super::{Host, lawful};
use crate::*;
use core::{
    ffi::{c_char, c_void},
    ptr::{null, null_mut},
};

/// A game that counts, boxed so that it stays where it is.
pub(super) struct Counter {
    pub(super) orders: u64,
    pub(super) ticks: u64,
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

impl Host<'_> {
    pub(super) unsafe fn make_session(&mut self, which: usize, why: *mut c_char, why_bytes: usize) {
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
            delay_ticks: self.number() as u32,
            reserved: 0,
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

    pub(super) unsafe fn call_session(&mut self, which: usize) {
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
                    let mut shown: duel_order = core::mem::zeroed();
                    lawful(duel_session_in_flight(session, 0, &raw mut shown));
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
                    let mut shown: duel_skirmish_order = core::mem::zeroed();
                    shown.struct_size = self.struct_size::<duel_skirmish_order>();
                    lawful(duel_skirmish_in_flight(session, 0, &raw mut shown));
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
}
