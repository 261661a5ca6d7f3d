//! What people said of a real output, and what it comes to.
//!
//! The truth of a real output is what people settled on after talking (adjudication), else what all of them
//! said, else the majority of three or more. What none of these decides is a tie: no truth, and no rate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// What is known of a real output's label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Label {
    /// Where the label came from, as the file says.
    pub source: Untrusted,
    /// How many annotators the file lists; 0 where it lists none.
    pub annotators: usize,
    /// Marked as hard before any grader ran.
    pub hard: bool,
    /// Who made the labels, as the file states.
    #[serde(default, skip_serializing_if = "LabelsBy::is_not_stated")]
    pub by: LabelsBy,
    /// What was settled on, where somebody settled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicated: Option<Opinion>,
    /// Each annotator's own label, in the file's order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<PersonLabel>,
}

impl Label {
    /// Whether people made it: the file states so and lists at least one of them. A settled label alone
    /// shows nobody who could have agreed or not.
    #[must_use]
    pub fn is_peoples(&self) -> bool {
        self.by == LabelsBy::People && self.annotators > 0
    }

    /// What the labels come to, and why.
    #[must_use]
    pub fn truth(&self) -> Truth {
        Truth::of(self.adjudicated, &self.people)
    }

    /// Whether two annotators said different things, or one was unsure.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        let mut said = self.people.iter().map(|person| person.label);
        let first = said.next();
        first == Some(Opinion::Unsure) || said.any(|opinion| Some(opinion) != first)
    }
}

/// Who made the labels of a file. Only the file can say: labels of a program look like anybody's.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LabelsBy {
    /// People, each by themselves.
    People,
    /// A program, a rule or another model.
    Code,
    /// The file does not say. Such labels are in every rate, and no requirement rests on them.
    #[default]
    NotStated,
}

impl LabelsBy {
    /// Those that a file can state, by name.
    pub const STATED: [(&'static str, Self); 2] = [("people", Self::People), ("code", Self::Code)];

    /// Those of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::People, Self::Code, Self::NotStated].into_iter().find(|by| by.name() == name)
    }

    /// Whether the file does not say.
    #[must_use]
    pub fn is_not_stated(&self) -> bool {
        *self == Self::NotStated
    }

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::People => "people",
            Self::Code => "code",
            Self::NotStated => "not-stated",
        }
    }
}

/// What one person can say of an output.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Opinion {
    /// It is right.
    Pass,
    /// It is wrong.
    Fail,
    /// The person cannot tell.
    Unsure,
}

impl Opinion {
    /// All of them, by name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("pass", Self::Pass), ("fail", Self::Fail), ("unsure", Self::Unsure)];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Unsure => "unsure",
        }
    }

    /// The opinion of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, opinion)| opinion)
    }

    /// The verdict it asks for; none where the person cannot tell.
    #[must_use]
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Pass => Some(Verdict::Pass),
            Self::Fail => Some(Verdict::Fail),
            Self::Unsure => None,
        }
    }
}

/// One person's label of one output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonLabel {
    /// Who; `annotator-1` and so on, by position, where the file gives no name.
    pub by: Untrusted,
    /// What they said.
    pub label: Opinion,
    /// Why, in their words.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub critique: Untrusted,
    /// What the same person said of the same output later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Opinion>,
    /// Whether it was given without sight of the other labels. One that was not counts towards the truth and
    /// towards no agreement.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub blind: bool,
}

fn yes() -> bool {
    true
}

/// What labels come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    /// `pass`, `fail`, or none where nothing decides.
    pub verdict: Option<Verdict>,
    /// What decided.
    pub basis: Basis,
}

/// What decided the truth of a real output.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// A settled label.
    Adjudication,
    /// All annotators said the same.
    Unanimity,
    /// More than half of three or more.
    Majority,
    /// Nothing: the annotators did not settle on a label.
    Tie,
    /// Nobody labelled it.
    Unlabelled,
}

