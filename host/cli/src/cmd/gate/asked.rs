//! What a gate is run over, read and graded: for the gate itself, and for whoever decides on what it found.

use std::path::{Path, PathBuf};

use accredit_core::gate::inventory::Inventory;
use accredit_core::gate::record::SutRun;
use accredit_core::gate::{Gate, GateFault, GateReport};
use accredit_core::id::Digest;

use crate::authority::Registry;
use crate::cmd::POLICY_FILE;
use crate::failure::Failure;
use crate::settle::book;
use crate::store::{Register, place};
use crate::{clock, decisions, gate, read};

/// What a gate is run over.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Asked {
    /// What was selected [default: inventory.toml or inventory.json in the folder of run records]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cmd) inventory: Option<PathBuf>,
    /// A reader's profile: it adds checks, and weighs rules in a summary of its own; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(in crate::cmd) profile: Vec<PathBuf>,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(in crate::cmd) register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
    /// Trials at one time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

/// A gate that was run.
pub(in crate::cmd) struct Gated {
    /// The register.
    pub(in crate::cmd) registry: Registry,
    /// What was found.
    pub(in crate::cmd) report: GateReport,
}

impl Asked {
    /// Runs the gate over this folder of run records; `check` looks at the records before anything runs.
    pub(in crate::cmd) fn gate(
        &self,
        folder: &Path,
        check: impl FnOnce(&[SutRun]) -> Result<(), Failure>,
    ) -> Result<Gated, Failure> {
        let (inventory, runs) = self.read(folder)?;
        let profiles = self.profile.iter().map(|path| read::profile(path));
        let profiles = profiles.collect::<Result<Vec<_>, _>>()?;
        check(&runs)?;
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let asked = profiles.iter().fold(inventory.clone(), |it, profile| profile.applied_to(&it));
        let words = decisions::heard(&registry)?;
        let graded = gate::grade(&registry, &asked, &runs, self.jobs())?;
        let report = GateReport::new(Gate {
            inventory: &inventory,
            runs: &runs,
            graders: &graded.graders,
            judgements: &graded.judgements,
            profiles: &profiles,
            words: &words,
            book: &book(&registry.register)?,
            policy: &registry.policy.policy,
            policy_digest: registry.policy.digest,
            now: registry.now,
        });
        let report = report.map_err(|faults| unsound(&faults))?;
        Ok(Gated { registry, report })
    }

    /// The files of the repository that a gate reads, beside the run records and the register.
    pub(in crate::cmd) fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files: Vec<_> = self.profile.iter().chain(&self.inventory).cloned().collect();
        files.push(self.register.join(POLICY_FILE));
        // A report that was kept is shown without one; a gate tells itself where there is none.
        let Ok(register) = Register::open(&self.register) else { return Ok(files) };
        for name in register.graders()? {
            let file = register.folder().join(place::GRADERS).join(format!("{name}.toml"));
            // One that cannot be read is told where it is needed.
            if let Ok(file) = read::grader_file(&file) {
                files.push(self.register.join(file.component));
            }
        }
        Ok(files)
    }

    /// The inventory and the records, with the faults of all files at once.
    fn read(&self, folder: &Path) -> Result<(Inventory, Vec<SutRun>), Failure> {
        if !folder.is_dir() {
            return Err(Failure::Usage(format!(
                "{}: there is no such folder: name the one that holds the run records and their inventory",
                folder.display()
            )));
        }
        let inventory = match &self.inventory {
            Some(path) => read::inventory(path),
            None => read::inventory_in(folder).and_then(|path| read::inventory(&path)),
        };
        match (inventory, read::run_records(folder)) {
            (Ok(inventory), Ok(runs)) => Ok((inventory, runs)),
            (Err(faults), Ok(_)) | (Ok(_), Err(faults)) => Err(faults.into()),
            (Err(one), Err(other)) => Err(Failure::Usage(format!("{one}\n{other}"))),
        }
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

fn unsound(faults: &[GateFault]) -> Failure {
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    Failure::Usage(faults.join("\n"))
}
