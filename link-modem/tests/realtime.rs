//! What the audio thread relies on: no allocation, no panic on any sample, bounded output.

mod common;
use common::air::noise;
use link_modem::{Listen, ModemConfig, ModemCore, Reconfigure};
use link_transport::{Mode, OutFrame, Plan, Role, SessionKey};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    /// Allocations of this thread, and their bytes: the test harness's other threads do not count.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

// The trait is unsafe to implement; this only counts and passes on.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + layout.size() as isize));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() - layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        let _ =
            BYTES.try_with(|bytes| bytes.set(bytes.get() + size as isize - layout.size() as isize));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn modem(rx: Listen) -> ModemCore {
    let config = ModemConfig::new(48_000, Role::Guest).with_rx(rx);
    ModemCore::new(config).unwrap()
}

fn drain(core: &mut ModemCore) -> usize {
    while core.take_slot().is_some() {}
    while core.take_gap().is_some() {}
    let mut packets = 0;
    while core.take_packet().is_some() {
        packets += 1;
    }
    packets
}

#[test]
fn nothing_is_allocated_after_construction() {
    let mut rng = Pcg64Mcg::new(5);
    let frames = common::random_frames(&mut rng, 4, 186);
    let mut host =
        ModemCore::new(ModemConfig::new(48_000, Role::Host).with_plan(Plan::Low)).unwrap();
    host.set_payloads(&frames);
    let air = common::play(&mut host, 48_000 * 6);
    let mut core = modem(Listen::Detect);
    let mut output = vec![0.0; 128];
    let before = ALLOCATIONS.get();
    let mut heard = 0;
    for (i, block) in air.chunks_exact(128).enumerate() {
        // Every call there is, on the way.
        match i {
            100 => core.set_payloads(&frames),
            200 => core.set_tx_mode(Mode::Fast),
            300 => core.set_session_key(SessionKey {
                host_nonce: 1,
                guest_nonce: 2,
            }),
            1500 => core.skip(4_800),
            1600 => core
                .reconfigure(Reconfigure::default().with_gain(0.7))
                .unwrap(),
            1700 => core
                .reconfigure(Reconfigure::default().with_rx(Listen::Detect))
                .unwrap(),
            _ => {}
        }
        let jumped = if i >= 1400 { 100_000 } else { 0 };
        core.process(block, &mut output, (i * 128 + jumped) as u64);
        heard += drain(&mut core);
        let _ = core.stats();
    }
    assert_eq!(ALLOCATIONS.get() - before, 0);
    assert!(heard > 5, "{heard}");
}

#[test]
fn a_modem_is_small() {
    let before = BYTES.get();
    let core = modem(Listen::Detect);
    let kib = (BYTES.get() - before) as usize / 1024 + size_of_val(&core) / 1024;
    println!("{kib} KiB, of them {} bytes inline", size_of_val(&core));
    // Hosts move it about on stacks of 2 MiB and less, in unoptimised builds many times over.
    assert!(size_of_val(&core) <= 32 * 1024);
    assert!(kib <= 2048, "{kib} KiB");
}

#[test]
fn no_sample_makes_it_panic_or_shout() {
    for seed in 0..6 {
        let mut rng = Pcg64Mcg::new(seed);
        let mut core = modem(if seed % 2 == 0 {
            Listen::Detect
        } else {
            Listen::Role(Role::Guest)
        });
        core.set_payloads(&[OutFrame {
            bits: link_transport::FrameBits::zeros(200),
            key: 0,
            keyed: true,
        }]);
        let mut frame = rng.next_u64() >> (rng.next_u32() % 60);
        for _ in 0..2_000 {
            let len = (rng.next_u32() % 700) as usize;
            let wild = [
                f32::NAN,
                f32::INFINITY,
                f32::MAX,
                -f32::MAX,
                f32::MIN_POSITIVE / 2.0,
                0.0,
                1.0,
            ];
            let kind = rng.next_u32() % 4;
            let input: Vec<f32> = (0..len)
                .map(|_| match kind {
                    0 => wild[rng.next_u32() as usize % wild.len()],
                    1 => 0.0,
                    2 => f32::from_bits(rng.next_u32()),
                    _ => rng.next_u32() as f32 / u32::MAX as f32 - 0.5,
                })
                .collect();
            let mut output = vec![f32::NAN; len];
            core.process(&input, &mut output, frame);
            assert!(
                output.iter().all(|sample| sample.abs() <= 0.9),
                "seed {seed}"
            );
            frame = frame.wrapping_add(len as u64);
            match rng.next_u32() % 40 {
                0 => frame = rng.next_u64() >> (rng.next_u32() % 60),
                1 => frame = frame.wrapping_add(u64::from(rng.next_u32() % 1_000_000)),
                2 => core.skip(u64::from(rng.next_u32())),
                3 => {
                    let plan = Some(if rng.next_u32().is_multiple_of(2) {
                        Plan::High
                    } else {
                        Plan::Low
                    });
                    let gain = Some(f32::from_bits(rng.next_u32()));
                    core.reconfigure(Reconfigure::default().with_plan(plan).with_gain(gain))
                        .unwrap();
                }
                _ => {}
            }
            assert_eq!(drain(&mut core), 0, "seed {seed}: a packet out of garbage");
        }
    }
}

#[test]
fn a_burst_of_non_numbers_leaves_no_trace() {
    let mut host = ModemCore::new(ModemConfig::new(48_000, Role::Host)).unwrap();
    let mut air = common::play(&mut host, 48_000 * 6);
    air[100_000] = f32::NAN;
    air[100_500] = f32::INFINITY;
    air[150_000..150_040].fill(f32::MAX);
    let mut core = modem(Listen::Role(Role::Host));
    let heard = common::hear(&mut core, &air, 128);
    assert!(heard.len() >= 27, "{} packets", heard.len());
    assert!(heard.last().unwrap().sample > 270_000);
}

#[test]
fn noise_yields_no_packets() {
    for (seed, plan) in [(1, Plan::High), (2, Plan::Low)] {
        let mut core = common::listener(48_000, plan, Role::Guest);
        let mut rng = Pcg64Mcg::new(seed);
        for _ in 0..60 {
            let hiss = noise(&mut rng, 48_000, 0.1);
            assert!(common::hear(&mut core, &hiss, 512).is_empty(), "{plan:?}");
        }
        assert!(!core.stats().locked);
    }
}
