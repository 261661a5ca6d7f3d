//! `accredit sign`, and what a register is then believed: end to end, with keys that ssh-keygen made.

use std::fs;
use std::path::Path;

use accredit::exit::Exit;
use accredit::failure::Failure;
use accredit::trust::{self, RootState, Trust};
use accredit_core::id::Digest;
use accredit_core::ledger::{Book, Chain, Payload, Registered, V1, Work};
use accredit_core::policy::{RequirementId, Waiver};
use accredit_core::statement::{Statement, TrustVersions};
use accredit_core::verdict::{GraderKind, Tier};
use accredit_tests::bench::{Bench, Run};
use accredit_tests::keys::{Agent, Keys};
use accredit_tests::statements::{moment, statement};

const NONE: TrustVersions = TrustVersions { policy: 0, signers: 0 };

/// A folder with a register in it, and keys of people.
struct Register {
    bench: Bench,
    keys: Keys,
}

impl Register {
    /// With these administrators and quorum. There are keys of ada, bob and eve.
    fn new(admins: &[&str], quorum: u32) -> Option<Self> {
        let register = Self { bench: Bench::new(), keys: Keys::new()? };
        for name in ["ada", "bob", "eve"] {
            register.keys.make(name, &["ed25519"]);
        }
        register.root(1, admins, quorum, None);
        register.policy(1, "");
        register.signers(1);
        // What `accredit init` does: a later root names this one.
        register.keep(".accredit/root.toml");
        Some(register)
    }

    fn root(&self, version: u32, admins: &[&str], quorum: u32, previous: Option<Digest>) {
        let mut text = format!("version = {version}\nquorum = {quorum}\n");
        if let Some(previous) = previous {
            text += &format!("previous = \"{previous}\"\n");
        }
        for admin in admins {
            let key = self.keys.public(admin);
            text += &format!("[[admin]]\nprincipal = \"{admin}\"\nkey = \"{key}\"\n");
        }
        self.bench.write(".accredit/root.toml", text);
    }

    fn policy(&self, version: u32, more: &str) {
        let text = format!(
            "version = {version}\n[sign_off]\ngating = 2\npromoters = [\"ada\", \"bob\"]\nverifiers = [\"bob\"]\n{more}"
        );
        self.bench.write("accredit.toml", text);
    }

    fn signers(&self, version: u32) {
        let line = |name: &str| format!("{name} {}\n", self.keys.public(name));
        let text = format!("# accredit: version {version}\n{}{}", line("ada"), line("bob"));
        self.bench.write(".accredit/allowed_signers", text);
    }

    fn keep(&self, file: &str) {
        let bytes = fs::read(self.bench.path(file)).expect("reads");
        let path = trust::object_path(&self.bench.path("."), Digest::of(&bytes));
        trust::put_new(&path, &bytes).expect("writes");
    }

    fn digest(&self, file: &str) -> Digest {
        Digest::of(&fs::read(self.bench.path(file)).expect("reads"))
    }

    fn sign(&self, file: &str, key: &str) -> Run {
        self.sign_by(file, &self.keys.path(key))
    }

    fn sign_by(&self, file: &str, key: &Path) -> Run {
        let key = key.to_str().expect("a path");
        let mut command = self.bench.command(&["sign", file, "--key", key]);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let run = Run::of(command);
        assert!(!run.stderr.contains("panicked"), "{run:#?}");
        run
    }

    fn trust(&self, pinned: Option<Digest>) -> Result<Trust, Failure> {
        let folder = self.bench.path(".");
        Trust::load(&folder, pinned, NONE, &|digest| trust::object(&folder, digest))
    }

    /// The message of an integrity fault.
    #[track_caller]
    fn refused(&self, pinned: Option<Digest>) -> String {
        let failure = self.trust(pinned).expect_err("a fault");
        assert_eq!(failure.exit(), Exit::Integrity, "{failure}");
        failure.to_string()
    }
}

#[track_caller]
fn signs(run: &Run, said: &[&str]) {
    assert_eq!(run.code, 0, "{run:#?}");
    told(run, said);
}

