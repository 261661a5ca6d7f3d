//! How a report is shown: the formats, and where the text goes.

use std::path::Path;

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
    /// For CI servers: a test case a requirement and a control
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
        let text = self.text(report, context);
        let readers = match report.held_out.as_ref().is_some_and(|line| line.shown.is_some()) {
            true => Readers::Owner,
            false => Readers::Umask,
        };
        match (file, self) {
            (Some(path), Self::Human) => {
                let plain = anstream::adapter::strip_str(&text).to_string();
                output::write(path, plain.as_bytes(), readers)
            }
            (Some(path), _) => output::write(path, text.as_bytes(), readers),
            (None, Self::Human) => terminal::print(&text),
            (None, _) => terminal::print_data(&text),
        }
    }
}
