//! Parts that were verified apart, put together into what one verification would have found.

use std::collections::BTreeMap;

use super::{FORMAT, OF_REGISTER, Part, Verification, missing, summary};
use crate::id::GraderName;

/// Why parts make no whole. A part is named as its caller named it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotMerged {
    /// There are none.
    #[error("there is no part to put together")]
    None,
    /// It is a whole verification.
    #[error("{name}: is no part of a verification: it is a whole one")]
    Whole {
        /// Which.
        name: String,
    },
    /// It is of another format.
    #[error(
        "{name}: is of format {found}, and this version of accredit reads format {FORMAT}: use the same version for all parts"
    )]
    Format {
        /// Which.
        name: String,
        /// The format.
        found: u32,
    },
    /// It is a part that there cannot be.
    #[error("{name}: says that it is part {} of {}: there is no such part", part.part, part.of)]
    NoSuchPart {
        /// Which.
        name: String,
        /// What it says.
        part: Part,
    },
    /// The parts were cut in different ways.
    #[error(
        "{name}: is one of {found} parts, and {first} is one of {expected}: they are not of one verification"
    )]
    Cut {
        /// Which.
        name: String,
        /// The parts it is one of.
        found: u32,
        /// The first part.
        first: String,
        /// The parts that is one of.
        expected: u32,
    },
    /// It is there twice.
    #[error("{name}: is part {} of {}, and so is {other}: give each part once", part.part, part.of)]
    Doubled {
        /// Which.
        name: String,
        /// The other.
        other: String,
        /// The part.
        part: Part,
    },
    /// One is not there.
    #[error("part {} of {} is missing: what it would have found is not known, and counts as nothing", part.part, part.of)]
    Missing {
        /// Which.
        part: Part,
    },
    /// It was made of another state of the register.
    #[error(
        "{name}: was made of another state of the register than {first}: {what} differs. Verify all parts at one commit, with the same --root-digest and names"
    )]
    Foreign {
        /// Which.
        name: String,
        /// The first part.
        first: String,
        /// What differs.
        what: String,
    },
    /// A grader is in a part that it does not belong to, twice, or not in the one that it does.
    #[error("{name}: {what}: it is not what `accredit verify` writes")]
    Graders {
        /// Which.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// Its summary is not what its checks come to, or a check is missing.
    #[error(
        "{name}: {what}: it was changed after it was written, or is not what `accredit verify` writes"
    )]
    Untrue {
        /// Which.
        name: String,
        /// What is wrong.
        what: String,
    },
}

/// Puts the parts of one verification together, each with the name that it is told by: the result is what a
/// verification of all graders at once would have been.
///
/// # Errors
/// When a part is missing, doubled, of another verification, or not what it says.
pub fn merge(parts: &[(String, Verification)]) -> Result<Verification, NotMerged> {
    let mut by_number: BTreeMap<u32, &(String, Verification)> = BTreeMap::new();
    let Some((first, _)) = parts.first() else { return Err(NotMerged::None) };
    let of = parts.first().and_then(|(_, it)| it.part).map_or(1, |part| part.of);
    for named in parts {
        let (name, verification) = named;
        let part = sound(name, verification)?;
        if part.of != of {
            let (name, first) = (name.clone(), first.clone());
            return Err(NotMerged::Cut { name, found: part.of, first, expected: of });
        }
        if let Some((other, _)) = by_number.insert(part.part, named) {
            return Err(NotMerged::Doubled { name: name.clone(), other: other.clone(), part });
        }
    }
    if let Some(part) = (1..=of).find(|part| !by_number.contains_key(part)) {
        return Err(NotMerged::Missing { part: Part { part, of } });
    }
    let mut whole: Option<&(String, Verification)> = None;
    let mut graders = Vec::new();
    for named in by_number.values() {
        same_register(whole.get_or_insert(named), named)?;
        graders.extend(named.1.graders.iter().cloned());
    }
    let Some((_, first)) = whole else { return Err(NotMerged::None) };
    let (register, asked) = (first.register.clone(), first.asked.clone());
    Ok(Verification::new(None, register, asked, first.checks.clone(), graders))
}

/// Whether a part is what it says; which it is.
fn sound(name: &str, it: &Verification) -> Result<Part, NotMerged> {
    let name = name.to_owned();
    if it.format != FORMAT {
        return Err(NotMerged::Format { name, found: it.format });
    }
    let Some(part) = it.part else { return Err(NotMerged::Whole { name }) };
    if !part.is_sound() {
        return Err(NotMerged::NoSuchPart { name, part });
    }
    let belong: Vec<&GraderName> = it.asked.iter().filter(|grader| part.holds(grader)).collect();
    let found: Vec<&GraderName> = it.graders.iter().map(|grader| &grader.name).collect();
    if found != belong {
        let told = |names: &[&GraderName]| {
            let names: Vec<_> = names.iter().map(|name| name.as_str()).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let what = format!("holds the graders {}, and should hold {}", told(&found), told(&belong));
        return Err(NotMerged::Graders { name, what });
    }
    match untrue(part, it) {
        None => Ok(part),
        Some(what) => Err(NotMerged::Untrue { name, what }),
    }
}

/// What a part says of itself that its checks do not bear out.
fn untrue(part: Part, it: &Verification) -> Option<String> {
    if let Some(check) = it.all_checks().find(|check| check.held != check.breach.is_none()) {
        return Some(format!("its check of {} both held and broke", check.invariant));
    }
    let of_register = if part.is_first() { missing(&OF_REGISTER, &it.checks) } else { Vec::new() };
    let of_graders = it.graders.iter().flat_map(super::GraderVerification::missing);
    if let Some(invariant) = of_register.into_iter().chain(of_graders).next() {
        return Some(format!("a check of {invariant} is missing"));
    }
    if !part.is_first() && !it.checks.is_empty() {
        return Some("only the first part checks the register as a whole".to_owned());
    }
    let summary = summary(&it.broke());
    let says = it.summary != summary;
    says.then(|| format!("it says {:?}, and its checks come to {summary:?}", it.summary))
}

/// Whether two parts were made of one state of the register.
fn same_register(
    (first, one): &(String, Verification),
    (name, other): &(String, Verification),
) -> Result<(), NotMerged> {
    let (a, b) = (&one.register, &other.register);
    let ledger = || {
        let names = |graders: &[super::Ends]| -> Vec<String> {
            graders.iter().map(|it| it.grader.to_string()).collect()
        };
        if names(&a.graders) != names(&b.graders) {
            return Some("the list of graders".to_owned());
        }
        let differs = a.graders.iter().zip(&b.graders).find(|(a, b)| a != b);
        differs.map(|(a, _)| format!("the ledger of `{}`", a.grader))
    };
    let what = if (a.root, a.root_pinned) != (b.root, b.root_pinned) {
        Some("the root of trust".to_owned())
    } else if a.policy != b.policy {
        Some("the policy".to_owned())
    } else if one.asked != other.asked {
        Some("which graders were asked for".to_owned())
    } else {
        ledger()
    };
    match what {
        None => Ok(()),
        Some(what) => Err(NotMerged::Foreign { name: name.clone(), first: first.clone(), what }),
    }
}
