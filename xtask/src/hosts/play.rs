//! Two `sound-duel play` processes on the virtual phones: a match by real audio, and what they do when it goes wrong.

use super::{
    MATCH_WITHIN, Need, REST, What,
    phones::{Phones, Teller, says, tell},
};
use crate::target;
use serde_json::Value;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// What it takes.
pub const NEEDS: &[Need] = &[
    Need {
        what: What::Program("pulseaudio"),
        package: "pulseaudio",
    },
    Need {
        what: What::Program("pactl"),
        package: "pulseaudio-utils",
    },
    Need {
        what: What::Program("pkg-config"),
        package: "pkg-config",
    },
    Need {
        what: What::Library("alsa"),
        package: "libasound2-dev",
    },
];

/// For the state of a rig to change: a tap, a device, 1.5 s of capture.
const RIG_WITHIN: Duration = Duration::from_secs(20);

/// The quick part is one match; the whole adds the faults.
pub fn run(root: &Path, program: &Path, quick: bool) -> Result<(), Box<dyn Error>> {
    let folder = target::folder(root).join("hosts");
    let _ = fs::remove_dir_all(&folder); // an earlier run's
    let phones = Phones::up(root, &folder.join("phones"))?;
    let mut table = Table {
        phones,
        program: program.into(),
        folder,
    };
    table.play_undisturbed()?;
    if !quick {
        table.play_through_faults()?;
    }
    Ok(())
}

/// Builds the host with live audio, beside other builds of it.
pub fn build(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let done = target::cargo(root)
        .args(["build", "--release", "--package", "sound-duel"])
        .args(["--features", "live"])
        .status()?;
    if !done.success() {
        return Err("sound-duel does not build with --features live".into());
    }
    // A copy: the next build without the feature replaces the original.
    let folder = target::folder(root).join("release");
    let built = folder.join("sound-duel");
    let copy = folder.join("sound-duel-live");
    fs::copy(built, &copy)?;
    Ok(copy)
}

struct Table {
    phones: Phones,
    program: PathBuf,
    folder: PathBuf,
}

impl Table {
    fn start(&self, game: &str) -> Result<[Teller; 2], Box<dyn Error>> {
        let phone = |name, role, letter: &str| {
            let mut command = self.phones.command(&self.program);
            command
                .args(["play", role, "--json", "--setup", "blitz"])
                .args(["--output", &format!("speaker{letter}")])
                .args(["--input", &format!("mic{letter}")])
                .arg("--out")
                .arg(self.folder.join(game));
            Teller::start(name, command)
        };
        Ok([
            phone("host", "--host", "A")?,
            phone("guest", "--join", "B")?,
        ])
    }

    /// A match between AIs by real audio: both exit 0, in sync, with equal records.
    fn play_undisturbed(&mut self) -> Result<(), Box<dyn Error>> {
        let started = Instant::now();
        let mut both = self.start("match")?;
        for phone in &mut both {
            phone.until("report", MATCH_WITHIN, |line| line["event"] == "report")?;
        }
        self.finish("match", &mut both, started)
    }

    /// A match whose host loses its sound in every way the devices know, and gets it back.
    fn play_through_faults(&mut self) -> Result<(), Box<dyn Error>> {
        let started = Instant::now();
        let mut both = self.start("faults")?;
        let [host, guest] = &mut both;
        for phone in [&mut *host, &mut *guest] {
            phone.until("match", RIG_WITHIN * 2, |line| line["event"] == "playing")?;
        }
        let lost = |line: &Value| says(line, "rig", "state", "lost");
        let live = |line: &Value| says(line, "rig", "state", "live");

        thread::sleep(REST);
        self.phones.call(&["hold", "A"])?;
        let line = host.until("loss of a held microphone", RIG_WITHIN, lost)?;
        said("microphone held", &line);
        self.phones.call(&["go", "A"])?;
        host.until("sound after the hold", RIG_WITHIN, live)?;

        thread::sleep(REST);
        self.phones.call(&["unplug", "A"])?;
        let line = host.until("loss of an unplugged microphone", RIG_WITHIN, lost)?;
        said("microphone unplugged", &line);
        let reason = &line["reason"];
        if reason != "The microphone was taken away" {
            return Err(format!("host: an unplugged microphone is told as {reason}").into());
        }
        let failed = |line: &Value| lost(line) && line["error"] == "No microphone found";
        host.until("tap that fails", RIG_WITHIN, failed)?;
        self.phones.call(&["plug", "A"])?;
        host.until("sound from the new microphone", RIG_WITHIN, live)?;

        thread::sleep(REST);
        self.phones.call(&["mute", "A"])?;
        let line = host.until("loss of a stopped speaker", RIG_WITHIN, lost)?;
        said("speaker stopped", &line);
        self.phones.call(&["unmute", "A"])?;
        host.until("sound after the stop", RIG_WITHIN, live)?;

        // The whole server dies under both phones: new devices, new modems, the same match.
        thread::sleep(REST);
        self.phones.call(&["up"])?;
        for phone in [&mut *host, &mut *guest] {
            let line = phone.until("loss of the sound server", RIG_WITHIN, lost)?;
            said("server restarted", &line);
            phone.until("sound from the new server", RIG_WITHIN, live)?;
        }
        for phone in [&mut *host, &mut *guest] {
            phone.until("report", MATCH_WITHIN, |line| line["event"] == "report")?;
        }
        let reconnects = newest(host, "report")["reconnects"].as_u64();
        if reconnects < Some(4) {
            return Err(format!("host: {reconnects:?} reconnects, where there were four").into());
        }
        self.finish("faults", &mut both, started)
    }

    /// Both exit 0, in sync, with equal records.
    fn finish(
        &self,
        game: &str,
        both: &mut [Teller; 2],
        started: Instant,
    ) -> Result<(), Box<dyn Error>> {
        for phone in &mut *both {
            if !phone.finish(RIG_WITHIN)? {
                return Err(format!("{} failed", phone.name).into());
            }
        }
        let record = |name: &str| fs::read(self.folder.join(game).join(name));
        if record("host.json")? != record("guest.json")? {
            return Err("the two records differ".into());
        }
        for phone in &*both {
            tell(game, phone.name, &newest(phone, "report"))?;
        }
        println!(
            "{game}: in sync, records equal, {:.0} s",
            started.elapsed().as_secs_f64()
        );
        Ok(())
    }
}

fn newest(phone: &Teller, event: &str) -> Value {
    let line = phone.told.iter().rev().find(|line| line["event"] == event);
    line.cloned().unwrap_or(Value::Null)
}

fn said(fault: &str, line: &Value) {
    println!("faults: {fault}: {}", line["reason"]);
}
