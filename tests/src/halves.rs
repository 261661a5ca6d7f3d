//! The shipped control set of final-answer in two halves, one of them held out from the grader's author.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, Run};
use crate::{repository, shipped};

/// The salt of the held-out half.
pub const SALT: &str = "1f0e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0";

/// The shipped set of final-answer cut in two by family, `open` and `held`, every held-out id beginning with
/// `secret-`; the open half promises the other.
///
/// # Panics
/// When a file is not as it is expected.
pub fn halves(bench: &Bench) {
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

/// `check` of a shipped grader on both halves.
///
/// # Panics
/// As [`Bench::run`].
pub fn check(bench: &Bench, grader: &str, more: &[&str]) -> Run {
    let grader = shipped(grader).display().to_string();
    let args = ["check", &grader, "--controls", "open", "--held-out", "held", "--repeats", "2"];
    bench.run(&[&args, more].concat())
}

/// The digest line that ends a record, as whoever changed it would write it anew.
#[must_use]
pub fn sealed(lines: &str) -> String {
    let kept: String =
        lines.split_inclusive('\n').filter(|line| !line.starts_with("{\"aside\":")).collect();
    let digest = accredit_core::id::Digest::of(kept.as_bytes());
    format!("{kept}{{\"aside\":{{\"seal\":{{\"digest\":\"{digest}\"}}}}}}\n")
}

/// Bars that half a set can meet, and bounds on held-out controls with them, at the confidence of one look in three.
pub const POLICY: &str = "[code.gating]\nknown_bad = 0.8\nknown_good = 0.8\nnear_miss = 0.7\ninvariance_bases = 5\nhard_positive = 0.75\nadversarial = 0.75\n";

/// One requirement of a report.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn requirement(report: &str, id: &str, tier: &str) -> Value {
    let report: Value = serde_json::from_str(report).expect("JSON");
    let all = report["decision"]["requirements"].as_array().expect("a list");
    let found = all.iter().find(|it| it["id"] == id && it["tier"] == tier);
    found.expect("the requirement").clone()
}
