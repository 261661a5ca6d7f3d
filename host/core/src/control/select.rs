//! Choosing some controls of a set, while a grader or a set is being written.
//!
//! A pattern is a part of an id (`decimal`), a whole id with `*` and `?` in it (`kb-*`), or `kind=`, `rule=`,
//! `tactic=` or `family=` with a name, in which `*` and `?` stand for any letters as well.

use std::collections::BTreeSet;

use super::lint::{nearest, quoted};
use super::set::Control;
use crate::id::{ControlId, Digest};

/// How many names a message lists.
const LISTED: usize = 12;

/// A pattern that chooses controls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    written: String,
    key: Key,
    pattern: String,
}

/// What a pattern is matched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Id,
    Kind,
    Rule,
    Tactic,
    Family,
}

impl Key {
    const NAMED: [Self; 4] = [Self::Kind, Self::Rule, Self::Tactic, Self::Family];

    fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Kind => "kind",
            Self::Rule => "rule",
            Self::Tactic => "tactic",
            Self::Family => "family",
        }
    }

    /// What a control has of this, if it has any.
    fn of(self, control: &Control) -> Option<&str> {
        let entry = &control.entry;
        match self {
            Self::Id => Some(entry.id.as_str()),
            Self::Kind => Some(control.kind.name()),
            Self::Rule => entry.expect.rule.as_ref().map(crate::id::RuleId::as_str),
            Self::Tactic => entry.tactic.as_ref().map(crate::id::FamilyId::as_str),
            Self::Family => Some(entry.family.as_str()),
        }
    }
}

/// Why a text is no pattern, or chooses nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// There is no text.
    #[error("an empty pattern: give a part of an id, or kind=, rule=, tactic= or family=")]
    Empty,
    /// The word before `=` is none of the four.
    #[error(
        "{pattern}: no control has such a key. Use kind=, rule=, tactic= or family=, or a part of an id without `=`"
    )]
    Key {
        /// The pattern, quoted.
        pattern: String,
    },
    /// It chooses nothing.
    #[error("{pattern} matches none of the {of} controls. {mend}")]
    Nothing {
        /// The pattern, quoted.
        pattern: String,
        /// All controls.
        of: usize,
        /// What there is.
        mend: String,
    },
}

impl Filter {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is empty, or has an unknown key.
    pub fn parse(written: &str) -> Result<Self, FilterError> {
        let (key, pattern) = match written.split_once('=') {
            None => (Key::Id, written),
            Some((key, pattern)) => {
                let known = Key::NAMED.into_iter().find(|known| known.name() == key);
                let unknown = || FilterError::Key { pattern: quoted(written) };
                (known.ok_or_else(unknown)?, pattern)
            }
        };
        if pattern.is_empty() {
            return Err(FilterError::Empty);
        }
        Ok(Self { written: written.to_owned(), key, pattern: pattern.to_owned() })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Whether it chooses this control.
    #[must_use]
    pub fn matches(&self, control: &Control) -> bool {
        let Some(text) = self.key.of(control) else { return false };
        let wild = self.pattern.contains(['*', '?']);
        match (self.key, wild) {
            (_, true) => glob(self.pattern.as_bytes(), text.as_bytes()),
            (Key::Id, false) => text.contains(&self.pattern),
            (_, false) => text == self.pattern,
        }
    }

    /// What there is instead, where it chooses nothing.
    fn nothing(&self, controls: &[Control]) -> FilterError {
        let known: BTreeSet<_> = controls.iter().filter_map(|it| self.key.of(it)).collect();
        let near = nearest(&self.pattern, known.iter().copied());
        let more = if known.len() > LISTED { ", …" } else { "" };
        let list: Vec<_> = known.iter().copied().take(LISTED).collect();
        let what = self.key.name();
        let mend = match (near, list.as_slice()) {
            (Some(near), _) => format!("Did you mean `{near}`?"),
            (None, []) => format!("No control has a {what}"),
            (None, list) => format!("There is {what}: {}{more}", list.join(", ")),
        };
        FilterError::Nothing { pattern: quoted(&self.written), of: controls.len(), mend }
    }
}

/// The controls that any of these patterns chooses, in the set's order, and the bases of chosen variants.
///
/// # Errors
/// When a pattern chooses nothing: it was probably misspelt.
pub fn select(controls: &[Control], filters: &[Filter]) -> Result<Vec<Control>, FilterError> {
    if let Some(idle) = filters.iter().find(|it| !controls.iter().any(|c| it.matches(c))) {
        return Err(idle.nothing(controls));
    }
    Ok(with_bases(controls, |control| filters.iter().any(|filter| filter.matches(control))))
}

/// The controls of these ids, in the set's order, and the bases of chosen variants.
#[must_use]
pub fn by_id(controls: &[Control], ids: &BTreeSet<ControlId>) -> Vec<Control> {
    with_bases(controls, |control| ids.contains(&control.entry.id))
}

/// A variant without its base shows nothing: what its verdict should not move from is missing.
fn with_bases(controls: &[Control], chosen: impl Fn(&Control) -> bool) -> Vec<Control> {
    let bases: BTreeSet<_> = controls
        .iter()
        .filter(|control| chosen(control))
        .filter_map(|control| control.entry.base.as_ref())
        .collect();
    let taken = |control: &&Control| chosen(control) || bases.contains(&control.entry.id);
    controls.iter().filter(taken).cloned().collect()
}

/// Whether a text is of this form, where `*` stands for any letters and `?` for one.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(letter) if *letter == b'?' || *letter == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                // The last star takes one letter more.
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                p = at + 1;
                t = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|letter| *letter == b'*')
}

