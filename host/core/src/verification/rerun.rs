//! What a run that was made again shows of the promotion that rests on an earlier one.

use std::collections::BTreeSet;

use super::{Breach, Check};
use crate::control::set::Kind;
use crate::decision::{Decision, Requirement};
use crate::id::Digest;
use crate::ledger::Invariant;
use crate::policy::RequirementId;
use crate::run::fold::Run;
use crate::run::part::evidence_digest;
use crate::score::wrong;
use crate::statement::Statement;
use crate::verdict::Tier;

/// How many names a detail lists.
const NAMED: usize = 5;

/// A run that was made again.
pub struct Rerun<'a> {
    /// The run.
    pub run: &'a Run,
    /// The digest of its record.
    pub record: Digest,
    /// What it earns.
    pub decision: &'a Decision,
    /// What was signed for.
    pub statement: &'a Statement,
}

impl Rerun<'_> {
    /// The promoted tier and those below it.
    fn tiers(&self) -> impl Iterator<Item = Tier> {
        let promoted = self.statement.predicate.tier;
        Tier::ALL.into_iter().filter(move |tier| *tier > Tier::Advisory && *tier <= promoted)
    }

    fn asked(&self) -> impl Iterator<Item = &Requirement> {
        let promoted = self.statement.predicate.tier;
        self.decision.requirements.iter().filter(move |it| it.tier <= promoted)
    }

    /// It did what the promoted run did; record for record, where nothing differs that the record tells of.
    #[must_use]
    pub fn reproducible_record(&self) -> Check {
        let invariant = Invariant::ReproducibleRecord;
        let signed = &self.statement.predicate.evidence;
        let replay = evidence_digest(self.run);
        let mut found = Vec::new();
        if replay != signed.replay {
            found.push((
                Breach::NotMet,
                format!(
                    "on the same controls it came to {}, and to {} when it was promoted",
                    replay.short(),
                    signed.replay.short()
                ),
            ));
        }
        let started = &self.run.started;
        let held_out = started.held_out.as_ref().map(|it| it.digest);
        let alike = started.digests.semantics == signed.semantics
            && started.digests.regression == signed.regression
            && held_out == signed.held_out;
        if alike && replay == signed.replay && self.record != signed.record {
            let (now, then) = (self.record.short(), signed.record.short());
            found.push((Breach::NotMet, format!("its record is {now}, and was {then}")));
        }
        let held = match alike {
            true => "the same record, byte for byte",
            false => {
                "the same on every open control; the engine, regression or held-out controls are not those of the promotion"
            }
        };
        Check::of(invariant, found, held)
    }

    /// No baseline would be promoted on these controls.
    #[must_use]
    pub fn controls_bite(&self) -> Check {
        let invariant = Invariant::ControlsBite;
        let mut found = Vec::new();
        for tier in self.tiers() {
            let bites =
                self.asked().find(|it| it.tier == tier && it.id == RequirementId::Baselines);
            match bites.map(|it| it.met) {
                Some(Some(true)) => {}
                Some(Some(false)) => found.push((
                    Breach::NotMet,
                    format!("a baseline that judges nothing would be {tier} on these controls"),
                )),
                Some(None) | None => {
                    found.push((Breach::NotMet, format!("no baseline was run for {tier}")));
                }
            }
        }
        let held = format!("none of {} baselines would be promoted", self.run.baselines.len());
        Check::of(invariant, found, held)
    }

    /// The run is whole, everything that the tier asks was measured and met (or waived by a waiver that was
    /// signed), and every failure found in use is among the controls: `lost` are those that are not.
    #[must_use]
    pub fn absence_is_never_green(&self, lost: &[String]) -> Check {
        let invariant = Invariant::AbsenceIsNeverGreen;
        let mut found = Vec::new();
        let mut say = |detail: String| found.push((Breach::NotMet, detail));
        if !self.run.complete {
            say("the run is incomplete".to_owned());
        }
        if self.run.started.only.is_some() {
            say("only a part of the controls was run".to_owned());
        }
        for tier in self.tiers() {
            if !self.asked().any(|it| it.tier == tier) {
                say(format!("nothing that {tier} asks was evaluated"));
            }
        }
        for requirement in self.asked().filter(|it| !self.is_satisfied(it)) {
            let state = match requirement.met {
                Some(_) => "not met",
                None => "not evaluated",
            };
            say(format!("{} ({}) is {state}", requirement.id, requirement.tier));
        }
        if !lost.is_empty() {
            say(format!("found in use, and guarded by no control: {}", listed(lost)));
        }
        let count = self.asked().count();
        let waived = self.asked().filter(|it| it.met != Some(true) && self.is_waived(it)).count();
        let held = match waived {
            0 => format!("all {count} requirements are met"),
            _ => format!("of {count} requirements {} are met, {waived} waived", count - waived),
        };
        Check::of(invariant, found, held)
    }

    /// Whether the promotion's waivers, which were signed, do without it. Today's policy has no say.
    fn is_waived(&self, requirement: &Requirement) -> bool {
        let waivers = &self.statement.predicate.waivers;
        let this = |tier, id| tier == requirement.tier && id == requirement.id;
        requirement.id.is_waivable() && waivers.iter().any(|it| this(it.tier, it.requirement))
    }

    fn is_satisfied(&self, requirement: &Requirement) -> bool {
        let taken = requirement.id == RequirementId::HeldOut && self.takes_held_out_as_signed();
        requirement.met == Some(true) || taken || self.is_waived(requirement)
    }

    /// Whether held-out controls count as the statement says, since this run has none.
    #[must_use]
    pub fn takes_held_out_as_signed(&self) -> bool {
        let signed = self.statement.predicate.evidence.held_out.is_some();
        signed && self.run.started.held_out.is_none()
    }

    /// Every failure found in use, which its regression control guards, is right.
    #[must_use]
    pub fn serious_failure_never_averaged(&self, kept: &BTreeSet<Digest>) -> Check {
        let invariant = Invariant::SeriousFailureNeverAveraged;
        let controls = &self.run.started.controls;
        let is_one = |place: &usize| {
            let facts = &controls[*place];
            facts.kind == Kind::Regression || kept.contains(&facts.content)
        };
        let all = (0..controls.len()).filter(is_one).count();
        let broken: Vec<_> = wrong(self.run).filter(is_one).collect();
        let named = broken.iter().filter(|place| !controls[**place].held_out);
        let named: Vec<_> = named.map(|place| controls[*place].id.to_string()).collect();
        let mut found = Vec::new();
        if !broken.is_empty() {
            let which =
                if named.is_empty() { String::new() } else { format!(": {}", listed(&named)) };
            let detail = format!(
                "{} of {all} controls of failures found in use are wrong{which}",
                broken.len()
            );
            found.push((Breach::NotMet, detail));
        }
        let held = match all {
            0 => "no failure found in use is kept".to_owned(),
            1 => "the control of the failure found in use is right".to_owned(),
            all => format!("all {all} controls of failures found in use are right"),
        };
        Check::of(invariant, found, held)
    }

    /// The highest tier whose requirements this run holds, as far as the promotion goes.
    #[must_use]
    pub fn holds(&self) -> Tier {
        let holds = |tier: &Tier| {
            self.asked().filter(|it| it.tier <= *tier).all(|it| self.is_satisfied(it))
        };
        self.tiers().take_while(holds).last().unwrap_or(Tier::Advisory)
    }
}

/// The first few, and how many more there are.
fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        text.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    text
}
