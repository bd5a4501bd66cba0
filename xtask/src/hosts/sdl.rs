//! `examples/sdl`, the duel in C: built against what studios get, played in practice, and by real audio against a
//! `sound-duel play` process. Keeps pictures of its window.

use super::{
    MATCH_WITHIN, Need, REST, What,
    phones::{Phones, Teller, says, tell},
};
use crate::{command, dist, target};
use serde_json::Value;
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// What it takes beside what `play` does.
pub const NEEDS: &[Need] = &[
    Need {
        what: What::Program("cmake"),
        package: "cmake",
    },
    Need {
        what: What::Program("ninja"),
        package: "ninja-build",
    },
    Need {
        what: What::File("/etc/alsa/conf.d/50-pulseaudio.conf"),
        package: "libasound2-plugins",
    },
];

/// Where an SDL3 lies that was built before; otherwise the script builds one, once.
const PREFIX: &str = "SDL3_PREFIX";
/// The script that builds SDL3.
const SCRIPT: &str = "xtask/scripts/sdl3-build.sh";
/// For the state of a rig to change: a tap, a device, 1.5 s of capture.
const RIG_WITHIN: Duration = Duration::from_secs(25);

/// The quick part is one match by real audio; the whole adds practice, the faults and every picture.
pub fn run(root: &Path, play: &Path, quick: bool) -> Result<(), Box<dyn Error>> {
    let sdl3 = sdl3(root)?;
    let host = build(root, &sdl3)?;
    let folder = target::folder(root).join("hosts-sdl");
    let _ = fs::remove_dir_all(&folder); // an earlier run's
    fs::create_dir_all(&folder)?;
    if !quick {
        practise(&host, &folder)?;
        take_pictures(&host, &folder)?;
    }
    let phones = Phones::up(root, &folder.join("phones"))?;
    let table = Table {
        phones,
        host,
        play: play.into(),
        folder,
    };
    table.play_undisturbed()?;
    if !quick {
        table.play_through_faults()?;
    }
    Ok(())
}

/// The folder of an SDL3 to build with: the one named, the system's, or one built here.
fn sdl3(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(prefix) = env::var_os(PREFIX) {
        let prefix = PathBuf::from(prefix);
        return if prefix.join("lib/cmake/SDL3").is_dir() {
            Ok(prefix)
        } else {
            Err(format!("{PREFIX}={}: no SDL3 there", prefix.display()).into())
        };
    }
    let asked = Command::new("pkg-config")
        .args(["--variable=prefix", "sdl3"])
        .output();
    if let Ok(asked) = asked
        && asked.status.success()
    {
        return Ok(String::from_utf8(asked.stdout)?.trim().into());
    }
    let prefix = target::folder(root).join("sdl3");
    if !prefix.join("lib/cmake/SDL3").is_dir() {
        println!(
            "SDL3 is not here: building it, once, into {}",
            prefix.display()
        );
        command::run(Command::new(root.join(SCRIPT)).arg(&prefix))?;
    }
    Ok(prefix)
}

/// Builds the host as a studio would: from the folder that `dist` makes.
fn build(root: &Path, sdl3: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let package = dist::run(root)?;
    let build = target::folder(root).join("hosts-sdl-build");
    command::output(
        Command::new("cmake")
            .arg("-S")
            .arg(root.join("examples/sdl"))
            .arg("-B")
            .arg(&build)
            .arg("-DCMAKE_BUILD_TYPE=Release")
            .arg(format!(
                "-DCMAKE_PREFIX_PATH={};{}",
                package.display(),
                sdl3.display()
            )),
    )?;
    command::output(Command::new("cmake").arg("--build").arg(&build))?;
    println!("examples/sdl builds: C11, -Wall -Wextra -Werror -pedantic");
    Ok(build.join("sound-duel-sdl"))
}

/// Nobody looks, and nobody clicks.
fn unseen(command: &mut Command) -> &mut Command {
    command.env("SDL_VIDEO_DRIVER", "offscreen").args([
        "--quit-at-end",
        "--json",
        "--mutators",
        "blitz",
    ])
}

/// Both phones in one process, through the simulated room, to a decision in sync.
fn practise(host: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(host);
    unseen(&mut command)
        .args(["--practice", "--speed", "20", "--seed", "5"])
        .args(["--rematches", "1"])
        .arg("--out")
        .arg(folder.join("practice"));
    let mut phone = Teller::start("practice", command)?;
    for game in ["practice", "practice, the rematch"] {
        let report = phone.until("report", MATCH_WITHIN, |line| line["event"] == "report")?;
        tell(game, "sdl", &report)?;
    }
    if phone.finish(RIG_WITHIN)? {
        Ok(())
    } else {
        Err("practice: sdl failed".into())
    }
}

