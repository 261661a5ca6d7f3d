//! `accredit promote`: from evidence to a statement to sign, and from a signed statement to authority.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use accredit_core::id::Digest;
use accredit_core::keys::{PROMOTION, Signature};
use accredit_core::statement::NotPromotable;
use accredit_core::verdict::Tier;
use clap::builder::TypedValueParser as _;

use super::record_at;
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::promotion::{self, Checked, Evidence, Proposal};
use crate::render::escape::terminal_text;
use crate::store::Writing;
use crate::{clock, terminal, trust};

/// No statement and no signature is longer.
const LONGEST: u64 = 1 << 20;

/// Promote a grader: first the statement that people sign, then the promotion that their signatures make
///
/// `accredit promote RECORD --to gating` writes the statement and says who may sign it and how.
/// `accredit promote --statement FILE --signature FILE.sig` checks the signatures and appends the promotion to the
/// grader's ledger. Exit 1: the evidence does not reach the tier, or the signatures do not suffice.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run record, or the folder that `check --out` left
    #[arg(required_unless_present = "statement", requires = "to", conflicts_with = "statement")]
    record: Option<PathBuf>,
    /// The tier to promote to
    #[arg(long, value_name = "TIER", value_parser = tier())]
    to: Option<Tier>,
    /// A statement that was signed
    #[arg(long, value_name = "FILE")]
    statement: Option<PathBuf>,
    /// A signature over it, one in a file; may be given several times [default: those beside it, FILE.sig, FILE.2.sig
    /// and so on, as `accredit sign` leaves them]
    #[arg(long, value_name = "FILE", requires = "statement")]
    signature: Vec<PathBuf>,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
}

fn tier() -> impl clap::builder::TypedValueParser<Value = Tier> {
    let tiers = [Tier::Characterization, Tier::Gating].map(Tier::name);
    clap::builder::PossibleValuesParser::new(tiers)
        .map(|name| name.parse::<Tier>().unwrap_or(Tier::Gating))
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match (&self.record, &self.statement) {
            (Some(record), _) => self.propose(record),
            (None, Some(statement)) => self.enter(statement),
            (None, None) => Err(Failure::Usage("give a run record, or --statement".to_owned())),
        }
    }

    fn propose(&self, record: &Path) -> Result<Exit, Failure> {
        let evidence = Evidence::read(&record_at(record))?;
        if evidence.is_copy() {
            return Err(NotPromotable::AuthorsCopy.into());
        }
        let register = Writing::open(&self.register)?;
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let tier = self.to.unwrap_or(Tier::Gating);
        match promotion::propose(&registry, &register, &evidence, tier) {
            Err(Failure::NotPromotable(why @ NotPromotable::OutOfReach { .. })) => {
                terminal::error(&why);
                Ok(Exit::NotMet)
            }
            Err(failure) => Err(failure),
            Ok(proposal) => {
                let mut told = told(&registry, &proposal, evidence.is_private(), &self.register);
                for way in promotion::in_the_way(&registry, &proposal)? {
                    let _ = writeln!(told, "\nBefore it can be entered: {way}");
                }
                terminal::print(&told)?;
                Ok(Exit::Met)
            }
        }
    }

    fn enter(&self, path: &Path) -> Result<Exit, Failure> {
        let read = |path: &Path| trust::bounded(path, LONGEST);
        let bytes = read(path)?;
        let statement = promotion::statement(path, &bytes)?;
        let mut signatures = Vec::new();
        let mut armoured = Vec::new();
        for path in self.signatures(path) {
            let path = path.as_path();
            let bytes = read(path)?;
            let signature = Signature::parse(&bytes)
                .map_err(|fault| Failure::Usage(format!("{}: {fault}", path.display())))?;
            signatures.push(signature);
            armoured.push(bytes);
        }
        // Checked while nobody else writes: what is appended is what was checked.
        let mut register = Writing::open(&self.register)?;
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let name = statement.predicate.grader.clone();
        if let Some(entry) = promotion::is_entered(&registry, &name, Digest::of(&bytes)) {
            return Err(Failure::Usage(format!(
                "{}: is in the ledger of `{name}` already (entry {entry}); a statement promotes once",
                path.display()
            )));
        }
        let checked = promotion::check(&registry, statement, &bytes, &signatures)?;
        for why in &checked.refused {
            terminal::warning(why);
        }
        let tier = checked.statement.predicate.tier;
        if checked.authority.tier < tier {
            terminal::error(&refused(&checked));
            return Ok(Exit::NotMet);
        }
        let entry =
            promotion::append(&registry, &mut register, (&checked.statement, &bytes), &armoured)?;
        terminal::print(&entered(&checked, entry))?;
        Ok(Exit::Met)
    }
}

