//! What a modem sends, whatever happens to its microphone, and when its device loses count.

mod common;

use common::random_frames;
use link_modem::{ModemConfig, ModemCore, SlotEvent};
use link_transport::Role;
use rand_pcg::Pcg64Mcg;

const RATE: usize = 48_000;
const BLOCK: usize = 128;
/// A symbol with its prefix: 50 ms; and the 41 of a superframe, of which the first is the sync.
const SYMBOL: usize = RATE / 20;
const SUPERFRAME: usize = 41 * SYMBOL;
/// Packets of a superframe on the high plan in robust mode, in which a modem starts.
const PACKETS: usize = 10;

fn modem(tx: Role) -> ModemCore {
    let config = ModemConfig::new(RATE as u32, tx);
    let mut core = ModemCore::new(config).unwrap();
    core.set_payloads(&random_frames(&mut Pcg64Mcg::new(3), 3, 188));
    core
}

/// What a guest plays and which packets it says it started, if it hears `heard` block by block and its device's frame count
/// is ahead by `skipped` from block `at` on.
fn played(heard: &[f32], at: usize, skipped: u64) -> (Vec<f32>, Vec<SlotEvent>) {
    let mut guest = modem(Role::Guest);
    let (mut all, mut slots) = (Vec::new(), Vec::new());
    let mut block = [0.0; BLOCK];
    for (count, heard) in heard.chunks_exact(BLOCK).enumerate() {
        let ahead = if count < at { 0 } else { skipped };
        guest.process(heard, &mut block, (count * BLOCK) as u64 + ahead);
        all.extend(block);
        slots.extend(std::iter::from_fn(|| guest.take_slot()));
    }
    (all, slots)
}

#[test]
fn a_capture_gap_leaves_transmission_untouched() {
    let mut peer = common::play(&mut modem(Role::Host), 6 * RATE);
    peer.iter_mut().for_each(|sample| *sample *= 0.01);
    let whole = played(&peer, 0, 0);
    assert!(whole.0.iter().any(|sample| sample.abs() > 0.1), "it plays");
    peer[3 * RATE..4 * RATE].fill(0.0);
    let with_gap = played(&peer, 0, 0);
    assert!(whole.0 == with_gap.0, "the same to the last sample");
    assert_eq!(whole.1, with_gap.1);
}

#[test]
fn an_output_jump_starts_a_new_superframe() {
    let silence = vec![0.0; 6 * RATE];
    // 700 ms that the device never played, in the middle of the second superframe.
    let at = (SUPERFRAME + SUPERFRAME / 2) / BLOCK;
    let skipped = 7 * RATE as u64 / 10;
    let (undisturbed, slots) = played(&silence, 0, 0);
    let (jumped, slots_jumped) = played(&silence, at, skipped);
    // A superframe's first packet follows its sync.
    let first = slots[PACKETS].sample as usize - SYMBOL;
    assert_eq!(
        first + SYMBOL + SUPERFRAME,
        slots[2 * PACKETS].sample as usize
    );
    let sync = &undisturbed[first..][..SYMBOL];
    let likeness = |stream: &[f32], from: usize| {
        let part = &stream[from..][..SYMBOL];
        let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        product(part, sync) / (product(part, part) * product(sync, sync)).sqrt()
    };
    let resumed = at as u64 * BLOCK as u64 + skipped;
    let after: Vec<_> = slots_jumped
        .iter()
        .filter(|slot| slot.sample >= resumed)
        .collect();
    let restarted = (after[0].sample - skipped) as usize - SYMBOL;
    assert!(
        restarted - at * BLOCK < SYMBOL,
        "{restarted} after {}",
        at * BLOCK
    );
    assert_eq!(after[PACKETS].sample - after[0].sample, SUPERFRAME as u64);
    // The fade at the seam is all that differs.
    let like = likeness(&jumped, restarted);
    assert!(like > 0.9, "{like}");
    let gone_on = likeness(&undisturbed, restarted);
    assert!(gone_on.abs() < 0.5, "{gone_on}");
}