impl Truth {
    /// By the settled label, else unanimity of all, else a majority of three or more. An `unsure` counts
    /// towards neither side; a settled `unsure` leaves the output without a truth.
    #[must_use]
    pub fn of(adjudicated: Option<Opinion>, people: &[PersonLabel]) -> Self {
        let decided = |opinion: Opinion, basis| match opinion.verdict() {
            Some(verdict) => Self { verdict: Some(verdict), basis },
            None => Self { verdict: None, basis: Basis::Tie },
        };
        if let Some(settled) = adjudicated {
            return decided(settled, Basis::Adjudication);
        }
        let all = people.len();
        let count = |opinion| people.iter().filter(|person| person.label == opinion).count();
        let most = [Opinion::Pass, Opinion::Fail].into_iter().max_by_key(|opinion| count(*opinion));
        let most = most.unwrap_or(Opinion::Unsure);
        match count(most) {
            _ if all == 0 => Self { verdict: None, basis: Basis::Unlabelled },
            votes if votes == all => decided(most, Basis::Unanimity),
            votes if all >= 3 && 2 * votes > all => decided(most, Basis::Majority),
            _ => Self { verdict: None, basis: Basis::Tie },
        }
    }
}

/// A file's statement that its outputs are a probability sample: drawn by a rule that gave each output of the
/// population a known chance. Without it a rate is of these outputs and of no others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// How the outputs were chosen, in words: enough to draw them again.
    pub rule: Untrusted,
    /// The seed of the draw.
    pub seed: u64,
    /// How many outputs there were to choose from, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<u64>,
}

/// The first line of a real-output file may say what holds for all of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RealOutputHeader {
    /// How the outputs were drawn, where they are a probability sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// Who made the labels: `people` or `code`.
    #[serde(default, skip_serializing_if = "LabelsBy::is_not_stated")]
    pub labels_by: LabelsBy,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Opinion::{Fail, Pass, Unsure};

    fn person(label: Opinion) -> PersonLabel {
        let by = Untrusted::new("someone");
        PersonLabel { by, label, critique: Untrusted::default(), again: None, blind: true }
    }

    #[test]
    fn the_truth_of_labels() {
        use Basis::{Adjudication, Majority, Tie, Unanimity, Unlabelled};
        type Line = (Option<Opinion>, &'static [Opinion], Option<Verdict>, Basis);
        let table: &[Line] = &[
            (Some(Fail), &[Pass, Pass], Some(Verdict::Fail), Adjudication),
            (Some(Unsure), &[Pass, Pass], None, Tie),
            (None, &[Pass, Pass], Some(Verdict::Pass), Unanimity),
            (None, &[Fail], Some(Verdict::Fail), Unanimity),
            (None, &[Unsure], None, Tie),
            (None, &[Pass, Fail], None, Tie),
            (None, &[Pass, Fail, Fail], Some(Verdict::Fail), Majority),
            (None, &[Pass, Unsure], None, Tie),
            (None, &[Pass, Pass, Unsure], Some(Verdict::Pass), Majority),
            (None, &[Pass, Fail, Unsure], None, Tie),
            (None, &[Pass, Pass, Fail, Fail], None, Tie),
            (None, &[], None, Unlabelled),
        ];
        for (settled, said, verdict, basis) in table {
            let people: Vec<_> = said.iter().copied().map(person).collect();
            let truth = Truth { verdict: *verdict, basis: *basis };
            assert_eq!(Truth::of(*settled, &people), truth, "{settled:?} {said:?}");
        }
    }

    #[test]
    fn a_label_in_a_record_leaves_out_what_is_usual() {
        let label = Label {
            source: Untrusted::new("x"),
            annotators: 1,
            hard: false,
            by: LabelsBy::NotStated,
            adjudicated: None,
            people: vec![person(Pass)],
        };
        let text = serde_json::to_string(&label).expect("plain data");
        let expected = r#"{"source":"x","annotators":1,"hard":false,"people":[{"by":"someone","label":"pass"}]}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Label>(&text).expect("reads"), label);
        let old: Label =
            serde_json::from_str(r#"{"source":"x","annotators":2,"hard":true}"#).expect("reads");
        assert!(!old.is_peoples(), "an older record does not say who made the labels");
    }
}