#[track_caller]
fn told(run: &Run, said: &[&str]) {
    let text = format!("{}{}", run.stdout, run.stderr);
    for said in said {
        assert!(text.contains(said), "{said:?} is not said: {run:#?}");
    }
}

#[test]
fn administrators_sign_the_files_of_the_register() {
    let Some(register) = Register::new(&["ada", "bob"], 2) else { return };
    let pinned = Some(register.digest(".accredit/root.toml"));
    let before = register.trust(pinned).expect("a register");
    assert!(before.root.is_pinned() && !before.policy_signed() && !before.signers_signed());
    assert_eq!(before.missing().len(), 2, "{:?}", before.missing());

    let first = register.sign("accredit.toml", "ada");
    signs(
        &first,
        &["signing the policy, version 1: 2 to sign for gating", "1 of 2", "1 more of bob"],
    );
    assert!(!register.trust(pinned).expect("a register").policy_signed(), "one of two");
    let again = register.sign("accredit.toml", "ada");
    signs(&again, &["has signed these bytes already", "1 of 2"]);
    signs(&register.sign("accredit.toml", "bob"), &["signed by ada, bob", "nobody else"]);
    signs(&register.sign(".accredit/allowed_signers", "ada"), &["version 1: ada, bob"]);
    signs(&register.sign(".accredit/allowed_signers", "bob"), &["2 of 2"]);
    let trust = register.trust(pinned).expect("a register");
    assert!(trust.policy_signed() && trust.signers_signed() && trust.missing().is_empty());
    assert_eq!(trust.versions(), TrustVersions { policy: 1, signers: 1 });

    // The same register, where nobody pinned it.
    let open = register.trust(None).expect("a register");
    assert!(matches!(open.root, RootState::NotPinned { .. }));
    assert!(open.missing()[0].contains("is not pinned"), "{:?}", open.missing());
    let other = register.refused(Some(Digest::of(b"another root")));
    assert!(other.contains("does not come from the pinned one"), "{other}");

    // Whoever is no administrator signs nothing here.
    let files = register.bench.files();
    let eve = register.sign("accredit.toml", "eve");
    assert_eq!(eve.code, 2, "{eve:#?}");
    told(&eve, &["no key of an administrator", "ada, bob"]);
    assert_eq!(register.bench.files(), files);
}

#[test]
fn an_older_or_a_second_version_is_refused() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    let pinned = Some(register.digest(".accredit/root.toml"));
    let first = register.bench.read("accredit.toml");
    signs(&register.sign("accredit.toml", "ada"), &[]);
    signs(&register.sign(".accredit/allowed_signers", "ada"), &[]);
    register.policy(2, "");
    // While it is changed it is not signed, and that is all.
    assert!(!register.trust(pinned).expect("a register").policy_signed());
    signs(&register.sign("accredit.toml", "ada"), &["version 2"]);
    assert!(register.trust(pinned).expect("a register").policy_signed());
    register.bench.write("accredit.toml", &first);
    let older = register.refused(pinned);
    assert!(older.contains("is version 1, and version 2 was signed"), "{older}");
    // What was put back is not signed again either.
    let run = register.sign("accredit.toml", "ada");
    assert_eq!(run.code, 5, "{run:#?}");
    fs::remove_file(register.bench.path("accredit.toml")).expect("removes");
    assert!(register.refused(pinned).contains("is gone, and version 2 was signed"));

    register.policy(2, "# another\n");
    let same = register.sign("accredit.toml", "ada");
    assert_eq!(same.code, 2, "{same:#?}");
    told(&same, &["version 2 was signed before, with other bytes", "count the version up"]);
    let bytes = register.bench.read("accredit.toml");
    let armoured = register.keys.sign("ada", "policy.v1@accredit", bytes.as_bytes());
    let folder = format!(".accredit/signatures/{}", register.digest("accredit.toml").hex());
    let name = format!("{folder}/{}.sig", Digest::of(armoured.as_bytes()).hex());
    register.bench.write(&name, &armoured);
    let both = register.refused(pinned);
    assert!(both.contains("two files of version 2 were signed"), "{both}");

    register.policy(3, "");
    let folder = register.bench.path(".");
    let named = TrustVersions { policy: 3, signers: 2 };
    let named = Trust::load(&folder, pinned, named, &|digest| trust::object(&folder, digest));
    let failure = named.expect_err("a fault");
    assert_eq!(failure.exit(), Exit::Integrity);
    assert!(failure.to_string().contains("allowed_signers is version 1, and version 2 is named"));
}

