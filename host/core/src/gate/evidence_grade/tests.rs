//! What a grade promises, one by one.

use super::make::*;
use super::*;
use Came::{Fail, Pass};
use Grade::{ConstructedCheck, Interop, KnownAnswer, Proof, ReviewOnly, Unknown, Unverified};

#[test]
fn grades_are_ordered_and_an_unknown_value_ranks_below_all() {
    assert!(Grade::KNOWN.is_sorted());
    let names = Grade::KNOWN.map(Grade::name).join(" < ");
    assert_eq!(
        names,
        "unverified < review_only < constructed_check < interop < known_answer < proof"
    );
    for known in Grade::KNOWN {
        let read: Grade = serde_json::from_str(&format!("\"{}\"", known.name())).expect("one");
        assert_eq!(read, known);
        assert!(Unknown < known);
    }
    let made_up: Grade = serde_json::from_str("\"super_proof\"").expect("is read");
    assert_eq!(made_up, Unknown);
    let graded = Story::of(&[(Unknown, Pass)]).graded();
    assert_eq!((graded.grade, graded.kind), (Unverified, None));
    assert!(graded.has(Op::UnknownKind));
}

#[test]
fn a_judge_that_ran_and_passed_is_worth_its_kind() {
    for kind in Grade::KNOWN {
        let graded = Story::of(&[(kind, Pass)]).graded();
        assert_eq!((graded.grade, graded.effective), (kind, kind));
        assert_eq!(graded.content, graded.content_now);
        assert!(!graded.failed_declared_evidence);
    }
    assert_eq!(Story::of(&[]).graded().grade, Unverified);
    assert!(Story::of(&[]).graded().has(Op::NoJudge));
}

#[test]
fn ties_fold_by_max_and_are_counted() {
    let graded =
        Story::of(&[(Interop, Pass), (Proof, Pass), (ReviewOnly, Pass), (Proof, Pass)]).graded();
    assert_eq!((graded.grade, graded.ties), (Proof, 2));
    assert_eq!(graded.operations.iter().filter(|it| it.op == Op::Tied).count(), 1);
}

#[test]
fn only_judges_that_were_declared_before_the_run_count() {
    let late = Judge { declared_at: Some(at(11)), ..judge("late", Proof) };
    let undated = Judge { declared_at: None, ..judge("undated", Proof) };
    let mut story = Story::new(&[late, undated, judge("review", ReviewOnly)]);
    for name in ["late", "undated", "stranger", "review"] {
        story.execute(name, Pass);
    }
    let graded = story.graded();
    assert_eq!(graded.grade, ReviewOnly);
    let undeclared = graded.operations.iter().filter(|it| it.op == Op::Undeclared).count();
    assert_eq!(undeclared, 3, "their executions are recorded");
    story.execute("stranger", Fail);
    assert!(!story.graded().failed_declared_evidence, "nobody declared it");
    story.run.started_at = None;
    assert_eq!(story.graded().grade, Unverified, "nothing is known to be before");
}

#[test]
fn a_declared_judge_that_never_ran_grades_unverified() {
    let mut story = Story::new(&[judge("review", ReviewOnly), judge("proof", Proof)]);
    story.execute("proof", Pass);
    let graded = story.graded();
    assert_eq!((graded.grade, graded.kind), (Unverified, Some(Proof)));
    assert!(graded.has(Op::NeverRan));
    story.execute("review", Came::None);
    assert_eq!(story.graded().grade, Unverified, "it came to nothing");
    story.execute("review", Fail);
    let graded = story.graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Proof, true), "it ran");
}

#[test]
fn a_failure_never_lowers_by_itself_and_is_a_flag() {
    let graded = Story::of(&[(KnownAnswer, Pass), (Interop, Fail)]).graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (KnownAnswer, true));
    let graded = Story::of(&[(KnownAnswer, Pass), (Proof, Fail)]).graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (KnownAnswer, true));
    let graded = Story::of(&[(KnownAnswer, Fail)]).graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Unverified, true));
}

#[test]
fn a_judge_that_failed_at_the_same_tier_demotes_one_tier_and_the_true_kind_stays() {
    let graded = Story::of(&[(KnownAnswer, Pass), (KnownAnswer, Fail)]).graded();
    assert_eq!((graded.grade, graded.kind), (Interop, Some(KnownAnswer)));
    assert!(graded.failed_declared_evidence);
    let several = Story::of(&[(Proof, Fail), (Proof, Pass), (Proof, Fail)]).graded();
    assert_eq!(several.grade, KnownAnswer, "one tier, however many");
    let lowest = Story::of(&[(ReviewOnly, Pass), (ReviewOnly, Fail)]).graded();
    assert_eq!((lowest.grade, lowest.kind), (Unverified, None));
    // The same judge, which passed and failed on the same content.
    let mut story = Story::of(&[(Interop, Fail)]);
    story.execute("j0", Pass);
    assert_eq!(story.graded().grade, ConstructedCheck);
    // One of a kind that is not known may have failed at any tier.
    assert_eq!(Story::of(&[(Proof, Pass), (Unknown, Fail)]).graded().grade, KnownAnswer);
}

