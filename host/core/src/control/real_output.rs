//! Real outputs with people's labels: how a line of such a file becomes a control.

use serde::{Deserialize, Serialize};

use super::set::{Control, Entry, Expectation, Kind, Label, Place};
use crate::case::Case;
use crate::id::{ControlId, FamilyId};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// One line of a real-output file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RealOutput {
    /// Unique in the file.
    pub id: String,
    /// What was asked.
    pub task: String,
    /// What the system answered.
    pub output: String,
    /// What a right answer is: a text, a list of alternatives, or an object.
    #[serde(default)]
    pub reference: serde_json::Value,
    /// The settled label, where people settled one.
    #[serde(default)]
    pub human_label: Option<String>,
    /// Each annotator's own label.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Marked as hard before any grader ran.
    #[serde(default)]
    pub hard: bool,
    /// Outputs that answer one question are one family; without it the task is the family.
    #[serde(default)]
    pub family: Option<FamilyId>,
    /// Anything else that is known of it. `label_source` says where the label came from.
    #[serde(default)]
    pub meta: serde_json::Map<String, serde_json::Value>,
}

/// Why a line of a real-output file is no control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RealOutputFault {
    /// The id does not fit.
    #[error("{0}")]
    Id(#[from] crate::id::InvalidId),
    /// A label is no label.
    #[error("`{0}` is not a label: use \"pass\", \"fail\" or, in `labels`, \"unsure\"")]
    Label(String),
}

impl RealOutput {
    /// The control this line makes. Its truth is the settled label, else the annotators' unanimity, else
    /// a majority of three or more; where none of these decides it is `unresolved`, which no rate counts.
    ///
    /// # Errors
    /// When the id or a label does not fit.
    pub fn into_control(self, at: Place) -> Result<Control, RealOutputFault> {
        let id = ControlId::new(self.id.to_ascii_lowercase())?;
        let family = match self.family {
            Some(family) => family,
            None => family_of(&self.task),
        };
        let labels: Vec<Option<Verdict>> =
            self.labels.iter().map(|label| parse_label(label)).collect::<Result<_, _>>()?;
        let settled = match &self.human_label {
            Some(label) => parse_label(label)?,
            None => None,
        };
        let verdict = settled.or_else(|| vote(&labels)).unwrap_or(Verdict::Unresolved);
        let source = self.meta.get("label_source").and_then(serde_json::Value::as_str);
        Ok(Control {
            kind: Kind::RealOutput,
            at,
            held_out: false,
            label: Some(Label {
                source: Untrusted::new(source.unwrap_or("not stated")),
                annotators: labels.len(),
                hard: self.hard,
            }),
            entry: Entry {
                id,
                family,
                why: String::new(),
                expect: Expectation { verdict, rule: None },
                also: Vec::new(),
                pair: None,
                tactic: None,
                base: None,
                variation: None,
                skip_transforms: Vec::new(),
                segment: std::collections::BTreeMap::new(),
                case: Case {
                    task: self.task,
                    output: self.output,
                    output_type: "text/plain".to_owned(),
                    reference: reference_text(&self.reference),
                    ..Case::default()
                },
            },
        })
    }
}

/// Outputs for one task share its digest as their family.
fn family_of(task: &str) -> FamilyId {
    let name = format!("task-{}", crate::id::Digest::of(task.as_bytes()).short());
    FamilyId::new(name).unwrap_or_else(|_| unreachable!("hexadecimal digits are valid"))
}

fn parse_label(label: &str) -> Result<Option<Verdict>, RealOutputFault> {
    match label {
        "pass" => Ok(Some(Verdict::Pass)),
        "fail" => Ok(Some(Verdict::Fail)),
        "unsure" => Ok(None),
        other => Err(RealOutputFault::Label(other.to_owned())),
    }
}

/// Unanimity of all, else a majority of three or more; an `unsure` counts towards neither side.
fn vote(labels: &[Option<Verdict>]) -> Option<Verdict> {
    let count = |verdict| labels.iter().filter(|label| **label == Some(verdict)).count();
    let (pass, fail) = (count(Verdict::Pass), count(Verdict::Fail));
    let all = labels.len();
    match (pass, fail) {
        _ if all == 0 => None,
        (pass, _) if pass == all => Some(Verdict::Pass),
        (_, fail) if fail == all => Some(Verdict::Fail),
        (pass, _) if all >= 3 && 2 * pass > all => Some(Verdict::Pass),
        (_, fail) if all >= 3 && 2 * fail > all => Some(Verdict::Fail),
        _ => None,
    }
}

/// Alternatives are joined with ` | `; an object is passed on as JSON.
fn reference_text(value: &serde_json::Value) -> Option<String> {
    use serde_json::Value;
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let texts: Vec<_> = items.iter().filter_map(reference_text).collect();
            (!texts.is_empty()).then(|| texts.join(" | "))
        }
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(line: &str) -> Result<Verdict, RealOutputFault> {
        let line: RealOutput = serde_json::from_str(line).expect("parses");
        let at = Place { file: "f".into(), line: 1 };
        line.into_control(at).map(|control| control.entry.expect.verdict)
    }

    #[test]
    fn the_truth_of_a_real_output() {
        let table = [
            (r#""human_label":"fail","labels":["pass","pass"]"#, Verdict::Fail),
            (r#""labels":["pass","pass"]"#, Verdict::Pass),
            (r#""labels":["fail"]"#, Verdict::Fail),
            (r#""labels":["pass","fail"]"#, Verdict::Unresolved),
            (r#""labels":["pass","fail","fail"]"#, Verdict::Fail),
            (r#""labels":["pass","unsure"]"#, Verdict::Unresolved),
            (r#""labels":["pass","pass","unsure"]"#, Verdict::Pass),
            (r#""labels":["pass","fail","unsure"]"#, Verdict::Unresolved),
            (r#""labels":[]"#, Verdict::Unresolved),
        ];
        for (rest, verdict) in table {
            let line = format!(r#"{{"id":"a","task":"t","output":"o",{rest}}}"#);
            assert_eq!(truth(&line), Ok(verdict), "{rest}");
        }
        let bad = r#"{"id":"a","task":"t","output":"o","human_label":"PASS"}"#;
        assert_eq!(truth(bad), Err(RealOutputFault::Label("PASS".into())));
    }

    #[test]
    fn references_of_every_shape() {
        let table = [
            (serde_json::json!("x"), Some("x")),
            (serde_json::json!(["a", "b"]), Some("a | b")),
            (serde_json::json!([]), None),
            (serde_json::json!(null), None),
            (serde_json::json!(7), Some("7")),
        ];
        for (value, text) in table {
            assert_eq!(reference_text(&value).as_deref(), text);
        }
    }
}
