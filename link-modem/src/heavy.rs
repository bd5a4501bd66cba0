//! Notes each heavy job (an FFT block, a Viterbi run) where the tests of the promise look: at most one a piece.

#[cfg(test)]
thread_local! {
    /// Heavy jobs of this thread.
    static DONE: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// A heavy job is about to be done.
pub(crate) fn note() {
    #[cfg(test)]
    DONE.set(DONE.get() + 1);
}

#[cfg(test)]
mod tests {
    use super::DONE;
    use crate::{Listen, ModemConfig, ModemCore, PIECE_FRAMES_MAX};
    use link_transport::{FrameBits, Mode, OutFrame, Plan, Role};
    use std::collections::VecDeque;

    const RATE_HZ: u32 = 48_000;
    const DELAY_FRAMES: usize = 2_400;

    fn modem(plan: Plan, tx: Role, rx: Listen) -> ModemCore {
        let config = ModemConfig::new(RATE_HZ, tx).with_plan(plan).with_rx(rx);
        let mut modem = ModemCore::new(config).expect("48 kHz carries both plans");
        modem.set_tx_mode(Mode::Fast);
        let bits = FrameBits::from_bytes(b"heavy", 40);
        modem.set_payloads(&[OutFrame {
            bits,
            key: 1,
            keyed: false,
        }]);
        modem
    }

    /// Two phones, one of them searching both plans, hear each other, in pieces of `frames`; beside them
    /// `hiss`. Jobs done, packets heard, and the most jobs in one piece.
    fn work(plan: Plan, frames: usize, hiss: f32) -> (usize, usize, usize) {
        let mut phones = [
            modem(plan, Role::Host, Listen::Role(Role::Guest)),
            modem(plan, Role::Guest, Listen::Detect),
        ];
        let mut air = [(); 2].map(|()| VecDeque::from(vec![0.0; DELAY_FRAMES]));
        let (mut all, mut packets, mut most) = (0, 0, 0);
        let mut noise = 1_u32;
        let mut played = vec![0.0; frames];
        for first in (0..u64::from(RATE_HZ) * 6).step_by(frames) {
            for index in 0..2 {
                let heard: Vec<f32> = air[index]
                    .drain(..frames)
                    .map(|sample| {
                        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        sample + hiss * (noise as f32 / 2_147_483_648.0 - 1.0)
                    })
                    .collect();
                let before = DONE.get();
                phones[index].process(&heard, &mut played, first);
                let done = DONE.get() - before;
                all += done;
                most = most.max(done);
                while phones[index].take_packet().is_some() {
                    packets += 1;
                }
                while phones[index].take_slot().is_some() {}
                while phones[index].take_gap().is_some() {}
                air[1 - index].extend(played.iter().map(|sample| 0.1 * sample));
            }
        }
        (all, packets, most)
    }

    #[test]
    fn no_piece_does_two_heavy_jobs() {
        for plan in [Plan::High, Plan::Low] {
            for frames in [128, PIECE_FRAMES_MAX] {
                // Clean, and so that packets and candidates fail and every second try is made.
                for hiss in [0.0, 0.02, 0.2] {
                    let (all, packets, most) = work(plan, frames, hiss);
                    let case = format!("{plan:?}, {frames} frames, hiss {hiss}");
                    assert_eq!(most, 1, "{case}");
                    assert!(all > 100, "{case}: {all} jobs");
                    assert!(hiss > 0.0 || packets > 20, "{case}: {packets} packets");
                }
            }
        }
    }
}
