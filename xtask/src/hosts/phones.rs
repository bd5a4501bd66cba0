//! The two virtual phones, and programs that run on them and tell what happens in lines of JSON.

use serde_json::Value;
use std::{
    error::Error,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// The script that makes them.
const SCRIPT: &str = "xtask/scripts/two-phones.sh";
/// A loaded machine must not starve what has to keep up with real time; without the right to it, this only warns.
const NICE: [&str; 2] = ["-n", "-15"];

/// A sound server with two phones, gone when dropped.
pub struct Phones {
    script: PathBuf,
    folder: PathBuf,
    variables: Vec<(String, String)>,
}

impl Phones {
    /// Starts them in a folder of their own.
    ///
    /// # Errors
    /// The server does not start.
    pub fn up(root: &Path, folder: &Path) -> Result<Self, Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        // Where the kernel shares the processor out by session, niceness counts only within one: this is the session's
        // own. Elsewhere there is no such file.
        let _ = std::fs::write("/proc/self/autogroup", NICE[1]);
        let mut phones = Self {
            script: root.join(SCRIPT),
            folder: folder.into(),
            variables: Vec::new(),
        };
        phones.call(&["up"])?;
        let told = phones.call(&["env"])?;
        let pairs = told.lines().filter_map(|line| {
            let (name, value) = line.strip_prefix("export ")?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        phones.variables = pairs.collect();
        Ok(phones)
    }

    /// One verb of the script.
    ///
    /// # Errors
    /// It failed.
    pub fn call(&self, words: &[&str]) -> Result<String, Box<dyn Error>> {
        // The server goes on after the script, and must not hold on to a pipe that somebody reads to its end.
        let out = self.folder.join("script.out");
        let mut script = Command::new(&self.script);
        script.args(words).env("PHONES_DIR", &self.folder);
        let done = script
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out)?)
            .status()?;
        if !done.success() {
            return Err(format!("{} {} failed", self.script.display(), words.join(" ")).into());
        }
        Ok(std::fs::read_to_string(&out)?)
    }

    /// A program on these phones, ahead of the machine's other work.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("nice");
        command.args(NICE).arg(program);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }
}

impl Drop for Phones {
    fn drop(&mut self) {
        let _ = self.call(&["down"]);
    }
}

/// A program that runs and tells.
pub struct Teller {
    child: Child,
    /// What it is called in what is said of it.
    pub name: &'static str,
    /// All it has told so far.
    pub told: Vec<Value>,
    lines: Receiver<Value>,
}

impl Teller {
    /// Starts it.
    ///
    /// # Errors
    /// It does not start.
    pub fn start(name: &'static str, mut command: Command) -> Result<Self, Box<dyn Error>> {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let (to_lines, lines): (Sender<Value>, _) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Ok(value) = serde_json::from_str(&line)
                    && to_lines.send(value).is_err()
                {
                    break;
                }
            }
        });
        Ok(Self {
            child,
            name,
            told: Vec::new(),
            lines,
        })
    }

    /// Waits until it tells something that `is` what is waited for, from now on.
    ///
    /// # Errors
    /// It does not, in time or at all.
    pub fn until(
        &mut self,
        what: &str,
        within: Duration,
        is: impl Fn(&Value) -> bool,
    ) -> Result<Value, String> {
        let until = Instant::now() + within;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                let newest = self.told.last().map_or(String::new(), Value::to_string);
                let name = self.name;
                return Err(format!(
                    "{name}: no {what} within {} s; the last it told was {newest}",
                    within.as_secs()
                ));
            };
            self.told.push(line.clone());
            if is(&line) {
                return Ok(line);
            }
        }
    }

    /// Waits for its end; true if it succeeded.
    ///
    /// # Errors
    /// It has not ended in time.
    pub fn finish(&mut self, within: Duration) -> Result<bool, String> {
        let until = Instant::now() + within;
        loop {
            self.told.extend(self.lines.try_iter());
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.told.extend(self.lines.iter());
                    return Ok(status.success());
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(50)),
                _ => return Err(format!("{} has not ended", self.name)),
            }
        }
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// True for a line of that event whose field has that value.
pub fn says(line: &Value, event: &str, field: &str, value: &str) -> bool {
    line["event"] == event && line[field] == value
}

/// Says how a match went, and fails if it did not end in sync.
pub fn tell(game: &str, name: &str, report: &Value) -> Result<(), Box<dyn Error>> {
    if report["in_sync"] != true {
        return Err(format!("{game}: {name}: not in sync: {report}").into());
    }
    println!(
        "{game}: {name} {}, {} ticks, D = {}, round trip {} ms, {} good packets, {} bad, waited {} ms, {} reconnects",
        report["result"],
        report["ticks"],
        report["delay_ticks"],
        report["round_trip_ms"],
        report["good"],
        report["bad"],
        report["stall_ms"],
        report["reconnects"],
    );
    Ok(())
}
