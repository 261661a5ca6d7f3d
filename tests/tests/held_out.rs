//! Controls held out from a grader's author: they count, they must be the ones that were promised, and an
//! author learns of them only whether they were met.

use accredit_tests::bench::Bench;
use accredit_tests::halves::{POLICY, SALT, check, halves, requirement};
use serde_json::Value;

#[test]
fn bounds_on_held_out_controls_are_met_or_not_and_the_platform_sees_why() {
    let bench = Bench::new();
    halves(&bench);
    bench.write("policy.toml", POLICY);
    let args = ["--policy", "policy.toml", "--out"];
    check(&bench, "final-answer", &[&args[..], &["good"]].concat());
    let held = requirement(&bench.read("good/report.json"), "held-out", "gating");
    assert_eq!(held["met"], true, "{held}");
    check(&bench, "lenient-answer", &[&args[..], &["bad"]].concat());
    let text = bench.read("bad/report.json");
    assert_eq!(requirement(&text, "held-out", "gating")["met"], false);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["held_out"]["as_promised"], true);
    let misses = report["held_out"]["shown"]["misses"].as_array().expect("a list");
    assert!(
        misses.iter().all(|miss| miss["id"].as_str().is_some_and(|id| id.starts_with("secret")))
    );
    assert!(misses.len() > 10, "{}", misses.len());
    // The open figures are of the open controls alone.
    assert!(!report["false_passes"].to_string().contains("secret-"));
    // The record gives the same report again.
    let again = bench.run(&["report", "bad/record.jsonl", "--format", "json"]);
    assert!(again.stdout == text, "the report differs");
}

#[test]
fn an_author_learns_whether_they_were_met_and_nothing_else() {
    let bench = Bench::new();
    halves(&bench);
    let _ = check(&bench, "lenient-answer", &["--out", "whole"]).exits(1);
    let author = ["--audience", "author"];
    let run = check(&bench, "lenient-answer", &[&author[..], &["--out", "copy"]].concat()).exits(1);
    let mut seen = vec![run.stdout, run.stderr];
    seen.extend(["copy/record.jsonl", "copy/report.json"].map(|file| bench.read(file)));
    // The same from the whole record, in every format, and the copy's own report.
    for format in ["human", "json"] {
        let format = ["--format", format];
        let of = ["report", "whole/record.jsonl", "--authors-copy", "copy.jsonl"];
        seen.push(bench.run(&[&of[..], &author, &format].concat()).exits(1).stdout);
        seen.push(bench.run(&[&["report", "copy.jsonl"], &format[..]].concat()).exits(1).stdout);
    }
    seen.push(bench.read("copy.jsonl"));
    for text in &seen {
        assert!(!text.contains("secret"), "a held-out id was shown");
        assert!(!text.contains(SALT), "the salt was shown");
    }
    let text = bench.read("copy/report.json");
    assert_eq!(requirement(&text, "held-out", "gating")["met"], false);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&report["audience"], &report["held_out"]["shown"]),
        (&"author".into(), &Value::Null)
    );
    let whole: Value = serde_json::from_str(&bench.read("whole/report.json")).expect("JSON");
    assert_eq!(report["digests"]["record"], whole["digests"]["record"], "made of the whole record");
    assert_eq!(report["decision"]["eligible_tier"], whole["decision"]["eligible_tier"]);
}

#[test]
fn other_controls_than_those_promised_are_refused() {
    let bench = Bench::new();
    halves(&bench);
    let file = bench.read("held/known-bad.toml");
    bench.write("held/known-bad.toml", file.replacen("task = \"", "task = \"Well. ", 1));
    let run = check(&bench, "final-answer", &[]).exits(5);
    run.complains(&["not the held-out controls that the open set promises"]);
    // A family is what is counted: another split of the same cases is another set.
    bench.write("held/known-bad.toml", file.replacen("family = \"", "family = \"split-", 1));
    check(&bench, "final-answer", &[]).exits(5).complains(&["not the held-out controls"]);
    let run = check(&bench, "final-answer", &["--audience", "author"]).exits(5);
    assert!(!run.stderr.contains("secret") && !run.stderr.contains("held/"), "{}", run.stderr);
}

