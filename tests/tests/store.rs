//! The register on the disk: what was acknowledged stays, whoever else writes, and whenever a writer is killed;
//! what was changed is noticed; what others could change is refused.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use accredit::store::{Register, Writing};
use accredit_core::id::Digest;
use accredit_core::ledger::{Book, Chain, Tail};
use accredit_tests::register::{Made, at, grader, noted, remarks};

/// Nothing by itself. The tests below start it as another process, which appends entries and says on its standard
/// output when each is safe.
#[test]
fn appender() {
    let Some(folder) = env::var_os("APPEND_TO") else { return };
    let said = |name: &str| env::var(name).expect("told");
    let number = |name: &str| said(name).parse::<usize>().expect("a number");
    let (tag, count, at_once) =
        (said("APPEND_TAG"), number("APPEND_COUNT"), number("APPEND_AT_ONCE"));
    println!();
    for from in (0..count).step_by(at_once) {
        let mut writing = Writing::open(Path::new(&folder)).expect("the register opens");
        for number in from..count.min(from + at_once) {
            let text = format!("{tag} {number}");
            if let Err(failure) = writing.append(&noted(&text), &[], at(0)) {
                println!("failed: {failure}");
                return;
            }
            println!("ack {text}");
        }
    }
}

/// How many entries an appender writes, if nothing stops it.
const EACH: usize = 500;

/// [`appender`] as another process, which writes so many entries each time it holds the lock, and is limited by
/// this shell command if there is one.
fn append(made: &Made, tag: &str, at_once: usize, limit: Option<&str>) -> Child {
    let this = env::current_exe().expect("a test knows where it is");
    let mut command = match limit {
        None => Command::new(this),
        Some(limit) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(this);
            shell
        }
    };
    command
        .args(["--exact", "appender", "--nocapture"])
        .env("APPEND_TO", made.path())
        .env("APPEND_TAG", tag)
        .env("APPEND_COUNT", EACH.to_string())
        .env("APPEND_AT_ONCE", at_once.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command.spawn().expect("the appender starts")
}

/// What the lines acknowledge.
fn acknowledged(text: &str) -> impl Iterator<Item = String> {
    let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole.filter_map(|line| Some(line.strip_prefix("ack ")?.to_owned()))
}

#[test]
fn two_processes_and_a_reader() {
    let made = Made::new();
    let children = ["a", "b"].map(|tag| append(&made, tag, 5, None));
    let (mut seen, mut before) = (0, made.read().expect("no ledger yet").chain);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let codes = children.map(|child| child.wait_with_output().expect("it ends").status);
            done.store(true, Ordering::SeqCst);
            assert!(codes.iter().all(|code| code.success()));
        });
        while !done.load(Ordering::SeqCst) {
            let now = made.read().expect("a reader at any time").chain;
            assert!(now.extends(&before).is_ok(), "a ledger only grows");
            (seen, before) = (seen + 1, now);
        }
    });
    assert!(seen > 0);
    let reading = made.read().expect("a sound ledger");
    assert_eq!((reading.chain.len(), reading.tail), (1000, Tail::default()));
    let remarks = remarks(&reading.chain);
    for tag in ["a ", "b "] {
        let of_one: Vec<_> = remarks.iter().filter_map(|it| it.strip_prefix(tag)).collect();
        assert_eq!(of_one, (0..EACH).map(|number| number.to_string()).collect::<Vec<_>>());
    }
}

