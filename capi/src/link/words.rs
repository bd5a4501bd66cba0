//! Link level: what a link is told and is
//!
//! The words and structures of the next sections.

use crate::{handle::Fault, sized::sized, status::*, words::*};
use link_modem::{
    ModemConfig, RateProblem,
    half::{MESSAGE_BYTES_MAX, ModemFault},
};
use link_transport::{FRAMES_MAX, Plan, Role};

/// Bytes that hold the bits of any frame or packet.
pub const DUEL_FRAME_BYTES: usize = 32;
/// The most frames `duel_link_send` takes.
pub const DUEL_FRAMES_MAX: usize = 8;
/// The longest message between the two halves of a link, bytes.
pub const DUEL_MESSAGE_BYTES: usize = 315;
const _: () = assert!(DUEL_FRAMES_MAX == FRAMES_MAX && DUEL_MESSAGE_BYTES == MESSAGE_BYTES_MAX);

/// One end of a link: the game's half.
pub struct duel_link {
    _opaque: (),
}

/// One end of a link: the audio half.
pub struct duel_pump {
    _opaque: (),
}

/// How a link is set up. Sized: set `struct_size`, and zero what you do not mean.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_link_config {
    /// `sizeof(duel_link_config)`.
    pub struct_size: u32,
    /// Samples a second of microphone and speaker alike, a multiple of 100; 0: 48,000.
    pub sample_rate_hz: u32,
    /// The band plan, `DUEL_PLAN_…`. A phone that detects it may say anything here.
    pub plan: i32,
    /// Which band this phone sends in, `DUEL_ROLE_…`.
    pub role: i32,
    /// What it listens to, `DUEL_LISTEN_…`.
    pub listen: i32,
    /// Loudness against −15 dB of full scale, above 0 and at most 1.5; 0: 1.
    pub gain: f32,
    /// 1: only listen, and play silence.
    pub receive_only: i32,
}

/// A frame to send. Frozen: it never changes.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_frame {
    /// Bit `i` is bit `7 - i % 8` of byte `i / 8`.
    pub bits: [u8; 32],
    /// How many bits there are.
    pub bit_count: u32,
    /// Its place in the rotation: keys ascend in one list. A packet carries the first frame whose key is greater than
    /// the last one sent.
    pub key: u32,
    /// 1: sent under the session key, so that a recording of another match fails its checksum.
    pub keyed: i32,
}

/// What `duel_link_poll` hands out: `DUEL_LINK_…`.
pub type duel_link_event_kind = i32;
/// A packet of the peer's arrived.
pub const DUEL_LINK_PACKET: i32 = 1;
/// A packet of one's own started to go out.
pub const DUEL_LINK_SLOT: i32 = 2;

/// Something that happened on a link. Sized.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_link_event {
    /// `sizeof(duel_link_event)`.
    pub struct_size: u32,
    /// What, `DUEL_LINK_PACKET` or `DUEL_LINK_SLOT`.
    pub kind: i32,
    /// When: a packet's last sample arrived, a slot's first sample left. Never later than the time polled for.
    pub at_us: u64,
    /// Packet: how many bits there are; always the link's capacity.
    pub bit_count: u32,
    /// Packet: 1 if it came under the session key.
    pub session: i32,
    /// Packet: its signal-to-noise ratio, not a number where the link measures none.
    pub snr_db: f32,
    /// Slot: the key of the frame it carries, or -1 for none.
    pub key: i64,
    /// Packet: the frame, then zeros.
    pub bits: [u8; 32],
}

/// How a link is doing. Sized. Floats that are not known are not a number, times that are not -1.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct duel_link_status {
    /// `sizeof(duel_link_status)`.
    pub struct_size: u32,
    /// 1: the peer's signal is being followed.
    pub locked: i32,
    /// The band plan in use, `DUEL_PLAN_…`.
    pub plan: i32,
    /// The plan found, or -1 while still detecting.
    pub detected_plan: i32,
    /// The mode now on the air, `DUEL_MODE_…`.
    pub tx_mode: i32,
    /// The peer's mode, or -1 before its first packet.
    pub rx_mode: i32,
    /// Packets received whole.
    pub rx_good: u64,
    /// Packets expected but not received whole.
    pub rx_bad: u64,
    /// When the newest packet arrived, or -1.
    pub last_rx_us: i64,
    /// The newest packet's signal-to-noise ratio.
    pub snr_db: f32,
    /// This phone's own signal at its own microphone: under 10 for 3 s means that sound goes elsewhere.
    pub own_snr_db: f32,
    /// From one's own speaker to one's own microphone.
    pub loopback_ms: f32,
    /// How much slower the peer's clock runs, parts per million.
    pub clock_ppm: f32,
    /// The largest input of the last quarter of a second, 0 to 1 and beyond.
    pub input_peak: f32,
    /// Loudness as set.
    pub gain: f32,
    /// The most bits a frame can have now.
    pub capacity_bits: u32,
    /// Samples a second.
    pub sample_rate_hz: u32,
    /// Why the modem stopped, `DUEL_FAULT_…`, or 0 while it runs. See `duel_link_reset`.
    pub fault: i32,
    /// 1: a session has the link.
    pub taken: i32,
    /// Reports that the audio half dropped because nobody polled.
    pub dropped: u64,
}

/// Why a modem stopped or refused something: `DUEL_FAULT_…`.
pub type duel_fault = i32;
/// The sample rate cannot carry what was asked for.
pub const DUEL_FAULT_RATE: i32 = 1;
/// A message did not decode: the halves are of different versions.
pub const DUEL_FAULT_UNREADABLE: i32 = 2;
/// The audio half is gone: its owner freed it.
pub const DUEL_FAULT_GONE: i32 = 3;
/// The audio half failed while processing: `duel_link_pump_failed`.
pub const DUEL_FAULT_FAILED: i32 = 4;

sized! {
    duel_link_config to receive_only;
    duel_link_event to bits;
    duel_link_status to dropped;
}

pub(crate) fn bad_rate(problem: RateProblem) -> Fault {
    Fault::new(DUEL_BAD_RATE, problem)
}

/// A configuration of C's, checked.
pub(crate) fn modem_config(config: &duel_link_config) -> Result<ModemConfig, Fault> {
    let tx = Role::word(config.role)?;
    let receive_only = flag(config.receive_only, "receive_only")?;
    let checked = ModemConfig::new(
        match config.sample_rate_hz {
            0 => 48_000,
            rate => rate,
        },
        tx,
    )
    .with_plan(Plan::word(config.plan)?)
    .with_rx(listen(config.listen, tx)?)
    .with_gain(if receive_only {
        0.0
    } else if config.gain == 0.0 {
        1.0
    } else {
        legal_gain(config.gain)?
    });
    match checked.rate_problem() {
        Some(problem) => Err(bad_rate(problem)),
        None => Ok(checked),
    }
}

pub(crate) fn legal_gain(gain: f32) -> Result<f32, Fault> {
    if (0.0..=1.5).contains(&gain) {
        Ok(gain)
    } else {
        Err(Fault::argument(format_args!("gain {gain}: 0 to 1.5")))
    }
}

pub(crate) fn modem_fault_word(fault: ModemFault) -> i32 {
    match fault {
        ModemFault::Rate(_) => DUEL_FAULT_RATE,
        ModemFault::Unreadable => DUEL_FAULT_UNREADABLE,
        ModemFault::Gone => DUEL_FAULT_GONE,
        _ => DUEL_FAULT_FAILED,
    }
}
