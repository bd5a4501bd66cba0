//! A modem fed anything, a peer's real signal among it: no panic, bounded output, and no packet but what was sent.

use arbitrary::{Arbitrary, Unstructured};
use link_modem::{Listen, ModemConfig, ModemCore, Reconfigure, RxPacket, params::CLIP_LEVEL};
use link_transport::{CRC_START_DEFAULT, FrameBits, Mode, OutFrame, Plan, Role, SessionKey};

#[derive(Arbitrary, Debug)]
enum Operation {
    Process {
        frames: u16,
        kind: Samples,
        jump: i32,
    },
    /// The peer plays on, and is heard: a few blocks, the first of them after a jump of the count, with or without
    /// samples that no microphone gives.
    Hear {
        blocks: u8,
        frames: u16,
        jump: i16,
        wild: Option<Wild>,
    },
    Mode {
        of: Whose,
        fast: bool,
    },
    Send {
        of: Whose,
        bytes: [u8; 23],
        keyed: bool,
    },
    Key {
        of: Whose,
        host: u16,
        guest: u16,
    },
    Skip {
        frames: u32,
    },
    Reconfigure {
        of: Whose,
        low: Option<bool>,
        transmits_as_host: Option<bool>,
        listens: Option<Listens>,
        gain: Option<f32>,
    },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Whose {
    Own,
    Peers,
    Both,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Listens {
    Host,
    Guest,
    Detect,
}

#[derive(Arbitrary, Debug)]
enum Samples {
    Zero,
    NotANumber,
    Infinite,
    Denormal,
    Loud(u32),
    Raw(f32),
    /// Every kind within one block.
    Mixed(u32),
}

/// Samples among a peer's signal that are something else.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Wild {
    seed: u32,
    /// One in so many, on average.
    one_in: u16,
}

/// The longest run of one input, samples: enough for two superframes.
const SAMPLES_MAX: usize = 200_000;
/// The longest block.
const BLOCK_MAX: usize = 8192;
/// Bits of the frames sent: all of a packet on either plan, less what only one of them has room for.
const FRAME_BITS: usize = 184;

/// Cheap chance from a seed in the input.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x915F_77F5).wrapping_add(1);
        self.0 >> 8
    }

    /// Uniform in −1…1.
    fn loud(&mut self) -> f32 {
        self.next() as f32 / 8_388_608.0 - 1.0
    }

    fn wild(&mut self) -> f32 {
        match self.next() >> 8 & 7 {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => f32::MAX,
            4 => 1e-42,
            5 => 0.0,
            6 => -1e20,
            _ => self.loud(),
        }
    }
}

impl Samples {
    fn fill(&self, block: &mut [f32]) {
        match self {
            Self::Zero => block.fill(0.0),
            Self::NotANumber => block.fill(f32::NAN),
            Self::Infinite => block.fill(f32::INFINITY),
            Self::Denormal => block.fill(1e-42),
            Self::Raw(sample) => block.fill(*sample),
            Self::Loud(seed) => {
                let mut chance = Chance(seed | 1);
                block.fill_with(|| chance.loud());
            }
            Self::Mixed(seed) => {
                let mut chance = Chance(seed | 1);
                block.fill_with(|| chance.wild());
            }
        }
    }
}

impl Wild {
    fn strew(self, block: &mut [f32]) {
        let mut chance = Chance(self.seed | 1);
        let one_in = u32::from(self.one_in.max(1));
        for sample in block {
            if chance.next().is_multiple_of(one_in) {
                *sample = chance.wild();
            }
        }
    }
}

impl Whose {
    fn own(self) -> bool {
        matches!(self, Self::Own | Self::Both)
    }

    fn peers(self) -> bool {
        matches!(self, Self::Peers | Self::Both)
    }
}

/// A modem that only plays, and what a listener may have of it.
struct Peer {
    modem: ModemCore,
    frame: u64,
    /// Every frame it was ever given, and whether under the session key; the first is what it plays with none.
    sent: Vec<(FrameBits, bool)>,
    /// CRC starts that its keyed frames may have: the default one while it has no key.
    starts: Vec<u16>,
    silence: Vec<f32>,
}

impl Peer {
    fn play(&mut self, block: &mut [f32]) {
        let silence = &self.silence[..block.len()];
        self.modem.process(silence, block, self.frame);
        self.frame += block.len() as u64;
        while self.modem.take_slot().is_some() {}
        while self.modem.take_gap().is_some() {}
        assert!(
            self.modem.take_packet().is_none(),
            "a packet out of silence"
        );
    }

    /// Whether it can have sent what a listener received that has had keys of these CRC starts: a packet passes for one of
    /// the session under a start of the listener's key, and for one of none under the default start alone.
    fn has_sent(&self, packet: &RxPacket, key_starts: &[u16]) -> bool {
        let accepted = if packet.session {
            key_starts
        } else {
            &[CRC_START_DEFAULT]
        };
        self.sent.iter().any(|(frame, keyed)| {
            let starts = if *keyed {
                self.starts.as_slice()
            } else {
                &[CRC_START_DEFAULT]
            };
            packet.bits.starts_with(frame) && starts.iter().any(|start| accepted.contains(start))
        })
    }
}

fn plan(low: bool) -> Plan {
    if low { Plan::Low } else { Plan::High }
}

fn role(host: bool) -> Role {
    if host { Role::Host } else { Role::Guest }
}

