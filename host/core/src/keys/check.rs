//! Whether a signature is one that counts, and whose it is.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allowed_signers::{Allowed, AllowedSigners};
use super::people::People;
use super::root::Root;
use super::signature::{Signature, SignatureFault};
use crate::ledger::Moment;

/// Somebody whose signature was checked: valid for the bytes, the namespace and the moment of the entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Signer {
    /// Who.
    pub principal: String,
    /// By which key: its fingerprint.
    pub key: String,
    /// Everyone whose key this is, and every key of theirs, comes to one person: the least of their names.
    pub person: String,
}

/// Why a signature counts for nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotASigner {
    /// Nobody is known to have this key.
    #[error("the key {0} is not in allowed_signers: nobody is known to sign with it")]
    UnknownKey(String),
    /// Its owner may not sign such things.
    #[error(
        "the key of {principals} may not sign for `{namespace}`: its line in allowed_signers names others"
    )]
    NamespaceNotAllowed {
        /// Whose key it is.
        principals: String,
        /// What it signed for.
        namespace: String,
    },
    /// The key was not valid yet.
    #[error("the key of {principals} is valid from {from} on, and this was signed for {moment}")]
    NotYetValid {
        /// Whose key it is.
        principals: String,
        /// From when on.
        from: Moment,
        /// The moment in question.
        moment: Moment,
    },
    /// The key was valid no more.
    #[error("the key of {principals} was valid until {until}, and this was signed for {moment}")]
    Expired {
        /// Whose key it is.
        principals: String,
        /// Until when.
        until: Moment,
        /// The moment in question.
        moment: Moment,
    },
    /// The signature itself is wrong.
    #[error("{0}")]
    Signature(#[from] SignatureFault),
}

impl NotASigner {
    /// Whether this is a signature that does not hold at all, whoever made it.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(self, Self::Signature(SignatureFault::Wrong))
    }
}

/// Who may sign, made ready to be asked often.
#[derive(Debug, Clone, PartialEq)]
pub struct Signers {
    file: AllowedSigners,
    people: People,
    by_key: HashMap<String, Vec<usize>>,
}

impl Signers {
    /// The signers of this file. Names are joined by its keys and by those of the root.
    #[must_use]
    pub fn new(file: AllowedSigners, root: Option<&Root>) -> Self {
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, allowed) in file.allowed.iter().enumerate() {
            by_key.entry(allowed.key.fingerprint().to_owned()).or_default().push(at);
        }
        let listed = file.allowed.iter().flat_map(|allowed| {
            let key = allowed.key.fingerprint();
            allowed.principals.iter().map(move |name| (name.as_str(), key))
        });
        let admins = root.iter().flat_map(|root| &root.admins);
        let admins = admins.map(|admin| (admin.principal.as_str(), admin.key.fingerprint()));
        let people = People::of(listed.chain(admins));
        Self { file, people, by_key }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &AllowedSigners {
        &self.file
    }

    /// Who is one person with whom.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Who signed these bytes for this namespace, if their key might do so at every one of these moments. A key
    /// with several names signs for each of them, and they are one person.
    ///
    /// # Errors
    /// Why it counts for nobody.
    pub fn check(
        &self,
        signature: &Signature,
        namespace: &str,
        bytes: &[u8],
        moments: &[Moment],
    ) -> Result<Vec<Signer>, NotASigner> {
        let allowed = self.allowed(signature, namespace, moments)?;
        signature.holds(namespace, bytes)?;
        let key = signature.key().fingerprint();
        let mut signers: Vec<Signer> = allowed
            .iter()
            .flat_map(|allowed| &allowed.principals)
            .map(|principal| Signer {
                principal: principal.clone(),
                key: key.to_owned(),
                person: self.people.person(principal).to_owned(),
            })
            .collect();
        signers.sort();
        signers.dedup();
        Ok(signers)
    }

    /// The lines by which a signature may count, before it is checked itself.
    fn allowed(
        &self,
        signature: &Signature,
        namespace: &str,
        moments: &[Moment],
    ) -> Result<Vec<&Allowed>, NotASigner> {
        let key = signature.key();
        let same = self.by_key.get(key.fingerprint()).into_iter().flatten();
        let lines: Vec<_> = same.filter_map(|at| self.file.allowed.get(*at)).collect();
        let lines: Vec<_> = lines.into_iter().filter(|it| it.key == *key).collect();
        if lines.is_empty() {
            return Err(NotASigner::UnknownKey(key.fingerprint().to_owned()));
        }
        signature.is_for(namespace)?;
        let principals = names(&lines);
        let lines: Vec<_> = lines.into_iter().filter(|it| it.is_for(namespace)).collect();
        let Some(last) = lines.last().copied() else {
            let namespace = namespace.to_owned();
            return Err(NotASigner::NamespaceNotAllowed { principals, namespace });
        };
        let holds = |it: &&&Allowed| moments.iter().all(|moment| it.window.holds(*moment));
        let valid: Vec<_> = lines.iter().filter(holds).copied().collect();
        if valid.is_empty() { Err(outside(last, moments, principals)) } else { Ok(valid) }
    }
}

fn names(lines: &[&Allowed]) -> String {
    let mut names: Vec<_> =
        lines.iter().flat_map(|it| &it.principals).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

fn outside(allowed: &Allowed, moments: &[Moment], principals: String) -> NotASigner {
    let window = allowed.window;
    let early = moments.iter().find(|moment| window.is_before(**moment));
    let late = moments.iter().find(|moment| window.is_after(**moment));
    match (early.zip(window.after), late.zip(window.before)) {
        (Some((moment, from)), _) => NotASigner::NotYetValid { principals, from, moment: *moment },
        (_, Some((moment, until))) => NotASigner::Expired { principals, until, moment: *moment },
        // A line that holds at every moment is not outside.
        (None, None) => NotASigner::UnknownKey(allowed.key.fingerprint().to_owned()),
    }
}
