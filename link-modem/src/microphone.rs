//! Which channel of a microphone that has several is heard: the one that carries the link's band. Knows nothing of packets.
//!
//! Loudness says nothing: a steady offset, hum or a dead input's own noise are louder than a peer across the table. What
//! counts is what passes two band-passes over the received band; and where that is not enough (noise in the band itself),
//! what locks: a channel on which nothing locks for a while makes room for the next.

use core::f64::consts::PI;

/// Channels that are looked at; any further are not heard.
pub const CHANNELS_MAX: usize = 64;
/// Another channel must carry this much more of the band to be heard instead, a power ratio: 12 dB.
const LOUDER: f32 = 15.8;
/// A channel with less than this share of the loudest one's band is not tried at all: 40 dB.
const DEAD_SHARE: f32 = 1e-4;
/// Levels are averages over about so long.
const AVERAGE_S: f32 = 0.25;
/// How long a channel is listened to before another is tried: two superframes, within which whatever is there locks.
const TRIED_S: f32 = 4.3;
/// How long a channel that has had a lock keeps its place without one: whoever moves a phone comes back.
const KEPT_S: f32 = 8.0;

/// The choice of a channel, and what it rests on. One channel costs nothing.
pub struct ChannelChoice {
    sample_rate_hz: f32,
    pass: BandPass,
    channels: [Channel; CHANNELS_MAX],
    chosen: usize,
    forced: Option<usize>,
    /// Whether the filters have heard anything: what they make of the first samples is not in the sound.
    settled: bool,
    /// Frames since the chosen channel was chosen or last had a lock, and how long that may last.
    without_lock: f32,
    patience_s: f32,
}

#[derive(Clone, Copy, Default)]
struct Channel {
    filters: [[f32; 2]; 2],
    /// Mean power in the band.
    power: f32,
}

/// Two of these one after the other: 60 dB down at a tenth of the band's frequency, nothing at 0 Hz.
#[derive(Clone, Copy)]
struct BandPass {
    b0: f32,
    a1: f32,
    a2: f32,
}

impl BandPass {
    /// Source: R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients", band-pass of 0 dB.
    fn new(low_hz: f64, high_hz: f64, sample_rate_hz: f64) -> Self {
        let middle = (low_hz * high_hz).sqrt().min(0.45 * sample_rate_hz);
        let turn = 2.0 * PI * middle / sample_rate_hz;
        let alpha = turn.sin() * (high_hz - low_hz) / (2.0 * middle);
        let a0 = 1.0 + alpha;
        Self {
            b0: (alpha / a0) as f32,
            a1: (-2.0 * turn.cos() / a0) as f32,
            a2: ((1.0 - alpha) / a0) as f32,
        }
    }

    fn next(&self, state: &mut [f32; 2], x: f32) -> f32 {
        let y = self.b0 * x + state[0];
        state[0] = state[1] - self.a1 * y;
        state[1] = -self.b0 * x - self.a2 * y;
        y
    }
}

impl Channel {
    /// Power of what `samples` hold of the band, averaged; what is no number counts as silence.
    fn hear(&mut self, pass: &BandPass, samples: impl Iterator<Item = f32>, share: f32) {
        let (mut sum, mut count) = (0.0, 0);
        for sample in samples {
            let sample = if sample.is_finite() {
                sample.clamp(-4.0, 4.0)
            } else {
                0.0
            };
            let once = pass.next(&mut self.filters[0], sample);
            let twice = pass.next(&mut self.filters[1], once);
            sum += twice * twice;
            count += 1;
        }
        let power = if count == 0 { 0.0 } else { sum / count as f32 };
        self.power += share * (power - self.power);
    }
}

impl ChannelChoice {
    /// A choice by what lies from `low_hz` to `high_hz`.
    #[must_use]
    pub fn new(low_hz: f64, high_hz: f64, sample_rate_hz: u32) -> Self {
        Self {
            sample_rate_hz: sample_rate_hz as f32,
            pass: BandPass::new(low_hz, high_hz, sample_rate_hz.into()),
            channels: [Channel::default(); CHANNELS_MAX],
            chosen: 0,
            forced: None,
            settled: false,
            without_lock: 0.0,
            patience_s: TRIED_S,
        }
    }

    /// Looks at another band from now on.
    pub fn retune(&mut self, low_hz: f64, high_hz: f64) {
        self.pass = BandPass::new(low_hz, high_hz, self.sample_rate_hz.into());
        self.channels = [Channel::default(); CHANNELS_MAX];
        self.settled = false;
    }

    /// Hears channel `channel`, from 0, whatever is in it; `None` chooses again.
    pub fn force(&mut self, channel: Option<usize>) {
        self.forced = channel;
    }

    /// The channel heard, from 0.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// Mean power of a channel in the band.
    #[must_use]
    pub fn power(&self, channel: usize) -> f32 {
        self.channels
            .get(channel)
            .map_or(0.0, |channel| channel.power)
    }

