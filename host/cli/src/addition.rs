//! A control that is added to a set: text behind what stands in `regression.toml`, whole or not at all.
//!
//! Every byte that was there stays. What is added is read back by the set's own reader before it is written, and
//! refused where that finds a fault. One command at a time adds to a set.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use accredit_core::control::family;
use accredit_core::control::set::{Control, ControlSet, Entry, Kind, Place};
use accredit_core::id::ControlId;

use crate::asked;
use crate::failure::Failure;
use crate::read;
use crate::record::folder_of;
use crate::render;

/// The file that failures found in use are kept in.
pub const FILE: &str = "regression.toml";

/// What a new file begins with.
const HEAD: &str = "# Failures found in use. Each must be judged right; they are in no rate, and none is taken out.\n";

/// What the names of files begin with that are not in their place yet. Readers of sets pass over them.
const TEMPORARY: &str = ".accredit-add-";

/// What a failed write leaves.
const KEPT: &str = "The set is what it was";

/// A control set that nobody else adds to as long as this value lives.
pub struct Held {
    folder: PathBuf,
    _lock: File,
}

/// A set with a control for a case: one that is to be added, or one that is there.
pub struct Addition {
    /// The control.
    pub control: Control,
    /// What the file is to hold; absent where the case is a control already.
    pub bytes: Option<Vec<u8>>,
    /// The set with the control in it.
    pub set: ControlSet,
    target: PathBuf,
}

impl Held {
    /// Waits until nobody else adds to the set.
    ///
    /// # Errors
    /// When there is no such folder, or it cannot be held.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        let fail = |error| Failure::unreadable(folder, error);
        let lock = File::open(folder).map_err(fail)?;
        if !lock.metadata().map_err(fail)?.is_dir() {
            let folder = folder.display();
            return Err(Failure::Usage(format!(
                "{folder}: is no folder: give the folder of a control set"
            )));
        }
        lock.lock().map_err(fail)?;
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    /// Prepares the addition of a control, with these remarks above it. Nothing is written.
    ///
    /// # Errors
    /// Every fault that the set has or would have, or when its case is a control already that expects something
    /// else.
    pub fn plan(&self, entry: &Entry, remarks: &[String]) -> Result<Addition, Failure> {
        let target = target(&self.folder.join(FILE));
        let known = match asked::set(&self.folder, false) {
            Ok(set) => known(&set, entry).map(|control| (control, set)),
            // What is wrong with it is told together with what is wrong with the new one.
            Err(_) => None,
        };
        if let Some((control, set)) = known {
            if control.entry.expect != entry.expect {
                return Err(self.contrary(&control, entry));
            }
            return Ok(Addition { control, bytes: None, set, target });
        }
        let bytes = text(&target, entry, remarks)?;
        let (set, _) = read::control_set_with(&self.folder, FILE, &bytes).map_err(|faults| {
            let told = format!(
                "{faults}\nNothing was written. {FILE} is shown with the new control at its end"
            );
            Failure::Usage(told)
        })?;
        let added = |it: &&Control| it.kind == Kind::Regression && it.entry == *entry;
        let control = set.controls.iter().find(added).cloned().ok_or_else(|| {
            Failure::Usage(format!(
                "the case does not come back from {FILE} as it was given: this is a fault of accredit. Nothing was written"
            ))
        })?;
        Ok(Addition { control, bytes: Some(bytes), set, target })
    }

    /// The case is a control already, and that says otherwise.
    fn contrary(&self, control: &Control, entry: &Entry) -> Failure {
        let (id, at) = (&control.entry.id, self.place(&control.at));
        let by = |entry: &Entry| match &entry.expect.rule {
            Some(rule) => format!("{} by `{rule}`", entry.expect.verdict),
            None => entry.expect.verdict.to_string(),
        };
        Failure::Usage(format!(
            "{at}: the same case is the control `{id}` already, and that expects {}, not {}. One of the two is wrong: see the rubric; a control that is wrong is corrected in a commit of its own that says why",
            by(&control.entry),
            by(entry)
        ))
    }

    /// Where a control of the set stands, from here.
    #[must_use]
    pub fn place(&self, at: &Place) -> String {
        format!("{}:{}", self.folder.join(&at.file).display(), at.line)
    }

    /// Writes what was prepared: when this returns, it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written. The file is what it was then.
    pub fn write(&self, addition: &Addition) -> Result<(), Failure> {
        let Some(bytes) = &addition.bytes else { return Ok(()) };
        let target = &addition.target;
        put(target, bytes).map_err(|error| Failure::unwritable(target, error, KEPT))
    }
}

/// The control that has this case already, spacing and capitals apart.
fn known(set: &ControlSet, entry: &Entry) -> Option<Control> {
    let content = entry.case.content_digest();
    let same = |it: &&Control| it.entry.case.content_digest() == content;
    if let Some(control) = set.controls.iter().find(same) {
        return Some(control.clone());
    }
    let at = Place { file: String::new(), line: 0 };
    let new =
        Control { kind: Kind::Regression, at, entry: entry.clone(), label: None, held_out: false };
    let place = set.controls.len();
    let all = [set.controls.as_slice(), &[new]].concat();
    let twin = family::alike(&all).into_iter().find(|twin| twin.at == place)?;
    Some(set.controls[twin.into].clone())
}

/// An id of what the case holds.
///
/// # Panics
/// Never: it is made of what ids are made of.
#[must_use]
pub fn id_of(case: &accredit_core::case::Case) -> ControlId {
    let id = format!("found-{}", case.content_digest().short());
    ControlId::new(id).unwrap_or_else(|_| unreachable!("letters, digits and a hyphen"))
}

/// What is there, and the new control behind it.
fn text(target: &Path, entry: &Entry, remarks: &[String]) -> Result<Vec<u8>, Failure> {
    let mut bytes = match fs::metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Ok(found) if !found.is_file() => {
            let target = target.display();
            return Err(Failure::Usage(format!("{target}: is no regular file: put one here")));
        }
        _ => fs::read(target).map_err(|error| Failure::unreadable(target, error))?,
    };
    if bytes.is_empty() {
        bytes.extend_from_slice(HEAD.as_bytes());
    } else if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.push(b'\n');
    for remark in remarks {
        bytes.extend_from_slice(format!("# {remark}\n").as_bytes());
    }
    bytes.extend_from_slice(render::toml::control(entry).as_bytes());
    Ok(bytes)
}

/// The file itself, where a link leads to it.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Puts the bytes there: beside their place, forced to the disk, renamed, and the folder forced as well.
fn put(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(target);
    sweep(folder)?;
    let known = fs::metadata(target).ok().map(|it| it.permissions());
    let mode = Permissions::from_mode(0o666);
    let mut file =
        tempfile::Builder::new().prefix(TEMPORARY).permissions(mode).tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(known) = known {
        file.as_file().set_permissions(known)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// Takes away what a command left that was stopped: nobody else is adding now.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
