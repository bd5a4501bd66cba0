//! The one place that instantiates the FFT library, whose generic code is large: a second crate that planned its own
//! transforms would compile all of it again.

#[cfg(any(test, target_arch = "wasm32"))]
mod few;

#[cfg(target_arch = "wasm32")]
pub(crate) use few::Planner;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type Planner = rustfft::FftPlanner<f32>;

use rustfft::Fft;
use std::sync::Arc;

/// A forward and an inverse transform of `len` points, neither scaled. Planning allocates; running one with
/// `process_with_scratch` does not.
#[must_use]
pub fn pair(len: usize) -> (Arc<dyn Fft<f32>>, Arc<dyn Fft<f32>>) {
    let mut planner = Planner::new();
    (planner.plan_fft_forward(len), planner.plan_fft_inverse(len))
}
