//! A repository with a register, and people with keys: what the tests of authority begin with.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, Run};
use crate::keys::Keys;
use crate::{repository, shipped};

/// Bars that the small control sets of tests meet, with the waivers of this repository.
const WAIVERS: &str = "
[[waiver]]
tier = \"gating\"
requirement = \"held-out\"
reason = \"nothing is held out here\"

[[waiver]]
tier = \"gating\"
requirement = \"real-output\"
reason = \"no outputs labelled by people here\"
";

/// The people, each with a key of this name: who administers, promotes, verifies, and wrote grader and controls.
pub const PEOPLE: [&str; 6] = ["ada", "paula", "pete", "robot", "greta", "carl"];

/// A repository with the shipped grader final-answer and its controls, and a register.
pub struct Story {
    /// The repository.
    pub bench: Bench,
    /// Everybody's keys.
    pub keys: Keys,
    /// The digest of the root of trust.
    pub root: String,
}

impl Story {
    /// With the register made, policy and signers signed; absent where there is no ssh-keygen.
    ///
    /// # Panics
    /// When accredit does not do as it should.
    #[must_use]
    pub fn new() -> Option<Self> {
        Self::under(|policy| policy)
    }

    /// The same under the policy that this makes of the usual one.
    ///
    /// # Panics
    /// When accredit does not do as it should.
    #[must_use]
    pub fn under(policy: impl FnOnce(String) -> String) -> Option<Self> {
        let keys = Keys::new()?;
        for name in PEOPLE {
            keys.make(name, &["ed25519"]);
        }
        let bench = Bench::new();
        bench.write("graders/g.wasm", fs::read(shipped("final-answer")).expect("reads"));
        bench.copy(&repository().join("controls/final-answer"), "controls");
        let mut story = Self { bench, keys, root: String::new() };
        let named = |name: &str| format!("{name}={}", story.public(name));
        let mut init = vec!["init".to_owned()];
        for (flag, name) in [
            ("--admin", "ada"),
            ("--promoter", "paula"),
            ("--promoter", "pete"),
            ("--verifier", "robot"),
            ("--author", "greta"),
            ("--author", "carl"),
        ] {
            init.extend([flag.to_owned(), named(name)]);
        }
        let run = story.bench.run(&init).exits(0);
        let pinned = run.stdout.split("ACCREDIT_ROOT_DIGEST=").nth(1).expect("is told");
        story.root = pinned.split_whitespace().next().expect("a digest").to_owned();
        let usual = story.bench.read("accredit.toml") + WAIVERS;
        story.bench.write("accredit.toml", policy(usual));
        story.sign(".accredit/allowed_signers", "ada").met();
        story.sign("accredit.toml", "ada").met();
        Some(story)
    }

    /// With the grader registered by both its authors.
    ///
    /// # Panics
    /// When accredit does not do as it should.
    #[must_use]
    pub fn registered() -> Option<Self> {
        let story = Self::new()?;
        story.enter_authors();
        Some(story)
    }

    fn enter_authors(&self) {
        self.register("grader", "greta").met();
        self.register("controls", "carl").met();
    }

    /// With the grader promoted to gating by paula.
    ///
    /// # Panics
    /// When accredit does not do as it should.
    #[must_use]
    pub fn promoted() -> Option<Self> {
        let story = Self::new()?;
        story.promote();
        Some(story)
    }

    /// The grader registered by both its authors, and promoted to gating by paula.
    ///
    /// # Panics
    /// When accredit does not do as it should.
    pub fn promote(&self) {
        self.enter_authors();
        self.check().met();
        let statement = self.propose("gating");
        self.sign(&statement, "paula").met();
        self.enter(&statement).met();
    }

    /// Somebody's public key's file.
    #[must_use]
    pub fn public(&self, name: &str) -> String {
        self.keys.path(&format!("{name}.pub")).display().to_string()
    }

    /// Somebody's private key's file.
    #[must_use]
    pub fn key(&self, name: &str) -> String {
        self.keys.path(name).display().to_string()
    }

    /// Runs accredit with the root of trust pinned.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Told {
        let mut command = self.bench.command(args);
        command
            .env("ACCREDIT_ROOT_DIGEST", &self.root)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        Told(Run::of(command))
    }

    /// Signs a file.
    #[must_use]
    pub fn sign(&self, file: &str, name: &str) -> Told {
        self.run(&["sign", file, "--key", &self.key(name)])
    }

    /// Registers the grader as somebody who wrote a part of it.
    #[must_use]
    pub fn register(&self, wrote: &str, name: &str) -> Told {
        let key = self.key(name);
        let args = ["register", "graders/g.wasm", "--controls", "controls", "--wrote", wrote];
        self.run(&[&args[..], &["--key", &key]].concat())
    }

    /// Runs the grader over its controls, into the folder `left`.
    #[must_use]
    pub fn check(&self) -> Told {
        self.run(&["check", "graders/g.wasm", "--controls", "controls", "--out", "left"])
    }

    /// Makes the statement of a promotion by the record in `left`, and returns its file.
    ///
    /// # Panics
    /// When that is refused.
    #[must_use]
    pub fn propose(&self, tier: &str) -> String {
        let run = self.run(&["promote", "left", "--to", tier]).met();
        let line = run.stdout.lines().find_map(|line| line.strip_prefix("written: "));
        line.unwrap_or_else(|| panic!("{run:#?}")).to_owned()
    }

    /// Enters a statement with the signature beside it.
    #[must_use]
    pub fn enter(&self, statement: &str) -> Told {
        let signature = format!("{statement}.sig");
        self.run(&["promote", "--statement", statement, "--signature", &signature])
    }

    /// How the grader stands.
    ///
    /// # Panics
    /// When status does not tell.
    #[must_use]
    pub fn status(&self) -> Value {
        let run = self.run(&["status", "--format", "json"]).0;
        let status: Value =
            serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:#?}"));
        let mut grader = status["graders"][0].clone();
        grader["exit"] = run.code.into();
        grader
    }

    /// The tier that the grader holds.
    ///
    /// # Panics
    /// When status does not tell.
    #[must_use]
    pub fn tier(&self) -> String {
        self.status()["tier"].as_str().expect("a tier").to_owned()
    }
}

/// What a run came to.
pub struct Told(pub Run);

impl Told {
    /// It did what it should.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn met(self) -> Run {
        self.0.exits(0)
    }

    /// It did not, with this exit code, and said this.
    ///
    /// # Panics
    /// When it did otherwise.
    #[track_caller]
    pub fn refused(self, code: i32, said: &str) {
        let run = self.0.exits(code);
        assert!(run.stderr.contains(said), "{said:?} is not in\n{run:#?}");
    }
}
