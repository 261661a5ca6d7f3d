//! `accredit settle`: forecasts and explanations, registered beforehand and settled by dated entries.

mod outcome;
mod register;
mod show;

use std::collections::BTreeSet;
use std::path::PathBuf;

use accredit_core::gate::record::SutRun;

use super::{Format, RegisterArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::read;

/// Register forecasts and explanations, enter how they came out, and show them beside their baselines
///
/// A claim of a run record is a forecast or an explanation where it says so: with its horizon, its source of truth and
/// the baseline known at the time. It is registered before its horizon, settled after it, and gates nothing, ever.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Args {
    /// Register every forecast and explanation of run records, by a fingerprint
    ///
    /// The fingerprint covers the wording, the version that ran, horizon, source of truth, baseline, and call and probability
    /// or assessment. What was registered already is passed over. What is refused keeps nothing else from being registered.
    ///
    /// Exit 0: all are registered. 3: there is none. 5: a horizon has passed, or something is not what was registered.
    Register(register::Args),
    /// Enter how a forecast or an explanation came out, as a dated entry of its record
    ///
    /// The time is this clock's. Nothing that stands in the record is changed. What was entered wrongly is corrected by one
    /// more entry, with --correct.
    ///
    /// Exit 0: it is entered. 2: it is too early, or the entry does not fit. 5: it was not registered before its horizon, or
    /// is not what was registered.
    Outcome(Box<outcome::Args>),
    /// Show forecasts beside their baselines and explanations then and later
    ///
    /// Exit 0: all are registered, and what is due is settled. 3: something is due and unresolved, or not registered yet, or
    /// there is none. 5: something was registered too late, altered or taken out.
    Show(show::Args),
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Register(args) => args.run(),
            Self::Outcome(args) => args.run(),
            Self::Show(args) => args.run(),
        }
    }
}

/// Run records, the register that holds their book, and how the result is shown.
#[derive(Debug, clap::Args)]
struct Over {
    /// A folder of run records; may be given several times
    #[arg(long, value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    register: RegisterArg,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The records of several folders, no run twice.
fn records(folders: &[PathBuf]) -> Result<Vec<SutRun>, Failure> {
    let (mut runs, mut faults) = (Vec::<SutRun>::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for folder in folders {
        match read::run_records(folder) {
            Ok(more) => {
                let twice = more.iter().filter(|run| !seen.insert(run.id.clone()));
                faults.extend(twice.map(|run| {
                    format!(
                        "{}: run `{}` is recorded in another folder too: keep the original, and take the other out",
                        folder.display(),
                        run.id
                    )
                }));
                runs.extend(more);
            }
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    if faults.is_empty() { Ok(runs) } else { Err(Failure::Usage(faults.join("\n"))) }
}
