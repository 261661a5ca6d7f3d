//! What an open set promises of a held-out control: a digest of everything that is asked and of how it counts.

use super::event::ControlFacts;
use crate::control::held_out::Salt;
use crate::control::plan::variants;
use crate::control::set::Control;
use crate::control::transform::Transform;
use crate::id::Digest;

/// The commitment to a control, under the salt of its set: a digest of all that a record holds of it, as JSON, but
/// for why it is there, which is for readers.
#[must_use]
pub fn commitment(facts: &ControlFacts, salt: &Salt) -> Digest {
    let promised = ControlFacts { why: String::new(), held_out: false, ..facts.clone() };
    // Plain data: nothing that JSON could refuse.
    let json = serde_json::to_vec(&promised).unwrap_or_default();
    Digest::of_parts([
        b"accredit held-out commitment".as_slice(),
        salt.as_str().as_bytes(),
        json.as_slice(),
    ])
}

/// The commitments to these controls, sorted.
#[must_use]
pub fn commitments<'a>(
    controls: impl IntoIterator<Item = &'a ControlFacts>,
    salt: &Salt,
) -> Vec<Digest> {
    let mut all: Vec<_> = controls.into_iter().map(|facts| commitment(facts, salt)).collect();
    all.sort_unstable();
    all
}

/// The commitments to the controls of a set with these transforms; alike cases have been made one family before.
#[must_use]
pub fn commitments_of(controls: &[Control], transforms: &[Transform], salt: &Salt) -> Vec<Digest> {
    let facts = |control: &Control| {
        let shown = variants(control, transforms).map(|(transform, _)| transform);
        ControlFacts::new(control, shown.collect())
    };
    let facts: Vec<_> = controls.iter().map(facts).collect();
    commitments(&facts, salt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::label::{Label, LabelsBy};
    use crate::control::set::{Kind, Variation};
    use crate::example;
    use crate::untrusted::Untrusted;
    use crate::verdict::Verdict;

    const ENDS: [Transform; 1] = [Transform::LineEndings];

    fn promise(control: &Control, salt: u64) -> Vec<Digest> {
        let salt = Salt::new(format!("{:064x}", 0x00ab_0000 + salt)).expect("a salt");
        commitments_of(std::slice::from_ref(control), &ENDS, &salt)
    }

    #[test]
    fn whatever_changes_what_is_asked_or_how_it_counts_is_another_promise() {
        let control = example::control(Kind::KnownBad, "a", "x\ny");
        let label = Label {
            source: Untrusted::new("people"),
            annotators: 0,
            hard: true,
            by: LabelsBy::People,
            adjudicated: None,
            people: vec![],
        };
        let changes: [fn(&mut Control, Label); 13] = [
            |it, _| it.entry.id = "b".parse().expect("valid"),
            |it, _| it.kind = Kind::KnownGood,
            |it, _| it.entry.family = "another".parse().expect("valid"),
            |it, _| it.entry.base = "b".parse().ok(),
            |it, _| it.entry.pair = "b".parse().ok(),
            |it, _| it.entry.variation = Some(Variation::Reworded),
            |it, _| it.entry.tactic = "confident-tone".parse().ok(),
            |it, _| it.entry.expect = example::expect(Verdict::Fail, Some("r2")),
            |it, _| it.entry.also = vec!["r2".parse().expect("valid")],
            |it, _| it.entry.skip_transforms = ENDS.to_vec(),
            |it, _| _ = it.entry.segment.insert("size".into(), "long".into()),
            |it, _| it.entry.case.output = "x\nz".into(),
            |it, label| it.label = Some(label),
        ];
        let promised = promise(&control, 1);
        for (at, change) in changes.iter().enumerate() {
            let mut other = control.clone();
            change(&mut other, label.clone());
            assert_ne!(promise(&other, 1), promised, "change {at}");
        }
        assert_ne!(promise(&control, 2), promised, "the salt");
        let mut same = control.clone();
        (same.entry.why, same.held_out) = ("In other words.".into(), true);
        assert_eq!(promise(&same, 1), promised);
    }
}
