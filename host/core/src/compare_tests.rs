//! What two records establish, and what they do not.

use super::*;
use crate::control::set::Control;
use crate::example;
use crate::verdict::Verdict;
use Verdict::{Fail, Pass};

const RIGHT: [Verdict; 2] = [Fail, Pass];
const WRONG: [Verdict; 2] = [Pass, Pass];

/// A run of known-bad controls `c0`, `c1`, ..., each with the verdicts of its repeats.
fn run<R: AsRef<[[Verdict; 2]]>>(cases: &[R]) -> Run {
    let control = |n: usize| example::control(Kind::KnownBad, &format!("c{n:03}"), &n.to_string());
    let of: Vec<_> = cases
        .iter()
        .enumerate()
        .map(|(n, repeats)| (control(n), repeats.as_ref().to_vec()))
        .collect();
    example::run(&of)
}

type Sides = ([Verdict; 2], [Verdict; 2]);

/// Settled cases: so many right in both, in A alone, in B alone, in neither.
fn settled(counts: [usize; 4]) -> (Run, Run) {
    let sides = [(RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, RIGHT), (WRONG, WRONG)];
    let of = |side: fn(&Sides) -> [Verdict; 2]| {
        let each = sides.iter().zip(counts).flat_map(|(it, n)| vec![vec![side(it); 2]; n]);
        let each: Vec<_> = each.collect();
        run(&each)
    };
    (of(|it| it.0), of(|it| it.1))
}

fn compared(a: &Run, b: &Run) -> Result<Comparison, CompareError> {
    let recorded = |run| Recorded { run, record: Digest::of(b"") };
    compare(recorded(a), recorded(b))
}

fn sound(a: &Run, b: &Run) -> Comparison {
    compared(a, b).expect("they pair")
}

#[test]
fn twenty_seven_of_thirty_to_nineteen() {
    let (a, b) = settled([18, 9, 1, 2]);
    let found = sound(&a, &b);
    assert_eq!((found.overall.right_in_a, found.overall.right_in_b, found.cases), (27, 19, 30));
    assert_eq!(found.overall.cases, Pairs { both: 18, only_a: 9, only_b: 1, neither: 2 });
    assert_eq!(found.overall.families, found.overall.cases);
    // 2 * (1 + 10) / 2^10, and Newcombe's interval from the published formula.
    let p = found.overall.mcnemar_p.expect("a p");
    assert!((p - 22.0 / 1024.0).abs() < 1e-12, "{p}");
    let difference = found.overall.difference.expect("a difference");
    assert!((difference.difference + 8.0 / 30.0).abs() < 1e-12, "{difference:?}");
    assert!(difference.low > -0.47 && difference.high < -0.02, "{difference:?}");
    assert_eq!(found.standing, Standing::Worse);
    assert_eq!(found.overall.lost.len(), 9);
    assert_eq!(found.overall.gained.len(), 1);
    // The same the other way round.
    assert_eq!(sound(&b, &a).standing, Standing::Better);
    assert_eq!(sound(&b, &a).overall.mcnemar_p, Some(p));
}

#[test]
fn little_is_never_equal() {
    for counts in [[20, 5, 0, 5], [20, 4, 3, 3], [30, 0, 0, 0], [0, 0, 0, 30], [20, 4, 4, 2]] {
        let (a, b) = settled(counts);
        let found = sound(&a, &b);
        assert_eq!(found.standing, Standing::NotEstablished, "{counts:?}: {}", found.overall.why);
        assert!(!found.overall.why.contains("equal"));
    }
    // Six one way and none the other are the fewest that chance does not make one time in twenty.
    let (a, b) = settled([20, 6, 0, 4]);
    assert_eq!(sound(&a, &b).standing, Standing::Worse);
}

