//! What a gate found: the one model that every rendering reads.

mod made;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::combine::{CaseResult, Failed, Open};
use super::evidence_grade::EvidenceGrades;
use super::false_block::FalseBlock;
use super::inventory::{Inventory, InventoryFault, Selection};
use super::judged::{GateGrader, Judgement};
use super::persons::{Decided, Heard, NotCounted};
use super::profile::{Profile, ProfileFault, Weighted};
use super::record::{RecordFault, SutRun};
use super::release::Release;
use super::settlement::{Book, Settled};
use super::standing::{Standing, Truth};
use super::status::Statuses;
use super::summary::{self, Kept, Summary};
use super::texts::StepTexts;
use super::trials::Trials;
use super::versions::VersionLine;
use crate::assess::Known;
use crate::id::{CaseId, Digest, GraderName, RunId};
use crate::ledger::Moment;
use crate::policy::{GatePolicy, Policy};
use crate::stats::correction::Corrected;
use crate::stats::interval::Count;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, Tier};

/// The version of the format of gate reports.
pub const FORMAT: u32 = 1;

/// What every report of a gate says of its own reach.
pub const REACH: &str = "This says how the selected cases came out under this policy, by graders that err as often as is shown. It does not prove that other cases would.";

/// Everything that a gate is a function of.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// What was selected, before anything ran.
    pub inventory: &'a Inventory,
    /// The run records of the system under test.
    pub runs: &'a [SutRun],
    /// The graders that the inventory names, with their authority now.
    pub graders: &'a [GateGrader],
    /// What they said of the steps.
    pub judgements: &'a [Judgement],
    /// The readers' profiles.
    pub profiles: &'a [Profile],
    /// What persons said of gates, with their signatures checked.
    pub words: &'a [Heard],
    /// The book of what was registered, and of how it came out; an empty one where there is none.
    pub book: &'a Book,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Its digest.
    pub policy_digest: Digest,
    /// Now.
    pub now: Moment,
}

/// What a gate found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateReport {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// When it was.
    pub now: Moment,
    /// The policy that defines "pass".
    pub policy: PolicyLine,
    /// What was selected.
    pub inventory: InventoryLine,
    /// What it comes to.
    pub release: Release,
    /// The digest of what a person decides on.
    pub decides: Digest,
    /// What a person said of it; absent where nobody did whose word counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// Words on this gate that do not count, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_counted: Vec<NotCounted>,
    /// The graders that the inventory names.
    pub graders: Vec<GateGraderLine>,
    /// Graders that could block once and can no more.
    pub stale: Vec<GraderName>,
    /// Cases that can block a release.
    pub summary: Summary,
    /// All cases, by how far along they are.
    pub statuses: Statuses,
    /// Cases by what they were run for.
    pub purposes: BTreeMap<String, Summary>,
    /// What blocks: every failure that decides, where the release is blocked, and every serious one.
    pub blocking: Vec<Failed>,
    /// Failures that blocked, and that a person let go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_go: Vec<Failed>,
    /// Failures that decide and that the policy's pass rate leaves room for.
    pub tolerated: Vec<Failed>,
    /// Failures that block nothing: of graders without gating authority, optional rules, and cases that only
    /// describe the system.
    pub advisory: Vec<Failed>,
    /// What was not evaluated, and why.
    pub not_evaluated: Vec<Open>,
    /// What the evidence of each run is worth, the worst verified first.
    pub evidence: EvidenceGrades,
    /// The chance that this gate blocks a good release.
    pub false_block: FalseBlock,
    /// Several runs of each case.
    pub trials: Trials,
    /// The versions that ran, each with cost and latency beside its score.
    pub versions: Vec<VersionLine>,
    /// The unit of costs.
    pub cost_unit: String,
    /// The share of good outputs, corrected for the errors of the grader; absent, with the reason, where that takes more
    /// than was measured.
    pub corrected: Known<Corrected>,
    /// Summaries weighted for readers. They decide nothing.
    pub weighted: Vec<Weighted>,
    /// Forecasts and explanations that came out later, or cannot. It decides nothing.
    pub settled: Settled,
    /// How often tools were called, run by run: diagnostics, which decide nothing.
    pub calls: BTreeMap<RunId, Vec<(Untrusted, u64)>>,
    /// Records that have corrections.
    pub with_corrections: Vec<RunId>,
    /// Records of runs that the inventory does not select: in no figure.
    pub not_selected: Vec<RunId>,
    /// The cases.
    pub cases: Vec<CaseResult>,
    /// The texts of the steps in which something failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<StepTexts>,
    /// What the report does not prove.
    pub reach: String,
}

/// The policy of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyLine {
    /// Its digest.
    pub digest: Digest,
    /// Its version.
    pub version: u64,
    /// The confidence of its bounds.
    pub confidence: f64,
    /// What it asks at the gate.
    pub gate: GatePolicy,
}

/// The inventory of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InventoryLine {
    /// Its digest, as it was written: without what profiles add.
    pub digest: Digest,
    /// How the cases were chosen.
    pub selection: Selection,
    /// Cases.
    pub cases: u64,
    /// Runs.
    pub runs: u64,
    /// Profiles that added checks.
    pub profiles: Vec<String>,
}

