//! Authority in a register: its ledgers, what they rest on, and how things stand today, put together for core.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use accredit_core::authority::{self, Authority, Fact, Rules, Today};
use accredit_core::id::{Digest, GraderName, RubricId};
use accredit_core::ledger::{Book, Chain, Looked, Moment, Payload};
use accredit_core::policy::Policy;
use accredit_core::run::event::Look;
use accredit_core::verdict::{GraderKind, Tier};
use accredit_engine::Semantics;

use crate::check::contract;
use crate::cmd::POLICY_FILE;
use crate::failure::Failure;
use crate::failures;
use crate::read::{self, GraderFile, ReadPolicy};
use crate::registered::{FileDigests, Files};
use crate::store::{Register, place};
use crate::trust::facts::{self, About};
use crate::trust::{self, Trust};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A register, read and checked.
pub struct Registry {
    /// What stands in it.
    pub register: Register,
    /// Whose word counts in it.
    pub trust: Trust,
    /// The policy in force.
    pub policy: ReadPolicy,
    /// Now.
    pub now: Moment,
    books: BTreeMap<GraderName, Books>,
}

/// A grader's two ledgers.
pub struct Books {
    /// All but routine verification.
    pub main: Chain,
    /// Routine verification.
    pub verified: Chain,
}

impl Books {
    /// Whether a grader that is registered has a ledger. One whose ledger was taken away was registered all the
    /// same: its file or its verifications say so.
    ///
    /// # Errors
    /// With exit code 5, when there is none.
    pub fn are_there(&self, register: &Register, name: &GraderName) -> Result<(), Failure> {
        let file = format!("{}/{name}.toml", place::GRADERS);
        let registered = !self.verified.is_empty() || register.read(&file, 1 << 20)?.is_some();
        if !self.main.is_empty() || !registered {
            return Ok(());
        }
        Err(Failure::Integrity(format!(
            "ledger of `{name}`: it is gone, with every promotion and revocation in it, and {}/{file} or the ledger of verifications says that there was one. Restore both of its files from version control",
            register.folder().display()
        )))
    }
}

impl Registry {
    /// Reads a register, and checks everything in it that authority rests on.
    ///
    /// # Errors
    /// When there is none, or something cannot be read; with exit code 5 when a ledger, an object or a signature is
    /// damaged.
    pub fn open(repository: &Path, pinned: Option<Digest>, now: Moment) -> Result<Self, Failure> {
        let register = Register::open(repository)?;
        Self::of(register, pinned, now)
    }

    /// The same of a register that is open already.
    ///
    /// # Errors
    /// As [`Registry::open`].
    pub fn of(register: Register, pinned: Option<Digest>, now: Moment) -> Result<Self, Failure> {
        let mut books = BTreeMap::new();
        for name in register.graders()? {
            let read = |book| register.ledger(&name, book)?.read().map(|reading| reading.chain);
            let both = Books { main: read(Book::Main)?, verified: read(Book::Verified)? };
            both.are_there(&register, &name)?;
            books.insert(name, both);
        }
        Self::with(register, books, pinned, now)
    }

    /// The same with ledgers that were read already.
    ///
    /// # Errors
    /// As [`Registry::open`].
    pub fn with(
        register: Register,
        books: BTreeMap<GraderName, Books>,
        pinned: Option<Digest>,
        now: Moment,
    ) -> Result<Self, Failure> {
        let pinned = trust::pinned(pinned)?;
        let objects = register.objects();
        let find = |digest| objects.find(digest);
        let named = facts::named_versions(books.values().map(|it| &it.main), &find)?;
        let trust = Trust::load(register.repository(), pinned, named, &find)?;
        let policy = policy(register.repository())?;
        Ok(Self { register, trust, policy, now, books })
    }

    /// The names of all graders.
    pub fn names(&self) -> impl Iterator<Item = &GraderName> {
        self.books.keys()
    }

    /// A grader's ledgers.
    ///
    /// # Errors
    /// When there is no such grader.
    pub fn books(&self, name: &GraderName) -> Result<&Books, Failure> {
        self.books.get(name).ok_or_else(|| {
            let known: Vec<_> = self.names().map(ToString::to_string).collect();
            let known = if known.is_empty() { "none is".to_owned() } else { known.join(", ") };
            Failure::Usage(format!(
                "`{name}` is not registered here. Registered: {known}. `accredit register` enters a grader"
            ))
        })
    }

    /// Where a grader's files are, and how it is run.
    ///
    /// # Errors
    /// When its file is missing or has a fault.
    pub fn file(&self, name: &GraderName) -> Result<GraderFile, Failure> {
        let path = self.register.folder().join(place::GRADERS).join(format!("{name}.toml"));
        Ok(read::grader_file(&path)?)
    }

