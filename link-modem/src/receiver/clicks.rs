//! Blanks clicks, such as a finger's tap on the screen, before a window sums them up.
//!
//! A tap 20 dB over the peer lasts 2 ms of a 40 ms window. Left in, it costs the packet; blanked, it costs a
//! twentieth of the symbol's energy, 13 dB of signal to noise at worst, which both modes decode. Blanking needs to
//! know that the band is quiet again after the click: what stays loud is the peer starting, not a tap. And it must
//! look at the band alone: the steps between one's own symbols, 40 dB over the peer, click too, but beside the band,
//! where no window sees them.

/// How far over the quieter-side mean a click's peak stands. The peer's own signal is nearly Gaussian: it goes 16
/// times over its mean power once in half an hour.
const PEAK: f32 = 16.0;
/// How far over it a click's flanks are blanked.
const FLANK: f32 = 3.0;
/// How far over the running mean a sample is before anything is computed.
const SUSPICIOUS: f32 = 8.0;

/// Powers remembered: the longest span looked at, at the highest decimated rate, is 205.
const POWERS: usize = 256;

/// Spans in decimated samples.
#[derive(Clone, Copy)]
pub(crate) struct ClickSpans {
    /// A click lasts no longer than this after its peak.
    pub(crate) tail: u64,
    /// Its onset is no longer than this before its peak.
    pub(crate) onset: u64,
    /// The mean before it is taken over this.
    pub(crate) before: u64,
    /// The mean after it is taken over this.
    pub(crate) after: u64,
    /// The in-band filter's reach.
    pub(crate) reach: u64,
}

impl ClickSpans {
    /// At `per_ms` decimated samples a millisecond.
    pub(crate) fn at(per_ms: f64, reach: usize) -> Self {
        let span = |ms: f64| (ms * per_ms).round() as u64;
        let spans = Self {
            tail: span(3.5),
            onset: span(1.0),
            before: span(20.0),
            after: span(5.0),
            reach: reach as u64,
        };
        assert!(spans.ahead() < 64, "as many samples as suspects have bits");
        spans
    }

    /// Samples whose power must be known after one before it can be judged.
    fn ahead(&self) -> u64 {
        self.tail + self.after
    }

    /// Samples between the newest and the newest that will not change any more, at the most: where a click is suspected.
    pub(crate) fn lag(&self) -> u64 {
        self.reach + self.ahead() + self.onset + 1
    }
}

/// Remembers how loud the band is.
pub(crate) struct ClickWatch {
    /// In-band power by sample.
    powers: [f32; POWERS],
    /// The first sample there is a power for.
    first: u64,
    mean: f32,
    /// Bit `i`: the sample `i` before the newest may turn out to be a click's peak, which what comes after it will tell.
    suspects: u64,
}

/// What to blank: every sample of the span whose in-band power is over the limit.
pub(crate) struct Click {
    pub(crate) from: u64,
    pub(crate) to: u64,
    limit: f32,
}

impl ClickWatch {
    pub(crate) fn new() -> Self {
        Self {
            powers: [0.0; POWERS],
            first: 0,
            mean: 0.0,
            suspects: 0,
        }
    }

    /// Starts over at sample `m`.
    pub(crate) fn restart(&mut self, m: u64) {
        self.first = m;
        self.mean = 0.0;
        self.suspects = 0;
    }

    /// Takes in the in-band power of sample `m`, the next in order. A click, if one can now be told.
    #[inline]
    pub(crate) fn push(&mut self, spans: &ClickSpans, m: u64, power: f32) -> Option<Click> {
        self.powers[m as usize % POWERS] = power;
        let suspect = u64::from(power > SUSPICIOUS * self.mean);
        self.suspects = (self.suspects << 1 | suspect) & ((1 << spans.ahead()) - 1);
        let at = m
            .checked_sub(spans.ahead())
            .filter(|at| *at >= self.first)?;
        let power = self.power(at);
        let suspicious = power > SUSPICIOUS * self.mean;
        self.mean += (power - self.mean) / spans.before as f32;
        if !suspicious {
            return None;
        }
        let onset = at.saturating_sub(spans.onset).max(self.first);
        let tail = at + spans.tail;
        let quiet = self
            .mean_of(onset.saturating_sub(spans.before), onset)
            .max(self.mean_of(tail, m + 1));
        (power > PEAK * quiet && quiet > 0.0).then_some(Click {
            from: onset,
            to: tail,
            limit: FLANK * quiet,
        })
    }

    /// The first sample after `m`, the newest taken in, or before that may still be blanked.
    pub(crate) fn settled(&self, spans: &ClickSpans, m: u64) -> u64 {
        let judged_up_to = if self.suspects == 0 {
            m + 1
        } else {
            m - u64::from(self.suspects.ilog2())
        };
        judged_up_to.saturating_sub(spans.onset)
    }

    /// True if sample `m` of `click` is to be blanked; then its power is no longer held against later clicks.
    pub(crate) fn blanks(&mut self, click: &Click, m: u64) -> bool {
        let power = &mut self.powers[m as usize % POWERS];
        let over = *power > click.limit;
        if over {
            *power = click.limit / FLANK;
        }
        over
    }

    fn power(&self, m: u64) -> f32 {
        self.powers[m as usize % POWERS]
    }

    fn mean_of(&self, from: u64, to: u64) -> f32 {
        let from = from.max(self.first);
        let sum: f32 = (from..to).map(|m| self.power(m)).sum();
        if to > from {
            sum / (to - from) as f32
        } else {
            0.0
        }
    }
}
