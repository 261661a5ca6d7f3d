//! The root of trust: whose signatures change the policy, the signers and the root itself.

use std::collections::{BTreeMap, BTreeSet};

use super::allowed_signers::refused;
use super::public_key::PublicKey;
use super::shown;
use crate::id::Digest;

/// More administrators than this are not taken.
const MOST: usize = 100;

/// A root of trust.
#[derive(Debug, Clone, PartialEq)]
pub struct Root {
    /// Its version, from 1.
    pub version: u64,
    /// How many administrators must sign.
    pub quorum: u64,
    /// The root that it takes the place of; absent in the first.
    pub previous: Option<Digest>,
    /// The keys of administrators. One of them may have several.
    pub admins: Vec<Admin>,
}

/// A key of an administrator.
#[derive(Debug, Clone, PartialEq)]
pub struct Admin {
    /// Whose.
    pub principal: String,
    /// The key.
    pub key: PublicKey,
}

/// A root as its file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootText {
    /// `version`.
    pub version: u64,
    /// `quorum`.
    pub quorum: u64,
    /// `previous`.
    pub previous: Option<Digest>,
    /// `[[admin]]`.
    pub admins: Vec<AdminText>,
}

/// `[[admin]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminText {
    /// `principal`.
    pub principal: String,
    /// `key`.
    pub key: String,
}

/// What is wrong with a root, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootFault {
    /// Which `[[admin]]`, from 0; absent for the file's own keys.
    pub admin: Option<usize>,
    /// The key in question.
    pub key: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub mend: String,
}

impl RootFault {
    fn new(
        admin: Option<usize>,
        key: &'static str,
        message: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { admin, key, message: message.into(), mend: mend.into() }
    }
}

impl Root {
    /// Checks what a file states.
    ///
    /// # Errors
    /// Every fault of it.
    pub fn new(text: &RootText) -> Result<Self, Vec<RootFault>> {
        let mut faults = Vec::new();
        versions(text, &mut faults);
        let admins = admins(&text.admins, &mut faults);
        let names: BTreeSet<_> = text.admins.iter().map(|it| it.principal.to_lowercase()).collect();
        let most = names.len() as u64;
        if text.quorum < 1 || text.quorum > most {
            let message = format!("a quorum of {}, and {most} administrators", text.quorum);
            let mend = "write how many administrators must sign, from 1 to as many as there are";
            faults.push(RootFault::new(None, "quorum", message, mend));
        }
        let RootText { version, quorum, previous, .. } = *text;
        if faults.is_empty() { Ok(Self { version, quorum, previous, admins }) } else { Err(faults) }
    }

    /// The names of the administrators, each once.
    #[must_use]
    pub fn principals(&self) -> BTreeSet<&str> {
        self.admins.iter().map(|admin| admin.principal.as_str()).collect()
    }

    /// Whose key this is.
    #[must_use]
    pub fn owner(&self, key: &PublicKey) -> Option<&str> {
        let admin = self.admins.iter().find(|admin| admin.key == *key)?;
        Some(&admin.principal)
    }
}

fn versions(text: &RootText, faults: &mut Vec<RootFault>) {
    let mut fault = |key, message, mend| faults.push(RootFault::new(None, key, message, mend));
    match (text.version, text.previous) {
        (0, _) => fault("version", "version 0", "count from 1"),
        (1, Some(_)) => {
            let mend = "take `previous` out, or count `version` up by one";
            fault("previous", "the first root takes no other's place", mend);
        }
        (2.., None) => {
            let mend =
                "name the root that this one takes the place of: `previous = \"blake3:...\"`";
            fault("previous", "a later root without the one before it", mend);
        }
        _ => {}
    }
}

fn admins(texts: &[AdminText], faults: &mut Vec<RootFault>) -> Vec<Admin> {
    let mut admins = Vec::new();
    let mut owners: BTreeMap<PublicKey, String> = BTreeMap::new();
    let mut spelled: BTreeMap<String, &str> = BTreeMap::new();
    if texts.is_empty() || texts.len() > MOST {
        let message = format!("{} keys of administrators", texts.len());
        faults.push(RootFault::new(None, "admin", message, "write from 1 to 100 [[admin]]"));
    }
    for (at, AdminText { principal, key }) in texts.iter().enumerate().take(MOST) {
        let mut fault = |key, message: String, mend: &str| {
            faults.push(RootFault::new(Some(at), key, message, mend));
        };
        let why = if principal.is_empty() { Some("it is empty") } else { refused(principal) };
        let first = *spelled.entry(principal.to_lowercase()).or_insert(principal);
        if let Some(why) = why {
            let message = format!("`{}` is no name that is taken: {why}", shown(principal));
            fault("principal", message, "write the exact name, such as ada@example.org");
        } else if first != principal {
            let message =
                format!("`{principal}` is `{}` but for the case of letters", shown(first));
            fault("principal", message, "write one person's name in one way");
        }
        match PublicKey::parse(key) {
            Err(why) => fault("key", why.to_string(), "mend this key"),
            Ok(key) => match owners.get(&key) {
                Some(owner) if owner == principal => {
                    fault("key", "the key stands twice".to_owned(), "keep one of the two");
                }
                Some(owner) => {
                    let message = format!("the key is that of `{}` as well", shown(owner));
                    fault(
                        "key",
                        message,
                        "give each administrator a key of their own: one key would sign as two",
                    );
                }
                None => {
                    owners.insert(key.clone(), principal.clone());
                    admins.push(Admin { principal: principal.clone(), key });
                }
            },
        }
    }
    admins
}
