//! Findings of every shape against manifests and cases of every shape: what the host enforces.

use std::collections::BTreeSet;
use std::time::Duration;

use accredit::render::{self, OneCase};
use accredit_core::case::{Case, Claim, Evidence};
use accredit_core::control::lint::case_faults;
use accredit_core::control::set::Place;
use accredit_core::findings::{
    Because, Citation, Enforced, Fault, FaultKind, Finding, Outcome, Refusal, RefusalKind, enforce,
};
use accredit_core::id::ControlId;
use accredit_core::manifest::{Manifest, RawManifest, RawRule, is_object_or_empty};
use accredit_core::run::event::TrialFinished;
use accredit_core::run::fold::{case_verdict, rule_verdicts};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::{RuleTier, Scope, Verdict};
use arbitrary::{Result, Unstructured};

use super::{Reached, assert_tame};

/// Enforces the contract on the outcome that the bytes stand for.
///
/// # Panics
/// When a promise of [`enforce`] is broken.
pub fn run(bytes: &[u8]) -> Reached {
    let Ok((manifest, case, outcome)) = input(&mut Unstructured::new(bytes)) else {
        return Reached::Refused;
    };
    let at = Place { file: "case.json".into(), line: 1 };
    let (Ok(manifest), true) = (manifest.check(), case_faults(&case, &at, None).is_empty()) else {
        return Reached::Refused;
    };
    let enforced = enforce(&manifest, &case, outcome.clone());
    every_slot_has_one_verdict(&manifest, &case, &enforced);
    what_was_accepted_is_sound(&manifest, &case, &enforced);
    what_was_imposed_has_its_reason(&outcome, &enforced);
    again_changes_nothing(&manifest, &case, &enforced);
    trial(&manifest, enforced);
    Reached::Taken
}

fn input(from: &mut Unstructured<'_>) -> Result<(RawManifest, Case, Outcome)> {
    Ok((manifest(from)?, case(from)?, outcome(from)?))
}

/// A word: mostly one of a few, so that names meet.
fn word(from: &mut Unstructured<'_>) -> Result<String> {
    const KNOWN: [&str; 8] = ["r1", "r2", "c1", "c2", "e1", "page", "@claims", ""];
    let which: u8 = from.arbitrary()?;
    match KNOWN.get(usize::from(which & 15)) {
        Some(known) => Ok((*known).to_owned()),
        None => from.arbitrary(),
    }
}

/// A few of what `one` makes.
fn few<T>(
    from: &mut Unstructured<'_>,
    one: impl Fn(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let count: u8 = from.arbitrary()?;
    (0..count % 9).map(|_| one(from)).collect()
}

fn maybe<T>(
    from: &mut Unstructured<'_>,
    one: impl Fn(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Option<T>> {
    if from.arbitrary()? { one(from).map(Some) } else { Ok(None) }
}

fn untrusted(from: &mut Unstructured<'_>) -> Result<Untrusted> {
    Ok(Untrusted::new(from.arbitrary::<String>()?))
}

fn manifest(from: &mut Unstructured<'_>) -> Result<RawManifest> {
    use RuleTier::{Essential, Important, MustNot, Optional};
    let rule = |from: &mut Unstructured<'_>| {
        Ok(RawRule {
            id: word(from)?,
            text: String::new(),
            tier: *from.choose(&[Essential, Important, Optional, MustNot])?,
            scope: *from.choose(&[Scope::Output, Scope::EachClaim])?,
            needs: few(from, word)?,
        })
    };
    Ok(RawManifest {
        name: "g".into(),
        version: "1".into(),
        rubric: "r".into(),
        rules: few(from, rule)?,
        extra: String::new(),
    })
}

fn case(from: &mut Unstructured<'_>) -> Result<Case> {
    let evidence = |from: &mut Unstructured<'_>| {
        let (id, kind, content) = (word(from)?, word(from)?, word(from)?);
        Ok(Evidence { id, kind, content, ..Evidence::default() })
    };
    let claim = |from: &mut Unstructured<'_>| Ok(Claim { id: word(from)?, ..Claim::default() });
    Ok(Case {
        reference: maybe(from, word)?,
        claims: few(from, claim)?,
        evidence: few(from, evidence)?,
        ..Case::default()
    })
}

fn outcome(from: &mut Unstructured<'_>) -> Result<Outcome> {
    use FaultKind::{ContractViolation, Deadline, Malformed, Memory, OutputTooLarge, Trap};
    use RefusalKind::{InternalError, MalformedCase, UnsupportedCase};
    let kinds = [Trap, Deadline, Memory, OutputTooLarge, Malformed, ContractViolation];
    Ok(match from.int_in_range(0..=9)? {
        0 => Outcome::Refused(Refusal {
            kind: *from.choose(&[UnsupportedCase, MalformedCase, InternalError])?,
            message: untrusted(from)?,
        }),
        1 => Outcome::Fault(Fault {
            kind: *from.choose(&kinds)?,
            detail: untrusted(from)?,
            machine_dependent: from.arbitrary()?,
        }),
        _ => Outcome::Graded(few(from, finding)?),
    })
}

fn finding(from: &mut Unstructured<'_>) -> Result<Finding> {
    let name = |from: &mut Unstructured<'_>| word(from).map(Untrusted::new);
    let citation =
        |from: &mut Unstructured<'_>| Ok(Citation { evidence: name(from)?, quote: name(from)? });
    let extra = |from: &mut Unstructured<'_>| {
        let known = ["{}", "{\"a\":[1e400]}", "[]", "{"];
        if from.arbitrary()? { from.choose(&known).map(|it| (*it).to_owned()) } else { word(from) }
    };
    Ok(Finding {
        rule: name(from)?,
        claim: maybe(from, name)?,
        verdict: *from.choose(&Verdict::ALL)?,
        rationale: untrusted(from)?,
        citations: few(from, citation)?,
        score: maybe(from, score)?,
        extra: maybe(from, extra)?.map(Untrusted::new).unwrap_or_default(),
    })
}

