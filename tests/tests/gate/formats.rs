//! The gate in every format: what a release manager, a pull request and a CI server read.

use std::fs;

use accredit_tests::story::Story;
use serde_json::{Value, json};

use super::{gate, prepared, put, record, report};

/// Words that would act in a terminal, a page, a comment, a log or a test report.
const HOSTILE: &str =
    "Answer: </pre><script>alert(1)</script> ![x](http://x) @team \u{1b}[31m\n::error::owned";

/// One run failed, one is missing, and the failed one's answer is hostile.
fn mixed() -> Option<Story> {
    let story = prepared()?;
    put(&story, &record("three", "three-2", HOSTILE));
    fs::remove_file(story.bench.path("runs/two-1.json")).expect("removes");
    Some(story)
}

/// What is left of a comment without its code spans, each of which ends at as many backticks as it begins with.
fn outside_code(markdown: &str) -> String {
    let mut left = String::new();
    for line in markdown.lines() {
        let mut rest = line;
        while let Some(at) = rest.find('`') {
            left.push_str(&rest[..at]);
            let ticks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            let inner = &rest[at + ticks..];
            let fence = "`".repeat(ticks);
            let end = inner.match_indices(&fence).map(|(end, _)| end).find(|end| {
                !inner[..*end].ends_with('`') && !inner[end + ticks..].starts_with('`')
            });
            rest = end.map_or("", |end| &inner[end + ticks..]);
        }
        left.push_str(rest);
        left.push('\n');
    }
    left
}

fn text(story: &Story, format: &str, code: i32) -> String {
    gate(story, &["--format", format]).exits(code).stdout
}

#[test]
fn a_comment_a_log_and_test_results_say_the_same() {
    let Some(story) = mixed() else { return };
    let found = report(&story, 1);
    let policy = &found["policy"]["digest"].as_str().expect("a digest")[7..19];
    let markdown = text(&story, "markdown", 1);
    for words in [
        "### ❌ BLOCKED: false",
        policy,
        "**Blocks** (1)",
        "**essential**",
        "reference: `42`",
        "**Not evaluated** (2)",
        "`two`: missing",
        "<details><summary>Graders (1)</summary>",
        "| version | runs passed | cost | latency | |",
    ] {
        assert!(markdown.contains(words), "{words:?} is not in\n{markdown}");
    }
    let live = outside_code(&markdown);
    for acts in ["<script>", "![x](", "@team", "\u{1b}"] {
        assert!(markdown.contains(acts) != (acts == "\u{1b}"), "{acts:?}: {markdown}");
        assert!(!live.contains(acts), "{acts:?} stands outside of code in {markdown}");
    }
    assert!(!markdown.lines().any(|line| line.starts_with("::error")), "{markdown}");

    let github = text(&story, "github", 1);
    let commands: Vec<_> = github.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 4, "{github}");
    assert!(commands[0].starts_with("::error title=BLOCKED%3A false::"), "{github}");
    assert!(commands[1].starts_with("::error title=blocks%3A three::"), "{github}");
    assert!(commands[3].starts_with("::warning title=missing%3A two::"), "{github}");
    assert!(github.contains("accredit gate: BLOCKED: false"), "{github}");

    let junit = text(&story, "junit", 1);
    for words in [
        "<testsuites name=\"accredit gate\" tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"0\">",
        "<testcase name=\"release\" classname=\"accredit.gate\"><failure type=\"BLOCKED: false\"",
        "<testcase name=\"three\" classname=\"accredit.gate.acceptance\"><failure",
        "<testcase name=\"two\" classname=\"accredit.gate.acceptance\"><error type=\"missing\"",
        "<testcase name=\"one\" classname=\"accredit.gate.acceptance\"></testcase>",
    ] {
        assert!(junit.contains(words), "{words:?} is not in\n{junit}");
    }
}

#[test]
fn the_page_leads_from_the_verdict_to_the_words_it_rests_on() {
    let Some(story) = mixed() else { return };
    let page = text(&story, "html", 1);
    let order: Vec<_> = ["id=\"verdict\"", "id=\"open\"", "id=\"wrong\"", "id=\"graders\""]
        .iter()
        .map(|id| page.find(id).unwrap_or_else(|| panic!("{id} is not there")))
        .collect();
    assert!(order.is_sorted());
    for words in [
        "BLOCKED: false",
        "What is six times seven?",
        "<dt>Reference</dt><dd><pre dir=\"auto\">42</pre>",
    ] {
        assert!(page.contains(words), "{words:?} is not in the page");
    }
    assert!(!page.contains("<script>alert"), "what the system wrote is text");
    assert!(page.contains("&lt;script&gt;alert(1)"));
}

#[test]
fn test_results_come_to_what_the_exit_code_says() {
    let Some(story) = prepared() else { return };
    let counts = |junit: &str| {
        let head = junit.lines().nth(1).expect("a line").to_owned();
        let count = |name: &str| {
            let (_, rest) = head.split_once(&format!(" {name}=\"")).expect("a count");
            rest.split('"').next().and_then(|it| it.parse::<u64>().ok()).expect("a number")
        };
        (count("failures"), count("errors"))
    };
    assert_eq!(counts(&text(&story, "junit", 0)), (0, 0));
    // A case that only describes the system fails: it blocks nothing, and is skipped.
    story.bench.bend(
        "runs/inventory.toml",
        "case = \"one\"\npurpose = \"acceptance\"",
        "case = \"one\"\npurpose = \"characterization\"",
    );
    let mut describes = record("one", "one-1", "Answer: 41");
    describes["purpose"] = json!("characterization");
    put(&story, &describes);
    assert_eq!(counts(&text(&story, "junit", 0)), (0, 0));
    // Authority that was lost is an error, unless it is allowed.
    let path = story.bench.path("controls/known-bad.toml");
    let bytes = fs::read(&path).expect("reads");
    fs::write(&path, [bytes.as_slice(), b"#"].concat()).expect("writes");
    assert!(text(&story, "junit", 4).contains("authority of final-answer"));
    let allowed = gate(&story, &["--format", "junit", "--allow-stale"]).exits(3).stdout;
    assert!(allowed.contains("authority of final-answer") && allowed.contains("<skipped"));
}

#[test]
fn held_out_texts_stand_in_no_format() {
    let Some(story) = prepared() else { return };
    story.bench.bend(
        "runs/inventory.toml",
        "case = \"one\"\npurpose = \"acceptance\"",
        "case = \"one\"\npurpose = \"held-out\"",
    );
    let mut hidden = record("one", "one-1", "Answer: a-secret-answer");
    hidden["purpose"] = json!("held-out");
    hidden["steps"][0]["task"] = json!("a-secret-task");
    put(&story, &hidden);
    for format in ["human", "json", "markdown", "junit", "github", "html"] {
        let shown = gate(&story, &["--format", format, "--all"]).exits(1).stdout;
        assert!(!shown.contains("a-secret"), "{format}: {shown}");
    }
    let found: Value = report(&story, 1);
    assert_eq!(found["texts"], Value::Null);
}
