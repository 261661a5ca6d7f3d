//! A verification that is killed.

use std::time::{Duration, Instant};

use accredit::store::Register;
use accredit_core::ledger::Book;
use accredit_tests::story::Story;

use super::{GRADER, name, part, passes};

/// What the two books of the grader hold, each whole.
fn entries(story: &Story) -> (u64, u64) {
    let register = Register::open(&story.bench.path("")).expect("a register");
    let of = |book| {
        let file = register.ledger(&name(GRADER), book).expect("a ledger");
        file.read().expect("a sound ledger").chain.len()
    };
    (of(Book::Main), of(Book::Verified))
}

#[test]
fn a_verification_that_is_killed_loses_nothing_and_leaves_nothing_unreadable() {
    let Some(story) = Story::promoted() else { return };
    let (key, part) = (story.key("robot"), part());
    let began = Instant::now();
    let _ = passes(&story, &["--key", &key]);
    let whole = u64::try_from(began.elapsed().as_micros()).expect("short");
    let (mut main, mut verified) = entries(&story);
    let mut seed = 7_u64;
    for kill in 0..25_u64 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut command = story.bench.command(&["verify", "--partition", &part, "--key", &key]);
        command.env("ACCREDIT_ROOT_DIGEST", &story.root);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("starts");
        let until = Instant::now() + Duration::from_micros((seed >> 33) % (whole + whole / 4));
        while Instant::now() < until && child.try_wait().expect("waits").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("it is killed, or has ended");
        let said = child.wait_with_output().expect("it ends").stdout;
        let told = u64::from(String::from_utf8_lossy(&said).contains("appended to its ledger"));
        let now = entries(&story);
        assert!(now.0 == main && now.1 >= verified + told, "kill {kill}: {now:?} after {verified}");
        (main, verified) = now;
    }
    let run = passes(&story, &["--key", &key]);
    assert!(run.stdout.contains("PASS"));
    assert_eq!(entries(&story), (main, verified + 1));
    let _ = story.run(&["ledger", "check"]).met();
}
