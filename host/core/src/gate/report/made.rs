//! The report of a gate, from what was combined.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    FORMAT, Gate, GateFault, GateGraderLine, GateReport, InventoryLine, PolicyLine, REACH,
};
use crate::assess::Known;
use crate::gate::combine::{CaseResult, Combined, Evidence, Failed, combine};
use crate::gate::evidence_grade::of_gate;
use crate::gate::false_block::{FalseBlock, false_block};
use crate::gate::inventory::Inventory;
use crate::gate::judged::GateGrader;
use crate::gate::persons::{
    Asking, Choice, Decided, NotCounted, applied, decided, what_is_decided,
};
use crate::gate::profile::Profile;
use crate::gate::record::SutRun;
use crate::gate::release::{Release, release};
use crate::gate::settlement::Settled;
use crate::gate::standing::{Standing, Truth};
use crate::gate::status::{Approval, Statuses};
use crate::gate::summary::Summary;
use crate::gate::texts::texts;
use crate::gate::trials::trials;
use crate::gate::versions::versions;
use crate::id::{Digest, RunId};
use crate::stats::correction::{Corrected, corrected_share};
use crate::stats::interval::Count;
use crate::verdict::GraderKind;

/// Everything that is wrong with what was given.
pub(super) fn faults(gate: Gate<'_>) -> Vec<GateFault> {
    let whole = gate.profiles.iter().fold(gate.inventory.clone(), |it, of| of.applied_to(&it));
    let mut faults: Vec<GateFault> = whole.faults().into_iter().map(GateFault::Inventory).collect();
    faults.extend(gate.runs.iter().flat_map(SutRun::faults).map(GateFault::Record));
    faults.extend(gate.profiles.iter().flat_map(Profile::faults).map(GateFault::Profile));
    let mut seen = BTreeSet::new();
    let twice = gate.runs.iter().filter(|run| !seen.insert(&run.id));
    faults.extend(twice.map(|run| GateFault::TwoRecords(run.id.clone())));
    let mut seen = BTreeMap::new();
    for run in gate.runs {
        if let Some(first) = seen.insert((&run.case, run.run), &run.id).filter(|it| **it != run.id)
        {
            let (case, number) = (run.case.clone(), run.run);
            faults.push(GateFault::SameRun { case, number, runs: [first.clone(), run.id.clone()] });
        }
    }
    let mut seen = BTreeSet::new();
    let twice = gate.graders.iter().filter(|grader| !seen.insert(grader.name()));
    faults.extend(twice.map(|grader| GateFault::TwoGraders(grader.name().clone())));
    faults
}

