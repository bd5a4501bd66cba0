//! What a modem takes of memory, all of it when it is made.

use super::{Effort, Figure};
use link_modem::{Listen, ModemConfig, ModemCore};
use link_transport::Role;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::{alloc::System, error::Error};

/// Counts what the program allocates: three additions each time, and never in an audio callback.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes on the heap now.
fn heap_bytes() -> usize {
    let stats = ALLOCATOR.stats();
    stats
        .bytes_allocated
        .saturating_sub(stats.bytes_deallocated)
}

/// How often memory was asked for, since the program began.
pub fn allocations() -> u64 {
    let stats = ALLOCATOR.stats();
    (stats.allocations + stats.reallocations) as u64
}

/// How many bytes were asked for, since the program began.
pub fn allocated_bytes() -> u64 {
    let stats = ALLOCATOR.stats();
    // What was made larger is counted among them already.
    stats.bytes_allocated as u64
}

/// A modem at 48 kHz, inside and on the heap.
pub fn modem(_: Effort) -> Result<Vec<Figure>, Box<dyn Error>> {
    let cases = [
        (
            "modem.memory_bytes",
            Listen::Role(Role::Host),
            "one plan",
            2,
        ),
        (
            "modem.memory_detecting_bytes",
            Listen::Detect,
            "looking for both plans",
            4,
        ),
    ];
    let mut figures = Vec::new();
    for (name, rx, what, bar_mib) in cases {
        let before = heap_bytes();
        let core = ModemCore::new(ModemConfig::new(48_000, Role::Guest).with_rx(rx))?;
        let bytes = heap_bytes().saturating_sub(before) + size_of_val(&core);
        figures.push(Figure {
            name,
            value: bytes as f64,
            unit: "B",
            against: format!("a bar of {bar_mib} MiB: {what} at 48 kHz, all of it when it is made"),
        });
    }
    Ok(figures)
}
