//! The story of authority, with throw-away keys: a grader earns it, holds it, and loses it with one byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::FOLDER;

/// The people of the story, and what each of them does.
const PEOPLE: [(&str, &str); 5] = [
    ("ada", "--admin"),
    ("paula", "--promoter"),
    ("nightly", "--verifier"),
    ("greta", "--author"),
    ("carl", "--author"),
];

/// A repository with a register, in the demo's folder.
pub(super) struct Story<'a> {
    accredit: &'a Path,
    folder: PathBuf,
    root_digest: String,
}

/// Tells the story before the reader's eyes, and checks every step: what it came to, and the repository in which the
/// grader holds gating in the end; absent where there is no ssh-keygen.
pub(super) fn show<'a>(
    root: &Path,
    accredit: &'a Path,
    component: &Path,
) -> Result<Option<(String, Story<'a>)>, String> {
    if Command::new("ssh-keygen").arg("-?").stderr(Stdio::null()).status().is_err() {
        println!("ssh-keygen was not found: authority and the gate are left out");
        return Ok(None);
    }
    let mut story = Story::new(root, accredit, component)?;
    story.make()?;
    story.earn()?;
    story.verify()?;
    story.lose()?;
    let told = "it held gating while nothing changed, and lost it with one byte of anything";
    Ok(Some((told.to_owned(), story)))
}

