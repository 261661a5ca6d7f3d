//! What people do with ledgers: look at one, hold it against the base branch's, put two together after a merge,
//! and take away what nothing names any more.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use accredit::store::Writing;
use accredit_core::id::Digest;
use accredit_core::ledger::{Book, Chain, Last, Payload, Promoted, Revoked, Tail, V1, Verified};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Tier;
use accredit_tests::bench::Run;
use accredit_tests::register::{Made, at, grader, noted};

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn verified(number: i64) -> String {
    Payload::Verified(Verified {
        v: V1,
        grader: grader(),
        component: digest("component"),
        ledger: Digest::of(b"ledger"),
        record: digest("record"),
        report: digest("report"),
        semantics: digest("semantics"),
        regression: None,
        at: at(number),
        held: Tier::Gating,
    })
    .to_json()
}

fn promoted(statement: Digest) -> String {
    let (v, component) = (V1, digest("component"));
    let signatures = vec![digest("signature")];
    Payload::Promoted(Promoted {
        v,
        grader: grader(),
        component,
        tier: Tier::Gating,
        statement,
        signatures,
    })
    .to_json()
}

/// A register with both books of one grader.
fn both_books() -> Made {
    let made = Made::with(2);
    let mut writing = made.writing();
    writing.append(&promoted(digest("statement")), &[], at(1)).expect("an entry");
    for number in 0..3 {
        writing.append(&verified(number), &[], at(number)).expect("an entry");
    }
    made
}

/// The chain of so many remarks, and of these behind them.
fn chain(shared: usize, more: &[&str]) -> Chain {
    let mut chain = Chain::empty(grader(), Book::Main);
    let shared = (0..shared).map(|number| format!("remark {number}"));
    for text in shared.chain(more.iter().map(|&text| text.to_owned())) {
        chain.append(&noted(&text), &[], at(0)).expect("sound");
    }
    chain
}

#[test]
fn a_ledger_is_shown_an_entry_a_line() {
    let made = both_books();
    let component = digest("component").short();
    let text = Untrusted::new("\u{1b}[31mred\u{202e}\n::error::x");
    let revoked = Revoked {
        v: V1,
        grader: grader(),
        component: digest("component"),
        at: at(5),
        reason: text,
    };
    let signature = vec!["\u{1b}[2J no signature".to_owned()];
    made.writing()
        .append(&Payload::Revoked(revoked).to_json(), &signature, at(5))
        .expect("an entry");
    made.extend(["set back"]);
    let shown = made.run(&["ledger", "show", "g"]).exits(0);
    shown.is_tame();
    shown.shows(&[
        "1 2026-11-30T22:00:00Z noted - unsigned; \"remark 0\"",
        &format!("3 2026-11-30T22:00:01Z promoted {component} unsigned; to gating, 1 signature on its statement"),
        &format!("4 2026-11-30T22:00:05Z revoked {component} a signature that cannot be read; \"\\u{{1b}}[31mred"),
        "its time is before that of an earlier entry (2026-11-30T22:00:05Z)",
        "5 entries. Nothing of this was checked but that the chain is whole",
    ]);
    assert_eq!(shown.stdout.lines().count(), 6);
    let other = made.run(&["ledger", "show", "g", "--verified"]).exits(0);
    other.shows(&[&format!("2 2026-11-30T22:00:01Z verified {component} unsigned")]);
    let json = made.run(&["ledger", "show", "g", "--format", "json"]).exits(0);
    json.is_tame();
    let json = json.json();
    assert_eq!(json["head"]["seq"], 5);
    assert_eq!(json["entries"][2]["payload"]["kind"], "promoted");
    assert_eq!(json["entries"][0]["payload_digest"], digest(&noted("remark 0")).to_string());
    assert_eq!(json["entries"][4]["set_back"], "2026-11-30T22:00:05Z");
    made.run(&["ledger", "show", "other"])
        .exits(2)
        .complains(&["there is no such ledger of `other`. Graders with a ledger: `g`"]);
}

