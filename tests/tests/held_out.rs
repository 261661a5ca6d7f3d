//! Controls held out from a grader's author: they count, they must be the ones that were promised, and an
//! author learns of them only whether they were met.

use std::fs;

use accredit_tests::bench::{Bench, Run};
use accredit_tests::{repository, shipped};
use serde_json::Value;

const SALT: &str = "1f0e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0";

/// The shipped set of final-answer cut in two by family, `open` and `held`, every held-out id beginning with
/// `secret-`; the open half promises the other.
fn halves(bench: &Bench) {
    let folder = repository().join("controls/final-answer");
    for entry in fs::read_dir(&folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        if !name.ends_with(".toml") {
            continue;
        }
        let text = fs::read_to_string(folder.join(&name)).expect("a file");
        if name == "set.toml" {
            bench.write("held/set.toml", format!("salt = \"{SALT}\"\n{text}"));
            bench.write("open/set.toml", text);
            continue;
        }
        let (open, held) = split(&text);
        bench.write(&format!("open/{name}"), open);
        bench.write(&format!("held/{name}"), held);
    }
    let _ = bench.run(&["controls", "commit", "held", "--into", "open"]).exits(0);
}

/// Every other family of a file goes to the second half.
fn split(text: &str) -> (String, String) {
    let mut halves = (String::new(), String::new());
    let mut families = Vec::new();
    for block in text.split("[[control]]").skip(1) {
        let value = |key: &str| {
            let line = block.lines().find(|line| line.starts_with(&format!("{key} = ")));
            line.expect("the key").split('"').nth(1).expect("a text").to_owned()
        };
        let family = value("family");
        let place = families.iter().position(|known| *known == family).unwrap_or(families.len());
        if place == families.len() {
            families.push(family);
        }
        if place % 2 == 0 {
            halves.0 += &format!("[[control]]{block}");
        } else {
            let mut block = block.to_owned();
            for key in ["id", "base", "pair", "family"] {
                block = block.replace(&format!("\n{key} = \""), &format!("\n{key} = \"secret-"));
            }
            halves.1 += &format!("[[control]]{block}");
        }
    }
    halves
}

fn check(bench: &Bench, grader: &str, more: &[&str]) -> Run {
    let grader = shipped(grader).display().to_string();
    let args = ["check", &grader, "--controls", "open", "--held-out", "held", "--repeats", "2"];
    bench.run(&[&args, more].concat())
}

fn requirement(report: &str, tier: &str) -> Value {
    let report: Value = serde_json::from_str(report).expect("JSON");
    let all = report["decision"]["requirements"].as_array().expect("a list");
    let found = all.iter().find(|it| it["id"] == "held-out" && it["tier"] == tier);
    found.expect("the requirement").clone()
}

/// Bars that half a set can meet, and bounds on held-out controls with them, at the confidence of one look in three.
const POLICY: &str = "[code.gating]\nknown_bad = 0.8\nknown_good = 0.8\nnear_miss = 0.7\ninvariance_bases = 5\nhard_positive = 0.75\nadversarial = 0.75\n";