/// Any number, or one from 0 to 1.
fn score(from: &mut Unstructured<'_>) -> Result<f64> {
    if from.arbitrary()? {
        return from.arbitrary();
    }
    Ok(f64::from(from.arbitrary::<u32>()?) / f64::from(u32::MAX))
}

fn accepted(outcome: &Outcome) -> &[Finding] {
    match outcome {
        Outcome::Graded(findings) => findings,
        Outcome::Refused(_) | Outcome::Fault(_) => &[],
    }
}

/// Every declared rule, and claim of an each-claim rule, ends with exactly one verdict, and nothing else
/// has any.
fn every_slot_has_one_verdict(manifest: &Manifest, case: &Case, enforced: &Enforced) {
    let mut owed = BTreeSet::new();
    for rule in &manifest.rules {
        match rule.scope {
            Scope::Output => owed.extend([(rule.id.to_string(), None)]),
            Scope::EachClaim => owed.extend(
                case.claims.iter().map(|claim| (rule.id.to_string(), Some(claim.id.clone()))),
            ),
        }
    }
    let raw = |text: &Option<Untrusted>| text.as_ref().map(|text| text.raw().to_owned());
    let said = accepted(&enforced.outcome).iter().map(|f| (f.rule.raw().to_owned(), raw(&f.claim)));
    let imposed = enforced.imposed.iter().map(|i| (i.rule.to_string(), raw(&i.claim)));
    let mut given: Vec<_> = said.chain(imposed).collect();
    given.sort();
    assert_eq!(given, owed.into_iter().collect::<Vec<_>>());
}

/// No accepted finding cites what is not there, or says what the contract does not allow.
fn what_was_accepted_is_sound(manifest: &Manifest, case: &Case, enforced: &Enforced) {
    for finding in accepted(&enforced.outcome) {
        let rule = manifest.rule(finding.rule.raw()).expect("a declared rule");
        assert!(rule.needs.iter().all(|need| case.has(need.raw())), "{rule:?}");
        assert!(finding.score.is_none_or(|score| (0.0..=1.0).contains(&score)), "{finding:?}");
        assert!(is_object_or_empty(finding.extra.raw()), "{finding:?}");
        for Citation { evidence, quote } in &finding.citations {
            let named = case.evidence.iter().find(|it| it.id == evidence.raw());
            let named = named.expect("evidence of the case");
            assert!(named.content.contains(quote.raw()), "{finding:?}");
        }
    }
}

fn what_was_imposed_has_its_reason(outcome: &Outcome, enforced: &Enforced) {
    use Because::{NeedsAbsent, Refused, Silence, Violation};
    for imposed in &enforced.imposed {
        let fits = match outcome {
            Outcome::Graded(_) => matches!(imposed.because, Silence | NeedsAbsent | Violation),
            Outcome::Refused(_) => matches!(imposed.because, Refused | NeedsAbsent),
            Outcome::Fault(_) => matches!(imposed.because, Because::Fault | NeedsAbsent),
        };
        assert!(fits, "{imposed:?} for {outcome:?}");
    }
    let broke = enforced.imposed.iter().any(|imposed| imposed.because == Violation);
    assert!(!broke || !enforced.violations.is_empty());
    let (all, left) = (accepted(outcome), accepted(&enforced.outcome));
    assert!(left.len() + enforced.violations.len() <= all.len());
    let mut rest = all.iter();
    for finding in left {
        // By its text: a score that is no number equals nothing.
        let text = format!("{finding:?}");
        assert!(rest.any(|said| format!("{said:?}") == text), "out of order, or made up: {text}");
    }
}

fn again_changes_nothing(manifest: &Manifest, case: &Case, enforced: &Enforced) {
    let again = enforce(manifest, case, enforced.outcome.clone());
    assert_eq!(again.outcome, enforced.outcome);
    assert!(again.violations.is_empty(), "{:?}", again.violations);
    assert_eq!(again.imposed.len(), enforced.imposed.len());
}

/// The trial as it goes into the record and onto the screen.
fn trial(manifest: &Manifest, enforced: Enforced) {
    let trial = TrialFinished {
        control: ControlId::new("a").expect("an id"),
        variant: None,
        repeat: 0,
        outcome: enforced.outcome,
        imposed: enforced.imposed,
        violations: enforced.violations,
        fuel: 0,
        inert: [].into(),
        captured: Untrusted::default(),
        captured_truncated: false,
    };
    let text = serde_json::to_string(&trial).expect("plain data");
    let again: TrialFinished = serde_json::from_str(&text).expect("it was just written");
    assert_eq!(trial, again, "{text}");
    let verdicts = rule_verdicts(&manifest.rules, &trial);
    for (rule, verdict) in manifest.rules.iter().zip(&verdicts) {
        let open = trial.imposed.iter().any(|imposed| imposed.rule == rule.id);
        assert!(!open || matches!(verdict, Verdict::Unproven | Verdict::Fail), "{rule:?}");
    }
    let one = OneCase {
        manifest,
        verdict: case_verdict(&manifest.rules, &verdicts),
        trial: &trial,
        wall: Duration::ZERO,
        memory_bytes: 0,
    };
    assert_tame(&render::human::one_case(&one));
    serde_json::from_str::<serde_json::Value>(&render::json::one_case(&one)).expect("JSON");
}