#[test]
fn every_ledger_is_checked_whole() {
    let made = both_books();
    let sound = made.run(&["ledger", "check"]).exits(0);
    let expected =
        "ledger of `g`: whole, 3 entries\nledger of `g` (verifications): whole, 3 entries\n";
    assert_eq!((sound.stdout.as_str(), sound.stderr.as_str()), (expected, ""));
    let lines = fs::read_to_string(made.lines()).expect("reads");
    fs::write(made.lines(), lines.replace("remark 0", "remark 9")).expect("written");
    let bent = made.run(&["ledger", "check"]).exits(5);
    bent.complains(&["error: ledger of `g`: entry 1 (line 1): it was changed"]);
    bent.shows(&["ledger of `g` (verifications): whole, 3 entries"]);
    made.run(&["ledger", "show", "g"]).exits(5).complains(&["ledger of `g`: entry 1 (line 1)"]);
    let cut: String = lines.split_inclusive('\n').take(2).collect();
    fs::write(made.lines(), cut).expect("written");
    made.run(&["ledger", "check", "g"]).exits(5).complains(&["entries were cut off"]);
    fs::write(made.at("ledger/g.verified.jsonl"), &lines).expect("written");
    made.run(&["ledger", "check"]).exits(5).complains(&["(verifications): entry 1"]);
    made.run(&["ledger", "check", "x"]).exits(2).complains(&["no such ledger of `x`"]);
    let empty = Made::new();
    empty.run(&["ledger", "check"]).exits(3).complains(&["there is no ledger yet"]);
    let nowhere = tempfile::tempdir().expect("a folder").path().display().to_string();
    let none = made.run(&["ledger", "check", "--register", &nowhere]).exits(2);
    none.complains(&["there is no register here", "`accredit init`"]);
}

#[test]
fn a_ledger_must_extend_that_of_the_base() {
    let made = both_books();
    let base = chain(2, &[]);
    let file = made.path().join("base.jsonl");
    let against = |chain: &Chain| {
        fs::write(&file, chain.text()).expect("written");
        made.run(&["ledger", "check", "g", "--extends", "base.jsonl"])
    };
    against(&base).exits(0).shows(&[
        "ledger of `g`: whole, 3 entries; extends base.jsonl by 1",
        "ledger of `g` (verifications): whole, 3 entries; base.jsonl has none of it",
    ]);
    against(&chain(2, &["other", "more"])).exits(5).complains(&[
        "ledger of `g`, against base.jsonl: entry 3 is not that of the reference",
        "`accredit ledger rebase`",
    ]);
    against(&chain(1, &["other"])).exits(5).complains(&["entry 2 is not that of the reference"]);
    // A base whose own lines do not hold is no reference.
    fs::write(&file, base.text().replace("remark 0", "remark 9")).expect("written");
    let damaged = made.run(&["ledger", "check", "g", "--extends", "base.jsonl"]).exits(5);
    damaged.complains(&["base.jsonl, as a ledger of `g`: entry "]);
    fs::write(&file, base.text()).expect("written");
    let unnamed = made.run(&["ledger", "check", "--extends", "base.jsonl"]).exits(0);
    unnamed.shows(&["extends base.jsonl by 1"]);
    fs::write(&file, "").expect("written");
    made.run(&["ledger", "check", "--extends", "base.jsonl"])
        .exits(2)
        .complains(&["name the one grader"]);
    made.run(&["ledger", "check", "g", "--extends", "base.jsonl"]).exits(0).shows(&["by 3"]);
    let own = made.at("ledger/g.verified.jsonl").display().to_string();
    made.run(&["ledger", "check", "--extends", &own]).exits(0).shows(&["the same as in"]);
    made.run(&["ledger", "check", "g", "--extends", "none"]).exits(2).complains(&["none: cannot"]);
}

