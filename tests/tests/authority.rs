//! Authority from end to end: earned, signed, computed, and lost when anything changes.

use std::fs;
use std::process::Command;

use accredit_tests::story::Story;
use serde_json::Value;

#[test]
fn a_grader_earns_authority_and_loses_it_with_one_byte_of_anything() {
    let Some(story) = Story::promoted() else { return };
    let held = story.status();
    assert_eq!((&held["tier"], &held["exit"]), (&"gating".into(), &0.into()), "{held}");
    assert_eq!(held["signers"], serde_json::json!(["paula"]));
    assert_eq!(held["waivers"].as_array().map(Vec::len), Some(2), "waivers stand beside the tier");
    for (file, what) in [
        ("graders/g.wasm", "the component changed"),
        ("controls/known-bad.toml", "the controls changed"),
        ("controls/set.toml", "the controls changed"),
        ("accredit.toml", "the policy changed"),
    ] {
        let path = story.bench.path(file);
        let bytes = fs::read(&path).expect("reads");
        let mut changed = bytes.clone();
        // One byte more: of a component in a section of no meaning, of a text in a comment.
        match file.ends_with(".wasm") {
            true => changed.extend([0, 2, 1, b'x']),
            false => changed.extend(b"#"),
        }
        fs::write(&path, changed).expect("writes");
        let lost = story.status();
        assert_eq!((&lost["tier"], &lost["exit"]), (&"advisory".into(), &4.into()), "{lost}");
        assert!(lost["reasons"].to_string().contains(what), "{lost}");
        let shown = story.run(&["status"]).0.exits(4).stdout;
        assert!(shown.contains("stale because"), "{shown}");
        fs::write(&path, bytes).expect("writes");
        assert_eq!(story.tier(), "gating", "{file} is what it was");
    }
    fs::rename(story.bench.path("controls"), story.bench.path("elsewhere")).expect("moves");
    let lost = story.status();
    assert_eq!((&lost["tier"], &lost["exit"]), (&"advisory".into(), &4.into()), "{lost}");
}

#[test]
fn nobody_signs_for_their_own_work_and_a_stranger_for_nothing() {
    let Some(story) = Story::registered() else { return };
    let _ = story.check().met();
    let statement = story.propose("gating");
    let signature = format!("{statement}.sig");
    for (name, why) in [
        ("greta", "may not sign for `promotion.v1@accredit`"),
        ("carl", "may not sign for `promotion.v1@accredit`"),
        ("robot", "may not sign for `promotion.v1@accredit`"),
    ] {
        let bytes = fs::read(story.bench.path(&statement)).expect("reads");
        let armoured = story.keys.sign(name, "promotion.v1@accredit", &bytes);
        story.bench.write(&signature, armoured);
        story.enter(&statement).refused(1, why);
    }
    // A promoter who wrote the controls, under another name and by the same key.
    let signers = story.bench.read(".accredit/allowed_signers");
    let line = format!("percy {}\n", story.keys.public("carl"));
    story
        .bench
        .write(".accredit/allowed_signers", signers.replace("version 1", "version 2") + &line);
    let policy = story.bench.read("accredit.toml");
    let policy = policy.replace("version = 1", "version = 2");
    story.bench.write("accredit.toml", policy.replace("\"pete\"", "\"pete\", \"percy\""));
    let _ = story.sign(".accredit/allowed_signers", "ada").met();
    let _ = story.sign("accredit.toml", "ada").met();
    let _ = story.check().met();
    let statement = story.propose("gating");
    let bytes = fs::read(story.bench.path(&statement)).expect("reads");
    let armoured = story.keys.sign("carl", "promotion.v1@accredit", &bytes);
    story.bench.write(&format!("{statement}.sig"), armoured);
    story.enter(&statement).refused(1, "wrote the grader or its controls, and signed for it");
    assert_eq!(story.tier(), "advisory");
    // Paula may, and a byte of the statement later not any more.
    let armoured = story.keys.sign("paula", "promotion.v1@accredit", &bytes);
    story.bench.write(&format!("{statement}.sig"), armoured);
    let text = String::from_utf8(bytes).expect("JSON");
    story.bench.write(&statement, text.replace("\"gating\"\n", "\"gating\" \n"));
    story.enter(&statement).refused(1, "");
    story.bench.write(&statement, text);
    let _ = story.enter(&statement).met();
    assert_eq!(story.tier(), "gating");
    story.enter(&statement).refused(2, "a statement promotes once");
}

