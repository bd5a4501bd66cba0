//! `room`: any two signals through the simulated room.

mod args;

pub use args::{EXAMPLES, RoomArgs, RoomOptions};

use crate::{term, wav};
use link_room::{RoomConfig, play_through};
use serde_json::json;
use std::{error::Error, time::Duration};

/// How long the room is listened to after both speakers have fallen silent: latencies and echoes.
const TAIL: Duration = Duration::from_millis(500);

impl RoomOptions {
    /// The room these options describe.
    pub fn config(&self, seed: u64, rates_hz: [u32; 2]) -> Result<RoomConfig, String> {
        if !(self.distance_cm >= 1.0 && self.distance_cm <= 1000.0) {
            return Err(format!(
                "--distance-cm {}: 1 to 1000 make sense",
                self.distance_cm
            ));
        }
        if self.skew_ppm.is_nan() || self.skew_ppm.abs() > 2000.0 {
            return Err(format!(
                "--skew-ppm {}: −2000 to 2000 make sense",
                self.skew_ppm
            ));
        }
        let mut config = RoomConfig::at_distance_cm(self.distance_cm)
            .with_rates_hz(rates_hz)
            .with_skews_ppm([self.skew_ppm / 2.0, -self.skew_ppm / 2.0])
            .with_seed(seed);
        if let Some(noise_db) = self.noise_db {
            if !noise_db.is_finite() {
                return Err(format!("--noise-db {noise_db}: not a level"));
            }
            config.noise_snr10_db = noise_db;
        }
        config
            .problem()
            .map_or(Ok(config), |problem| Err(problem.to_string()))
    }
}

/// Plays two WAVs in one room and writes what both microphones hear.
pub fn run(args: &RoomArgs) -> Result<(), Box<dyn Error>> {
    if args.out_a == args.out_b {
        return Err("--out-a and --out-b name the same file".into());
    }
    let played = [
        wav::read(&args.a, args.channel)?,
        wav::read(&args.b, args.channel)?,
    ];
    let rates_hz = [played[0].sample_rate_hz, played[1].sample_rate_hz];
    let config = args.room.config(args.seed, rates_hz)?;
    let spinner = term::spinner(args.json);
    spinner.set_message("Playing both in one room");
    let heard = play_through(
        &config,
        played.each_ref().map(|sound| sound.samples.as_slice()),
        TAIL,
    );
    spinner.finish_and_clear();
    let seconds = heard[0].len() as f64 / f64::from(rates_hz[0]);
    for ((samples, sample_rate_hz), path) in heard
        .into_iter()
        .zip(rates_hz)
        .zip([&args.out_a, &args.out_b])
    {
        wav::write(
            path,
            &wav::Sound {
                samples,
                sample_rate_hz,
            },
            wav_file::Encoding::Float32,
        )?;
    }
    if args.json {
        say!(
            "{}",
            json!({"out_a": args.out_a.display().to_string(), "out_b": args.out_b.display().to_string(), "seconds": seconds})
        );
    } else {
        say!(
            "{} and {}: {seconds:.2} s of what two phones {} cm apart hear",
            term::paint(term::STRONG, args.out_a.display()),
            term::paint(term::STRONG, args.out_b.display()),
            args.room.distance_cm,
        );
    }
    Ok(())
}
