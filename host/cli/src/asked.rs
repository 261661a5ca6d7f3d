//! What a grader is asked: the open control set, real outputs, and controls held out from its author.

use std::path::{Path, PathBuf};

use accredit_core::control::family;
use accredit_core::control::held_out::{Commitments, Salt};
use accredit_core::control::label::Sample;
use accredit_core::control::lint::against;
use accredit_core::control::select::Only;
use accredit_core::control::set::{Control, ControlSet, Kind};
use accredit_core::id::Digest;
use accredit_core::manifest::Manifest;
use accredit_core::run::event::{HeldOutFacts, SampleFacts};
use accredit_core::run::promise::commitments_of;

use crate::failure::Failure;
use crate::read::{self, ReadFaults, RealOutputs};
use crate::terminal;

/// Everything that is asked, in one order: the set's controls, real outputs, held-out controls.
pub struct Asked {
    /// The open set.
    pub set: ControlSet,
    /// All controls.
    pub controls: Vec<Control>,
    /// How they were chosen, where they are not all that there are.
    pub only: Option<Only>,
    /// What the files of real outputs declare of how these were drawn.
    pub samples: Vec<SampleFacts>,
    /// The digest of all files that the open ones come from, but for regression controls.
    pub digest: Digest,
    /// What is known of the held-out ones, but for what a scan of the component finds.
    pub held_out: Option<HeldOutFacts>,
}

/// The folders and files they come from.
pub struct Sources<'a> {
    /// The open set.
    pub controls: &'a Path,
    /// Files of real outputs.
    pub real_outputs: &'a [PathBuf],
    /// The held-out set.
    pub held_out: Option<&'a Path>,
    /// Whether nothing of the held-out set may be told, not even what is wrong with it.
    pub withhold: bool,
}

impl Sources<'_> {
    /// Reads all of it. Warnings go to stderr.
    ///
    /// # Errors
    /// When a file has a fault, two controls share an id, or the held-out set is not the one that the open
    /// set promises.
    pub fn read(&self) -> Result<Asked, Failure> {
        let set = set(self.controls, true)?;
        let outputs = self.real_outputs.iter().map(|file| read::real_outputs(file));
        self.put_together(set, outputs.collect::<Result<_, _>>()?)
    }

    /// The same of an open set and real outputs that were read already. Only held-out controls are read.
    ///
    /// # Errors
    /// As [`Sources::read`].
    pub fn put_together(
        &self,
        mut set: ControlSet,
        outputs: Vec<RealOutputs>,
    ) -> Result<Asked, Failure> {
        let mut controls = std::mem::take(&mut set.controls);
        let mut parts = vec![set.digest.as_bytes().to_vec()];
        let own = real_outputs(&controls);
        let mut samples: Vec<_> = sample_facts(set.sample.as_ref(), own, false).collect();
        for read in outputs {
            samples.extend(sample_facts(read.sample.as_ref(), read.controls.len(), false));
            controls.extend(read.controls);
            parts.push(read.bytes);
        }
        family::merge(&mut controls);
        let held_out = match self.held_out {
            None => None,
            Some(folder) => {
                let (facts, sample, held_out) = self.held_out(&set, &controls, folder)?;
                samples.extend(sample);
                controls.extend(held_out);
                Some(facts)
            }
        };
        different_ids(&controls)?;
        // Of one part it is the set's own.
        let digest = match parts.len() {
            1 => set.digest,
            _ => Digest::of_parts(parts.iter().map(Vec::as_slice)),
        };
        Ok(Asked { set, controls, samples, only: None, digest, held_out })
    }

    /// The held-out controls. What is wrong with them would tell their author's reader what they are.
    fn held_out(
        &self,
        set: &ControlSet,
        open: &[Control],
        folder: &Path,
    ) -> Result<HeldOut, Failure> {
        let read = || {
            let (facts, sample, held_out) = held_out(set, folder, !self.withhold)?;
            apart(open, &held_out)?;
            different_ids(&[open, &held_out].concat())?;
            Ok((facts, sample, held_out))
        };
        read().map_err(|failure| match failure {
            failure if !self.withhold => failure,
            Failure::Integrity(_) => Failure::Integrity(
                "the held-out controls are not those that the open set promises: tell whoever keeps them".to_owned(),
            ),
            _ => Failure::Usage(
                "the held-out controls cannot be used, and what is wrong with them is not shown to authors: have whoever keeps them run the check with --audience platform".to_owned(),
            ),
        })
    }
}

/// What is known of held-out controls, how their real outputs were drawn where that is declared, and they.
type HeldOut = (HeldOutFacts, Vec<SampleFacts>, Vec<Control>);

