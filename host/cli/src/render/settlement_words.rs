//! What every rendering of a forecast says alike. Nothing that anybody else wrote is among these words.

use accredit_core::gate::settlement::{Line, State};

use super::figure::share;

fn side(expects: Option<bool>, probability: Option<f64>, hit: Option<bool>, none: &str) -> String {
    let at = probability.map(|it| format!(" {}", share(Some(it)))).unwrap_or_default();
    let hit = match hit {
        Some(true) => " hit",
        Some(false) => " miss",
        None => "",
    };
    match expects {
        Some(expects) => format!("{expects}{at}{hit}"),
        None => format!("{none}{at}"),
    }
}

/// What a forecast called, and whether that was right.
#[must_use]
pub fn called(line: &Line) -> String {
    let Some(it) = line.forecast else { return "—".to_owned() };
    side(it.expects, it.probability, it.hit, "no-call")
}

/// What its baseline expected, and whether that was right.
#[must_use]
pub fn against(line: &Line) -> String {
    let baseline = &line.baseline;
    let hit = line.forecast.and_then(|it| it.baseline_hit);
    side(baseline.expects, baseline.probability, hit, "no side")
}

/// Whether the statement came true, or how it stands where nobody knows.
#[must_use]
pub fn came(line: &Line) -> String {
    match line.forecast.and_then(|it| it.came) {
        Some(came) => came.to_string(),
        None => standing(line).to_owned(),
    }
}

/// How it stands, in words.
#[must_use]
pub fn standing(line: &Line) -> &'static str {
    match line.state {
        State::Settled => "settled",
        State::Refused => "refused",
        State::Unresolved => "unresolved",
    }
}
