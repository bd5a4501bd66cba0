//! What the integration tests share: recordings, runs of a modem over samples, random frames.
#![allow(dead_code, missing_docs)]

use link_modem::{Listen, ModemConfig, ModemCore, RxPacket};
use link_transport::{FrameBits, Mode, OutFrame, Plan, Role, SessionKey};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;

pub mod air;

/// A recording with what is known about it.
pub struct Recording {
    pub name: String,
    pub plan: Plan,
    pub listen: Role,
    pub sample_rate_hz: u32,
    pub modes: Vec<Mode>,
    pub session: Option<SessionKey>,
    pub sent: Vec<FrameBits>,
    pub first_symbol_samples: Vec<u64>,
    pub reference_decoded: usize,
    pub samples: Vec<f32>,
}

/// Reads `vectors/modem/<name>.{json,wav}`; a missing file is a failure.
pub fn recording(name: &str) -> Recording {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/modem");
    let text = std::fs::read_to_string(dir.join(format!("{name}.json"))).expect(name);
    let facts: serde_json::Value = serde_json::from_str(&text).expect(name);
    let mut wav = hound::WavReader::open(dir.join(format!("{name}.wav"))).expect(name);
    let samples = wav
        .samples::<i16>()
        .map(|s| f32::from(s.unwrap()) / 32768.0)
        .collect();
    let word = |key: &str| {
        facts[key]
            .as_str()
            .unwrap_or_else(|| panic!("{name}: {key}"))
            .to_owned()
    };
    let nbits = facts["nbits"].as_u64().unwrap() as usize;
    Recording {
        name: name.to_owned(),
        plan: if word("plan") == "high" {
            Plan::High
        } else {
            Plan::Low
        },
        listen: if word("listen") == "host" {
            Role::Host
        } else {
            Role::Guest
        },
        sample_rate_hz: facts["sample_rate_hz"].as_u64().unwrap() as u32,
        modes: word("mode")
            .split(',')
            .map(|m| {
                if m == "fast" {
                    Mode::Fast
                } else {
                    Mode::Robust
                }
            })
            .collect(),
        session: facts["session_nonces"].as_array().map(|nonces| SessionKey {
            host_nonce: nonces[0].as_u64().unwrap() as u16,
            guest_nonce: nonces[1].as_u64().unwrap() as u16,
        }),
        sent: facts["packets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hex| FrameBits::from_bytes(&unhex(hex.as_str().unwrap()), nbits))
            .collect(),
        first_symbol_samples: facts["first_symbol_samples"]
            .as_array()
            .map(|list| list.iter().map(|s| s.as_u64().unwrap()).collect())
            .unwrap_or_default(),
        reference_decoded: facts["reference_decoded"].as_u64().unwrap() as usize,
        samples,
    }
}

pub fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2)
        .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

/// A modem that only listens.
pub fn listener(sample_rate_hz: u32, plan: Plan, listen: Role) -> ModemCore {
    let rx = Listen::Role(listen);
    ModemCore::new(
        ModemConfig::new(sample_rate_hz, listen.other())
            .with_plan(plan)
            .with_rx(rx)
            .with_gain(0.0),
    )
    .unwrap()
}

/// Feeds `samples` in blocks, then half a second of silence; every packet heard.
pub fn hear(core: &mut ModemCore, samples: &[f32], block_frames: usize) -> Vec<RxPacket> {
    let flush = vec![0.0; core.sample_rate_hz() as usize / 2];
    let mut packets = Vec::new();
    let mut frame = core.stats().sample;
    for samples in [samples, &flush] {
        for block in samples.chunks(block_frames) {
            let mut output = vec![0.0; block.len()];
            core.process(block, &mut output, frame);
            frame += block.len() as u64;
            while let Some(packet) = core.take_packet() {
                packets.push(packet);
            }
        }
    }
    packets
}

/// What `core` plays in `frames` frames, with nothing in its ear.
pub fn play(core: &mut ModemCore, frames: usize) -> Vec<f32> {
    let mut output = vec![0.0; frames];
    let from = core.stats().sample;
    core.process(&vec![0.0; frames], &mut output, from);
    output
}

/// `count` frames of `nbits` random bits, keys 1, 2, ….
pub fn random_frames(rng: &mut Pcg64Mcg, count: usize, nbits: usize) -> Vec<OutFrame> {
    (0..count)
        .map(|i| {
            let mut bytes = [0; 32];
            rng.fill_bytes(&mut bytes);
            OutFrame {
                bits: FrameBits::from_bytes(&bytes, nbits),
                key: i as u32 + 1,
                keyed: false,
            }
        })
        .collect()
}