#[test]
fn entries_that_were_taken_away_with_their_head_are_missed() {
    let (made, base) = (Made::with(2), both_books());
    let folders = [base.path().to_owned(), base.at(""), base.at("ledger")];
    for folder in folders {
        let folder = folder.display().to_string();
        let check = ["ledger", "check", "--extends", &folder];
        let run = made.run(&check).exits(5);
        run.complains(&[
            "it ends with entry 2, and the reference with entry 3: entries were taken away",
            "ledger of `g` (verifications): is missing",
            "has one with 3 entries. A ledger only grows",
        ]);
        base.run(&check).exits(0).shows(&["the same as in"]);
    }
    let base = base.path().display().to_string();
    made.run(&["ledger", "check", "x", "--extends", &base]).exits(2).complains(&["`x`"]);
    let nothing = made.path().join("nothing");
    fs::create_dir(&nothing).expect("made");
    made.run(&["ledger", "check", "--extends", "nothing"])
        .exits(2)
        .complains(&["nothing: there is no register in it"]);
    let empty = Made::new();
    let other = empty.path().display().to_string();
    made.run(&["ledger", "check", "--extends", &other]).exits(0).shows(&["has none of it"]);
}

#[test]
fn a_damaged_ledger_takes_no_entry_and_stops_no_other() {
    let made = Made::with(2);
    let lines = fs::read_to_string(made.lines()).expect("reads").replace("remark 0", "remark 9");
    fs::write(made.lines(), &lines).expect("written");
    let mut writing = made.writing();
    let refused = writing.append(&noted("more"), &[], at(0)).expect_err("damage");
    assert_eq!(refused.exit().code(), 5);
    assert!(refused.to_string().starts_with("ledger of `g`: entry 1"), "{refused}");
    assert_eq!(fs::read_to_string(made.lines()).expect("reads"), lines);
    let other = noted("more").replace("\"grader\":\"g\"", "\"grader\":\"other\"");
    assert_eq!(writing.append(&other, &[], at(0)).expect("an entry").seq, 1);
    let no_entry = writing.append("{}", &[], at(0)).expect_err("no payload");
    assert_eq!(no_entry.exit().code(), 2);
}

/// Tools that know of no lock, such as git, may change a ledger while it is open for writing.
#[test]
fn a_ledger_that_changed_meanwhile_is_read_again() {
    let (made, other) = (Made::with(3), Made::with(2));
    let mut writing = made.writing();
    fs::copy(other.lines(), made.lines()).expect("copied");
    fs::copy(other.head(), made.head()).expect("copied");
    assert_eq!(writing.append(&noted("third"), &[], at(0)).expect("an entry").seq, 3);
    assert_eq!(made.remarks(), ["remark 0", "remark 1", "third"]);
    fs::write(made.lines(), "").expect("written");
    assert!(writing.append(&noted("fourth"), &[], at(0)).is_err(), "cut off");
}

fn rebase(made: &Made, base: &Chain) -> Run {
    fs::write(made.path().join("base.jsonl"), base.text()).expect("written");
    made.run(&["ledger", "rebase", "g", "--onto", "base.jsonl"])
}

#[test]
fn entries_are_linked_behind_those_of_the_base() {
    let made = Made::with(2);
    made.extend(["ours", "both"]);
    let base = chain(2, &["theirs", "both"]);
    rebase(&made, &base).exits(0).shows(&[
        "ledger of `g`: 1 entry linked anew behind the 4 entries of base.jsonl, 1 entry that both have kept once",
    ]);
    assert_eq!(made.remarks(), ["remark 0", "remark 1", "theirs", "both", "ours"]);
    let before = fs::read(made.lines()).expect("reads");
    rebase(&made, &base).exits(0).shows(&["nothing to do: its 5 entries extend base.jsonl"]);
    assert_eq!(fs::read(made.lines()).expect("reads"), before);
    made.run(&["ledger", "check", "g", "--extends", "base.jsonl"]).exits(0).shows(&["by 1"]);
    // Damage is not mended by it.
    fs::write(made.lines(), chain(1, &[]).text()).expect("written");
    rebase(&made, &base).exits(5).complains(&["entries were cut off"]);
    assert_eq!(fs::read_to_string(made.lines()).expect("reads"), chain(1, &[]).text());
    rebase(&made, &Chain::empty("other".parse().expect("an id"), Book::Main))
        .exits(5)
        .complains(&["cut off"]);
}