#[test]
fn an_unknown_author_never_gates() {
    let Some(story) = Story::new() else { return };
    let unsigned =
        ["register", "graders/g.wasm", "--controls", "controls", "--wrote", "grader,controls"];
    let _ = story.run(&unsigned).met();
    let _ = story.check().met();
    for (tier, code) in [("characterization", 0), ("gating", 1)] {
        let statement = story.propose(tier);
        let _ = story.sign(&statement, "paula").met();
        let run = story.enter(&statement).0.exits(code);
        assert!(code == 0 || run.stderr.contains("nobody signed as the author"), "{run:#?}");
    }
    assert_eq!(story.tier(), "characterization");
}

#[test]
fn what_is_not_pinned_or_not_signed_grants_no_gating() {
    let Some(mut story) = Story::promoted() else { return };
    let root = std::mem::take(&mut story.root);
    let held = story.status();
    assert_eq!((&held["tier"], &held["exit"]), (&"characterization".into(), &4.into()), "{held}");
    assert!(held["reasons"].to_string().contains("not pinned"), "{held}");
    // Another root than the pinned one, and none.
    story.root = root;
    let path = story.bench.path(".accredit/root.toml");
    let bytes = fs::read(&path).expect("reads");
    fs::write(&path, [bytes.as_slice(), b"#"].concat()).expect("writes");
    let _ = story.run(&["status"]).0.exits(5);
    fs::remove_file(&path).expect("removes");
    let _ = story.run(&["status"]).0.exits(5);
    fs::write(&path, bytes).expect("writes");
    // A policy of a later version that nobody signed, and then an older one that somebody did.
    let policy = story.bench.read("accredit.toml");
    story.bench.write("accredit.toml", policy.replace("version = 1", "version = 2"));
    let lost = story.status();
    assert_eq!((&lost["tier"], &lost["exit"]), (&"advisory".into(), &4.into()), "{lost}");
    let _ = story.sign("accredit.toml", "ada").met();
    let _ = story.check().met();
    let statement = story.propose("gating");
    let _ = story.sign(&statement, "paula").met();
    let _ = story.enter(&statement).met();
    story.bench.write("accredit.toml", policy);
    story.run(&["status"]).refused(5, "an older one was put back");
}

#[test]
fn a_statement_is_of_no_use_for_another_ledger_policy_tier_or_component() {
    let (Some(story), Some(other)) = (Story::promoted(), Story::registered()) else { return };
    let pending = story.bench.path(".accredit/pending");
    let statement = fs::read_dir(pending).expect("a folder").map(|it| it.expect("an entry").path());
    let statement = statement.into_iter().find(|it| it.extension().is_some_and(|it| it == "json"));
    let statement = statement.expect("a statement").display().to_string();
    // Another register, whose root is another; then one whose root, signers and policy are the same.
    other.enter(&statement).refused(1, "");
    let mut twin = Story::registered().expect("ssh-keygen is there");
    for file in [".accredit/root.toml", ".accredit/allowed_signers", "accredit.toml"] {
        twin.bench.write(file, fs::read(story.bench.path(file)).expect("reads"));
    }
    for (name, bytes) in story.bench.files() {
        if name.starts_with(".accredit/signatures/") || name.starts_with(".accredit/objects/") {
            twin.bench.write(&name, bytes);
        }
    }
    twin.root.clone_from(&story.root);
    twin.enter(&statement).refused(1, "the ledger changed");
    assert_eq!(twin.tier(), "advisory");
    // The tier is among what is signed.
    let text = fs::read_to_string(&statement).expect("reads");
    let bent = story.bench.path("bent.json").display().to_string();
    fs::write(&bent, text.replace("d\": \"", "d\": \"0")).expect("writes");
    fs::copy(format!("{statement}.sig"), format!("{bent}.sig")).expect("copies");
    let run = story.enter(&bent).0;
    assert!(run.code == 1 || run.code == 2, "{run:#?}");
}

