//! `accredit grade`: verdicts on many cases, a line each.

use std::io;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use super::limits::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::grade::{Graded, Grading, name_of};
use crate::{output, place, render, terminal};

/// Grade many cases, a JSON object a line in and a verdict a line out
///
/// A line of the input is a case (accredit controls schema case). The verdicts come in the order of the input: a first
/// line says what gave them, then one line a case, a last line counts them. Run the command again to go on where an
/// earlier run ended: a verdict in -o stands as long as line, id and content of its case are the same.
///
/// Exit 0: every case passes or fails. 3: some case was not judged, or a line was no case. 2: with --strict, a line was
/// no case; or -o holds verdicts of another grader.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader: a WebAssembly component
    #[arg(required_unless_present = "schema")]
    grader: Option<PathBuf>,
    /// The cases: a file of JSON Lines, or - for standard input
    #[arg(required_unless_present = "schema")]
    cases: Option<PathBuf>,
    /// The file that verdicts go to, behind what an earlier run left [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Lose the verdicts that an earlier run left in the file
    #[arg(long, requires = "output")]
    restart: bool,
    /// Write the findings as well: each with its rationale and citations
    #[arg(long)]
    findings: bool,
    /// End at the first line that is no case
    #[arg(long)]
    strict: bool,
    /// Seed of everything random the grader sees
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Trials at one time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print the JSON Schema of a line of verdicts instead
    #[arg(long, exclusive = true)]
    schema: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let (Some(grader), Some(cases)) = (&self.grader, &self.cases) else {
            terminal::print_data(&format!("{:#}\n", render::json::verdicts_schema()))?;
            return Ok(Exit::Met);
        };
        if let Some(verdicts) = &self.output {
            output::all_ready(&[verdicts], &[cases, grader])?;
        }
        let jobs = self.jobs.map_or_else(super::check::cores, usize::from);
        let loaded = place::load_grader(grader, self.limits.limits(), jobs)?;
        // The process ends with the last verdict; taking the engine down first would only take time.
        let loaded = ManuallyDrop::new(loaded);
        let (engine, grader) = &*loaded;
        let grading = Grading {
            engine,
            grader,
            cases,
            verdicts: self.output.as_deref(),
            seed: self.seed,
            jobs,
            findings: self.findings,
            strict: self.strict,
            restart: self.restart,
        };
        let graded = match grading.run() {
            // Nobody reads on: what is not graded is not judged.
            Err(Failure::Stdout(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(Exit::NotEvaluated);
            }
            graded => graded?,
        };
        let name = name_of(cases);
        for bad in &graded.bad {
            terminal::warning(&format!("{name}:{}: {}", bad.line, bad.error));
        }
        let summary = render::human::graded(&graded);
        match self.output {
            Some(_) => terminal::print(&summary)?,
            None => terminal::note(&summary.trim_end()),
        }
        Ok(exit(&graded))
    }
}

fn exit(graded: &Graded) -> Exit {
    if graded.totals.is_all_judged() { Exit::Met } else { Exit::NotEvaluated }
}
