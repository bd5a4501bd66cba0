//! Turns payloads into the band's waveform, symbol by symbol, on a timeline of output frames.
//!
//! Every tone is a whole number of cycles of the useful symbol and its phase restarts with each symbol, so one
//! inverse FFT of `N` points gives a symbol's whole waveform: prefix and fade-out are the same samples read
//! cyclically. That costs microseconds once in 50 ms, where an oscillator bank would turn 120 phasors a sample.

use crate::{
    config::SlotEvent,
    fft::Planner,
    modulation::quarter_turns,
    params::{
        BAND_RMS, Band, CLIP_LEVEL, DATA_SYMBOLS, DATA_TONES_MAX, PILOTS_MAX, SUPERFRAME_SYMBOLS,
        Timing, data_tone, packet_shape, pilot_turns, sync_turns,
    },
};
use heapless::Deque;
use link_fec::{CODED_BITS_MAX, PAYLOAD_BYTES_MAX, encode_packet};
use link_transport::{
    CRC_START_DEFAULT, FrameBits, Mode, OutFrame, Rotation, SessionKey, capacity_bits,
};
use rustfft::{Fft, num_complex::Complex32};
use std::{f32::consts::PI, sync::Arc};

/// Slot events kept until taken; the oldest is dropped. A superframe has at most 20.
const SLOTS_MAX: usize = 64;

/// One symbol's useful samples, to be read cyclically.
struct Wave {
    samples: Vec<f32>,
    sounds: bool,
}

/// What the next symbol boundary starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Sync,
    Data(usize),
}

pub(crate) struct Transmitter {
    timing: Timing,
    band: Band,
    gain: f32,
    /// The band and gain from the next symbol boundary on.
    wanted: (Band, f32),
    key: Option<SessionKey>,
    mode: Mode,
    wanted_mode: Mode,
    rotation: Rotation,
    packet_slots: [u8; CODED_BITS_MAX],
    /// Each data tone's phase over its sync phase, in quarter turns.
    quarters: [u8; DATA_TONES_MAX],
    next: Next,
    next_boundary: u64,
    next_frame: Option<u64>,
    waves: [Wave; 2],
    current: usize,
    fade_in: Vec<f32>,
    spectrum: Vec<Complex32>,
    scratch: Vec<Complex32>,
    inverse: Arc<dyn Fft<f32>>,
    slots: Deque<SlotEvent, SLOTS_MAX>,
    /// Where the two newest sync symbols' useful parts start, the newest first.
    syncs: [Option<u64>; 2],
    last_restart: Option<u64>,
    pub(crate) clips: u64,
    pub(crate) packets: u64,
}

impl Transmitter {
    pub(crate) fn new(timing: Timing, band: Band, gain: f32, planner: &mut Planner) -> Self {
        let n = timing.useful;
        let inverse = planner.plan_fft_inverse(n);
        let wave = || Wave {
            samples: vec![0.0; n],
            sounds: false,
        };
        let fade = timing.fade as f32;
        Self {
            timing,
            band,
            gain,
            wanted: (band, gain),
            key: None,
            mode: Mode::Robust,
            wanted_mode: Mode::Robust,
            rotation: Rotation::default(),
            packet_slots: [0; CODED_BITS_MAX],
            quarters: [0; DATA_TONES_MAX],
            next: Next::Sync,
            next_boundary: 0,
            next_frame: None,
            waves: [wave(), wave()],
            current: 0,
            fade_in: (0..timing.fade)
                .map(|i| 0.5 - 0.5 * (PI * (i as f32 + 0.5) / fade).cos())
                .collect(),
            spectrum: vec![Complex32::default(); n],
            scratch: vec![Complex32::default(); inverse.get_inplace_scratch_len()],
            inverse,
            slots: Deque::new(),
            syncs: [None; 2],
            last_restart: None,
            clips: 0,
            packets: 0,
        }
    }

    pub(crate) fn set_payloads(&mut self, frames: &[OutFrame]) {
        self.rotation.set(frames);
    }

    pub(crate) fn set_mode(&mut self, mode: Mode) {
        self.wanted_mode = mode;
    }

