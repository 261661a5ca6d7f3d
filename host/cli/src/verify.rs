//! A register verified: every grader run again from the store, several at a time, and every promise checked.
//!
//! What is read is read once, at the start. With a verifier's key each grader's outcome is appended to its ledger as
//! soon as it is known, so that a verification that is stopped loses nothing of what it had told.

mod entry;
mod evidence;
mod grader;
mod ledgers;
mod objects;
mod rerun;
mod sandbox;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Invariant, Moment};
use accredit_core::verification::{
    Breach, Check, GraderVerification, OF_GRADER, Part, RegisterState, Verification,
};

use crate::authority::Registry;
use crate::failure::Failure;
use crate::store::{Register, Writing};
use crate::{clock, render::words::counted, trust};

use self::entry::Recorder;
use self::ledgers::Ledgers;

/// What is verified, and how.
pub struct Ask<'a> {
    /// The root of the repository that holds the register.
    pub register: &'a Path,
    /// The digest of its root of trust.
    pub root_digest: Option<Digest>,
    /// The graders; all where none is named.
    pub names: &'a [GraderName],
    /// Folders of held-out controls, by the grader that they are for.
    pub held_out: &'a BTreeMap<GraderName, PathBuf>,
    /// The verifier's key: what came of it is appended to the ledgers.
    pub key: Option<&'a Path>,
    /// Trials at one time, of all graders together.
    pub jobs: NonZeroUsize,
    /// The part of the graders that is verified.
    pub part: Option<Part>,
}

/// Everything that the verification of one grader looks at.
struct Verifier<'a> {
    ask: &'a Ask<'a>,
    registry: &'a Registry,
    ledgers: &'a Ledgers,
    recorder: Option<Recorder<'a>>,
    /// Whether every check of the register as a whole held, as far as this part made them.
    register_holds: bool,
}

/// Verifies a register.
///
/// # Errors
/// When there is none, its policy cannot be read, or nothing can be run here. What is damaged is in the result.
pub fn verify(ask: &Ask<'_>) -> Result<Verification, Failure> {
    if ask.key.is_some() {
        pinned(ask)?;
        // What stopped commands left behind is mended before it is judged.
        drop(Writing::open(ask.register)?);
    }
    let register = Register::open(ask.register)?;
    let mut ledgers = Ledgers::read(&register)?;
    let asked = asked(ask, &ledgers)?;
    let ours: BTreeSet<_> = asked.iter().filter(|it| is_ours(ask, it)).cloned().collect();
    let books = ledgers.take();
    let latest = books.values().filter_map(|books| books.main.latest()).max();
    let now = clock::after(latest.filter(|_| ask.key.is_some()))?;
    let state_of = |registry: Option<&Registry>| state(registry, &register, &ledgers);
    match Registry::with(register.clone(), books, ask.root_digest, now) {
        Ok(registry) => {
            let state = state_of(Some(&registry))?;
            let (checks, graders) = sound(ask, &registry, &ledgers, (&asked, &ours))?;
            Ok(Verification::new(ask.part, state, asked, checks, graders))
        }
        Err(Failure::Integrity(fault)) => {
            let state = state_of(None)?;
            let checks =
                if is_first(ask) { distrusted(&fault, &asked, &register)? } else { Vec::new() };
            let told = |name: GraderName| {
                GraderVerification::damaged(name, "whose word counts in this register is not known")
            };
            let graders = ours.into_iter().map(told).collect();
            Ok(Verification::new(ask.part, state, asked, checks, graders))
        }
        Err(failure) => Err(failure),
    }
}

/// Without a pinned root everything would fail for want of it, and ledgers are no place for an operator's slip.
fn pinned(ask: &Ask<'_>) -> Result<(), Failure> {
    match trust::pinned(ask.root_digest)? {
        Some(_) => Ok(()),
        None => Err(Failure::Usage(format!(
            "--key appends what is found to the ledgers, and without a pinned root of trust nothing found counts: give --root-digest, or set {}",
            trust::ROOT_DIGEST
        ))),
    }
}

fn is_first(ask: &Ask<'_>) -> bool {
    ask.part.is_none_or(Part::is_first)
}

fn is_ours(ask: &Ask<'_>, name: &GraderName) -> bool {
    ask.part.is_none_or(|part| part.holds(name))
}

/// The graders that are to be verified, in all parts together.
fn asked(ask: &Ask<'_>, ledgers: &Ledgers) -> Result<BTreeSet<GraderName>, Failure> {
    let named = ask.names.iter().chain(ask.held_out.keys());
    if let Some(stranger) = named.into_iter().find(|name| !ledgers.names.contains(name)) {
        let known: Vec<_> = ledgers.names.iter().map(ToString::to_string).collect();
        let known = if known.is_empty() { "none is".to_owned() } else { known.join(", ") };
        return Err(Failure::Usage(format!(
            "`{stranger}` is not registered here. Registered: {known}. `accredit register` enters a grader"
        )));
    }
    match ask.names {
        [] => Ok(ledgers.names.clone()),
        names => Ok(names.iter().cloned().collect()),
    }
}

