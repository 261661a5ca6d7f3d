//! One grader verified: what its ledger claims, run again, promise by promise.

use std::collections::BTreeSet;

use accredit_core::authority::{Authority, Fact, Today};
use accredit_core::decision::decide;
use accredit_core::failures::{contents, missing};
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Entry, Invariant, Payload};
use accredit_core::statement::Statement;
use accredit_core::verdict::Tier;
use accredit_core::verification::{
    Appended, Breach, Check, Claim, Freshness, GraderVerification, Rerun,
};

use super::rerun::{Done, Target};
use super::{Verifier, intact, objects};
use crate::authority::{Books, Registry};
use crate::failure::Failure;
use crate::failures;
use crate::read::GraderFile;
use crate::registered::{FileDigests, Files};
use crate::render::words::counted;

/// A grader as its ledger and the repository tell of it.
pub(super) struct Grader<'a> {
    verifier: &'a Verifier<'a>,
    name: &'a GraderName,
    books: &'a Books,
    /// How it is run; or why that is not known.
    file: Result<GraderFile, String>,
    /// Its files as they lie there today; or why they cannot be read.
    here: Result<Files, String>,
    /// What its last promotion says.
    statement: Option<Statement>,
}

/// The statement of the promotion that authority decides by today; of the last one where none is known to.
fn promoted(
    registry: &Registry,
    name: &GraderName,
    file: &Result<GraderFile, String>,
    here: &Result<Files, String>,
) -> Option<Digest> {
    let nothing = Digest::of(b"");
    let digests = here.as_ref().map_or(
        FileDigests { component: nothing, controls: nothing, regression: None },
        Files::digests,
    );
    let main = &registry.books(name).ok()?.main;
    let of = |entry: Entry<'_>| match entry.payload() {
        Payload::Promoted(it) => Some(it.statement),
        _ => None,
    };
    let decided = registry.facts(name, digests.component).ok().and_then(|facts| {
        let file = file.clone().unwrap_or_else(|_| unknown());
        registry.by(&facts, &registry.today(name, &digests, &file)).by_entry
    });
    let decided = decided.and_then(|entry| main.entry(entry)).and_then(of);
    decided.or_else(|| main.entries().rev().find_map(of))
}

/// A claim that stands, its facts and its day.
struct Standing<'a> {
    facts: Vec<Fact>,
    today: Today,
    statement: &'a Statement,
}

impl<'a> Grader<'a> {
    pub(super) fn new(verifier: &'a Verifier<'a>, name: &'a GraderName) -> Result<Self, Failure> {
        let registry = verifier.registry;
        let books = registry.books(name)?;
        let told = |failure: Failure| failure.to_string();
        let file = registry.file(name).map_err(told);
        let here = file.as_ref().map_err(Clone::clone).and_then(|file| {
            Files::in_repository(registry.register.repository(), file).map_err(told)
        });
        let promoted = promoted(registry, name, &file, &here);
        let statement = match promoted {
            Some(digest) => objects::statement(&registry.register.objects(), digest)?,
            None => None,
        };
        Ok(Self { verifier, name, books, file, here, statement })
    }

    /// Everything of it.
    pub(super) fn verify(&self, jobs: usize) -> Result<GraderVerification, Failure> {
        let mut found = GraderVerification::new(self.name.clone());
        let (faults, named) =
            objects::faults(self.books, &self.verifier.registry.register.objects())?;
        let entries = self.books.main.len() + self.books.verified.len();
        let whole = format!(
            "{} and {} are whole",
            counted(entries, "entry"),
            counted(named as u64, "object")
        );
        found.checks.push(intact(&faults, whole));
        let standing = match self.standing(&mut found.notes) {
            Ok(standing) => standing,
            // A signature that decides does not hold, or something that the ledger names is not what it says.
            Err(Failure::Integrity(damage)) => {
                return Ok(GraderVerification::damaged(self.name.clone(), damage));
            }
            Err(failure) => return Err(failure),
        };
        found.claims = standing.as_ref().map(|it| it.statement.predicate.tier);
        let target = self.target(standing.as_ref());
        found.component = target.as_ref().map(|it| it.component);
        let done = self.run(target.as_ref(), jobs)?;
        if let Ok(done) = &done {
            found.trials = Some(done.run.started.trials);
            (found.record, found.report) = (Some(done.record), Some(Digest::of(&done.report)));
        }
        match &standing {
            None => self.unclaimed(&mut found, &done),
            Some(standing) => self.claimed(&mut found, standing, &done)?,
        }
        Ok(found)
    }