#[test]
fn what_moves_by_itself_establishes_nothing() {
    let steady = [[RIGHT; 3]; 40];
    let mut moving = [[RIGHT; 3]; 40];
    // Twelve cases are right in A, and right in B two times of three.
    for case in &mut moving[..12] {
        case[1] = WRONG;
    }
    let found = sound(&run(&steady), &run(&moving));
    assert_eq!((found.overall.right_in_a, found.overall.right_in_b), (40, 28));
    assert_eq!(found.overall.unsettled.len(), 12);
    assert_eq!(found.overall.families, Pairs { both: 28, ..Pairs::default() });
    assert_eq!(found.standing, Standing::NotEstablished);
    // Eight more are wrong throughout: significant by both tests, and still not beyond the noise.
    for case in &mut moving[12..20] {
        *case = [WRONG; 3];
    }
    let found = sound(&run(&steady), &run(&moving));
    assert!(found.overall.mcnemar_p.expect("a p") < 0.01);
    assert!(found.overall.difference.expect("a difference").high < 0.0);
    assert_eq!(found.standing, Standing::NotEstablished);
    assert_eq!(found.overall.why, "8 net are no more than the 12 unsettled");
    // Thirteen are more than the twelve that move.
    for case in &mut moving[12..25] {
        *case = [WRONG; 3];
    }
    assert_eq!(sound(&run(&steady), &run(&moving)).standing, Standing::Worse);
}

#[test]
fn one_wrong_throughout_settles_a_family_that_also_moves() {
    let family = |id: &str, output: &str| {
        let mut control = example::control(Kind::KnownBad, id, output);
        control.entry.family = crate::id::FamilyId::new("one").expect("a valid id");
        control
    };
    let run = |second: [[Verdict; 2]; 2]| {
        example::run(&[(family("x", "1"), vec![RIGHT, RIGHT]), (family("y", "2"), second.to_vec())])
    };
    let found = sound(&run([RIGHT, RIGHT]), &run([WRONG, WRONG]));
    assert_eq!(found.overall.families, Pairs { only_a: 1, ..Pairs::default() });
    assert_eq!(found.overall.cases, Pairs { both: 1, only_a: 1, ..Pairs::default() });
    let found = sound(&run([RIGHT, RIGHT]), &run([WRONG, RIGHT]));
    assert_eq!(found.overall.families, Pairs::default());
    assert_eq!(found.overall.unsettled.len(), 1);
    assert_eq!(found.standing, Standing::NotEvaluated);
}

#[test]
fn one_repeat_cannot_show_noise_and_the_fewer_repeats_count() {
    let once = run(&[[RIGHT]; 10]);
    let lost = run(&[[WRONG, WRONG, WRONG]; 10]);
    let found = sound(&once, &lost);
    assert_eq!((found.repeats, found.standing), (1, Standing::NotEvaluated));
    assert!(found.overall.why.contains("--repeats 3"), "{}", found.overall.why);
    // Right in the two repeats that A has: the third of B is not held against it.
    let twice = run(&[[RIGHT, RIGHT]; 10]);
    let thrice = run(&[[RIGHT, RIGHT, WRONG]; 10]);
    let found = sound(&twice, &thrice);
    assert_eq!((found.repeats, found.overall.right_in_b), (2, 10));
    assert_eq!(found.differs.len(), 1);
    assert_eq!(found.differs[0].what, "repeats");
}

#[test]
fn a_dropped_case_is_an_error_and_an_added_one_is_told() {
    let (three, two) = (run(&[[RIGHT, RIGHT]; 3]), run(&[[RIGHT, RIGHT]; 2]));
    let error = compared(&three, &two).expect_err("one is dropped");
    assert!(error.to_string().contains("cases of A that B lacks: 1 (c002)"), "{error}");
    let found = sound(&two, &three);
    assert_eq!(found.cases, 2);
    assert_eq!(found.added.iter().map(ControlId::as_str).collect::<Vec<_>>(), ["c002"]);
}

#[test]
fn another_case_under_the_same_id_is_an_error() {
    let of = |control: Control| example::run(&[(control, vec![RIGHT, RIGHT])]);
    let a = example::control(Kind::KnownBad, "x", "1");
    let mut content = a.clone();
    content.entry.case.output = "2".into();
    let mut expect = a.clone();
    expect.entry.expect = example::expect(Fail, Some("r2"));
    let mut kind = expect.clone();
    kind.kind = Kind::Adversarial;
    for (b, told) in [
        (content, "x: its content"),
        (expect, "x: what it expects"),
        (kind, "x: its kind and what it expects"),
    ] {
        let error = compared(&of(a.clone()), &of(b)).expect_err("it changed").to_string();
        assert!(error.contains("others under the same id: 1") && error.contains(told), "{error}");
    }
    // Why it is there may be put better.
    let mut why = a.clone();
    why.entry.why = "in better words".into();
    assert!(compared(&of(a), &of(why)).is_ok());
}

