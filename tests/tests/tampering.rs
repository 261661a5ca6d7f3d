//! Whatever in a register is changed or cut is noticed, and never grants a higher tier.

use std::fs;
use std::path::Path;

use accredit::authority::Registry;
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::Moment;
use accredit_core::verdict::Tier;
use accredit_tests::story::Story;

/// A generator of numbers that is the same on every machine (L'Ecuyer's multiplier, as Knuth gives it).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

/// What `status` is computed from: the tier that is held, or that nothing can be relied upon.
fn tier(repository: &Path, root: Digest, now: Moment) -> Option<Tier> {
    let registry = Registry::open(repository, Some(root), now).ok()?;
    let name: GraderName = "final-answer".parse().expect("an id");
    registry.authority(&name).ok().map(|(authority, _)| authority.tier)
}

/// Tries a change of a file, and puts the file back.
fn tried(
    path: &Path,
    was: &[u8],
    changed: &[u8],
    seen: impl FnOnce() -> Option<Tier>,
) -> Option<Tier> {
    fs::write(path, changed).expect("writes");
    let tier = seen();
    fs::write(path, was).expect("writes");
    tier
}

#[test]
fn one_bit_and_every_cut_is_noticed_and_grants_nothing() {
    let Some(story) = Story::promoted() else { return };
    let repository = story.bench.path(".");
    let root = story.root.parse().expect("a digest");
    let now = accredit::clock::now().expect("a clock");
    let held = || tier(&repository, root, now);
    assert_eq!(held(), Some(Tier::Gating));
    let evidence = evidence(&story);
    let (mut numbers, mut changes) = (Numbers(11), 0);
    for (name, was) in story.bench.files() {
        let is_object = name.starts_with(".accredit/objects/");
        // What only `verify-promotion` and `verify` read, and what authority does not rest on.
        let unread = is_object && !evidence.contains(&name);
        if !name.starts_with(".accredit/") || unread || was.is_empty() {
            continue;
        }
        let path = story.bench.path(&name);
        let decides = name.contains("/ledger/")
            || is_object
            || name.ends_with("root.toml")
            || name.ends_with("allowed_signers")
            || name.ends_with(".sig") && !name.contains("pending");
        // Every fifth byte of the ledger and its head, a sample of the rest.
        let all = name.contains("/ledger/") && was.len() < 4000;
        let places: Vec<_> = match all {
            true => (0..was.len()).step_by(5).collect(),
            false => (0..60).map(|_| numbers.below(was.len())).collect(),
        };
        for place in places {
            let mut changed = was.clone();
            changed[place] ^= 1 << numbers.below(8);
            for changed in [&changed[..], &was[..place]] {
                let tier = tried(&path, &was, changed, held);
                assert!(tier <= Some(Tier::Gating), "{name} at {place}");
                assert!(!decides || tier != Some(Tier::Gating), "{name} at {place}: not noticed");
                changes += 1;
            }
        }
    }
    assert_eq!(held(), Some(Tier::Gating), "everything was put back");
    println!("{changes} changes");
}

/// The statement and the signature that the promotion rests on, by the names of their objects.
fn evidence(story: &Story) -> Vec<String> {
    let ledger = story.bench.read(".accredit/ledger/final-answer.jsonl");
    let last: serde_json::Value =
        serde_json::from_str(ledger.lines().last().expect("a line")).expect("JSON");
    let payload = &last["payload"];
    let digests =
        payload["signatures"].as_array().expect("a list").iter().chain([&payload["statement"]]);
    let name = |digest: &serde_json::Value| {
        let hex = digest.as_str().expect("a digest").trim_start_matches("blake3:").to_owned();
        format!(".accredit/objects/{}/{}", &hex[..2], &hex[2..])
    };
    digests.map(name).collect()
}

/// Components, controls, records and reports are read when a promotion is checked again.
#[test]
fn what_a_promotion_rests_on_is_checked_when_it_is_checked_again() {
    let Some(story) = Story::promoted() else { return };
    let mut numbers = Numbers(3);
    for (name, was) in story.bench.files() {
        if !name.starts_with(".accredit/objects/") {
            continue;
        }
        let path = story.bench.path(&name);
        // Roots, signers and policies of old are kept for their versions alone.
        let text = String::from_utf8_lossy(&was);
        if text.starts_with('#') {
            continue;
        }
        for cut in [false, true] {
            let place = numbers.below(was.len());
            let mut changed = was.clone();
            match cut {
                true => changed.truncate(place),
                false => changed[place] ^= 1,
            }
            fs::write(&path, changed).expect("writes");
            let run = story.run(&["verify-promotion", "final-answer"]).0;
            assert!(run.code == 5, "{name} at {place}, cut: {cut}\n{run:#?}");
            fs::write(&path, &was).expect("writes");
        }
    }
    let _ = story.run(&["verify-promotion", "final-answer"]).met();
}

/// A promotion is entered whole or not at all, whenever the command that enters it is killed.
#[test]
fn a_killed_promotion_is_there_or_not() {
    let Some(story) = Story::registered() else { return };
    let _ = story.check().met();
    let statement = story.propose("gating");
    let _ = story.sign(&statement, "paula").met();
    let signature = format!("{statement}.sig");
    let args = ["promote", "--statement", &statement, "--signature", &signature];
    let files: Vec<_> =
        story.bench.files().into_iter().filter(|(name, _)| name.contains("/ledger/")).collect();
    let mut numbers = Numbers(5);
    let (mut entered, mut not) = (0, 0);
    for _ in 0..200 {
        let mut command = story.bench.command(&args);
        command.env("ACCREDIT_ROOT_DIGEST", &story.root);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("starts");
        for _ in 0..numbers.below(3_000_000) {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        let output = child.wait_with_output().expect("ends");
        let acknowledged = String::from_utf8_lossy(&output.stdout).contains("is promoted to");
        let tier = story.tier();
        assert!(!acknowledged || tier == "gating", "an acknowledged promotion was lost");
        match tier.as_str() {
            "gating" => entered += 1,
            other => {
                assert_eq!(other, "advisory");
                not += 1;
            }
        }
        // Back to the start: the ledger as it was before.
        for (name, bytes) in &files {
            story.bench.write(name, bytes);
        }
    }
    println!("{entered} entered, {not} not");
    assert!(entered > 0 && not > 0, "{entered} entered, {not} not");
    let _ = story.enter(&statement).met();
    assert_eq!(story.tier(), "gating");
}
