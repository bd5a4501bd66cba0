//! Two phones on a desk, each a link and its pump, for the tests beside.

use link_modem::half::MESSAGE_BYTES_MAX;
use link_modem::{ModemConfig, ModemLink, ModemPump};
use link_transport::{
    FrameBits, LinkEvent, LinkPacket, LinkTime, LinkTransport, OutFrame, Role, Slot,
};
use std::time::Duration;

pub const RATE_HZ: u32 = 48_000;
pub const BLOCK: usize = 128;
/// From one phone's speaker to the other's microphone.
pub const DELAY: usize = 1_440;
/// One's own signal over the peer's: 40 dB.
pub const OWN: f32 = 1.0;
pub const PEER: f32 = 0.01;

pub fn config(role: Role) -> ModemConfig {
    ModemConfig::new(RATE_HZ, role)
}

pub fn frame(tag: u8) -> OutFrame {
    OutFrame {
        bits: FrameBits::from_bytes(&[tag, 0xA5], 16),
        key: 1,
        keyed: false,
    }
}

/// How the halves of a phone are connected.
pub enum Halves {
    Joined,
    /// As two wasm instances: bytes carried over.
    Carried,
}

/// One phone: both halves, a device clock, and what has come out.
pub struct Phone {
    pub link: ModemLink,
    pub pump: Option<ModemPump>,
    pub halves: Halves,
    /// The device's count, and what it counts of nothing before.
    pub frame: u64,
    /// What it plays, as long as the other may still hear it.
    pub played: Vec<f32>,
    pub packets: Vec<LinkPacket>,
    pub slots: Vec<Slot>,
    /// True while the device renders nothing, and its count stands still.
    pub suspended: bool,
}

impl Phone {
    pub fn new(config: ModemConfig, halves: Halves) -> Self {
        let (link, pump) = match halves {
            Halves::Joined => ModemLink::pair(config).unwrap(),
            Halves::Carried => (
                ModemLink::alone(config).unwrap(),
                ModemPump::alone(config).unwrap(),
            ),
        };
        Self {
            link,
            pump: Some(pump),
            halves,
            frame: 777_000,
            played: vec![0.0; DELAY],
            packets: Vec::new(),
            slots: Vec::new(),
            suspended: false,
        }
    }

    pub fn render(&mut self, peer: &[f32]) {
        let own = self.played[self.played.len() - DELAY..][..BLOCK].to_vec();
        let mut output = [0.0; BLOCK];
        if !self.suspended
            && let Some(pump) = &mut self.pump
        {
            let heard: Vec<f32> = own
                .iter()
                .zip(peer)
                .map(|(own, peer)| OWN * own + PEER * peer)
                .collect();
            let _ = pump.process(&[&heard], &mut output, self.frame);
            self.frame += BLOCK as u64;
        }
        self.played.extend(output);
    }

    pub fn carry(&mut self) {
        let (Halves::Carried, Some(pump)) = (&self.halves, &mut self.pump) else {
            return;
        };
        let mut bytes = [0; MESSAGE_BYTES_MAX];
        while let Some(length) = self.link.poll_message(&mut bytes) {
            pump.push_message(&bytes[..length]).unwrap();
        }
        while let Some(length) = pump.poll_message(&mut bytes) {
            self.link.push_message(&bytes[..length]).unwrap();
        }
    }

    pub fn poll(&mut self, now: LinkTime) {
        self.carry();
        while let Some(event) = self.link.poll(now) {
            match event {
                LinkEvent::Packet(packet) => self.packets.push(packet),
                LinkEvent::Slot(slot) => self.slots.push(slot),
                _ => unreachable!(),
            }
        }
        self.carry();
    }

    pub fn heard(&self, tag: u8) -> usize {
        let heard = |packet: &&LinkPacket| packet.bits.starts_with(&frame(tag).bits);
        self.packets.iter().filter(heard).count()
    }
}

/// Two phones on a desk whose clocks agree; link time runs from 10 s.
pub struct Desk {
    pub phones: [Phone; 2],
    pub blocks: u64,
}

pub const START: LinkTime = LinkTime::from_ms(10_000);

impl Desk {
    pub fn new(configs: [ModemConfig; 2], halves: fn() -> Halves) -> Self {
        Self {
            phones: configs.map(|config| Phone::new(config, halves())),
            blocks: 0,
        }
    }

    pub fn pair() -> Self {
        Self::new([config(Role::Host), config(Role::Guest)], || Halves::Joined)
    }

    pub fn now(&self) -> LinkTime {
        START + Duration::from_secs_f64(self.blocks as f64 * BLOCK as f64 / f64::from(RATE_HZ))
    }

    /// Runs both devices for a while and polls both links about every 10 ms.
    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds * f64::from(RATE_HZ)) as usize / BLOCK {
            let heard = [1, 0].map(|other: usize| {
                let played = &self.phones[other].played;
                played[played.len() - DELAY..][..BLOCK].to_vec()
            });
            for (phone, peer) in self.phones.iter_mut().zip(&heard) {
                phone.render(peer);
            }
            self.blocks += 1;
            if self.blocks.is_multiple_of(4) {
                let now = self.now();
                for phone in &mut self.phones {
                    phone.poll(now);
                }
            }
        }
    }
}
