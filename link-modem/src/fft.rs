//! The one place that instantiates the FFT library, whose generic code is large: a second crate that planned its own
//! transforms would compile all of it again.

mod few;

use rustfft::{Fft, FftPlannerAvx, FftPlannerNeon};
use std::sync::Arc;

type Transform = Arc<dyn Fft<f32>>;

/// Plans transforms by what the processor can do. The library's planner that chooses by itself also brings one for
/// processors with neither, 150 kB of code for those of today that never run it.
pub(crate) enum Planner {
    Avx(FftPlannerAvx<f32>),
    Neon(FftPlannerNeon<f32>),
    Few(few::Planner),
}

impl Planner {
    pub(crate) fn new() -> Self {
        // On other architectures both say no at once.
        match (FftPlannerAvx::new(), FftPlannerNeon::new()) {
            (Ok(planner), _) => Self::Avx(planner),
            (_, Ok(planner)) => Self::Neon(planner),
            _ => Self::Few(few::Planner::new()),
        }
    }

    pub(crate) fn plan_fft_forward(&mut self, len: usize) -> Transform {
        match self {
            Self::Avx(planner) => planner.plan_fft_forward(len),
            Self::Neon(planner) => planner.plan_fft_forward(len),
            Self::Few(planner) => planner.plan_fft_forward(len),
        }
    }

    pub(crate) fn plan_fft_inverse(&mut self, len: usize) -> Transform {
        match self {
            Self::Avx(planner) => planner.plan_fft_inverse(len),
            Self::Neon(planner) => planner.plan_fft_inverse(len),
            Self::Few(planner) => planner.plan_fft_inverse(len),
        }
    }
}

/// A forward and an inverse transform of `len` points, neither scaled. Planning allocates; running one with
/// `process_with_scratch` does not.
#[must_use]
pub fn pair(len: usize) -> (Arc<dyn Fft<f32>>, Arc<dyn Fft<f32>>) {
    let mut planner = Planner::new();
    (planner.plan_fft_forward(len), planner.plan_fft_inverse(len))
}
