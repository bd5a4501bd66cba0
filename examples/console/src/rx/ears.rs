//! A modem for each channel of a recording, and which of them is believed: the first that locks, as long as it hears.

use link_modem::{CHANNELS_MAX, ModemCore, RxPacket};
use std::error::Error;

/// Samples a call, as a browser's audio thread would ask for.
const BLOCK: usize = 128;
/// Silence after the recording, so that a packet just received is decoded.
const FLUSH_SECONDS: f64 = 0.5;
/// A channel that was believed and is silent for so long gives way to one that hears.
const KEPT_S: f64 = 2.5;

/// What came of it all.
#[derive(Debug, Default)]
pub struct Heard {
    /// Packets handed out.
    pub packets: u64,
    /// Sum of their effective signal-to-noise ratios, dB.
    pub snr_sum_db: f64,
    /// Packets not read while locked.
    pub missed: u64,
    /// The clock of the channel believed last.
    pub clock_ppm: Option<f32>,
    /// The channel believed last, from 0.
    pub channel: Option<usize>,
    /// How often another was believed than before.
    pub changes: u64,
    /// Frames of the recording.
    pub frames: u64,
}

struct Ear {
    channel: usize,
    /// None while the channel has been digital silence: an unused one costs nothing.
    modem: Option<ModemCore>,
    /// Packets not read, as of the recording's last frame.
    missed: u64,
}

/// All of it.
pub struct Ears {
    ears: Vec<Ear>,
    channels: usize,
    rate_hz: u32,
    new_modem: Box<dyn Fn() -> Result<ModemCore, Box<dyn Error>>>,
    pending: Vec<f32>,
    frame: u64,
    believed: Option<usize>,
    newest: Option<RxPacket>,
    heard: Heard,
}

impl Ears {
    /// Ears for a recording of so many channels, or for one of them.
    pub fn new(
        rate_hz: u32,
        channels: usize,
        forced: Option<usize>,
        new_modem: impl Fn() -> Result<ModemCore, Box<dyn Error>> + 'static,
    ) -> Result<Self, Box<dyn Error>> {
        let ear = |channel| Ear {
            channel,
            modem: None,
            missed: 0,
        };
        // Whether there can be a modem at all is known before there is sound.
        new_modem()?;
        Ok(Self {
            ears: match forced {
                Some(channel) => vec![ear(channel)],
                None => (0..channels.min(CHANNELS_MAX)).map(ear).collect(),
            },
            channels,
            rate_hz,
            new_modem: Box::new(new_modem),
            pending: Vec::with_capacity(BLOCK * channels),
            frame: 0,
            believed: None,
            newest: None,
            heard: Heard::default(),
        })
    }

    /// Hears the next frames, interleaved.
    pub fn hear(
        &mut self,
        frames: &[f32],
        mut take: impl FnMut(&RxPacket) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let block = BLOCK * self.channels;
        self.heard.frames += (frames.len() / self.channels) as u64;
        let mut rest = frames;
        while self.pending.len() + rest.len() >= block {
            let (now, later) = rest.split_at(block - self.pending.len());
            self.pending.extend_from_slice(now);
            rest = later;
            self.block(&mut take)?;
        }
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// The recording has ended: what is still on its way comes.
    pub fn finish(
        &mut self,
        mut take: impl FnMut(&RxPacket) -> Result<(), Box<dyn Error>>,
    ) -> Result<Heard, Box<dyn Error>> {
        self.block(&mut take)?;
        // Packets missed after the recording's end were never in it.
        for ear in &mut self.ears {
            ear.missed = ear.modem.as_ref().map_or(0, |modem| modem.stats().rx_bad);
        }
        for _ in 0..(FLUSH_SECONDS * f64::from(self.rate_hz)) as usize / BLOCK {
            self.pending.resize(BLOCK * self.channels, 0.0);
            self.block(&mut take)?;
        }
        let ear = &self.ears[self.believed.unwrap_or(0)];
        self.heard.missed = ear.missed;
        self.heard.clock_ppm = ear.modem.as_ref().and_then(|modem| modem.stats().clock_ppm);
        self.heard.channel = self.believed.map(|_| ear.channel);
        Ok(std::mem::take(&mut self.heard))
    }

    fn block(
        &mut self,
        take: &mut impl FnMut(&RxPacket) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let frames = self.pending.len() / self.channels;
        let (mut microphone, mut speaker) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut packets: Vec<(usize, RxPacket)> = Vec::new();
        for (index, ear) in self.ears.iter_mut().enumerate() {
            let samples = self.pending.iter().skip(ear.channel).step_by(self.channels);
            for (place, sample) in microphone.iter_mut().zip(samples) {
                *place = *sample;
            }
            if ear.modem.is_none() && microphone[..frames].iter().all(|x| *x == 0.0) {
                continue;
            }
            let modem = match &mut ear.modem {
                Some(modem) => modem,
                None => ear.modem.insert((self.new_modem)()?),
            };
            modem.process(&microphone[..frames], &mut speaker[..frames], self.frame);
            packets
                .extend(std::iter::from_fn(|| modem.take_packet()).map(|packet| (index, packet)));
        }
        self.frame += frames as u64;
        self.pending.clear();
        packets.sort_by_key(|(_, packet)| packet.sample);
        for (index, packet) in packets {
            if self.believes(index, &packet) {
                self.heard.packets += 1;
                self.heard.snr_sum_db += f64::from(packet.snr_db);
                self.newest = Some(packet);
                take(&packet)?;
            }
        }
        Ok(())
    }

    /// Whether this packet counts: of the channel believed, or of another when that one has fallen silent.
    fn believes(&mut self, index: usize, packet: &RxPacket) -> bool {
        let patience = (KEPT_S * f64::from(self.rate_hz)) as u64;
        let is_silent = self
            .newest
            .is_none_or(|newest| packet.sample > newest.sample + patience);
        if self.believed != Some(index) {
            if !is_silent {
                return false;
            }
            self.heard.changes += u64::from(self.believed.is_some());
            self.believed = Some(index);
        }
        true
    }
}
