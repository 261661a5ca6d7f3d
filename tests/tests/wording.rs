//! What a reader must not misread: waivers beside what was measured, a right catch beside a stray fail, what a wrong
//! control says and where it stands, and what is missing for figures in use.

use accredit_tests::bench::Bench;
use accredit_tests::{repository, shipped};

const WAIVER: &str =
    "[[waiver]]\ntier = \"gating\"\nrequirement = \"known-bad\"\nreason = \"pilot\"\n";

const FORMATS: [&str; 5] = ["human", "markdown", "junit", "github", "html"];

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(bench: &Bench, more: &[&str]) -> accredit_tests::bench::Run {
    bench.run(&[&["check", "g.wasm", "--controls", "set", "--policy", "p.toml"], more].concat())
}

#[test]
fn a_waived_requirement_that_was_measured_says_so() {
    let bench = Bench::sound();
    bench.write("p.toml", WAIVER);
    for format in FORMATS {
        let text = check(&bench, &["--format", format]).exits(1).stdout;
        assert!(words(&text).contains("waived (measured: not met)"), "{format}: {text}");
        if format != "junit" {
            assert!(
                words(&text).contains("It has not earned gating: it falls short on"),
                "{format}"
            );
        }
    }
}

/// The shipped grader is eligible under waivers: that is no plain green.
#[test]
fn what_stands_on_waivers_is_amber_and_says_what_was_set_aside() {
    let bench = Bench::new();
    let path = |path: std::path::PathBuf| path.display().to_string();
    let (grader, set) =
        (path(shipped("final-answer")), path(repository().join("controls/final-answer")));
    let policy = path(repository().join("accredit.toml"));
    let args = ["check", &grader, "--controls", &set, "--policy", &policy, "--format"];
    let text = |format: &str| bench.run(&[&args[..], &[format]].concat()).exits(0).stdout;
    let said = "It meets 16 of the 18 requirements for gating. The policy does without the others: nothing measured real-output, held-out.";
    for format in ["human", "markdown", "github", "html"] {
        assert!(words(&text(format)).contains(said), "{format}");
    }
    assert!(text("markdown").starts_with("### ⚠️"));
    let page = text("html");
    assert!(page.contains("banner warn") && !page.contains("banner good"));
}

/// A known-bad control that its rule catches, and that another rule fails as well.
#[test]
fn a_right_catch_with_a_stray_fail_is_told_apart() {
    let bench = Bench::sound();
    // Blank answers fail every rule of lenient-answer; without `also` two of them are strays.
    let known_bad = bench.read("set/known-bad.toml");
    let plain: String = known_bad
        .lines()
        .filter(|line| !line.starts_with("also"))
        .map(|line| format!("{line}\n"))
        .collect();
    bench.write("set/known-bad.toml", plain);
    bench.write("p.toml", "");
    let report = check(&bench, &["--format", "json"]).exits(1).json();
    let misses = report["wrong_rule"].as_array().expect("a list");
    let stray = misses.iter().find(|it| it["got"] == "fail" && it["stray"].is_array());
    let Some(stray) = stray else { panic!("no stray fail among {misses:#?}") };
    let rule = stray["stray"][0].as_str().expect("a rule");
    for format in FORMATS {
        let text = words(
            &check(&bench, &["--format", format, "--all"]).exits(1).stdout.replace("&#96;", "`"),
        );
        assert!(text.contains("caught, and another rule failed as well"), "{format}");
        assert!(text.contains("failed as well: `"), "{format}: the rule is not quoted");
        assert!(text.contains(&format!("`{rule}`")), "{format}: {rule} is not named");
    }
}

#[test]
fn a_wrong_control_is_shown_with_its_texts_and_its_place() {
    let bench = Bench::sound();
    bench.write("p.toml", "");
    let known_bad = bench.read("set/known-bad.toml");
    let long = "word ".repeat(120);
    let output = format!("output = \"{long}\\u001b[2J Answer: 180");
    bench.write("set/known-bad.toml", known_bad.replace("output = \"Answer: 180", &output));
    for format in ["human", "markdown"] {
        let text = check(&bench, &["--format", format]).exits(1).stdout;
        assert!(text.contains("set/known-bad.toml:"), "{format}: no place");
        for part in ["task: ", "output: ", "reference: "] {
            assert!(text.contains(part), "{format}: no {part}");
        }
        assert!(!text.contains('\u{1b}'), "{format}");
        let all = check(&bench, &["--format", format, "--all"]).exits(1).stdout;
        assert!(all.len() > text.len(), "{format}: --all shows no more");
    }
    check(&bench, &[]).exits(1).shows(&["      | task: ", "      | output: "]);
}

#[test]
fn a_stated_use_without_real_outputs_says_what_is_missing() {
    let bench = Bench::sound();
    bench.write("p.toml", "[in_use]\nbase_rate = 0.05\ncost_of_miss = 200\ncost_of_false_block = 25\nunit = \"EUR\"\n");
    std::fs::remove_file(bench.path("set/real-output.jsonl")).expect("removes");
    for format in ["human", "markdown", "html"] {
        let text = words(&check(&bench, &["--format", format]).exits(1).stdout);
        assert!(text.contains("no real outputs were run"), "{format}: {text}");
    }
    let told = bench.run(&["policy", "explain", "--policy", "p.toml"]).exits(0);
    told.shows(&["In use", "base_rate              0.05", "cost_of_miss           200 EUR"]);
    let plain = bench.run(&["policy", "explain"]).exits(0);
    assert!(!plain.stdout.contains("In use"));
}

/// GitHub names files by their path below the root of the repository, whatever folder the check runs in.
#[test]
fn annotations_name_files_as_the_repository_does() {
    let bench = Bench::sound();
    bench.write("p.toml", "");
    std::fs::create_dir_all(bench.path("repo/.git")).expect("makes it");
    bench.copy(&bench.path("set"), "repo/controls/set");
    std::fs::create_dir_all(bench.path("repo/sub")).expect("makes it");
    let args =
        ["check", "../../g.wasm", "--policy", "../../p.toml", "--format", "github", "--controls"];
    let run = |set: &str| {
        let mut command = bench.command(&[&args[..], &[set]].concat());
        command.current_dir(bench.path("repo/sub"));
        accredit_tests::bench::Run::of(command).exits(1).stdout
    };
    assert!(run("../controls/set").contains("file=controls/set/known-bad.toml,line="));
    let outside = run("../../set");
    assert!(outside.contains("file=../../set/known-bad.toml,line="), "{outside}");
}
