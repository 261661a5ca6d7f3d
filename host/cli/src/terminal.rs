//! What is written to the terminal: results to stdout, everything else to stderr.

use std::fmt::Display;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};

/// What was wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What a reader should know.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is as it should be.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What stands out.
pub const STRONG: Style = Style::new().bold();
/// What stands back.
pub const FAINT: Style = Style::new().dimmed();

/// Writes a result to stdout; colour only on a terminal that wants it. A reader that has gone away (a
/// closed pipe) is not an error: what was decided stays decided, and so does the exit code.
pub fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        complain(ERROR, "error", &format!("cannot write to standard output: {error}"));
    }
}

/// Tells on stderr why a command failed.
pub fn error(message: &dyn Display) {
    complain(ERROR, "error", &message.to_string());
}

/// Tells on stderr what a reader should know.
pub fn warning(message: &dyn Display) {
    complain(WARNING, "warning", &message.to_string());
}

/// A note on stderr.
pub fn note(message: &dyn Display) {
    complain(FAINT, "note", &message.to_string());
}

fn complain(style: Style, what: &str, message: &str) {
    let text = format!("{style}{what}{style:#}: {message}\n");
    // Nothing is left to be done when stderr takes no more.
    anstream::stderr().lock().write_all(text.as_bytes()).ok();
}