impl Args {
    /// The files of signatures: those that were given, else those beside the statement.
    fn signatures(&self, statement: &Path) -> Vec<PathBuf> {
        if !self.signature.is_empty() {
            return self.signature.clone();
        }
        let beside = |count: usize| {
            let mut name = statement.as_os_str().to_owned();
            name.push(if count == 1 { ".sig".to_owned() } else { format!(".{count}.sig") });
            PathBuf::from(name)
        };
        (1..=64).map(beside).take_while(|path| path.exists()).collect()
    }
}

/// What was made, what it says, and who may sign it how.
fn told(registry: &Registry, proposal: &Proposal, private: bool, register: &Path) -> String {
    let Proposal { statement, path, .. } = proposal;
    let predicate = &statement.predicate;
    let sign_off = &registry.policy.policy.sign_off;
    let persons = match predicate.tier {
        Tier::Gating => sign_off.gating,
        _ => sign_off.characterization,
    };
    let mut text = String::new();
    let shown = path.display();
    let _ = writeln!(
        text,
        "{} may be promoted to {}, once it is signed for until {}\nwritten: {shown}\n",
        predicate.grader, predicate.tier, predicate.not_after
    );
    for waiver in &predicate.waivers {
        let reason = terminal_text(&waiver.reason);
        let _ = writeln!(text, "waived: {} ({}): {reason}", waiver.requirement, waiver.tier);
    }
    if private {
        text.push_str("Its record and report tell of held-out controls: they are not put into the register, where authors\ncan read it. Keep them; whoever checks the promotion needs them.\n");
    }
    let who = match sign_off.promoters.is_empty() {
        true => "nobody yet: name `promoters` under [sign_off] in accredit.toml".to_owned(),
        false => {
            sign_off.promoters.iter().map(|it| terminal_text(it)).collect::<Vec<_>>().join(", ")
        }
    };
    let flag = match register == Path::new(".") {
        true => String::new(),
        false => format!(" --register {}", register.display()),
    };
    let _ = write!(
        text,
        "{persons} of these must sign, none of whom wrote the grader or its controls: {who}\n\n  \
         accredit sign {shown} --key KEY{flag}\n  or: ssh-keygen -Y sign -f KEY -n {PROMOTION} {shown}\n\nThen: \
         accredit promote --statement {shown}{flag}\n"
    );
    for missing in registry.trust.missing() {
        if predicate.tier == Tier::Gating {
            let _ = writeln!(text, "\nBefore it can gate: {missing}");
        }
    }
    text
}

/// Why the signatures do not suffice.
fn refused(checked: &Checked) -> String {
    let signers: Vec<_> = checked.signers.iter().map(|it| it.principal.as_str()).collect();
    let signers = if signers.is_empty() { "nobody".to_owned() } else { signers.join(", ") };
    let reasons: Vec<_> = checked.authority.reasons.iter().map(|it| it.text()).collect();
    format!(
        "this would not grant {}: {}. Signed by {signers}. Nothing was appended",
        checked.statement.predicate.tier,
        reasons.join("; ")
    )
}

fn entered(checked: &Checked, entry: u64) -> String {
    let predicate = &checked.statement.predicate;
    let signers: Vec<_> = checked.signers.iter().map(|it| terminal_text(&it.principal)).collect();
    format!(
        "{} is promoted to {} by {}: entry {entry} of its ledger\n`accredit status` shows how it stands; `accredit verify-promotion {}` checks it again, offline\n",
        predicate.grader,
        predicate.tier,
        signers.join(" and "),
        predicate.grader
    )
}
