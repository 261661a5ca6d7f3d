//! `accredit init`: make a register.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::id::Digest;
use accredit_core::keys::PublicKey;

use super::POLICY_FILE;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::{Writing, place};
use crate::terminal;

/// Make a register in a folder: the folder .accredit, and a policy where there is none
///
/// Nothing that is there is overwritten. Keys are OpenSSH public keys (`ssh-keygen -t ed25519`); the private halves
/// never come near accredit.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The root of the repository
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// An administrator, who signs policy and signers: a name and a file with their public key
    #[arg(long, value_name = "NAME=FILE", value_parser = named_key)]
    admin: Vec<NamedKey>,
    /// How many administrators must sign
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    quorum: u64,
    /// Somebody who may sign promotions
    #[arg(long, value_name = "NAME=FILE", value_parser = named_key)]
    promoter: Vec<NamedKey>,
    /// Who may say that a grader was verified, such as a nightly job
    #[arg(long, value_name = "NAME=FILE", value_parser = named_key)]
    verifier: Vec<NamedKey>,
    /// Somebody who writes graders or controls, and signs for having written them
    #[arg(long, value_name = "NAME=FILE", value_parser = named_key)]
    author: Vec<NamedKey>,
}

/// A name and the file of its key.
#[derive(Debug, Clone)]
struct NamedKey {
    name: String,
    file: PathBuf,
}

fn named_key(text: &str) -> Result<NamedKey, String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok(NamedKey { name: name.to_owned(), file: file.into() })
        }
        _ => Err("write a name, `=` and the file of a public key: ada@example.org=ada.pub".into()),
    }
}

/// Somebody and their key, in OpenSSH's words.
struct Person<'a> {
    name: &'a str,
    key: String,
}

/// The namespaces of what somebody in a role signs.
const ROLES: [(&str, &str); 4] = [
    ("admin", "noted.v1@accredit,revoked.v1@accredit"),
    ("promoter", "promotion.v1@accredit,decided.v1@accredit,revoked.v1@accredit,noted.v1@accredit"),
    ("verifier", "verified.v1@accredit,failed-verification.v1@accredit,revoked.v1@accredit"),
    ("author", "registered.v1@accredit,revoked.v1@accredit"),
];

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let admins = keys(&self.admin)?;
        let root = (!admins.is_empty()).then(|| root(&admins, self.quorum));
        let roles = [admins, keys(&self.promoter)?, keys(&self.verifier)?, keys(&self.author)?];
        let policy = self.folder.join(POLICY_FILE);
        // Read before anything is made: a register beside a policy that cannot be read is of no use.
        let own_policy = policy.exists();
        if own_policy {
            crate::read::policy(&policy)?;
        }
        fs::create_dir_all(&self.folder)
            .map_err(|error| Failure::unwritable(&self.folder, error, "Nothing was made"))?;
        let register = Writing::make(&self.folder)?;
        register.write_new(place::SIGNERS, signers(&roles).as_bytes())?;
        if let Some(root) = &root {
            register.write_new(place::ROOT, root.as_bytes())?;
            // A later root names this one, and is signed by its administrators.
            register.put(root.as_bytes())?;
        }
        if !own_policy {
            let text = policy_text(&roles);
            fs::write(&policy, text)
                .map_err(|error| Failure::unwritable(&policy, error, "The register was made"))?;
        }
        leave_line_ends(&self.folder)?;
        terminal::print(&self.told(root.as_deref(), own_policy))?;
        Ok(Exit::Met)
    }

    /// What was made, and what comes next.
    fn told(&self, root: Option<&str>, own_policy: bool) -> String {
        let within = |name: &str| match self.folder == Path::new(".") {
            true => name.to_owned(),
            false => self.folder.join(name).display().to_string(),
        };
        let (register, policy) = (within(place::REGISTER), within(POLICY_FILE));
        let mut text = format!("made {register}");
        text.push_str(if own_policy { "; " } else { " and " });
        let _ = writeln!(
            text,
            "{policy}{}\n",
            if own_policy { " is left as it is" } else { ", a policy of the built-in bars" }
        );
        if own_policy {
            text.push_str(&self.sign_off_to_add());
        }
        let Some(root) = root else {
            text.push_str(
                "No root of trust yet: nothing above characterization will be granted. Make one with --admin\n\
                 NAME=FILE in an empty folder, or write .accredit/root.toml (README, \"Authority\").\n",
            );
            return text;
        };
        let digest = Digest::of(root.as_bytes());
        let _ = write!(
            text,
            "Pin the root of trust outside of the repository, as a protected variable of your CI:\n  \
             export ACCREDIT_ROOT_DIGEST={digest}\n\n\
             Then {} must sign what says who may sign, and what passing means:\n  \
             accredit sign {register}/{} --key KEY\n  \
             accredit sign {policy} --key KEY\n\n\
             Next: accredit register COMPONENT --controls DIR --wrote grader --key KEY\n",
            match self.quorum {
                1 => "an administrator".to_owned(),
                more => format!("{more} administrators"),
            },
            place::SIGNERS,
        );
        text
    }
}