    pub(crate) fn set_session_key(&mut self, key: SessionKey) {
        self.key = Some(key);
    }

    /// From the next symbol boundary on. Another band starts a superframe there.
    pub(crate) fn reconfigure(&mut self, band: Band, gain: f32) {
        self.wanted = (band, gain);
    }

    /// Starts a superframe at the next symbol boundary.
    pub(crate) fn restart(&mut self) {
        self.next = Next::Sync;
    }

    /// The mode of the superframe on the air.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    /// The band on the air.
    pub(crate) fn band(&self) -> Band {
        self.band
    }

    /// True if what it plays can be heard.
    pub(crate) fn is_audible(&self) -> bool {
        self.gain > 0.0
    }

    /// The output frames at which the newest sync symbols' useful parts start, the newest first.
    pub(crate) fn syncs(&self) -> impl Iterator<Item = u64> {
        self.syncs.into_iter().flatten()
    }

    /// When a superframe last started off the grid of the one before.
    pub(crate) fn last_restart(&self) -> Option<u64> {
        self.last_restart
    }

    pub(crate) fn take_slot(&mut self) -> Option<SlotEvent> {
        self.slots.pop_front()
    }

    /// Fills `output`, which starts at `first_frame`. A jump of the count skips what it jumped over: silence until
    /// the next symbol boundary, on the same grid, where a new superframe starts.
    pub(crate) fn process(&mut self, output: &mut [f32], first_frame: u64) {
        match self.next_frame {
            None => self.next_boundary = first_frame,
            Some(expected) if expected != first_frame => self.land(first_frame),
            Some(_) => {}
        }
        self.next_frame = Some(first_frame + output.len() as u64);

        let (mut frame, mut rest) = (first_frame, output);
        while !rest.is_empty() {
            if frame == self.next_boundary {
                self.start_symbol(frame);
            }
            let len = rest.len().min((self.next_boundary - frame) as usize);
            let (part, after) = rest.split_at_mut(len);
            self.play(part, frame);
            (frame, rest) = (frame + len as u64, after);
        }
    }

    fn land(&mut self, frame: u64) {
        let symbol = self.timing.symbol as u64;
        let past_grid = (frame % symbol + symbol - self.next_boundary % symbol) % symbol;
        self.next_boundary = frame + (symbol - past_grid) % symbol;
        self.next = Next::Sync;
        for wave in &mut self.waves {
            wave.sounds = false;
        }
    }

    fn start_symbol(&mut self, frame: u64) {
        let (band, gain) = self.wanted;
        if band != self.band {
            self.band = band;
            self.next = Next::Sync;
        }
        self.gain = gain;
        match self.next {
            Next::Sync => self.start_superframe(frame),
            Next::Data(symbol) => self.advance_phases(symbol, frame),
        }
        self.current ^= 1;
        self.synthesise();
        self.next_boundary = frame + self.timing.symbol as u64;
    }

    fn start_superframe(&mut self, frame: u64) {
        let useful = frame + self.timing.prefix as u64;
        let superframe = SUPERFRAME_SYMBOLS as u64 * self.timing.symbol as u64;
        if self.syncs[0].is_none_or(|last| useful != last + superframe) {
            self.last_restart = Some(frame);
        }
        self.syncs = [Some(useful), self.syncs[0]];
        self.mode = self.wanted_mode;
        self.quarters = [0; DATA_TONES_MAX];
        self.next = Next::Data(0);
    }

    /// Adds the phase steps of data symbol `symbol`, latching a payload if it is a packet's first.
    fn advance_phases(&mut self, symbol: usize, frame: u64) {
        let shape = packet_shape(self.band.plan, self.mode);
        let in_packet = symbol % shape.symbols;
        if in_packet == 0 {
            self.latch(symbol / shape.symbols, frame);
        }
        let slots = &self.packet_slots[in_packet * shape.tones * shape.bits_per_tone..];
        for (tone, quarters) in self.quarters[..shape.tones].iter_mut().enumerate() {
            *quarters += quarter_turns(self.mode, slots, tone);
            *quarters &= 3;
        }
        self.next = if symbol + 1 == DATA_SYMBOLS {
            Next::Sync
        } else {
            Next::Data(symbol + 1)
        };
    }