    /// What its ledger claims, if that stands.
    fn standing(&self, notes: &mut Vec<String>) -> Result<Option<Standing<'_>>, Failure> {
        let Some(statement) = &self.statement else {
            notes.push("it was never promoted: it may be shown, and blocks nothing".to_owned());
            return Ok(None);
        };
        let registry = self.verifier.registry;
        let evidence = &statement.predicate.evidence;
        let component = statement.component().unwrap_or_else(|| Digest::of(b""));
        let facts = registry.facts(self.name, component)?;
        // As if the promoted component lay there: whether it does is a question of its own.
        let digests = match &self.here {
            Ok(files) => FileDigests { component, ..files.digests() },
            Err(_) => FileDigests {
                component,
                controls: evidence.controls,
                regression: evidence.regression,
            },
        };
        let file = self.file.clone().unwrap_or_else(|_| unknown());
        let today = registry.today(self.name, &digests, &file);
        let standing = Standing { facts, today, statement };
        match self.claim(&standing, |claim| claim.taken_back()) {
            None => Ok(Some(standing)),
            Some(why) => {
                notes.push(format!("nothing is claimed for it: {why}"));
                Ok(None)
            }
        }
    }

    fn claim<T>(&self, standing: &Standing<'_>, ask: impl FnOnce(&Claim<'_>) -> T) -> T {
        let registry = self.verifier.registry;
        let grants = |facts: &[Fact], today: &Today| -> Authority { registry.by(facts, today) };
        ask(&Claim {
            facts: &standing.facts,
            today: &standing.today,
            here: self.here.as_ref().ok().map(|files| Digest::of(&files.component)),
            statement: standing.statement,
            grants: &grants,
        })
    }

    /// What is run: what was promoted, else what was registered last.
    fn target(&self, standing: Option<&Standing<'_>>) -> Option<Target> {
        let regression = self.here.as_ref().ok().map(|files| files.regression.clone());
        if let Some(Standing { statement, .. }) = standing {
            let evidence = &statement.predicate.evidence;
            return Some(Target {
                component: statement.component()?,
                controls: evidence.controls,
                regression,
                regression_then: evidence.regression,
                policy: Some(evidence.policy),
            });
        }
        let registered = self.books.main.entries().rev().find_map(|entry| match entry.payload() {
            Payload::Registered(it) => Some((it.component, it.controls)),
            _ => None,
        });
        let (component, controls) = registered?;
        Some(Target { component, controls, regression, regression_then: None, policy: None })
    }

    /// Runs it again; or why that cannot be. What is wrong with the machine is an error.
    fn run(&self, target: Option<&Target>, jobs: usize) -> Result<Result<Done, String>, Failure> {
        let (file, target) = match (&self.file, target) {
            (Err(fault), _) => return Ok(Err(fault.clone())),
            (_, None) => return Ok(Err("no component is registered under its name".to_owned())),
            (Ok(file), Some(target)) => (file, target),
        };
        match self.verifier.rerun(self.name, file, target, jobs) {
            Ok(done) => Ok(Ok(done)),
            Err(failure @ (Failure::Engine(_) | Failure::Unwritable { .. })) => Err(failure),
            Err(failure) => Ok(Err(failure.to_string())),
        }
    }

    /// Nothing is claimed for it: it is run, and what it comes to is told.
    fn unclaimed(&self, found: &mut GraderVerification, done: &Result<Done, String>) {
        match done {
            Ok(done) => {
                let decision = decide(&done.run);
                found.reaches = Some(decision.eligible_tier);
            }
            Err(why) => found.notes.push(format!("it could not be run: {why}")),
        }
    }

    fn claimed(
        &self,
        found: &mut GraderVerification,
        standing: &Standing<'_>,
        done: &Result<Done, String>,
    ) -> Result<(), Failure> {
        let started = done.as_ref().ok().map(|done| &done.run.started);
        found.checks.extend(self.claim(standing, |claim| {
            [
                claim.no_authority_without_sign_off(),
                claim.no_self_certification(),
                claim.authority_follows_digest(started),
            ]
        }));
        let holds = match done {
            Ok(done) => self.rerun_checks(found, standing, done),
            Err(why) => {
                let broke = |invariant| {
                    Check::broke(
                        invariant,
                        Breach::NotMet,
                        format!("it could not be run again: {why}"),
                    )
                };
                found.checks.extend(OF_RERUN.map(broke));
                Tier::Advisory
            }
        };
        if let Err(why) = &self.here {
            found.notes.push(format!("its files cannot be read as they lie there: {why}"));
        }
        let kept = found.holds() && self.verifier.register_holds;
        let this = match (&self.verifier.recorder, kept) {
            (Some(_), true) => Freshness::Recorded,
            _ => Freshness::AsItStands,
        };
        found.checks.push(self.claim(standing, |claim| claim.verification_is_fresh(this)));
        found.checks.sort_by_key(|check| check.invariant);
        self.record(found, standing, done.as_ref().ok(), holds)
    }

    /// What the run shows; the tier that it holds.
    fn rerun_checks(
        &self,
        found: &mut GraderVerification,
        standing: &Standing<'_>,
        done: &Done,
    ) -> Tier {
        let decision = decide(&done.run);
        found.reaches = Some(decision.eligible_tier);
        let statement = standing.statement;
        let rerun = Rerun { run: &done.run, record: done.digest, decision: &decision, statement };
        if rerun.takes_held_out_as_signed() {
            found.notes.push(format!(
                "its held-out controls were not run: that they hold is taken from the signed statement (--held-out {}=DIR runs them)",
                self.name
            ));
        }
        found.checks.extend([
            rerun.reproducible_record(),
            rerun.controls_bite(),
            rerun.absence_is_never_green(&self.lost(done)),
            rerun.serious_failure_never_averaged(&self.kept()),
        ]);
        rerun.holds()
    }

    /// The contents of the cases of all failures found in use.
    fn kept(&self) -> BTreeSet<Digest> {
        let chain = &self.books.main;
        contents(chain, &failures::withdrawn(self.verifier.registry, chain))
    }

    /// The failures found in use that no control holds any more.
    fn lost(&self, done: &Done) -> Vec<String> {
        let chain = &self.books.main;
        let withdrawn = failures::withdrawn(self.verifier.registry, chain);
        let lost = missing(chain, &done.controls, &withdrawn);
        lost.iter().map(|it| format!("{} ({})", it.control, it.why)).collect()
    }

    /// Appends what came of it, where there is a verifier's key.
    fn record(
        &self,
        found: &mut GraderVerification,
        standing: &Standing<'_>,
        done: Option<&Done>,
        holds: Tier,
    ) -> Result<(), Failure> {
        let Some(recorder) = &self.verifier.recorder else { return Ok(()) };
        let Some(component) = found.component else { return Ok(()) };
        let damaged = found.broke().contains(&Invariant::LedgerIntact);
        found.appended = match (found.holds(), done) {
            // What cannot be relied upon is told, and not written to.
            _ if damaged => None,
            (true, Some(done)) if self.verifier.register_holds => {
                recorder.verified((self.name, component), done, holds)?;
                Some(Appended::Verified)
            }
            (true, _) => None,
            // What could not be run here may be this machine's fault: it is told, and takes nothing away.
            (false, None) => {
                found.notes.push(
                    "nothing was entered into its ledger: it could not be run here".to_owned(),
                );
                None
            }
            (false, Some(_)) => {
                let authority = self.claim(standing, |claim| claim.authority());
                let broke = found.broke();
                match recorder.is_told(&authority, &broke) {
                    Some(entry) => {
                        found.notes.push(format!("its ledger says so already (entry {entry})"));
                        None
                    }
                    None => {
                        recorder.failed((self.name, component), done, broke)?;
                        Some(Appended::FailedVerification)
                    }
                }
            }
        };
        Ok(())
    }
}

/// What a run shows.
const OF_RERUN: [Invariant; 4] = [
    Invariant::ReproducibleRecord,
    Invariant::ControlsBite,
    Invariant::AbsenceIsNeverGreen,
    Invariant::SeriousFailureNeverAveraged,
];

/// How a grader is run of which that is not known: nothing is run then.
fn unknown() -> GraderFile {
    GraderFile {
        component: String::new(),
        controls: String::new(),
        real_outputs: Vec::new(),
        seed: 0,
        repeats: 1,
        limits: accredit_engine::Limits::default(),
    }
}
