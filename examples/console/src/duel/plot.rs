//! The link picture: effective SNR and delivery over time, both directions.

use super::role_name;
use crate::{
    font,
    png::{self, Canvas},
};
use link_transport::Role;
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, path::Path};

/// Width and height of the picture, pixels.
const SIZE: (u32, u32) = (1100, 640);
/// Delivery is drawn over windows of this long.
const WINDOW_SECONDS: f64 = 5.0;
/// What the host hears of the guest, and the other way about.
const COLOURS: [RGBColor; 2] = [RGBColor(36, 100, 200), RGBColor(205, 65, 50)];
const GREY: RGBColor = RGBColor(110, 110, 110);

/// What one phone received, over time.
#[derive(Clone, Debug, Default)]
pub struct Reception {
    /// Seconds and effective SNR of every good packet.
    pub snr_db: Vec<(f64, f32)>,
    /// Seconds and the counts of good and bad packets so far, now and then.
    pub counts: Vec<(f64, u64, u64)>,
}

impl Reception {
    /// Percent delivered of what was expected, by window; windows in which nothing was expected are left out.
    fn delivery(&self) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        let mut from = (0.0, 0, 0);
        for &(seconds, good, bad) in &self.counts {
            if seconds - from.0 < WINDOW_SECONDS {
                continue;
            }
            let (new_good, new_bad) = (good - from.1, bad - from.2);
            if new_good + new_bad > 0 {
                points.push((
                    seconds,
                    100.0 * new_good as f64 / (new_good + new_bad) as f64,
                ));
            }
            from = (seconds, good, bad);
        }
        points
    }
}

/// Draws what each phone received; `marks` are moments worth naming, in seconds.
pub fn draw(
    path: &Path,
    caption: &str,
    received: &[(Role, &Reception)],
    marks: &[(f64, &str)],
) -> Result<(), Box<dyn Error>> {
    png::save(path, SIZE, |root| chart(root, caption, received, marks))
}

/// The whole picture; of a link that measures no signal, its delivery alone.
fn chart(
    root: &Canvas<'_>,
    caption: &str,
    received: &[(Role, &Reception)],
    marks: &[(f64, &str)],
) -> Result<(), Box<dyn Error>> {
    font::register();
    root.fill(&WHITE)?;
    let counts = received.iter().flat_map(|(_, end)| &end.counts);
    let seconds = counts.map(|count| count.0).fold(1.0, f64::max);
    if received.iter().all(|(_, end)| end.snr_db.is_empty()) {
        return delivery_chart(&root.titled(caption, (font::NAME, 19))?, received, seconds);
    }
    let (upper, lower) = root.split_vertically(SIZE.1 * 6 / 10);
    snr_chart(
        &upper.titled(caption, (font::NAME, 19))?,
        received,
        marks,
        seconds,
    )?;
    delivery_chart(&lower, received, seconds)
}

/// Axis labels without decimals.
fn whole(value: &f64) -> String {
    format!("{value:.0}")
}

fn snr_chart(
    area: &Canvas<'_>,
    received: &[(Role, &Reception)],
    marks: &[(f64, &str)],
    seconds: f64,
) -> Result<(), Box<dyn Error>> {
    let snr = || {
        received
            .iter()
            .flat_map(|(_, end)| &end.snr_db)
            .map(|point| f64::from(point.1))
    };
    let (low, high) = (snr().fold(0.0, f64::min), snr().fold(25.0, f64::max));
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .x_label_area_size(24)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..seconds, low..high + 3.0)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .y_desc("effective SNR, dB")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .label_style((font::NAME, 13))
        .draw()?;
    for &(role, end) in received {
        let colour = COLOURS[role.index()];
        let points = end
            .snr_db
            .iter()
            .map(|&(at, snr)| Circle::new((at, f64::from(snr)), 1, colour.mix(0.6)));
        chart
            .draw_series(points)?
            .label(format!(
                "{} hears {}",
                role_name(role),
                role_name(role.other())
            ))
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
    }
    for &(at, name) in marks {
        chart.draw_series([PathElement::new(
            vec![(at, low), (at, high + 3.0)],
            GREY.mix(0.5),
        )])?;
        let beside = if at < seconds / 2.0 {
            HPos::Left
        } else {
            HPos::Right
        };
        let style = TextStyle::from((font::NAME, 12).into_font()).color(&GREY);
        let style = style.pos(Pos::new(beside, VPos::Top));
        chart.draw_series([Text::new(format!(" {name} "), (at, high + 3.0), style)])?;
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .label_font((font::NAME, 13))
        .position(SeriesLabelPosition::LowerRight)
        .draw()?;
    Ok(())
}

fn delivery_chart(
    area: &Canvas<'_>,
    received: &[(Role, &Reception)],
    seconds: f64,
) -> Result<(), Box<dyn Error>> {
    let delivery: Vec<_> = received.iter().map(|(_, end)| end.delivery()).collect();
    let lowest = delivery
        .iter()
        .flatten()
        .map(|point| point.1)
        .fold(90.0, f64::min);
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .x_label_area_size(34)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..seconds, lowest - 1.0..101.0)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("seconds from switching on")
        .y_desc("delivered, %")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .label_style((font::NAME, 13))
        .draw()?;
    // The first is drawn wide, so that it shows beneath the second where both are the same.
    for ((points, (role, _)), width) in delivery.into_iter().zip(received).zip([5, 2]) {
        let colour = COLOURS[role.index()];
        chart.draw_series(LineSeries::new(points, colour.stroke_width(width)))?;
    }
    Ok(())
}