fn starts(key: SessionKey) -> [u16; 2] {
    [Role::Host, Role::Guest].map(|sender| key.crc_start(sender))
}

/// A sequence of operations on one modem, and on a peer that it may hear.
pub fn modem_core(data: &[u8]) {
    modem_packets(data);
}

/// What [`modem_core`] does, and how many packets the modem received by it.
///
/// # Panics
/// If a law is broken.
pub fn modem_packets(data: &[u8]) -> u64 {
    let mut input = Unstructured::new(data);
    let rates = [24_000, 44_100, 48_000, 96_000];
    let (Ok(rate), Ok(low), Ok(host), Ok(detect)) = (
        input.choose(&rates).copied(),
        bool::arbitrary(&mut input),
        bool::arbitrary(&mut input),
        bool::arbitrary(&mut input),
    ) else {
        return 0;
    };
    let tx = role(host);
    let rx = if detect && !host {
        Listen::Detect
    } else {
        Listen::Role(tx.other())
    };
    let config = ModemConfig::new(rate, tx).with_plan(plan(low)).with_rx(rx);
    let peers = config.with_tx(tx.other()).with_rx(Listen::Role(tx));
    let (Ok(mut modem), Ok(peer)) = (ModemCore::new(config), ModemCore::new(peers)) else {
        return 0;
    };
    let mut peer = Peer {
        modem: peer,
        frame: 0,
        sent: vec![(FrameBits::zeros(FRAME_BITS), false)],
        starts: vec![CRC_START_DEFAULT],
        silence: vec![0.0; BLOCK_MAX],
    };
    let mut key_starts = Vec::new();
    let (mut heard, mut played) = (vec![0.0; BLOCK_MAX], vec![0.0; BLOCK_MAX]);
    let (mut frame, mut total, mut received) = (0_u64, 0, 0);
    // Arbitrary values can be made of no bytes at all, for ever.
    while !input.is_empty()
        && let Ok(operation) = Operation::arbitrary(&mut input)
    {
        let mut process = |modem: &mut ModemCore, heard: &[f32], jump: i64| {
            let len = heard.len();
            frame = frame.saturating_add_signed(jump);
            modem.process(heard, &mut played[..len], frame);
            frame += len as u64;
            total += len + 1;
            assert!(
                played[..len]
                    .iter()
                    .all(|sample| sample.abs() <= CLIP_LEVEL),
                "output within what the modem clips at"
            );
        };
        match operation {
            Operation::Process { frames, kind, jump } => {
                let block = &mut heard[..usize::from(frames) % (BLOCK_MAX + 1)];
                kind.fill(block);
                process(&mut modem, block, jump.into());
            }
            Operation::Hear {
                blocks,
                frames,
                jump,
                wild,
            } => {
                let block = &mut heard[..usize::from(frames) % (BLOCK_MAX + 1)];
                let blocks = usize::from(blocks).min(SAMPLES_MAX / (block.len() + 1));
                for at in 0..=blocks {
                    peer.play(block);
                    if let Some(wild) = wild {
                        wild.strew(block);
                    }
                    process(&mut modem, block, if at == 0 { jump.into() } else { 0 });
                }
            }
            Operation::Mode { of, fast } => {
                let mode = if fast { Mode::Fast } else { Mode::Robust };
                if of.own() {
                    modem.set_tx_mode(mode);
                }
                if of.peers() {
                    peer.modem.set_tx_mode(mode);
                }
            }
            Operation::Send { of, bytes, keyed } => {
                let bits = FrameBits::from_bytes(&bytes, FRAME_BITS);
                let frames = [OutFrame {
                    bits,
                    key: 0,
                    keyed,
                }];
                if of.own() {
                    modem.set_payloads(&frames);
                }
                if of.peers() {
                    peer.modem.set_payloads(&frames);
                    peer.sent.push((bits, keyed));
                }
            }
            Operation::Key { of, host, guest } => {
                let key = SessionKey {
                    host_nonce: host,
                    guest_nonce: guest,
                };
                if of.own() {
                    modem.set_session_key(key);
                    key_starts.extend(starts(key));
                }
                if of.peers() {
                    peer.modem.set_session_key(key);
                    peer.starts.extend(starts(key));
                }
            }
            Operation::Skip { frames } => modem.skip(frames.into()),
            Operation::Reconfigure {
                of,
                low,
                transmits_as_host,
                listens,
                gain,
            } => {
                let change = Reconfigure::default()
                    .with_plan(low.map(plan))
                    .with_tx(transmits_as_host.map(role))
                    .with_rx(listens.map(|listens| match listens {
                        Listens::Host => Listen::Role(Role::Host),
                        Listens::Guest => Listen::Role(Role::Guest),
                        Listens::Detect => Listen::Detect,
                    }))
                    .with_gain(gain);
                // A plan that does not fit the rate is refused, and then nothing changes.
                if of.own() {
                    let _ = modem.reconfigure(change);
                }
                if of.peers() {
                    let _ = peer.modem.reconfigure(change);
                }
            }
        }
        while let Some(packet) = modem.take_packet() {
            received += 1;
            assert!(
                peer.has_sent(&packet, &key_starts),
                "never sent: {packet:?}"
            );
        }
        assert!(
            received <= peer.modem.stats().tx_packets,
            "more packets than were sent"
        );
        while modem.take_slot().is_some() {}
        while modem.take_gap().is_some() {}
        if total > SAMPLES_MAX {
            break;
        }
    }
    received
}
