//! What holds of every history.

use proptest::collection::vec;
use proptest::prelude::*;

use super::make::*;
use super::operation::On;
use super::*;
use crate::id::Digest;

const KINDS: [Grade; 7] = [
    Grade::Unknown,
    Grade::Unverified,
    Grade::ReviewOnly,
    Grade::ConstructedCheck,
    Grade::Interop,
    Grade::KnownAnswer,
    Grade::Proof,
];
const CHAINS: [&[&str]; 4] = [&[], &["agent-7"], &["tom"], &["tool-3", "wanda"]];

/// One thing that may happen.
#[derive(Debug, Clone)]
enum Event {
    /// A judge ran, and some of what is needed to rely on it may be left out.
    Ran { judge: usize, came: Came, left_out: u8 },
    /// Somebody wrote; the answer is this one then.
    Wrote { chain: usize, answer: u8, named: bool },
}

fn event() -> impl Strategy<Value = Event> {
    let came = prop_oneof![5 => Just(Came::Pass), 2 => Just(Came::Fail), 1 => Just(Came::None)];
    let left_out = prop_oneof![6 => Just(0u8), 1 => 1..5u8];
    prop_oneof![
        4 => (0..4usize, came, left_out)
            .prop_map(|(judge, came, left_out)| Event::Ran { judge, came, left_out }),
        1 => (0..CHAINS.len(), 0..3u8, any::<bool>())
            .prop_map(|(chain, answer, named)| Event::Wrote { chain, answer, named }),
    ]
}

fn one_judge() -> impl Strategy<Value = (usize, bool, usize, bool)> {
    (0..KINDS.len(), prop_oneof![5 => Just(true), 1 => Just(false)], 0..CHAINS.len(), any::<bool>())
}

/// A run with up to three judges and whatever happened, in this order; the last of them mostly run on what is there.
fn story() -> impl Strategy<Value = Story> {
    (vec(one_judge(), 0..4), vec(event(), 0..8), any::<bool>()).prop_map(|(judges, events, all)| {
        let judges: Vec<_> = judges
            .into_iter()
            .enumerate()
            .map(|(n, (kind, in_time, chain, kernel))| Judge {
                declared_at: in_time.then(|| at(0)),
                chain: CHAINS[chain].iter().map(|link| (*link).to_owned()).collect(),
                kernel,
                ..judge(&format!("j{n}"), KINDS[kind])
            })
            .collect();
        let mut story = Story::new(&judges);
        events.into_iter().for_each(|event| happen(&mut story, &event));
        // So that many histories earn something.
        for n in 0..if all { judges.len() } else { 0 } {
            story.execute(&format!("j{n}"), Came::Pass);
        }
        story
    })
}

fn happen(story: &mut Story, event: &Event) {
    match *event {
        Event::Ran { judge, came, left_out } => {
            let execution = story.execute(&format!("j{judge}"), came);
            match left_out {
                1 => execution.session = None,
                2 => execution.transcript = None,
                3 => execution.content = None,
                4 => execution.content = Some(Digest::of(b"another")),
                _ => {}
            }
        }
        Event::Wrote { chain, answer, named } => {
            story.changed(&format!("answer {answer}"));
            let write = story.write(CHAINS[chain]);
            if !named {
                write.content = None;
            }
        }
    }
}

/// What a producer can do by itself: it writes, claims, and runs checks that nobody declared or observed.
fn producer(story: &mut Story, what: u8) {
    match what {
        0 => {
            let claimed = ClaimedGrade { grade: Grade::Proof, by: "agent-7".into() };
            story.history().claimed_grades.push(claimed);
        }
        1 => drop(story.write(&["nobody-in-particular"])),
        2 => {
            story.changed("what the judges like");
            story.write(&[]);
        }
        3 => story.changed("changed unseen"),
        4 => drop(story.execute("made-up", Came::Pass)),
        5 => story.execute("j0", Came::Pass).session = None,
        6 => story.execute("j0", Came::Pass).session = Some("mine".into()),
        7 => {
            let own = Judge { declared_at: Some(at(20)), ..judge("own", Grade::Proof) };
            if story.history().judges.iter().all(|it| it.name != own.name) {
                story.history().judges.push(own);
            }
            story.execute("own", Came::Pass);
        }
        _ => {
            // The answer put back as it may have been when some judge passed it.
            story.changed("answer 1");
            story.write(&["tom"]).content = None;
        }
    }
}

