//! `accredit report`: the report of a recorded run, derived again with no engine; or an existing judge's verdicts
//! assessed by people's labels.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::assess::Terms;
use accredit_core::assess::import::{ImportDigests, Imported};
use accredit_core::id::Digest;
use accredit_core::report::authors_copy;
use accredit_core::run::fold::Run;
use accredit_core::verdict::{GraderKind, Tier};
use clap::ValueEnum;

use super::check::Show;
use super::{read_policy, record_at};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::progress::Progress;
use crate::read::Verdicts;
use crate::record;
use crate::render::Places;
use crate::{read, terminal};

/// Derive the report of a recorded run again, without running anything; or assess an existing judge by its verdicts
///
/// With --labels no run is needed: verdicts that a judge gave are compared with people's labels, and nothing is
/// promoted. Exit 0 then says that they could be compared, and --format is human, json, markdown or html.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run record, or the folder that `check --out` left
    #[arg(required_unless_present_any = ["labels", "schema"], conflicts_with = "labels")]
    record: Option<PathBuf>,
    /// Print the JSON Schema of `--format json` instead
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Decide by this policy instead of the one the run was made under
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Accept a record that was cut short: it shows what there is, and can promote nothing
    #[arg(long, conflicts_with = "labels")]
    incomplete: bool,
    /// Write the record that the grader's author may have: without held-out controls
    #[arg(long, value_name = "FILE", conflicts_with_all = ["labels", "policy"])]
    authors_copy: Option<PathBuf>,
    #[command(flatten)]
    import: ImportArgs,
    #[command(flatten)]
    show: Show,
}

/// From so many outputs on, an import says that it is at work.
const MANY: usize = 10_000;

/// An existing judge's verdicts, and the labels they are compared with.
#[derive(Debug, clap::Args)]
struct ImportArgs {
    /// Assess recorded verdicts by these labelled real outputs: JSON Lines, as for check --real-output
    #[arg(long, value_name = "FILE", help_heading = "Assess an existing judge")]
    labels: Option<PathBuf>,
    /// The verdicts: JSON Lines of {"id", "verdict", "score", "rationale"}; the last two may be left out
    #[arg(
        long,
        value_name = "FILE",
        requires = "labels",
        conflicts_with = "verdict_field",
        help_heading = "Assess an existing judge"
    )]
    verdicts: Option<PathBuf>,
    /// The verdicts stand in this field of the labels file, for example meta.judge
    #[arg(
        long,
        value_name = "FIELD",
        requires = "labels",
        help_heading = "Assess an existing judge"
    )]
    verdict_field: Option<String>,
    /// The field of the scores
    #[arg(
        long,
        value_name = "FIELD",
        requires = "verdict_field",
        help_heading = "Assess an existing judge"
    )]
    score_field: Option<String>,
    /// The field of the judge's own words
    #[arg(
        long,
        value_name = "FIELD",
        requires = "verdict_field",
        help_heading = "Assess an existing judge"
    )]
    rationale_field: Option<String>,
    /// What a score is the probability of
    #[arg(
        long,
        value_enum,
        default_value_t = Means::Fail,
        help_heading = "Assess an existing judge"
    )]
    score_means: Means,
}

/// What a score is the probability of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Means {
    /// That the output is wrong
    Fail,
    /// That the output is right
    Pass,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.schema {
            terminal::print_data(&format!("{:#}\n", read::report_schema()))?;
            return Ok(Exit::Met);
        }
        match (&self.record, &self.import.labels) {
            (Some(record), _) => self.of_record(&record_at(record)),
            (None, Some(labels)) => self.of_verdicts(labels),
            (None, None) => Err(Failure::Usage("give a run record, or --labels".to_owned())),
        }
    }

    fn of_record(&self, path: &Path) -> Result<Exit, Failure> {
        self.ready(path)?;
        let read = record::read(path, self.incomplete)
            .map_err(|error| Failure::Record { path: path.to_owned(), error })?;
        let mut run = read.run;
        let mut source = "that of the run, from its record".to_owned();
        if let Some(path) = &self.policy {
            let policy = read::policy(path)?;
            if policy.digest != run.started.digests.policy {
                let asked = run.started.digests.policy;
                terminal::warning(&format!(
                    "decided by {}, not by the policy that the run was made under ({asked})",
                    policy.source
                ));
            }
            run.started.digests.policy = policy.digest;
            run.started.policy = policy.policy;
            source = policy.source;
        }
        let report = self.show.report_of(&run, read.digest);
        if let Some(copy) = &self.authors_copy {
            write_authors_copy(&run, read.digest, (path, copy))?;
        }
        self.show.report(&report, &source, None, &Places::default())
    }

    /// Whether everything that is to be written can be, and in the place of nothing that is read.
    fn ready(&self, record: &Path) -> Result<(), Failure> {
        let outputs = self.authors_copy.as_deref().into_iter().chain(self.show.output());
        let inputs = self.policy.as_deref().into_iter().chain([record]);
        output::all_ready(&outputs.collect::<Vec<_>>(), &inputs.collect::<Vec<_>>())
    }

    fn of_verdicts(&self, labels: &Path) -> Result<Exit, Failure> {
        self.show.fits_import()?;
        let args = &self.import;
        let verdicts = match (&args.verdicts, &args.verdict_field) {
            (Some(file), _) => Verdicts::File(file.clone()),
            (None, Some(field)) => Verdicts::Fields {
                verdict: field.clone(),
                score: args.score_field.clone(),
                rationale: args.rationale_field.clone(),
            },
            (None, None) => {
                return Err(Failure::Usage("--labels needs the judge's verdicts: give --verdicts FILE, or --verdict-field FIELD where they stand in the file of labels".to_owned()));
            }
        };
        let policy = read_policy(self.policy.as_deref())?;
        let import = read::import(labels, &verdicts, args.score_means == Means::Pass)?;
        let bars = policy.policy.bars(GraderKind::Judge, Tier::Gating);
        let bars = bars.cloned().unwrap_or_default();
        let terms = Terms::new(&policy.policy, &bars, &import.samples);
        let digests = ImportDigests {
            labels: import.labels,
            verdicts: import.verdicts,
            policy: policy.digest,
        };
        let many = import.outputs.len();
        let progress = (many >= MANY)
            .then(|| Progress::waiting(format!("comparing {many} verdicts with labels")));
        let imported = Imported::new(&import.outputs, &terms, digests);
        if let Some(progress) = progress {
            progress.finish();
        }
        self.show.imported(&imported, &policy.source)
    }
}

/// Writes what of a record its author may have. Where nothing in it is held out, that is all of it.
fn write_authors_copy(
    run: &Run,
    digest: Digest,
    (record, copy): (&Path, &Path),
) -> Result<(), Failure> {
    let (copied, what) = match authors_copy(run, digest) {
        Cow::Borrowed(_) => {
            let bytes = fs::read(record).map_err(|error| Failure::unreadable(record, error))?;
            output::write(copy, &bytes, Readers::Umask)?;
            let what = match run.started.held_out {
                None => "nothing in the record is held out, so this is all of it",
                Some(_) => "the record is an author's copy already, so this is all of it",
            };
            (digest, what)
        }
        Cow::Owned(run) => (
            record::write_copy(&run, copy, Readers::Umask)?,
            "the record without held-out controls",
        ),
    };
    terminal::note(&format!("wrote {}: {what} ({copied})", copy.display()));
    Ok(())
}