    /// The digests of a grader's files as they lie in the repository.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn files_today(&self, file: &GraderFile) -> Result<FileDigests, Failure> {
        Ok(Files::in_repository(self.register.repository(), file)?.digests())
    }

    /// What its ledger says of a grader, with the signatures that hold.
    ///
    /// # Errors
    /// When there is no such grader, or with exit code 5 when something its ledger names is damaged.
    pub fn facts(&self, name: &GraderName, component: Digest) -> Result<Vec<Fact>, Failure> {
        let books = self.books(name)?;
        let objects = self.register.objects();
        let verifiers = &self.policy.policy.sign_off.verifiers;
        let about = About { component, verifiers };
        let find = |digest| objects.find(digest);
        facts::facts(&books.main, &books.verified, &self.trust.signers, &find, about)
    }

    /// How things stand today for a grader of these files.
    #[must_use]
    pub fn today(&self, name: &GraderName, files: &FileDigests, file: &GraderFile) -> Today {
        Today {
            grader: name.clone(),
            component: files.component,
            controls: files.controls,
            regression: files.regression,
            policy: self.policy.digest,
            policy_signed: self.trust.policy_signed() && self.trust.signers_signed(),
            root_pinned: self.trust.root.is_pinned(),
            contract: contract(),
            semantics: Semantics::of(&file.limits).fingerprint,
            ledger: self.ledger(name),
            root: self.trust.root.root().map(|(digest, _)| digest),
            // What cannot be counted guards nothing.
            failures_missing: failures::counts(self, name).map_or(1, |counts| counts.missing),
            now: self.now.seconds(),
        }
    }

    /// What tells a grader's ledger from every other, one of the same name in another register too: its first entry.
    #[must_use]
    pub fn ledger(&self, name: &GraderName) -> Digest {
        let first = self.books.get(name).and_then(|books| books.main.entry(1));
        first.map_or_else(|| Book::Main.genesis(name), |entry| entry.digest())
    }

    /// What the policy asks of those who sign.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let policy = &self.policy.policy;
        Rules {
            gating_quorum: u64::from(policy.sign_off.gating),
            characterization_quorum: u64::from(policy.sign_off.characterization),
            promoters: policy.sign_off.promoters.clone(),
            independent_authors: asks_independent_authors(policy),
            verifiers: policy.sign_off.verifiers.clone(),
            admins: self.trust.root.admins().into_iter().collect(),
            verified_within: i64::from(policy.verified_within_days) * DAY,
        }
    }

    /// What a grader may do now.
    ///
    /// # Errors
    /// When its files cannot be read, or with exit code 5 when something its ledger names is damaged.
    pub fn authority(&self, name: &GraderName) -> Result<(Authority, FileDigests), Failure> {
        let file = self.file(name)?;
        let files = self.files_today(&file)?;
        let facts = self.facts(name, files.component)?;
        let today = self.today(name, &files, &file);
        Ok((self.by(&facts, &today), files))
    }

    /// What these facts grant.
    #[must_use]
    pub fn by(&self, facts: &[Fact], today: &Today) -> Authority {
        let mut authority = authority::authority(facts, today, &self.rules());
        for (rubric, held_out, looks) in &mut authority.looks {
            *looks = self.looks(rubric, *held_out).0.len() as u64;
        }
        authority
    }

    /// The highest tier that any entry of a grader's ledger promoted it to, whether or not that counts.
    #[must_use]
    pub fn promoted_to(&self, name: &GraderName) -> Option<Tier> {
        let books = self.books.get(name)?;
        let tier = |payload: &Payload| match payload {
            Payload::Promoted(it) => Some(it.tier),
            _ => None,
        };
        books.main.entries().filter_map(|entry| tier(entry.payload())).max()
    }

    /// The looks at a held-out set up to the first one that is of this run; absent where there is none.
    #[must_use]
    pub fn looks_until(
        &self,
        rubric: &RubricId,
        held_out: Digest,
        run: Digest,
    ) -> Option<Vec<Look>> {
        let own = self.books.values().flat_map(|books| books.main.entries());
        let own = own.filter(|entry| {
            matches!(entry.payload(), Payload::Looked(it) if it.run == run && it.held_out == held_out)
        });
        let own = own.min_by_key(|entry| entry.at())?;
        let Payload::Looked(looked) = own.payload() else { return None };
        let last =
            Look { at: own.at(), grader: looked.grader.clone(), component: looked.component };
        let (mut looks, _) = self.looks(rubric, held_out);
        let end = looks.iter().position(|look| *look == last)?;
        looks.truncate(end + 1);
        Some(looks)
    }

    /// Every time that the results of a held-out set were opened, by every grader's ledger, in the order of time;
    /// each run once. With it the runs.
    #[must_use]
    pub fn looks(&self, rubric: &RubricId, held_out: Digest) -> (Vec<Look>, BTreeSet<Digest>) {
        let mut looks = Vec::new();
        let mut runs = BTreeSet::new();
        for books in self.books.values() {
            for entry in books.main.entries() {
                let Payload::Looked(looked) = entry.payload() else { continue };
                let Looked { grader, component, run, .. } = looked;
                let same = looked.rubric == *rubric && looked.held_out == held_out;
                if same && runs.insert(*run) {
                    let (grader, component) = (grader.clone(), *component);
                    looks.push(Look { at: entry.at(), grader, component });
                }
            }
        }
        looks.sort_by_key(|look| look.at);
        (looks, runs)
    }
}

/// Whether any kind of grader asks for it: the kind stands in a registration that nobody need have signed.
fn asks_independent_authors(policy: &Policy) -> bool {
    let asks = |kind| policy.bars(kind, Tier::Gating).is_none_or(|bars| bars.independent_authors);
    asks(GraderKind::Code) || asks(GraderKind::Judge)
}

/// The policy in force: that of the repository's root, else the built-in one.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn policy(repository: &Path) -> Result<ReadPolicy, Failure> {
    let path = repository.join(POLICY_FILE);
    match path.exists() {
        true => Ok(read::policy(&path)?),
        false => Ok(ReadPolicy::new(Policy::default(), "built-in defaults".to_owned(), b"")),
    }
}
