//! What a grader declares: its rules and its name, as constants that are checked while compiling.

use crate::{Case, Finding, Refusal};

/// How much a rule weighs. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// A failure is never averaged away.
    Essential,
    /// It counts, and may be outweighed.
    Important,
    /// Good to have.
    Optional,
    /// The rule names something that must not be there; it fails when it is. Never averaged away.
    MustNot,
}

/// How many findings a rule owes. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One finding for the output as a whole.
    Output,
    /// One finding for each claim of the case.
    EachClaim,
}

/// One rule of the rubric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Lower-case letters, digits, `.`, `_` and `-`, starting with a letter or digit; 64 at most.
    pub id: &'static str,
    /// The rule in words.
    pub text: &'static str,
    /// How much it weighs.
    pub tier: Tier,
    /// How many findings it owes.
    pub scope: Scope,
    /// What the case must hold for the rule to be decidable: evidence kinds, or `@reference`,
    /// `@messages`, `@claims`, `@artifacts`. Where one is absent the host records `unproven` itself.
    pub needs: &'static [&'static str],
}

/// A grader as declared by [`grader!`](crate::grader): what it says of itself, and its function.
#[derive(Clone, Copy, Debug)]
pub struct Grader {
    /// Same characters as a rule id.
    pub name: &'static str,
    /// The grader's version; `env!("CARGO_PKG_VERSION")` keeps it true.
    pub version: &'static str,
    /// The id of the rubric; control sets name the same one.
    pub rubric: &'static str,
    /// The rules it judges.
    pub rules: &'static [Rule],
    /// Judges one case. A rule left out of the answer counts as unproven.
    pub grade: fn(&Case) -> Result<Vec<Finding>, Refusal>,
}

impl Grader {
    /// Stops the build where the host would refuse the manifest. [`grader!`](crate::grader) calls it
    /// in a constant, so that a mistake is a compile error and not a surprise at load time.
    ///
    /// # Panics
    /// When a name or id is not well formed, a rule id stands twice, or there is no rule.
    pub const fn checked(self) -> Self {
        assert!(is_id(self.name), "a grader's `name` is lower-case letters, digits, '.', '_', '-'");
        assert!(is_id(self.rubric), "a `rubric` id is lower-case letters, digits, '.', '_', '-'");
        assert!(!self.version.is_empty(), "a grader states its `version`");
        assert!(!self.rules.is_empty(), "a grader declares at least one rule");
        let mut i = 0;
        while i < self.rules.len() {
            let id = self.rules[i].id;
            assert!(is_id(id), "a rule `id` is lower-case letters, digits, '.', '_' and '-'");
            let mut earlier = 0;
            while earlier < i {
                assert!(!same(id, self.rules[earlier].id), "two rules have the same `id`");
                earlier += 1;
            }
            i += 1;
        }
        self
    }
}

/// Whether `text` has the form of a name, rule or rubric id.
const fn is_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 || matches!(bytes[0], b'.' | b'_' | b'-') {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-') {
            return false;
        }
        i += 1;
    }
    true
}

/// `left == right`, which a constant cannot ask of `str` yet.
const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut i = 0;
    while i < left.len() {
        if left[i] != right[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        id: "one",
        text: "The first.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &[],
    };
    const GRADER: Grader = Grader {
        name: "a-grader",
        version: "0.1.0",
        rubric: "a-rubric",
        rules: &[RULE, Rule { id: "two", ..RULE }],
        grade: |_| Ok(Vec::new()),
    };

    #[test]
    fn ids_have_the_form_that_the_contract_gives() {
        let longest = "x".repeat(64);
        for id in ["a", "0", "states-answer", "a.b_c-9", longest.as_str()] {
            assert!(is_id(id), "{id}");
        }
        let too_long = "x".repeat(65);
        for id in ["", "-a", ".a", "_a", "A", "a b", "a/b", "\u{e9}", too_long.as_str()] {
            assert!(!is_id(id), "{id}");
        }
    }

    #[test]
    fn a_grader_that_the_host_would_refuse_does_not_compile() {
        let checks = |grader: Grader| std::panic::catch_unwind(|| grader.checked()).is_ok();
        assert!(checks(GRADER));
        assert!(!checks(Grader { name: "A Grader", ..GRADER }));
        assert!(!checks(Grader { rubric: "", ..GRADER }));
        assert!(!checks(Grader { version: "", ..GRADER }));
        assert!(!checks(Grader { rules: &[], ..GRADER }));
        assert!(!checks(Grader { rules: &[Rule { id: "One", ..RULE }], ..GRADER }));
        assert!(!checks(Grader { rules: &[RULE, RULE], ..GRADER }));
    }
}
