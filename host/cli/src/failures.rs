//! Failures found in use, as a register keeps them: what each comes to with today's files, and guarding them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use accredit_core::control::set::{Control, Expectation};
use accredit_core::failures::{
    self as model, Checked, Failure as Found, GraderFailures, Guard, Judged, Lost, State,
};
use accredit_core::gate::GateReport;
use accredit_core::id::{ControlId, Digest, GraderName};
use accredit_core::ledger::{Chain, FailureNote, Noted, Payload, V1};
use accredit_core::run::fold::Run;
use accredit_core::score;
use accredit_core::status::FailureCounts;
use accredit_core::untrusted::Untrusted;

use crate::authority::Registry;
use crate::failure::Failure;
use crate::gate::LONGEST_REPORT;
use crate::in_use::components;
use crate::read::GraderFile;
use crate::registered::Files;
use crate::rerun::{self, Rerun, Terms};
use crate::store::{Writing, place};
use crate::trust::facts;
use crate::{record, terminal};

/// The remarks on failures that were withdrawn: whoever withdraws one signs for it.
#[must_use]
pub fn withdrawn(registry: &Registry, chain: &Chain) -> BTreeSet<Digest> {
    let corrects =
        |payload: &Payload| matches!(payload, Payload::Noted(Noted { corrects: Some(_), .. }));
    let signers = &registry.trust.signers;
    let signed = chain
        .entries()
        .filter(|entry| corrects(entry.payload()))
        .filter(|entry| facts::signatures(*entry, signers).iter().any(Result::is_ok))
        .map(|entry| entry.seq());
    model::withdrawn(chain, &signed.collect())
}

/// What was checked of the remarks on failures: withdrawals by their signatures, guards by their records.
///
/// # Errors
/// With exit code 5 when a record that a guard names is damaged.
pub fn checked(registry: &Registry, chain: &Chain) -> Result<Checked, Failure> {
    let mut guards = BTreeSet::new();
    for (content, guard) in model::guards(chain) {
        if is_borne_out(registry, content, &guard)? {
            guards.insert(guard.entry);
        } else {
            terminal::warning(&format!(
                "the ledger of `{}`, entry {}: the records that it names are not in the store, or do not say that its control caught the one component and passed the other. It guards nothing",
                chain.grader(),
                guard.entry
            ));
        }
    }
    Ok(Checked { withdrawn: withdrawn(registry, chain), guards })
}

/// Whether the two records of a guard say what it says.
fn is_borne_out(registry: &Registry, content: Digest, guard: &Guard) -> Result<bool, Failure> {
    let objects = registry.register.objects();
    // Components that the store does not hold were run by nobody.
    if !objects.has(guard.catches)? || !objects.has(guard.passes)? {
        return Ok(false);
    }
    let said = |record, component| -> Result<Option<(Expectation, Judged)>, Failure> {
        let Some(lines) = objects.find(record)? else { return Ok(None) };
        let Ok(read) = record::read_from(lines.as_slice(), true) else { return Ok(None) };
        let said = model::bears_out(&read.run, content, component);
        Ok(said.map(|(expected, judged)| (expected.clone(), judged)))
    };
    let caught = said(guard.caught, guard.catches)?;
    let passed = said(guard.passed, guard.passes)?;
    Ok(match (caught, passed) {
        (Some((one, caught)), Some((other, passed))) => {
            one == other && caught.is_caught() && passed.right
        }
        _ => false,
    })
}

/// A grader's files as they lie there, and the controls in them.
struct Today {
    file: GraderFile,
    files: Files,
    controls: Vec<Control>,
}

impl Today {
    fn read(registry: &Registry, name: &GraderName) -> Result<Self, Failure> {
        let file = registry.file(name)?;
        let files = Files::in_repository(registry.register.repository(), &file)?;
        let controls = rerun::asked(&files, Path::new(&file.controls))?.controls;
        Ok(Self { file, files, controls })
    }

    fn run(
        &self,
        registry: &Registry,
        (digest, component): (Digest, &[u8]),
        ids: &BTreeSet<ControlId>,
    ) -> Result<Rerun, Failure> {
        let terms = Terms::registered(&self.file, &registry.policy);
        let asked = rerun::asked(&self.files, Path::new(&self.file.controls))?;
        rerun::rerun((&rerun::called(digest), component), asked, ids, &terms)
    }
}

/// The failures found in use that a run has wrong, whatever kind of control holds them: none of them is averaged away.
///
/// # Errors
/// When there is no such grader.
pub fn wrong_in(registry: &Registry, name: &GraderName, run: &Run) -> Result<Vec<String>, Failure> {
    let chain = &registry.books(name)?.main;
    let kept = model::contents(chain, &withdrawn(registry, chain));
    let controls = &run.started.controls;
    let wrong = score::wrong(run).filter(|place| kept.contains(&controls[*place].content));
    Ok(wrong.map(|place| controls[place].id.to_string()).collect())
}

