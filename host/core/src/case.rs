//! What a grader is shown: the contract's `grading-case`, with the names in snake_case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::Digest;

/// One case. Every part but the output may be left out of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Replaced before a grader sees it, so that a control looks like live work.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What the system under test was asked.
    #[serde(default)]
    pub task: String,
    /// What it answered: the text to judge. May be empty, must be there.
    pub output: String,
    /// The media type of `output`.
    #[serde(default = "text_plain")]
    pub output_type: String,
    /// What a right answer is, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The conversation that led to the output, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// The statements of the output that `each-claim` rules judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// What the output may be checked against.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Files that the system under test produced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// A JSON object as text, or empty: settings shared by every case of a run.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
}

/// Something the output may be checked against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Unique within the case; citations name it.
    pub id: String,
    /// What it is, in the rubric's words; rules ask for it in `needs`.
    pub kind: String,
    /// Where it came from, for people to read.
    #[serde(default)]
    pub source: String,
    /// The moment it describes, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The media type of `content`.
    #[serde(default = "text_plain")]
    pub media_type: String,
    /// The evidence itself.
    pub content: String,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra: String,
}

/// One turn of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// What was said.
    pub content: String,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra: String,
}

/// A statement of the output, split off by the host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique within the case.
    pub id: String,
    /// The statement.
    pub text: String,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra: String,
}

/// A file that the system under test produced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Unique within the case. Not a path.
    pub name: String,
    /// The media type of `data`.
    #[serde(default = "text_plain")]
    pub media_type: String,
    /// The bytes, as an array of numbers 0 to 255.
    pub data: Vec<u8>,
}

fn text_plain() -> String {
    "text/plain".to_owned()
}

/// The id that every case carries when a grader sees it, in `check` as in `gate`.
pub const BLIND_ID: &str = "case";

impl Case {
    /// The case as a grader sees it: its id replaced by one that is the same for every case, so that
    /// nothing the host controls tells a control from live work.
    #[must_use]
    pub fn blinded(&self) -> Self {
        let mut case = self.clone();
        BLIND_ID.clone_into(&mut case.id);
        if case.output_type.is_empty() {
            case.output_type = text_plain();
        }
        case
    }

    /// The digest of what the case holds; its id is no part of it.
    ///
    /// It is taken over the case's canonical JSON: the fields in declared order, absent parts left out.
    #[must_use]
    pub fn content_digest(&self) -> Digest {
        if !self.id.is_empty() || self.output_type.is_empty() {
            let mut case = self.blinded();
            case.id.clear();
            return case.content_digest();
        }
        let json = serde_json::to_vec(self);
        Digest::of(&json.unwrap_or_else(|_| unreachable!("a case is plain data")))
    }

    /// Whether the case holds what a rule's `need` names: an evidence kind, or `@reference`,
    /// `@messages`, `@claims`, `@artifacts`.
    #[must_use]
    pub fn has(&self, need: &str) -> bool {
        match need {
            "@reference" => self.reference.is_some(),
            "@messages" => !self.messages.is_empty(),
            "@claims" => !self.claims.is_empty(),
            "@artifacts" => !self.artifacts.is_empty(),
            kind => self.evidence.iter().any(|evidence| evidence.kind == kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_case_is_an_output() {
        let case: Case = serde_json::from_str(r#"{"output": ""}"#).expect("parses");
        assert_eq!(case.output_type, "text/plain");
        assert!(serde_json::from_str::<Case>(r#"{"task": "x"}"#).is_err());
        assert!(serde_json::from_str::<Case>(r#"{"output": "", "referense": "1"}"#).is_err());
    }

    #[test]
    fn the_id_is_no_part_of_the_content() {
        let mut one = Case { output: "x".into(), ..Case::default() };
        let digest = one.content_digest();
        one.id = "other".into();
        assert_eq!(one.content_digest(), digest);
        one.output.push('y');
        assert_ne!(one.content_digest(), digest);
    }
}
