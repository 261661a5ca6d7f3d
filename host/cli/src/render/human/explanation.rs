//! A policy in numbers.

use accredit_core::explain::{Explanation, RateExplanation, TierExplanation};

use super::{lines, table};
use crate::render::escape::terminal_text;
use crate::render::figure::share;
use crate::terminal::{FAINT, STRONG, WARNING};

/// What each tier asks, how many families that takes, and the chance that a good grader clears it.
#[must_use]
pub fn explanation(explanation: &Explanation, source: &str) -> String {
    let mut text = format!("{STRONG}Policy{STRONG:#}: {}\n\n", terminal_text(source));
    for tier in &explanation.tiers {
        text.push_str(&one_tier(tier, &explanation.true_rates));
    }
    for waiver in &explanation.waivers {
        text.push_str(&format!(
            "{WARNING}waived{WARNING:#} {} for {}: {}\n",
            waiver.requirement,
            waiver.tier,
            terminal_text(&waiver.reason)
        ));
    }
    text.push_str(&format!(
        "{FAINT}LB: exact (Clopper-Pearson) one-sided lower bound at confidence {}. It is strict on purpose: the\nchances say how often a grader that is truly right so often clears the bar with that many families.\nA verification stays fresh for {} days.{FAINT:#}\n",
        explanation.confidence, explanation.verified_within_days
    ));
    text
}

fn one_tier(tier: &TierExplanation, true_rates: &[f64]) -> String {
    let mut text = format!("{STRONG}{} · {} grader{STRONG:#}\n", tier.tier, tier.grader);
    let mut head = vec!["".to_owned(), "bar".to_owned(), "families".to_owned()];
    head.extend(
        true_rates.iter().map(|rate| format!("at {}", share(Some(*rate)).trim_end_matches('0'))),
    );
    let head: Vec<_> = head.iter().map(String::as_str).collect();
    let mut table = table(&head);
    for rate in &tier.rates {
        table.add_row(row(rate, 0, &rate.chances));
        table.add_row(row(rate, 2, &rate.chances_with_two_misses));
    }
    text.push_str(&lines(&table));
    for (id, what) in &tier.others {
        text.push_str(&format!("  {id:<22} {what}\n"));
    }
    text + "\n"
}

fn row(rate: &RateExplanation, misses: usize, chances: &[Option<f64>]) -> Vec<String> {
    let families = rate.families.get(misses).copied().flatten();
    let families =
        families.map_or("never".to_owned(), |of| format!("{} of {of}", of - misses as u64));
    let (name, bar) = match misses {
        0 => (rate.id.to_string(), format!("LB ≥ {}", share(Some(rate.bar)))),
        _ => (String::new(), String::new()),
    };
    let percent = |chance: &Option<f64>| {
        chance.map_or("—".to_owned(), |chance| format!("{:.0} %", chance * 100.0))
    };
    [name, bar, families].into_iter().chain(chances.iter().map(percent)).collect()
}
