//! A model of length and words: multinomial naive Bayes over the output's words, its length in octaves
//! and how it is laid out, fitted on the open controls.
//!
//! It predicts each control from the other families alone (ten folds by family), so that it cannot
//! remember what it is asked. Its classes are "all rules pass" and "rule R fails". Source of the model:
//! C. D. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval" (2008), chapter 13,
//! with add-one smoothing.

use std::collections::HashMap;

use crate::control::set::{Control, Kind};
use crate::id::Digest;
use crate::manifest::Rule;
use crate::verdict::Verdict;

const FOLDS: usize = 10;

/// The class "no rule fails".
const GOOD: usize = 0;

/// Each control's predicted verdicts, in the order given.
pub(super) fn verdicts(controls: &[Control], rules: &[Rule]) -> Vec<Vec<Verdict>> {
    let mut words = Words::default();
    let seen: Vec<Seen> = controls.iter().map(|c| Seen::new(c, rules, &mut words)).collect();
    let classes = rules.len() + 1;
    let mut all = Counts::new(classes, words.numbers.len());
    let mut folds = vec![all.clone(); FOLDS];
    for control in &seen {
        all.add(control);
        folds[control.fold].add(control);
    }
    let models: Vec<_> = folds.iter().map(|left_out| Model::new(&all, left_out)).collect();
    let fails = |class: usize, rule: usize| {
        if class == rule { Verdict::Fail } else { Verdict::Pass }
    };
    seen.iter()
        .map(|control| {
            let class = models[control.fold].predict(&control.cues);
            (1..classes).map(|rule| fails(class, rule)).collect()
        })
        .collect()
}

/// The fold that leaves this control's family out.
fn fold_of(control: &Control) -> usize {
    usize::from(Digest::of(control.entry.family.as_str().as_bytes()).as_bytes()[0]) % FOLDS
}

/// Cues by number, in the order in which they were first seen.
#[derive(Default)]
struct Words {
    numbers: HashMap<String, usize>,
    lower: String,
}

impl Words {
    fn number(&mut self, cue: &str) -> usize {
        match self.numbers.get(cue) {
            Some(number) => *number,
            None => {
                let number = self.numbers.len();
                self.numbers.insert(cue.to_owned(), number);
                number
            }
        }
    }

    /// The number of a word in lower case.
    fn word(&mut self, word: &str) -> usize {
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        if word.is_ascii() {
            lower.push_str(word);
            lower.make_ascii_lowercase();
        } else {
            lower = word.to_lowercase();
        }
        let number = self.number(&lower);
        self.lower = lower;
        number
    }
}

/// What a control teaches, and what it is judged by.
struct Seen {
    fold: usize,
    class: Option<usize>,
    cues: Vec<usize>,
}

impl Seen {
    fn new(control: &Control, rules: &[Rule], words: &mut Words) -> Self {
        let cues = cues(&control.entry.case.output, words);
        Self { fold: fold_of(control), class: class_of(control, rules), cues }
    }
}

/// What can be seen of an output without understanding it.
fn cues(output: &str, words: &mut Words) -> Vec<usize> {
    let mut cues: Vec<usize> = output
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| words.word(word))
        .collect();
    let octave = |count: usize| usize::BITS - count.leading_zeros();
    let digits = output.bytes().filter(u8::is_ascii_digit).count();
    cues.push(words.number(&format!("length:{}", octave(output.len()))));
    cues.push(words.number(&format!("lines:{}", octave(output.lines().count()))));
    cues.push(words.number(&format!("digits:{}", octave(digits))));
    cues
}

/// How many controls of each class there are, and how often each class holds each cue.
#[derive(Clone)]
struct Counts {
    controls: Vec<u64>,
    cues: Vec<Vec<u32>>,
}

impl Counts {
    fn new(classes: usize, cues: usize) -> Self {
        Self { controls: vec![0; classes], cues: vec![vec![0; cues]; classes] }
    }

    fn add(&mut self, control: &Seen) {
        let Some(class) = control.class else { return };
        self.controls[class] += 1;
        for cue in &control.cues {
            self.cues[class][*cue] += 1;
        }
    }
}

/// The counts of all folds but one.
struct Model {
    /// The logarithm of how many controls of each class were seen.
    seen: Vec<f64>,
    /// How often each class holds each cue.
    counts: Vec<Vec<u32>>,
    /// All cues of each class and all that there are: what a likelihood is a share of.
    shares: Vec<f64>,
}

impl Model {
    fn new(all: &Counts, left_out: &Counts) -> Self {
        let less = |(all, out): (&Vec<u32>, &Vec<u32>)| -> Vec<u32> {
            all.iter().zip(out).map(|(all, out)| all - out).collect()
        };
        let counts: Vec<Vec<u32>> = all.cues.iter().zip(&left_out.cues).map(less).collect();
        let known = |cue: &usize| counts.iter().any(|class| class[*cue] > 0);
        let cues = counts.first().map_or(0, Vec::len);
        let vocabulary = 1.0 + (0..cues).filter(known).count() as f64;
        let total = |class: &Vec<u32>| class.iter().map(|count| f64::from(*count)).sum::<f64>();
        let shares = counts.iter().map(|class| total(class) + vocabulary).collect();
        let seen = all.controls.iter().zip(&left_out.controls);
        let seen = seen.map(|(all, out)| (1.0 + (all - out) as f64).ln()).collect();
        Self { seen, counts, shares }
    }

    /// The likeliest class; of equals the first.
    fn predict(&self, cues: &[usize]) -> usize {
        let score = |class: usize| {
            let (counts, share) = (&self.counts[class], self.shares[class]);
            let likelihood = |cue: &usize| ((f64::from(counts[*cue]) + 1.0) / share).ln();
            self.seen[class] + cues.iter().map(likelihood).sum::<f64>()
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

/// The class a control teaches; real outputs, held-out controls, failures found in use (which come and go
/// while a grader is in authority) and undecidable cases teach none.
fn class_of(control: &Control, rules: &[Rule]) -> Option<usize> {
    if matches!(control.kind, Kind::RealOutput | Kind::Regression) || control.held_out {
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
