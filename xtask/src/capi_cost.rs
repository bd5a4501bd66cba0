//! The price of the ABI on the audio path, in instructions.

use crate::{callgrind, command::run as succeed, target};
use std::{error::Error, path::Path};

/// The audio path through the ABI may take this much more than the modem alone.
const COST_MAX: f64 = 1.03;
/// The ways through it, and the functions of `capi/examples/audio_path.rs` that go them.
const WAYS: [(&str, &str); 2] = [
    ("through duel_pump_process", "measured_through_the_abi"),
    (
        "through duel_pump_process_interleaved",
        "measured_interleaved",
    ),
];

/// Compares the instructions of the audio path through the ABI with those of the modem alone.
pub fn run(root: &Path) -> Result<(), Box<dyn Error>> {
    callgrind::need()?;
    succeed(
        target::cargo(root)
            .args(["build", "--quiet", "--release", "--package", "capi"])
            .args(["--example", "audio_path"]),
    )?;
    let program = target::folder(root).join("release/examples/audio_path");
    let count = |function| callgrind::count(&program, &[function], function);
    let alone = count("measured_modem_alone")?;
    let heard = packets(&alone.printed)?;
    println!(
        "{:<44} {:>14} instructions, {heard} packets heard",
        "the modem alone, 10 s of 48 kHz", alone.instructions
    );
    let mut worst: f64 = 0.0;
    for (way, function) in WAYS {
        let through = count(function)?;
        let ratio = through.instructions as f64 / alone.instructions as f64;
        println!(
            "{way:<44} {:>14} instructions, {:+.2} %",
            through.instructions,
            100.0 * (ratio - 1.0)
        );
        let as_well = packets(&through.printed)?;
        if as_well != heard {
            let why = format!("{way} {as_well} packets were heard: that is other work");
            return Err(why.into());
        }
        worst = worst.max(ratio);
    }
    if worst > COST_MAX {
        let percent = 100.0 * (COST_MAX - 1.0);
        return Err(format!("the ABI costs more than {percent:.0} % on the audio path").into());
    }
    Ok(())
}

/// How many packets the program says it heard: some, or what it did was no work.
fn packets(printed: &str) -> Result<u32, String> {
    let count = printed.trim().strip_suffix(" packets");
    match count.and_then(|count| count.parse().ok()) {
        None | Some(0) => Err(format!("no packets were heard: {printed:?}")),
        Some(count) => Ok(count),
    }
}