#[test]
fn signatures_that_are_damaged_or_do_not_hold_are_told() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    let pinned = Some(register.digest(".accredit/root.toml"));
    signs(&register.sign("accredit.toml", "ada"), &[]);
    let folder = format!(".accredit/signatures/{}", register.digest("accredit.toml").hex());
    let kept = register.bench.path(&folder);
    let own = fs::read_dir(&kept).expect("a folder").next().expect("one").expect("reads").path();
    let armoured = fs::read_to_string(&own).expect("reads");

    fs::write(&own, format!("{armoured}\n")).expect("writes");
    assert!(register.refused(pinned).contains("not what its name says"));
    fs::write(&own, &armoured).expect("writes");
    let put = |text: &str| {
        let path = kept.join(format!("{}.sig", Digest::of(text.as_bytes()).hex()));
        fs::write(&path, text).expect("writes");
        path
    };
    for (text, said) in [
        ("hello".to_owned(), "not one armoured SSH signature"),
        (armoured.repeat(2), "several signatures"),
        (register.keys.sign("ada", "policy.v1@accredit", b"other"), "does not hold"),
    ] {
        let path = put(&text);
        let fault = register.refused(pinned);
        assert!(fault.contains(said), "{fault}");
        fs::remove_file(path).expect("removes");
    }
    // A signature for something else, or by a stranger, is no signature of this; it is no fault either.
    let bytes = register.bench.read("accredit.toml");
    put(&register.keys.sign("ada", "signers.v1@accredit", bytes.as_bytes()));
    put(&register.keys.sign("eve", "policy.v1@accredit", bytes.as_bytes()));
    assert!(register.trust(pinned).expect("a register").policy_signed());
    fs::remove_file(own).expect("removes");
    assert!(!register.trust(pinned).expect("a register").policy_signed());
    let strange = kept.join("notes.txt");
    fs::write(&strange, "x").expect("writes");
    assert!(register.refused(pinned).contains("no name of a signature"));
}

#[test]
fn a_root_is_followed_by_one_that_its_administrators_signed() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    let first = register.digest(".accredit/root.toml");
    let text = register.bench.read(".accredit/root.toml");
    register.root(2, &["bob"], 1, Some(first));
    let second = register.digest(".accredit/root.toml");
    let unsigned = register.refused(Some(first));
    assert!(unsigned.contains("signed by 0 of the 1 administrators"), "{unsigned}");
    // The new root's own administrator cannot sign it in.
    assert_eq!(register.sign(".accredit/root.toml", "bob").code, 2);
    signs(&register.sign(".accredit/root.toml", "ada"), &["version 2: 1 of bob", "nobody else"]);
    for pinned in [first, second] {
        let trust = register.trust(Some(pinned)).expect("a register");
        assert_eq!(trust.root.root().map(|(digest, _)| digest), Some(second));
        assert!(trust.root.admins().contains("bob"));
    }
    register.bench.write(".accredit/root.toml", text);
    let older = register.refused(Some(first));
    assert!(older.contains("signed another root of version 2"), "{older}");
    assert!(register.refused(Some(second)).contains("does not come from the pinned one"));

    // A root that is pinned and gone.
    fs::remove_file(register.bench.path(".accredit/root.toml")).expect("removes");
    assert!(register.refused(Some(first)).contains("is pinned"));
    assert_eq!(register.trust(None).expect("a register").root, RootState::Absent);
}

