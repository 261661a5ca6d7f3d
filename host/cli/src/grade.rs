//! Grading in bulk: a case a line in, a verdict line out, in the order of the input.
//!
//! Lines are taken in small pieces, parsed, graded and written out as text by the workers (`work`), and handed over in
//! order; memory does not grow with the input. What an earlier run left is merged in line by line (`earlier`), so that
//! going on with a run, mending its bad lines and running it again are one thing.

mod earlier;
mod lines;
mod out;
mod source;
mod work;

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use accredit_core::grading::{Bad, Closing, Header, Totals};
use accredit_engine::{Engine, Grader, stream};

use crate::check::contract;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::render::json;
use out::Out;
use source::Source;
use work::{Done, Work};

/// How many bad lines are told one by one.
const TOLD: usize = 10;

/// What is graded, by what, and how.
pub struct Grading<'a> {
    /// The engine the grader was loaded by.
    pub engine: &'a Engine,
    /// The grader.
    pub grader: &'a Grader,
    /// The cases: a file, or `-` for standard input.
    pub cases: &'a Path,
    /// The file of verdicts; standard output without one.
    pub verdicts: Option<&'a Path>,
    /// The seed.
    pub seed: u64,
    /// Trials at one time.
    pub jobs: usize,
    /// Whether lines hold the findings.
    pub findings: bool,
    /// Whether a bad line ends the work.
    pub strict: bool,
    /// Whether verdicts of an earlier run are thrown away.
    pub restart: bool,
}

/// What a grading came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graded {
    /// What all cases come to.
    pub totals: Totals,
    /// How many verdicts an earlier run had left.
    pub kept: u64,
    /// The first lines that are no case.
    pub bad: Vec<Bad>,
}

/// The name of the input in messages.
#[must_use]
pub fn name_of(cases: &Path) -> String {
    if is_stdin(cases) { "standard input".to_owned() } else { cases.display().to_string() }
}

fn is_stdin(cases: &Path) -> bool {
    cases.as_os_str() == "-"
}

impl Grading<'_> {
    /// Grades every case.
    ///
    /// # Errors
    /// When the input cannot be read, the verdicts cannot be written, or what stands in their place is of another
    /// grader; with `strict`, at the first line that is no case. What was graded before then is written.
    pub fn run(&self) -> Result<Graded, Failure> {
        let (input, bytes) = self.open()?;
        let header = self.header();
        let (out, earlier) = Out::open(self.verdicts, &header, self.restart)?;
        let progress = Progress::bytes(bytes, self.grader.manifest().name.as_str());
        let mut source = Source::new(input, earlier);
        let Self { grader, seed, findings, strict, .. } = *self;
        let work = Work { large: Mutex::new(()), grader, seed, findings, strict };
        let mut end =
            End { grading: self, out, progress, graded: Graded::default(), failure: None };
        stream(
            grader,
            self.jobs,
            &mut |most| source.piece(most),
            &|piece| work.piece(piece),
            &mut |done| end.take(done),
        );
        end.close()
    }

    fn header(&self) -> Header {
        Header::new(
            self.grader.manifest(),
            (self.grader.digest(), self.grader.kind()),
            (contract(), self.engine.semantics().fingerprint),
            self.seed,
            self.findings,
        )
    }

    /// The input, and how long it is where that is known.
    fn open(&self) -> Result<(Box<dyn Read + Send>, Option<u64>), Failure> {
        if is_stdin(self.cases) {
            return Ok((Box::new(io::stdin()), None));
        }
        let fail = |error| Failure::unreadable(self.cases, error);
        let found = fs::metadata(self.cases).map_err(fail)?;
        if found.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        let file = File::open(self.cases).map_err(fail)?;
        Ok((Box::new(file), found.is_file().then_some(found.len())))
    }
}

/// The end of the stream: what is done is written, counted and shown.
struct End<'a> {
    grading: &'a Grading<'a>,
    out: Out,
    progress: Progress,
    graded: Graded,
    failure: Option<Failure>,
}

impl End<'_> {
    fn take(&mut self, done: Done) -> ControlFlow<()> {
        match self.put(done) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn put(&mut self, done: Done) -> Result<(), Failure> {
        self.out.put(&done.text, &done.parts)?;
        self.graded.totals.add(&done.totals);
        self.graded.kept += done.kept;
        self.progress.at(done.read, self.graded.totals.cases);
        if let Some(error) = done.failed {
            let path = PathBuf::from(name_of(self.grading.cases));
            return Err(Failure::Unreadable { path, error });
        }
        match done.bad.first() {
            Some(bad) if self.grading.strict => Err(Failure::Usage(format!(
                "{}:{}: {}. This line ended the grading (--strict); what stands before it is graded",
                name_of(self.grading.cases),
                bad.line,
                bad.error
            ))),
            _ => {
                let room = TOLD - self.graded.bad.len();
                self.graded.bad.extend(done.bad.into_iter().take(room));
                Ok(())
            }
        }
    }

    fn close(self) -> Result<Graded, Failure> {
        self.progress.finish();
        match self.failure {
            Some(failure) => Err(failure),
            None => {
                let mut last = Vec::new();
                json::line(&Closing { finished: self.graded.totals.clone() }, &mut last);
                self.out.finish(&last)?;
                Ok(self.graded)
            }
        }
    }
}
