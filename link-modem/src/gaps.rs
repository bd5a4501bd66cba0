//! Which input is missing: frames the device never delivered, and digital silence where a microphone must hear something.

use crate::config::Gap;
use heapless::Deque;

/// This many frames of nothing but exact zeros or non-numbers are missing input. A live microphone beside its own
/// speaker never falls silent to the last bit, but 16-bit samples of a quiet moment may be zero here and there.
const RUN_MIN: u64 = 64;
/// Gaps remembered: more than a packet of the longest kind can overlap in practice.
const GAPS_MAX: usize = 16;

/// The newest gaps, for marking what overlaps them.
#[derive(Default)]
pub(crate) struct GapLog {
    spans: Deque<(u64, u64), GAPS_MAX>,
}

impl GapLog {
    /// Adds frames `from..to`, at or after the last ones.
    fn add(&mut self, from: u64, to: u64) {
        match self.spans.back_mut() {
            Some(last) if last.1 >= from => last.1 = last.1.max(to),
            _ => {
                if self.spans.is_full() {
                    self.spans.pop_front();
                }
                let _ = self.spans.push_back((from, to));
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.spans.clear();
    }

    /// How many frames of `from..to` were missing.
    pub(crate) fn missing(&self, from: f64, to: f64) -> f64 {
        self.spans
            .iter()
            .map(|&(start, end)| (to.min(end as f64) - from.max(start as f64)).max(0.0))
            .sum()
    }
}

/// Watches the input for gaps.
pub(crate) struct GapWatch {
    /// Frames of nothing up to the last one seen.
    run: u64,
    /// The first frame of the present gap that has not been reported.
    unreported: Option<u64>,
    report_frames: u64,
}

impl GapWatch {
    /// Reports long gaps in parts of `report_frames`.
    pub(crate) fn new(report_frames: u64) -> Self {
        Self {
            run: 0,
            unreported: None,
            report_frames,
        }
    }

    /// Copies `input` to `clean` with every non-number zeroed. Silence counts as missing only while `audible`: while
    /// one's own speaker plays.
    pub(crate) fn watch(
        &mut self,
        input: &[f32],
        clean: &mut [f32],
        first_frame: u64,
        audible: bool,
        log: &mut GapLog,
        mut report: impl FnMut(Gap),
    ) {
        for ((sample, clean), frame) in input.iter().zip(clean).zip(first_frame..) {
            *clean = if sample.is_finite() { *sample } else { 0.0 };
            if *clean == 0.0 && audible {
                self.run += 1;
                if self.run == RUN_MIN {
                    self.unreported = Some(frame + 1 - RUN_MIN);
                }
                if let Some(from) = self.unreported {
                    log.add(from, frame + 1);
                    if frame + 1 - from >= self.report_frames {
                        report(Gap {
                            sample: from,
                            frames: frame + 1 - from,
                        });
                        self.unreported = Some(frame + 1);
                    }
                }
            } else {
                self.finish(frame, &mut report);
            }
        }
    }

    /// The count has jumped forward: frames `from..to` never came.
    pub(crate) fn jumped(
        &mut self,
        from: u64,
        to: u64,
        log: &mut GapLog,
        mut report: impl FnMut(Gap),
    ) {
        self.finish(from, &mut report);
        log.add(from, to);
        report(Gap {
            sample: from,
            frames: to - from,
        });
    }

    /// The first frame not yet reported of a gap that is still open.
    pub(crate) fn missing_since(&self) -> Option<u64> {
        self.unreported
    }

    /// The count has started over: what was before is forgotten.
    pub(crate) fn restart(&mut self) {
        self.run = 0;
        self.unreported = None;
    }

    fn finish(&mut self, frame: u64, report: &mut impl FnMut(Gap)) {
        self.run = 0;
        if let Some(from) = self.unreported.take().filter(|from| *from < frame) {
            report(Gap {
                sample: from,
                frames: frame - from,
            });
        }
    }
}