/// Numbers that look random and are always the same (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Kills a writer somewhere, and reads what it acknowledged.
fn killed(made: &Made, tag: &str, numbers: &mut Numbers) -> Vec<String> {
    let mut child = append(made, tag, EACH, None);
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut said = String::new();
    for _ in 0..numbers.below(9) {
        output.read_line(&mut said).expect("reads");
    }
    for _ in 0..numbers.below(50_000) {
        std::hint::spin_loop();
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    output.read_to_string(&mut said).expect("reads");
    acknowledged(&said).collect()
}

#[test]
fn a_writer_that_is_killed_loses_nothing_that_it_acknowledged() {
    let (mut numbers, mut unfinished) = (Numbers(7), 0);
    for _ in 0..10 {
        let (made, mut expected) = (Made::new(), Vec::new());
        for kill in 0..20 {
            expected.extend(killed(&made, &kill.to_string(), &mut numbers));
            let reading = made.read().expect("a sound ledger");
            let files = fs::read_dir(made.at("ledger")).map_or(0, Iterator::count);
            unfinished += usize::from(!reading.tail.is_clean() || files > 2);
            let found: BTreeSet<_> = remarks(&reading.chain).into_iter().collect();
            let lost: Vec<_> = expected.iter().filter(|it| !found.contains(*it)).collect();
            assert!(lost.is_empty(), "kill {kill}: {lost:?}");
        }
        assert!(!expected.is_empty());
        // Whatever the last one left is mended, and nothing is left over.
        made.extend(["the end"]);
        assert_eq!(made.read().expect("a sound ledger").tail, Tail::default());
        let names = |folder: &str| fs::read_dir(made.at(folder)).expect("a folder").count();
        assert_eq!((names("ledger"), names(".")), (2, 4), ".gitignore ledger lock register.toml");
    }
    println!("{unfinished} of 200 kills left something to mend");
}

#[test]
fn a_reader_sees_the_old_ledger_or_the_new_one() {
    let made = Made::with(5);
    let old = made.read().expect("sound").chain;
    let mut base = Chain::empty(grader(), Book::Main);
    base.append(&noted("from elsewhere"), &[], at(0)).expect("sound");
    let new = Chain::rebase(&base, &old).expect("one grader").chain;
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut writing = made.writing();
            for _ in 0..200 {
                writing.replace(old.last(), new.clone()).expect("replaced");
                writing.replace(new.last(), old.clone()).expect("replaced");
            }
            done.store(true, Ordering::SeqCst);
        });
        while !done.load(Ordering::SeqCst) {
            let now = made.read().expect("a reader at any time").chain;
            assert!(now == old || now == new);
        }
    });
}

#[test]
fn every_changed_byte_and_every_cut_is_noticed() {
    let made = Made::with(20);
    for path in [made.lines(), made.head()] {
        let sound = fs::read(&path).expect("reads");
        for place in 0..sound.len() {
            let mut bent = sound.clone();
            bent[place] ^= 1 << (place % 8);
            fs::write(&path, bent).expect("written");
            assert!(made.read().is_err(), "{}: byte {place}", path.display());
            fs::write(&path, &sound[..place]).expect("written");
            assert!(made.read().is_err(), "{}: cut to {place}", path.display());
        }
        fs::remove_file(&path).expect("removed");
        let missing = made.read().expect_err("a file is missing");
        assert!(missing.starts_with("ledger of `g`: the head: "), "{missing}");
        fs::write(&path, sound).expect("written");
    }
    assert_eq!(made.remarks().len(), 20);
}

#[test]
fn what_a_stopped_command_left_is_mended_and_told() {
    let made = Made::with(3);
    let head = fs::read(made.head()).expect("reads");
    made.extend(["not acknowledged"]);
    fs::write(made.head(), &head).expect("written");
    made.add(&made.lines(), b"{\"seq\":5,\"at");
    fs::write(made.at("ledger/.tmp-abc"), "half").expect("written");
    let before = fs::read(made.lines()).expect("reads");
    made.run(&["ledger", "check"]).exits(0).shows(&[
        "ledger of `g`: whole, 4 entries, 1 not acknowledged yet, then 12 bytes of one not written to its end",
    ]);
    assert_eq!(fs::read(made.lines()).expect("reads"), before, "a reader writes nothing");
    let mended = made.run(&["store", "gc"]).exits(0);
    mended.complains(&[
        "1 file was left half written by a command that was stopped",
        "ledger of `g`: 12 bytes of an entry that was never written to its end were taken away",
        "1 entry that a stopped command had written whole was taken in; the last is entry 4",
    ]);
    assert_eq!(made.run(&["ledger", "check"]).exits(0).stdout, "ledger of `g`: whole, 4 entries\n");
    assert!(!made.run(&["store", "gc"]).exits(0).stderr.contains("taken"));
}

