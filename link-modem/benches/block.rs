//! What one modem costs: full duplex at 48 kHz in blocks of 128 frames, one's own signal 40 dB over the peer's.
//!
//! `cargo bench -p link-modem`. Prints the share of one core, and the cost of a block: mean, median, 99th percentile; the
//! same for a modem that looks for a peer who is not there; and the memory of each. `sound-duel bench` measures the same
//! beside other things.
#![allow(missing_docs)]

use link_modem::{Listen, ModemConfig, ModemCore};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

const RATE_HZ: u32 = 48_000;
const BLOCK_FRAMES: usize = 128;
const SECONDS: usize = 60;

/// Bytes on the heap.
static HEAP_BYTES: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// The trait is unsafe to implement; this only counts and passes on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HEAP_BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HEAP_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn modem(plan: Plan, tx: Role, rx: Listen, mode: Mode) -> ModemCore {
    let mut core =
        ModemCore::new(ModemConfig::new(RATE_HZ, tx).with_plan(plan).with_rx(rx)).expect("a rate");
    core.set_payloads(&[OutFrame {
        bits: FrameBits::from_bytes(&[0xA5; 23], 184),
        key: 1,
        keyed: false,
    }]);
    core.set_tx_mode(mode);
    core
}

/// Nanoseconds this thread has been on a core, where the system tells: other programs do not count.
fn on_core_ns() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Runs a modem over what its peer plays, and prints what it cost.
fn measure(what: &str, mut core: ModemCore, air: &[f32]) {
    let blocks = air.len() / BLOCK_FRAMES;
    let mut own = [0.0; BLOCK_FRAMES];
    let mut costs = Vec::with_capacity(blocks);
    let on_core = on_core_ns();
    for (i, peer) in air.chunks_exact(BLOCK_FRAMES).enumerate() {
        let mut input = [0.0; BLOCK_FRAMES];
        for ((input, peer), own) in input.iter_mut().zip(peer).zip(&own) {
            *input = 0.01 * peer + own;
        }
        let start = Instant::now();
        core.process(&input, &mut own, (i * BLOCK_FRAMES) as u64);
        costs.push(start.elapsed().as_nanos() as f64 / 1000.0);
    }
    let wall_us = costs.iter().sum::<f64>();
    let total_us = on_core
        .zip(on_core_ns())
        .map_or(wall_us, |(from, to)| (to - from) / 1000.0);
    let mean = total_us / blocks as f64;
    costs.sort_unstable_by(f64::total_cmp);
    let share = mean / (BLOCK_FRAMES as f64 / f64::from(RATE_HZ) * 1e6) * 100.0;
    println!(
        "{what}: {share:.3} % of a core, block mean {mean:.1} us, p50 {:.1}, p99 {:.1}, max {:.1}; {} packets",
        costs[blocks / 2],
        costs[blocks * 99 / 100],
        costs[blocks - 1],
        core.stats().rx_ok
    );
}

fn main() {
    let blocks = SECONDS * RATE_HZ as usize / BLOCK_FRAMES;
    let mut air = vec![0.0; blocks * BLOCK_FRAMES];
    for (plan, mode) in [
        (Plan::High, Mode::Fast),
        (Plan::High, Mode::Robust),
        (Plan::Low, Mode::Fast),
        (Plan::Low, Mode::Robust),
    ] {
        let mut peer = modem(plan, Role::Guest, Listen::Role(Role::Host), mode);
        peer.process(&vec![0.0; air.len()], &mut air, 0);
        let core = modem(plan, Role::Host, Listen::Role(Role::Guest), mode);
        measure(&format!("{plan:?} {mode:?}"), core, &air);
    }
    air.fill(0.0);
    for (what, rx) in [
        ("Looking on one plan", Listen::Role(Role::Host)),
        ("Looking on both", Listen::Detect),
    ] {
        let before = HEAP_BYTES.load(Ordering::Relaxed);
        let core = modem(Plan::High, Role::Guest, rx, Mode::Robust);
        let bytes = HEAP_BYTES.load(Ordering::Relaxed) - before + size_of_val(&core);
        measure(what, core, &air);
        println!("{what}: {} KiB of memory", bytes / 1024);
    }
}
