//! A model of length and words: multinomial naive Bayes over the output's words, its length in octaves
//! and how it is laid out, fitted on the open controls.
//!
//! It predicts each control from the other families alone (ten folds by family), so that it cannot
//! remember what it is asked. Its classes are "all rules pass" and "rule R fails". Source of the model:
//! C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval" (2008), chapter 13,
//! with add-one smoothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::control::set::{Control, Kind};
use crate::id::Digest;
use crate::manifest::Rule;
use crate::verdict::Verdict;

const FOLDS: u8 = 10;

/// The class "no rule fails".
const GOOD: usize = 0;

/// Each control's predicted verdicts, in the order given.
pub(super) fn verdicts(controls: &[Control], rules: &[Rule]) -> Vec<Vec<Verdict>> {
    let cues: Vec<_> = controls.iter().map(|control| cues(&control.entry.case.output)).collect();
    let models: Vec<_> = (0..FOLDS).map(|fold| Model::fit(controls, &cues, rules, fold)).collect();
    controls
        .iter()
        .zip(&cues)
        .map(|(control, cues)| {
            let class = models[usize::from(fold_of(control))].predict(cues);
            (1..=rules.len())
                .map(|rule| if class == rule { Verdict::Fail } else { Verdict::Pass })
                .collect()
        })
        .collect()
}

/// The fold that leaves this control's family out.
fn fold_of(control: &Control) -> u8 {
    Digest::of(control.entry.family.as_str().as_bytes()).as_bytes()[0] % FOLDS
}

/// What can be seen of an output without understanding it.
fn cues(output: &str) -> Vec<String> {
    let mut cues: Vec<String> = output
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let octave = |count: usize| usize::BITS - count.leading_zeros();
    cues.push(format!("length:{}", octave(output.len())));
    cues.push(format!("lines:{}", octave(output.lines().count())));
    cues.push(format!("digits:{}", octave(output.chars().filter(char::is_ascii_digit).count())));
    cues
}

struct Model<'a> {
    /// How many controls of each class were seen.
    seen: Vec<f64>,
    /// How often each class holds each cue.
    counts: Vec<BTreeMap<&'a str, f64>>,
    /// All cues of each class.
    totals: Vec<f64>,
    vocabulary: f64,
}

impl<'a> Model<'a> {
    fn fit(controls: &[Control], cues: &'a [Vec<String>], rules: &[Rule], left_out: u8) -> Self {
        let classes = rules.len() + 1;
        let mut model = Self {
            seen: vec![1.0; classes],
            counts: vec![BTreeMap::new(); classes],
            totals: vec![0.0; classes],
            vocabulary: 1.0,
        };
        let mut vocabulary = BTreeSet::new();
        for (control, cues) in controls.iter().zip(cues) {
            let Some(class) = class_of(control, rules).filter(|_| fold_of(control) != left_out)
            else {
                continue;
            };
            model.seen[class] += 1.0;
            for cue in cues {
                *model.counts[class].entry(cue).or_insert(0.0) += 1.0;
                model.totals[class] += 1.0;
                vocabulary.insert(cue.as_str());
            }
        }
        for _ in vocabulary {
            model.vocabulary += 1.0;
        }
        model
    }

    /// The likeliest class; of equals the first.
    fn predict(&self, cues: &[String]) -> usize {
        let score = |class: usize| {
            let unseen = self.totals[class] + self.vocabulary;
            let likelihood = |cue: &String| {
                ((self.counts[class].get(cue.as_str()).copied().unwrap_or(0.0) + 1.0) / unseen).ln()
            };
            self.seen[class].ln() + cues.iter().map(likelihood).sum::<f64>()
        };
        let mut best = (GOOD, score(GOOD));
        for class in 1..self.seen.len() {
            let score = score(class);
            if score > best.1 {
                best = (class, score);
            }
        }
        best.0
    }
}

/// The class a control teaches; real outputs and undecidable cases teach none.
fn class_of(control: &Control, rules: &[Rule]) -> Option<usize> {
    if control.kind == Kind::RealOutput {
        return None;
    }
    let expect = &control.entry.expect;
    match (expect.verdict, &expect.rule) {
        (Verdict::Pass, _) => Some(GOOD),
        (Verdict::Fail, Some(rule)) => {
            rules.iter().position(|declared| declared.id == *rule).map(|place| place + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// Words that tell the classes apart are learnt; a family's own words are not remembered.
    #[test]
    fn it_learns_cues_and_remembers_nothing() {
        let rules = example::manifest(&["r1"]).rules;
        let mut controls = Vec::new();
        for n in 0..30 {
            let (bad, good) = (format!("bad-{n}"), format!("good-{n}"));
            controls.push(example::control(Kind::KnownBad, &bad, &format!("maybe perhaps {n}")));
            controls.push(example::control(Kind::KnownGood, &good, &format!("surely certain {n}")));
        }
        let right = |verdicts: Vec<Vec<Verdict>>| {
            let wanted = |place: usize| {
                if place.is_multiple_of(2) { Verdict::Fail } else { Verdict::Pass }
            };
            verdicts.iter().enumerate().filter(|(place, v)| v[0] == wanted(*place)).count()
        };
        assert_eq!(right(verdicts(&controls, &rules)), 60);
        for (n, control) in controls.iter_mut().enumerate() {
            control.entry.case.output = format!("word{n}");
        }
        assert!(right(verdicts(&controls, &rules)) < 45, "each word is seen in one family alone");
    }
}
