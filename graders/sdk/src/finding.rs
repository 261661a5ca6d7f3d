//! What a grader answers: a finding for each rule, or a refusal of the whole case.

/// What a rule, or one claim under a rule, comes to. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The rule was checked and holds.
    Pass,
    /// The rule was checked and is broken.
    Fail,
    /// The rule has nothing to say about this case.
    NotApplicable,
    /// The rule applies, but what was given does not show whether it holds.
    Unproven,
    /// The rule can only be settled by something that has not happened yet.
    Unresolved,
}

/// What a finding rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Citation {
    /// The id of one evidence of this case.
    pub evidence: String,
    /// Text that stands in that evidence, byte for byte.
    pub quote: String,
}

/// One rule's verdict, on the output or on one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The id of a declared rule.
    pub rule: String,
    /// The claim judged, for a rule of scope [`EachClaim`](crate::Scope::EachClaim); none otherwise.
    pub claim: Option<String>,
    /// What the rule comes to.
    pub verdict: Verdict,
    /// Why, for people: short and specific.
    pub rationale: String,
    /// What the verdict rests on.
    pub citations: Vec<Citation>,
    /// The probability that the rule is broken, 0 to 1, where the grader has one.
    pub score: Option<f64>,
    /// A JSON object as text, or `""` for none.
    pub extra: String,
}

impl Finding {
    /// A finding on the output as a whole, without citations.
    pub fn new(rule: impl Into<String>, verdict: Verdict, rationale: impl Into<String>) -> Self {
        Self {
            rule: rule.into(),
            claim: None,
            verdict,
            rationale: rationale.into(),
            citations: Vec::new(),
            score: None,
            extra: String::new(),
        }
    }

    /// Adds a citation. A quote that does not stand in that evidence, byte for byte, is a contract
    /// violation: cut it out of the evidence, do not rewrite it.
    #[must_use]
    pub fn cite(mut self, evidence: impl Into<String>, quote: impl Into<String>) -> Self {
        self.citations.push(Citation { evidence: evidence.into(), quote: quote.into() });
        self
    }

    /// Names the claim judged, for a rule of scope [`EachClaim`](crate::Scope::EachClaim).
    #[must_use]
    pub fn claim(mut self, claim: impl Into<String>) -> Self {
        self.claim = Some(claim.into());
        self
    }

    /// States the probability that the rule is broken, 0 to 1.
    #[must_use]
    pub fn score(mut self, probability_of_failure: f64) -> Self {
        self.score = Some(probability_of_failure);
        self
    }
}

/// Why a grader declines a whole case. The order is the contract's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalKind {
    /// The case is well made, but not of a kind this grader judges.
    UnsupportedCase,
    /// The case itself cannot be read.
    MalformedCase,
    /// The grader noticed a fault of its own.
    InternalError,
}

/// A grader's reason for judging nothing in this case. A single rule that cannot be decided is no
/// refusal: it is [`Verdict::Unproven`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whose fault it is, if anyone's.
    pub kind: RefusalKind,
    /// The reason, for people.
    pub message: String,
}

impl Refusal {
    /// The case is well made, but not of a kind this grader judges.
    pub fn unsupported_case(message: impl Into<String>) -> Self {
        Self { kind: RefusalKind::UnsupportedCase, message: message.into() }
    }

    /// The case itself cannot be read.
    pub fn malformed_case(message: impl Into<String>) -> Self {
        Self { kind: RefusalKind::MalformedCase, message: message.into() }
    }

    /// The grader noticed a fault of its own.
    pub fn internal_error(message: impl Into<String>) -> Self {
        Self { kind: RefusalKind::InternalError, message: message.into() }
    }
}
