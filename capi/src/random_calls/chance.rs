//! Bytes to what a careless host hands over: mostly sensible, now and then anything.

use super::Host;
use crate::*;
use core::ptr::{null_mut, without_provenance_mut};

impl Host<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        *first
    }

    /// Mostly small, sometimes anything.
    pub(super) fn number(&mut self) -> i32 {
        match self.byte() {
            small @ 0..=239 => i32::from(small % 6) - 1,
            _ => i32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
        }
    }

    /// Any number that is a size: what it says is there.
    pub(super) fn length(&mut self) -> usize {
        usize::from(self.byte()) * 2
    }

    pub(super) fn float(&mut self) -> f32 {
        match self.byte() {
            byte @ 0..=199 => f32::from(byte) / 100.0,
            200..=219 => -1.0,
            220..=239 => f32::NAN,
            _ => f32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
        }
    }

    pub(super) fn struct_size<T>(&mut self) -> u32 {
        match self.byte() {
            0..=239 => size_of::<T>() as u32,
            _ => self.number() as u32 % (size_of::<T>() as u32 + 1),
        }
    }

    /// The handle, or now and then NULL, a freed one, any number, or one of another kind.
    pub(super) fn mistaken<T>(&mut self, handle: *mut T) -> *mut T {
        match self.byte() {
            0..=239 => handle,
            240..=243 => null_mut(),
            which @ 244..=245 => self.wild.freed(which).unwrap_or(null_mut()),
            246..=247 => without_provenance_mut(self.number() as usize),
            _ => self.guard.cast(),
        }
    }

    pub(super) fn link_config(&mut self) -> duel_link_config {
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

    pub(super) fn practice(&mut self) -> duel_practice_config {
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
}
