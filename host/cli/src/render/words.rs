//! What every rendering of a report says alike: the decision in a sentence, the state of a requirement, and
//! the lists of wrong controls by name.

use accredit_core::assess::{Assessment, Disagreement, JudgedOn, Statistic};
use accredit_core::control::label::LabelsBy;
use accredit_core::control::select::Only;
use accredit_core::decision::Requirement;
use accredit_core::policy::Waiver;
use accredit_core::report::{Miss, Report};
use accredit_core::run::event::Look;
use accredit_core::stats::threshold::Thresholds;
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Tier;

use super::figure::{count, hundredths, money, share};

/// How the decision came out, for a colour or a sign beside its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The tier that was asked for is within reach.
    Eligible,
    /// It is, under waivers or a policy looser than the built-in one.
    Conditional,
    /// Nothing above advisory was asked for.
    Advisory,
    /// A part of the controls was run, which decides nothing.
    Part,
    /// The tier that was asked for is out of reach.
    Refused,
}

/// How the decision came out for this tier.
#[must_use]
pub fn outcome(report: &Report, require: Tier) -> Outcome {
    if report.only.is_some() {
        return Outcome::Part;
    }
    let tier = report.decision.eligible_tier;
    match (tier >= require, tier > Tier::Advisory) {
        (false, _) => Outcome::Refused,
        (true, true) if !under(report).is_empty() => Outcome::Conditional,
        (true, true) => Outcome::Eligible,
        (true, false) => Outcome::Advisory,
    }
}

/// The decision in a sentence.
#[must_use]
pub fn headline(report: &Report, require: Tier) -> String {
    let tier = report.decision.eligible_tier;
    match outcome(report, require) {
        Outcome::Eligible | Outcome::Conditional => {
            format!("ELIGIBLE for {tier}, awaiting sign-off{}", under(report))
        }
        Outcome::Advisory => "ADVISORY: shown beside other results, blocks nothing".to_owned(),
        Outcome::Part => format!(
            "PART: {} of {} were run, for authors; that promotes nothing",
            report.set.controls,
            counted(report.only.as_ref().map_or(0, |only| only.of), "control"),
        ),
        Outcome::Refused => format!("REFUSED: not eligible for {require}, stays {tier}"),
    }
}

/// How often the results of its held-out controls were opened, and about what.
#[must_use]
pub fn looks(report: &Report) -> Option<String> {
    let line = report.held_out.as_ref()?;
    if line.looks.is_empty() {
        return Some("looks: no ledger was told that held-out results are opened, so that this promotes nothing".to_owned());
    }
    let one = |look: &Look| {
        let day: String = look.at.to_string().chars().take(10).collect();
        format!("{day} {} {}", look.grader, look.component.short())
    };
    let all: Vec<_> = line.looks.iter().map(one).collect();
    Some(format!(
        "looks: held-out results were opened {} of {} times: {}",
        line.looks.len(),
        line.looks_allowed,
        all.join("; ")
    ))
}

/// What a report says of itself that was made of an author's copy of a record, which anybody could have written.
#[must_use]
pub fn authors_copy(report: &Report) -> Option<String> {
    let claim = report.held_out.as_ref().filter(|line| line.is_claim)?;
    let whole = claim.whole.map_or_else(|| "another".to_owned(), |digest| digest.short());
    Some(format!(
        "AUTHOR'S COPY: the held-out controls were taken out of this record. What it says of them, and that it was made of record {whole}, was not checked, and promotes nothing"
    ))
}

/// The decision in plain words; of a part of the controls nothing is decided.
#[must_use]
pub fn plainly(report: &Report, require: Tier) -> Option<String> {
    report.only.is_none().then(|| report.decision.in_plain_words(require))
}

/// What was run: `333 controls of set` and so many real outputs.
#[must_use]
pub fn asked(report: &Report) -> (String, String) {
    let set = &report.set;
    let real = match set.real_outputs {
        0 => String::new(),
        real => format!(" and {}", counted(real, "real output")),
    };
    (counted(set.written, "control"), real)
}

/// What became of a waived requirement.
#[must_use]
pub fn waived(report: &Report, waiver: &Waiver) -> &'static str {
    let mut all = report.decision.requirements.iter();
    let of = all.find(|it| it.tier == waiver.tier && it.id == waiver.requirement);
    match of.map(|it| it.met) {
        Some(Some(true)) => "waived (measured: met)",
        Some(Some(false)) => "waived (measured: not met)",
        _ => "waived",
    }
}

