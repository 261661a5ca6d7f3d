//! What every rendering of a comparison says alike.

use accredit_core::compare::{Comparison, Line, Move, Standing};
use accredit_core::stats::decimal::Way;

use super::figure::fraction;

/// The lists of changed cases, by name.
pub(super) const MOVES: [(Move, &str); 4] = [
    (Move::Lost, "lost: right in A, not in B"),
    (Move::Gained, "gained: right in B, not in A"),
    (Move::Both, "with other verdicts, right in both"),
    (Move::Neither, "with other verdicts, right in neither"),
];

/// For what B is worse.
pub(super) fn worse(compared: &Comparison) -> String {
    let worse = compared.kinds.iter().filter(|it| it.line.standing == Standing::Worse);
    let mut worse: Vec<_> = worse.map(|it| it.kind.name()).collect();
    if compared.overall.standing == Standing::Worse {
        worse.insert(0, "all cases");
    }
    worse.join(", ")
}

/// `27/30 -> 19/30`.
pub(super) fn right_in(line: &Line) -> String {
    let of = line.cases.of();
    format!("{}/{of} -> {}/{of}", line.right_in_a, line.right_in_b)
}

/// `8 lost, 0 gained, 1 unsettled`.
pub(super) fn settled(line: &Line) -> String {
    format!(
        "{} lost, {} gained, {} unsettled",
        line.families.only_a,
        line.families.only_b,
        line.unsettled.len()
    )
}

/// `. McNemar p .021; B less A -.267 (-.441 to -.069) at 95 %`; empty where neither is known.
pub(super) fn figures(line: &Line) -> String {
    let mut figures = Vec::new();
    if let Some(p) = line.mcnemar_p {
        figures.push(format!("McNemar p {}", chance(p)));
    }
    if let Some(difference) = line.difference {
        figures.push(format!(
            "B less A {} ({} to {}) at {} %",
            signed(difference.difference, Way::Nearest),
            signed(difference.low, Way::Down),
            signed(difference.high, Way::Up),
            percent(line.confidence),
        ));
    }
    if figures.is_empty() { String::new() } else { format!(". {}", figures.join("; ")) }
}

/// `.021`; what is smaller than a thousandth says so.
fn chance(p: f64) -> String {
    if p < 0.001 { "below .001".to_owned() } else { format!("{p:.3}").replacen("0.", ".", 1) }
}

/// `+.250`, `-.267`.
fn signed(value: f64, way: Way) -> String {
    let text = fraction(value, 3, way);
    if text.starts_with('-') || text == ".000" { text } else { format!("+{text}") }
}

/// `95`, `99.4`.
fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0).trim_end_matches(".0").to_owned()
}
