//! A policy in numbers.

use comfy_table::{Table, presets};

use accredit_core::explain::{Explanation, GateExplanation, RateExplanation, TierExplanation};
use accredit_core::policy::InUse;

use super::wrap::wrapped;
use super::{counted, lines};
use crate::render::escape::terminal_text;
use crate::render::figure::{share, stated};
use crate::terminal::{FAINT, STRONG, WARNING};

/// What each tier asks, how many families that takes, and the chance that a good grader clears it.
#[must_use]
pub fn explanation(explanation: &Explanation, source: &str) -> String {
    let mut text = format!("{STRONG}Policy{STRONG:#}: {}\n\n", terminal_text(source));
    for tier in &explanation.tiers {
        text.push_str(&one_tier(tier, &explanation.true_rates));
    }
    for waiver in &explanation.waivers {
        let what = format!(
            "{WARNING}waived{WARNING:#} {} for {}: {}",
            waiver.requirement,
            waiver.tier,
            terminal_text(&waiver.reason)
        );
        text.push_str(&wrapped("", "  ", &what));
    }
    if let Some(stated) = &explanation.in_use {
        text.push_str(&in_use(stated));
    }
    text.push_str(&gate(&explanation.gate));
    text.push_str(&format!(
        "{FAINT}LB: exact (Clopper-Pearson) one-sided lower bound at confidence {}. It is\nstrict on purpose: the chances say how often a grader that is truly right so\noften clears the bar with that many families.\nA verification stays fresh for {} days.{FAINT:#}\n",
        explanation.confidence, explanation.verified_within_days
    ));
    text
}

/// What a release must come to.
fn gate(gate: &GateExplanation) -> String {
    let mut text = format!("{STRONG}The gate{STRONG:#}\n");
    let mut line = |key: &str, value: &str| {
        text.push_str(&wrapped(&format!("  {key:<22} "), &" ".repeat(25), value));
    };
    line(
        "pass_rate",
        &format!("{} of judged cases must pass; serious failures never", gate.pass_rate),
    );
    let outputs = |(steps, of): &(u64, Option<u64>)| {
        let of = of.map_or("more than 100000".to_owned(), |of| of.to_string());
        format!("{of} for {}", counted(*steps, "step"))
    };
    let outputs: Vec<_> = gate.good_outputs.iter().map(outputs).collect();
    line(
        "max_false_block",
        &format!(
            "{}; past it a judge's fail blocks pending a person. Good outputs a judge must have passed, every one, to stay below it: {}",
            gate.max_false_block,
            outputs.join(", ")
        ),
    );
    let judges: Vec<_> = gate.judges.iter().map(ToString::to_string).collect();
    if !judges.is_empty() {
        line("judges", &judges.join(", "));
    }
    text + "\n"
}

/// What the policy states of where graders are to be used.
fn in_use(stated: &InUse) -> String {
    let unit = terminal_text(&stated.unit);
    let said = |value: Option<f64>| value.map_or("not stated".to_owned(), |it| it.to_string());
    let cost = |value: Option<f64>| format!("{} {unit}", said(value)).trim_end().to_owned();
    let mut text = format!("{STRONG}In use{STRONG:#} {FAINT}(changes no requirement){FAINT:#}\n");
    for (key, value) in [
        ("base_rate", said(stated.base_rate)),
        ("volume_per_month", said(stated.volume_per_month)),
        ("cost_of_miss", cost(stated.cost_of_miss)),
        ("cost_of_false_block", cost(stated.cost_of_false_block)),
    ] {
        text.push_str(&wrapped(&format!("  {key:<22} "), &" ".repeat(25), &value));
    }
    text + "\n"
}

fn one_tier(tier: &TierExplanation, true_rates: &[f64]) -> String {
    let mut text = format!("{STRONG}{} · {} grader{STRONG:#}\n", tier.tier, tier.grader);
    let mut head = vec![String::new(), "LB ≥".to_owned(), "families".to_owned()];
    let hundredths = |rate: &f64| -> String { share(Some(*rate)).chars().take(3).collect() };
    head.extend(true_rates.iter().map(hundredths));
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    for column in table.column_iter_mut() {
        column.set_padding((1, 0));
    }
    let rates = "  chance in % that a grader truly right at the rate above clears it";
    text.push_str(if tier.rates.is_empty() { "" } else { rates });
    text.push_str(if tier.rates.is_empty() { "" } else { "\n" });
    for rate in &tier.rates {
        table.add_row(row(rate, 0, &rate.chances));
        table.add_row(row(rate, 2, &rate.chances_with_two_misses));
    }
    text.push_str(&lines(&table));
    for (id, what) in &tier.others {
        text.push_str(&wrapped(&format!("  {id:<22} "), &" ".repeat(25), what));
    }
    text + "\n"
}

fn row(rate: &RateExplanation, misses: usize, chances: &[Option<f64>]) -> Vec<String> {
    let families = rate.families.get(misses).copied().flatten();
    let families =
        families.map_or("never".to_owned(), |of| format!("{} of {of}", of - misses as u64));
    let (name, bar) = match misses {
        0 => (rate.id.to_string(), stated(rate.bar)),
        _ => (String::new(), String::new()),
    };
    let percent = |chance: &Option<f64>| {
        chance.map_or("—".to_owned(), |chance| format!("{:.0}", chance * 100.0))
    };
    [name, bar, families].into_iter().chain(chances.iter().map(percent)).collect()
}
