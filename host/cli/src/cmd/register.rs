//! `accredit register`: enter a grader, its controls and who wrote them into a register.

use std::path::{Component, Path, PathBuf};

use accredit_core::id::Digest;
use accredit_core::ledger::{Moment, Payload, PayloadKind, Registered, V1, Work};
use accredit_core::verdict::GraderKind;
use clap::ValueEnum;

use super::limits::LimitArgs;
use crate::asked::Sources;
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::read::GraderFile;
use crate::registered::Files;
use crate::signing::{self, Signed};
use crate::store::{Writing, place as within};
use crate::{clock, place, terminal};

/// Enter a grader, its controls and who wrote them into a register
///
/// Whoever signs says that they wrote the component or the controls, and can then sign no promotion of it. Run
/// it once for each author; for gating both parts must be signed for, by different people.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader: a WebAssembly component in the repository
    grader: PathBuf,
    /// The folder of its control set, in the repository
    #[arg(long, value_name = "DIR")]
    controls: PathBuf,
    /// Labelled real outputs as well, in the repository; may be given several times
    #[arg(long, value_name = "FILE")]
    real_output: Vec<PathBuf>,
    /// What the signer wrote of it
    #[arg(long, value_enum, required = true, value_delimiter = ',')]
    wrote: Vec<Wrote>,
    /// Name others who wrote it as well, by the names of allowed_signers: they may not sign promotions of it either
    #[arg(long, value_name = "NAME")]
    author: Vec<String>,
    /// The author's key: a private key, or a public one whose private half an agent or a hardware key holds.
    /// Without one the entry is unsigned, and its author unknown: that never gates
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Trials of each case, in every run of it
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Seed of its runs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What an author wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wrote {
    /// The component
    Grader,
    /// The controls
    Controls,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let file = self.file()?;
        let root = &self.register;
        let files = Files::in_repository(root, &file)?;
        let (set, outputs) = files.controls()?;
        let sources = Sources {
            controls: &self.controls,
            real_outputs: &[],
            held_out: None,
            withhold: false,
        };
        let asked = sources.put_together(set, outputs)?;
        let (_engine, grader) =
            place::load_bytes(&self.grader, &files.component, file.limits.clone(), 1)?;
        let manifest = grader.manifest();
        let policy = crate::authority::policy(root)?;
        asked.fits(&self.controls, manifest)?;
        let digests = files.digests();
        let mut wrote: Vec<_> = self.wrote.iter().map(|it| it.work()).collect();
        wrote.sort_unstable();
        wrote.dedup();
        let payload = Payload::Registered(Registered {
            v: V1,
            grader: manifest.name.clone(),
            component: digests.component,
            rubric: manifest.rubric.clone(),
            grader_kind: policy.policy.kind_of(&manifest.name, grader.kind()),
            controls: digests.controls,
            wrote,
            authors: self.author.clone(),
        });
        let text = payload.to_json();
        let at = clock::now()?;
        let signed = self.sign(&text, at)?;
        let mut register = Writing::open(root)?;
        for object in files.objects() {
            register.put(&object)?;
        }
        let armoured: Vec<_> = signed.iter().map(|it| it.armoured.clone()).collect();
        let last = register.append(&text, &armoured, at)?;
        // Behind the entry: a grader with a file and no ledger is one whose ledger was taken away.
        let place = format!("{}/{}.toml", within::GRADERS, manifest.name);
        register.write(&place, file.to_toml().as_bytes())?;
        terminal::print(&told(&payload, last.seq, signed.as_ref()))?;
        Ok(Exit::Met)
    }

    /// Signs the payload, where there is a key.
    fn sign(&self, payload: &str, at: Moment) -> Result<Option<Signed>, Failure> {
        let Some(key) = &self.key else { return Ok(None) };
        let registry = Registry::open(&self.register, self.root_digest, at)?;
        let namespace = PayloadKind::Registered.namespace();
        signing::sign(&registry, key, &namespace, payload.as_bytes(), at).map(Some)
    }

    /// What the register keeps of where the files are and how they are run.
    fn file(&self) -> Result<GraderFile, Failure> {
        let inside = |path: &Path| inside(&self.register, path);
        Ok(GraderFile {
            component: inside(&self.grader)?,
            controls: inside(&self.controls)?,
            real_outputs: self.real_output.iter().map(|it| inside(it)).collect::<Result<_, _>>()?,
            seed: self.seed,
            repeats: self.repeats,
            limits: self.limits.limits(),
        })
    }
}

impl Wrote {
    fn work(self) -> Work {
        match self {
            Self::Grader => Work::Grader,
            Self::Controls => Work::Controls,
        }
    }
}

/// A path from the repository's root.
fn inside(root: &Path, path: &Path) -> Result<String, Failure> {
    let whole = |path: &Path| path.canonicalize().map_err(|error| Failure::unreadable(path, error));
    let (root, found) = (whole(root)?, whole(path)?);
    let relative = found.strip_prefix(&root).ok();
    let text = relative.and_then(Path::to_str).filter(|it| !it.is_empty());
    let plain = |it: &&str| Path::new(it).components().all(|it| matches!(it, Component::Normal(_)));
    text.filter(plain).map(str::to_owned).ok_or_else(|| {
        Failure::Usage(format!(
            "{}: lies outside of {}, which holds the register. Everything that is registered lies in the repository, so that others can check it; held-out controls alone lie elsewhere, and are not registered",
            path.display(),
            root.display()
        ))
    })
}

fn told(payload: &Payload, entry: u64, signed: Option<&Signed>) -> String {
    let Payload::Registered(registered) = payload else { return String::new() };
    let wrote: Vec<_> = registered
        .wrote
        .iter()
        .map(|work| match work {
            Work::Grader => "the grader",
            Work::Controls => "the controls",
        })
        .collect();
    let kind = match registered.grader_kind {
        GraderKind::Code => "code",
        GraderKind::Judge => "judge",
    };
    let by = match signed {
        Some(signed) => {
            format!("signed by {} as having written {}", signed.who(), wrote.join(" and "))
        }
        None => "unsigned: its author is unknown, and that never gates. Give --key".to_owned(),
    };
    format!(
        "registered {} ({kind}) · component {} · controls {} · entry {entry}\n{by}\n\nNext: accredit check, then accredit promote (README, \"Authority\")\n",
        registered.grader,
        registered.component.short(),
        registered.controls.short(),
    )
}
