//! `accredit probe`: each limit shown to hold, by a grader that tries to get past it.

use super::Format;
use super::limits::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::probe::{ALL, Probe, Prober, Report};
use crate::progress::Progress;
use crate::{place, render, terminal};

/// Try everything that no grader may do, and show each limit holding, with figures
///
/// Each probe is a small grader. It holds if what stopped it is the limit that is meant to, and if the host
/// then still judges an honest grader right. Exit 0: all hold. 5: one does not; stderr names it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The probes to try [default: all]
    #[arg(value_parser = names())]
    probes: Vec<String>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The names of all probes.
fn names() -> clap::builder::PossibleValuesParser {
    ALL.iter().map(|probe| probe.name).collect::<Vec<_>>().into()
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let prober = Prober::new(place::settings(self.limits.limits(), 1)?)?;
        let asked = |probe: &&Probe| {
            self.probes.is_empty() || self.probes.iter().any(|name| name == probe.name)
        };
        let probes: Vec<_> = ALL.iter().filter(asked).collect();
        let progress = Progress::new(probes.len() as u64, "probing");
        let mut tried = Vec::with_capacity(probes.len());
        for probe in probes {
            tried.push(prober.run(probe)?);
            progress.step();
        }
        progress.finish();
        let report = Report::of(tried);
        match self.format {
            Format::Human => terminal::print(&render::human::probes(&report))?,
            Format::Json => terminal::print_data(&render::json::pretty(&report))?,
        }
        let broken = report.broken();
        if broken.is_empty() {
            return Ok(Exit::Met);
        }
        terminal::error(&format!(
            "the sandbox does not hold under these limits: {}. Nothing that runs here can be relied on: go back to the \
             default limits, and if it stays, report it",
            broken.join(", ")
        ));
        Ok(Exit::Integrity)
    }
}
