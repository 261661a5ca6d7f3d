//! Small gates for tests.

use crate::findings::{Finding, Outcome};
use crate::gate::inventory::{self, Check, Inventory, Selected, Selection};
use crate::gate::judged::{GateGrader, Judgement};
use crate::gate::persons::Heard;
use crate::gate::profile::Profile;
use crate::gate::record::{self, Purpose, Ran, Stated, Step, SutRun};
use crate::gate::report::{Gate, GateReport};
use crate::gate::settlement::Book;
use crate::gate::standing::Truth;
use crate::id::Digest;
use crate::ledger::Moment;
use crate::manifest::{RawManifest, RawRule};
use crate::policy::Policy;
use crate::stats::interval::Count;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, RuleTier, Scope, Tier, Verdict};

pub(super) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("a valid id")
}

pub(super) fn at(text: &str) -> Moment {
    text.parse().expect("a moment")
}

/// Everything that a gate is a function of, to be changed by a test.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) inventory: Inventory,
    pub(super) runs: Vec<SutRun>,
    pub(super) graders: Vec<GateGrader>,
    pub(super) judgements: Vec<Judgement>,
    pub(super) profiles: Vec<Profile>,
    pub(super) policy: Policy,
    pub(super) words: Vec<Heard>,
    pub(super) book: Book,
}

impl World {
    pub(super) fn gate(&self) -> Gate<'_> {
        Gate {
            inventory: &self.inventory,
            runs: &self.runs,
            graders: &self.graders,
            judgements: &self.judgements,
            profiles: &self.profiles,
            words: &self.words,
            book: &self.book,
            policy: &self.policy,
            policy_digest: Digest::of(b"policy"),
            now: at("2026-11-30T22:00:00Z"),
        }
    }

    pub(super) fn report(&self) -> GateReport {
        GateReport::new(self.gate()).expect("sound evidence")
    }

    pub(super) fn verdict(&self) -> Truth {
        self.report().release.verdict
    }

    /// Adds a grader of one rule that says this of every step, and a check by it.
    pub(super) fn add(&mut self, name: &str, tier: RuleTier, authority: Tier, says: Verdict) {
        self.graders.push(grader(name, &[("r", tier, Scope::Output)], authority));
        self.inventory.checks.push(check(name));
        for run in &self.runs {
            for step in &run.steps {
                let said = judgement(name, run.id.as_str(), step.id.as_str(), &[("r", None, says)]);
                self.judgements.push(said);
            }
        }
    }
}

/// A gate over these cases, each with the verdicts that the essential rule `r` of grader `g` (code, gating) gives to
/// the one step of its runs `c-1`, `c-2` and so on.
pub(super) fn world(cases: &[(&str, &[Verdict])]) -> World {
    let mut world = World {
        inventory: Inventory {
            format: inventory::FORMAT,
            selection: Selection { rule: "all of them".into(), seed: Some(7), of: None },
            written_at: None,
            cost_unit: "USD".into(),
            checks: vec![check("g")],
            cases: vec![],
        },
        runs: vec![],
        graders: vec![grader("g", &[("r", RuleTier::Essential, Scope::Output)], Tier::Gating)],
        judgements: vec![],
        profiles: vec![],
        policy: Policy::default(),
        words: vec![],
        book: Book::default(),
    };
    for (case, verdicts) in cases {
        let runs: Vec<String> = (1..=verdicts.len()).map(|n| format!("{case}-{n}")).collect();
        for ((number, run), verdict) in (1..).zip(&runs).zip(*verdicts) {
            world.runs.push(sut_run(case, number, &["s"]));
            world.judgements.push(judgement("g", run, "s", &[("r", None, *verdict)]));
        }
        world.inventory.cases.push(Selected {
            case: id(case),
            purpose: Purpose::Acceptance,
            runs: runs.iter().map(|run| id(run)).collect(),
            steps: vec![id("s")],
            checks: vec![],
        });
    }
    world
}

pub(super) fn check(grader: &str) -> Check {
    Check {
        grader: id(grader),
        rules: vec![],
        steps: vec![],
        serious: None,
        evidence: None,
        evaluates: None,
    }
}

pub(super) fn grader(name: &str, rules: &[(&str, RuleTier, Scope)], tier: Tier) -> GateGrader {
    let rule = |(rule, tier, scope): &(&str, RuleTier, Scope)| RawRule {
        id: (*rule).into(),
        text: String::new(),
        tier: *tier,
        scope: *scope,
        needs: vec![],
    };
    let manifest = RawManifest {
        name: name.into(),
        version: "1".into(),
        rubric: "example".into(),
        rules: rules.iter().map(rule).collect(),
        extra: String::new(),
    };
    GateGrader {
        manifest: manifest.check().expect("a sound manifest"),
        digest: Digest::of(name.as_bytes()),
        kind: GraderKind::Code,
        tier,
        promoted_to: Some(tier),
        reasons: vec![],
        chain: vec![],
        catch: None,
        pass: Some(Count::new(99, 100)),
        authors: vec![],
    }
}

pub(super) fn judgement(
    grader: &str,
    run: &str,
    step: &str,
    said: &[(&str, Option<&str>, Verdict)],
) -> Judgement {
    let finding = |(rule, claim, verdict): &(&str, Option<&str>, Verdict)| Finding {
        rule: Untrusted::new(*rule),
        claim: claim.map(Untrusted::new),
        verdict: *verdict,
        rationale: Untrusted::new(format!("{rule}: {verdict}")),
        citations: vec![],
        score: None,
        extra: Untrusted::default(),
    };
    Judgement {
        grader: id(grader),
        run: id(run),
        step: id(step),
        repeat: 0,
        outcome: Outcome::Graded(said.iter().map(finding).collect()),
        imposed: vec![],
        violations: vec![],
    }
}

pub(super) fn sut_run(case: &str, number: u32, steps: &[&str]) -> SutRun {
    SutRun {
        format: record::FORMAT,
        id: id(&format!("{case}-{number}")),
        case: id(case),
        run: number,
        purpose: Purpose::Acceptance,
        ran: Ran { code_version: "v1".into(), ..Ran::default() },
        started_at: Some(at("2026-11-01T00:00:00Z")),
        ended_at: Some(at("2026-11-01T00:01:00Z")),
        steps: steps.iter().map(|name| step(name)).collect(),
        expected: vec![],
        verification: None,
        context: String::new(),
        corrections: vec![],
        outcomes: vec![],
    }
}

pub(super) fn step(name: &str) -> Step {
    Step {
        id: id(name),
        task: "a task".into(),
        answer: Some("an answer".into()),
        answer_type: "text/plain".into(),
        reference: None,
        messages: None,
        artifacts: None,
        claims: None,
        documents: None,
        calls: None,
        effects: None,
        cost: Some(2.0),
        latency_ms: Some(100),
    }
}

pub(super) fn claim(name: &str, important: bool) -> Stated {
    Stated { id: name.into(), text: "a claim".into(), important, ..Stated::default() }
}