#[test]
fn objects_are_named_by_what_is_in_them() {
    let made = Made::new();
    let writing = made.writing();
    let digest = writing.put(b"some bytes").expect("kept");
    assert_eq!(digest, Digest::of(b"some bytes"));
    assert_eq!(writing.put(b"some bytes").expect("kept twice"), digest);
    fs::write(made.path().join("file"), b"some bytes").expect("written");
    assert_eq!(writing.put_file(&made.path().join("file")).expect("kept"), digest);
    fs::write(made.path().join("file"), vec![7; 1 << 20]).expect("written");
    let large = writing.put_file(&made.path().join("file")).expect("kept");
    assert_eq!(large, Digest::of(&vec![7; 1 << 20]));
    let objects = writing.objects();
    let listed: BTreeSet<_> = objects.list().expect("listed").iter().map(|it| it.digest).collect();
    assert_eq!(listed, [digest, large].into());
    assert_eq!(objects.get(digest).expect("reads"), b"some bytes");
    let none = Digest::of(b"none");
    assert!(!objects.has(none).expect("looks") && objects.find(none).expect("looks").is_none());
    let missing = objects.get(none).expect_err("missing").to_string();
    assert!(missing.contains(&none.to_string()) && missing.contains("missing"), "{missing}");
    let path = objects.path(digest);
    assert!(path.ends_with(format!("{}/{}", &digest.hex()[..2], &digest.hex()[2..])));
    fs::write(&path, b"some butes").expect("written");
    let changed = objects.get(digest).expect_err("changed");
    assert_eq!(changed.exit().code(), 5);
    assert!(changed.to_string().starts_with(&format!("{}: its bytes", path.display())));
    writing.put(b"some bytes").expect("kept again");
    assert_eq!(objects.get(digest).expect("mended"), b"some bytes");
}

/// What each path in a register with a ledger and an object is.
fn guarded(made: &Made) -> Vec<std::path::PathBuf> {
    let object = made.writing().put(b"some bytes").expect("kept");
    let object = made.writing().objects().path(object);
    let shard = object.parent().expect("a folder").to_owned();
    let names = [".", "register.toml", "ledger", "ledger/g.jsonl", "ledger/g.head", "objects"];
    let mut paths: Vec<_> = names.map(|name| made.at(name)).into();
    paths.extend([shard, object]);
    paths
}

/// Reads everything; what stands in the way.
fn look(made: &Made) -> Result<(), String> {
    made.read()?;
    let register = Register::open(made.path()).map_err(|error| error.to_string())?;
    let bytes = register.objects().get(Digest::of(b"some bytes"));
    bytes.map(drop).map_err(|error| error.to_string())
}

#[test]
fn what_others_can_write_is_refused() {
    let made = Made::with(2);
    for path in guarded(&made) {
        look(&made).expect("only ours");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        for bit in [0o020, 0o002] {
            let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode));
            set(mode | bit).expect("set");
            let refused = look(&made).expect_err("others can write it");
            assert!(refused.contains("others can write it") && refused.contains("chmod go-w"));
            set(mode).expect("set");
        }
    }
    fs::set_permissions(made.lines(), fs::Permissions::from_mode(0o664)).expect("set");
    let path = ".accredit/ledger/g.jsonl";
    made.run(&["ledger", "check"]).exits(5).complains(&[
        &format!("{path}: others can write it (mode 0664)"),
        &format!("chmod go-w ./{path}"),
    ]);
    made.run(&["ledger", "show", "g"]).exits(5).complains(&["others can write it"]);
}

fn is_root(made: &Made) -> bool {
    fs::metadata(made.path()).expect("there").uid() == 0
}

const NOBODY: u32 = 65_534;

#[test]
fn what_belongs_to_another_is_refused() {
    let made = Made::with(2);
    if !is_root(&made) {
        println!("passed over: only root can give files away");
        return;
    }
    for path in guarded(&made) {
        std::os::unix::fs::chown(&path, Some(NOBODY), None).expect("given away");
        let refused = look(&made).expect_err("another's");
        assert!(refused.contains("belongs to user 65534"), "{refused}");
        std::os::unix::fs::chown(&path, Some(0), None).expect("taken back");
    }
    look(&made).expect("only ours");
}

/// A link could lead out of the repository: what is read is what version control holds.
#[test]
fn links_are_refused() {
    let made = Made::with(2);
    for path in guarded(&made).iter().skip(1) {
        let elsewhere = made.path().join("elsewhere");
        fs::rename(path, &elsewhere).expect("moved");
        symlink(&elsewhere, path).expect("linked");
        let refused = look(&made).expect_err("a link");
        assert!(refused.contains("is a symbolic link"), "{refused}");
        fs::remove_file(path).expect("removed");
        fs::rename(&elsewhere, path).expect("moved back");
    }
    let other = tempfile::tempdir().expect("a folder");
    symlink(made.at(""), other.path().join(".accredit")).expect("linked");
    let refused = Register::open(other.path()).expect_err("a link").to_string();
    assert!(refused.contains("is a symbolic link"), "{refused}");
    fs::remove_file(made.lines()).expect("removed");
    fs::create_dir(made.lines()).expect("made");
    assert!(look(&made).expect_err("a folder").contains("is no regular file"));
}

