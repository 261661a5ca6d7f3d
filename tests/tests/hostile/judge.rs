//! What the host makes of a hostile grader, compared with what its folder says.

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::case::Case;
use accredit_core::findings::{Enforced, Fault, Outcome, enforce};
use accredit_core::manifest::{Manifest, Rule};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::{Scope, Verdict};
use accredit_engine::{CacheConfig, Compiler, Engine, Grader, Limits, Settings, Trial, TrialInput};
use accredit_tests::accredit;
use tempfile::TempDir;

use crate::folder::{Chosen, Expect, Expected, Folder, Violated};

/// 2026-01-01, and what a trial's clock says otherwise.
const CLOCK: u64 = 1_767_225_600;

/// A host that judges one grader after the other, and the honest one it must judge right in between.
pub(crate) struct Host {
    home: TempDir,
    shipped: Engine,
    case: Case,
    honest: Grader,
}

/// What does not agree with the folder.
#[derive(Debug, Default)]
pub(crate) struct Problems(pub(crate) Vec<String>);

impl Problems {
    fn unless(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.0.push(what());
        }
    }

    fn contains(&mut self, texts: &[String], all: &str, of: &str) {
        for text in texts {
            self.unless(all.contains(text.as_str()), || {
                let head: String = all.chars().take(2_000).collect();
                format!("{of}: {text:?} is not in {head:?}")
            });
        }
    }
}

impl Host {
    /// A host with the shipped limits.
    pub(crate) fn new(case: &Case, honest: &[u8]) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let shipped = engine(&home, Limits::default());
        let honest = shipped.load(honest).expect("lenient-answer loads");
        Self { home, shipped, case: case.blinded(), honest }
    }

    /// Loads a folder's grader and gives it the case, and says what is not as its folder has it.
    pub(crate) fn judge(&self, folder: &Folder) -> Problems {
        let mut problems = Problems::default();
        let component = folder.component();
        let own = folder.has_own_limits().then(|| engine(&self.home, folder.limits()));
        let engine = own.as_ref().unwrap_or(&self.shipped);
        let expect = &folder.expect;
        match (engine.load(&component), engine.load(&component)) {
            (Ok(grader), Ok(again)) => {
                problems.unless(grader.manifest() == again.manifest(), || {
                    "it says something else of itself in the second load".to_owned()
                });
                self.trials(&grader, expect, &mut problems);
            }
            (Err(error), Err(again)) => {
                problems.unless(is_same_refusal(&error.to_string(), &again.to_string()), || {
                    format!("{error}, and in the second load {again}")
                });
                outcome_is(expect, Expected::LoadError, &error, &mut problems);
                problems.contains(&expect.says, &error.to_string(), "the load error");
                let words = error.to_string();
                problems.unless(words.len() <= 10_000, || {
                    format!("the load error has {} bytes", words.len())
                });
            }
            (one, other) => problems.0.push(format!("loads differ: {one:?}, {other:?}")),
        }
        problems.0.extend(self.honest_is_judged_right());
        problems
    }

    /// What is wrong with the judgement of the honest grader.
    pub(crate) fn honest_is_judged_right(&self) -> Option<String> {
        let trial = self.trial(&self.honest, 1, CLOCK);
        let enforced = enforce(self.honest.manifest(), &self.case, trial.outcome);
        let verdicts = verdicts(&enforced);
        let right = verdicts.len() == self.honest.manifest().rules.len()
            && verdicts.values().all(|verdict| *verdict == [Verdict::Pass]);
        (!right).then(|| format!("the honest grader after it: {enforced:?}"))
    }

    fn trial(&self, grader: &Grader, seed: u8, clock_unix_s: u64) -> Trial {
        grader.trial(&TrialInput { case: &self.case, seed: [seed; 32], clock_unix_s })
    }

    fn trials(&self, grader: &Grader, expect: &Expect, problems: &mut Problems) {
        let first = self.trial(grader, 1, CLOCK);
        let again = self.trial(grader, 1, CLOCK);
        problems.unless(seen(&first) == seen(&again), || {
            format!("two trials alike came out as {:?} and {:?}", seen(&first), seen(&again))
        });
        for (chosen, other) in [
            (Chosen::Seed, self.trial(grader, 2, CLOCK)),
            (Chosen::Clock, self.trial(grader, 1, CLOCK + 1)),
        ] {
            let follows = format!("{:?}", first.outcome) != format!("{:?}", other.outcome);
            problems.unless(follows == expect.follows.contains(&chosen), || {
                format!("follows the {chosen:?}: {follows}")
            });
        }
        let said = words(&first.outcome);
        problems.contains(&expect.says, &said, "it says");
        problems.contains(&expect.captured, first.captured.raw(), "it wrote");
        problems.unless(first.captured_truncated == expect.captured_truncated, || {
            format!("captured_truncated: {}", first.captured_truncated)
        });
        problems.unless(first.inert == expect.inert, || format!("inert: {:?}", first.inert));
        match &first.outcome {
            Outcome::Graded(_) => outcome_is(expect, Expected::Graded, &said, problems),
            Outcome::Refused(_) => outcome_is(expect, Expected::Refused, &said, problems),
            Outcome::Fault(fault) => fault_is(expect, fault, problems),
        }
        let manifest = grader.manifest();
        enforced_is(expect, manifest, &self.case, first.outcome, problems);
    }
}

