//! The table: forecasts beside their baselines, and what cannot be settled.

use super::*;

#[test]
fn forecasts_stand_beside_their_baselines() {
    let mut run = run();
    let mut book = registered(&run);
    let open = line(&run, &book, "f");
    assert_eq!(
        (open.state, open.is_due, open.registered_at),
        (State::Unresolved, true, Some(at(REGISTERED)))
    );
    settle(&mut run, &mut book, outcome("f", "2026-11-11T00:00:00Z", false));
    let settled = line(&run, &book, "f").forecast.expect("a forecast");
    assert_eq!((settled.expects, settled.came), (Some(true), Some(false)));
    assert_eq!((settled.hit, settled.baseline_hit), (Some(false), Some(true)));
    settle(&mut run, &mut book, outcome("e", "2026-11-11T00:00:00Z", false));
    let explained = line(&run, &book, "e").explanation.expect("an explanation");
    assert_eq!(explained.contemporaneous.mechanism.stands, Stands::Holds, "the original stays");
    assert_eq!(explained.later.expect("later").mechanism.stands, Stands::Fails);
    let report = SettlementReport::new(&[run.clone()], &book, at(NOW));
    assert_eq!((report.calls.right, report.calls.of), (0, 1));
    assert_eq!((report.baselines.right, report.baselines.of), (1, 1));
    let beside = report.beside.value.expect("both state one");
    assert!((beside.brier - 0.49).abs() < 1e-12 && (beside.baseline_brier - 0.09).abs() < 1e-12);
    assert!((report.calibration.value.expect("stated").brier - 0.49).abs() < 1e-12);
    assert!(report.forecasts[0].is_due && report.calls.rate().is_some());
}

#[test]
fn calibration_is_only_where_a_probability_was_stated() {
    let mut run = run();
    run.steps[0].claims = Some(vec![forecast("f", None), explanation("e")]);
    let mut book = registered(&run);
    settle(&mut run, &mut book, outcome("f", "2026-11-11T00:00:00Z", true));
    let report = SettlementReport::new(&[run], &book, at(NOW));
    assert_eq!(report.calibration.value, None);
    assert!(report.calibration.absent.is_some() && report.beside.absent.is_some());
    assert_eq!((report.calls.right, report.calls.of), (1, 1));
}

#[test]
fn no_calls_are_counted_and_are_neither_right_nor_wrong() {
    let mut run = run();
    let claims = run.steps[0].claims.as_mut().expect("claims");
    claims[0].forecast.as_mut().expect("a forecast").call = false;
    let mut book = registered(&run);
    settle(&mut run, &mut book, outcome("f", "2026-11-11T00:00:00Z", false));
    let report = SettlementReport::new(&[run], &book, at(NOW));
    assert_eq!((report.counts.no_calls, report.counts.settled), (1, 1));
    assert_eq!((report.calls.of, report.baselines.of, report.both.calls.of), (0, 1, 0));
    // What it states all the same is measured.
    assert!(report.calibration.value.is_some());
}

#[test]
fn what_was_not_registered_in_time_or_is_no_longer_there_is_refused() {
    let run = run();
    let empty = Book::default();
    let late = line(&run, &empty, "f");
    assert_eq!((late.state, late.refused), (State::Refused, Some(Refused::NotRegisteredInTime)));
    let early = lines(std::slice::from_ref(&run), &empty, at(REGISTERED));
    assert!(early.iter().all(|it| it.state == State::Unresolved));
    // An outcome that was written by hand counts for nothing.
    let mut by_hand = run.clone();
    by_hand.outcomes.push(outcome("f", "2026-11-11T00:00:00Z", true));
    let book = registered(&run);
    let by_hand = line(&by_hand, &book, "f");
    assert_eq!((by_hand.state, by_hand.outcomes[0].counts), (State::Unresolved, false));
    // One that the book holds, and the record no more.
    let (mut settled, mut book) = (run.clone(), registered(&run));
    settle(&mut settled, &mut book, outcome("f", "2026-11-11T00:00:00Z", false));
    assert_eq!(line(&run, &book, "f").refused, Some(Refused::EntryLost));
    // A claim that was taken out, and a record that is not here.
    let mut without = settled.clone();
    without.steps[0].claims = Some(vec![explanation("e")]);
    let taken = Settled::new(&[without.clone()], &book, at(NOW));
    assert!(taken.is_altered() && taken.taken_out.len() == 1);
    let report = SettlementReport::new(&[], &book, at(NOW));
    assert_eq!((report.not_here.len(), report.is_refused()), (2, false));
    assert!(!report.is_up_to_date());
}

#[test]
fn of_held_out_cases_nothing_is_told() {
    let mut run = run();
    run.purpose = crate::gate::record::Purpose::HeldOut;
    let mut book = registered(&run);
    settle(&mut run, &mut book, outcome("f", "2026-11-11T00:00:00Z", true));
    let json = serde_json::to_string(&SettlementReport::new(&[run], &book, at(NOW))).expect("JSON");
    for told in ["version 2", "release page", "the last 10", "coincidence", "by the log"] {
        assert!(!json.contains(told), "{told}");
    }
}

#[test]
fn an_unsound_forecast_says_what_is_wrong_with_it() {
    type Bend = fn(&mut SutRun);
    fn of(run: &mut SutRun) -> &mut Forecast {
        run.steps[0].claims.as_mut().expect("claims")[0].forecast.as_mut().expect("a forecast")
    }
    let table: [(Bend, &str); 12] = [
        (|run| of(run).probability = Some(1.1), "no number from 0 to 1"),
        (|run| of(run).probability = Some(f64::NAN), "no number from 0 to 1"),
        (|run| of(run).probability = Some(0.5), "an even chance"),
        (|run| of(run).baseline.probability = Some(-0.1), "a baseline with a probability"),
        (|run| of(run).baseline.expects = Some(true), "expects one thing"),
        (|run| of(run).baseline.says = " ".into(), "names no baseline"),
        (|run| of(run).source_of_truth.clear(), "names no source of truth"),
        (|run| of(run).horizon = at("2026-11-01T00:01:00Z"), "not after the end of its run"),
        (|run| run.steps[0].claims.as_mut().expect("claims")[0].text.clear(), "no wording"),
        (
            |run| {
                let claims = run.steps[0].claims.as_mut().expect("claims");
                claims[0].explanation = claims[1].explanation.clone();
            },
            "at once",
        ),
        (|run| run.outcomes.push(outcome("none", NOW, true)), "has not got"),
        (
            |run| run.outcomes.push(LaterOutcome { came: None, ..outcome("f", NOW, true) }),
            "which is a forecast",
        ),
    ];
    assert_eq!(run().faults(), []);
    for (bend, told) in table {
        let mut run = run();
        bend(&mut run);
        let faults = run.faults();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].to_string().contains(told), "{told}: {}", faults[0]);
    }
    let mut plain = run();
    plain.steps[0].claims.as_mut().expect("claims").push(claim("c", false));
    plain.outcomes.push(LaterOutcome { claim: "c".into(), ..outcome("f", NOW, true) });
    assert!(matches!(plain.faults()[..], [RecordFault::Outcome { .. }]));
}