#[test]
fn a_stopped_replacement_is_finished_or_undone() {
    let (old, new) = (chain(2, &["ours"]), chain(2, &["theirs", "ours"]));
    for (there, told) in [(&old, "is what it was"), (&new, "the new ledger is in place")] {
        let made = Made::with(2);
        made.extend(["ours"]);
        let Last { seq, digest } = old.last();
        let sound = new.head().to_line();
        let head = sound
            .replace('}', &format!(",\"replaces\":{{\"seq\":{seq},\"digest\":\"{digest}\"}}}}"));
        fs::write(made.head(), head).expect("written");
        fs::write(made.lines(), there.text()).expect("written");
        made.run(&["ledger", "check"]).exits(0).shows(&["whole"]);
        made.run(&["store", "gc"]).exits(0).complains(&[told]);
        let reading = made.read().expect("sound");
        assert_eq!((&reading.chain, reading.tail), (there, Tail::default()));
        rebase(&made, &chain(2, &["theirs"])).exits(0).shows(&["entr"]);
        assert_eq!(made.remarks(), ["remark 0", "remark 1", "theirs", "ours"]);
    }
}

/// Git in the register's repository; absent where there is no git.
fn git(made: &Made, args: &[&str]) -> Option<bool> {
    let identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let mut command = Command::new("git");
    command
        .args(identity)
        .args(args)
        .current_dir(made.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env("GIT_CONFIG_SYSTEM", "/dev/null");
    Some(command.output().ok()?.status.success())
}

/// A repository in which two branches added to one ledger, after the merge that failed.
fn merge(ours: &[&str], theirs: &[&str], style: &str) -> Option<Made> {
    let made = Made::with(2);
    let commit = || {
        git(&made, &["add", "."]).filter(|done| *done)?;
        git(&made, &["commit", "-qm", "entries"]).filter(|done| *done)
    };
    git(&made, &["init", "-q", "-b", "main"])?;
    git(&made, &["config", "merge.conflictStyle", style])?;
    commit()?;
    git(&made, &["checkout", "-qb", "other"])?;
    made.extend(theirs);
    commit()?;
    fs::copy(made.lines(), made.path().join("base.jsonl")).expect("copied");
    git(&made, &["checkout", "-q", "main"])?;
    made.extend(ours);
    commit()?;
    assert_eq!(git(&made, &["merge", "other"]), Some(false), "a conflict");
    Some(made)
}

#[test]
fn both_sides_of_a_merge_conflict_are_put_together() {
    for style in ["merge", "diff3"] {
        let Some(made) = merge(&["ours", "both"], &["theirs", "both"], style) else {
            println!("passed over: no git here");
            return;
        };
        let conflict = made.run(&["ledger", "check"]).exits(5);
        conflict
            .complains(&["ledger of `g`: a merge was not completed", "`accredit ledger rebase`"]);
        let base = chain(2, &["theirs", "both"]);
        rebase(&made, &base).exits(0).shows(&["1 entry linked anew behind the 4 entries"]);
        assert_eq!(made.remarks(), ["remark 0", "remark 1", "theirs", "both", "ours"]);
        made.run(&["ledger", "check", "g", "--extends", "base.jsonl"]).exits(0).shows(&["by 1"]);
        made.extend(["later"]);
    }
    // One side was chosen for the lines, and the head still is in conflict.
    let made = merge(&["ours"], &["theirs"], "merge").expect("git");
    assert_eq!(git(&made, &["checkout", "--ours", ".accredit/ledger/g.jsonl"]), Some(true));
    rebase(&made, &chain(2, &["theirs"])).exits(0).shows(&["1 entry linked anew"]);
    assert_eq!(made.remarks(), ["remark 0", "remark 1", "theirs", "ours"]);
    // A side from which an entry was taken is none that was ever acknowledged.
    let made = merge(&["ours", "more"], &["theirs"], "merge").expect("git");
    let text = fs::read_to_string(made.lines()).expect("reads");
    let cut: String = text.split_inclusive('\n').filter(|line| !line.contains("more")).collect();
    fs::write(made.lines(), cut).expect("written");
    rebase(&made, &chain(2, &["theirs"]))
        .exits(5)
        .complains(&["on one side of the merge conflict"]);
}

fn age(writing: &Writing, digest: Digest) {
    let path = writing.objects().path(digest);
    let then = SystemTime::now() - Duration::from_secs(25 * 60 * 60);
    fs::File::open(path).and_then(|file| file.set_modified(then)).expect("set");
}

fn has(made: &Made, digest: Digest) -> bool {
    made.writing().objects().has(digest).expect("looks")
}

#[test]
fn what_nothing_names_can_be_taken_away() {
    let made = Made::new();
    let mut writing = made.writing();
    let record = writing.put(b"a record").expect("kept");
    let statement = format!("{{\"evidence\":{{\"record\":\"{record}\"}}}}");
    let statement = writing.put(statement.as_bytes()).expect("kept");
    writing.append(&promoted(statement), &[], at(0)).expect("an entry");
    let root = writing.put(b"an older root").expect("kept");
    writing.write("root.toml", format!("previous = \"{root}\"\n").as_bytes()).expect("written");
    let policy = writing.put(b"a policy that was signed").expect("kept");
    let signature = format!("signatures/{}/{}.sig", policy.hex(), digest("s").hex());
    writing.write(&signature, b"x").expect("written");
    let waiting = writing.put(b"a report").expect("kept");
    writing.write("pending/g.json", waiting.to_string().as_bytes()).expect("written");
    let controls = writing.put(b"controls").expect("kept");
    writing.write("graders/g.toml", format!("c = \"{controls}\"").as_bytes()).expect("written");
    let kept = [record, statement, root, policy, waiting, controls];
    let (old, young) = (writing.put(b"old").expect("kept"), writing.put(b"young").expect("kept"));
    kept.iter().chain([&old]).for_each(|it| age(&writing, *it));
    drop(writing);
    let before = made.run(&["store", "gc", "--dry-run"]).exits(0);
    before.shows(&[
        &format!("{old} 3 bytes 1 object would be taken away; 6 objects named and kept"),
        "1 object that nothing names, kept for a day (--all takes them too)",
    ]);
    assert!(has(&made, old));
    made.run(&["store", "gc"]).exits(0).shows(&["1 object taken away; 6 objects named"]);
    assert!(!has(&made, old) && has(&made, young));
    made.run(&["store", "gc", "--all"]).exits(0).shows(&[&young.to_string(), "1 object taken"]);
    assert!(!has(&made, young) && kept.iter().all(|it| has(&made, *it)));
    made.run(&["store", "gc", "--all"]).exits(0).shows(&["0 objects taken away; 6 objects"]);
}

#[test]
fn nothing_is_taken_away_while_it_is_not_known_what_is_named() {
    let made = both_books();
    let object = made.writing().put(b"that nothing names").expect("kept");
    let refuses = |path: &Path, bent: &[u8], told: &str| {
        let sound = fs::read(path).expect("reads");
        fs::write(path, bent).expect("written");
        made.run(&["store", "gc", "--all"]).exits(5).complains(&[told]);
        fs::write(path, sound).expect("written");
        assert!(has(&made, object));
    };
    let lines = fs::read_to_string(made.lines()).expect("reads");
    refuses(
        &made.lines(),
        lines.replace("remark 0", "remark 9").as_bytes(),
        "ledger of `g`: entry 1",
    );
    refuses(&made.at("ledger/g.verified.head"), b"", "(verifications): the head");
    let statement = made.writing().put(b"statement").expect("kept");
    let path = made.writing().objects().path(statement);
    refuses(&path, b"another", "its bytes are not those that it is named by");
    let all = made.run(&["store", "gc", "--all"]).exits(0);
    all.shows(&[&object.to_string(), "1 object taken away; 1 object named"]);
    assert!(!has(&made, object) && has(&made, statement));
}