/// An engine as the binary sets it up: components are compiled in a child, and kept.
fn engine(home: &TempDir, limits: Limits) -> Engine {
    let cache =
        CacheConfig { dir: home.path().join("cache"), key_file: home.path().join("cache.key") };
    let compiler = Compiler::Child { program: accredit(), args: vec!["compile-child".into()] };
    Engine::new(&Settings { limits, cache: Some(cache), compiler, jobs: 1 }).expect("an engine")
}

/// All of a trial that must be the same when it is repeated.
fn seen(trial: &Trial) -> String {
    let Trial { outcome, fuel, memory_bytes, inert, captured, captured_truncated, .. } = trial;
    format!("{:?}", (outcome, fuel, memory_bytes, inert, captured, captured_truncated))
}

fn outcome_is(
    expect: &Expect,
    outcome: Expected,
    said: &dyn std::fmt::Debug,
    problems: &mut Problems,
) {
    problems.unless(expect.outcome == outcome, || {
        let said: String = format!("{said:?}").chars().take(500).collect();
        format!("{outcome:?}: {said}")
    });
}

fn fault_is(expect: &Expect, fault: &Fault, problems: &mut Problems) {
    let right = expect.outcome == Expected::Fault
        && expect.fault == Some(fault.kind)
        && expect.machine_dependent == fault.machine_dependent;
    problems.unless(right, || format!("{fault:?}"));
}

/// All that a grader says in an outcome.
fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Graded(findings) => {
            findings.iter().map(|finding| finding.rationale.raw()).collect::<Vec<_>>().join("\n")
        }
        Outcome::Refused(refusal) => refusal.message.raw().to_owned(),
        Outcome::Fault(fault) => fault.detail.raw().to_owned(),
    }
}

/// What stands after the host's rules were applied: one verdict for every rule, and no more.
fn enforced_is(
    expect: &Expect,
    manifest: &Manifest,
    case: &Case,
    outcome: Outcome,
    problems: &mut Problems,
) {
    let enforced = enforce(manifest, case, outcome);
    let mut violations: BTreeMap<Violated, usize> = BTreeMap::new();
    for violation in &enforced.violations {
        *violations.entry(Violated(violation.kind)).or_default() += 1;
    }
    problems.unless(violations == expect.violations, || format!("violations: {violations:?}"));
    let found = verdicts(&enforced);
    let owed: BTreeSet<String> = manifest.rules.iter().flat_map(|rule| slots(rule, case)).collect();
    let settled: BTreeSet<String> = found.keys().cloned().collect();
    problems.unless(owed == settled, || format!("verdicts for {settled:?}, owed {owed:?}"));
    for (slot, verdicts) in &found {
        let right = expect.verdicts.get(slot).copied().unwrap_or(Verdict::Unproven);
        problems.unless(*verdicts == [right], || format!("{slot}: {verdicts:?}"));
    }
    for named in expect.verdicts.keys() {
        problems.unless(found.contains_key(named), || format!("{named}: no such rule"));
    }
}

/// The verdicts of each rule, or of each rule and claim.
fn verdicts(enforced: &Enforced) -> BTreeMap<String, Vec<Verdict>> {
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    if let Outcome::Graded(findings) = &enforced.outcome {
        for finding in findings {
            let slot = slot(finding.rule.raw(), finding.claim.as_ref().map(Untrusted::raw));
            verdicts.entry(slot).or_default().push(finding.verdict);
        }
    }
    for imposed in &enforced.imposed {
        let slot = slot(imposed.rule.as_str(), imposed.claim.as_ref().map(Untrusted::raw));
        verdicts.entry(slot).or_default().push(Verdict::Unproven);
    }
    verdicts
}

fn slots(rule: &Rule, case: &Case) -> Vec<String> {
    let id = rule.id.as_str();
    match rule.scope {
        Scope::Output => vec![slot(id, None)],
        Scope::EachClaim => case.claims.iter().map(|claim| slot(id, Some(&claim.id))).collect(),
    }
}

fn slot(rule: &str, claim: Option<&str>) -> String {
    claim.map_or_else(|| rule.to_owned(), |claim| format!("{rule}/{claim}"))
}

/// Whether two loads were refused alike. Which of the compiler's two bounds a bomb meets first, time or
/// memory, depends on the machine.
fn is_same_refusal(one: &str, other: &str) -> bool {
    let bounded = |words: &str| words.contains("compiling needed more than");
    one == other || (bounded(one) && bounded(other))
}