/// Every screen that practice can bring about.
fn take_pictures(host: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    for at in [
        "menu",
        "self-test",
        "lobby",
        "picking",
        "match",
        "stall",
        "pause",
        "lost",
        "report",
    ] {
        let picture = folder.join(format!("{at}.png"));
        let mut command = Command::new(host);
        command
            .env("SDL_VIDEO_DRIVER", "offscreen")
            .args([
                "--practice",
                "--speed",
                "10",
                "--seed",
                "7",
                "--mutators",
                "blitz",
            ])
            .args(["--at", at, "--screenshot"])
            .arg(&picture)
            .arg("--out")
            .arg(folder.join("pictures"));
        command::output(&mut command)?;
        kept(&picture)?;
    }
    Ok(())
}

fn kept(picture: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = fs::metadata(picture)
        .map_err(|why| format!("{}: {why}", picture.display()))?
        .len();
    println!("picture: {} ({bytes} bytes)", picture.display());
    Ok(())
}

struct Table {
    phones: Phones,
    host: PathBuf,
    play: PathBuf,
    folder: PathBuf,
}

impl Table {
    /// The C host on phone A, `play` as its guest on phone B.
    fn start(&self, game: &str) -> Result<[Teller; 2], Box<dyn Error>> {
        let mut sdl = self.phones.command(&self.host);
        unseen(&mut sdl)
            .env("SDL_AUDIO_DRIVER", "alsa")
            .env("SDL_AUDIO_ALSA_DEFAULT_DEVICE", "pulse")
            .env("PULSE_SINK", "speakerA")
            .env("PULSE_SOURCE", "micA")
            .arg("--host")
            .arg("--screenshot")
            .arg(self.picture(game))
            .arg("--out")
            .arg(self.folder.join(game));
        let mut play = self.phones.command(&self.play);
        play.args(["play", "--join", "--json"])
            .args(["--output", "speakerB", "--input", "micB"])
            .arg("--out")
            .arg(self.folder.join(game));
        Ok([Teller::start("sdl", sdl)?, Teller::start("play", play)?])
    }

    fn picture(&self, game: &str) -> PathBuf {
        self.folder.join(format!("{game}.png"))
    }

    /// A match between AIs by real audio: both exit 0, in sync, with equal records.
    fn play_undisturbed(&self) -> Result<(), Box<dyn Error>> {
        let started = Instant::now();
        let mut both = self.start("sdl-and-play")?;
        self.finish("sdl-and-play", &mut both, started)
    }

    /// A match whose host loses its sound and gets it back.
    fn play_through_faults(&self) -> Result<(), Box<dyn Error>> {
        let started = Instant::now();
        let mut both = self.start("sdl-faults")?;
        let [host, guest] = &mut both;
        for phone in [&mut *host, &mut *guest] {
            phone.until("match", RIG_WITHIN * 2, |line| line["event"] == "playing")?;
        }
        let lost = |line: &Value| says(line, "rig", "state", "lost");
        let live = |line: &Value| says(line, "rig", "state", "live");

        thread::sleep(REST);
        self.phones.call(&["hold", "A"])?;
        let line = host.until("loss of a held microphone", RIG_WITHIN, lost)?;
        println!("sdl-faults: microphone held: {}", line["reason"]);
        self.phones.call(&["go", "A"])?;
        host.until("sound after the hold", RIG_WITHIN, live)?;

        thread::sleep(REST);
        self.phones.call(&["mute", "A"])?;
        let line = host.until("loss of a stopped speaker", RIG_WITHIN, lost)?;
        println!("sdl-faults: speaker stopped: {}", line["reason"]);
        self.phones.call(&["unmute", "A"])?;
        host.until("sound after the stop", RIG_WITHIN, live)?;
        self.finish("sdl-faults", &mut both, started)
    }

    /// Both exit 0, in sync, with equal records; and there is a picture.
    fn finish(
        &self,
        game: &str,
        both: &mut [Teller; 2],
        started: Instant,
    ) -> Result<(), Box<dyn Error>> {
        for phone in &mut *both {
            let report = phone.until("report", MATCH_WITHIN, |line| line["event"] == "report")?;
            tell(game, phone.name, &report)?;
        }
        for phone in &mut *both {
            if !phone.finish(RIG_WITHIN)? {
                return Err(format!("{game}: {} failed", phone.name).into());
            }
        }
        let record = |name: &str| fs::read(self.folder.join(game).join(name));
        if record("host.json")? != record("guest.json")? {
            return Err(format!("{game}: the two records differ").into());
        }
        kept(&self.picture(game))?;
        let seconds = started.elapsed().as_secs_f64();
        println!("{game}: in sync, records equal, {seconds:.0} s");
        Ok(())
    }
}