/// What chose the controls of a run of some: patterns, and the record whose wrong ones are run again.
#[must_use]
pub fn chosen(only: &Only) -> Vec<String> {
    let record = only.failed_in.map(|record| format!("wrong in record {}", record.short()));
    only.filters.iter().cloned().chain(record).collect()
}

/// `, under 2 waivers and a policy looser than the built-in one`.
fn under(report: &Report) -> String {
    let decision = &report.decision;
    let mut under = Vec::new();
    if decision.under_waivers > 0 {
        under.push(counted(decision.under_waivers, "waiver"));
    }
    if !decision.looser.is_empty() {
        under.push("a policy looser than the built-in one".to_owned());
    }
    if under.is_empty() { String::new() } else { format!(", under {}", under.join(" and ")) }
}

/// What stands between the grader and the tier that was asked for; once it is within reach, and of a part of
/// the controls, nothing.
pub fn open(report: &Report, require: Tier) -> impl Iterator<Item = &Requirement> {
    let tier = report.decision.eligible_tier;
    let decides = report.only.is_none();
    report
        .decision
        .requirements
        .iter()
        .filter(move |_| decides)
        .filter(move |requirement| requirement.tier <= require && !requirement.is_satisfied())
        .filter(move |requirement| tier < require || requirement.tier <= tier)
}

/// The tiers whose requirements are worth showing: of a part of the controls, none.
pub fn tiers(report: &Report, require: Tier) -> impl Iterator<Item = Tier> {
    let eligible = report.decision.eligible_tier;
    let decides = report.only.is_none();
    let tiers = [Tier::Gating, Tier::Characterization].into_iter().filter(move |_| decides);
    tiers.filter(move |tier| *tier <= require || *tier <= eligible)
}

/// How a requirement stands.
#[must_use]
pub fn state(requirement: &Requirement) -> &'static str {
    match (requirement.met, requirement.waived) {
        (Some(true), _) => "met",
        (Some(false), true) => "waived (measured: not met)",
        (None, true) => "waived",
        (Some(false), false) => "not met",
        (None, false) => "not evaluated",
    }
}

/// Controls that were judged wrong in one way.
pub struct Wrong<'a> {
    /// The way, for one control.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The controls.
    pub misses: Vec<&'a Miss>,
}

impl Wrong<'_> {
    /// `7 false passes`, `1 caught by the wrong rule`.
    #[must_use]
    pub fn heading(&self) -> String {
        let count = self.misses.len() as u64;
        match self.name {
            "false pass" | "false fail" => counted(count, self.name),
            other => format!("{count} {other}"),
        }
    }
}

/// The ways of being wrong, those without a control left out.
pub fn wrong(report: &Report) -> impl Iterator<Item = Wrong<'_>> {
    let caught = |it: bool| report.wrong_rule.iter().filter(move |miss| miss.is_caught() == it);
    [
        Wrong {
            name: "false pass",
            meaning: "should not pass, and did",
            misses: report.false_passes.iter().collect(),
        },
        Wrong {
            name: "false fail",
            meaning: "should not fail, and did",
            misses: report.false_fails.iter().collect(),
        },
        Wrong {
            name: "caught by the wrong rule",
            meaning: "failed, but not by the rule that must catch it",
            misses: caught(false).collect(),
        },
        Wrong {
            name: "caught, and another rule failed as well",
            meaning: "the right rule failed it, and so did one that nothing is wrong with",
            misses: caught(true).collect(),
        },
        Wrong {
            name: "undecided",
            meaning: "no verdict where one was due",
            misses: report.undecided.iter().collect(),
        },
    ]
    .into_iter()
    .filter(|wrong| !wrong.misses.is_empty())
}

/// `known-bad · matches-reference · answer-dump · hard`.
#[must_use]
pub fn place(miss: &Miss) -> String {
    let mut place = vec![miss.kind.to_string()];
    place.extend(miss.rule.iter().map(ToString::to_string));
    place.extend(miss.tactic.iter().map(ToString::to_string));
    place.extend(miss.hard.then(|| "hard".to_owned()));
    place.join(" · ")
}

/// `pass, should be fail (6 of 6 trials)`, or which other rule failed what was caught.
#[must_use]
pub fn verdicts(miss: &Miss) -> String {
    let under: Vec<_> = miss.only_under.iter().map(|transform| transform.name()).collect();
    let under =
        if under.is_empty() { String::new() } else { format!(", only under {}", under.join(", ")) };
    let Miss { got, expected, wrong_trials, trials, .. } = miss;
    if miss.is_caught() {
        let rules: Vec<_> = miss.stray.iter().map(|rule| format!("`{rule}`")).collect();
        let rules = rules.join(", ");
        let others = if miss.stray.len() == 1 { "another rule" } else { "other rules" };
        return format!(
            "caught, and {others} failed as well: {rules} ({wrong_trials} of {trials} trials{under})"
        );
    }
    format!("{got}, should be {expected} ({wrong_trials} of {trials} trials{under})")
}