    fn latch(&mut self, packet_index: usize, frame: u64) {
        let capacity = capacity_bits(self.band.plan);
        let latched = self.rotation.latch(capacity);
        let bits = latched.map_or(FrameBits::zeros(capacity), |frame| frame.bits);
        let keyed = latched.is_some_and(|frame| frame.keyed);
        let crc_start = match self.key {
            Some(key) if keyed => key.crc_start(self.band.role),
            _ => CRC_START_DEFAULT,
        };
        let mut payload = [0; PAYLOAD_BYTES_MAX];
        payload[..bits.as_bytes().len()].copy_from_slice(bits.as_bytes());
        let shape = packet_shape(self.band.plan, self.mode);
        encode_packet(
            shape,
            packet_index,
            crc_start,
            &payload,
            &mut self.packet_slots,
        );

        if self.slots.is_full() {
            self.slots.pop_front();
        }
        let key = latched.map(|frame| frame.key);
        let _ = self.slots.push_back(SlotEvent {
            sample: frame,
            index: packet_index,
            key,
        });
        self.packets += 1;
    }

    /// One inverse FFT: the current phases become the current wave.
    fn synthesise(&mut self) {
        let wave = &mut self.waves[self.current];
        wave.sounds = self.gain > 0.0;
        if !wave.sounds {
            return;
        }
        let band = self.band;
        let amplitude = f64::from(BAND_RMS * self.gain) * (2.0 / band.tones() as f64).sqrt();
        let tone = |turns: f64| {
            let (sin, cos) = (std::f64::consts::TAU * turns.fract()).sin_cos();
            Complex32::new((amplitude * cos) as f32, (amplitude * sin) as f32)
        };
        let sign = if self.mode == Mode::Fast { -1.0 } else { 1.0 };
        self.spectrum.fill(Complex32::default());
        let bins = &mut self.spectrum[band.first_tone()..][..band.tones()];
        for t in 0..band.data_tones() {
            bins[data_tone(t)] =
                tone(sign * sync_turns(band, t) + f64::from(self.quarters[t]) / 4.0);
        }
        for p in 0..band.pilots().min(PILOTS_MAX) {
            bins[p * crate::params::PILOT_SPACING] = tone(pilot_turns(band, p));
        }
        self.inverse
            .process_with_scratch(&mut self.spectrum, &mut self.scratch);
        for (sample, value) in wave.samples.iter_mut().zip(&self.spectrum) {
            *sample = value.re;
        }
    }

    /// Plays a part of one symbol (or of the silence before the first boundary).
    fn play(&mut self, output: &mut [f32], frame: u64) {
        output.fill(0.0);
        let Timing {
            useful,
            prefix,
            symbol,
            fade,
            ..
        } = self.timing;
        let before_boundary = (self.next_boundary - frame) as usize;
        let Some(at) = symbol.checked_sub(before_boundary) else {
            return;
        };
        let wave = &self.waves[self.current];
        if wave.sounds {
            let mut read = (at + useful - prefix) % useful;
            for sample in output.iter_mut() {
                *sample = wave.samples[read];
                read = if read + 1 == useful { 0 } else { read + 1 };
            }
            for (i, sample) in output.iter_mut().enumerate().take(fade.saturating_sub(at)) {
                *sample *= self.fade_in[at + i];
            }
        }
        let previous = &self.waves[self.current ^ 1];
        if previous.sounds {
            for (i, sample) in output.iter_mut().enumerate().take(fade.saturating_sub(at)) {
                // What the previous symbol would have played on: TS after its own start, cyclically.
                let read = (at + i + symbol - prefix) % useful;
                *sample += previous.samples[read] * (1.0 - self.fade_in[at + i]);
            }
        }
        for sample in output {
            if sample.abs() > CLIP_LEVEL {
                *sample = sample.clamp(-CLIP_LEVEL, CLIP_LEVEL);
                self.clips += 1;
            }
        }
    }
}
