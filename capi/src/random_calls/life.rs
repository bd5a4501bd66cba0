//! Handles come and go.

use super::{Host, lawful};
use crate::*;
use core::ptr::null_mut;

impl Host<'_> {
    pub(super) unsafe fn make(&mut self, which: usize) {
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

    pub(super) unsafe fn free(&mut self, which: usize) {
        /// Frees, and forgets.
        macro_rules! drop_it {
            ($free:ident, $handle:expr) => {{
                let handle = core::mem::replace(&mut $handle, null_mut());
                assert!(lawful(unsafe { $free(handle) }), "a live handle is freed");
                self.wild.was_freed(handle);
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
}