#[test]
fn what_cannot_be_signed_says_why_and_writes_nothing() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    let payload = "{\"kind\":\"superseded\",\"v\":1,\"grader\":\"g\",\"component\":\"DIGEST\",\"by\":\"DIGEST\"}";
    let payload = payload.replace("DIGEST", &Digest::of(b"x").to_string());
    register.bench.write("payload.json", &payload);
    register.bench.write("line.json", format!("{payload}\n"));
    register.bench.write("strange.txt", "hello\n");
    register.bench.write("kind.json", "{\"kind\":\"invented\",\"v\":1}");
    register.bench.write("no.key", "hello\n");
    register.keys.make_with("locked", &["ed25519"], "secret");
    let lone = register.keys.path("lone.pub");
    fs::copy(register.keys.path("eve.pub"), &lone).expect("copies");
    let before = register.bench.files();
    let path = |name: &str| register.keys.path(name);
    for (file, key, said) in [
        ("line.json", path("ada"), &["one line without a space or line end"][..]),
        ("strange.txt", path("ada"), &["nothing that accredit has signed", "--namespace"]),
        ("kind.json", path("ada"), &["`invented`"]),
        ("payload.json", path("nobody"), &["no such file"]),
        ("payload.json", register.bench.path("no.key"), &["this is no OpenSSH key"]),
        ("payload.json", path("locked"), &["passphrase", "ssh-add"]),
        ("payload.json", lone, &["ssh-agent", "ssh-add"]),
    ] {
        let run = register.sign_by(file, &key);
        assert_eq!(run.code, 2, "{run:#?}");
        told(&run, said);
    }
    let key = path("ada");
    let args = ["sign", "payload.json", "--key", key.to_str().expect("a path")];
    let mut command = register.bench.command(&args);
    command.env("PATH", register.bench.path("."));
    let run = Run::of(command);
    assert_eq!(run.code, 2, "{run:#?}");
    told(&run, &["ssh-keygen was not found", "install OpenSSH"]);
    let mut command = register.bench.command(&args);
    command.args(["--namespace", "policy.v1@accredit"]);
    let run = Run::of(command);
    assert_eq!(run.code, 2, "{run:#?}");
    assert_eq!(register.bench.files(), before, "nothing was written");

    let run = register.sign("payload.json", "ada");
    signs(
        &run,
        &["signing a `superseded` entry of `g`", "wrote payload.json.sig", "signed by ada"],
    );
    let armoured = register.bench.read("payload.json.sig");
    let signers = register.bench.read(".accredit/allowed_signers");
    let signed = (armoured.as_str(), payload.as_bytes());
    let namespace = "superseded.v1@accredit";
    assert!(register.keys.verifies(&signers, "ada", namespace, signed, "20261201000000Z"));
    // Somebody nobody knows may sign, and is told that it counts for nothing.
    let run = register.sign("payload.json", "eve");
    assert_eq!(run.code, 1, "{run:#?}");
    told(&run, &["nothing was written", "counts for nobody", "not in allowed_signers"]);
    assert!(!register.bench.path("payload.json.2.sig").exists());
    // A signature over an earlier version of the file stays where it is.
    register.bench.write("payload.json", payload.replace("\"g\"", "\"h\""));
    let run = register.sign("payload.json", "ada");
    assert_eq!(run.code, 2, "{run:#?}");
    told(&run, &["does not hold", "not overwritten"]);
    assert_eq!(register.bench.read("payload.json.sig"), armoured);
}

/// A statement that names what stands in the register.
fn promotion(register: &Register) -> Statement {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let mut made = statement(digest("component"), digest("controls"), "1");
    made.predicate.root = Some(register.digest(".accredit/root.toml"));
    made.predicate.trust = TrustVersions { policy: 1, signers: 1 };
    made
}

fn write(register: &Register, name: &str, statement: &Statement) {
    register.bench.write(name, serde_json::to_vec_pretty(statement).expect("JSON"));
}

