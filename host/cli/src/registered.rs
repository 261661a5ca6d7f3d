//! A registered grader's files: as they lie in the repository today, and as they are kept in a register.

use std::collections::BTreeMap;
use std::path::Path;

use accredit_core::bundle::{bundle, unbundle};
use accredit_core::control::set::ControlSet;
use accredit_core::id::Digest;

use crate::failure::Failure;
use crate::place;
use crate::read::{self, GraderFile, RealOutputs};

/// The bytes of everything that a grader is run from, held-out controls aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Files {
    /// The component.
    pub component: Vec<u8>,
    /// The control set's files by name, those of regression controls left out.
    pub set: BTreeMap<String, Vec<u8>>,
    /// The files of regression controls by name.
    pub regression: BTreeMap<String, Vec<u8>>,
    /// Files of real outputs beside the set.
    pub outputs: Vec<Vec<u8>>,
}

/// What a register names a grader's files by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileDigests {
    /// The component.
    pub component: Digest,
    /// The open controls, without the regression controls.
    pub controls: Digest,
    /// The regression controls, where there are any.
    pub regression: Option<Digest>,
}

impl Files {
    /// The files as they lie in the repository whose root this is.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn in_repository(root: &Path, file: &GraderFile) -> Result<Self, Failure> {
        let limit = file.limits.component_bytes;
        let component = place::read_bounded(&root.join(&file.component), limit)?;
        let all = read::control_files(&root.join(&file.controls))?;
        let (regression, set) =
            all.into_iter().partition(|(name, _)| read::is_regression_file(name));
        let output = |path: &String| {
            let path = root.join(path);
            read::real_outputs(&path).map(|it| it.bytes).map_err(Failure::from)
        };
        let outputs = file.real_outputs.iter().map(output).collect::<Result<_, _>>()?;
        Ok(Self { component, set, regression, outputs })
    }

    /// The files as a register keeps them; `get` finds an object's bytes.
    ///
    /// # Errors
    /// When an object is missing, damaged or no bundle of files.
    pub fn kept(
        digests: &FileDigests,
        get: &dyn Fn(Digest) -> Result<Vec<u8>, Failure>,
    ) -> Result<Self, Failure> {
        let component = get(digests.component)?;
        let first = get(digests.controls)?;
        let parts = parts(digests.controls, &first)?;
        // Controls with real outputs beside them are kept as the set's digest and the outputs' bytes.
        let (set, outputs) = match parts.split_first() {
            Some((head, outputs)) if is_digest(head) => {
                let mut bytes = [0; 32];
                bytes.copy_from_slice(head);
                let set = get(blake3::Hash::from_bytes(bytes).into())?;
                (set, outputs.iter().map(|part| part.to_vec()).collect())
            }
            _ => (first.clone(), Vec::new()),
        };
        let set = files(digests.controls, &set)?;
        let regression = match digests.regression {
            None => BTreeMap::new(),
            Some(digest) => files(digest, &get(digest)?)?,
        };
        Ok(Self { component, set, regression, outputs })
    }

    /// What they are named by.
    #[must_use]
    pub fn digests(&self) -> FileDigests {
        let regression = (!self.regression.is_empty()).then(|| of_files(&self.regression));
        let set = of_files(&self.set);
        let controls = match self.outputs.is_empty() {
            true => set,
            false => Digest::of_parts(self.with_outputs(&set)),
        };
        FileDigests { component: Digest::of(&self.component), controls, regression }
    }

    /// Everything that a register keeps of them, each to be named by its own digest.
    #[must_use]
    pub fn objects(&self) -> Vec<Vec<u8>> {
        let mut objects = vec![self.component.clone(), bundle(named(&self.set))];
        if !self.outputs.is_empty() {
            objects.push(bundle(self.with_outputs(&of_files(&self.set))));
        }
        if !self.regression.is_empty() {
            objects.push(bundle(named(&self.regression)));
        }
        objects
    }

    fn with_outputs<'a>(&'a self, set: &'a Digest) -> impl Iterator<Item = &'a [u8]> {
        let outputs = self.outputs.iter().map(Vec::as_slice);
        std::iter::once(set.as_bytes().as_slice()).chain(outputs)
    }

    /// The control set and the real outputs in them.
    ///
    /// # Errors
    /// Every fault of a file.
    pub fn controls(&self) -> Result<(ControlSet, Vec<RealOutputs>), Failure> {
        let mut all = self.set.clone();
        all.extend(self.regression.clone());
        let (set, _) = read::control_set_of(&all)?;
        let name = |place: usize| format!("real-output-{}.jsonl", place + 1);
        let outputs = self.outputs.iter().enumerate();
        let outputs = outputs.map(|(place, bytes)| read::real_outputs_of(&name(place), bytes));
        Ok((set, outputs.collect::<Result<_, _>>()?))
    }
}

/// Names and bytes in turn.
fn named(files: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = &[u8]> {
    files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_slice()])
}

fn of_files(files: &BTreeMap<String, Vec<u8>>) -> Digest {
    Digest::of_parts(named(files))
}

/// Whether a bundle begins with a digest and not with a file's name: no file of a set has a name of 32 bytes.
fn is_digest(head: &[u8]) -> bool {
    head.len() == 32
}

fn parts(digest: Digest, bytes: &[u8]) -> Result<Vec<&[u8]>, Failure> {
    unbundle(bytes).map_err(|error| Failure::Integrity(format!("the object {digest}: {error}")))
}

fn files(digest: Digest, bytes: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let no_files = || Failure::Integrity(format!("the object {digest} holds no control set"));
    let parts = parts(digest, bytes)?;
    let (pairs, rest) = parts.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(no_files());
    }
    let file = |[name, bytes]: &[&[u8]; 2]| {
        let name = std::str::from_utf8(name).map_err(|_| no_files())?;
        Ok((name.to_owned(), bytes.to_vec()))
    };
    pairs.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(outputs: usize, regression: bool) -> Files {
        let file = |name: &str| (name.to_owned(), format!("bytes of {name}").into_bytes());
        Files {
            component: b"component".to_vec(),
            set: [file("set.toml"), file("known-bad.toml")].into(),
            regression: regression.then(|| file("regression.toml")).into_iter().collect(),
            outputs: (0..outputs).map(|it| vec![u8::try_from(it).unwrap_or(0); 32]).collect(),
        }
    }

    #[test]
    fn what_is_kept_comes_back_and_is_named_by_the_same_digests() {
        for (outputs, regression) in [(0, false), (0, true), (1, false), (2, true), (3, true)] {
            let files = sample(outputs, regression);
            let kept: BTreeMap<_, _> =
                files.objects().into_iter().map(|it| (Digest::of(&it), it)).collect();
            let get = |digest: Digest| {
                kept.get(&digest).cloned().ok_or_else(|| Failure::Usage(format!("no {digest}")))
            };
            let again = Files::kept(&files.digests(), &get).expect("is kept");
            assert_eq!(again, files, "{outputs} {regression}");
        }
    }

    #[test]
    fn regression_controls_are_apart() {
        let (with, without) = (sample(0, true).digests(), sample(0, false).digests());
        assert_eq!(with.controls, without.controls);
        assert_ne!(with.regression, without.regression);
    }
}
