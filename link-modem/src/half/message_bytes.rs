//! The bytes of the messages between the two halves.
//!
//! Every message is one version byte, one kind byte and a body whose length the kind decides; numbers are
//! little-endian, enumerations one byte, an optional number a flag byte and the number. Decoding is strict: another
//! version, a length that is not the kind's, or a value that is none of those there are, is an error, so that bytes
//! from anywhere are safe to decode.

use super::{
    message::{
        Command, Frames, MESSAGE_BYTES_MAX, MESSAGE_VERSION, MessageError, ModemFault, Report,
        StatsReport,
    },
    misuse::Misuse,
    wire::{Reader, Writer},
};
use crate::{
    config::{Gap, Listen, ModemStats, RATE_MAX_HZ, RateProblem, Reconfigure, RxPacket, SlotEvent},
    params::rate_min_hz,
};
use link_transport::{
    FRAME_BITS_MAX, FRAMES_MAX, FrameBits, Mode, OutFrame, Plan, Role, SessionKey, capacity_bits,
};

impl Command {
    /// Writes the message and returns its length.
    pub fn encode(&self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> usize {
        let mut to = Writer::new(bytes);
        to.u8(MESSAGE_VERSION);
        match self {
            Self::Payloads(frames) => {
                to.u8(1);
                to.u8(frames.len() as u8);
                for i in 0..FRAMES_MAX {
                    let unused = OutFrame {
                        bits: FrameBits::EMPTY,
                        key: 0,
                        keyed: false,
                    };
                    let frame = frames.get(i).unwrap_or(&unused);
                    to.u32(frame.key);
                    to.u8(u8::from(frame.keyed));
                    put_bits(&mut to, &frame.bits);
                }
            }
            Self::Mode(mode) => {
                to.u8(2);
                to.u8(mode_byte(*mode));
            }
            Self::Session(key) => {
                to.u8(3);
                to.u16(key.host_nonce);
                to.u16(key.guest_nonce);
            }
            Self::Configure { change, serial } => {
                to.u8(4);
                to.u32(*serial);
                to.u8(change.plan.map_or(NONE, plan_byte));
                to.u8(change.tx.map_or(NONE, role_byte));
                to.u8(change.rx.map_or(NONE, listen_byte));
                to.optional_f32(change.gain);
            }
            Self::Skip { frames } => {
                to.u8(5);
                to.u64(*frames);
            }
            Self::Close => to.u8(6),
        }
        to.written()
    }

    /// Reads one message.
    ///
    /// # Errors
    /// [`MessageError`] if the bytes are none.
    pub fn decode(bytes: &[u8]) -> Result<Self, MessageError> {
        decode(bytes, COMMAND, |kind, from| {
            Some(match kind {
                1 => {
                    let len = usize::from(from.u8()?);
                    let mut frames = Frames::new();
                    for i in 0..FRAMES_MAX {
                        let frame = OutFrame {
                            key: from.u32()?,
                            keyed: from.bool()?,
                            bits: bits(from)?,
                        };
                        if i < len {
                            frames.push(frame).ok()?;
                        }
                    }
                    let legal = frames.len() == len && frames.is_sorted_by_key(|frame| frame.key);
                    Self::Payloads(legal.then_some(frames)?)
                }
                2 => Self::Mode(mode(from.u8()?)?),
                3 => Self::Session(SessionKey {
                    host_nonce: from.u16()?,
                    guest_nonce: from.u16()?,
                }),
                4 => Self::Configure {
                    serial: from.u32()?,
                    change: Reconfigure::default()
                        .with_plan(or_none(from.u8()?, plan)?)
                        .with_tx(or_none(from.u8()?, role)?)
                        .with_rx(or_none(from.u8()?, listen)?)
                        .with_gain(from.optional_f32()?),
                },
                5 => Self::Skip {
                    frames: from.u64()?,
                },
                6 => Self::Close,
                _ => return None,
            })
        })
    }
}

impl Report {
    /// Writes the message and returns its length.
    pub fn encode(&self, bytes: &mut [u8; MESSAGE_BYTES_MAX]) -> usize {
        let mut to = Writer::new(bytes);
        to.u8(MESSAGE_VERSION);
        match self {
            Self::Packet(packet) => {
                to.u8(REPORT + 1);
                put_bits(&mut to, &packet.bits);
                to.u8(mode_byte(packet.mode));
                to.f32(packet.snr_db);
                to.u64(packet.sample);
                to.u8(plan_byte(packet.plan));
                to.u8(u8::from(packet.session));
            }
            Self::Slot(slot) => {
                to.u8(REPORT + 2);
                to.u64(slot.sample);
                to.u16(slot.index as u16);
                to.optional_u32(slot.key);
            }
            Self::Stats(report) => {
                to.u8(REPORT + 3);
                put_stats(&mut to, &report.modem);
                to.u8(report.detected.map_or(NONE, plan_byte));
                to.f32(report.peak);
                to.u64(report.dropped);
                to.u32(report.setup);
                let (kind, figure) = report.misuse.map_or((0, 0), Misuse::code);
                to.u8(kind);
                to.u32(figure);
                to.u8(report.channel);
            }
            Self::Gap(gap) => {
                to.u8(REPORT + 4);
                to.u64(gap.sample);
                to.u64(gap.frames);
            }
            Self::Fault { fault, fatal } => {
                to.u8(REPORT + 5);
                to.u8(u8::from(*fatal));
                let (code, rate_hz, plan) = fault_code(*fault);
                to.u8(code);
                to.u32(rate_hz);
                to.u8(plan_byte(plan));
            }
            Self::Clock { frame } => {
                to.u8(REPORT + 6);
                to.u64(*frame);
            }
        }
        to.written()
    }

