//! How the graders of a register stand: what each may do now, since when, on what evidence, and what ends it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::authority::{Authority, Seconds};
use crate::id::{Digest, GraderName, RubricId};
use crate::ledger::Moment;
use crate::policy::Waiver;
use crate::verdict::Tier;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// What ends within so many days is told as ending soon.
const SOON_DAYS: i64 = 3;

const DAY: Seconds = 86_400;

/// How a register stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Status {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// When this was.
    pub now: Moment,
    /// What authority in it rests on.
    pub trust: TrustLine,
    /// Its graders, by name.
    pub graders: Vec<GraderStatus>,
}

/// What authority in a register rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrustLine {
    /// The root of trust, by the digest of its file; absent where there is none.
    pub root: Option<Digest>,
    /// Whether it is the one that was pinned outside, or comes from it.
    pub root_pinned: bool,
    /// The policy in force.
    pub policy: Digest,
    /// Its version.
    pub policy_version: u64,
    /// Whether the root's admins signed the policy and the list of signers.
    pub signed: bool,
    /// What is missing for anything above characterization, in words; none where nothing is.
    pub missing: Vec<String>,
}

/// How one grader stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraderStatus {
    /// Its name.
    pub name: GraderName,
    /// The component that lies there today; absent where there is none that can be read.
    pub component: Option<Digest>,
    /// What it may do now.
    pub tier: Tier,
    /// What it was promoted to; above `tier` where it has lost it.
    pub promoted_to: Option<Tier>,
    /// Whether it had authority and lost it.
    pub stale: bool,
    /// Why it holds no more than it does.
    pub reasons: Vec<String>,
    /// The entry of its ledger that promoted it.
    pub by_entry: Option<u64>,
    /// Since when it holds its tier.
    pub since: Option<Moment>,
    /// Who signed its promotion.
    pub signers: Vec<String>,
    /// What it stands on beside evidence.
    pub waivers: Vec<Waiver>,
    /// When it was last verified, or else promoted.
    pub verified_at: Option<Moment>,
    /// Whole days since then.
    pub evidence_age_days: Option<i64>,
    /// When its authority ends if nothing happens.
    pub ends_at: Option<Moment>,
    /// What will end it soon, in words.
    pub soon: Vec<String>,
    /// How often held-out results were opened.
    pub looks: Vec<LooksLine>,
    /// Failures found in use.
    pub failures: FailureCounts,
}

/// How often the results of a held-out set were opened, whatever grader it was about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LooksLine {
    /// The rubric.
    pub rubric: RubricId,
    /// The held-out set.
    pub held_out: Digest,
    /// How often.
    pub looks: u64,
    /// How often the policy allows.
    pub allowed: u64,
}

/// Failures found in use, by how they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailureCounts {
    /// Kept as regression controls.
    pub kept: u64,
    /// Of them those whose control is no longer among the regression controls.
    pub missing: u64,
}

impl GraderStatus {
    /// How a grader stands by its authority.
    #[must_use]
    pub fn new(
        name: GraderName,
        component: Digest,
        authority: &Authority,
        (now, looks_allowed): (Moment, u32),
        failures: FailureCounts,
    ) -> Self {
        let moment = |seconds: Option<Seconds>| seconds.and_then(Moment::from_seconds);
        let looks = authority.looks.iter().map(|(rubric, held_out, looks)| LooksLine {
            rubric: rubric.clone(),
            held_out: *held_out,
            looks: *looks,
            allowed: u64::from(looks_allowed),
        });
        Self {
            name,
            component: Some(component),
            tier: authority.tier,
            promoted_to: authority.promoted_to,
            stale: authority.is_stale(),
            reasons: authority.reasons.iter().map(crate::authority::Reason::text).collect(),
            by_entry: authority.by_entry,
            since: moment(authority.since),
            signers: authority.signers.clone(),
            waivers: authority.waivers.clone(),
            verified_at: moment(authority.verified_at),
            evidence_age_days: authority
                .verified_at
                .map(|at| now.seconds().saturating_sub(at).max(0) / DAY),
            ends_at: moment(authority.ends_at),
            soon: soon(authority, now),
            looks: looks.collect(),
            failures,
        }
    }

    /// How a grader stands whose files cannot be read: it may do nothing, whatever it was promoted to.
    #[must_use]
    pub fn unreadable(name: GraderName, promoted_to: Option<Tier>, why: Vec<String>) -> Self {
        Self {
            name,
            component: None,
            tier: Tier::Advisory,
            promoted_to,
            stale: promoted_to.is_some_and(|tier| tier > Tier::Advisory),
            reasons: why,
            by_entry: None,
            since: None,
            signers: Vec::new(),
            waivers: Vec::new(),
            verified_at: None,
            evidence_age_days: None,
            ends_at: None,
            soon: Vec::new(),
            looks: Vec::new(),
            failures: FailureCounts::default(),
        }
    }
}

/// What ends a grader's authority within a few days.
fn soon(authority: &Authority, now: Moment) -> Vec<String> {
    let left = authority.ends_at.map(|ends| ends.saturating_sub(now.seconds()));
    match left {
        Some(left) if left <= SOON_DAYS * DAY => {
            let hours = left.max(0) / 3_600;
            vec![format!(
                "ends in {hours} hours unless it is verified (or, where its promotion runs out, promoted) again"
            )]
        }
        _ => Vec::new(),
    }
}

impl Status {
    /// Whether some grader had authority and lost it.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.graders.iter().any(|grader| grader.stale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authority(tier: Tier, ends_at: Option<Seconds>) -> Authority {
        Authority {
            tier,
            promoted_to: Some(Tier::Gating),
            by_entry: Some(2),
            since: Some(0),
            reasons: vec![],
            waivers: vec![],
            signers: vec!["paula".into()],
            verified_at: Some(DAY),
            ends_at,
            looks: vec![],
        }
    }

    fn status(authority: &Authority, now: Seconds) -> GraderStatus {
        let now = Moment::from_seconds(now).expect("a moment");
        let name = "g".parse().expect("an id");
        GraderStatus::new(name, Digest::of(b""), authority, (now, 3), FailureCounts::default())
    }

    #[test]
    fn age_is_told_in_whole_days_and_the_end_when_it_is_near() {
        let held = status(&authority(Tier::Gating, Some(8 * DAY)), 4 * DAY + 100);
        assert_eq!((held.evidence_age_days, held.soon.len(), held.stale), (Some(3), 0, false));
        let near = status(&authority(Tier::Gating, Some(8 * DAY)), 6 * DAY);
        assert_eq!(near.soon.len(), 1);
        assert!(near.soon[0].starts_with("ends in 48 hours"), "{:?}", near.soon);
    }

    #[test]
    fn a_lost_tier_is_stale_also_where_nothing_can_be_read() {
        assert!(status(&authority(Tier::Advisory, None), DAY).stale);
        let name: GraderName = "g".parse().expect("an id");
        let why = vec!["gone".to_owned()];
        assert!(GraderStatus::unreadable(name.clone(), Some(Tier::Gating), why.clone()).stale);
        assert!(!GraderStatus::unreadable(name, None, why).stale);
    }
}
