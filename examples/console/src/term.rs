//! What people see: progress on standard error, colours only on a terminal.

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fmt,
    io::{self, Write},
    process,
    time::Duration,
};

/// A line on standard output, formatted as by `println!`; see [`say`].
macro_rules! say {
    ($($arg:tt)*) => { $crate::term::say(format_args!($($arg)*)) };
}

/// A line on standard error, formatted as by `eprintln!`; see [`tell`].
macro_rules! tell {
    ($($arg:tt)*) => { $crate::term::tell(format_args!($($arg)*)) };
}

/// Writes a line to standard output. A reader that went away (`| head -1`) ends the program without a word, and an
/// output that is full ends it with one: there is nobody left to work for.
pub fn say(line: fmt::Arguments<'_>) {
    if let Err(why) = writeln!(anstream::stdout(), "{line}") {
        if why.kind() != io::ErrorKind::BrokenPipe {
            tell!("standard output: {why}");
        }
        process::exit(1);
    }
}

/// Writes a line to standard error, if anybody reads it.
pub fn tell(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// The longest a stranger's text may be in a message.
const QUOTED_MAX: usize = 60;

/// A stranger's text, quoted, and cut if it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("{:?}… ({} bytes)", &text[..end], text.len()),
        None => format!("{text:?}"),
    }
}

/// Something that went well.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Something that did not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What matters most in a line.
pub const STRONG: Style = Style::new().bold();
/// What may be passed over.
pub const FAINT: Style = Style::new().dimmed();

/// A line that changes while something runs; nothing where standard error is no terminal or `quiet`.
pub fn spinner(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {msg}").expect("the template is fixed");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A bar of `total` steps with a rate; nothing where standard error is no terminal or `quiet`.
pub fn bar(total: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let template = "{bar:32} {percent:>3} %  {msg}  {elapsed_precise} elapsed, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is fixed");
    ProgressBar::new(total).with_style(style)
}

/// Paints `text`.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Whole minutes and seconds: `4:07`.
pub fn clock(ms: u64) -> String {
    format!("{}:{:02}", ms / 60_000, ms / 1000 % 60)
}
