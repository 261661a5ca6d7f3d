//! What of a record its grader's author may have, and what such a copy, or any record of a stranger, proves.

use accredit_tests::bench::{Bench, CHECK};
use accredit_tests::halves::{POLICY, check, halves, requirement, sealed};
use accredit_tests::shipped;
use serde_json::Value;

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
        assert_eq!(requirement(&run.stdout, "held-out", "gating")["met"], Value::Null, "{file}");
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
            run.complains(&["that very file already"]);
        }
    }
    let nowhere = ["report", "left", "--authors-copy", "copy.jsonl", "-o", "no/such/folder"];
    let _ = bench.run(&nowhere).exits(3);
    assert!(!bench.path("copy.jsonl").exists(), "nothing is written where not all can be");
    let run = bench.run(&["report", "left", "--authors-copy", "copy.jsonl"]);
    assert!(run.stderr.contains("wrote copy.jsonl"), "{}", run.stderr);
    assert_eq!(bench.read("copy.jsonl"), record);
}

/// Who wrote the shipped grader, as it says.
fn grader_author(bench: &Bench) -> String {
    let grader = shipped("final-answer").display().to_string();
    let inspected = bench.run(&["inspect", &grader, "--format", "json"]).json();
    inspected["metadata"]["authors"][0].as_str().expect("an author").to_owned()
}

#[test]
fn whoever_wrote_the_grader_did_not_write_what_is_held_out() {
    let bench = Bench::new();
    halves(&bench);
    let set = bench.read("held/set.toml");
    let line = set.lines().find(|line| line.starts_with("authors")).expect("authors").to_owned();
    let by = |authors: &str| {
        bench.write("held/set.toml", set.replace(&line, &format!("authors = [{authors}]")));
    };
    let asked = |report: &str| requirement(report, "independent-authors", "gating");
    by(&format!("\"{}\", \"Quiet Person\"", grader_author(&bench)));
    check(&bench, "final-answer", &["--out", "whole"]);
    let it = asked(&bench.read("whole/report.json"));
    assert_eq!((&it["met"], &it["measured"]["occurrences"]["found"]), (&false.into(), &1.into()));
    // Its author learns that it is not met, and nothing of who the others are.
    check(&bench, "final-answer", &["--out", "authors", "--audience", "author"]);
    let report = bench.read("authors/report.json");
    assert_eq!(asked(&report)["met"], false);
    let record = bench.read("authors/record.jsonl");
    for text in [&report, &record] {
        assert!(!text.to_lowercase().contains("quiet person"), "a held-out author was shown");
    }
    assert!(!asked(&report).to_string().contains("among"), "how many there are was shown");
    // The copy does not say who wrote them: it is not known that these are others.
    for authors in [format!("\"{}\"", grader_author(&bench)), "\"Quiet Person\"".to_owned()] {
        by(&authors);
        check(&bench, "final-answer", &["--out", "authors", "--audience", "author"]);
        let of_copy = bench.run(&["report", "authors", "--format", "json"]).stdout;
        assert_eq!(asked(&of_copy)["met"], Value::Null, "{authors}");
    }
}

#[test]
fn how_held_out_real_outputs_were_drawn_is_kept_from_authors_too() {
    let bench = Bench::new();
    halves(&bench);
    let output = r#"{"id":"secret-real","family":"secret-real","task":"2+2?","output":"The answer is 4.","reference":"4","human_label":"pass","labels":[{"by":"ana","label":"pass"}]}"#;
    let header = r#"{"sample":{"rule":"every secret week","seed":7},"labels_by":"people"}"#;
    bench.write("held/real-output.jsonl", format!("{header}\n{output}\n"));
    let _ = bench.run(&["controls", "commit", "held", "--into", "open"]).exits(0);
    check(&bench, "final-answer", &["--out", "whole"]);
    let record = bench.read("whole/record.jsonl");
    assert!(record.contains("every secret week"), "the sample is not carried");
    let _ = bench.run(&["report", "whole", "--authors-copy", "copy.jsonl"]);
    assert!(!bench.read("copy.jsonl").contains("secret"), "the sample was shown");
}

#[test]
fn an_author_without_held_out_controls_gets_the_whole_record() {
    let bench = Bench::sound();
    bench.run(&CHECK);
    let author = ["check", "g.wasm", "--controls", "set", "--policy", "p.toml", "--out", "authors"];
    bench.run(&[&author[..], &["--audience", "author"]].concat());
    let record = bench.read("authors/record.jsonl");
    assert!(record.starts_with("{\"aside\":{\"made\":"), "{record}");
    let seal = |text: &str| text.lines().last().map(str::to_owned);
    assert_eq!(seal(&record), seal(&bench.read("left/record.jsonl")));
}

#[test]
fn what_no_run_writes_is_refused() {
    let bench = Bench::sound();
    bench.run(&CHECK);
    let record = bench.read("left/record.jsonl");
    let doctored = |from: &str, to: &str| {
        assert!(record.contains(from), "{from}");
        bench.write("doctored.jsonl", sealed(&record.replacen(from, to, 1)));
        bench.run(&["report", "doctored.jsonl"]).exits(2)
    };
    for repeats in ["4294967295", "1001", "0"] {
        let run = doctored("\"repeats\":3", &format!("\"repeats\":{repeats}"));
        run.complains(&[&format!("{repeats} trials of each case")]);
    }
    for confidence in ["1e-320", "1.0", "0.4"] {
        let run = doctored("\"confidence\":0.95", &format!("\"confidence\":{confidence}"));
        run.complains(&["asks for a confidence of"]);
    }
    doctored("\"expect\":", "\"held_out\":true,\"expect\":").complains(&["says that 0 of"]);
    let digest = sealed(&record).lines().last().expect("a seal").to_owned();
    let zeros = format!("blake3:{}", "0".repeat(64));
    let wrong = format!("{{\"aside\":{{\"seal\":{{\"digest\":\"{zeros}\"}}}}}}");
    let events = record.strip_suffix(&format!("{digest}\n")).expect("the seal is last");
    // A wrong seal stays one, whatever stands after it; and a right one is the last line.
    bench.write("twice.jsonl", format!("{events}{wrong}\n{digest}\n"));
    bench.run(&["report", "twice.jsonl"]).exits(5).complains(&["changed after it was written"]);
    bench.write("twice.jsonl", format!("{record}{digest}\n"));
    bench.run(&["report", "twice.jsonl"]).exits(2).complains(&["stands after the seal"]);
    for (from, to) in
        [("\"jobs\":", "\"other\":1,\"jobs\":"), ("{\"aside\":{\"made\"", "{\"aside\":{\"sign\"")]
    {
        bench.write("more.jsonl", record.replacen(from, to, 1));
        bench.run(&["report", "more.jsonl"]).exits(2).complains(&["unknown"]);
    }
    let line = digest.replace("}}}", "}},\"more\":1}");
    bench.write("more.jsonl", format!("{events}{line}\n"));
    bench.run(&["report", "more.jsonl"]).exits(2).complains(&["unknown field `more`"]);
}