/// The same with what its numbers say of executions exchanged, where no write lies between.
fn exchanged(story: &Story, a: usize, b: usize) -> Option<Story> {
    let mut other = story.clone();
    let history = other.history();
    let of = history.executions.len();
    let (a, b) = (a.checked_rem(of)?, b.checked_rem(of)?);
    let (one, two) = (history.executions[a].order, history.executions[b].order);
    let between = |it: &Write| (one.min(two)..one.max(two)).contains(&it.order);
    if history.writes.iter().any(between) {
        return None;
    }
    (history.executions[a].order, history.executions[b].order) = (two, one);
    Some(other)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_a_producer_writes_can_raise_a_grade(
        story in story(), acts in vec(0..9u8, 1..4),
    ) {
        let before = story.graded();
        let mut after = story.clone();
        acts.iter().for_each(|act| producer(&mut after, *act));
        let after = after.graded();
        prop_assert!(after.effective <= before.effective, "{before:#?}\n{after:#?}");
        prop_assert!(after.grade <= before.grade);
        prop_assert!(after.failed_declared_evidence || !before.failed_declared_evidence);
    }

    #[test]
    fn unknown_never_outranks(story in story(), place: usize) {
        let before = story.graded();
        let mut after = story.clone();
        let judges = &mut after.history().judges;
        if judges.is_empty() {
            return Ok(());
        }
        let place = place % judges.len();
        judges[place].kind = Grade::Unknown;
        prop_assert!(after.graded().effective <= before.effective);
        // What is not known of chains and observations never pays either.
        let mut after = story.clone();
        after.history().judges[place].chain.clear();
        prop_assert!(after.graded().effective <= before.effective);
        for leave_out in 0..4 {
            let mut after = story.clone();
            if let Some(it) = after.history().executions.get_mut(place) {
                match leave_out {
                    0 => it.session = None,
                    1 => it.transcript = None,
                    2 => it.content = None,
                    _ => it.result = if it.result == Came::Pass { Came::None } else { it.result },
                }
            }
            prop_assert!(after.graded().grade <= before.grade);
        }
    }

    #[test]
    fn edits_always_reset(story in story(), chain in 0..CHAINS.len(), named: bool) {
        let mut after = story.clone();
        let write = after.write(CHAINS[chain]);
        if !named {
            write.content = None;
        }
        let after = after.graded();
        prop_assert_eq!((after.grade, after.effective), (Grade::Unverified, Grade::Unverified));
    }

    #[test]
    fn the_order_of_independent_events_does_not_matter(
        story in story(), turn: usize, a: usize, b: usize,
    ) {
        let mut turned = story.clone();
        let history = turned.history();
        history.judges.reverse();
        let (executions, writes) = (history.executions.len(), history.writes.len());
        history.executions.rotate_left(turn % executions.max(1));
        history.writes.rotate_left(turn % writes.max(1));
        let (one, other) = (story.graded(), turned.graded());
        // The record is written in another way: everything else is the same.
        prop_assert_eq!(RunGrade { record: one.record, ..other }, one.clone());
        if let Some(exchanged) = exchanged(&story, a, b) {
            let other = exchanged.graded();
            prop_assert_eq!(RunGrade { record: one.record, ..other }, one);
        }
    }

    #[test]
    fn removing_an_observation_never_raises(story in story(), place: usize) {
        let before = story.graded();
        let mut after = story.clone();
        let executions = &mut after.history().executions;
        if executions.is_empty() {
            return Ok(());
        }
        let place = place % executions.len();
        executions.remove(place);
        prop_assert_eq!(after.graded().grade, Grade::Unverified);
        // Without a trace in the numbers as well: all executions of a judge.
        let mut silent = story.clone();
        let history = silent.history();
        let Some(name) = history.judges.first().map(|judge| judge.name.clone()) else {
            return Ok(());
        };
        history.executions.retain(|it| it.judge != name);
        let mut orders: Vec<u32> = history.orders().collect();
        orders.sort_unstable();
        let place = |order: u32| orders.iter().position(|it| *it == order).map_or(0, |at| at as u32 + 1);
        history.executions.iter_mut().for_each(|it| it.order = place(it.order));
        history.writes.iter_mut().for_each(|it| it.order = place(it.order));
        history.custody.as_mut().expect("custody").events = orders.len() as u32;
        prop_assert!(silent.graded().effective <= before.effective);
    }

    /// From `unverified` to each word and to the grade, every step beginning where the one before ended.
    #[test]
    fn operations_lead_to_the_grade_and_lists_that_were_altered_are_found(
        story in story(), place: usize,
    ) {
        let graded = story.graded();
        prop_assert_eq!(graded.fault(), None);
        prop_assert!(graded.effective <= graded.grade && graded.grade >= Grade::Unverified);
        prop_assert!(graded.kind.is_none_or(|kind| kind >= graded.grade));
        for grade in Grade::KNOWN {
            let altered = RunGrade { effective: grade, ..graded.clone() };
            prop_assert_eq!(altered.fault().is_none(), grade == graded.effective);
        }
        let flag = !graded.failed_declared_evidence;
        let altered = RunGrade { failed_declared_evidence: flag, ..graded.clone() };
        prop_assert!(altered.fault().is_some());
        let mut altered = graded.clone();
        let moving: Vec<usize> = (0..graded.operations.len())
            .filter(|at| graded.operations[*at].from != graded.operations[*at].to)
            .filter(|at| graded.operations[*at].op.on() == On::Run)
            .collect();
        if !moving.is_empty() {
            let at = moving[place % moving.len()];
            altered.operations[at].to = altered.operations[at].from;
            prop_assert!(altered.fault().is_some(), "{:#?}", altered);
        }
    }

    #[test]
    fn counts_are_those_of_the_operations(stories in vec(story(), 0..4)) {
        let runs: Vec<_> = stories
            .into_iter()
            .enumerate()
            .map(|(n, mut story)| {
                story.run.id = id(&format!("r-{n}"));
                story.run
            })
            .collect();
        let grades = of_records(&runs, None);
        prop_assert_eq!(grades.counters.broken(), vec![]);
        prop_assert_eq!(grades.runs.len(), runs.len());
        let text = serde_json::to_string(&grades).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<EvidenceGrades>(&text).expect("grades"), grades);
    }
}
