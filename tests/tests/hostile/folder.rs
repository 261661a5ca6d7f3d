//! One folder of tests/hostile: a grader, and what must come of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use accredit_core::case::Case;
use accredit_core::findings::{FaultKind, ViolationKind};
use accredit_core::verdict::Verdict;
use accredit_engine::Limits;
use serde::Deserialize;

use crate::component;
use crate::generate::{self, Make};

/// A hostile grader.
pub(crate) struct Folder {
    /// The folder's name.
    pub(crate) name: String,
    path: PathBuf,
    /// What stands in its expect.toml.
    pub(crate) expect: Expect,
}

/// What must come of a grader: the keys of expect.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    /// What it does, in a sentence.
    pub(crate) what: String,
    /// What the host must see.
    pub(crate) outcome: Expected,
    /// The kind of fault, where it is one.
    pub(crate) fault: Option<FaultKind>,
    /// Whether another machine might not see that fault.
    #[serde(default)]
    pub(crate) machine_dependent: bool,
    /// What the fault, the load error, the refusal or the rationales say.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// What the host takes each rule to be: `rule` or `rule/claim`. All are `unproven` where none is named.
    #[serde(default)]
    pub(crate) verdicts: BTreeMap<String, Verdict>,
    /// How many findings break which rule of the contract.
    #[serde(default)]
    pub(crate) violations: BTreeMap<Violated, usize>,
    /// What was captured of its output.
    #[serde(default)]
    pub(crate) captured: Vec<String>,
    /// Whether it wrote more than is kept.
    #[serde(default)]
    pub(crate) captured_truncated: bool,
    /// Calls of what is denied.
    #[serde(default)]
    pub(crate) inert: BTreeMap<String, u64>,
    /// What the outcome follows, of all that the host chooses for a trial.
    #[serde(default)]
    pub(crate) follows: BTreeSet<Chosen>,
    /// Whether a user's view of it is looked at too: what it says would act on a terminal or in a log.
    #[serde(default)]
    pub(crate) through_binary: bool,
    /// Limits that differ from the shipped ones.
    #[serde(default)]
    limits: Overrides,
    /// Parts that are made on the fly.
    make: Option<Make>,
}

/// What the host must see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Expected {
    Graded,
    Refused,
    Fault,
    LoadError,
}

/// A kind of violation, as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub(crate) struct Violated(pub(crate) ViolationKind);

/// What the host chooses for a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Chosen {
    /// The seed of everything random.
    Seed,
    /// What the clock says.
    Clock,
}

/// Limits that differ from the shipped ones.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Overrides {
    fuel: Option<u64>,
    memory_bytes: Option<usize>,
    wall_ms: Option<u64>,
    search_bytes: Option<u64>,
    compile_wall_ms: Option<u64>,
}

impl Folder {
    /// Every hostile grader, by name.
    pub(crate) fn all() -> Vec<Self> {
        let entries = fs::read_dir(home()).expect("tests/hostile");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<_> = paths.filter(|path| path.is_dir()).map(Self::read).collect();
        folders.sort_by(|one, other| one.name.cmp(&other.name));
        folders
    }

    fn read(path: PathBuf) -> Self {
        let file = path.join("expect.toml");
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let expect = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        Self { name, path, expect }
    }

    /// The component.
    ///
    /// # Panics
    /// When the folder's parts do not make one.
    pub(crate) fn component(&self) -> Vec<u8> {
        let part = |name: &str| fs::read_to_string(self.path.join(name)).ok();
        let mut fields = part("grader.wat").unwrap_or_default();
        let make = self.expect.make.as_ref();
        assert!(!fields.is_empty() || make.is_some(), "{}: no grader.wat", self.name);
        fields.push_str(&make.map(generate::fields).unwrap_or_default());
        let mut bytes = component::build(&fields, part("imports.wit").as_deref());
        if let Some(make) = make {
            generate::append(make, &mut bytes);
        }
        bytes
    }

    /// Whether it runs under limits of its own.
    pub(crate) fn has_own_limits(&self) -> bool {
        self.limits() != Limits::default()
    }

    /// The limits it runs under.
    pub(crate) fn limits(&self) -> Limits {
        let (own, shipped) = (&self.expect.limits, Limits::default());
        Limits {
            fuel: own.fuel.unwrap_or(shipped.fuel),
            memory_bytes: own.memory_bytes.unwrap_or(shipped.memory_bytes),
            wall: own.wall_ms.map_or(shipped.wall, Duration::from_millis),
            search_bytes: own.search_bytes.unwrap_or(shipped.search_bytes),
            compile_wall: own.compile_wall_ms.map_or(shipped.compile_wall, Duration::from_millis),
            ..shipped
        }
    }
}

/// The case that all of them are shown.
pub(crate) fn case() -> Case {
    let text = fs::read_to_string(home().join("case.json")).expect("case.json");
    serde_json::from_str(&text).expect("a case")
}

/// tests/hostile.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile")
}