#[test]
fn a_case_shown_in_fewer_ways_is_another_one() {
    let run = |transforms: &[crate::control::transform::Transform]| {
        let control = example::control(Kind::KnownBad, "x", "1\n2");
        let mut run = example::run(&[(control.clone(), vec![RIGHT, RIGHT])]);
        run.started = example::started(&[control], 2, transforms);
        run
    };
    let (shown, plain) = (run(&[crate::control::transform::Transform::LineEndings]), run(&[]));
    assert_eq!(shown.started.controls[0].variants.len(), 1);
    let error = compared(&shown, &plain).expect_err("a transform is gone").to_string();
    assert!(error.contains("x: a transform is missing"), "{error}");
    assert!(compared(&plain, &shown).is_ok());
}

#[test]
fn two_rubrics_have_nothing_in_common() {
    let (a, mut b) = (run(&[[RIGHT, RIGHT]]), run(&[[RIGHT, RIGHT]]));
    b.started.grader.manifest.rubric = RubricId::new("other").expect("a valid id");
    assert!(matches!(compared(&a, &b), Err(CompareError::Rubrics { .. })));
}

#[test]
fn a_kind_that_is_worse_is_worse_whatever_the_others_gain() {
    let cases = |bad: [Verdict; 2], good: [Verdict; 2]| {
        let of = |kind, name: &str, verdicts| {
            let control = |n| example::control(kind, &format!("{name}{n}"), &format!("{name}{n}"));
            (0..10).map(|n| (control(n), vec![verdicts; 2])).collect::<Vec<_>>()
        };
        let mut all = of(Kind::KnownBad, "b", bad);
        all.extend(of(Kind::KnownGood, "g", good));
        example::run(&all)
    };
    let found = sound(&cases(RIGHT, [Fail, Pass]), &cases(WRONG, [Pass, Pass]));
    assert_eq!(found.overall.standing, Standing::NotEstablished);
    let standings: Vec<_> = found.kinds.iter().map(|it| (it.kind, it.line.standing)).collect();
    assert_eq!(standings, [(Kind::KnownBad, Standing::Worse), (Kind::KnownGood, Standing::Better)]);
    assert_eq!(found.standing, Standing::Worse);
    assert!((found.kinds[0].line.confidence - 0.975).abs() < 1e-12);
}

#[test]
fn families_that_one_record_draws_together_are_one() {
    let control = |id: &str, family: &str| {
        let mut control = example::control(Kind::KnownBad, id, id);
        control.entry.family = FamilyId::new(family).expect("a valid id");
        (control, vec![RIGHT, RIGHT])
    };
    let a = example::run(&[control("x", "p"), control("y", "q"), control("z", "r")]);
    let b = example::run(&[control("x", "s"), control("y", "s"), control("z", "t")]);
    let found = sound(&a, &b);
    assert_eq!(found.overall.families, Pairs { both: 2, ..Pairs::default() });
    assert_eq!(found.cases, 3);
}

#[test]
fn what_changed_is_told_with_the_words_of_both() {
    let found = sound(&run(&[[RIGHT; 2], [RIGHT; 2]]), &run(&[[WRONG; 2], [RIGHT; 2]]));
    let [changed] = found.changed.as_slice() else { panic!("{:#?}", found.changed) };
    assert_eq!((changed.id.as_str(), changed.moved), ("c000", Move::Lost));
    let [rule] = changed.rules.as_slice() else { panic!("{changed:#?}") };
    let said = |said: &Option<Said>| {
        let said = said.clone().expect("declared");
        (said.verdict, said.rationale.raw().to_owned())
    };
    assert_eq!(rule.rule.as_str(), "r1");
    assert_eq!(said(&rule.a), (Fail, "r1 says fail".to_owned()));
    assert_eq!(said(&rule.b), (Pass, "r1 says pass".to_owned()));
}

#[test]
fn over_nothing_nothing_is_evaluated() {
    let found = sound(&run::<[_; 2]>(&[]), &run(&[[RIGHT, RIGHT]]));
    assert_eq!((found.cases, found.standing), (0, Standing::NotEvaluated));
    assert_eq!((found.overall.mcnemar_p, found.overall.difference), (None, None));
    assert!(found.kinds.is_empty());
}
