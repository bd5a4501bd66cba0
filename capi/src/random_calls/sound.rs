//! Calls of what surrounds a link: rig, advice, room and guard.

use super::{BUFFER, Host, lawful};
use crate::*;
use core::ptr::null_mut;

impl Host<'_> {
    pub(super) unsafe fn call_rig(&mut self, which: usize) {
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

    pub(super) unsafe fn call_room(&mut self) {
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

    pub(super) unsafe fn call_guard(&mut self) {
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
