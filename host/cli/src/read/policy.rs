//! `accredit.toml`: the policy, as changes to the built-in defaults.

use std::path::Path;

use accredit_core::bundle::bundle;
use accredit_core::control::lint::LintFault;
use accredit_core::id::Digest;
use accredit_core::policy::{Bars, GatePolicy, InUse, Policy, RequirementId, SignOff, Waiver};
use accredit_core::verdict::Tier;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, boolean, id, one_of, text};
use super::from_toml;
use super::node::{Node, Value};
use super::source::{self, Source};

/// A policy, where it came from and its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPolicy {
    /// The policy.
    pub policy: Policy,
    /// Where it came from, for people.
    pub source: String,
    /// The digest of the file's bytes and of what they come to with the built-in defaults.
    pub digest: Digest,
    /// The file's bytes; none where there is no file.
    pub bytes: Vec<u8>,
}

impl ReadPolicy {
    /// What the digest is of, as one object.
    #[must_use]
    pub fn bundle(&self) -> Vec<u8> {
        bundle(self.parts(&self.whole()))
    }

    fn whole(&self) -> Vec<u8> {
        serde_json::to_vec(&self.policy).unwrap_or_else(|_| unreachable!("a policy is plain data"))
    }

    fn parts<'a>(&'a self, whole: &'a [u8]) -> [&'a [u8]; 3] {
        [b"accredit policy", &self.bytes, whole]
    }

    /// A policy read from these bytes.
    #[must_use]
    pub fn new(policy: Policy, source: String, bytes: &[u8]) -> Self {
        let mut read = Self { policy, source, digest: Digest::of(b""), bytes: bytes.to_vec() };
        read.digest = Digest::of_parts(read.parts(&read.whole()));
        read
    }
}

const POLICY: Shape = Shape {
    what: "a policy",
    keys: &[
        "version",
        "confidence",
        "verified_within_days",
        "promotion_days",
        "looks",
        "sign_off",
        "code",
        "judge",
        "judges",
        "in_use",
        "gate",
        "waiver",
    ],
};
const SIGN_OFF: Shape =
    Shape { what: "[sign_off]", keys: &["gating", "characterization", "promoters", "verifiers"] };
const TIERS: Shape = Shape { what: "a kind of grader", keys: &["characterization", "gating"] };
const IN_USE: Shape = Shape {
    what: "[in_use]",
    keys: &["base_rate", "volume_per_month", "cost_of_miss", "cost_of_false_block", "unit"],
};
const WAIVER: Shape = Shape { what: "a waiver", keys: &["tier", "requirement", "reason"] };

type Set<T> = fn(&mut Bars, T);

/// The bars that are shares, 0 to 1.
const SHARES: [(&str, Set<f64>); 10] = [
    ("known_bad", |bars, to| bars.known_bad = Some(to)),
    ("known_good", |bars, to| bars.known_good = Some(to)),
    ("hard_positive", |bars, to| bars.hard_positive = Some(to)),
    ("near_miss", |bars, to| bars.near_miss = Some(to)),
    ("adversarial", |bars, to| bars.adversarial = Some(to)),
    ("each_essential_rule", |bars, to| {
        bars.each_essential_rule = Some(to);
    }),
    ("instability", |bars, to| bars.instability = Some(to)),
    ("real_output", |bars, to| bars.real_output = Some(to)),
    ("people_kappa", |bars, to| bars.people_kappa = Some(to)),
    ("kappa_margin", |bars, to| bars.kappa_margin = Some(to)),
];

/// The bars that are counts.
const COUNTS: [(&str, Set<u64>); 3] = [
    ("invariance_bases", |bars, to| {
        bars.invariance_bases = Some(to);
    }),
    ("faults", |bars, to| bars.faults = Some(to)),
    ("real_outputs", |bars, to| bars.real_outputs = Some(to)),
];

/// The bars that are asked or not.
const SWITCHES: [(&str, Set<bool>); 3] = [
    ("held_out", |bars, to| bars.held_out = to),
    ("independent_authors", |bars, to| {
        bars.independent_authors = to;
    }),
    ("rules_needed", |bars, to| bars.rules_needed = to),
];

const GATE: Shape = Shape { what: "[gate]", keys: &["max_false_block", "pass_rate"] };
const BARS: Shape = Shape {
    what: "a tier",
    keys: &[
        "known_bad",
        "known_good",
        "hard_positive",
        "near_miss",
        "adversarial",
        "each_essential_rule",
        "invariance_bases",
        "instability",
        "faults",
        "real_outputs",
        "real_output",
        "people_kappa",
        "kappa_margin",
        "held_out",
        "independent_authors",
        "rules_needed",
    ],
};