    /// Reads one message.
    ///
    /// # Errors
    /// [`MessageError`] if the bytes are none.
    pub fn decode(bytes: &[u8]) -> Result<Self, MessageError> {
        decode(bytes, REPORT, |kind, from| {
            Some(match kind {
                1 => {
                    let packet = RxPacket {
                        bits: bits(from)?,
                        mode: mode(from.u8()?)?,
                        snr_db: from.f32()?,
                        sample: from.u64()?,
                        plan: plan(from.u8()?)?,
                        session: from.bool()?,
                    };
                    let whole = packet.bits.len() == capacity_bits(packet.plan);
                    Self::Packet(whole.then_some(packet)?)
                }
                2 => Self::Slot(SlotEvent {
                    sample: from.u64()?,
                    index: from.u16()?.into(),
                    key: from.optional_u32()?,
                }),
                3 => Self::Stats(StatsReport {
                    modem: stats(from)?,
                    detected: or_none(from.u8()?, plan)?,
                    peak: from.f32()?,
                    dropped: from.u64()?,
                    setup: from.u32()?,
                    misuse: {
                        let (kind, figure) = (from.u8()?, from.u32()?);
                        or_none(kind.checked_sub(1).unwrap_or(NONE), |kind| {
                            Misuse::of(kind + 1, figure)
                        })?
                    },
                    channel: from.u8()?,
                }),
                4 => Self::Gap(Gap {
                    sample: from.u64()?,
                    frames: from.u64()?,
                }),
                5 => {
                    let fatal = from.bool()?;
                    let (code, rate_hz, plan) = (from.u8()?, from.u32()?, plan(from.u8()?)?);
                    let fault = fault(code, rate_hz, plan)?;
                    Self::Fault { fault, fatal }
                }
                6 => Self::Clock { frame: from.u64()? },
                _ => return None,
            })
        })
    }
}

/// What the kinds of each direction count from, so that a message carried to the wrong half is refused.
const COMMAND: u8 = 0;
const REPORT: u8 = 0x80;
/// Kinds in either direction.
const KINDS: u8 = 6;

/// Takes the frame of a message apart; `body` says `None` for what makes no sense.
fn decode<T>(
    bytes: &[u8],
    direction: u8,
    body: impl FnOnce(u8, &mut Reader<'_>) -> Option<T>,
) -> Result<T, MessageError> {
    let (&version, rest) = bytes
        .split_first()
        .ok_or(MessageError::Version { got: 0 })?;
    if version != MESSAGE_VERSION {
        return Err(MessageError::Version { got: version });
    }
    let (&kind, rest) = rest.split_first().ok_or(MessageError::Kind { kind: 0 })?;
    let number = kind.wrapping_sub(direction);
    if !(1..=KINDS).contains(&number) {
        return Err(MessageError::Kind { kind });
    }
    let mut reader = Reader::new(rest);
    match body(number, &mut reader) {
        Some(message) if reader.is_at_end() => Ok(message),
        _ => Err(MessageError::Body {
            kind,
            len: bytes.len(),
        }),
    }
}

/// The byte of an enumeration that is left as it is.
const NONE: u8 = 0xFF;

fn or_none<T>(byte: u8, read: impl FnOnce(u8) -> Option<T>) -> Option<Option<T>> {
    if byte == NONE {
        Some(None)
    } else {
        read(byte).map(Some)
    }
}

const fn mode_byte(mode: Mode) -> u8 {
    match mode {
        Mode::Robust => 0,
        Mode::Fast => 1,
    }
}

const fn mode(byte: u8) -> Option<Mode> {
    match byte {
        0 => Some(Mode::Robust),
        1 => Some(Mode::Fast),
        _ => None,
    }
}

const fn plan_byte(plan: Plan) -> u8 {
    match plan {
        Plan::High => 0,
        Plan::Low => 1,
    }
}

const fn plan(byte: u8) -> Option<Plan> {
    match byte {
        0 => Some(Plan::High),
        1 => Some(Plan::Low),
        _ => None,
    }
}

const fn role_byte(role: Role) -> u8 {
    role.index() as u8
}

const fn role(byte: u8) -> Option<Role> {
    match byte {
        0 => Some(Role::Host),
        1 => Some(Role::Guest),
        _ => None,
    }
}

const fn listen_byte(listen: Listen) -> u8 {
    match listen {
        Listen::Role(role) => role_byte(role),
        Listen::Detect => 2,
    }
}

fn listen(byte: u8) -> Option<Listen> {
    match byte {
        2 => Some(Listen::Detect),
        _ => role(byte).map(Listen::Role),
    }
}

fn put_bits(to: &mut Writer<'_>, bits: &FrameBits) {
    to.u16(bits.len() as u16);
    let mut bytes = [0; FRAME_BITS_MAX / 8];
    for (byte, bits) in bytes.iter_mut().zip(bits.as_bytes()) {
        *byte = *bits;
    }
    to.put(&bytes);
}

fn bits(from: &mut Reader<'_>) -> Option<FrameBits> {
    let len = usize::from(from.u16()?);
    let bytes = from.take(FRAME_BITS_MAX / 8)?;
    (len <= FRAME_BITS_MAX).then(|| FrameBits::from_bytes(bytes, len))
}

fn put_stats(to: &mut Writer<'_>, stats: &ModemStats) {
    to.u64(stats.sample);
    to.u8(u8::from(stats.locked));
    to.u8(plan_byte(stats.plan));
    to.u8(stats.rx_mode.map_or(NONE, mode_byte));
    to.u8(mode_byte(stats.tx_mode));
    to.optional_f32(stats.snr_db);
    to.u64(stats.rx_ok);
    to.u64(stats.rx_bad);
    to.u64(stats.syncs);
    to.optional_f32(stats.clock_ppm);
    to.u64(stats.tx_packets);
    to.optional_f32(stats.own_snr_db);
    to.optional_f32(stats.loopback_ms);
    to.u64(stats.clips);
    to.f32(stats.input_peak);
}

fn stats(from: &mut Reader<'_>) -> Option<ModemStats> {
    Some(ModemStats {
        sample: from.u64()?,
        locked: from.bool()?,
        plan: plan(from.u8()?)?,
        rx_mode: or_none(from.u8()?, mode)?,
        tx_mode: mode(from.u8()?)?,
        snr_db: from.optional_f32()?,
        rx_ok: from.u64()?,
        rx_bad: from.u64()?,
        syncs: from.u64()?,
        clock_ppm: from.optional_f32()?,
        tx_packets: from.u64()?,
        own_snr_db: from.optional_f32()?,
        loopback_ms: from.optional_f32()?,
        clips: from.u64()?,
        input_peak: from.f32()?,
    })
}

/// Misuses are numbered from here on.
const MISUSE: u8 = 16;

const fn fault_code(fault: ModemFault) -> (u8, u32, Plan) {
    match fault {
        ModemFault::Misuse(misuse) => {
            let (kind, figure) = misuse.code();
            (MISUSE + kind, figure, Plan::High)
        }
        ModemFault::Unreadable => (0, 0, Plan::High),
        ModemFault::Gone => (1, 0, Plan::High),
        ModemFault::Failed => (2, 0, Plan::High),
        ModemFault::Rate(RateProblem::NotMultipleOf100 { rate_hz }) => (3, rate_hz, Plan::High),
        ModemFault::Rate(RateProblem::TooSlow { rate_hz, plan, .. }) => (4, rate_hz, plan),
        ModemFault::Rate(RateProblem::TooFast { rate_hz, .. }) => (5, rate_hz, Plan::High),
    }
}

fn fault(code: u8, rate_hz: u32, plan: Plan) -> Option<ModemFault> {
    Some(match code {
        0 => ModemFault::Unreadable,
        1 => ModemFault::Gone,
        2 => ModemFault::Failed,
        3 => RateProblem::NotMultipleOf100 { rate_hz }.into(),
        4 => RateProblem::TooSlow {
            rate_hz,
            plan,
            min_hz: rate_min_hz(plan),
        }
        .into(),
        5 => RateProblem::TooFast {
            rate_hz,
            max_hz: RATE_MAX_HZ,
        }
        .into(),
        MISUSE.. => Misuse::of(code - MISUSE, rate_hz)?.into(),
        _ => return None,
    })
}