/// A grader of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateGraderLine {
    /// Its name.
    pub name: GraderName,
    /// Its version, in its author's words.
    pub version: Untrusted,
    /// Its component.
    pub digest: Digest,
    /// Code or judge.
    pub kind: GraderKind,
    /// What it may do now.
    pub tier: Tier,
    /// What it was promoted to; above `tier` where it has lost it.
    pub promoted_to: Option<Tier>,
    /// Whether it decides.
    pub may_block: bool,
    /// Whether it had authority and lost it.
    pub stale: bool,
    /// Why it holds no more than it does.
    pub reasons: Vec<String>,
    /// Outputs that should fail and did, as measured.
    pub catch: Option<Count>,
    /// Outputs that should pass and did, as measured.
    pub pass: Option<Count>,
    /// Steps that it decides something about.
    pub decisions: u64,
}

/// Why there is no report: what was given is no evidence.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GateFault {
    /// The inventory is unsound.
    #[error(transparent)]
    Inventory(#[from] InventoryFault),
    /// A record is unsound.
    #[error(transparent)]
    Record(#[from] RecordFault),
    /// A profile is unsound.
    #[error(transparent)]
    Profile(#[from] ProfileFault),
    /// Two records of one run.
    #[error("there are two records of run `{0}`: keep the original")]
    TwoRecords(RunId),
    /// Two records that say to be the same run of a case.
    #[error("run records `{}` and `{}` both say that they are run {number} of case `{case}`: number the runs of a case from 1, each once", .runs[0], .runs[1])]
    SameRun {
        /// The case.
        case: CaseId,
        /// The number.
        number: u32,
        /// The records.
        runs: [RunId; 2],
    },
    /// Two graders of one name.
    #[error("there are two graders of the name `{0}`")]
    TwoGraders(GraderName),
}

impl GateReport {
    /// The report of a gate.
    ///
    /// # Errors
    /// Every fault of what was given.
    pub fn new(gate: Gate<'_>) -> Result<Self, Vec<GateFault>> {
        let faults = made::faults(gate);
        if faults.is_empty() { Ok(made::report(gate)) } else { Err(faults) }
    }

    /// Its summary, to be kept: stamped with the policy.
    #[must_use]
    pub fn kept(&self) -> Kept {
        Kept {
            format: summary::FORMAT,
            policy: self.policy.digest,
            inventory: self.inventory.digest,
            summary: self.summary,
        }
    }

    /// Where the report says other things in one place than in another, in words: no gate makes such a one.
    #[must_use]
    pub fn contradiction(&self) -> Option<&'static str> {
        let blocking = self.cases.iter().filter(|case| case.purpose.blocks());
        let counted = |case: &CaseResult| (case.status, case.approved.is_some());
        let verdict = self.release.verdict;
        let open = self.summary.not_evaluated > 0 || self.summary.verdicted == 0;
        let excused: BTreeSet<_> =
            self.let_go.iter().chain(&self.tolerated).map(|it| &it.case).collect();
        let failed = |case: &&CaseResult| case.standing == Standing::Failed;
        let mut failed = self.cases.iter().filter(|case| case.purpose.blocks()).filter(failed);
        if Summary::of(blocking) != self.summary {
            Some("its counts are not those of its cases")
        } else if Statuses::count(self.cases.iter().map(counted)) != self.statuses {
            Some("what it says to be measured is not what its cases are")
        } else if verdict == Truth::True && (open || !self.blocking.is_empty()) {
            Some("it lets a release go that it blocks, or that it has not evaluated")
        } else if verdict == Truth::True && failed.any(|case| !excused.contains(&case.case)) {
            Some("it lets a release go in which a case failed that nothing excuses")
        } else {
            None
        }
    }

    /// Whether a record is not what was registered of it: a forecast was worded anew, or an outcome was taken out.
    #[must_use]
    pub fn is_altered(&self) -> bool {
        self.settled.is_altered()
    }

    /// Whether some grader that the inventory names had authority and lost it.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }
}

/// What of one report of a gate is otherwise in another: parts by name, but for when it was and for what persons said.
/// Nothing, where both are of the same gate.
#[must_use]
pub fn differing(one: &GateReport, other: &GateReport) -> Vec<String> {
    let parts = |report: &GateReport| match serde_json::to_value(report.as_measured()) {
        Ok(serde_json::Value::Object(parts)) => parts,
        _ => serde_json::Map::new(),
    };
    let (one, other) = (parts(one), parts(other));
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

impl GateReport {
    /// The report without its moment, and without all that follows from persons' words.
    fn as_measured(&self) -> Self {
        let mut bare = self.clone();
        bare.now = Moment::from_seconds(0).unwrap_or(bare.now);
        bare.release =
            Release { verdict: Truth::Undefined, why: String::new(), pending_person: false };
        (bare.decided, bare.not_counted) = (None, Vec::new());
        bare.blocking.append(&mut bare.let_go);
        bare.blocking.iter_mut().for_each(|failed| failed.pending_person = false);
        bare.blocking.sort();
        bare.cases.iter_mut().for_each(|case| case.approved = None);
        bare.statuses.approved = 0;
        bare
    }
}
