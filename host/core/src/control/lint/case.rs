//! Faults of a case on its own, whichever file it stands in.

use super::{LintFault, quoted};
use crate::case::Case;
use crate::control::set::Place;
use crate::id::ControlId;
use crate::manifest::is_object_or_empty;

/// Every fault of this case: names that are repeated or empty, roles that are none, and `context` or `extra`
/// that is no JSON object.
#[must_use]
pub fn case_faults(case: &Case, at: &Place, control: Option<&ControlId>) -> Vec<LintFault> {
    let found = names_of(case).into_iter().chain(roles(case)).chain(extras(case));
    let fault = |(code, key, message, mend): Found| {
        let fault = LintFault::error(code, at.clone(), message, mend).about(key);
        match control {
            Some(control) => fault.of(control),
            None => fault,
        }
    };
    found.map(fault).collect()
}

/// A fault's code, its key, what is wrong and the mend.
type Found = (&'static str, &'static str, String, &'static str);

fn names_of(case: &Case) -> Vec<Found> {
    let mut found = Vec::new();
    for (code, key, what, names) in names(case) {
        if names.iter().any(|name| name.trim().is_empty()) {
            let message = format!("the name of one of the {what} is empty");
            found.push(("empty-name", key, message, "give it a name"));
        }
        for name in super::repeated(&names) {
            let message = format!("two {what} of the case are named {}", quoted(name));
            found.push((code, key, message, "give each its own name"));
        }
    }
    found
}

fn roles(case: &Case) -> impl Iterator<Item = Found> {
    let roles = case.messages.iter().map(|message| message.role.as_str());
    roles.filter(|role| !ROLES.contains(role)).map(|role| {
        let message = format!("{} is no role of a message", quoted(role));
        let mend = "use system, user, assistant or tool";
        ("unknown-role", "case.messages", message, mend)
    })
}

fn extras(case: &Case) -> impl Iterator<Item = Found> {
    let wrong = objects(case).into_iter().filter(|(_, _, text)| !is_object_or_empty(text));
    wrong.map(|(key, what, _)| {
        let message = format!("{what} is no JSON object");
        let mend = "write a JSON object as text, or leave the key out";
        ("not-a-json-object", key, message, mend)
    })
}

const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];

type Names<'a> = (&'static str, &'static str, &'static str, Vec<&'a str>);

/// The names that must be unique: the fault's code, the key, what they name, and the names.
fn names(case: &Case) -> [Names<'_>; 3] {
    let evidence = case.evidence.iter().map(|evidence| evidence.id.as_str()).collect();
    let claims = case.claims.iter().map(|claim| claim.id.as_str()).collect();
    let artifacts = case.artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
    [
        ("duplicate-evidence", "case.evidence", "pieces of evidence", evidence),
        ("duplicate-claim", "case.claims", "claims", claims),
        ("duplicate-artifact", "case.artifacts", "artifacts", artifacts),
    ]
}

/// The texts that must be a JSON object or empty: the key, how to call it, and the text.
fn objects(case: &Case) -> Vec<(&'static str, String, &str)> {
    let mut objects = vec![("case.context", "`context`".to_owned(), case.context.as_str())];
    let of = |what: &str, name: &str| format!("`extra` of {what} {}", quoted(name));
    for evidence in &case.evidence {
        objects.push(("case.evidence", of("the evidence", &evidence.id), &evidence.extra));
    }
    for claim in &case.claims {
        objects.push(("case.claims", of("the claim", &claim.id), &claim.extra));
    }
    for (count, message) in case.messages.iter().enumerate() {
        objects.push((
            "case.messages",
            format!("`extra` of message {}", count + 1),
            &message.extra,
        ));
    }
    objects
}
