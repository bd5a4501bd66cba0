//! Packets that nobody honest sends: what one of them makes us allocate at most.

use super::{Case, Effort, RATE, Run, memory, no_clock, ours};
use net_session::wire::Message;
use net_transport::{FAST_BYTES_MAX, Loss};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use std::error::Error;

/// Crafted packets for the decoder, as one with the right key could send them; and for a running session, as anybody could.
const DECODED: usize = 60_000;
const SENT: usize = 3_000;

/// The most bytes that one packet makes us allocate.
pub fn worst_allocation(effort: Effort) -> Result<u64, Box<dyn Error>> {
    let mut rng = Pcg32::seed_from_u64(15);
    let mut worst = 0;
    for _ in 0..effort.of(DECODED) {
        let packet = craft(&mut rng);
        let before = memory::allocated_bytes();
        if let Ok(Message::Inputs(inputs)) = Message::decode(&packet) {
            for stream in inputs.streams() {
                let reference = [0; 64];
                std::hint::black_box(stream.inputs(&reference).count());
            }
        }
        worst = worst.max(memory::allocated_bytes() - before);
    }
    let mut run = Run::start(Case::lockstep(Loss::None), ours::make, 1, no_clock)
        .ok_or("a match did not start")?;
    run.frames(2 * RATE, |frame| frame());
    for _ in 0..effort.of(SENT) {
        run.forge(&craft(&mut rng));
        run.frames(1, |frame| {
            let before = memory::allocated_bytes();
            frame();
            worst = worst.max(memory::allocated_bytes() - before);
        });
    }
    let still = run.outcome().fps;
    if still < 59.0 {
        return Err(format!("crafted packets slowed a match to {still:.1} frames a second").into());
    }
    Ok(worst)
}

/// Any kind, any length; half of them with counts and lengths as large as they get.
fn craft(rng: &mut Pcg32) -> Vec<u8> {
    let length = match rng.next_u32() % 3 {
        0 => 48,
        1 => 1 + rng.next_u32() as usize % 64,
        _ => 1 + rng.next_u32() as usize % FAST_BYTES_MAX,
    };
    let mut packet = vec![0; length];
    rng.fill_bytes(&mut packet);
    if rng.next_u32().is_multiple_of(2) {
        for byte in &mut packet[1..] {
            if !rng.next_u32().is_multiple_of(4) {
                *byte = 0xFF;
            }
        }
    }
    packet[0] = rng.next_u32() as u8;
    packet
}
