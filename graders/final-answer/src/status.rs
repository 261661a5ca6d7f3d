//! The three verdicts on one output, with their reasons.

/// What a rule comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The rule holds.
    Pass,
    /// The rule is broken.
    Fail,
    /// The rule has nothing to say.
    NotApplicable,
    /// It cannot be told.
    Unproven,
}

/// A rule's verdict, and why.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// What the rule comes to.
    pub status: Status,
    /// Why, for people.
    pub why: String,
}

impl Ruling {
    /// A verdict with its reason.
    pub fn new(status: Status, why: impl Into<String>) -> Ruling {
        Ruling { status, why: why.into() }
    }

    fn merge(self, other: Ruling) -> Ruling {
        if self.status == other.status {
            return self;
        }
        let definite = if self.status == Status::Unproven { other.why } else { self.why };
        Ruling::new(
            Status::Unproven,
            format!("depends on how a doubtful passage is read; one reading: {definite}"),
        )
    }
}

/// The verdicts of the three rules.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// `states-answer`.
    pub states: Ruling,
    /// `one-answer`.
    pub one: Ruling,
    /// `matches-reference`.
    pub matches: Ruling,
}

impl Judgement {
    /// The output commits to nothing.
    pub fn nothing(why: impl Into<String>) -> Judgement {
        let other = || Ruling::new(Status::NotApplicable, "the output commits to no answer");
        Judgement { states: Ruling::new(Status::Fail, why), one: other(), matches: other() }
    }

    /// Whether the output commits cannot be told, and so neither can the rest.
    pub fn unclear(why: impl Into<String>) -> Judgement {
        let other = || {
            Ruling::new(Status::Unproven, "it is not clear that the output commits to an answer")
        };
        Judgement { states: Ruling::new(Status::Unproven, why), one: other(), matches: other() }
    }

    /// What two readings of the same output agree on.
    pub fn merge(self, other: Judgement) -> Judgement {
        if self.states.status != other.states.status {
            return Judgement::unclear(self.states.merge(other.states).why);
        }
        Judgement {
            states: self.states,
            one: self.one.merge(other.one),
            matches: self.matches.merge(other.matches),
        }
    }
}