/// How many failures a grader's ledger keeps, and how many of them nothing guards any more.
///
/// Controls that cannot be read guard nothing.
///
/// # Errors
/// When there is no such grader, or its files cannot be read.
pub fn counts(registry: &Registry, name: &GraderName) -> Result<FailureCounts, Failure> {
    let chain = &registry.books(name)?.main;
    if !model::keeps(chain) {
        return Ok(FailureCounts::default());
    }
    let controls = match Today::read(registry, name) {
        Err(Failure::Read(_)) => Vec::new(),
        today => today?.controls,
    };
    // How many are guarded is not counted here.
    let checked = Checked { withdrawn: withdrawn(registry, chain), guards: BTreeSet::new() };
    let all = model::failures(chain, &controls, &BTreeMap::new(), &checked);
    let of = |wanted: &dyn Fn(State) -> bool| all.iter().filter(|it| wanted(it.state)).count();
    let kept = of(&|state| state != State::Withdrawn) as u64;
    let missing = of(&|state| state == State::Missing) as u64;
    Ok(FailureCounts { kept, missing })
}

/// A grader's failures: their controls are run on the component that lies there today.
///
/// # Errors
/// When there is no such grader, or its controls cannot be read; with exit code 5 when something that its ledger
/// names is damaged.
pub fn grader(registry: &Registry, name: &GraderName) -> Result<GraderFailures, Failure> {
    let chain = &registry.books(name)?.main;
    let today = Today::read(registry, name)?;
    let component = today.files.digests().component;
    let checked = checked(registry, chain)?;
    let of =
        |judged: &BTreeMap<_, Judged>| model::failures(chain, &today.controls, judged, &checked);
    let ids = to_run(&of(&BTreeMap::new()));
    let run = match ids.is_empty() {
        true => Ok(BTreeMap::new()),
        false => {
            today.run(registry, (component, &today.files.component), &ids).map(|rerun| rerun.judged)
        }
    };
    let (judged, not_run) = match run {
        Ok(judged) => (judged, None),
        Err(failure) => (BTreeMap::new(), Some(failure.to_string())),
    };
    let mut failures = of(&judged);
    for at in failures.iter_mut().filter_map(|it| it.at.as_mut()) {
        at.file = format!("{}/{}", today.file.controls, at.file);
    }
    let lost = lost(registry, name)?;
    Ok(GraderFailures { grader: name.clone(), component, not_run, failures, lost })
}

/// The controls that have to be run for it to be known how failures stand.
fn to_run(failures: &[Found]) -> BTreeSet<ControlId> {
    let run = |it: &&Found| !matches!(it.state, State::Missing | State::Withdrawn);
    failures.iter().filter(run).map(|it| it.control.clone()).collect()
}

/// What a grader had and lost, and what rested on it.
fn lost(registry: &Registry, name: &GraderName) -> Result<Option<Lost>, Failure> {
    let (authority, _) = registry.authority(name)?;
    let Some(promoted_to) = authority.promoted_to.filter(|_| authority.is_stale()) else {
        return Ok(None);
    };
    let books = registry.books(name)?;
    let entry = authority.by_entry.and_then(|seq| books.main.entry(seq));
    let promoted_at = entry.map(|entry| entry.at());
    let component = entry.and_then(|entry| match entry.payload() {
        Payload::Promoted(it) => Some(it.component),
        _ => None,
    });
    let (rested, unread) = rested(registry, name, component)?;
    Ok(Some(Lost {
        promoted_to,
        by_entry: authority.by_entry,
        promoted_at,
        reasons: authority.reasons.iter().map(accredit_core::authority::Reason::text).collect(),
        rested,
        unread,
    }))
}

/// The gate results in which this component could block, whenever it was promoted, by name; and how many there are that
/// cannot be read: any of them may have rested on it.
fn rested(
    registry: &Registry,
    name: &GraderName,
    component: Option<Digest>,
) -> Result<(Vec<String>, u64), Failure> {
    let (mut rested, mut unread) = (Vec::new(), 0);
    for result in registry.register.names(place::GATES)? {
        let within = format!("{}/{result}", place::GATES);
        let bytes = registry.register.read(&within, LONGEST_REPORT)?.unwrap_or_default();
        let Ok(report) = serde_json::from_slice::<GateReport>(&bytes) else {
            unread += 1;
            continue;
        };
        let is = |digest| component.is_none_or(|component| component == digest);
        let mut graders = report.graders.iter();
        if graders.any(|it| it.name == *name && it.may_block && is(it.digest)) {
            rested.push(result);
        }
    }
    Ok((rested, unread))
}