#[test]
fn a_register_that_we_may_not_write_is_read() {
    let made = Made::with(2);
    fs::set_permissions(made.path(), fs::Permissions::from_mode(0o755)).expect("set");
    let run = |args: &[&str]| {
        let mut command = Command::new(accredit_tests::accredit());
        command.args(args).current_dir(made.path()).env_clear();
        if is_root(&made) {
            command.uid(NOBODY);
        }
        match command.output() {
            Ok(output) => Some(output),
            // The binary itself may stand where only root can go.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => None,
            Err(error) => panic!("{error}"),
        }
    };
    for folder in ["ledger", "."] {
        fs::set_permissions(made.at(folder), fs::Permissions::from_mode(0o555)).expect("set");
    }
    fs::set_permissions(made.at("lock"), fs::Permissions::from_mode(0o444)).expect("set");
    match (run(&["ledger", "check"]), run(&["store", "gc"])) {
        (Some(read), Some(write)) => {
            assert_eq!(read.status.code(), Some(0), "{read:?}");
            assert_eq!(write.status.code(), Some(3), "{write:?}");
            let told = String::from_utf8_lossy(&write.stderr).into_owned();
            assert!(told.contains("lock: cannot be written: Permission denied"), "{told}");
        }
        _ => println!("passed over: another user cannot start the binary"),
    }
    for folder in [".", "ledger"] {
        fs::set_permissions(made.at(folder), fs::Permissions::from_mode(0o755)).expect("set");
    }
}

/// A limit on the size of files fails a write as a full disk does: in the middle.
#[test]
fn a_write_that_fails_in_the_middle_leaves_the_ledger_as_it_was() {
    let made = Made::with(1);
    // 4 blocks of 512 or of 1024 bytes, by the shell.
    let child = append(&made, "x", 5, Some("ulimit -f 4"));
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{:?}: {said}", output.status);
    assert!(said.contains("failed: "), "{said}");
    assert!(said.contains("The entry was not written, and the ledger is what it was"), "{said}");
    let acknowledged: Vec<_> = acknowledged(&said).collect();
    assert!(!acknowledged.is_empty());
    let reading = made.read().expect("a sound ledger");
    assert_eq!(reading.tail, Tail::default());
    assert_eq!(made.remarks()[1..], acknowledged);
    made.extend(["room again"]);
}

#[test]
fn a_register_is_known_by_its_format() {
    let made = Made::new();
    assert_eq!(Writing::make(made.path()).expect_err("there is one").exit().code(), 2);
    let empty = tempfile::tempdir().expect("a folder");
    let none = Register::open(empty.path()).expect_err("none");
    assert_eq!(none.exit().code(), 2);
    assert!(none.to_string().contains("`accredit init`"), "{none}");
    let table = [
        ("format = 2\n", "is of format 2, and this version of accredit reads format 1"),
        ("", "does not say of which format"),
        ("format = \"1\"\n", "does not say of which format"),
    ];
    for (text, told) in table {
        fs::write(made.at("register.toml"), text).expect("written");
        made.run(&["ledger", "check"]).exits(5).complains(&[told]);
    }
    fs::remove_file(made.at("register.toml")).expect("removed");
    made.run(&["ledger", "check"]).exits(5).complains(&["register.toml: is missing"]);
    drop(Writing::make(made.path()).expect("made anew where it was not made to its end"));
}

#[test]
fn no_path_leads_out_of_the_register() {
    let made = Made::new();
    let writing = made.writing();
    for path in ["../x", "a/../../x", "/tmp/x"] {
        let refused = writing.write(path, b"").expect_err(path);
        assert!(refused.to_string().contains("is no path in a register"), "{refused}");
        assert_eq!(writing.read(path, 9).map_err(|it| it.exit().code()), Err(2), "{path}");
        assert!(writing.remove(path).is_err() && writing.names(path).is_err());
    }
    writing.write("pending/x/y", b"bytes").expect("written");
    assert_eq!(writing.read("pending/x/y", 5).expect("reads").expect("there"), b"bytes");
    assert!(writing.read("pending/x/y", 4).is_err(), "larger than that");
    assert!(writing.write_new("pending/x/y", b"").is_err());
    writing.remove("pending/x/y").expect("removed");
    assert!(writing.read("pending/x/y", 5).expect("looks").is_none());
}

#[test]
fn a_name_cannot_pass_for_anothers_book() {
    let made = Made::new();
    let register = Register::open(made.path()).expect("opens");
    let name = "g.verified".parse().expect("an id");
    let refused = register.ledger(&name, Book::Main).expect_err("the book of `g`");
    assert!(refused.to_string().contains("that of another grader's verifications"));
}