#[test]
fn bounds_on_held_out_controls_are_met_or_not_and_the_platform_sees_why() {
    let bench = Bench::new();
    halves(&bench);
    bench.write("policy.toml", POLICY);
    let args = ["--policy", "policy.toml", "--out"];
    check(&bench, "final-answer", &[&args[..], &["good"]].concat());
    let held = requirement(&bench.read("good/report.json"), "gating");
    assert_eq!(held["met"], true, "{held}");
    check(&bench, "lenient-answer", &[&args[..], &["bad"]].concat());
    let text = bench.read("bad/report.json");
    assert_eq!(requirement(&text, "gating")["met"], false);
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
    assert_eq!(requirement(&text, "gating")["met"], false);
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

/// The digest line that ends a record, as whoever changed it would write it anew.
fn sealed(lines: &str) -> String {
    let kept: String =
        lines.split_inclusive('\n').filter(|line| !line.starts_with("{\"aside\":")).collect();
    let digest = accredit_core::id::Digest::of(kept.as_bytes());
    format!("{kept}{{\"aside\":{{\"seal\":{{\"digest\":\"{digest}\"}}}}}}\n")
}

#[test]
fn an_authors_copy_proves_nothing_of_what_was_taken_out() {
    let bench = Bench::new();
    halves(&bench);
    bench.write("policy.toml", POLICY.to_owned() + WAIVED);
    let args = ["--policy", "policy.toml", "--out", "whole"];
    let _ = check(&bench, "final-answer", &args).exits(0);
    let _ = bench.run(&["report", "whole", "--authors-copy", "copy.jsonl"]).exits(0);
    let copy = bench.read("copy.jsonl");
    // As it was written, and as its author would like it: it never takes the place of the evidence.
    let record = bench.read("whole/report.json");
    let whole: Value = serde_json::from_str(&record).expect("JSON");
    bench.write("doctored.jsonl", sealed(&copy.replace("\"met\":false", "\"met\":true")));
    for file in ["copy.jsonl", "doctored.jsonl"] {
        let run = bench.run(&["report", file, "--format", "json"]).exits(3);
        assert_eq!(requirement(&run.stdout, "gating")["met"], Value::Null, "{file}");
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(report["held_out"]["is_claim"], true);
        assert_eq!(report["held_out"]["whole"], whole["digests"]["record"]);
        assert_ne!(report["digests"]["record"], whole["digests"]["record"], "{file}");
        for format in ["human", "markdown", "junit", "github", "html"] {
            let shown = bench.run(&["report", file, "--format", format]).stdout;
            assert!(
                shown.to_lowercase().contains("author&#39;s copy")
                    || shown.to_lowercase().contains("author's copy"),
                "{format}: {shown}"
            );
        }
    }
    // Decided by another policy, nothing is known of them at all.
    bench.write(
        "other.toml",
        format!("{POLICY}known_good = 0.81\n{WAIVED}").replacen("known_good = 0.8\n", "", 1),
    );
    let run = bench.run(&["report", "copy.jsonl", "--policy", "other.toml", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.exits(3).stdout).expect("JSON");
    assert_eq!(report["held_out"]["results"][0]["met"], Value::Null, "{}", report["held_out"]);
    let both = ["report", "whole", "--authors-copy", "x.jsonl", "--policy", "other.toml"];
    bench.run(&both).exits(2).complains(&["cannot be used with"]);
}

const WAIVED: &str =
    "[[waiver]]\ntier = \"gating\"\nrequirement = \"real-output\"\nreason = \"none here\"\n";

#[test]
fn a_copy_takes_no_records_place_and_of_an_open_record_is_all_of_it() {
    let bench = Bench::sound();
    bench.run(&["check", "g.wasm", "--controls", "set", "--policy", "p.toml", "--out", "left"]);
    let record = bench.read("left/record.jsonl");
    std::os::unix::fs::symlink(bench.path("left/record.jsonl"), bench.path("link")).expect("links");
    for target in ["left/record.jsonl", "link"] {
        for flag in ["--authors-copy", "-o"] {
            let run = bench.run(&["report", "left", flag, target]).exits(2);
            run.complains(&["is the record itself"]);
        }
    }
    let nowhere = ["report", "left", "--authors-copy", "copy.jsonl", "-o", "no/such/folder"];
    let _ = bench.run(&nowhere).exits(3);
    assert!(!bench.path("copy.jsonl").exists(), "nothing is written where not all can be");
    let run = bench.run(&["report", "left", "--authors-copy", "copy.jsonl"]);
    assert!(run.stderr.contains("wrote copy.jsonl"), "{}", run.stderr);
    assert_eq!(bench.read("copy.jsonl"), record);
}

#[test]
fn whoever_wrote_the_grader_did_not_write_what_is_held_out() {
    let bench = Bench::new();
    halves(&bench);
    let inspected =
        bench.run(&["inspect", &shipped("final-answer").display().to_string(), "--format", "json"]);
    let inspected: Value = serde_json::from_str(&inspected.stdout).expect("JSON");
    let author = inspected["metadata"]["authors"][0].as_str().expect("an author").to_owned();
    let set = bench.read("held/set.toml");
    let line = set.lines().find(|line| line.starts_with("authors")).expect("authors").to_owned();
    bench.write("held/set.toml", set.replace(&line, &format!("authors = [\"{author}\"]")));
    check(&bench, "final-answer", &["--out", "left"]);
    let report: Value = serde_json::from_str(&bench.read("left/report.json")).expect("JSON");
    let all = report["decision"]["requirements"].as_array().expect("a list");
    let authors = all.iter().find(|it| it["id"] == "independent-authors").expect("is asked");
    assert_eq!(authors["met"], false, "{authors}");
}

#[test]
fn what_no_run_writes_is_refused_before_room_is_made_for_it() {
    let bench = Bench::sound();
    bench.run(&["check", "g.wasm", "--controls", "set", "--policy", "p.toml", "--out", "left"]);
    let record = bench.read("left/record.jsonl");
    bench.write(
        "many.jsonl",
        sealed(&record.replacen("\"repeats\":3", "\"repeats\":4294967295", 1)),
    );
    bench.run(&["report", "many.jsonl"]).exits(2).complains(&["4294967295 trials of each case"]);
    let seal = record.lines().last().expect("a seal");
    bench.write("twice.jsonl", format!("{record}{seal}\n"));
    bench.run(&["report", "twice.jsonl"]).exits(2).complains(&["stands after the seal"]);
    bench.write("more.jsonl", record.replacen("\"jobs\":", "\"other\":1,\"jobs\":", 1));
    bench.run(&["report", "more.jsonl"]).exits(2).complains(&["unknown field `other`"]);
}