/// Reads a policy file: what it names changes the built-in defaults, what it does not name stays.
///
/// # Errors
/// Every fault of the file.
pub fn policy(path: &Path) -> Result<ReadPolicy, ReadFaults> {
    let (folder, name) = source::split(path);
    let read = Source::read(path, &name).map_err(|fault| vec![*fault]);
    read.and_then(|source| of_source(&source, path.display().to_string()))
        .map_err(|faults| ReadFaults::new(folder, faults))
}

/// The same for a file that is held in memory: its name and its bytes.
///
/// # Errors
/// As [`policy`].
pub fn policy_of(name: &str, bytes: &[u8]) -> Result<ReadPolicy, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    of_source(&source, name.to_owned()).map_err(|faults| ReadFaults::new("", faults))
}

fn of_source(source: &Source, called: String) -> Result<ReadPolicy, Vec<LintFault>> {
    let mut sink = Sink::new(&source.name);
    let text = source.text().map_err(|fault| vec![*fault])?;
    match from_toml::parse(text) {
        Ok(node) => {
            let policy = whole(&node, &mut sink);
            if sink.faults.is_empty() {
                return Ok(ReadPolicy::new(policy, called, &source.bytes));
            }
        }
        Err(syntax) => {
            let mend = "mend the syntax here; the rest of the file was not read";
            sink.push("syntax", syntax.line, syntax.message, mend);
        }
    }
    Err(sink.faults)
}

fn whole(node: &Node, sink: &mut Sink) -> Policy {
    let mut policy = Policy::default();
    let Some(fields) = Fields::open(&At::root(node), &POLICY, sink) else {
        return policy;
    };
    if let Some(confidence) = fields.optional("confidence", sink, confidence) {
        policy.confidence = confidence;
    }
    if let Some(days) = fields.optional("verified_within_days", sink, count) {
        policy.verified_within_days = u32::try_from(days).unwrap_or(u32::MAX);
    }
    if let Some(version) = fields.optional("version", sink, from_one) {
        policy.version = version;
    }
    if let Some(days) = fields.optional("promotion_days", sink, from_one) {
        policy.promotion_days = u32::try_from(days).unwrap_or(u32::MAX);
    }
    if let Some(looks) = fields.optional("looks", sink, from_one) {
        policy.looks = u32::try_from(looks).unwrap_or(u32::MAX);
    }
    if let Some(who) = fields.optional("sign_off", sink, sign_off) {
        policy.sign_off = who;
    }
    for (key, bars) in [("code", &mut policy.code), ("judge", &mut policy.judge)] {
        let Some(at) = fields.get(key) else { continue };
        let Some(tiers) = Fields::open(&at, &TIERS, sink) else {
            continue;
        };
        for (key, bars) in
            [("characterization", &mut bars.characterization), ("gating", &mut bars.gating)]
        {
            if let Some(at) = tiers.get(key) {
                tier_bars(&at, bars, sink);
            }
        }
    }
    policy.judges = fields.list("judges", sink, id);
    policy.in_use = fields.optional("in_use", sink, in_use);
    if let Some(asked) = fields.optional("gate", sink, gate) {
        policy.gate = asked;
    }
    policy.waivers = fields.list("waiver", sink, waiver);
    repeated_waivers(&fields, &policy.waivers, sink);
    policy
}

fn sign_off(at: &At<'_>, sink: &mut Sink) -> Option<SignOff> {
    let fields = Fields::open(at, &SIGN_OFF, sink)?;
    let persons = |key, sink: &mut Sink| {
        let persons = fields.optional(key, sink, from_one).unwrap_or(1);
        u32::try_from(persons).unwrap_or(u32::MAX)
    };
    Some(SignOff {
        gating: persons("gating", sink),
        characterization: persons("characterization", sink),
        promoters: fields.list("promoters", sink, text),
        verifiers: fields.list("verifiers", sink, text),
    })
}

fn in_use(at: &At<'_>, sink: &mut Sink) -> Option<InUse> {
    let fields = Fields::open(at, &IN_USE, sink)?;
    let stated = InUse {
        base_rate: fields.optional("base_rate", sink, share),
        volume_per_month: fields.optional("volume_per_month", sink, above_zero),
        cost_of_miss: fields.optional("cost_of_miss", sink, above_zero),
        cost_of_false_block: fields.optional("cost_of_false_block", sink, above_zero),
        unit: fields.optional("unit", sink, text).unwrap_or_default(),
    };
    let has = |key| fields.get(key).is_some();
    if has("cost_of_miss") != has("cost_of_false_block") {
        let message = "one cost of [in_use] without the other";
        let mend = "state both cost_of_miss and cost_of_false_block, or neither";
        sink.push("half-of-costs", at.line, message, mend);
    }
    Some(stated)
}

