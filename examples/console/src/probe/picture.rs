//! A measurement's picture: signal to noise by frequency with the link's bands, echo by delay, level by frequency.

use super::verdict;
use crate::{
    font,
    png::{self, Canvas},
};
use link_room::probe::{LinkReading, Outlook, Report};
use link_transport::Mode;
use plotters::prelude::*;
use std::{error::Error, ops::Range, path::Path};

/// Width and height of the picture, pixels.
const SIZE: (u32, u32) = (1100, 760);
const INK: RGBColor = RGBColor(40, 44, 52);
const LIGHT: RGBColor = RGBColor(176, 196, 222);
const DARK: RGBColor = RGBColor(36, 100, 200);
const GREY: RGBColor = RGBColor(120, 120, 120);
const LATE: RGBColor = RGBColor(205, 65, 50);
/// Frequencies shown, kHz.
const KHZ: Range<f64> = 4.0..20.0;

fn colour(outlook: Outlook) -> RGBColor {
    match outlook {
        Outlook::Works => RGBColor(40, 140, 70),
        Outlook::Barely => RGBColor(214, 140, 20),
        Outlook::Fails => LATE,
    }
}

/// Draws and saves it.
pub fn draw(path: &Path, name: &str, report: &Report) -> Result<(), Box<dyn Error>> {
    font::register();
    png::save(path, SIZE, |root| {
        root.fill(&WHITE)?;
        let title = format!(
            "{name}: {:.1} dB in 21.3 ms symbols, clock {:+.0} ppm",
            report.reading.snr_db, report.clock_ppm
        );
        let (upper, lower) = root
            .titled(&title, (font::NAME, 19).into_font().color(&INK))?
            .split_vertically(SIZE.1 * 52 / 100);
        let (left, right) = lower.split_horizontally(SIZE.0 / 2);
        ratios(&upper, report)?;
        decay(&left, report)?;
        levels(&right, report)
    })
}

fn whole(value: &f64) -> String {
    format!("{value:.0}")
}

/// Bars of 1 kHz: over noise alone, and over everything; above them the link's bands at what they read.
fn ratios(area: &Canvas<'_>, report: &Report) -> Result<(), Box<dyn Error>> {
    let top = report.bands.iter().map(|band| band.noise_snr_db);
    let top = top.fold(26.0, f64::max) * 1.2;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(50)
        .build_cartesian_2d(KHZ, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_desc("kHz")
        .y_desc("signal over …, dB")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .label_style((font::NAME, 13))
        .draw()?;
    let bar = |low_hz: f64, db: f64, colour: RGBColor| {
        let khz = low_hz / 1000.0;
        Rectangle::new(
            [(khz + 0.08, 0.0), (khz + 0.92, db.max(0.0))],
            colour.filled(),
        )
    };
    let bands = report.bands.iter();
    let noise = bands
        .clone()
        .map(|band| bar(band.low_hz, band.noise_snr_db, LIGHT));
    chart
        .draw_series(noise)?
        .label("… noise alone")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], LIGHT.filled()));
    chart
        .draw_series(bands.map(|band| bar(band.low_hz, band.snr_db, DARK)))?
        .label("… noise and late echo")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], DARK.filled()));
    for link in &report.links {
        let colour = colour(link.outlook(Mode::Fast));
        let khz = [
            link.band.tone_hz(0),
            link.band.tone_hz(link.band.tones() - 1),
        ];
        let [from, to] = khz.map(|hz| hz / 1000.0);
        let db = link.snr_db.max(0.0);
        let span = [(from, db), (to, db)];
        chart.draw_series([PathElement::new(span, WHITE.stroke_width(9))])?;
        chart.draw_series([PathElement::new(span, colour.stroke_width(5))])?;
        let word = |mode| link.outlook(mode).name();
        let lines = [
            format!(
                "{} {:.0} dB",
                verdict::name(link.band),
                link.snr_db.round() + 0.0
            ),
            format!("fast {}", word(Mode::Fast)),
            format!("robust {}", word(Mode::Robust)),
        ];
        let style = TextStyle::from((font::NAME, 12).into_font()).color(&colour);
        for (line, text) in lines.into_iter().enumerate() {
            let at = (from, top - 0.4 - line as f64 * top / 22.0);
            chart.draw_series([Text::new(text, at, style.clone())])?;
        }
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.85))
        .label_font((font::NAME, 13))
        .position(SeriesLabelPosition::MiddleRight)
        .draw()?;
    Ok(())
}

fn decay(area: &Canvas<'_>, report: &Report) -> Result<(), Box<dyn Error>> {
    let steps = &report.sweep.decay;
    let last_ms = steps.last().map_or(1.0, |step| step.0);
    let floor_db = report.sweep.floor_db.clamp(-70.0, -10.0);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(50)
        .build_cartesian_2d(-0.5..last_ms + 0.5, floor_db - 5.0..5.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_desc("ms after the direct sound")
        .y_desc("echo, dB of the direct sound")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .label_style((font::NAME, 13))
        .draw()?;
    let forgiven_ms = LinkReading::forgiven_ms();
    chart.draw_series(steps.iter().map(|&(delay_ms, db)| {
        let colour = if delay_ms > forgiven_ms { LATE } else { DARK };
        let bottom = floor_db - 5.0;
        let corners = [(delay_ms - 0.4, bottom), (delay_ms + 0.4, db.max(bottom))];
        Rectangle::new(corners, colour.mix(0.75).filled())
    }))?;
    let line = |from: (f64, f64), to: (f64, f64)| PathElement::new(vec![from, to], GREY);
    chart.draw_series([
        line((forgiven_ms, floor_db - 5.0), (forgiven_ms, 5.0)),
        line((-0.5, floor_db), (last_ms + 0.5, floor_db)),
    ])?;
    let style = TextStyle::from((font::NAME, 12).into_font()).color(&GREY);
    let late_db = report.sweep.beyond_db(forgiven_ms);
    let late = format!(" later than {forgiven_ms} ms: {late_db:+.1} dB of all before");
    chart.draw_series([
        Text::new(late, (forgiven_ms, 4.0), style.clone()),
        Text::new(
            String::from(" noise"),
            (last_ms * 0.85, floor_db + 2.5),
            style,
        ),
    ])?;
    Ok(())
}

fn levels(area: &Canvas<'_>, report: &Report) -> Result<(), Box<dyn Error>> {
    let response = report.sweep.response.iter();
    let points = response.map(|&(hz, db)| ((hz + 500.0) / 1000.0, db.max(-80.0)));
    let lowest = points.clone().map(|point| point.1).fold(-40.0, f64::min) - 5.0;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(50)
        .build_cartesian_2d(2.0..KHZ.end, lowest..5.0)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("kHz")
        .y_desc("level, dB of the loudest")
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .label_style((font::NAME, 13))
        .draw()?;
    chart.draw_series(LineSeries::new(points.clone(), DARK.stroke_width(2)))?;
    chart.draw_series(points.map(|point| Circle::new(point, 3, DARK.filled())))?;
    let harmonics = report.sweep.harmonics.iter();
    let harmonics: Vec<String> = harmonics
        .map(|harmonic| match harmonic.level_db {
            db if db < -90.0 => format!("h{} none", harmonic.order),
            db => format!("h{} {db:.0}", harmonic.order),
        })
        .collect();
    let text = format!("speaker's harmonics, dB: {}", harmonics.join(", "));
    let style = TextStyle::from((font::NAME, 13).into_font()).color(&INK);
    let low = lowest + (5.0 - lowest) * 0.08;
    chart.draw_series([Text::new(text, (2.4, low), style)])?;
    Ok(())
}
