//! Signatures beside the file they sign: `FILE.sig`, `FILE.2.sig` and so on, one a person.

use std::path::{Path, PathBuf};

use accredit_core::keys::{PublicKey, Signature};

use crate::failure::Failure;
use crate::trust::{bounded, put_new};

/// Nobody asks for more.
const MOST: usize = 64;
const LONGEST: u64 = 64 * 1024;

/// The signatures that stand beside a file.
pub(super) struct Beside {
    file: PathBuf,
    found: Vec<(PathBuf, Signature)>,
}

impl Beside {
    /// Reads what is there; each must hold over the file.
    pub(super) fn read(file: &Path, namespace: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let mut beside = Self { file: file.to_owned(), found: Vec::new() };
        while let Some(path) = beside.next().filter(|path| path.exists()) {
            let signature = Signature::parse(&bounded(&path, LONGEST)?);
            let held = signature.and_then(|it| it.holds(namespace, bytes).map(|()| it));
            let signature = held.map_err(|fault| {
                let path = path.display();
                Failure::Signing(format!(
                    "{path}: {fault}. It is not overwritten: take it away if it belongs to an earlier version of the file"
                ))
            })?;
            beside.found.push((path, signature));
        }
        Ok(beside)
    }

    /// Where the next signature would go.
    fn next(&self) -> Option<PathBuf> {
        let mut name = self.file.as_os_str().to_owned();
        match self.found.len() {
            0 => name.push(".sig"),
            count if count < MOST => name.push(format!(".{}.sig", count + 1)),
            _ => return None,
        }
        Some(PathBuf::from(name))
    }

    /// The signature by this key.
    pub(super) fn by(&self, key: Option<&PublicKey>) -> Option<&(PathBuf, Signature)> {
        self.found.iter().find(|(_, signature)| Some(signature.key()) == key)
    }

    /// Writes one more.
    pub(super) fn put(&mut self, armoured: &[u8], signature: &Signature) -> Result<&Path, Failure> {
        let path = self.next().ok_or_else(|| {
            Failure::Signing(format!("{}: it has {MOST} signatures already", self.file.display()))
        })?;
        put_new(&path, armoured)?;
        self.found.push((path, signature.clone()));
        Ok(self.found.last().map_or(Path::new(""), |(path, _)| path.as_path()))
    }

    pub(super) fn signatures(&self) -> impl Iterator<Item = &Signature> {
        self.found.iter().map(|(_, signature)| signature)
    }
}
