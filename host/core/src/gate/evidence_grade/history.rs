//! What was observed of how a run's result was made and checked. Whoever ran the system writes it, not the system.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::Grade;
use crate::gate::record::{Step, SutRun};
use crate::id::{Digest, JudgeName};
use crate::ledger::Moment;

/// How a run's result was made and checked, as far as it was observed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct History {
    /// Who observed it, and how much there was to see. Without it no execution counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custody: Option<Custody>,
    /// The judges of the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<Judge>,
    /// Executions of judges, whether declared or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub executions: Vec<Execution>,
    /// Every write of the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Write>,
    /// What the producer says its own evidence is worth: rejected, and counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claimed_grades: Vec<ClaimedGrade>,
}

/// Who observed a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Custody {
    /// The session that observed it. An execution that names another, or none, was not observed.
    pub session: String,
    /// How many executions and writes there are in all. They are numbered together, from 1 to this: a number that is
    /// missing is an event that was lost.
    pub events: u32,
}

/// A judge of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// Its name, unique in the run.
    pub name: JudgeName,
    /// What its pass is worth.
    pub kind: Grade,
    /// When it was declared: it counts if that is not after the run began. Absent where it was not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_at: Option<Moment>,
    /// Its chain of authorship: who wrote it, and on whose behalf, people and agents alike. None where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    /// Whether a proof kernel is what checks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kernel: bool,
}

/// What an execution of a judge came to.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Came {
    /// It passed.
    Pass,
    /// It failed.
    Fail,
    /// It came to nothing: it stopped, or did not say.
    None,
}

impl Came {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::None];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::None => "none",
        }
    }
}

/// One execution of a judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// Its place among executions and writes, from 1.
    pub order: u32,
    /// The judge.
    pub judge: JudgeName,
    /// The session that observed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it came to.
    pub result: Came,
    /// The digest of its transcript. Without one, what it came to is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Digest>,
    /// The digest of the content that it judged, as [`content_digest`] makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Digest>,
}

/// One write of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Its place among executions and writes, from 1.
    pub order: u32,
    /// The chain of authorship: who wrote, and on whose behalf. None where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    /// The digest of the content that it left, as [`content_digest`] makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Digest>,
}

/// What a producer says that its evidence is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimedGrade {
    /// The grade it would like.
    pub grade: Grade,
    /// Who says so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

impl History {
    /// The places of all events.
    pub(in crate::gate) fn orders(&self) -> impl Iterator<Item = u32> {
        let executions = self.executions.iter().map(|it| it.order);
        executions.chain(self.writes.iter().map(|it| it.order))
    }

    /// The session that observed it; absent where none did.
    pub(super) fn session(&self) -> Option<&str> {
        let session = self.custody.as_ref().map(|custody| custody.session.trim());
        session.filter(|session| !folded(session).is_empty())
    }

    /// Whether the observing session saw an event that is not here.
    pub(super) fn lost(&self) -> bool {
        let there: BTreeSet<u32> = self.orders().collect();
        let all = |custody: &Custody| there.iter().copied().eq(1..=custody.events);
        self.custody.as_ref().is_some_and(|custody| !all(custody))
    }
}

/// The links of a chain of authorship; absent where the chain, or a link of it, is not known. Names that look alike are
/// one: compared is the compatibility form (NFKC), without regard to case, spaces and characters that nobody sees. Letters
/// of other scripts that look the same stay different.
pub(super) fn links(chain: &[String]) -> Option<BTreeSet<String>> {
    let links: BTreeSet<String> = chain.iter().map(|link| folded(link)).collect();
    (!links.is_empty() && !links.contains("")).then_some(links)
}

/// A name as it is compared.
fn folded(name: &str) -> String {
    let seen = |char: &char| !char.is_control() && !char.is_whitespace() && !is_unseen(*char);
    // Upper case first: some letters become several only there.
    let upper = name.nfkc().filter(seen).collect::<String>().to_uppercase();
    upper.to_lowercase().replace('ς', "σ").nfkc().filter(seen).collect()
}

/// Default ignorable characters (Unicode, `DerivedCoreProperties`), and the blank of braille.
fn is_unseen(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The digest of what a judge may be shown of a run: its case, its context, and all of each step but what it cost and
/// how long it took. Any change of it is another content.
///
/// It is [`Digest::of_parts`] over the case, the context, and each step as compact JSON, in the order of the schema.
/// `accredit grade-evidence --format json` tells it of a record.
#[must_use]
pub fn content_digest(run: &SutRun) -> Digest {
    let step = |step: &Step| {
        let bare = Step { cost: None, latency_ms: None, ..step.clone() };
        serde_json::to_vec(&bare).unwrap_or_else(|_| unreachable!("a step is plain data"))
    };
    let steps: Vec<Vec<u8>> = run.steps.iter().map(step).collect();
    let head = [run.case.as_str().as_bytes(), run.context.as_bytes()];
    Digest::of_parts(head.into_iter().chain(steps.iter().map(Vec::as_slice)))
}

#[cfg(test)]
mod tests {
    use super::links;

    #[test]
    fn names_that_look_alike_are_one() {
        let of = |name: &str| links(&[name.to_owned()]);
        for (one, other) in [
            ("wanda", " WANDA "),
            ("wanda", "wan\u{200b}da"),
            ("wanda", "\u{202e}wan\u{ad}da\u{0}"),
            ("wanda", "\u{feff}wanda"),
            ("wanda s", "wanda\u{a0} s"),
            ("wanda", "\u{ff57}anda"),
            ("Jose\u{301}", "JOSÉ"),
            ("STRASSE", "straße"),
            ("ΣΑΣ", "σας"),
        ] {
            assert_eq!(of(one), of(other), "{one:?} {other:?}");
            assert!(of(one).is_some());
        }
        assert_ne!(of("wanda"), of("wendy"));
        assert_eq!(of("\u{200b}"), None, "nobody's name");
    }
}