#[test]
fn an_edit_after_the_last_check_resets() {
    let mut story = Story::of(&[(Proof, Pass)]);
    assert_eq!(story.graded().grade, Proof);
    story.write(&["agent-7"]);
    let graded = story.graded();
    assert_eq!(graded.grade, Unverified);
    assert!(graded.has(Op::Reset) && graded.has(Op::NotSinceTheEdit));
    story.execute("j0", Pass);
    assert_eq!(story.graded().grade, Proof, "checked anew");
}

#[test]
fn an_edit_takes_no_failure_back_until_its_judge_passes_what_was_written() {
    let mut story = Story::of(&[(KnownAnswer, Fail), (KnownAnswer, Pass)]);
    story.changed("a better answer");
    story.write(&["agent-7"]);
    assert!(story.graded().failed_declared_evidence, "nobody looked again");
    story.execute("j1", Pass);
    let graded = story.graded();
    assert!(graded.failed_declared_evidence && graded.grade == Unverified);
    story.execute("j0", Pass);
    let graded = story.graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (KnownAnswer, false));
    // What was put back as it was is what failed.
    story.changed("an answer");
    story.write(&["agent-7"]);
    story.execute("j0", Pass);
    story.execute("j1", Pass);
    let graded = story.graded();
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Interop, true));
}

#[test]
fn content_that_changed_after_it_was_graded_is_worth_unverified() {
    let mut story = Story::of(&[(Proof, Pass)]);
    story.run.steps[0].cost = Some(9.0);
    assert_eq!(story.graded().effective, Proof, "what it cost is no content");
    let before = of_records(std::slice::from_ref(&story.run), None);
    story.changed("another answer");
    let graded = story.graded();
    assert_eq!((graded.grade, graded.effective), (Proof, Unverified));
    assert!(graded.has(Op::ContentChanged) && graded.content != graded.content_now);
    // Where the change was observed and checked anew, the earlier grade is still of another content.
    story.write(&["agent-7"]);
    story.execute("j0", Pass);
    assert_eq!(story.graded().effective, Proof);
    let after = of_records(std::slice::from_ref(&story.run), Some(&before));
    assert_eq!((after.runs[0].grade, after.runs[0].effective), (Proof, Unverified));
    assert_eq!(of_records(&[], Some(&before)).lost, [story.run.id.clone()]);
}

#[test]
fn without_the_content_of_a_write_a_check_binds_itself() {
    let mut story = Story::of(&[(Proof, Pass)]);
    story.history().writes[0].content = None;
    assert_eq!(story.graded().effective, Proof);
    story.changed("another answer");
    let graded = story.graded();
    assert_eq!((graded.grade, graded.effective), (Proof, Unverified));
}

#[test]
fn the_same_chain_caps_people_and_agents_but_for_a_kernels_proof() {
    let own = |kind, kernel| {
        let chain = vec!["tool-3".into(), " Agent-7 ".into()];
        let mut story = Story::new(&[Judge { chain, kernel, ..judge("j", kind) }]);
        story.execute("j", Pass);
        story
    };
    for kind in Grade::KNOWN {
        let graded = own(kind, false).graded();
        assert_eq!(graded.grade, kind.min(ConstructedCheck), "caps, never lifts");
    }
    assert_eq!(own(KnownAnswer, true).graded().grade, ConstructedCheck);
    assert_eq!(own(Proof, true).graded().grade, Proof);
    assert_eq!(own(Proof, true).counted().proof_kernel_exempt, 1);
    let mut human = Story::new(&[Judge { chain: vec!["wanda".into()], ..judge("j", Proof) }]);
    human.execute("j", Pass);
    assert_eq!(human.graded().grade, ConstructedCheck);
}

#[test]
fn what_is_not_known_of_a_chain_is_capped_and_counted() {
    let sound = Story::of(&[(Proof, Pass)]);
    let capped = |change: fn(&mut History)| {
        let mut story = sound.clone();
        change(story.history());
        let (graded, counted) = (story.graded(), story.counted());
        assert_eq!(graded.grade, ConstructedCheck);
        assert_eq!((counted.same_chain_indeterminate, counted.degraded), (1, 1));
        counted.author_chain_unbound
    };
    assert_eq!(capped(|history| history.judges[0].chain.clear()), 0);
    assert_eq!(capped(|history| history.judges[0].chain.push(" ".into())), 0);
    assert_eq!(capped(|history| history.writes[0].chain.clear()), 1);
    let unwritten = |history: &mut History| {
        history.writes.clear();
        history.executions[0].order = 1;
        history.custody.as_mut().expect("custody").events = 1;
    };
    assert_eq!(capped(unwritten), 0);
}