#[test]
fn a_promotion_is_checked_again_offline_and_by_tools_that_are_not_ours() {
    let Some(story) = Story::promoted() else { return };
    let before = story.bench.files();
    let told = story.run(&["verify-promotion", "final-answer"]).met();
    assert!(!told.stdout.contains("NO "), "{}", told.stdout);
    assert!(before == story.bench.files(), "nothing is written");
    let told = story.run(&["verify-promotion", "final-answer", "--format", "json"]).met();
    let outcome: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert_eq!(outcome["checks"].as_array().map(Vec::len), Some(8), "{outcome}");
    outside(&story);
    // A byte of the record, or of the report.
    let objects = story.bench.path(".accredit/objects");
    let evidence = statement(&story)["predicate"]["evidence"].clone();
    for what in ["record", "report"] {
        let hex = evidence[what].as_str().expect("a digest").trim_start_matches("blake3:");
        let path = objects.join(&hex[..2]).join(&hex[2..]);
        let bytes = fs::read(&path).expect("is kept");
        let mut changed = bytes.clone();
        changed[100] ^= 1;
        fs::write(&path, changed).expect("writes");
        let _ = story.run(&["verify-promotion", "final-answer"]).0.exits(5);
        fs::write(&path, bytes).expect("writes");
    }
}

/// The statement that the ledger names.
fn statement(story: &Story) -> Value {
    let ledger = story.bench.read(".accredit/ledger/final-answer.jsonl");
    let last: Value = serde_json::from_str(ledger.lines().last().expect("a line")).expect("JSON");
    let hex = last["payload"]["statement"].as_str().expect("a digest").to_owned();
    let hex = hex.trim_start_matches("blake3:");
    let object = format!(".accredit/objects/{}/{}", &hex[..2], &hex[2..]);
    serde_json::from_str(&story.bench.read(&object)).expect("a statement")
}

/// The check of the README, as it stands there, run by a shell.
fn outside(story: &Story) {
    let readme = fs::read_to_string(accredit_tests::repository().join("README.md")).expect("reads");
    let block = readme.split("<!-- checked-without-accredit -->").nth(1).expect("stands there");
    let script =
        block.split("```sh\n").nth(1).and_then(|it| it.split("```").next()).expect("a block");
    let missing = ["b3sum", "sha256sum", "jq", "ssh-keygen"]
        .iter()
        .any(|tool| Command::new(tool).arg("--version").output().is_err());
    if missing {
        let required = std::env::var("ACCREDIT_TOOLS").is_ok_and(|it| it == "required");
        assert!(
            !required,
            "b3sum, sha256sum, jq or ssh-keygen is missing, and ACCREDIT_TOOLS=required"
        );
        eprintln!("skipped: b3sum, sha256sum, jq or ssh-keygen is missing");
        return;
    }
    let run = |name: &str| {
        let shell = Command::new("sh")
            .args(["-euc", script])
            .current_dir(story.bench.path("."))
            .env("GRADER", name)
            .env("WHO", "paula")
            .env("ROOT", &story.root)
            .output()
            .expect("sh runs");
        (
            shell.status.success(),
            String::from_utf8_lossy(&shell.stdout).into_owned()
                + &String::from_utf8_lossy(&shell.stderr),
        )
    };
    let (held, told) = run("final-answer");
    assert!(held, "{told}");
    // It is a check: with another component it fails.
    let path = story.bench.path("graders/g.wasm");
    let bytes = fs::read(&path).expect("reads");
    fs::write(&path, [bytes.as_slice(), &[0, 2, 1, b'x']].concat()).expect("writes");
    let (held, told) = run("final-answer");
    assert!(!held, "{told}");
    fs::write(&path, bytes).expect("writes");
}
