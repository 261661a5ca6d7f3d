//! From lines to verdict lines: what a worker does with a piece.

use std::io;
use std::mem;
use std::sync::{Mutex, PoisonError};

use accredit_core::case::Case;
use accredit_core::control::plan::trial_seed;
use accredit_core::grading::{Bad, Earlier, Judged, Totals};
use accredit_core::id::Digest;
use accredit_core::untrusted::Untrusted;
use accredit_engine::{Grader, TrialInput, Weight};

use super::lines::LONGEST;
use super::source::{OneLine, Piece};
use crate::check::{CLOCK_UNIX_S, finished, no_control};
use crate::read;
use crate::render::json;

/// A line that is longer is looked at while no other such line is: a case can take ten times the room of its line.
const LARGE: usize = 8 << 20;

/// How a case is graded.
pub(super) struct Work<'a> {
    /// Held while a large line is looked at.
    pub(super) large: Mutex<()>,
    pub(super) grader: &'a Grader,
    pub(super) seed: u64,
    /// Whether lines hold the findings.
    pub(super) findings: bool,
    /// Whether a bad line ends the work.
    pub(super) strict: bool,
}

/// What a piece came to.
#[derive(Default)]
pub(super) struct Done {
    /// The verdict lines.
    pub(super) text: Vec<u8>,
    /// How long each of them is, and where it stands in the file of an earlier run if it was taken from there.
    pub(super) parts: Vec<(usize, Option<u64>)>,
    pub(super) totals: Totals,
    /// How many lines were taken from an earlier run.
    pub(super) kept: u64,
    /// Lines that are no case, and why.
    pub(super) bad: Vec<Bad>,
    /// How many bytes of the input are read.
    pub(super) read: u64,
    /// What kept the input from being read on.
    pub(super) failed: Option<io::Error>,
}

impl Weight for Done {
    fn bytes(&self) -> usize {
        self.text.len() + self.bad.iter().map(|bad| bad.error.len()).sum::<usize>()
    }
}

impl Work<'_> {
    /// Grades the cases of a piece. Where a bad line ends the work, what stands behind it is not looked at.
    pub(super) fn piece(&self, piece: io::Result<Piece>) -> Done {
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) => return Done { failed: Some(error), ..Done::default() },
        };
        let mut done = Done { read: piece.read, ..Done::default() };
        done.text.reserve(piece.lines.len() * 512);
        for line in &piece.lines {
            let before = done.text.len();
            let at = self.line(line, &piece.text, &mut done);
            if self.strict && !done.bad.is_empty() {
                done.text.truncate(before);
                break;
            }
            done.parts.push((done.text.len() - before, at));
        }
        done
    }

    /// Adds the verdict line of one line; says where an earlier run has the same.
    fn line(&self, line: &OneLine, text: &[u8], done: &mut Done) -> Option<u64> {
        let (at, earlier) = match &line.earlier {
            Some((at, range)) => (Some(*at), &text[range.clone()]),
            None => (None, &[][..]),
        };
        let is_large = line.text.as_ref().is_some_and(|range| range.len() > LARGE);
        let _alone = is_large.then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let case = match &line.text {
            Some(range) => read::case_line(&text[range.clone()]),
            None => Err(format!("the line is longer than {} MiB: split the case", LONGEST >> 20)),
        };
        let start = done.text.len();
        match case {
            Ok(case) => {
                if self.case(line.number, case, earlier, done) {
                    return at;
                }
            }
            Err(error) => {
                let bad = Bad { line: line.number, error };
                json::line(&bad, &mut done.text);
                done.totals.bad += 1;
                done.bad.push(bad);
            }
        }
        // The same line again may stay where it is.
        at.filter(|_| done.text[start..].strip_suffix(b"\n") == Some(earlier))
    }

    /// Adds the verdict on one case: the one that was given before where it stands, which is then true.
    fn case(&self, number: u64, mut case: Case, earlier: &[u8], done: &mut Done) -> bool {
        let id = mem::take(&mut case.id);
        let content = case.content_digest();
        if !earlier.is_empty()
            && let Ok(before) = serde_json::from_slice::<Earlier<'_>>(earlier)
            && before.stands(number, &id, content)
        {
            done.totals.count(before.verdict, before.outcome);
            done.kept += 1;
            done.text.extend_from_slice(earlier);
            done.text.push(b'\n');
            return true;
        }
        let judged = self.judged((number, Untrusted::new(id), content), &case.into_blinded());
        done.totals.count(judged.verdict, judged.outcome);
        json::line(&judged, &mut done.text);
        false
    }

    /// Gives the grader one trial of a case.
    fn judged(&self, of: (u64, Untrusted, Digest), case: &Case) -> Judged {
        let seed = trial_seed(self.seed, of.2, 0);
        let trial = self.grader.trial(&TrialInput { case, seed, clock_unix_s: CLOCK_UNIX_S });
        let manifest = self.grader.manifest();
        let finished = finished(manifest, case, no_control(), trial);
        Judged::new(of, &manifest.rules, finished, self.findings)
    }
}
