//! A progress bar, on a terminal and nowhere else.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how many trials are done. Silent where stderr is no terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// Starts at 0 of `trials`.
    #[must_use]
    pub fn new(trials: u64, of: &str) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(trials), ProgressDrawTarget::stderr_with_hz(15))
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template(
            "{msg} {bar:32} {pos}/{len} trials · {per_sec} · {eta} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(of.to_owned());
        Self(bar)
    }

    /// Starts at 0 of so many bytes of input, or of an unknown number.
    #[must_use]
    pub fn bytes(total: Option<u64>, of: &str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(15));
        let style = ProgressStyle::with_template(match total {
            Some(_) => "{prefix} {bar:20} {percent}% · {msg} · {eta} left",
            None => "{prefix} {spinner} {bytes} · {msg}",
        });
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(of.to_owned());
        Self(bar)
    }

    /// So many bytes of the input, and so many cases of it, are done.
    pub fn at(&self, bytes: u64, cases: u64) {
        if self.0.is_hidden() {
            return;
        }
        let seconds = self.0.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { cases as f64 / seconds } else { 0.0 };
        self.0.set_position(bytes);
        self.0.set_message(format!("{cases} cases · {rate:.0}/s"));
    }

    /// Shows nothing.
    #[must_use]
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Something that takes a while and cannot be counted.
    #[must_use]
    pub fn waiting(for_what: String) -> Self {
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        bar.set_message(for_what);
        bar.enable_steady_tick(std::time::Duration::from_millis(120));
        Self(bar)
    }

    /// One more trial is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
