//! How a report is shown: the formats, and where the text goes.

use std::path::Path;

use accredit_core::assess::import::Imported;
use accredit_core::report::Report;
use clap::ValueEnum;

use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::render::{self, Context};
use crate::terminal;

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people, at a terminal of 80 columns
    Human,
    /// For programs: the whole report
    Json,
    /// For a comment on a pull request
    Markdown,
    /// For CI servers: test results
    Junit,
    /// For GitHub Actions: annotations and a short summary
    Github,
    /// For people: one page that needs nothing else
    Html,
}

impl ReportFormat {
    /// The report in this format.
    fn text(self, report: &Report, context: &Context<'_>) -> String {
        match self {
            Self::Human => render::human::report(report, context),
            Self::Json => render::json::report(report),
            Self::Markdown => render::markdown::report(report, context),
            Self::Junit => render::junit::report(report, context),
            Self::Github => render::github::report(report, context),
            Self::Html => render::html::report(report, context),
        }
    }

    /// Shows the report: in the file, where one is named, else on standard output.
    pub(super) fn show(
        self,
        report: &Report,
        context: &Context<'_>,
        file: Option<&Path>,
    ) -> Result<(), Failure> {
        let readers = match report.held_out.as_ref().is_some_and(|line| line.shown.is_some()) {
            true => Readers::Owner,
            false => Readers::Umask,
        };
        self.put(&self.text(report, context), file, readers)
    }

    /// Whether imported verdicts can be shown so. Test results and annotations would read as a decision.
    pub(super) fn shows_imports(self) -> bool {
        !matches!(self, Self::Junit | Self::Github)
    }

    /// Shows imported verdicts, likewise.
    pub(super) fn show_import(
        self,
        imported: &Imported,
        policy: &str,
        all: bool,
        file: Option<&Path>,
    ) -> Result<(), Failure> {
        let text = match self {
            Self::Human => render::human::imported(imported, policy, all),
            Self::Json => render::json::pretty(imported),
            Self::Markdown => render::markdown::imported(imported, policy, all),
            Self::Html => render::html::imported(imported, policy),
            Self::Junit | Self::Github => unreachable!("refused before anything was read"),
        };
        self.put(&text, file, Readers::Umask)
    }

    /// Puts a text in this format into the file, where one is named, else on standard output.
    pub(super) fn put(
        self,
        text: &str,
        file: Option<&Path>,
        readers: Readers,
    ) -> Result<(), Failure> {
        match (file, self) {
            (Some(path), Self::Human) => {
                let plain = anstream::adapter::strip_str(text).to_string();
                output::write(path, plain.as_bytes(), readers)
            }
            (Some(path), _) => output::write(path, text.as_bytes(), readers),
            (None, Self::Human) => terminal::print(text),
            (None, _) => terminal::print_data(text),
        }
    }
}
