//! The clock that the peers read: virtual time where it is switched on, the machine's otherwise.
//!
//! GGRS takes no clock: it asks `Instant` (through `instant`) and `SystemTime`, and both ask the C library's `clock_gettime`.
//! This program answers that function itself. So neither GGRS nor what it depends on is changed in a line.

use std::{
    ffi::{c_int, c_long},
    sync::atomic::{AtomicU64, Ordering},
};

/// Nanoseconds of virtual time plus one; 0: the machine's clock.
static VIRTUAL: AtomicU64 = AtomicU64::new(0);
/// Where virtual time starts, so that nothing that subtracts from it goes below zero.
const START_S: u64 = 1_000_000;

/// From here on this program's clocks say `us` microseconds.
pub fn set_us(us: u64) {
    VIRTUAL.store(us * 1_000 + 1, Ordering::Relaxed);
}

/// Nanoseconds of the machine's own monotonic clock, whatever the program's says.
pub fn real_ns() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to a `timespec` that lives here.
    let status = unsafe {
        libc::syscall(
            libc::SYS_clock_gettime,
            c_long::from(libc::CLOCK_MONOTONIC),
            &raw mut time,
        )
    };
    assert_eq!(status, 0, "the machine has a monotonic clock");
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Takes the place of the C library's function in this program.
///
/// # Safety
/// `time` points to a `timespec`, as POSIX asks of every caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut libc::timespec) -> c_int {
    match VIRTUAL.load(Ordering::Relaxed) {
        // SAFETY: the caller's pointer is passed on as it came.
        0 => unsafe { libc::syscall(libc::SYS_clock_gettime, c_long::from(clock), time) as c_int },
        ns => {
            let ns = ns - 1;
            let at = libc::timespec {
                tv_sec: (START_S + ns / 1_000_000_000) as libc::time_t,
                tv_nsec: (ns % 1_000_000_000) as c_long,
            };
            // SAFETY: the caller points to a `timespec`.
            unsafe { time.write(at) };
            0
        }
    }
}

/// Virtual microseconds, as last set.
pub fn us() -> u64 {
    VIRTUAL.load(Ordering::Relaxed).saturating_sub(1) / 1_000
}