/// Why a run has only some of its set's controls. Such a run is for authors: it promotes nothing.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Only {
    /// The controls that there are.
    pub of: u64,
    /// The patterns that chose some of them; none where all were open to choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// The record whose wrong controls are run again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_in: Option<Digest>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::set::Kind;
    use crate::example;
    use crate::id::FamilyId;

    fn controls() -> Vec<Control> {
        let mut controls = vec![
            example::control(Kind::KnownBad, "kb-decimal", "1"),
            example::control(Kind::KnownGood, "kg-decimal", "2"),
            example::control(Kind::Adversarial, "ad-dump", "3"),
            example::control(Kind::Invariance, "iv-base", "4"),
            example::control(Kind::Invariance, "iv-long", "5"),
        ];
        controls[2].entry.tactic = Some(FamilyId::new("answer-dump").expect("a valid id"));
        controls[4].entry.base = Some(ControlId::new("iv-base").expect("a valid id"));
        controls
    }

    fn chosen(patterns: &[&str]) -> Result<Vec<String>, FilterError> {
        let filters: Result<Vec<_>, _> = patterns.iter().map(|it| Filter::parse(it)).collect();
        let chosen = select(&controls(), &filters?)?;
        Ok(chosen.iter().map(|control| control.entry.id.to_string()).collect())
    }

    #[test]
    fn any_of_several_patterns_chooses() {
        for (patterns, ids) in [
            (&["decimal"][..], &["kb-decimal", "kg-decimal"][..]),
            (&["kb-*"], &["kb-decimal"]),
            (&["*-d?mp"], &["ad-dump"]),
            (&["kind=known-good"], &["kg-decimal"]),
            (&["kind=known-*"], &["kb-decimal", "kg-decimal"]),
            (&["rule=r1"], &["kb-decimal", "ad-dump"]),
            (&["tactic=answer-dump", "kg"], &["kg-decimal", "ad-dump"]),
            (&["family=iv-base"], &["iv-base"]),
            // A variant brings its base.
            (&["iv-long"], &["iv-base", "iv-long"]),
        ] {
            assert_eq!(chosen(patterns).expect("some"), ids, "{patterns:?}");
        }
    }

    #[test]
    fn a_pattern_that_chooses_nothing_says_what_there_is() {
        for (patterns, told) in [
            (&[""][..], "an empty pattern"),
            (&["kind="], "an empty pattern"),
            (&["kid=known-bad"], "`kid=known-bad`: no control has such a key. Use kind="),
            (&["kind=known-bda"], "none of the 5 controls. Did you mean `known-bad`?"),
            (&["decimal", "rule=x"], "`rule=x` matches none"),
            (&["tactic=zzz"], "There is tactic: answer-dump"),
            (&["kb-dcimal"], "Did you mean `kb-decimal`?"),
            (&["zzzzzz"], "There is id: ad-dump, iv-base, iv-long, kb-decimal, kg-decimal"),
        ] {
            let error = chosen(patterns).expect_err("none").to_string();
            assert!(error.contains(told), "{patterns:?}: {error}");
        }
    }

    #[test]
    fn stars_take_as_much_as_they_must() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b", "abc", false),
            ("**a", "bba", true),
            ("?", "", false),
            ("??", "ab", true),
            ("*ab", "aab", true),
        ] {
            assert_eq!(glob(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }
}
