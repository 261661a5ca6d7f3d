//! `accredit probe`: every limit shown to hold, and a limit that does not is named, with exit code 5.

use accredit_tests::bench::Bench;
use serde_json::Value;

/// Fuel that a probe that loops for ever uses up at once.
const QUICK: [&str; 2] = ["--fuel", "20000000"];

#[test]
fn every_probe_holds() {
    let shown =
        Bench::new().run(&[&["probe", "--format", "json"], &QUICK[..]].concat()).exits(0).json();
    assert_eq!(shown["holds"], true);
    let probes = shown["probes"].as_array().expect("a list");
    let figure = |name: &str| {
        let probe = probes.iter().find(|it| it["probe"] == name);
        &probe.unwrap_or_else(|| panic!("{name} was not tried"))["figure"]
    };
    for probe in probes {
        assert_eq!(
            (&probe["holds"], &probe["host_is_up"]),
            (&Value::Bool(true), &Value::Bool(true))
        );
        assert_eq!(probe["stopped_by"], probe["must_stop_it"], "{probe:#}");
        assert!(probe["tried"].as_str().is_some_and(|tried| !tried.is_empty()), "{probe:#}");
        assert!(probe["wall_ns"].is_u64(), "{probe:#}");
    }
    // What is promised to be tried; a figure that is the limit is met exactly.
    for (name, amount) in [
        ("infinite-loop", Some(20_000_000)),
        ("host-call-loop", Some(20_000_000)),
        ("memory-growth", None),
        ("table-growth", None),
        ("deep-recursion", None),
        ("huge-string", Some(32 << 20)),
        ("huge-list", None),
        ("stderr-flood", Some(64 << 10)),
        ("sleep", Some(1)),
        ("wall-clock", Some(946_684_800)),
        ("randomness", None),
        ("environment", Some(0)),
        ("arguments", Some(0)),
        ("files", Some(0)),
        ("sockets", Some(3)),
        ("state", Some(3)),
        ("exit", None),
        ("unknown-import", Some(1)),
        ("compile-memory", None),
        ("compile-time", None),
    ] {
        let figure = figure(name);
        if let Some(amount) = amount {
            assert_eq!(figure["amount"], amount, "{name}");
        }
    }
}

#[test]
fn a_limit_that_does_not_hold_is_named() {
    let lax = ["probe", "memory-growth", "memory-at-once", "--memory-mib", "2048"];
    let run = Bench::new().run(&lax).exits(5);
    run.complains(&["error: the sandbox does not hold", ": memory-growth. "]);
    run.shows(&["BROKEN  memory-growth", "ok      memory-at-once", "it was stopped by: nothing"]);
    let shown = Bench::new().run(&[&lax[..], &["--format", "json"]].concat()).exits(5).json();
    assert_eq!(shown["holds"], false);
    let probes = shown["probes"].as_array().expect("a list");
    let seen: Vec<_> =
        probes.iter().map(|it| (&it["probe"], &it["holds"], &it["stopped_by"])).collect();
    let expected = [("memory-growth", false, "nothing"), ("memory-at-once", true, "memory limit")];
    let expected = expected.map(|(name, holds, by)| (name.into(), holds.into(), by.into()));
    assert_eq!(seen, expected.iter().map(|(a, b, c)| (a, b, c)).collect::<Vec<(&Value, _, _)>>());
}

#[test]
fn a_host_that_judges_wrong_afterwards_does_not_hold() {
    // Enough fuel to describe itself, too little to judge.
    let run = Bench::new().run(&["probe", "http-import", "--fuel", "200"]).exits(5);
    run.shows(&["refused by name", "an honest grader was not judged right"]);
    run.complains(&["does not hold under these limits: http-import"]);
}

#[test]
fn only_what_there_is_can_be_tried() {
    let run = Bench::new().run(&["probe", "perpetual-motion"]).exits(2);
    run.complains(&["perpetual-motion", "infinite-loop"]);
    assert_eq!(run.stdout, "");
}
