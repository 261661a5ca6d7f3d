//! Families are what is counted, so one case must not make several of them.

use std::collections::BTreeMap;

use super::set::Control;
use crate::case::Case;
use crate::id::{Digest, FamilyId};

/// A control whose case another has already, but for what no rubric reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// The control's place.
    pub at: usize,
    /// The place of the one it goes with.
    pub into: usize,
}

/// The controls of another family than the first control with the same gist.
#[must_use]
pub fn twins(controls: &[Control]) -> Vec<Merged> {
    let mut twins = alike(controls);
    twins.retain(|it| controls[it.into].entry.family != controls[it.at].entry.family);
    twins
}

/// Every control that has the gist of an earlier one, with the first of those.
#[must_use]
pub fn alike(controls: &[Control]) -> Vec<Merged> {
    let mut first: BTreeMap<Digest, usize> = BTreeMap::new();
    let place = |(at, control): (usize, &Control)| {
        let into = *first.entry(gist(&control.entry.case)).or_insert(at);
        Merged { at, into }
    };
    let places: Vec<_> = controls.iter().enumerate().map(place).collect();
    places.into_iter().filter(|it| it.at != it.into).collect()
}

/// Gives every control whose case differs from an earlier one's in spacing and capitals alone that one's
/// family, and with it the whole of its own: sixty spellings of one case are one piece of evidence.
pub fn merge(controls: &mut [Control]) {
    let twins = twins(controls);
    if twins.is_empty() {
        return;
    }
    // The places of each family's controls, and for each control which of these families it is in now.
    let mut numbers: BTreeMap<&FamilyId, usize> = BTreeMap::new();
    let mut families: Vec<(FamilyId, Vec<usize>)> = Vec::new();
    let mut of = Vec::with_capacity(controls.len());
    for (at, control) in controls.iter().enumerate() {
        let family = &control.entry.family;
        let number = *numbers.entry(family).or_insert(families.len());
        if number == families.len() {
            families.push((family.clone(), Vec::new()));
        }
        families[number].1.push(at);
        of.push(number);
    }
    for Merged { at, into } in twins {
        let (mut from, mut to) = (of[at], of[into]);
        if from == to {
            continue;
        }
        let name = families[to].0.clone();
        if families[from].1.len() > families[to].1.len() {
            (from, to) = (to, from);
        }
        let moved = std::mem::take(&mut families[from].1);
        for at in &moved {
            of[*at] = to;
        }
        families[to].0 = name;
        families[to].1.extend(moved);
    }
    for (control, number) in controls.iter_mut().zip(of) {
        control.entry.family.clone_from(&families[number].0);
    }
}

/// The digest of what a case says, spacing and capitals apart; id, context and media types say nothing.
fn gist(case: &Case) -> Digest {
    let mut parts = vec![plain(&case.task), plain(&case.output)];
    parts.push(case.reference.as_deref().map(plain).unwrap_or_default());
    for evidence in &case.evidence {
        parts.extend([plain(&evidence.kind), plain(&evidence.content)]);
    }
    parts.extend(case.messages.iter().map(|message| plain(&message.content)));
    parts.extend(case.claims.iter().map(|claim| plain(&claim.text)));
    for artifact in &case.artifacts {
        parts.push(Digest::of(&artifact.data).hex());
    }
    Digest::of_parts(parts.iter().map(String::as_bytes))
}

/// One space for any white space, and no capitals.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    if plain.is_ascii() {
        plain.make_ascii_lowercase();
        return plain;
    }
    plain.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::set::Kind;
    use crate::example;

    fn families(outputs: &[&str]) -> Vec<String> {
        let mut controls: Vec<_> = outputs
            .iter()
            .enumerate()
            .map(|(n, output)| example::control(Kind::KnownBad, &format!("c{n}"), output))
            .collect();
        controls[0].entry.case.context = "{\"n\": 1}".into();
        merge(&mut controls);
        controls.iter().map(|control| control.entry.family.to_string()).collect()
    }

    #[test]
    fn a_family_comes_whole_whichever_is_the_larger() {
        let of = |families: [&str; 5]| {
            let outputs = ["Answer: 1", "Answer: 2", "Answer: 3", "answer: 1", "answer: 3"];
            let control = |(output, family): (&str, &str)| {
                let mut control = example::control(Kind::KnownBad, family, output);
                control.entry.family = FamilyId::new(family).expect("an id");
                control
            };
            let mut controls: Vec<_> = outputs.into_iter().zip(families).map(control).collect();
            merge(&mut controls);
            controls.iter().map(|it| it.entry.family.to_string()).collect::<Vec<_>>().concat()
        };
        // The fourth says what the first does, the fifth what the third does.
        assert_eq!(of(["a", "b", "c", "b", "b"]), "ccccc");
        assert_eq!(of(["a", "b", "c", "d", "e"]), "abcac");
        assert_eq!(of(["a", "a", "a", "d", "d"]), "aaaaa");
    }

    #[test]
    fn one_case_in_many_spellings_is_one_family() {
        assert_eq!(families(&["Answer: 1", "answer:  1\n", "Answer: 1 "]), ["c0", "c0", "c0"]);
        assert_eq!(families(&["Answer: 1", "Answer: 2"]), ["c0", "c1"]);
    }
}