fn state(
    registry: Option<&Registry>,
    register: &Register,
    ledgers: &Ledgers,
) -> Result<RegisterState, Failure> {
    let root = registry.map(|it| &it.trust.root);
    let policy = match registry {
        Some(registry) => registry.policy.digest,
        None => crate::authority::policy(register.repository())?.digest,
    };
    Ok(RegisterState {
        root: root.and_then(|it| it.root()).map(|(digest, _)| digest),
        root_pinned: root.is_some_and(trust::RootState::is_pinned),
        policy,
        graders: ledgers.ends.clone(),
    })
}

/// The checks of a register whose trust is damaged.
fn distrusted(
    fault: &str,
    asked: &BTreeSet<GraderName>,
    register: &Register,
) -> Result<Vec<Check>, Failure> {
    let intact = Check::broke(Invariant::LedgerIntact, Breach::Integrity, fault);
    Ok(vec![any(asked), intact, sandbox::check(std::iter::empty())?, evidence::check(register)?])
}

/// A verification of nothing is none.
fn any(asked: &BTreeSet<GraderName>) -> Check {
    let invariant = Invariant::AbsenceIsNeverGreen;
    match asked.len() {
        0 => {
            Check::broke(invariant, Breach::NotMet, "no grader is registered: nothing was verified")
        }
        many => Check::held(invariant, format!("{} verified", counted(many as u64, "grader"))),
    }
}

/// The checks of a register whose trust is sound, and of its graders.
fn sound(
    ask: &Ask<'_>,
    registry: &Registry,
    ledgers: &Ledgers,
    (asked, ours): (&BTreeSet<GraderName>, &BTreeSet<GraderName>),
) -> Result<(Vec<Check>, Vec<GraderVerification>), Failure> {
    let recorder = ask.key.map(|key| Recorder::new(ask, registry, key)).transpose()?;
    let mut checks = Vec::new();
    if is_first(ask) {
        let limits = asked.iter().filter_map(|name| registry.file(name).ok()).map(|it| it.limits);
        checks.push(any(asked));
        checks.push(Check::held(Invariant::LedgerIntact, trusted(registry)));
        checks.push(sandbox::check(limits)?);
    }
    // A damaged report of a gate is no grader's fault: it keeps none from being verified.
    let register_holds = checks.iter().all(|check| check.held);
    if is_first(ask) {
        checks.push(evidence::check(&registry.register)?);
    }
    let verifier = Verifier { ask, registry, ledgers, recorder, register_holds };
    Ok((checks, verifier.all(ours)?))
}

/// What was checked of a register's trust.
fn trusted(registry: &Registry) -> String {
    let trust = &registry.trust;
    match (trust.root.root(), trust.root.is_pinned()) {
        (None, _) => "there is no root of trust".to_owned(),
        (Some((root, _)), false) => format!("root {}, pinned nowhere", root.short()),
        (Some((root, _)), true) => format!(
            "root {}, pinned; policy version {}, signers version {}",
            root.short(),
            trust.versions().policy,
            trust.versions().signers
        ),
    }
}

impl Verifier<'_> {
    /// Verifies these graders, several at a time; the jobs are shared out among those that are at work.
    fn all(&self, names: &BTreeSet<GraderName>) -> Result<Vec<GraderVerification>, Failure> {
        let queue: Mutex<VecDeque<&GraderName>> = Mutex::new(names.iter().collect());
        let workers = self.ask.jobs.get().min(names.len()).max(1);
        let work = |worker: usize| {
            let mut done = Vec::new();
            // What does not divide evenly goes to the first.
            let jobs = self.ask.jobs.get() / workers;
            let jobs = (jobs + usize::from(worker < self.ask.jobs.get() % workers)).max(1);
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                let Some(name) = next else { return Ok(done) };
                match self.grader(name, jobs) {
                    Ok(verified) => done.push(verified),
                    Err(failure) => {
                        queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
                        return Err(failure);
                    }
                }
            }
        };
        let results: Vec<Result<Vec<_>, Failure>> = thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> =
                (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        });
        let mut all = Vec::new();
        for result in results {
            all.extend(result?);
        }
        Ok(all)
    }

    /// Verifies one grader.
    fn grader(&self, name: &GraderName, jobs: usize) -> Result<GraderVerification, Failure> {
        if let Some(damage) = self.ledgers.damaged.get(name) {
            return Ok(GraderVerification::damaged(name.clone(), damage));
        }
        grader::Grader::new(self, name)?.verify(jobs)
    }

    fn now(&self) -> Moment {
        self.registry.now
    }
}

/// The check that every grader has.
fn intact(found: &[String], detail: String) -> Check {
    let [invariant] = OF_GRADER;
    match found {
        [] => Check::held(invariant, detail),
        found => Check::broke(invariant, Breach::Integrity, found.join("; ")),
    }
}
