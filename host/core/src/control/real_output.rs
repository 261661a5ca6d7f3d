//! Real outputs with people's labels: how a line of such a file becomes a control.

use schemars::JsonSchema;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::label::{Label, LabelsBy, Opinion, PersonLabel};
use super::set::{Control, Entry, Expectation, Kind, Place};
use crate::case::Case;
use crate::id::{ControlId, FamilyId};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// One line of a real-output file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The settled label, where people settled one: `pass`, `fail`, or `unsure` where they could not.
    #[serde(default)]
    pub human_label: Option<String>,
    /// Each annotator's own label.
    #[serde(default)]
    pub labels: Vec<GivenLabel>,
    /// Who made the labels: `people` or `code` (a program, a rule or a model). It can stand in `meta` or in the file's
    /// header line as well. Nothing else says it, and names least of all.
    #[serde(default)]
    pub labels_by: Option<String>,
    /// Marked as hard before any grader ran.
    #[serde(default)]
    pub hard: bool,
    /// Outputs that answer one question are one family; without it the task is the family.
    #[serde(default)]
    pub family: Option<FamilyId>,
    /// What sort of case it is, by name and value: rates are shown for each such segment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub segment: BTreeMap<String, String>,
    /// Anything else that is known of it. `label_source` says where the label came from.
    #[serde(default)]
    pub meta: serde_json::Map<String, serde_json::Value>,
}

/// One annotator's label: a word, or an object that says more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GivenLabel {
    /// `pass`, `fail` or `unsure`. The annotator has no name but the position in the list.
    Word(String),
    /// The label of a named annotator.
    Named(NamedLabel),
}

/// The label of a named annotator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedLabel {
    /// The annotator's name, the same in every line.
    pub by: String,
    /// `pass`, `fail` or `unsure`.
    pub label: String,
    /// Why, in the person's words.
    #[serde(default)]
    pub critique: String,
    /// What the same person said when asked again later.
    #[serde(default)]
    pub again: Option<String>,
    /// Whether the label was given without sight of the others (the usual case). One that was not counts
    /// towards the truth and towards no agreement.
    #[serde(default = "yes")]
    pub blind: bool,
}

fn yes() -> bool {
    true
}

/// Why a line of a real-output file is no control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RealOutputFault {
    /// The id does not fit.
    #[error("{0}")]
    Id(#[from] crate::id::InvalidId),
    /// A label is no label.
    #[error("`{0}` is not a label: use \"pass\", \"fail\" or \"unsure\"")]
    Label(String),
    /// The makers of the labels are of no known kind.
    #[error("`labels_by` is `{0}`: use \"people\" or \"code\"")]
    LabelsBy(String),
    /// A label without a name.
    #[error("a label has an empty `by`: name the person, or write the label as a plain text")]
    Nameless,
    /// Two labels of one person.
    #[error("two labels by `{0}`: write the second one as `again` of the first")]
    Twice(String),
}

