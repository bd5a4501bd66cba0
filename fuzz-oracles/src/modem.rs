//! A modem fed anything: no panic, bounded output, no packet out of noise.

use arbitrary::{Arbitrary, Unstructured};
use link_modem::{Listen, ModemConfig, ModemCore};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role, SessionKey};

#[derive(Arbitrary, Debug)]
enum Operation {
    Process {
        frames: u16,
        kind: Samples,
        jump: i32,
    },
    Mode {
        fast: bool,
    },
    Send {
        bytes: [u8; 23],
    },
    Key {
        host: u16,
        guest: u16,
    },
    Skip {
        frames: u32,
    },
}

#[derive(Arbitrary, Debug)]
enum Samples {
    Zero,
    NotANumber,
    Infinite,
    Denormal,
    Loud(u32),
    Raw(f32),
}

/// The longest run of one input, samples: enough for two superframes.
const SAMPLES_MAX: usize = 200_000;
/// The longest block.
const BLOCK_MAX: usize = 8192;

impl Samples {
    fn fill(&self, block: &mut [f32]) {
        match self {
            Self::Zero => block.fill(0.0),
            Self::NotANumber => block.fill(f32::NAN),
            Self::Infinite => block.fill(f32::INFINITY),
            Self::Denormal => block.fill(1e-42),
            Self::Raw(sample) => block.fill(*sample),
            Self::Loud(seed) => {
                let mut state = seed | 1;
                for sample in block {
                    state = state.wrapping_mul(0x915F_77F5).wrapping_add(1);
                    *sample = (state >> 8) as f32 / 8_388_608.0 - 1.0;
                }
            }
        }
    }
}

/// A sequence of operations on one modem.
pub fn modem_core(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let rates = [24_000, 44_100, 48_000, 96_000];
    let (Ok(rate), Ok(low), Ok(host), Ok(detect)) = (
        input.choose(&rates).copied(),
        bool::arbitrary(&mut input),
        bool::arbitrary(&mut input),
        bool::arbitrary(&mut input),
    ) else {
        return;
    };
    let tx = if host { Role::Host } else { Role::Guest };
    let rx = if detect && !host {
        Listen::Detect
    } else {
        Listen::Role(tx.other())
    };
    let plan = if low { Plan::Low } else { Plan::High };
    let config = ModemConfig {
        sample_rate_hz: rate,
        plan,
        tx,
        rx,
        gain: 1.0,
    };
    let Ok(mut modem) = ModemCore::new(config) else {
        return;
    };
    let (mut heard, mut played) = (vec![0.0; BLOCK_MAX], vec![0.0; BLOCK_MAX]);
    let (mut frame, mut total) = (0_u64, 0);
    // Arbitrary values can be made of no bytes at all, for ever.
    while !input.is_empty()
        && let Ok(operation) = Operation::arbitrary(&mut input)
    {
        match operation {
            Operation::Process { frames, kind, jump } => {
                let len = usize::from(frames) % (BLOCK_MAX + 1);
                kind.fill(&mut heard[..len]);
                frame = frame.saturating_add_signed(jump.into());
                modem.process(&heard[..len], &mut played[..len], frame);
                frame += len as u64;
                total += len + 1;
                assert!(
                    played[..len].iter().all(|sample| sample.abs() <= 1.0),
                    "output within full scale"
                );
            }
            Operation::Mode { fast } => {
                modem.set_tx_mode(if fast { Mode::Fast } else { Mode::Robust })
            }
            Operation::Send { bytes } => {
                let bits = FrameBits::from_bytes(&bytes, 184);
                modem.set_payloads(&[OutFrame {
                    bits,
                    key: 0,
                    keyed: bytes[0] & 1 == 1,
                }]);
            }
            Operation::Key { host, guest } => {
                modem.set_session_key(SessionKey {
                    host_nonce: host,
                    guest_nonce: guest,
                });
            }
            Operation::Skip { frames } => modem.skip(frames.into()),
        }
        assert!(modem.take_packet().is_none(), "a packet out of noise");
        while modem.take_slot().is_some() {}
        while modem.take_gap().is_some() {}
        if total > SAMPLES_MAX {
            return;
        }
    }
}
