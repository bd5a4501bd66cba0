//! Calls of a link and its pump, and what a host carries between them.

use super::{BUFFER, Host, lawful};
use crate::*;
use core::{
    ffi::CStr,
    ptr::{null, null_mut},
};

impl Host<'_> {
    pub(super) unsafe fn call_link(&mut self, which: usize) {
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

    pub(super) unsafe fn call_pump(&mut self, which: usize) {
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

    /// Carries messages between a link and its pump, or between two relays, now and then damaged.
    pub(super) unsafe fn carry(&mut self) {
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
}