#[test]
fn an_uncapped_tie_is_counted() {
    let own = Judge { chain: vec!["agent-7".into()], ..judge("own", KnownAnswer) };
    let mut story = Story::new(&[own, judge("other", KnownAnswer)]);
    story.execute("own", Pass);
    assert_eq!(story.counted().tied_uncap, 0);
    story.execute("other", Pass);
    assert_eq!((story.graded().grade, story.counted().tied_uncap), (KnownAnswer, 1));
}

#[test]
fn a_grade_that_the_producer_supplies_is_rejected_and_counted() {
    let mut story = Story::of(&[(ReviewOnly, Pass)]);
    let claimed = |grade| ClaimedGrade { grade, by: "agent-7".into() };
    story.history().claimed_grades = vec![claimed(Proof), claimed(Unknown)];
    assert_eq!(story.graded().grade, ReviewOnly);
    assert_eq!(story.counted().producer_mint_rejected, 2);
}

#[test]
fn what_cannot_be_relied_upon_earns_nothing_and_hides_nothing() {
    type LeaveOut = fn(&mut Execution);
    type Count = fn(&Counters) -> u64;
    let left_out: [(LeaveOut, Count); 4] = [
        (|it| it.session = None, |it| it.emit_skipped_no_session),
        (|it| it.session = Some("another".into()), |it| it.emit_skipped_no_session),
        (|it| it.transcript = None, |it| it.oracle_transcript_unavailable),
        (|it| it.content = None, |it| it.unbindable_content_identity),
    ];
    for (leave_out, count) in left_out {
        let mut story = Story::of(&[(Proof, Pass)]);
        assert_eq!((count(&story.counted()), story.counted().oracle_resolved_ran), (0, 1));
        leave_out(&mut story.history().executions[0]);
        assert_eq!((story.graded().grade, count(&story.counted())), (Unverified, 1));
        let mut failed = Story::of(&[(Proof, Pass)]);
        leave_out(failed.execute("j0", Fail));
        let graded = failed.graded();
        assert_eq!((graded.grade, graded.failed_declared_evidence), (KnownAnswer, true));
        assert_eq!(failed.counted().failed_declared, 1);
    }
    let mut story = Story::of(&[(Proof, Pass)]);
    story.history().custody = None;
    assert_eq!(story.counted().emit_skipped_no_session, 1);
    assert_eq!(story.graded().grade, Unverified);
}

#[test]
fn an_event_that_was_lost_is_no_evidence() {
    let mut story = Story::of(&[(Proof, Fail), (Interop, Pass)]);
    story.execute("j0", Pass);
    for gone in 0..3 {
        let mut lost = story.clone();
        lost.history().executions.remove(gone);
        let graded = lost.graded();
        assert_eq!(graded.grade, Unverified);
        assert!(graded.has(Op::CustodyBroken));
    }
}

#[test]
fn every_counter_is_told_under_its_name() {
    let json = serde_json::to_value(Counters::default()).expect("JSON");
    let told = json.as_object().expect("an object");
    let wanted = [
        "ungraded_terminal",
        "unverified",
        "degraded",
        "producer_mint_rejected",
        "emit_skipped_no_session",
        "oracle_transcript_unavailable",
        "oracle_resolved_ran",
        "unbindable_content_identity",
        "same_chain_indeterminate",
        "author_chain_unbound",
        "failed_declared",
        "proof_kernel_exempt",
        "tied_uncap",
        "unbound_terminalization_families",
    ];
    assert_eq!(Counters::default().named().map(|(name, _)| name), wanted);
    assert!(told.len() == wanted.len() && wanted.iter().all(|name| told.contains_key(*name)));
}

#[test]
fn the_worst_verified_run_is_first() {
    let named = |kind, name: &str| {
        let mut story = Story::of(&[(kind, Pass)]);
        story.run.id = id(name);
        story.run
    };
    let runs =
        [named(Proof, "a"), named(ReviewOnly, "c"), named(Unverified, "d"), named(ReviewOnly, "b")];
    let grades = of_records(&runs, None);
    let order: Vec<_> = grades.runs.iter().map(|run| run.run.as_str()).collect();
    assert_eq!(order, ["d", "b", "c", "a"]);
    assert_eq!((grades.counters.unverified, grades.all_verified()), (1, false));
}

#[test]
fn a_history_survives_its_text_and_its_events_have_places_of_their_own() {
    let mut story = Story::of(&[(Proof, Pass), (Interop, Fail)]);
    let text = serde_json::to_string(&story.run).expect("JSON");
    assert_eq!(serde_json::from_str::<crate::gate::record::SutRun>(&text).expect("one"), story.run);
    assert!(story.run.faults().is_empty());
    story.history().executions[0].order = 1;
    story.history().executions[1].order = 0;
    story.history().judges.push(judge("j1", Proof));
    let faults: Vec<_> = story.run.faults().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("two judges of the id `j1`"), "{faults:?}");
    assert!(faults[1].contains("an event of the number 0"), "{faults:?}");
}
