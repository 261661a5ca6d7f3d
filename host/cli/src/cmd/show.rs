//! How a report is shown: the formats, and where the text goes.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use accredit_core::report::Report;
use clap::ValueEnum;

use crate::failure::Failure;
use crate::record::folder_of;
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
        match (file, self) {
            (Some(path), Self::Human) => {
                write(path, &anstream::adapter::strip_str(&text).to_string())
            }
            (Some(path), _) => write(path, &text),
            (None, Self::Human) => terminal::print(&text),
            (None, _) => terminal::print_data(&text),
        }
    }
}

/// Writes a whole file or none: a temporary one beside it takes its place, as readable as the umask lets it.
/// A device or a pipe is written to, and never replaced.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let written = fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut device| device.write_all(text.as_bytes()));
        return written.map_err(|error| Failure::unwritable(path, error, "It is no regular file"));
    }
    let fail = |error| Failure::unwritable(path, error, "What stood there before is untouched");
    let shared = fs::Permissions::from_mode(0o666);
    let mut file =
        tempfile::Builder::new().permissions(shared).tempfile_in(folder_of(path)).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}
