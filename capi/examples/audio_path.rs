//! Ten seconds of the audio path, once by the modem alone and once through the ABI: `cargo xtask capi-cost` counts the
//! instructions of each.

// It calls the C ABI.
#![allow(unsafe_code)]

use link_modem::{ModemConfig, ModemCore};
use link_transport::{FrameBits, OutFrame, Role};
use sound_duel::*;
use std::ptr::null_mut;

const RATE_HZ: u32 = 48_000;
const BLOCK: usize = 128;
const BLOCKS: usize = 10 * RATE_HZ as usize / BLOCK;

fn config(tx: Role) -> ModemConfig {
    ModemConfig::new(RATE_HZ, tx)
}

fn frame() -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(b"the audio path", 112),
        key: 1,
        keyed: false,
    }
}

/// What the host's microphone hears: the guest, and itself louder.
fn heard() -> Vec<f32> {
    let mut phones = [Role::Host, Role::Guest].map(|role| {
        let mut modem = ModemCore::new(config(role)).expect("48 kHz carries the high plan");
        modem.set_payloads(&[frame()]);
        modem
    });
    let mut sounds = [[0.0; BLOCK]; 2];
    let mut heard = Vec::with_capacity(BLOCKS * BLOCK);
    for block in 0..BLOCKS {
        for (modem, sound) in phones.iter_mut().zip(&mut sounds) {
            modem.process(&[0.001; BLOCK], sound, (block * BLOCK) as u64);
        }
        let [own, peer] = &sounds;
        heard.extend(
            own.iter()
                .zip(peer)
                .map(|(own, peer)| 0.3 * own + 0.01 * peer),
        );
    }
    heard
}

#[unsafe(no_mangle)]
#[inline(never)]
fn measured_modem_alone(modem: &mut ModemCore, heard: &[f32]) -> usize {
    let (mut speaker, mut packets) = ([0.0; BLOCK], 0);
    for (at, block) in heard.chunks_exact(BLOCK).enumerate() {
        modem.process(block, &mut speaker, (at * BLOCK) as u64);
        while modem.take_packet().is_some() {
            packets += 1;
        }
        while modem.take_slot().is_some() {}
    }
    packets
}

#[unsafe(no_mangle)]
#[inline(never)]
fn measured_through_the_abi(pump: *mut duel_pump, heard: &[f32]) {
    let mut speaker = [0.0; BLOCK];
    for (at, block) in heard.chunks_exact(BLOCK).enumerate() {
        let (channel, first_frame) = (block.as_ptr(), (at * BLOCK) as u64);
        // SAFETY: a live handle; one channel of a block, and room for one.
        let status = unsafe {
            duel_pump_process(
                pump,
                &raw const channel,
                1,
                speaker.as_mut_ptr(),
                BLOCK as u32,
                first_frame,
            )
        };
        assert_eq!(status, DUEL_OK);
    }
}

#[unsafe(no_mangle)]
#[inline(never)]
fn measured_interleaved(pump: *mut duel_pump, heard: &[f32]) {
    let mut speaker = [0.0; BLOCK];
    for (at, block) in heard.chunks_exact(BLOCK).enumerate() {
        let first_frame = (at * BLOCK) as u64;
        // SAFETY: a live handle; a block of one channel, and room for one.
        let status = unsafe {
            duel_pump_process_interleaved(
                pump,
                block.as_ptr(),
                1,
                speaker.as_mut_ptr(),
                BLOCK as u32,
                first_frame,
            )
        };
        assert_eq!(status, DUEL_OK);
    }
}

fn main() {
    let heard = heard();
    let way = std::env::args().nth(1).unwrap_or_default();
    if way == "measured_modem_alone" {
        let mut modem = ModemCore::new(config(Role::Host)).expect("48 kHz carries the high plan");
        modem.set_payloads(&[frame()]);
        let packets = measured_modem_alone(&mut modem, &heard);
        println!("{packets} packets");
        return;
    }
    let config = duel_link_config {
        struct_size: size_of::<duel_link_config>() as u32,
        sample_rate_hz: RATE_HZ,
        plan: DUEL_PLAN_HIGH,
        role: DUEL_ROLE_HOST,
        listen: DUEL_LISTEN_PEER,
        gain: 1.0,
        receive_only: 0,
    };
    let (mut link, mut pump) = (null_mut(), null_mut());
    let mut sent = duel_frame {
        bits: [0; 32],
        bit_count: 112,
        key: 1,
        keyed: 0,
    };
    sent.bits[..14].copy_from_slice(b"the audio path");
    // SAFETY: pointers to what they say.
    unsafe {
        assert_eq!(
            duel_link_new(&config, null_mut(), 0, &raw mut link, &raw mut pump),
            DUEL_OK
        );
        assert_eq!(duel_link_send(link, &raw const sent, 1), DUEL_OK);
    }
    match way.as_str() {
        "measured_interleaved" => measured_interleaved(pump, &heard),
        "measured_through_the_abi" => measured_through_the_abi(pump, &heard),
        other => panic!("{other:?} is no way through the ABI"),
    }
    let mut event: duel_link_event = unsafe { core::mem::zeroed() };
    event.struct_size = size_of::<duel_link_event>() as u32;
    let mut packets = 0;
    // SAFETY: live handles.
    unsafe {
        while duel_link_poll(link, 11_000_000, &raw mut event) == DUEL_OK {
            packets += i32::from(event.kind == DUEL_LINK_PACKET);
        }
        duel_link_free(link);
        duel_pump_free(pump);
    }
    println!("{packets} packets");
}