    /// The channel to hear in the next `frames` frames, of `channels`; `part` gives those frames of one. `locked`: the one
    /// chosen carries a peer now, and stays.
    ///
    /// Two filters for each sample of each channel; nothing where there is one channel.
    pub fn choose<I: Iterator<Item = f32>>(
        &mut self,
        channels: usize,
        frames: usize,
        locked: bool,
        part: impl Fn(usize) -> I,
    ) -> usize {
        if channels < 2 {
            self.chosen = 0;
            return 0;
        }
        if let Some(forced) = self.forced {
            self.chosen = forced.min(channels - 1);
            return self.chosen;
        }
        let channels = channels.min(CHANNELS_MAX);
        let passed_s = frames as f32 / self.sample_rate_hz;
        let share = if self.settled {
            (passed_s / AVERAGE_S).min(1.0)
        } else {
            0.0
        };
        self.settled = true;
        for (index, channel) in self.channels[..channels].iter_mut().enumerate() {
            channel.hear(&self.pass, part(index), share);
        }
        if locked {
            (self.without_lock, self.patience_s) = (0.0, KEPT_S);
            return self.chosen;
        }
        self.without_lock += passed_s;
        let kept = self.patience_s == KEPT_S && self.without_lock < KEPT_S;
        self.chosen = self.chosen.min(channels - 1);
        let heard = &self.channels[..channels];
        let power = heard[self.chosen].power;
        let loudest = (0..channels).fold(0, |best, channel| {
            if heard[channel].power > heard[best].power {
                channel
            } else {
                best
            }
        });
        let most = heard[loudest].power;
        let is_dead = power < DEAD_SHARE * most;
        let is_weak =
            LOUDER * power < most && self.patience_s == TRIED_S && self.without_lock < TRIED_S;
        if is_dead || (is_weak && !kept && loudest != self.chosen) {
            self.turn_to(loudest);
        } else if self.without_lock >= self.patience_s {
            // The next that is alive, round the circle.
            let live = |channel: &usize| heard[*channel].power >= DEAD_SHARE * most;
            let next = (1..channels)
                .map(|step| (self.chosen + step) % channels)
                .find(live);
            self.turn_to(next.unwrap_or(self.chosen));
            // Whoever was passed over as weak is heard out this time.
            self.patience_s = TRIED_S * 1.01;
        }
        self.chosen
    }

    fn turn_to(&mut self, channel: usize) {
        self.chosen = channel;
        (self.without_lock, self.patience_s) = (0.0, TRIED_S);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE_HZ: u32 = 48_000;
    const PIECE: usize = 128;

    fn choice() -> ChannelChoice {
        ChannelChoice::new(9_500.0, 12_500.0, RATE_HZ)
    }

    /// Runs `seconds` of channels made by `sound(channel, frame)`; the channels chosen, in order.
    fn run(
        choice: &mut ChannelChoice,
        channels: usize,
        seconds: f64,
        locked: impl Fn(usize) -> bool,
        sound: impl Fn(usize, usize) -> f32,
    ) -> Vec<usize> {
        let mut order = vec![choice.chosen()];
        for start in (0..(seconds * f64::from(RATE_HZ)) as usize).step_by(PIECE) {
            let part = |channel| (start..start + PIECE).map(move |frame| (channel, frame));
            let chosen = choice.choose(channels, PIECE, locked(choice.chosen()), |channel| {
                part(channel).map(|(channel, frame)| sound(channel, frame))
            });
            if order.last() != Some(&chosen) {
                order.push(chosen);
            }
        }
        order
    }

    fn tone(hz: f64, frame: usize) -> f32 {
        (2.0 * PI * hz * frame as f64 / f64::from(RATE_HZ)).sin() as f32
    }

    fn noise(frame: usize) -> f32 {
        let word = (frame as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((word ^ (word >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f32 / 8_388_608.0 - 1.0
    }

    #[test]
    fn offset_hum_and_faint_noise_are_no_signal() {
        let signal = |frame| 0.003 * tone(11_000.0, frame);
        let others: [fn(usize) -> f32; 4] = [
            |_| -0.48,
            |frame| 0.5 * tone(50.0, frame),
            |frame| 0.0005 * noise(frame),
            |_| f32::NAN,
        ];
        for other in others {
            let first = run(
                &mut choice(),
                2,
                3.0,
                |_| false,
                |channel, frame| {
                    if channel == 0 {
                        signal(frame)
                    } else {
                        other(frame)
                    }
                },
            );
            assert_eq!(first, [0]);
            let second = run(
                &mut choice(),
                2,
                3.0,
                |_| false,
                |channel, frame| {
                    if channel == 1 {
                        signal(frame)
                    } else {
                        other(frame)
                    }
                },
            );
            assert_eq!(second, [0, 1]);
        }
    }

    #[test]
    fn a_channel_that_locks_stays_however_loud_another_gets() {
        let order = run(
            &mut choice(),
            2,
            30.0,
            |channel| channel == 0,
            |channel, frame| {
                if channel == 0 {
                    0.001 * tone(11_000.0, frame)
                } else {
                    0.3 * noise(frame)
                }
            },
        );
        assert_eq!(order, [0]);
    }

    #[test]
    fn where_noise_fills_the_band_the_channel_that_locks_is_found() {
        for signal in [0, 3, 5] {
            let order = run(
                &mut choice(),
                6,
                40.0,
                |channel| channel == signal,
                |channel, frame| {
                    if channel == signal {
                        0.01 * tone(11_000.0, frame)
                    } else {
                        0.1 * noise(frame + channel * 99_991)
                    }
                },
            );
            assert_eq!(order.last(), Some(&signal), "{order:?}");
            assert!(order.len() <= 8, "{order:?}");
        }
    }

    #[test]
    fn equal_channels_do_not_take_turns_before_they_were_heard_out() {
        let order = run(
            &mut choice(),
            2,
            4.0,
            |_| false,
            |channel, frame| 0.1 * noise(frame + channel * 99_991),
        );
        assert_eq!(order, [0]);
    }

    #[test]
    fn a_channel_can_be_forced_and_one_alone_is_never_looked_at() {
        let mut forced = choice();
        forced.force(Some(9));
        assert_eq!(
            run(&mut forced, 3, 1.0, |_| false, |_, frame| noise(frame)),
            [0, 2]
        );
        let part = |_| -> std::iter::Empty<f32> { panic!("looked at") };
        assert_eq!(choice().choose(1, PIECE, false, part), 0);
        assert_eq!(choice().choose(0, PIECE, false, part), 0);
    }
}
