//! What a grader is shown: the contract's `grading-case`, with the names in snake_case.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::id::Digest;

/// One case. Every part but the output may be left out of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Replaced before a grader sees it, so that a control looks like live work.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// What the system under test was asked.
    #[serde(default, deserialize_with = "given")]
    pub task: String,
    /// What it answered: the text to judge. May be empty, must be there.
    pub output: String,
    /// The media type of `output`.
    #[serde(default = "text_plain", deserialize_with = "media_type")]
    pub output_type: String,
    /// What a right answer is, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The conversation that led to the output, oldest first.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// The statements of the output that `each-claim` rules judge.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// What the output may be checked against.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Files that the system under test produced.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// A JSON object as text, or empty: settings shared by every case of a run.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "String::is_empty")]
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
    #[serde(default, deserialize_with = "given")]
    pub source: String,
    /// The moment it describes, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The media type of `content`.
    #[serde(default = "text_plain", deserialize_with = "media_type")]
    pub media_type: String,
    /// The evidence itself.
    pub content: String,
    /// A JSON object as text, or empty.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "String::is_empty")]
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
    #[serde(default, deserialize_with = "given", skip_serializing_if = "String::is_empty")]
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
    #[serde(default, deserialize_with = "given", skip_serializing_if = "String::is_empty")]
    pub extra: String,
}

/// A file that the system under test produced.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Unique within the case. Not a path.
    pub name: String,
    /// The media type of `data`.
    #[serde(default = "text_plain", deserialize_with = "media_type")]
    pub media_type: String,
    /// The bytes, as an array of numbers 0 to 255.
    pub data: Vec<u8>,
}

fn text_plain() -> String {
    "text/plain".to_owned()
}

/// What may be left out may be null as well, as everywhere in files.
fn given<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// A list of objects, which serde would also read from lists of their values.
fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let objects = Option::<Vec<Object<T>>>::deserialize(from)?;
    Ok(objects.unwrap_or_default().into_iter().map(|object| object.0).collect())
}

/// What is written as an object and nothing else.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        from.deserialize_map(Keys(PhantomData)).map(Self)
    }
}

fn media_type<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_else(text_plain))
}

/// The id that every case carries when a grader sees it, in `check` as in `gate`.
pub const BLIND_ID: &str = "case";

impl Case {
    /// Reads a case from JSON: one object, and nothing behind it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn from_json(json: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice::<Object<Self>>(json).map(|case| case.0)
    }

    /// The case as a grader sees it: its id replaced by one that is the same for every case, so that
    /// nothing the host controls tells a control from live work.
    #[must_use]
    pub fn blinded(&self) -> Self {
        self.clone().into_blinded()
    }

    /// The same of a case that nobody else needs as it was.
    #[must_use]
    pub fn into_blinded(mut self) -> Self {
        BLIND_ID.clone_into(&mut self.id);
        if self.output_type.is_empty() {
            self.output_type = text_plain();
        }
        self
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
        let null = r#"{"id": null, "output": "", "output_type": null, "evidence": null}"#;
        assert_eq!(serde_json::from_str::<Case>(null).expect("parses"), case);
        assert!(serde_json::from_str::<Case>(r#"{"output": null}"#).is_err());
    }

    #[test]
    fn what_is_written_as_an_object_is_read_from_nothing_else() {
        let case = br#"{"output": "", "claims": [{"id": "a", "text": "b"}]}"#;
        assert_eq!(Case::from_json(case).expect("parses").claims.len(), 1);
        for wrong in [
            &br#"["a", "b", "c"]"#[..],
            br#"{"output": "", "claims": [["a", "b"]]}"#,
            br#"{"output": ""} {}"#,
            br#"{"output": "", "claims": [{"id": "a", "text": "b", "x": 1}]}"#,
        ] {
            assert!(Case::from_json(wrong).is_err());
        }
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