/// The report of a gate whose parts are sound.
pub(super) fn report(gate: Gate<'_>) -> GateReport {
    let whole = |inventory, profile: &Profile| profile.applied_to(&inventory);
    let inventory = gate.profiles.iter().fold(gate.inventory.clone(), whole);
    let given = Evidence {
        inventory: &inventory,
        runs: gate.runs,
        graders: gate.graders,
        judgements: gate.judgements,
    };
    let mut combined = combine(given);
    let evidence = of_gate(given, gate.inventory, &combined.cases);
    let (asked, confidence) = (&gate.policy.gate, gate.policy.confidence);
    let chance = false_block(&combined.decisions, gate.graders, asked.max_false_block, confidence);
    pend(&mut combined, &chance);
    let blocking: Vec<&CaseResult> = can_block(&combined.cases);
    let summary = Summary::of(blocking.iter().copied());
    let gating = gate.graders.iter().any(GateGrader::may_block);
    let release = release(&summary, &combined.blocking, asked, gating);
    let heard = heard((gate, inventory.digest()), &combined, release, &summary);
    let (trials, versions) = (trials(&blocking, confidence), versions(gate.runs, &blocking));
    let corrected = corrected(gate, &combined, &blocking);
    let weighted = gate.profiles.iter().map(|it| it.weigh(&combined.decided)).collect();
    approve(&mut combined, &heard);
    let Lists { blocking: failing, let_go, tolerated } = apart(&mut combined, &heard);
    let failed = failing.iter().chain(&let_go).chain(&tolerated).chain(&combined.advisory);
    let texts = texts(failed, gate.runs, gate.graders);
    let by_run = |wanted: fn(&SutRun) -> bool| {
        gate.runs.iter().filter(|run| wanted(run)).map(|run| run.id.clone()).collect()
    };
    GateReport {
        format: FORMAT,
        now: gate.now,
        policy: PolicyLine {
            digest: gate.policy_digest,
            version: gate.policy.version,
            confidence,
            gate: *asked,
        },
        inventory: inventory_line(gate),
        graders: gate.graders.iter().map(|grader| line(grader, &combined)).collect(),
        stale: gate.graders.iter().filter(|it| it.is_stale()).map(|it| it.name().clone()).collect(),
        summary,
        statuses: statuses(&combined.cases),
        purposes: purposes(&combined.cases),
        decides: heard.decides,
        decided: heard.decided,
        not_counted: heard.not_counted,
        blocking: failing,
        let_go,
        texts,
        tolerated,
        advisory: combined.advisory,
        not_evaluated: combined.open,
        evidence,
        false_block: chance,
        trials,
        versions,
        cost_unit: inventory.cost_unit,
        corrected,
        weighted,
        settled: Settled::new(gate.runs, gate.book, gate.now),
        calls: gate.runs.iter().map(calls).filter(|(_, calls)| !calls.is_empty()).collect(),
        with_corrections: by_run(|run| !run.corrections.is_empty()),
        not_selected: not_selected(gate.inventory, gate.runs),
        cases: combined.cases,
        reach: REACH.to_owned(),
        release: heard.release,
    }
}

fn can_block(cases: &[CaseResult]) -> Vec<&CaseResult> {
    cases.iter().filter(|case| case.purpose.blocks()).collect()
}

/// Marks what judges block, where this gate may too easily be wrong.
fn pend(combined: &mut Combined, chance: &FalseBlock) {
    for failed in &mut combined.blocking {
        failed.pending_person = chance.past && failed.kind == GraderKind::Judge;
    }
}

/// What the release comes to once persons were heard.
struct AfterWords {
    release: Release,
    /// Whether it was blocked before.
    was_blocked: bool,
    decides: Digest,
    decided: Option<Decided>,
    not_counted: Vec<NotCounted>,
    let_go: bool,
}

