//! The names that `wit/grader.wit` gives to the records, for the bindings to find. All but the
//! manifest are the SDK's own types, so nothing is converted on the way in or out.

pub use crate::case::{Artifact, Case as GradingCase, Claim, Evidence, Message};
pub use crate::finding::{Citation, Finding, Refusal, RefusalKind, Verdict};
pub use crate::rubric::{Scope, Tier};

/// A rule as it crosses the boundary: the same as [`crate::Rule`], owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// See [`crate::Rule::id`].
    pub id: String,
    /// See [`crate::Rule::text`].
    pub text: String,
    /// See [`crate::Rule::tier`].
    pub tier: Tier,
    /// See [`crate::Rule::scope`].
    pub scope: Scope,
    /// See [`crate::Rule::needs`].
    pub needs: Vec<String>,
}

/// What a grader says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// See [`crate::Grader::name`].
    pub name: String,
    /// See [`crate::Grader::version`].
    pub version: String,
    /// See [`crate::Grader::rubric`].
    pub rubric: String,
    /// See [`crate::Grader::rules`].
    pub rules: Vec<Rule>,
    /// A JSON object as text, or `""` for none.
    pub extra: String,
}

impl From<&crate::Rule> for Rule {
    fn from(rule: &crate::Rule) -> Self {
        Self {
            id: rule.id.into(),
            text: rule.text.into(),
            tier: rule.tier,
            scope: rule.scope,
            needs: rule.needs.iter().map(|&need| need.into()).collect(),
        }
    }
}

impl From<&crate::Grader> for Manifest {
    fn from(grader: &crate::Grader) -> Self {
        Self {
            name: grader.name.into(),
            version: grader.version.into(),
            rubric: grader.rubric.into(),
            rules: grader.rules.iter().map(Rule::from).collect(),
            extra: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIT: &str = include_str!("../../../wit/grader.wit");

    /// The cases of an enum of the contract, in its order.
    fn cases_of(name: &str) -> Vec<String> {
        let lines =
            WIT.lines().map(str::trim).skip_while(|line| *line != format!("enum {name} {{"));
        let body = lines.skip(1).take_while(|line| *line != "}");
        let cases = body.filter(|line| !line.starts_with("//"));
        cases.map(|line| line.trim_end_matches(',').to_owned()).collect()
    }

    /// `NotApplicable` as the contract spells it: `not-applicable`.
    fn kebab(value: impl std::fmt::Debug) -> String {
        let mut spelled = String::new();
        for letter in format!("{value:?}").chars() {
            if letter.is_uppercase() && !spelled.is_empty() {
                spelled.push('-');
            }
            spelled.extend(letter.to_lowercase());
        }
        spelled
    }

    /// The bindings pass an enum as its number, so the order is the meaning. Records need no such
    /// test: a missing or misnamed field does not compile.
    #[test]
    fn enums_stand_in_the_order_of_the_contract() {
        let verdicts = [
            Verdict::Pass,
            Verdict::Fail,
            Verdict::NotApplicable,
            Verdict::Unproven,
            Verdict::Unresolved,
        ];
        assert_eq!(verdicts.map(|verdict| verdict as u8), [0, 1, 2, 3, 4]);
        assert_eq!(cases_of("verdict"), verdicts.map(kebab));
        let tiers = [Tier::Essential, Tier::Important, Tier::Optional, Tier::MustNot];
        assert_eq!(tiers.map(|tier| tier as u8), [0, 1, 2, 3]);
        assert_eq!(cases_of("tier"), tiers.map(kebab));
        let scopes = [Scope::Output, Scope::EachClaim];
        assert_eq!(scopes.map(|scope| scope as u8), [0, 1]);
        assert_eq!(cases_of("scope"), scopes.map(kebab));
        let kinds =
            [RefusalKind::UnsupportedCase, RefusalKind::MalformedCase, RefusalKind::InternalError];
        assert_eq!(kinds.map(|kind| kind as u8), [0, 1, 2]);
        assert_eq!(cases_of("refusal-kind"), kinds.map(kebab));
    }

    #[test]
    fn a_manifest_says_what_was_declared() {
        const RULES: &[crate::Rule] = &[crate::Rule {
            id: "figures-match",
            text: "Every figure stands in the loan file.",
            tier: Tier::MustNot,
            scope: Scope::EachClaim,
            needs: &["loan-file", "@claims"],
        }];
        let grader = crate::Grader {
            name: "loan",
            version: "1.2.3",
            rubric: "loan-ratios",
            rules: RULES,
            grade: |_| Ok(Vec::new()),
        };
        let manifest = Manifest::from(&grader);
        assert_eq!((manifest.name.as_str(), manifest.version.as_str()), ("loan", "1.2.3"));
        assert_eq!((manifest.rubric.as_str(), manifest.extra.as_str()), ("loan-ratios", ""));
        let [rule] = manifest.rules.as_slice() else { panic!("one rule was declared") };
        assert_eq!(rule.id, "figures-match");
        assert_eq!(rule.text, "Every figure stands in the loan file.");
        assert_eq!((rule.tier, rule.scope), (Tier::MustNot, Scope::EachClaim));
        assert_eq!(rule.needs, ["loan-file", "@claims"]);
    }
}
