//! `accredit sign`: signs one of the files that people sign, by ssh-keygen.

mod counts;
mod place;
mod what;

use std::path::{Path, PathBuf};

use accredit_core::id::Digest;
use accredit_core::keys::{PublicKey, Signature};
use accredit_core::ledger::Moment;

use self::counts::Told;
use self::place::Beside;
use self::what::What;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::escape::terminal_text;
use crate::trust::{self, Kept};
use crate::{clock, keygen, terminal};

/// Sign a statement, a trust file or a ledger entry
///
/// What a file is tells its namespace. Statements and entries get a file beside them, FILE.sig; for
/// accredit.toml, allowed_signers and root.toml of the register the signature is kept in the register.
/// Signing itself is done by `ssh-keygen -Y sign`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A promotion's statement, an entry's payload, or the register's accredit.toml, .accredit/allowed_signers
    /// or .accredit/root.toml
    file: PathBuf,
    /// Your private key, or a public key whose private half is in ssh-agent or on a hardware key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// What the signature is for [default: told by the file]
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// The folder that holds the register, .accredit
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
}

/// What is signed, and where it stands.
struct Job<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    what: &'a What,
    register: &'a Path,
    pinned: Option<Digest>,
    now: Moment,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let bytes = trust::bounded(&self.file, what::LONGEST)?;
        let (what, in_place) =
            what::recognised(&self.file, &bytes, &self.register, self.namespace.as_deref())?;
        let job = Job {
            file: &self.file,
            bytes: &bytes,
            what: &what,
            register: &self.register,
            pinned: trust::pinned(self.root_digest)?,
            now: clock::now()?,
        };
        what.may_be_signed(job.now)?;
        for line in what.told() {
            terminal::note(&line);
        }
        if in_place { job.for_the_register(&self.key) } else { job.beside(&self.key) }
    }
}

impl Job<'_> {
    /// A file of the register that its administrators sign.
    fn for_the_register(&self, key: &Path) -> Result<Exit, Failure> {
        let kept = Kept::new(self.register);
        let digest = Digest::of(self.bytes);
        let governing = counts::governing(self)?;
        let owner = |public: &PublicKey| {
            governing.owner(public).map(str::to_owned).ok_or_else(|| {
                Failure::Signing(format!(
                    "{public} is no key of an administrator: the root of trust lists {}. Nothing was signed",
                    governing.principals().into_iter().collect::<Vec<_>>().join(", ")
                ))
            })
        };
        let public = keygen::public_half(key);
        if let Some(public) = &public {
            owner(public)?;
        }
        let before = kept.signatures(digest)?;
        let is_own = |it: &Signature| Some(it.key()) == public.as_ref();
        if before.iter().any(is_own) {
            terminal::note(&"this key has signed these bytes already: nothing was added");
        } else {
            let (armoured, signature) = keygen::sign(key, self.what.namespace(), self.bytes)?;
            owner(signature.key())?;
            // The bytes are kept too: they show, later, that an older file was put back.
            trust::put_new(&trust::object_path(self.register, digest), self.bytes)?;
            let path = kept.put(digest, &armoured)?;
            terminal::print(&format!("wrote {}\n", terminal_text(&path.display().to_string())))?;
        }
        Self::tell(&counts::of_administrators(self, &governing, &kept.signatures(digest)?))
    }

    /// A file that gets its signatures beside it.
    fn beside(&self, key: &Path) -> Result<Exit, Failure> {
        let mut beside = Beside::read(self.file, self.what.namespace(), self.bytes)?;
        let public = keygen::public_half(key);
        let own = match beside.by(public.as_ref()) {
            Some((path, signature)) => {
                let path = path.display().to_string();
                terminal::note(&format!(
                    "{path}: this key has signed already: nothing was written"
                ));
                signature.clone()
            }
            None => {
                let (armoured, signature) = keygen::sign(key, self.what.namespace(), self.bytes)?;
                let all: Vec<_> = beside.signatures().cloned().chain([signature.clone()]).collect();
                let told = counts::of_signers(self, &signature, &all)?;
                if !told.counts {
                    // In the place where the one that counts is to stand it would only be in the way.
                    terminal::note(&"nothing was written");
                    return Self::tell(&told);
                }
                let path = beside.put(&armoured, &signature)?;
                let path = terminal_text(&path.display().to_string());
                terminal::print(&format!("wrote {path}\n"))?;
                return Self::tell(&told);
            }
        };
        let signatures: Vec<_> = beside.signatures().cloned().collect();
        let told = counts::of_signers(self, &own, &signatures)?;
        Self::tell(&told)
    }

    fn tell(told: &Told) -> Result<Exit, Failure> {
        for warning in &told.warnings {
            terminal::warning(warning);
        }
        let lines: Vec<_> = told.lines.iter().map(|line| terminal_text(line) + "\n").collect();
        terminal::print(&lines.concat())?;
        Ok(if told.counts { Exit::Met } else { Exit::NotMet })
    }
}
