//! What might be in a recording in which nothing was heard: sound of another sample rate, or of another band.

use super::{RxArgs, listener};
use crate::words::{ListenArg, PlanArg};
use link_modem::{ChannelChoice, params::Band};

/// Frames kept for the question: six seconds at 48 kHz, which hold at least two syncs whole.
const KEPT_FRAMES: usize = 288_000;
/// Rates that recorders know, the likelier mistakes first.
const RATES_HZ: [u32; 9] = [
    48_000, 44_100, 96_000, 88_200, 32_000, 24_000, 192_000, 22_000, 16_000,
];

/// The stretch of a recording that holds the most of the link's bands.
pub struct Kept {
    rate_hz: u32,
    channels: usize,
    choice: ChannelChoice,
    /// The stretch being heard, and the best one before.
    now: Vec<f32>,
    best: Vec<f32>,
    power: f64,
    best_power: f64,
    peak: f32,
}

impl Kept {
    /// For a recording that claims this rate.
    pub fn new(rate_hz: u32, channels: usize, forced: Option<usize>) -> Self {
        let tones = Band::ALL.map(|band| (band.tone_hz(0), band.tone_hz(band.tones() - 1)));
        let low_hz = tones
            .iter()
            .fold(f64::INFINITY, |low, tone| low.min(tone.0));
        let high_hz = tones.iter().fold(0.0, |high: f64, tone| high.max(tone.1));
        let mut choice = ChannelChoice::new(low_hz, high_hz, rate_hz);
        choice.force(forced);
        Self {
            rate_hz,
            channels,
            choice,
            now: Vec::new(),
            best: Vec::new(),
            power: 0.0,
            best_power: -1.0,
            peak: 0.0,
        }
    }

    /// Takes the next frames, interleaved.
    pub fn hear(&mut self, frames: &[f32]) {
        let finite = frames.iter().filter(|x| x.is_finite());
        self.peak = finite.fold(self.peak, |peak, x| peak.max(x.abs()));
        for piece in frames.chunks(512 * self.channels) {
            let part = |channel: usize| piece.iter().skip(channel).step_by(self.channels).copied();
            let count = piece.len() / self.channels;
            let chosen = self.choice.choose(self.channels, count, false, part);
            let start = self.now.len();
            self.now.extend(part(chosen));
            // Differences favour what is high: enough to tell a signal from a rumble.
            let heard = &self.now[start..];
            self.power += heard
                .windows(2)
                .map(|pair| f64::from(pair[1] - pair[0]).powi(2))
                .filter(|power| power.is_finite())
                .sum::<f64>();
            if self.now.len() >= KEPT_FRAMES {
                self.settle();
            }
        }
    }

    fn settle(&mut self) {
        if self.power > self.best_power {
            std::mem::swap(&mut self.now, &mut self.best);
            self.best_power = self.power;
        }
        self.now.clear();
        self.power = 0.0;
    }

    /// The loudest sample of any channel.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// The rate that the file claims.
    pub fn rate_hz(&self) -> u32 {
        self.rate_hz
    }

    fn stretches(&self) -> [&[f32]; 2] {
        [&self.best, &self.now]
    }

    /// Whether a modem with these options hears a packet.
    fn is_heard(&self, args: &RxArgs, rate_hz: u32) -> bool {
        self.stretches().into_iter().any(|samples| {
            let Ok(mut modem) = listener(args, rate_hz) else {
                return false;
            };
            let silence = vec![0.0; rate_hz as usize / 2];
            let mut frame = 0;
            let mut played = [0.0; 512];
            samples.chunks(512).chain(silence.chunks(512)).any(|block| {
                modem.process(block, &mut played[..block.len()], frame);
                frame += block.len() as u64;
                modem.take_packet().is_some()
            })
        })
    }

    /// The rate that the samples fit, if it is not the one claimed.
    pub fn other_rate(&self, args: &RxArgs) -> Option<u32> {
        let others = RATES_HZ
            .into_iter()
            .filter(|rate_hz| *rate_hz != self.rate_hz);
        others
            .into_iter()
            .find(|rate_hz| self.is_heard(args, *rate_hz))
    }

    /// The plan and the role that are there, if they are not the ones asked for.
    pub fn other_band(&self, args: &RxArgs) -> Option<(&'static str, &'static str)> {
        let bands = [
            (PlanArg::High, ListenArg::Host, ("high", "host")),
            (PlanArg::High, ListenArg::Guest, ("high", "guest")),
            (PlanArg::Low, ListenArg::Host, ("low", "host")),
            (PlanArg::Low, ListenArg::Guest, ("low", "guest")),
        ];
        bands.into_iter().find_map(|(plan, listen, names)| {
            let other = RxArgs {
                plan,
                listen,
                ..args.clone()
            };
            self.is_heard(&other, self.rate_hz).then_some(names)
        })
    }
}