#[test]
fn a_fault_in_a_held_out_set_is_not_shown_to_an_author() {
    let bench = Bench::new();
    halves(&bench);
    let file = bench.read("held/known-bad.toml");
    bench.write("held/known-bad.toml", file.replacen("why = ", "whi = ", 1));
    check(&bench, "final-answer", &[]).exits(2).complains(&["secret-", "did you mean `why`?"]);
    let run = check(&bench, "final-answer", &["--audience", "author"]).exits(2);
    assert!(!run.stderr.contains("secret-"), "{}", run.stderr);
}

#[test]
fn what_is_open_is_held_out_from_nobody() {
    let bench = Bench::new();
    halves(&bench);
    // The open set promises nothing here, so that the shared case is what is wrong.
    let set = bench.read("open/set.toml");
    let (set, _) = set.split_once("[held_out]").expect("the promise");
    bench.write("open/set.toml", set);
    let open = bench.read("open/known-bad.toml").replace("\nid = \"", "\nid = \"again-");
    let held = bench.read("held/known-bad.toml");
    bench.write("held/known-bad.toml", format!("{held}\n{open}"));
    check(&bench, "final-answer", &[]).exits(2).complains(&["is held out from nobody"]);
}

#[test]
fn a_held_out_set_without_a_salt_is_offered_one() {
    let bench = Bench::new();
    halves(&bench);
    let set = bench.read("held/set.toml");
    bench.write("held/set.toml", set.replace(&format!("salt = \"{SALT}\"\n"), ""));
    let first = bench.run(&["controls", "commit", "held"]).exits(2).stderr;
    let second = bench.run(&["controls", "commit", "held"]).exits(2).stderr;
    assert!(first.contains("salt = \"") && first != second, "{first}");
}

#[test]
fn a_promise_is_written_in_the_place_of_the_last_one() {
    let bench = Bench::new();
    halves(&bench);
    let set = bench.read("open/set.toml");
    let promise = bench.run(&["controls", "commit", "held"]).exits(0).stdout;
    assert!(set.ends_with(&promise) && set.matches("[held_out]").count() == 1, "{set}");
    let _ = bench.run(&["controls", "commit", "held", "--into", "open"]).exits(0);
    assert_eq!(bench.read("open/set.toml"), set);
}

#[test]
fn what_a_held_out_control_is_shown_under_and_counted_as_is_promised_too() {
    let bench = Bench::new();
    halves(&bench);
    let skip = "skip_transforms = [\"line-endings\", \"white-space\"]\nwhy = ";
    let tactic = "tactic = \"confident-tone\"";
    let other = "tactic = \"another-tone\"";
    for (file, from, to) in [
        ("held/known-bad.toml", "why = ", skip),
        ("held/adversarial.toml", tactic, other),
        ("held/known-good.toml", "why = ", "segment = { size = \"long\" }\nwhy = "),
    ] {
        let text = bench.read(file);
        bench.bend(file, from, to);
        check(&bench, "final-answer", &[]).exits(5).complains(&["not the held-out controls"]);
        bench.write(file, text);
    }
    // Why it is there is for readers.
    bench.bend("held/known-bad.toml", "why = \"", "why = \"In other words: ");
    assert_ne!(check(&bench, "final-answer", &[]).code, 5);
}

#[test]
fn a_promise_that_would_change_more_than_itself_is_not_written() {
    let bench = Bench::new();
    halves(&bench);
    let set = bench.read("open/set.toml");
    let (rest, _) = set.split_once("[held_out]").expect("the promise");
    let promised = |open: &str| bench.run(&["controls", "commit", "held", "--into", open]);
    // A table that is written in another way than ours, and what stands after it.
    bench.write("open/set.toml", format!("{rest} [ held_out ] # ours\ncommitments = []\n# last\n"));
    let _ = promised("open").exits(0);
    assert_eq!(bench.read("open/set.toml"), set);
    let inline = format!("held_out = {{ commitments = [] }}\n{rest}");
    bench.write("open/set.toml", &inline);
    promised("open").exits(2).complains(&["Nothing was written", "by hand"]);
    assert_eq!(bench.read("open/set.toml"), inline);
    let held = bench.read("held/set.toml");
    promised("held").exits(2).complains(&["has a `salt`"]);
    assert_eq!(bench.read("held/set.toml"), held);
}