impl Args {
    /// What a policy that was there before lacks: without it nobody may promote or verify.
    fn sign_off_to_add(&self) -> String {
        let names = |people: &[NamedKey]| {
            let names: Vec<_> = people.iter().map(|it| quoted(&it.name)).collect();
            names.join(", ")
        };
        format!(
            "See that the policy says who may sign, or nobody can promote or verify:\n\n  version = 1\n\n  [sign_off]\n  promoters = [{}]\n  verifiers = [{}]\n\n",
            names(&self.promoter),
            names(&self.verifier)
        )
    }
}

/// The keys, each read and checked.
fn keys(named: &[NamedKey]) -> Result<Vec<Person<'_>>, Failure> {
    let key = |named: &'_ NamedKey| -> Result<String, Failure> {
        let text = fs::read_to_string(&named.file)
            .map_err(|error| Failure::unreadable(&named.file, error))?;
        let key = PublicKey::parse(&text).map_err(|fault| {
            Failure::Usage(format!(
                "{}: {fault}. Give the file of a public key (it ends in .pub)",
                named.file.display()
            ))
        })?;
        Ok(key.to_openssh())
    };
    named.iter().map(|it| Ok(Person { name: &it.name, key: key(it)? })).collect()
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn root(admins: &[Person<'_>], quorum: u64) -> String {
    let mut text = format!(
        "# The root of trust: whose signatures change the policy, the signers and this file. Its digest is pinned\n\
         # outside of the repository. The next one takes its place: version 2, `previous` with the digest of this\n\
         # one, signed by the administrators of this one.\nversion = 1\nquorum = {quorum}\n"
    );
    for Person { name, key } in admins {
        let _ = write!(text, "\n[[admin]]\nprincipal = {}\nkey = {}\n", quoted(name), quoted(key));
    }
    text
}

/// `allowed_signers`: a line for each person and role.
fn signers(roles: &[Vec<Person<'_>>; 4]) -> String {
    let mut text = String::from(
        "# accredit: version 1\n\
         # Who may sign what (OpenSSH's format: ssh-keygen(1), ALLOWED SIGNERS). Count the version up with every\n\
         # change, and have the administrators sign the file again. A key that is to sign no more gets\n\
         # valid-before=\"YYYYMMDDZ\": what it signed until then stays signed.\n",
    );
    for ((role, namespaces), people) in ROLES.iter().zip(roles) {
        for Person { name, key } in people {
            let _ = writeln!(text, "{name} namespaces=\"{namespaces}\" {key} {role}");
        }
    }
    text
}

fn policy_text(roles: &[Vec<Person<'_>>; 4]) -> String {
    let names = |people: &[Person<'_>]| {
        let names: Vec<_> = people.iter().map(|it| quoted(it.name)).collect();
        names.join(", ")
    };
    let [_, promoters, verifiers, _] = roles;
    format!(
        "# The policy: what a grader must show before it may block a release. What is not stated here is as\n\
         # `accredit policy explain` shows it. Count the version up with every change, and have it signed again.\n\
         version = 1\n\n\
         [sign_off]\n\
         # Persons who must sign a promotion, at least; and who may.\n\
         gating = 1\ncharacterization = 1\npromoters = [{}]\nverifiers = [{}]\n",
        names(promoters),
        names(verifiers)
    )
}

/// The line that keeps git from converting line ends in what is digested and signed.
const ATTRIBUTES: &str = ".accredit/** -text\naccredit.toml -text\n";

fn leave_line_ends(folder: &Path) -> Result<(), Failure> {
    let path = folder.join(".gitattributes");
    let fail = |error| Failure::unwritable(&path, error, "The register was made");
    let mut text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.map_err(fail)?,
    };
    if text.lines().any(|line| line == ".accredit/** -text") {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(ATTRIBUTES);
    fs::write(&path, text).map_err(fail)
}
