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
    let mut faults = Vec::new();
    let mut push = |code, key, message: String, mend: &str| {
        let fault = LintFault::error(code, at.clone(), message, mend).about(key);
        faults.push(match control {
            Some(control) => fault.of(control),
            None => fault,
        });
    };
    for (code, key, what, names) in names(case) {
        if names.iter().any(|name| name.trim().is_empty()) {
            push(
                "empty-name",
                key,
                format!("the name of one of the {what} is empty"),
                "give it a name",
            );
        }
        for name in super::repeated(&names) {
            let message = format!("two {what} of the case are named {}", quoted(name));
            push(code, key, message, "give each its own name");
        }
    }
    for message in &case.messages {
        if !ROLES.contains(&message.role.as_str()) {
            let text = format!("{} is no role of a message", quoted(&message.role));
            push(
                "unknown-role",
                "case.messages",
                text,
                "use system, user, assistant or tool",
            );
        }
    }
    for (key, what, text) in objects(case) {
        if !is_object_or_empty(text) {
            let message = format!("{what} is no JSON object");
            push(
                "not-a-json-object",
                key,
                message,
                "write a JSON object as text, or leave the key out",
            );
        }
    }
    faults
}

const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];

type Names<'a> = (&'static str, &'static str, &'static str, Vec<&'a str>);

/// The names that must be unique: the fault's code, the key, what they name, and the names.
fn names(case: &Case) -> [Names<'_>; 3] {
    let evidence = case
        .evidence
        .iter()
        .map(|evidence| evidence.id.as_str())
        .collect();
    let claims = case.claims.iter().map(|claim| claim.id.as_str()).collect();
    let artifacts = case
        .artifacts
        .iter()
        .map(|artifact| artifact.name.as_str())
        .collect();
    [
        (
            "duplicate-evidence",
            "case.evidence",
            "pieces of evidence",
            evidence,
        ),
        ("duplicate-claim", "case.claims", "claims", claims),
        (
            "duplicate-artifact",
            "case.artifacts",
            "artifacts",
            artifacts,
        ),
    ]
}

/// The texts that must be a JSON object or empty: the key, how to call it, and the text.
fn objects(case: &Case) -> Vec<(&'static str, String, &str)> {
    let mut objects = vec![(
        "case.context",
        "`context`".to_owned(),
        case.context.as_str(),
    )];
    let of = |what: &str, name: &str| format!("`extra` of {what} {}", quoted(name));
    for evidence in &case.evidence {
        objects.push((
            "case.evidence",
            of("the evidence", &evidence.id),
            &evidence.extra,
        ));
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
