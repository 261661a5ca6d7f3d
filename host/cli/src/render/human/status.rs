//! How a register's graders stand, for a terminal. What is wrong comes first.

use accredit_core::ledger::Moment;
use accredit_core::status::{GraderStatus, Status};
use accredit_core::verdict::Tier;

use super::wrap::wrapped;
use crate::render::escape::terminal_text;
use crate::render::words::counted;
use crate::terminal::{ERROR, GOOD, STRONG, WARNING};

/// Every grader, those with failures that are no longer guarded first, then those that lost authority.
#[must_use]
pub fn status(status: &Status) -> String {
    let mut graders: Vec<_> = status.graders.iter().collect();
    graders.sort_by_key(|it| (it.failures.missing == 0, !it.stale, it.name.clone()));
    let mut text = trust(status);
    for one in graders {
        text.push('\n');
        text.push_str(&grader(one));
    }
    if status.graders.is_empty() {
        let mend = "no grader is registered: `accredit register COMPONENT --controls DIR --wrote grader --key KEY`";
        text.push_str(&wrapped("", "  ", mend));
    }
    text
}

/// What authority rests on here.
fn trust(status: &Status) -> String {
    let trust = &status.trust;
    let root = match (trust.root, trust.root_pinned) {
        (None, _) => format!("{WARNING}no root of trust{WARNING:#}"),
        (Some(root), true) => format!("root {}, pinned", root.short()),
        (Some(root), false) => {
            format!("root {}, {WARNING}pinned nowhere{WARNING:#}", root.short())
        }
    };
    let signed = match trust.signed {
        true => "signed".to_owned(),
        false => format!("{WARNING}not signed{WARNING:#}"),
    };
    let line = format!(
        "{root} · policy version {} ({}), {signed} · {}",
        trust.policy_version,
        trust.policy.short(),
        status.now
    );
    let mut text = wrapped("", "  ", &line);
    if !trust.missing.is_empty() {
        let cap = "nothing above characterization is granted:";
        text.push_str(&wrapped("  ", "  ", &format!("{WARNING}{cap}{WARNING:#}")));
    }
    for missing in &trust.missing {
        text.push_str(&wrapped("  - ", "    ", &terminal_text(missing)));
    }
    text
}

fn grader(grader: &GraderStatus) -> String {
    let tier = match (grader.stale, grader.tier) {
        (true, tier) => format!("{ERROR}{tier}{ERROR:#}"),
        (false, Tier::Advisory) => "advisory".to_owned(),
        (false, tier) => format!("{GOOD}{tier}{GOOD:#}"),
    };
    let component = grader.component.map(|digest| format!(" · {}", digest.short()));
    let head =
        format!("{STRONG}{}{STRONG:#} · {tier}{}", grader.name, component.unwrap_or_default());
    let mut text = wrapped("", "  ", &head);
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    if grader.failures.missing > 0 {
        let missing = counted(grader.failures.missing, "failure");
        line(&format!(
            "{ERROR}{missing} found in use: the control is gone from the set{ERROR:#} (`accredit failures {}`)",
            grader.name
        ));
    }
    if grader.stale {
        let tier = grader.promoted_to.unwrap_or(Tier::Advisory);
        let reasons: Vec<_> = grader.reasons.iter().map(|it| terminal_text(it)).collect();
        line(&format!("{ERROR}stale{ERROR:#}: was {tier}, stale because {}", reasons.join("; ")));
    } else {
        for reason in &grader.reasons {
            line(&terminal_text(reason));
        }
    }
    for said in standing(grader) {
        line(&said);
    }
    text
}

/// Since when, on what evidence, and what ends it.
fn standing(grader: &GraderStatus) -> Vec<String> {
    let day = |moment: Moment| moment.to_string().chars().take(10).collect::<String>();
    let mut said = Vec::new();
    if let Some(since) = grader.since {
        let signers: Vec<_> = grader.signers.iter().map(|it| terminal_text(it)).collect();
        let entry = grader.by_entry.map(|entry| format!(", entry {entry}")).unwrap_or_default();
        said.push(format!("since {}, signed by {}{entry}", day(since), signers.join(" and ")));
    }
    if let (Some(at), Some(age)) = (grader.verified_at, grader.evidence_age_days) {
        let days = counted(u64::try_from(age).unwrap_or(0), "day");
        let ends = grader.ends_at.map(|ends| format!("; ends {ends} if nothing happens"));
        said.push(format!("evidence of {}, {days} old{}", day(at), ends.unwrap_or_default()));
    }
    said.extend(grader.soon.iter().map(|it| format!("{WARNING}soon{WARNING:#}: {it}")));
    for waiver in &grader.waivers {
        let (tier, id) = (waiver.tier, waiver.requirement);
        let reason = terminal_text(&waiver.reason);
        said.push(format!("{WARNING}waived{WARNING:#}: {id} ({tier}): {reason}"));
    }
    for looks in &grader.looks {
        said.push(format!(
            "held-out set {} of {}: opened {} of {} times",
            looks.held_out.short(),
            looks.rubric,
            looks.looks,
            looks.allowed
        ));
    }
    if grader.failures.kept > 0 && grader.failures.missing == 0 {
        let kept = counted(grader.failures.kept, "failure");
        said.push(format!("{kept} found in use kept as regression controls"));
    }
    said
}