impl RealOutput {
    /// The control this line makes; `labels_by` is what the file's header says of all lines. Its verdict is
    /// the truth of its labels; where nothing decides it is `unresolved`, which no rate counts.
    ///
    /// # Errors
    /// When the id or a label does not fit.
    pub fn into_control(self, at: Place, labels_by: LabelsBy) -> Result<Control, RealOutputFault> {
        let id = ControlId::new(self.id.to_ascii_lowercase())?;
        let label = self.label(labels_by)?;
        let family = match self.family {
            Some(family) => family,
            None => family_of(&self.task),
        };
        let verdict = label.truth().verdict.unwrap_or(Verdict::Unresolved);
        Ok(Control {
            kind: Kind::RealOutput,
            at,
            held_out: false,
            label: Some(label),
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
                segment: self.segment,
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

    fn label(&self, of_file: LabelsBy) -> Result<Label, RealOutputFault> {
        let mut people: Vec<PersonLabel> = Vec::new();
        for (place, given) in self.labels.iter().enumerate() {
            let person = given.person(place)?;
            if people.iter().any(|other| other.by == person.by) {
                return Err(RealOutputFault::Twice(person.by.raw().to_owned()));
            }
            people.push(person);
        }
        let source = self.meta.get("label_source").and_then(serde_json::Value::as_str);
        Ok(Label {
            source: Untrusted::new(source.unwrap_or("not stated")),
            annotators: people.len(),
            hard: self.hard,
            by: self.labels_by(of_file)?,
            adjudicated: self.human_label.as_deref().map(opinion).transpose()?,
            people,
        })
    }

    /// Who made the labels: as the line says, else its `meta`, else the file. A name in `by` says nothing of it: a
    /// model has one as well.
    fn labels_by(&self, of_file: LabelsBy) -> Result<LabelsBy, RealOutputFault> {
        let in_meta = self.meta.get("labels_by").map(|value| match value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        match self.labels_by.clone().or(in_meta) {
            Some(stated) => LabelsBy::STATED
                .into_iter()
                .find(|(name, _)| *name == stated)
                .map(|(_, by)| by)
                .ok_or(RealOutputFault::LabelsBy(stated)),
            None => Ok(of_file),
        }
    }
}

impl GivenLabel {
    /// The label of the annotator at this place in the list, counted from 0.
    fn person(&self, place: usize) -> Result<PersonLabel, RealOutputFault> {
        Ok(match self {
            Self::Word(word) => PersonLabel {
                by: Untrusted::new(format!("annotator-{}", place + 1)),
                label: opinion(word)?,
                critique: Untrusted::default(),
                again: None,
                blind: true,
            },
            Self::Named(named) if named.by.trim().is_empty() => {
                return Err(RealOutputFault::Nameless);
            }
            Self::Named(named) => PersonLabel {
                by: Untrusted::new(named.by.trim()),
                label: opinion(&named.label)?,
                critique: Untrusted::new(named.critique.clone()),
                again: named.again.as_deref().map(opinion).transpose()?,
                blind: named.blind,
            },
        })
    }
}

fn opinion(word: &str) -> Result<Opinion, RealOutputFault> {
    Opinion::from_name(word).ok_or_else(|| RealOutputFault::Label(word.to_owned()))
}

/// Outputs for one task share its digest as their family.
fn family_of(task: &str) -> FamilyId {
    let name = format!("task-{}", crate::id::Digest::of(task.as_bytes()).short());
    FamilyId::new(name).unwrap_or_else(|_| unreachable!("hexadecimal digits are valid"))
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

    fn control(rest: &str, labels_by: LabelsBy) -> Result<Control, RealOutputFault> {
        let line = format!(r#"{{"id":"a","task":"t","output":"o",{rest}}}"#);
        let line: RealOutput = serde_json::from_str(&line).expect("parses");
        line.into_control(Place { file: "f".into(), line: 1 }, labels_by)
    }

    fn by(rest: &str, of_file: LabelsBy) -> Result<LabelsBy, RealOutputFault> {
        control(rest, of_file).map(|control| control.label.expect("has a label").by)
    }

    #[test]
    fn the_verdict_is_the_truth_of_the_labels() {
        let table = [
            (r#""human_label":"fail","labels":["pass","pass"]"#, Verdict::Fail),
            (r#""labels":["pass","fail"]"#, Verdict::Unresolved),
            (r#""labels":["pass",{"by":"b","label":"fail"},"fail"]"#, Verdict::Fail),
            (r#""labels":[]"#, Verdict::Unresolved),
        ];
        for (rest, verdict) in table {
            let control = control(rest, LabelsBy::NotStated).expect("a control");
            assert_eq!(control.entry.expect.verdict, verdict, "{rest}");
        }
    }

    #[test]
    fn labels_of_every_shape_keep_what_they_say() {
        let rest = r#""labels":["pass",{"by":" b ","label":"unsure","critique":"why","again":"fail"},{"by":"c","label":"fail","blind":false}]"#;
        let people = control(rest, LabelsBy::NotStated).expect("a control").label;
        let people = people.expect("has a label").people;
        let names: Vec<_> = people.iter().map(|person| person.by.raw()).collect();
        assert_eq!(names, ["annotator-1", "b", "c"]);
        assert_eq!(people[1].critique.raw(), "why");
        assert_eq!((people[1].label, people[1].again), (Opinion::Unsure, Some(Opinion::Fail)));
        assert_eq!((people[1].blind, people[2].blind), (true, false));
    }

    #[test]
    fn who_made_the_labels_must_be_stated() {
        use LabelsBy::{Code, NotStated, People};
        let table = [
            (r#""labels":["pass"]"#, NotStated, NotStated),
            (r#""labels":["pass"]"#, People, People),
            (r#""labels":["pass"],"labels_by":"code""#, People, Code),
            (r#""labels":["pass"],"meta":{"labels_by":"code"}"#, People, Code),
            (r#""labels":["pass"],"labels_by":"people","meta":{"labels_by":"code"}"#, Code, People),
            (r#""labels":[{"by":"b","label":"pass"}]"#, NotStated, NotStated),
            (r#""labels":[{"by":"gpt-4o","label":"pass"}]"#, NotStated, NotStated),
            (r#""labels":[{"by":"b","label":"pass"}]"#, People, People),
            (r#""labels":[{"by":"b","label":"pass"}]"#, Code, Code),
        ];
        for (rest, of_file, expected) in table {
            assert_eq!(by(rest, of_file), Ok(expected), "{rest}");
        }
    }

    #[test]
    fn what_is_no_label_is_a_fault() {
        let table = [
            (r#""human_label":"PASS""#, RealOutputFault::Label("PASS".into())),
            (r#""labels":[{"by":" ","label":"pass"}]"#, RealOutputFault::Nameless),
            (
                r#""labels":[{"by":"b","label":"pass"},{"by":"b","label":"fail"}]"#,
                RealOutputFault::Twice("b".into()),
            ),
            (r#""labels_by":"nobody""#, RealOutputFault::LabelsBy("nobody".into())),
            (r#""meta":{"labels_by":1}"#, RealOutputFault::LabelsBy("1".into())),
        ];
        for (rest, fault) in table {
            assert_eq!(by(rest, LabelsBy::NotStated), Err(fault), "{rest}");
        }
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