/// What came of guarding one failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guarding {
    /// The control told this old component from today's; the entry that says so.
    Guarded(Digest, u64),
    /// It catches none of so many components in the store.
    CatchesNothing(usize),
}

/// A register in which failures are being guarded.
struct Guards<'a> {
    writing: &'a mut Writing,
    registry: &'a Registry,
    name: &'a GraderName,
    today: Today,
    /// Today's component.
    passes: Digest,
}

/// Runs the control of each failure that is fixed on the components that failed and on today's, all from the store,
/// and enters those that it tells apart.
///
/// # Errors
/// As [`grader`], and when the register cannot be written.
pub fn guard(
    writing: &mut Writing,
    registry: &Registry,
    failures: &GraderFailures,
) -> Result<Vec<(ControlId, Guarding)>, Failure> {
    let fixed: Vec<_> = failures.failures.iter().filter(|it| it.state == State::Fixed).collect();
    if fixed.is_empty() {
        return Ok(Vec::new());
    }
    let name = &failures.grader;
    let today = Today::read(registry, name)?;
    for object in today.files.objects() {
        writing.put(&object)?;
    }
    let passes = Digest::of(&today.files.component);
    let mut guards = Guards { writing, registry, name, today, passes };
    let ids = fixed.iter().map(|it| it.control.clone()).collect();
    let Some(new) = guards.run(passes, &ids)? else { return Ok(Vec::new()) };
    let mut done = Vec::new();
    for failure in fixed {
        if new.judged.get(&failure.control).is_some_and(|it| it.right) {
            done.push((failure.control.clone(), guards.guard(failure, &new)?));
        }
    }
    Ok(done)
}

impl Guards<'_> {
    /// Looks for a component that the control of a failure catches, and enters what was found.
    fn guard(&mut self, failure: &Found, new: &Rerun) -> Result<Guarding, Failure> {
        let ids = BTreeSet::from([failure.control.clone()]);
        let mut tried = 0;
        for catches in self.suspects(failure)? {
            let Some(old) = self.run(catches, &ids)? else { continue };
            tried += 1;
            if old.judged.get(&failure.control).is_some_and(|it| it.is_caught()) {
                let entry = self.enter(failure, (catches, &old), new)?;
                return Ok(Guarding::Guarded(catches, entry));
            }
        }
        Ok(Guarding::CatchesNothing(tried))
    }

    /// The components that may have failed: those it was seen with, then all others that the ledger knows, the
    /// last ones first.
    fn suspects(&self, failure: &Found) -> Result<Vec<Digest>, Failure> {
        let known = components(self.registry, self.name)?;
        let known = known.into_iter().map(|(component, _)| component);
        let mut suspects = Vec::new();
        for component in failure.components.iter().copied().chain(known) {
            if component != self.passes && !suspects.contains(&component) {
                suspects.push(component);
            }
        }
        Ok(suspects)
    }

    /// Runs controls on a component from the store; absent, with a note, where it is not there or cannot be run.
    fn run(&self, digest: Digest, ids: &BTreeSet<ControlId>) -> Result<Option<Rerun>, Failure> {
        let Some(bytes) = self.writing.objects().find(digest)? else {
            terminal::note(&format!("component {} is not in the store", digest.short()));
            return Ok(None);
        };
        match self.today.run(self.registry, (digest, &bytes), ids) {
            Ok(rerun) => Ok(Some(rerun)),
            Err(failure) => {
                terminal::note(&format!("cannot be run: {failure}"));
                Ok(None)
            }
        }
    }

    fn enter(
        &mut self,
        failure: &Found,
        (catches, old): (Digest, &Rerun),
        new: &Rerun,
    ) -> Result<u64, Failure> {
        for rerun in [old, new] {
            self.writing.put(&rerun.evidence.lines)?;
        }
        let (caught, passed) = (old.evidence.record, new.evidence.record);
        let (control, content) = (failure.control.clone(), failure.content);
        let passes = self.passes;
        let guarded = FailureNote::Guarded { control, content, catches, passes, caught, passed };
        let noted = Noted {
            v: V1,
            grader: self.name.clone(),
            at: self.registry.now,
            text: Untrusted::new("its control tells two components apart"),
            corrects: None,
            lifts: None,
            failure: Some(guarded),
        };
        let payload = Payload::Noted(noted).to_json();
        Ok(self.writing.append(&payload, &[], self.registry.now)?.seq)
    }
}
