//! Pictures: drawn in memory, saved as PNG.

use plotters::{coord::Shift, prelude::*};
use std::{error::Error, fs::File, io::BufWriter, path::Path};

/// What drawing code draws on.
pub type Canvas<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// Draws a picture of `size` pixels and saves it.
pub fn save(
    path: &Path,
    size: (u32, u32),
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut pixels = vec![0; 3 * size.0 as usize * size.1 as usize];
    let canvas = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
    draw(&canvas)?;
    canvas.present()?;
    drop(canvas);
    let mut encoder = ::png::Encoder::new(BufWriter::new(File::create(path)?), size.0, size.1);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(())
}
