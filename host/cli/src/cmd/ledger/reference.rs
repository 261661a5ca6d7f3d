//! Ledgers from elsewhere, such as the base branch's: nothing but their lines is needed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::gate::settlement::Book as Settlements;
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Book, Chain, Damage};

use crate::failure::Failure;
use crate::place::read_bounded;
use crate::store::{LARGEST_LEDGER, Register, ledger_of, place};

/// The ledgers that others must extend.
pub(super) struct Reference {
    pub(super) path: PathBuf,
    pub(super) chains: BTreeMap<(GraderName, Book), Chain>,
}

impl Reference {
    /// The ledgers of a folder; or the one in a file, of the grader that is named on the command line, else in
    /// its first entry.
    pub(super) fn read(path: &Path, names: &[GraderName]) -> Result<Self, Failure> {
        let chains = if path.is_dir() { folder(path, names)? } else { alone(path, names)? };
        Ok(Self { path: path.to_owned(), chains })
    }

    /// The book of settlements of a whole register; absent where there is none.
    pub(super) fn settlements(&self) -> Result<Option<Settlements>, Failure> {
        let folders = [self.path.join(place::REGISTER), self.path.clone()];
        let books = folders.map(|folder| folder.join(place::SETTLEMENTS));
        let Some(path) = books.into_iter().find(|path| path.is_file()) else { return Ok(None) };
        let book = Settlements::read(&bytes(&path)?);
        let damaged = |fault| Failure::Integrity(format!("{}: {fault}", path.display()));
        book.map(Some).map_err(damaged)
    }

    /// Of a whole register: the signatures over policy, signers and root that it keeps and the other does not, or not
    /// alike, and signed files that the other's objects lack.
    pub(super) fn signed_and_gone(&self, register: &Register) -> Result<Vec<String>, Failure> {
        let folders = [self.path.join(place::REGISTER), self.path.clone()];
        let Some(base) = folders.into_iter().find(|it| it.join(place::FORMAT).is_file()) else {
            return Ok(Vec::new());
        };
        let mut lost = Vec::new();
        let signed = base.join(place::SIGNATURES);
        for digest in files(&signed)? {
            for name in files(&signed.join(&digest))? {
                let within = format!("{}/{digest}/{name}", place::SIGNATURES);
                if register.read(&within, 1 << 16)? != Some(bytes(&base.join(&within))?) {
                    lost.push(within);
                }
            }
            let object = format!("blake3:{digest}").parse::<Digest>().ok();
            if let Some(digest) = object
                && !register.objects().has(digest)?
            {
                lost.push(format!("the object {digest}"));
            }
        }
        Ok(lost)
    }
}

fn alone(
    path: &Path,
    names: &[GraderName],
) -> Result<BTreeMap<(GraderName, Book), Chain>, Failure> {
    let first = if names.is_empty() { grader(&bytes(path)?) } else { None };
    let grader = match (names, first) {
        ([grader], _) => grader.clone(),
        (_, Some(grader)) => grader,
        _ => {
            return Err(Failure::Usage(format!(
                "{}: is one ledger: name the one grader that it is of, as in `accredit ledger check NAME --extends FILE`",
                path.display()
            )));
        }
    };
    let chain = file(path, &grader)?;
    Ok([((grader, chain.book()), chain)].into())
}

/// The grader that a ledger's first entry speaks of.
fn grader(lines: &[u8]) -> Option<GraderName> {
    #[derive(serde::Deserialize)]
    struct Line {
        payload: Spoken,
    }
    #[derive(serde::Deserialize)]
    struct Spoken {
        grader: GraderName,
    }
    let first = lines.split(|byte| *byte == b'\n').next()?;
    serde_json::from_slice::<Line>(first).ok().map(|line| line.payload.grader)
}

/// The ledger of this grader in this file, in whichever book it is.
pub(super) fn file(path: &Path, grader: &GraderName) -> Result<Chain, Failure> {
    let named = path.file_name().and_then(|name| Some(ledger_of(name.to_str()?)?.1));
    let first = named.unwrap_or(Book::Main);
    let bytes = bytes(path)?;
    let other = Book::ALL.into_iter().find(|book| *book != first).unwrap_or(first);
    // One of the two, since each begins in its own way.
    match Chain::read_whole(grader.clone(), first, bytes.clone()) {
        Ok(chain) => Ok(chain),
        Err(damage) => Chain::read_whole(grader.clone(), other, bytes)
            .map_err(|_| damaged(path, grader, &damage)),
    }
}

fn folder(
    path: &Path,
    names: &[GraderName],
) -> Result<BTreeMap<(GraderName, Book), Chain>, Failure> {
    let is_register = |folder: &Path| folder.join(place::FORMAT).is_file();
    let register = path.join(place::REGISTER);
    let folder = if is_register(&register) {
        register.join(place::LEDGER)
    } else if is_register(path) {
        path.join(place::LEDGER)
    } else {
        path.to_owned()
    };
    let mut chains = BTreeMap::new();
    for name in files(&folder)? {
        let Some((grader, book)) = ledger_of(&name).filter(|_| name.ends_with(".jsonl")) else {
            continue;
        };
        if names.is_empty() || names.contains(&grader) {
            let file = folder.join(&name);
            let chain = Chain::read_whole(grader.clone(), book, bytes(&file)?)
                .map_err(|damage| damaged(&file, &grader, &damage))?;
            chains.insert((grader, book), chain);
        }
    }
    if chains.is_empty() && folder == path {
        return Err(Failure::Usage(format!(
            "{}: there is no register in it, nor a ledger that could be extended",
            path.display()
        )));
    }
    Ok(chains)
}

/// The names in a folder; none where it is not there: a register in which nothing was written yet.
fn files(folder: &Path) -> Result<Vec<String>, Failure> {
    let fail = |error| Failure::unreadable(folder, error);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.extend(entry.map_err(fail)?.file_name().into_string());
    }
    Ok(names)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let limit = usize::try_from(LARGEST_LEDGER).unwrap_or(usize::MAX);
    let bytes = read_bounded(path, limit)?;
    if bytes.len() > limit {
        return Err(Failure::Usage(format!("{}: is too large to be a ledger", path.display())));
    }
    Ok(bytes)
}

fn damaged(path: &Path, grader: &GraderName, damage: &Damage) -> Failure {
    let path = path.display();
    Failure::Integrity(format!("{path}, as a ledger of `{grader}`: {damage}"))
}
