//! A bench: an empty folder to run accredit in, and what came of a run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// `check` of everything that stands on a [`Bench::sound`] bench.
pub const CHECK: [&str; 8] =
    ["check", "g.wasm", "--controls", "set", "--policy", "p.toml", "--out", "left"];

/// What only an engine says: no user should have to read it.
const RAW: [&str; 4] =
    ["matching implementation", "component imports instance", "backtrace", "wasm trap:"];

/// An empty folder to run accredit in. Nothing of the machine's environment reaches it.
pub struct Bench {
    folder: TempDir,
    home: PathBuf,
}

/// What a user sees of one run.
pub struct Run {
    /// The command line, for messages.
    pub line: String,
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl fmt::Debug for Run {
    /// For the message of a failed test: whole reports are cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = |text: &str| text.chars().take(4000).collect::<String>();
        writeln!(f, "accredit {} left with {}", self.line, self.code)?;
        write!(f, "{:?}\n{:?}", cut(&self.stdout), cut(&self.stderr))
    }
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

impl Bench {
    /// An empty folder, with the home that all benches share.
    ///
    /// # Panics
    /// When no folder can be made.
    #[must_use]
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), home: crate::home() }
    }

    /// An empty folder, with a new home inside it: nothing is cached yet.
    #[must_use]
    pub fn with_cold_cache() -> Self {
        let mut bench = Self::new();
        bench.home = bench.path("home");
        bench
    }

    /// A folder with the grader lenient-answer, the small control set and this repository's policy in it.
    ///
    /// # Panics
    /// When one of them is not there.
    #[must_use]
    pub fn sound() -> Self {
        let bench = Self::new();
        let read = |path| fs::read(path).expect("reads");
        bench.write("g.wasm", read(crate::shipped("lenient-answer")));
        bench.write("p.toml", read(crate::repository().join("accredit.toml")));
        bench.copy(&crate::fixture("small"), "set");
        bench
    }

    /// A path in the folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder, and the folders above it.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("makes the folder");
        fs::write(path, bytes).expect("writes the file");
    }

    /// The text of a file in the folder.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Copies a flat folder of files into this one.
    ///
    /// # Panics
    /// When it cannot be copied.
    pub fn copy(&self, from: &Path, name: &str) {
        for (file, bytes) in files(from) {
            self.write(&format!("{name}/{file}"), bytes);
        }
    }

    /// Writes another text in the place of the first one like it in a file.
    ///
    /// # Panics
    /// When the file does not hold the text.
    #[track_caller]
    pub fn bend(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} does not hold {from:?}");
        self.write(name, text.replacen(from, to, 1));
    }

    /// Every file in the folder, by its path there.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files(self.folder.path())
    }

    /// accredit in this folder, ready to run.
    #[must_use]
    pub fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Command::new(crate::accredit());
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", &self.home)
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("XDG_STATE_HOME", self.home.join("state"))
            .stdin(Stdio::null());
        command
    }

    /// Runs accredit in this folder.
    ///
    /// # Panics
    /// When it does not start, ends by a signal, says anything that is not UTF-8, or panics.
    pub fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Run {
        let run = Run::of(self.command(args));
        assert!(!run.stderr.contains("panicked"), "{run:#?}");
        run
    }

    /// Runs accredit as on a terminal: where it writes to a pipe, the escape sequences of a grader would be
    /// taken out together with its own. The run comes without accredit's own colours.
    ///
    /// # Panics
    /// When it does not start, ends by a signal, says anything that is not UTF-8, or uses no colour.
    #[must_use]
    pub fn on_terminal(&self, args: &[&str]) -> Run {
        let mut command = self.command(args);
        command.env("CLICOLOR_FORCE", "1");
        let mut run = Run::of(command);
        assert!([&run.stdout, &run.stderr].iter().any(|text| text.contains("\u{1b}[")), "{run:#?}");
        for style in ["1", "2", "31", "32", "33", "0"] {
            for text in [&mut run.stdout, &mut run.stderr] {
                *text = text.replace(&format!("\u{1b}[{style}m"), "");
            }
        }
        run
    }

    /// Runs accredit, and expects it to refuse its input with each of these texts, to decide nothing, and
    /// to leave every file as it was.
    ///
    /// # Panics
    /// When it does anything else.
    #[track_caller]
    pub fn refuses(&self, args: &[&str], expected: &[&str]) -> Run {
        let before = self.files();
        let run = self.run(args).exits(2);
        assert_eq!(run.stdout, "", "{run:#?}");
        run.complains(expected);
        assert!(run.stderr.contains("error: "), "{run:#?}");
        assert!(!RAW.iter().any(|raw| run.stderr.contains(raw)), "an engine's words: {run:#?}");
        assert!(self.files() == before, "files were written: {run:#?}");
        assert!(!self.path("left").is_dir(), "a folder was made: {run:#?}");
        run
    }
}

impl Run {
    /// Runs a command to its end.
    ///
    /// # Panics
    /// When it does not start, ends by a signal, or says anything that is not UTF-8.
    #[must_use]
    pub fn of(mut command: Command) -> Self {
        let line = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let output = command.output().expect("accredit starts");
        Self {
            code: output.status.code().unwrap_or_else(|| panic!("{line}: {}", output.status)),
            line,
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }

    /// Expects text that a terminal, or a log of GitHub Actions, shows and does not act on.
    ///
    /// # Panics
    /// When it holds control characters, such as reorder or hide text, or a line of its own.
    #[track_caller]
    pub fn is_tame(&self) {
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        for text in [&self.stdout, &self.stderr] {
            let acts = |char: char| {
                (char.is_control() && char != '\n')
                    || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
            };
            assert!(!text.contains(acts), "a terminal would act on this: {self:#?}");
            let forged = |line: &str| {
                line.starts_with("ELIGIBLE")
                    || line.trim().starts_with("::")
                    || line.contains("##[")
            };
            assert!(!text.lines().any(forged), "a line of its own: {self:#?}");
        }
    }

    /// Expects this exit code.
    ///
    /// # Panics
    /// When it is another.
    #[track_caller]
    #[must_use]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Standard output as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// Expects each of these texts on standard output, wherever its lines are broken.
    ///
    /// # Panics
    /// When one is missing.
    #[track_caller]
    pub fn shows(&self, texts: &[&str]) {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown = plain(&self.stdout);
        for text in texts {
            assert!(shown.contains(&plain(text)), "{text:?} is not shown: {self:#?}");
        }
    }

    /// Expects each of these texts on standard error.
    ///
    /// # Panics
    /// When one is missing.
    #[track_caller]
    pub fn complains(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.stderr.contains(text), "{text:?} is not said: {self:#?}");
        }
    }
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().expect("a type").is_dir() {
            let below = files(&entry.path()).into_iter();
            found.extend(below.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("reads"));
        }
    }
    found
}
