//! A match allocates nothing but what its commands own: long matches stay undisturbed.
#![allow(unsafe_code)] // A counting allocator cannot be written without.

mod common;

use common::ToyCodec;
use core::cell::Cell;
use link_transport::{LinkTime, Slot};
use match_feed::{
    WorldHash,
    duel::{InputDelay, Side},
};
use std::alloc::{GlobalAlloc, Layout, System};
use versus_codec::{CommandCodec, OpaqueCodec, OpaqueCommand};
use versus_lockstep::{Lockstep, LockstepConfig};

thread_local!(static ALLOCATIONS: Cell<u64> = const { Cell::new(0) });

struct Counting;

// SAFETY: hands everything to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What a match of 1,100 ticks allocates after its first hundred, if each player orders what `orders` says before a tick.
fn allocated<C: CommandCodec + Copy>(
    codec: C,
    mut orders: impl FnMut(u64) -> Option<C::Command>,
) -> u64 {
    let [mut blue, mut red] = Side::BOTH.map(|local| {
        let config = LockstepConfig::new(local, InputDelay::MAX, WorldHash(1))
            .with_capacity_bits(188)
            .with_packet_ms(100);
        Lockstep::new(config, codec).unwrap()
    });
    let mut allocated_before = 0;
    for tick in 0..1100_u64 {
        if tick == 100 {
            allocated_before = ALLOCATIONS.with(Cell::get);
        }
        let now = LinkTime::from_ms(tick * 100);
        for turn in 0..2 {
            let (phone, peer) = if turn == 0 {
                (&mut blue, &mut red)
            } else {
                (&mut red, &mut blue)
            };
            if let Some(order) = orders(tick) {
                phone.give(now, order).unwrap();
            }
            phone.seal(now);
            phone.handle_slot(Slot {
                at: now,
                key: Some(1),
            });
            for frame in phone.poll_frames().unwrap_or_default() {
                peer.handle_frame(now, frame.bits.as_bitslice()).unwrap();
            }
        }
        for phone in [&mut blue, &mut red] {
            let tick = phone.status(now).tick;
            if phone.orders(tick).is_some() {
                phone.stepped(now, tick, WorldHash(tick.0.into()), None);
            }
        }
    }
    assert!(blue.status(LinkTime::ZERO).tick.0 > 1000);
    let allocated = ALLOCATIONS.with(Cell::get) - allocated_before;
    let sealed = blue.status(LinkTime::ZERO).order_delay.pieces;
    assert_eq!(sealed > 0, orders(0).is_some(), "{sealed} orders sealed");
    allocated
}

#[test]
fn a_thousand_empty_ticks_allocate_nothing() {
    assert_eq!(allocated(ToyCodec, |_| None), 0);
    // The counter counts.
    let before = ALLOCATIONS.with(Cell::get);
    drop(std::hint::black_box(vec![1_u8]));
    assert!(ALLOCATIONS.with(Cell::get) > before);
}

/// Given, queued, sealed, sent, parsed and run: commands that own no memory cost none. A move of thirty units is a list, and
/// costs its list.
#[test]
fn a_thousand_ticks_with_an_order_in_each_allocate_nothing() {
    let order = |tick: u64| {
        let bytes = tick.to_be_bytes();
        Some(OpaqueCommand::from_bytes(&bytes, 40).expect("40 bits are few enough"))
    };
    assert_eq!(allocated(OpaqueCodec, order), 0);
    let order = |_| Some(common::walk(1));
    assert!(allocated(ToyCodec, order) > 0);
}