#[test]
fn a_statement_is_signed_by_as_many_as_the_policy_asks_for() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    signs(&register.sign("accredit.toml", "ada"), &[]);
    signs(&register.sign(".accredit/allowed_signers", "ada"), &[]);
    let mut made = promotion(&register);
    made.predicate.waivers = vec![Waiver {
        tier: Tier::Gating,
        requirement: RequirementId::HeldOut,
        reason: "none\u{1b}[2J yet".into(),
    }];
    write(&register, "s.json", &made);
    let run = register.sign("s.json", "ada");
    let (until, waived) =
        ("until 2099-12-31T00:00:00Z", "waived for gating: held-out, because none");
    signs(
        &run,
        &[
            "`g`",
            "promoted to gating",
            until,
            waived,
            "wrote s.json.sig",
            "gating takes 2 that count, and has 1",
            "one of bob",
        ],
    );
    assert!(!run.stderr.contains('\u{1b}'), "what a file says is escaped");
    let run = register.sign("s.json", "bob");
    signs(&run, &["wrote s.json.2.sig", "and has 2", "nobody else must sign it"]);
    // What there is holds for ssh-keygen too.
    let signers = register.bench.read(".accredit/allowed_signers");
    let bytes = register.bench.read("s.json");
    for (name, file) in [("ada", "s.json.sig"), ("bob", "s.json.2.sig")] {
        let armoured = register.bench.read(file);
        let signed = (armoured.as_str(), bytes.as_bytes());
        let namespace = "promotion.v1@accredit";
        assert!(register.keys.verifies(&signers, name, namespace, signed, "20261201000000Z"));
    }
    signs(&register.sign("s.json", "bob"), &["s.json.2.sig: this key has signed already"]);

    let mut late = made.clone();
    late.predicate.not_after = moment("2020-01-01T00:00:00Z");
    write(&register, "late.json", &late);
    let run = register.sign("late.json", "ada");
    assert_eq!(run.code, 2, "{run:#?}");
    told(&run, &["it has run out"]);
    let mut before = made;
    before.predicate.trust.policy = 7;
    write(&register, "before.json", &before);
    signs(&register.sign("before.json", "ada"), &["are not those that the statement names"]);
}

#[test]
fn nobody_signs_for_what_they_wrote_and_only_promoters_promote() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    write(&register, "s.json", &promotion(&register));
    let grader = "g".parse().expect("an id");
    let mut chain = Chain::empty(grader, Book::Main);
    let digest = |text: &str| Digest::of(text.as_bytes());
    let registered = |component: &str, wrote, author: &str| {
        let registered = Registered {
            v: V1,
            grader: "g".parse().expect("an id"),
            component: digest(component),
            rubric: "r".parse().expect("an id"),
            grader_kind: GraderKind::Code,
            controls: digest("controls"),
            wrote: vec![wrote],
            authors: vec![author.into()],
        };
        Payload::Registered(registered).to_json()
    };
    let at = moment("2026-11-01T00:00:00Z");
    // Whoever wrote another component may sign for this one.
    chain.append(&registered("other", Work::Grader, "bob"), &[], at).expect("an entry");
    chain.append(&registered("other", Work::Controls, "ADA"), &[], at).expect("an entry");
    register.bench.write(".accredit/ledger/g.jsonl", chain.text());
    register.bench.write(".accredit/ledger/g.head", chain.head().to_line());
    let run = register.sign("s.json", "ada");
    assert_eq!(run.code, 1, "{run:#?}");
    told(&run, &["ada wrote the grader or its controls", "and has 0"]);
    signs(&register.sign("s.json", "bob"), &["and has 1", "names nobody else who may"]);

    register.bench.bend("accredit.toml", "\"ada\", \"bob\"", "\"carl\"");
    let run = register.sign("s.json", "bob");
    assert_eq!(run.code, 1, "{run:#?}");
    told(&run, &["this signer may not promote", "one of carl"]);
    register.bench.bend(".accredit/ledger/g.jsonl", "ADA", "BOB");
    let run = register.sign("s.json", "bob");
    assert_eq!(run.code, 5, "{run:#?}");
}

#[test]
fn an_agent_signs_by_the_public_key() {
    let Some(register) = Register::new(&["ada"], 1) else { return };
    let Some(agent) = Agent::with(&register.keys, "ada") else { return };
    fs::remove_file(register.keys.path("ada")).expect("removes");
    let key = register.keys.path("ada.pub");
    let args = ["sign", "accredit.toml", "--key", key.to_str().expect("a path")];
    let mut command = register.bench.command(&args);
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("SSH_AUTH_SOCK", agent.socket());
    signs(&Run::of(command), &["signed by ada (1 of 1 administrators)", "nobody else"]);
}
