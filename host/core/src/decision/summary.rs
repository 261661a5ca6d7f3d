//! The decision in plain words, for a reader who knows none of the terms.

use super::{Decision, Requirement};
use crate::verdict::Tier;

impl Decision {
    /// What was earned and what is missing, in a sentence or two, for whoever asked for this tier.
    #[must_use]
    pub fn in_plain_words(&self, require: Tier) -> String {
        match self.eligible_tier {
            Tier::Advisory if require == Tier::Advisory => {
                "Nothing was asked for: its results may be shown, and block nothing.".to_owned()
            }
            tier if tier >= require => self.earned(tier),
            _ => self.missing(require),
        }
    }

    fn of(&self, tier: Tier) -> impl Iterator<Item = &Requirement> {
        self.requirements.iter().filter(move |it| it.tier <= tier)
    }

    fn earned(&self, tier: Tier) -> String {
        let all = self.of(tier).count();
        let met = self.of(tier).filter(|it| it.met == Some(true)).count();
        let set_aside: Vec<_> = self.of(tier).filter(|it| it.met != Some(true)).collect();
        if set_aside.is_empty() {
            return format!("It meets all {all} requirements for {tier}.");
        }
        let failed = names(&set_aside, |it| it.met.is_some());
        let unmeasured = names(&set_aside, |it| it.met.is_none());
        let mut text = format!(
            "It meets {met} of the {all} requirements for {tier}. The policy does without the others:"
        );
        if !failed.is_empty() {
            text.push_str(&format!(" it was measured and falls short on {};", failed.join(", ")));
        }
        if !unmeasured.is_empty() {
            text.push_str(&format!(" nothing measured {};", unmeasured.join(", ")));
        }
        text.pop();
        text + "."
    }

    fn missing(&self, require: Tier) -> String {
        let open: Vec<_> = self.of(require).filter(|it| !it.is_satisfied()).collect();
        let failed = names(&open, |it| it.met.is_some());
        let unmeasured = names(&open, |it| it.met.is_none());
        let mut text = format!("It has not earned {require}:");
        if !failed.is_empty() {
            text.push_str(&format!(" it falls short on {};", failed.join(", ")));
        }
        if !unmeasured.is_empty() {
            text.push_str(&format!(" nothing has measured {};", unmeasured.join(", ")));
        }
        text.pop();
        text + "."
    }
}

/// The names of the requirements that this holds of, each once.
fn names(of: &[&Requirement], holds: impl Fn(&Requirement) -> bool) -> Vec<&'static str> {
    let mut names = Vec::new();
    for it in of.iter().filter(|it| holds(it)) {
        if !names.contains(&it.id.name()) {
            names.push(it.id.name());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::Required;
    use super::*;
    use crate::policy::RequirementId;

    fn decision(eligible_tier: Tier, of: &[(RequirementId, Option<bool>, bool)]) -> Decision {
        let requirement = |(id, met, waived): &(RequirementId, Option<bool>, bool)| Requirement {
            id: *id,
            tier: Tier::Gating,
            measured: None,
            required: Required::LowerBound(0.95),
            met: *met,
            waived: *waived,
            mend: None,
        };
        Decision {
            eligible_tier,
            under_waivers: 0,
            waivers: Vec::new(),
            looser: Vec::new(),
            confidence: 0.95,
            awaiting: Vec::new(),
            requirements: of.iter().map(requirement).collect(),
        }
    }

    #[test]
    fn what_was_set_aside_is_told_by_whether_it_was_measured() {
        use RequirementId::{HeldOut, KnownBad, KnownGood};
        let all = [(KnownBad, Some(true), false), (KnownGood, Some(true), false)];
        let of = |tier, of: &[_]| decision(tier, of).in_plain_words(Tier::Gating);
        assert_eq!(of(Tier::Gating, &all), "It meets all 2 requirements for gating.");
        let waived =
            [(KnownBad, Some(false), true), (KnownGood, Some(true), false), (HeldOut, None, true)];
        assert_eq!(
            of(Tier::Gating, &waived),
            "It meets 1 of the 3 requirements for gating. The policy does without the others: it was measured and falls short on known-bad; nothing measured held-out."
        );
        let open = [(KnownBad, Some(false), false), (HeldOut, None, false)];
        assert_eq!(
            of(Tier::Advisory, &open),
            "It has not earned gating: it falls short on known-bad; nothing has measured held-out."
        );
    }
}