impl<'a> Story<'a> {
    /// An empty repository with the grader, its controls and everybody's keys beside it.
    fn new(root: &Path, accredit: &'a Path, component: &Path) -> Result<Self, String> {
        let base = root.join(FOLDER).join("authority");
        let _ = fs::remove_dir_all(&base);
        let folder = base.join("repository");
        let made =
            |path: &Path| fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()));
        made(&folder.join("controls"))?;
        let copy = |from: PathBuf, to: PathBuf| {
            fs::copy(&from, to).map(|_| ()).map_err(|e| format!("{}: {e}", from.display()))
        };
        copy(component.to_owned(), folder.join("grader.wasm"))?;
        copy(root.join("accredit.toml"), folder.join("accredit.toml"))?;
        let controls = root.join("controls/final-answer");
        for file in fs::read_dir(&controls).map_err(|e| format!("{}: {e}", controls.display()))? {
            let file = file.map_err(|e| e.to_string())?;
            copy(file.path(), folder.join("controls").join(file.file_name()))?;
        }
        let keys = base.join("keys");
        made(&keys)?;
        for (name, _) in PEOPLE {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name])
                .current_dir(&keys)
                .stdin(Stdio::null())
                .status();
            if !made.is_ok_and(|status| status.success()) {
                return Err(format!("ssh-keygen made no key for {name}"));
            }
        }
        Ok(Self { accredit, folder, root_digest: String::new() })
    }

    /// A path in the repository.
    pub(super) fn path(&self, within: &str) -> PathBuf {
        self.folder.join(within)
    }

    /// Runs accredit in the repository, and shows the command and what it says; this exit code is expected.
    pub(super) fn run(&self, args: &[&str], exit: i32) -> Result<String, String> {
        println!("\n$ accredit {}", args.join(" "));
        let mut command = Command::new(self.accredit);
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        // Whatever is pinned in this shell is not this register's.
        command.env_remove("ACCREDIT_ROOT_DIGEST");
        if !self.root_digest.is_empty() {
            command.env("ACCREDIT_ROOT_DIGEST", &self.root_digest);
        }
        let output = command.output().map_err(|e| format!("cannot run accredit: {e}"))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        print!("{said}{}", String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(code) if code == exit => Ok(said),
            code => Err(format!("accredit {} left with {code:?}, not {exit}", args.join(" "))),
        }
    }

    /// The register, its root of trust pinned, policy and signers signed.
    fn make(&mut self) -> Result<(), String> {
        let mut init = vec!["init".to_owned()];
        for (name, flag) in PEOPLE {
            init.extend([flag.to_owned(), format!("{name}=../keys/{name}.pub")]);
        }
        let init: Vec<_> = init.iter().map(String::as_str).collect();
        let told = self.run(&init, 0)?;
        let digest =
            told.split("ACCREDIT_ROOT_DIGEST=").nth(1).and_then(|it| it.split_whitespace().next());
        self.root_digest = digest.ok_or("init told no digest of the root of trust")?.to_owned();
        // The repository's own policy, with who may sign: its waivers stand beside the tier ever after.
        let path = self.folder.join("accredit.toml");
        let policy = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let sign_off = "[sign_off]\npromoters = [\"paula\"]\nverifiers = [\"nightly\"]\n\n";
        let policy = policy.replacen("[[waiver]]", &format!("{sign_off}[[waiver]]"), 1);
        fs::write(&path, policy).map_err(|e| format!("{}: {e}", path.display()))?;
        self.run(&["sign", ".accredit/allowed_signers", "--key", "../keys/ada"], 0)?;
        self.run(&["sign", "accredit.toml", "--key", "../keys/ada"], 0).map(|_| ())
    }

    /// Registered by both authors, checked, promoted on a signature.
    fn earn(&self) -> Result<(), String> {
        let register = ["register", "grader.wasm", "--controls", "controls", "--wrote"];
        self.run(&[&register[..], &["grader", "--key", "../keys/greta"]].concat(), 0)?;
        self.run(&[&register[..], &["controls", "--key", "../keys/carl"]].concat(), 0)?;
        let check = ["check", "grader.wasm", "--controls", "controls", "--out", "../run"];
        self.run(&[&check[..], &["-o", "../report.txt"]].concat(), 0)?;
        let told = self.run(&["promote", "../run", "--to", "gating"], 0)?;
        let written = told.lines().find_map(|line| line.strip_prefix("written: "));
        let statement = written.ok_or("promote wrote no statement")?;
        self.run(&["sign", statement, "--key", "../keys/greta"], 1)?;
        self.run(&["sign", statement, "--key", "../keys/paula"], 0)?;
        self.run(&["promote", "--statement", statement], 0)?;
        self.run(&["verify-promotion", "final-answer"], 0)?;
        self.holds("gating", 0)
    }

    /// Everything registered is run again: it passes, and with one bit of what is kept changed it names what broke.
    fn verify(&self) -> Result<(), String> {
        let told = self.run(&["verify", "--key", "../keys/nightly"], 0)?;
        if told.lines().last() != Some("PASS") {
            return Err("verify does not end with PASS".to_owned());
        }
        let ledger = self.folder.join(".accredit/ledger/final-answer.jsonl");
        let bytes = fs::read(&ledger).map_err(|e| format!("{}: {e}", ledger.display()))?;
        let fail = |e: std::io::Error| format!("{}: {e}", ledger.display());
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        println!("\nOne bit of the ledger changed:");
        fs::write(&ledger, changed).map_err(fail)?;
        let told = self.run(&["verify"], 5)?;
        fs::write(&ledger, bytes).map_err(fail)?;
        match told
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("FAIL: ") && line.contains("ledger-intact"))
        {
            true => Ok(()),
            false => Err("verify does not name ledger-intact".to_owned()),
        }
    }

    /// One byte more of the component, of the controls, of the policy: each takes the authority, and taken back
    /// gives it again.
    fn lose(&self) -> Result<(), String> {
        for file in ["grader.wasm", "controls/known-bad.toml", "accredit.toml"] {
            let path = self.folder.join(file);
            let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            // Of a component in a section that means nothing, of a text in a comment.
            let more: &[u8] = if file.ends_with(".wasm") { &[0, 2, 1, b'x'] } else { b"#" };
            println!("\nOne byte more in {file}:");
            let fail = |e: std::io::Error| format!("{}: {e}", path.display());
            fs::write(&path, [bytes.as_slice(), more].concat()).map_err(fail)?;
            self.holds("advisory", 4)?;
            fs::write(&path, bytes).map_err(fail)?;
        }
        println!("\nEverything as it was:");
        self.holds("gating", 0)
    }

    fn holds(&self, tier: &str, exit: i32) -> Result<(), String> {
        let said = self.run(&["status"], exit)?;
        match said.contains(&format!("final-answer · {tier}")) {
            true => Ok(()),
            false => Err(format!("status does not say that the grader is {tier}")),
        }
    }
}
