//! What is written to the terminal: results to stdout, everything else to stderr.

use std::fmt::Display;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;
use crate::render::escape::terminal_text;

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

/// Writes text for people to stdout; colour only on a terminal that wants it. A reader that has gone away
/// (a closed pipe) is not an error: what was decided stays decided, and so does the exit code.
///
/// # Errors
/// When standard output takes no more.
pub fn print(text: &str) -> Result<(), Failure> {
    put(&mut anstream::stdout().lock(), text)
}

/// Writes text for programs to stdout, byte for byte.
///
/// # Errors
/// When standard output takes no more.
pub fn print_data(text: &str) -> Result<(), Failure> {
    put(&mut io::stdout().lock(), text)
}

fn put(out: &mut impl io::Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Stdout(error)),
        _ => Ok(()),
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

/// A line that begins as a workflow command of GitHub does is none.
fn inert(line: &str) -> String {
    match line.trim_start().starts_with("::") {
        true => line.replacen("::", ":\\u{3a}", 1),
        false => line.to_owned(),
    }
}

/// A message may hold a path or a name from a file: line by line, nothing in it acts on the terminal.
fn complain(style: Style, what: &str, message: &str) {
    let message: Vec<_> = message.lines().map(|line| inert(&terminal_text(line))).collect();
    let text = format!("{style}{what}{style:#}: {}\n", message.join("\n"));
    // Nothing is left to be done when stderr takes no more.
    anstream::stderr().lock().write_all(text.as_bytes()).ok();
}