impl Asked {
    /// Whether the set is of the rubric that the grader checks.
    ///
    /// # Errors
    /// Every way in which it is not.
    pub fn fits(&self, folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
        let faults = against(&self.set.header, manifest);
        match faults.is_empty() {
            true => Ok(()),
            false => Err(ReadFaults { folder: folder.to_owned(), faults }.into()),
        }
    }
}

/// What the record keeps of a declared sample of so many outputs.
fn sample_facts(
    sample: Option<&Sample>,
    outputs: usize,
    held_out: bool,
) -> impl Iterator<Item = SampleFacts> {
    let outputs = outputs as u64;
    sample.cloned().map(|declared| SampleFacts { declared, outputs, held_out }).into_iter()
}

/// How many controls of a set are real outputs.
fn real_outputs(controls: &[Control]) -> usize {
    controls.iter().filter(|control| control.kind == Kind::RealOutput).count()
}

/// Reads one set; its warnings are told, if `tell` says so.
pub(crate) fn set(folder: &Path, tell: bool) -> Result<ControlSet, Failure> {
    let (set, warnings) = read::control_set(folder)?;
    for warning in warnings.into_iter().filter(|_| tell) {
        terminal::note(&format!("{}/{warning}", folder.display()));
    }
    Ok(set)
}

/// The held-out set, checked against what the open one promises.
fn held_out(open: &ControlSet, folder: &Path, tell: bool) -> Result<HeldOut, Failure> {
    let ControlSet { header, mut controls, digest, sample, .. } = set(folder, tell)?;
    let shown = folder.display();
    let usage = |text: String| Err(Failure::Usage(format!("{shown}/set.toml: {text}")));
    let same_rules = header.rules == open.header.rules;
    if header.rubric != open.header.rubric || !same_rules {
        return usage(format!(
            "held-out controls are of the open set's rubric and list its rules: write rubric = \"{}\" and the same `rules`",
            open.header.rubric
        ));
    }
    if header.transforms != open.header.transforms {
        return usage("held-out controls are shown under the open set's transforms: list the same `transforms`".to_owned());
    }
    let Some(salt) = header.salt else {
        return usage(format!(
            "a held-out set has a `salt`: `accredit controls commit {shown}` proposes one"
        ));
    };
    for control in &mut controls {
        control.held_out = true;
    }
    family::merge(&mut controls);
    promised(open, &controls, &salt, folder)?;
    let sample = sample_facts(sample.as_ref(), real_outputs(&controls), true).collect();
    let facts = HeldOutFacts {
        controls: controls.len() as u64,
        digest,
        salt: Some(salt),
        contamination: None,
        results: Vec::new(),
        looks: Vec::new(),
        policy: None,
        authors: header.authors,
        whole: None,
    };
    Ok((facts, sample, controls))
}

/// Whether these are the controls that the open set promises.
fn promised(
    open: &ControlSet,
    controls: &[Control],
    salt: &Salt,
    folder: &Path,
) -> Result<(), Failure> {
    let Some(Commitments { commitments: promised }) = &open.header.held_out else {
        terminal::note(
            &"the open set promises no held-out controls: bounds on them are not evaluated until its set.toml holds what `accredit controls commit` prints",
        );
        return Ok(());
    };
    let mut promised = promised.clone();
    promised.sort_unstable();
    let found = commitments_of(controls, &open.header.transforms, salt);
    if found == promised {
        return Ok(());
    }
    let kept = found.iter().filter(|commitment| promised.binary_search(commitment).is_ok()).count();
    Err(Failure::Integrity(format!(
        "{}: these are not the held-out controls that the open set promises: {kept} of the {} promised are there, among {}. A control was changed, added or taken out after the promise, or the salt is another. Use the set that was promised, or have the open set promise this one (`accredit controls commit`), which makes it another set",
        folder.display(),
        promised.len(),
        found.len(),
    )))
}

/// A held-out case that the open controls hold as well is held out from nobody.
fn apart(open: &[Control], held_out: &[Control]) -> Result<(), Failure> {
    let all: Vec<_> = open.iter().chain(held_out).cloned().collect();
    let shared = family::alike(&all)
        .into_iter()
        .find(|twin| twin.at >= open.len() && twin.into < open.len());
    match shared {
        None => Ok(()),
        Some(twin) => Err(Failure::Usage(format!(
            "the held-out control `{}` is the open control `{}` but for spacing and capitals: what is open is held out from nobody. Take it out of one of the sets",
            all[twin.at].entry.id, all[twin.into].entry.id
        ))),
    }
}

fn different_ids(controls: &[Control]) -> Result<(), Failure> {
    let mut ids: Vec<_> = controls.iter().map(|control| &control.entry.id).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(Failure::Usage(format!(
            "two controls share the id `{}`: give each output of the --real-output files and each held-out control an id of its own, and each file once",
            pair[0]
        ))),
    }
}