/// The other rules that failed a control: `a, b`; empty where none did, or where the verdict names them.
#[must_use]
pub fn others(miss: &Miss) -> String {
    if miss.is_caught() {
        return String::new();
    }
    let others = miss.failed.iter().filter(|rule| miss.rule.as_ref() != Some(rule));
    others.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Who made the labels, as the files state.
#[must_use]
pub fn label_makers(of: &Assessment) -> String {
    let maker = |(by, outputs): (&String, &u64)| match LabelsBy::from_name(by) {
        Some(LabelsBy::People) => format!("{outputs} labelled by people, as the file states"),
        Some(LabelsBy::Code) => format!("{outputs} labelled by code, as the file states"),
        _ => format!("{outputs} labelled by whom the file does not state (labels_by)"),
    };
    let makers: Vec<_> = of.labels_by.iter().map(maker).collect();
    if makers.is_empty() { "no labels".to_owned() } else { makers.join("; ") }
}

/// Where so many labels come from, and in whose words.
#[must_use]
pub fn label_source(source: &Untrusted, outputs: u64) -> (String, Option<&Untrusted>) {
    let labels = counted(outputs, "output");
    match source.raw() {
        "not stated" => (
            format!("where the labels of {labels} come from is not stated (meta.label_source)"),
            None,
        ),
        _ => (format!("the labels of {labels} come from: "), Some(source)),
    }
}

/// The cheapest threshold of the first split, what it does to outputs that had no part in the choice, and how that
/// varies.
#[must_use]
pub fn chosen_threshold(it: &Thresholds) -> String {
    let mut said = match &it.first.chosen {
        None => "none meets the bar in the first split".to_owned(),
        Some(chosen) => {
            let from = match chosen.threshold {
                Some(from) => format!("flag scores from {} on", share(Some(from))),
                None => "flag nothing".to_owned(),
            };
            format!(
                "{from}; measured apart: {} an output, catches {}, passes {}",
                money(chosen.cost),
                count(chosen.catch),
                count(chosen.pass)
            )
        }
    };
    if let Some(over) = it.cost {
        said.push_str(&format!(
            "; over {} splits {} ({}–{})",
            it.usable,
            money(over.mean),
            money(over.least),
            money(over.most)
        ));
    }
    if it.study.bar.is_some() {
        said.push_str(&format!(
            "; in {} of {} splits no threshold meets the bar",
            it.unmet, it.usable
        ));
    }
    said
}

/// `fail, should be pass · people differ · score .31`.
#[must_use]
pub fn disagreement(it: &Disagreement) -> String {
    let got = it.verdict.map_or("no verdict".to_owned(), |verdict| verdict.to_string());
    let mut said = format!("{got}, should be {}", it.truth);
    for (holds, note) in [(it.disputed, " · people differ"), (it.hard, " · marked hard")] {
        if holds {
            said.push_str(note);
        }
    }
    if let Some(score) = it.score {
        said.push_str(&format!(" · score {}", hundredths(Some(score))));
    }
    said
}

/// Which outputs a corrected share is of.
#[must_use]
pub fn judged_on(on: JudgedOn) -> &'static str {
    match on {
        JudgedOn::Unlabelled => "on the outputs nobody labelled",
        JudgedOn::HalfOfFamilies => "on half of the families, as if nobody had labelled them",
    }
}

/// A figure of agreement, by its name.
#[must_use]
pub fn statistic(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Cohen => "Cohen's kappa",
        Statistic::Fleiss => "Fleiss' kappa",
        Statistic::Krippendorff => "Krippendorff's alpha",
    }
}

/// How many of a list are shown.
#[must_use]
pub fn shown_of(all_of_them: usize, first: usize, all: bool) -> usize {
    if all { all_of_them } else { first.min(all_of_them) }
}

/// `1 control`, `2 controls`.
#[must_use]
pub fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {}", plural(what)),
    }
}

fn plural(what: &str) -> String {
    match what {
        "family" => "families".to_owned(),
        "entry" => "entries".to_owned(),
        "linear memory" => "linear memories".to_owned(),
        "false pass" => "false passes".to_owned(),
        _ => format!("{what}s"),
    }
}
