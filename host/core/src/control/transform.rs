//! Transforms that keep a case's meaning, so its verdict must not move.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use unicode_normalization::UnicodeNormalization;

use crate::case::Case;

/// A change that leaves what a case means as it was, under the rubrics that declare it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    /// LF becomes CRLF in the output.
    LineEndings,
    /// A space at the end of each line of the output, and a newline at its end.
    WhiteSpace,
    /// The output in Unicode normal form D.
    UnicodeNfd,
    /// A neutral sentence and a blank line before the output, unless the output is blank.
    NeutralLengthening,
    /// The keys of every JSON object in evidence of type `application/json`, in reverse order.
    JsonKeyOrder,
    /// The evidence in reverse order.
    EvidenceOrder,
}

/// What [`Transform::NeutralLengthening`] puts before an output.
pub const NEUTRAL_SENTENCE: &str = "I read the question twice before writing this.";

impl Transform {
    /// Every transform.
    pub const ALL: [Self; 6] = [
        Self::LineEndings,
        Self::WhiteSpace,
        Self::UnicodeNfd,
        Self::NeutralLengthening,
        Self::JsonKeyOrder,
        Self::EvidenceOrder,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LineEndings => "line-endings",
            Self::WhiteSpace => "white-space",
            Self::UnicodeNfd => "unicode-nfd",
            Self::NeutralLengthening => "neutral-lengthening",
            Self::JsonKeyOrder => "json-key-order",
            Self::EvidenceOrder => "evidence-order",
        }
    }

    /// The transformed case, or `None` where the transform changes nothing.
    #[must_use]
    pub fn apply(self, case: &Case) -> Option<Case> {
        let mut changed = case.clone();
        match self {
            Self::LineEndings => changed.output = crlf(&case.output),
            Self::WhiteSpace => changed.output = spaced(&case.output),
            Self::UnicodeNfd => changed.output = case.output.nfd().collect(),
            Self::NeutralLengthening => changed.output = lengthened(&case.output),
            Self::JsonKeyOrder => {
                for evidence in &mut changed.evidence {
                    if evidence.media_type == "application/json"
                        && is_shallow(&evidence.content)
                        && let Some(content) = reversed_keys(&evidence.content)
                    {
                        evidence.content = content;
                    }
                }
            }
            Self::EvidenceOrder => changed.evidence.reverse(),
        }
        (changed != *case).then_some(changed)
    }
}

fn crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

fn spaced(text: &str) -> String {
    if text.trim().is_empty() { text.to_owned() } else { text.replace('\n', " \n") + " \n" }
}

fn lengthened(text: &str) -> String {
    if text.trim().is_empty() { text.to_owned() } else { format!("{NEUTRAL_SENTENCE}\n\n{text}") }
}

/// Whether this is JSON nested no deeper than a reader follows (128 levels): the rewriting below calls
/// itself once a level.
fn is_shallow(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// The same JSON with the members of every object reversed; `None` where it is not JSON, or where an
/// object repeats a key, since then order may mean something. Values keep their spelling.
fn reversed_keys(text: &str) -> Option<String> {
    match text.trim_start().as_bytes().first()? {
        b'{' => {
            let Members(members) = serde_json::from_str(text).ok()?;
            let distinct: BTreeSet<_> = members.iter().map(|(key, _)| key).collect();
            if distinct.len() < members.len() {
                return None;
            }
            let members: Option<Vec<_>> = members
                .iter()
                .rev()
                .map(|(key, value)| {
                    Some(format!(
                        "{}: {}",
                        serde_json::Value::from(key.as_str()),
                        reversed_keys(value.get())?
                    ))
                })
                .collect();
            Some(format!("{{{}}}", members?.join(", ")))
        }
        b'[' => {
            let items: Vec<Box<RawValue>> = serde_json::from_str(text).ok()?;
            let items: Option<Vec<_>> =
                items.iter().map(|item| reversed_keys(item.get())).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        _ => serde_json::from_str::<&RawValue>(text).ok().map(|raw| raw.get().to_owned()),
    }
}

/// An object's members in order, values as they are spelt.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Evidence;

    fn output(text: &str) -> Case {
        Case { output: text.into(), ..Case::default() }
    }

    #[test]
    fn each_transform_changes_what_it_says_and_no_more() {
        let table = [
            (Transform::LineEndings, "a\nb\r\nc", Some("a\r\nb\r\nc")),
            (Transform::LineEndings, "a", None),
            (Transform::WhiteSpace, "a\nb", Some("a \nb \n")),
            (Transform::WhiteSpace, " \n", None),
            (Transform::UnicodeNfd, "caf\u{e9}", Some("cafe\u{301}")),
            (Transform::UnicodeNfd, "cafe", None),
            (Transform::NeutralLengthening, "", None),
            (Transform::EvidenceOrder, "a", None),
            (Transform::JsonKeyOrder, "{}", None),
        ];
        for (transform, before, after) in table {
            let got = transform.apply(&output(before)).map(|case| case.output);
            assert_eq!(got.as_deref(), after, "{transform:?} {before:?}");
        }
        let long = Transform::NeutralLengthening.apply(&output("A: 1")).expect("changes");
        assert!(long.output.ends_with("\n\nA: 1"));
    }

    #[test]
    fn json_keeps_its_numbers_and_refuses_repeated_keys() {
        let table = [
            (
                r#"{"a": 1.50, "b": {"c": 1e3, "d": [ {"x":1,"y":2} ]}}"#,
                Some(r#"{"b": {"d": [{"y": 2, "x": 1}], "c": 1e3}, "a": 1.50}"#),
            ),
            (r#"{"a": 1, "a": 2}"#, None),
            ("{", None),
            ("not json", None),
        ];
        for (before, after) in table {
            assert_eq!(reversed_keys(before).as_deref(), after, "{before}");
        }
        let evidence = |media_type: &str| Evidence {
            media_type: media_type.into(),
            content: r#"{"a":1,"b":2}"#.into(),
            ..Evidence::default()
        };
        let case = Case {
            evidence: vec![evidence("text/plain"), evidence("application/json")],
            ..Case::default()
        };
        let changed = Transform::JsonKeyOrder.apply(&case).expect("changes");
        assert_eq!(changed.evidence[0], case.evidence[0]);
        assert_eq!(changed.evidence[1].content, r#"{"b": 2, "a": 1}"#);
        let mut deep = case;
        deep.evidence[1].content = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(Transform::JsonKeyOrder.apply(&deep), None);
    }
}