fn gate(at: &At<'_>, sink: &mut Sink) -> Option<GatePolicy> {
    let fields = Fields::open(at, &GATE, sink)?;
    let usual = GatePolicy::default();
    Some(GatePolicy {
        max_false_block: fields
            .optional("max_false_block", sink, share)
            .unwrap_or(usual.max_false_block),
        pass_rate: fields.optional("pass_rate", sink, share).unwrap_or(usual.pass_rate),
    })
}

fn tier_bars(at: &At<'_>, bars: &mut Bars, sink: &mut Sink) {
    let Some(fields) = Fields::open(at, &BARS, sink) else {
        return;
    };
    for (key, set) in SHARES {
        if let Some(value) = fields.optional(key, sink, share) {
            set(bars, value);
        }
    }
    for (key, set) in COUNTS {
        if let Some(value) = fields.optional(key, sink, count) {
            set(bars, value);
        }
    }
    for (key, set) in SWITCHES {
        if let Some(value) = fields.optional(key, sink, boolean) {
            set(bars, value);
        }
    }
}

fn waiver(at: &At<'_>, sink: &mut Sink) -> Option<Waiver> {
    let fields = Fields::open(at, &WAIVER, sink)?;
    let tier = fields.required("tier", sink, tier);
    let requirement = fields.required("requirement", sink, requirement);
    let reason = fields.required("reason", sink, reason);
    Some(Waiver { tier: tier?, requirement: requirement?, reason: reason? })
}

fn tier(at: &At<'_>, sink: &mut Sink) -> Option<Tier> {
    let tier = one_of(at, sink, &Tier::ALL.map(|tier| (tier.name(), tier)))?;
    if tier == Tier::Advisory {
        sink.push(
            "nothing-to-waive",
            at.line,
            "advisory asks for nothing",
            "name characterization or gating",
        );
        return None;
    }
    Some(tier)
}

fn requirement(at: &At<'_>, sink: &mut Sink) -> Option<RequirementId> {
    let id = one_of(at, sink, &RequirementId::ALL.map(|id| (id.name(), id)))?;
    if !id.is_waivable() {
        let message = format!("`{id}` cannot be waived: without it no other figure means anything");
        sink.push("not-waivable", at.line, message, "take this waiver out");
        return None;
    }
    Some(id)
}

fn reason(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    let reason = text(at, sink)?;
    if reason.trim().is_empty() {
        sink.push(
            "no-reason",
            at.line,
            "a waiver without a reason",
            "say why: every report shows it",
        );
        return None;
    }
    Some(reason)
}

fn repeated_waivers(fields: &Fields<'_>, waivers: &[Waiver], sink: &mut Sink) {
    let line = fields.get("waiver").map_or(0, |at| at.line);
    for (place, waiver) in waivers.iter().enumerate() {
        let same =
            |other: &Waiver| (other.tier, other.requirement) == (waiver.tier, waiver.requirement);
        if waivers[..place].iter().any(same) {
            let message = format!("`{}` is waived twice for {}", waiver.requirement, waiver.tier);
            sink.push("duplicate-waiver", line, message, "keep one of the two");
        }
    }
}

fn number(at: &At<'_>) -> Option<f64> {
    match &at.node.value {
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
        _ => None,
    }
}

fn share(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    match number(at) {
        Some(share) if (0.0..=1.0).contains(&share) => Some(share),
        _ => at.wrong("a share from 0 to 1", "write it as 0.95", sink),
    }
}

fn above_zero(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    match number(at) {
        Some(number) if number > 0.0 => Some(number),
        _ => at.wrong("a number above 0", "write it as 25.0", sink),
    }
}

fn confidence(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    match number(at) {
        Some(share) if Policy::is_confidence(share) => Some(share),
        _ => at.wrong("a confidence from 0.5 to below 1", "write it as 0.95", sink),
    }
}

fn from_one(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match count(at, &mut Sink::new("")) {
        Some(number) if number > 0 => Some(number),
        _ => at.wrong("a whole number of 1 or more", "write it as 1", sink),
    }
}

fn count(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match &at.node.value {
        Value::Number(number) if number.as_u64().is_some() => number.as_u64(),
        _ => at.wrong("a whole number of 0 or more", "write it as 10", sink),
    }
}
