//! What people and programs read, whole. The small set is judged by lenient-answer; digests and versions,
//! which change when a grader is built again, stand as names.

use accredit_tests::bench::Bench;
use accredit_tests::{fixture, rounded, shipped};
use serde_json::Value;

/// `check` on a copy of the small set, in this format.
fn check(format: &str) -> String {
    let bench = Bench::new();
    bench.copy(&fixture("small"), "set");
    let grader = shipped("lenient-answer").display().to_string();
    let args = ["check", &grader, "--controls", "set", "--format", format, "--all"];
    bench.run(&args).exits(1).stdout
}

/// The text with every digest of the report, whole or short, replaced by its name.
fn named(text: &str, report: &Value) -> String {
    let mut digests = vec![("grader", &report["grader"]["digest"])];
    let others = report["digests"].as_object().expect("digests");
    digests.extend(others.iter().map(|(name, digest)| (name.as_str(), digest)));
    let mut text = text.to_owned();
    for (name, digest) in digests {
        let digest = digest.as_str().expect("a digest");
        let short = digest.strip_prefix("blake3:").expect("blake3").get(..12).expect("12 digits");
        text = text.replace(digest, &format!("[{name}]")).replace(short, &format!("[{name}]"));
    }
    let version = report["grader"]["version"].as_str().expect("a version");
    text.replace(&format!("lenient-answer {version}"), "lenient-answer [version]")
        .replace(&format!("\"version\": \"{version}\""), "\"version\": \"[version]\"")
        .replace(&format!("Version `{version}`"), "Version `[version]`")
}

#[test]
fn the_report_in_each_format_for_people_and_servers() {
    let report: Value = serde_json::from_str(&check("json")).expect("JSON");
    for format in ["human", "markdown", "junit", "github"] {
        let text = check(format);
        let record = report["digests"]["record"].as_str().expect("a digest");
        assert!(text.contains(&record[7..19]), "{format} does not name its record");
        insta::assert_snapshot!(format!("check_{format}"), named(&text, &report));
    }
}

#[test]
fn the_human_report_takes_80_columns_at_most() {
    for line in check("human").lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_json_report() {
    let report: Value = serde_json::from_str(&check("json")).expect("JSON");
    let text = serde_json::to_string_pretty(&rounded(report.clone())).expect("plain data");
    insta::assert_snapshot!("check_json", named(&text, &report));
}

#[test]
fn nothing_is_coloured_and_no_line_ends_in_a_space() {
    for format in ["human", "json", "markdown", "junit", "github", "html"] {
        let text = check(format);
        assert!(!text.contains('\u{1b}'), "{format}");
        let loose: Vec<_> = text.lines().filter(|line| line.ends_with(' ')).collect();
        assert!(loose.is_empty(), "{format}: {loose:#?}");
        assert!(text.ends_with('\n'), "{format}");
    }
}