fn heard(
    (gate, inventory): (Gate<'_>, Digest),
    combined: &Combined,
    release: Release,
    summary: &Summary,
) -> AfterWords {
    let (cases, blocking) = (&combined.cases, &combined.blocking);
    let decides = what_is_decided(gate.policy_digest, inventory, gate.graders, cases, blocking);
    let promoters = &gate.policy.sign_off.promoters;
    let authors = gate.graders.iter().map(|it| (it.name().clone(), it.authors.clone())).collect();
    let asking = Asking { decides, promoters, authors: &authors, now: gate.now };
    let (decided, not_counted) = decided(gate.words, asking);
    let goes = decided.as_ref().is_some_and(|it| it.choice == Choice::Release);
    let let_go = goes && release.pending_person;
    let was_blocked = release.verdict == Truth::False;
    let release = applied(release, decided.as_ref(), summary.not_evaluated);
    AfterWords { release, was_blocked, decides, decided, not_counted, let_go }
}

/// Marks what a person approved: what was let go, or where nothing had to be, everything.
fn approve(combined: &mut Combined, heard: &AfterWords) {
    let approval = Approval::of(heard.decided.as_ref(), heard.release.verdict);
    let let_go: BTreeSet<_> = combined.blocking.iter().map(|it| it.case.clone()).collect();
    for case in &mut combined.cases {
        let is = !heard.let_go || let_go.contains(&case.case);
        case.approved = approval.clone().filter(|_| is);
    }
}

/// The failures that decide, by what becomes of them.
struct Lists {
    blocking: Vec<Failed>,
    let_go: Vec<Failed>,
    tolerated: Vec<Failed>,
}

/// The failures that block, those that a person let go, and those that the policy leaves room for.
fn apart(combined: &mut Combined, heard: &AfterWords) -> Lists {
    let mut all = std::mem::take(&mut combined.blocking);
    if !heard.release.pending_person {
        // Nobody is waited for: a person has spoken, or it would change nothing.
        all.iter_mut().for_each(|failed| failed.pending_person = false);
    }
    if heard.let_go {
        return Lists { blocking: Vec::new(), let_go: all, tolerated: Vec::new() };
    }
    let (blocking, tolerated) =
        all.into_iter().partition(|failed| heard.was_blocked || failed.serious.is_some());
    Lists { blocking, let_go: Vec::new(), tolerated }
}

fn inventory_line(gate: Gate<'_>) -> InventoryLine {
    let adding = gate.profiles.iter().filter(|profile| !profile.adds.is_empty());
    InventoryLine {
        digest: gate.inventory.digest(),
        selection: gate.inventory.selection.clone(),
        cases: gate.inventory.cases.len() as u64,
        runs: gate.inventory.cases.iter().map(|it| it.runs.len() as u64).sum(),
        profiles: adding.map(|profile| profile.name.clone()).collect(),
    }
}

fn line(grader: &GateGrader, combined: &Combined) -> GateGraderLine {
    GateGraderLine {
        name: grader.name().clone(),
        version: grader.manifest.version.clone(),
        digest: grader.digest,
        kind: grader.kind,
        tier: grader.tier,
        promoted_to: grader.promoted_to,
        may_block: grader.may_block(),
        stale: grader.is_stale(),
        reasons: grader.reasons.clone(),
        catch: grader.catch,
        pass: grader.pass,
        decisions: combined.decisions.get(grader.name()).copied().unwrap_or(0),
    }
}

fn purposes(cases: &[CaseResult]) -> BTreeMap<String, Summary> {
    let mut standings: BTreeMap<String, Vec<Standing>> = BTreeMap::new();
    for case in cases {
        standings.entry(case.purpose.name().to_owned()).or_default().push(case.standing);
    }
    standings.into_iter().map(|(purpose, of)| (purpose, Summary::count(of))).collect()
}

fn statuses(cases: &[CaseResult]) -> Statuses {
    Statuses::count(cases.iter().map(|case| (case.status, case.approved.is_some())))
}

fn calls(run: &SutRun) -> (RunId, Vec<(crate::untrusted::Untrusted, u64)>) {
    (run.id.clone(), run.calls().into_iter().collect())
}

fn not_selected(inventory: &Inventory, runs: &[SutRun]) -> Vec<RunId> {
    let selected: BTreeSet<_> = inventory.cases.iter().flat_map(|case| &case.runs).collect();
    let mut others: Vec<_> =
        runs.iter().filter(|run| !selected.contains(&run.id)).map(|run| run.id.clone()).collect();
    others.sort();
    others
}

/// The share of good outputs among the first runs, corrected for the errors of the one grader that decides.
fn corrected(gate: Gate<'_>, combined: &Combined, cases: &[&CaseResult]) -> Known<Corrected> {
    let mut deciding = combined.decisions.keys();
    let (Some(name), None) = (deciding.next(), deciding.next()) else {
        return Known::absent(
            "not one grader alone decides, and only one grader's errors can be corrected for",
        );
    };
    let grader = gate.graders.iter().find(|grader| grader.name() == name);
    let Some((catch, pass)) = grader.and_then(|grader| grader.catch.zip(grader.pass)) else {
        return Known::absent("the grader's errors were not measured on outputs drawn at random");
    };
    if !gate.inventory.selection.is_probability_sample() {
        return Known::absent("the cases are no probability sample: their selection has no seed");
    }
    let first = || cases.iter().filter_map(|case| case.runs.first());
    if first().any(|run| run.steps.len() > 1) {
        return Known::absent(
            "the grader's errors are known for one output, and cases have several steps",
        );
    }
    let of =
        |wanted: fn(Standing) -> bool| first().filter(|run| wanted(run.standing)).count() as u64;
    let good = Count::new(of(|it| it == Standing::Passed), of(Standing::is_verdicted));
    corrected_share(good, catch, pass, gate.policy.confidence).into()
}
