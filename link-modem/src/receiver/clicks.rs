//! Blanks clicks, such as a finger's tap on the screen, before a window sums them up.
//!
//! A tap 20 dB over the friend lasts 2 ms of a 40 ms window. Left in, it costs the packet; blanked, it costs a
//! twentieth of the symbol's energy, 13 dB of signal to noise at worst, which both modes decode. Blanking needs to
//! know that the band is quiet again after the click: what stays loud is the friend starting, not a tap.

use rustfft::num_complex::Complex32;

/// How far over the quieter-side mean a click's peak stands. The friend's own signal is nearly Gaussian: it goes 16
/// times over its mean power once in half an hour.
const PEAK: f32 = 16.0;
/// How far over it a click's flanks are blanked.
const FLANK: f32 = 3.0;
/// How far over the running mean a sample is before anything is computed.
const SUSPICIOUS: f32 = 8.0;

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
}

impl ClickSpans {
    /// At `per_ms` decimated samples a millisecond.
    pub(crate) fn at(per_ms: f64) -> Self {
        let span = |ms: f64| (ms * per_ms).round() as u64;
        Self {
            tail: span(3.5),
            onset: span(1.0),
            before: span(20.0),
            after: span(5.0),
        }
    }

    /// Samples that must follow one before it can be judged.
    pub(crate) fn ahead(&self) -> u64 {
        self.tail + self.after
    }

    /// Samples between the newest and the newest that will not change any more.
    pub(crate) fn lag(&self) -> u64 {
        self.ahead() + self.onset
    }
}

/// Remembers how loud the band is.
#[derive(Default)]
pub(crate) struct ClickWatch {
    mean: f32,
}

impl ClickWatch {
    pub(crate) fn clear(&mut self) {
        self.mean = 0.0;
    }

    /// Judges sample `m`: the span to blank, if it is the peak of a click. `history` gives any sample from `first` to
    /// `m + ahead`.
    pub(crate) fn judge(
        &mut self,
        m: u64,
        first: u64,
        spans: &ClickSpans,
        history: impl Fn(u64) -> Complex32,
    ) -> Option<(u64, u64, f32)> {
        let power = history(m).norm_sqr();
        let suspicious = power > SUSPICIOUS * self.mean;
        self.mean += (power - self.mean) / spans.before as f32;
        if !suspicious {
            return None;
        }
        let mean = |from: u64, to: u64| -> f32 {
            let from = from.max(first);
            let sum: f32 = (from..to).map(|n| history(n).norm_sqr()).sum();
            if to > from {
                sum / (to - from) as f32
            } else {
                0.0
            }
        };
        let onset = m.saturating_sub(spans.onset).max(first);
        let quiet = mean(onset.saturating_sub(spans.before), onset)
            .max(mean(m + spans.tail, m + spans.ahead()));
        (power > PEAK * quiet && quiet > 0.0).then_some((onset, m + spans.tail, FLANK * quiet))
    }
}
