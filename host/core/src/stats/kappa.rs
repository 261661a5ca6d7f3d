//! Cohen's kappa: how far two raters agree beyond what chance would give.
//!
//! - kappa = (observed - expected) / (1 - expected): J. Cohen, "A coefficient of agreement for nominal scales",
//!   Educational and Psychological Measurement 20 (1960) 37-46.
//! - Its standard error (the large-sample one that does not assume kappa = 0): J. L. Fleiss, J. Cohen,
//!   B. S. Everitt, "Large sample standard errors of kappa and weighted kappa", Psychological Bulletin 72 (1969)
//!   323-327. The interval is kappa +- z * se, cut at -1 and 1.
//!
//! Kappa runs from -1 to 1. The standard error takes units to be independent: where they cluster, see
//! [`super::kappa_difference`], which resamples clusters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::{Span, as_f64, two_sided_z};

/// How two raters agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kappa {
    /// Units that both rated.
    pub units: u64,
    /// The share of them on which they agree: raw agreement.
    pub observed: f64,
    /// The share on which chance alone would make them agree, given how often each uses each label.
    pub expected: f64,
    /// Cohen's kappa, -1 to 1.
    pub kappa: f64,
    /// Its standard error; absent where the raters agree on everything, since the formula would then claim
    /// certainty.
    pub se: Option<f64>,
    /// Its interval at the confidence asked for; absent likewise.
    pub interval: Option<Span>,
}

/// A square table of how often the first rater's label (row) met the second's (column).
///
/// # Errors
/// When a label is not below `labels`, or there are no labels.
pub fn table(
    ratings: impl IntoIterator<Item = (usize, usize)>,
    labels: usize,
) -> Result<Vec<Vec<u64>>, Absent> {
    if labels == 0 {
        return Err(Absent::BadTable);
    }
    let mut table = vec![vec![0; labels]; labels];
    for (first, second) in ratings {
        *table.get_mut(first).and_then(|row| row.get_mut(second)).ok_or(Absent::BadTable)? += 1;
    }
    Ok(table)
}

/// Cohen's kappa of a square table, with its interval at a two-sided confidence.
///
/// # Errors
/// When the table is not square or is empty, both raters used one label only, or the confidence is none.
pub fn cohen(table: &[Vec<u64>], confidence: f64) -> Result<Kappa, Absent> {
    let z = two_sided_z(absent::confidence(confidence)?);
    let shares = Shares::of(table)?;
    let (observed, expected) = (shares.observed(), shares.expected());
    let kappa = shares.kappa()?;
    let se = (!shares.all_agreed).then(|| shares.standard_error(kappa));
    Ok(Kappa {
        units: shares.units,
        observed,
        expected,
        kappa,
        se,
        interval: se
            .map(|se| Span { low: (kappa - z * se).max(-1.0), high: (kappa + z * se).min(1.0) }),
    })
}

/// A table as shares of all units.
pub(super) struct Shares {
    units: u64,
    cells: Vec<Vec<f64>>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    one_label: bool,
    all_agreed: bool,
}

impl Shares {
    pub(super) fn of(table: &[Vec<u64>]) -> Result<Self, Absent> {
        let labels = table.len();
        if table.iter().any(|row| row.len() != labels) {
            return Err(Absent::BadTable);
        }
        let units = table.iter().flatten().try_fold(0_u64, |sum, cell| sum.checked_add(*cell));
        let units = units.ok_or(Absent::NotFinite)?;
        if units == 0 {
            return Err(Absent::NoUnits);
        }
        let share = |cell: &u64| as_f64(*cell) / as_f64(units);
        let cells: Vec<Vec<f64>> =
            table.iter().map(|row| row.iter().map(share).collect()).collect();
        Ok(Self {
            units,
            rows: cells.iter().map(|row| row.iter().sum()).collect(),
            columns: (0..labels).map(|label| cells.iter().map(|row| row[label]).sum()).collect(),
            one_label: (0..labels).any(|label| table[label][label] == units),
            all_agreed: (0..labels).map(|label| table[label][label]).sum::<u64>() == units,
            cells,
        })
    }

    fn observed(&self) -> f64 {
        let agreed: f64 = (0..self.rows.len()).map(|label| self.cells[label][label]).sum();
        agreed.min(1.0)
    }

    fn expected(&self) -> f64 {
        self.rows.iter().zip(&self.columns).map(|(row, column)| row * column).sum()
    }

    pub(super) fn kappa(&self) -> Result<f64, Absent> {
        if self.one_label {
            return Err(Absent::OneLabel);
        }
        let (observed, expected) = (self.observed(), self.expected());
        let kappa = absent::finite((observed - expected) / (1.0 - expected))?;
        Ok(kappa.clamp(-1.0, 1.0))
    }

    fn standard_error(&self, kappa: f64) -> f64 {
        let (expected, off) = (self.expected(), 1.0 - kappa);
        let mut sum = 0.0;
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let weight = if row == column {
                    1.0 - (self.rows[row] + self.columns[row]) * off
                } else {
                    (self.columns[row] + self.rows[column]) * off
                };
                sum += cell * weight * weight;
            }
        }
        let centre = kappa - expected * off;
        let variance = (sum - centre * centre).max(0.0) / as_f64(self.units);
        variance.sqrt() / (1.0 - expected)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    fn kappa(table: &[&[u64]]) -> Result<Kappa, Absent> {
        cohen(&table.iter().map(|row| row.to_vec()).collect::<Vec<_>>(), 0.95)
    }

    #[test]
    fn published_values() {
        // SAS, as quoted in statsmodels' test_inter_rater.py.
        let got = kappa(&[&[0, 4, 1], &[0, 8, 0], &[0, 1, 5]]).expect("a kappa");
        close(got.kappa, 0.484_162_895_927_601_87, 1e-9);
        close(got.se.expect("an error"), 0.138_013_578_305_814_57, 1e-9);
        let interval = got.interval.expect("an interval");
        close(interval.low, 0.213_661_253_070_677_06, 1e-6);
        close(interval.high, 0.754_664_538_784_497, 1e-6);
        // The textbook example, and one with much agreement and no kappa.
        close(kappa(&[&[20, 5], &[10, 15]]).expect("a kappa").kappa, 0.4, 1e-9);
        let got = kappa(&[&[80, 10], &[10, 0]]).expect("a kappa");
        close(got.observed, 0.8, 1e-9);
        close(got.kappa, -0.111_111_111_111_111_24, 1e-9);
        // Two annotators: 84 both good, 6 and 4 one of them, 6 both bad.
        let got = kappa(&[&[84, 6], &[4, 6]]).expect("a kappa");
        close(got.observed, 0.90, 1e-9);
        close(got.kappa, 0.49, 5e-3);
    }

    #[test]
    fn what_has_no_kappa_says_why() {
        assert_eq!(kappa(&[&[0, 0], &[0, 0]]), Err(Absent::NoUnits));
        assert_eq!(kappa(&[]), Err(Absent::NoUnits));
        assert_eq!(kappa(&[&[7, 0], &[0, 0]]), Err(Absent::OneLabel));
        assert_eq!(kappa(&[&[7, 0], &[0]]), Err(Absent::BadTable));
        assert_eq!(cohen(&[vec![1, 0], vec![0, 1]], 1.0), Err(Absent::BadConfidence));
        assert_eq!(table([(0, 2)], 2), Err(Absent::BadTable));
        assert_eq!(table([], 0), Err(Absent::BadTable));
        assert_eq!(table([(0, 1), (0, 1), (1, 1)], 2), Ok(vec![vec![0, 2], vec![0, 1]]));
    }

    #[test]
    fn full_agreement_is_no_certainty() {
        let got = kappa(&[&[3, 0], &[0, 2]]).expect("a kappa");
        close(got.kappa, 1.0, 0.0);
        assert_eq!((got.se, got.interval), (None, None));
    }

    proptest! {
        #[test]
        fn figures_are_in_range_or_absent(cells in proptest::collection::vec(0u64..40, 0..26)) {
            let labels = cells.len().isqrt();
            let table: Vec<Vec<u64>> =
                cells.chunks(labels.max(1)).take(labels).map(<[u64]>::to_vec).collect();
            if let Ok(Kappa { observed, expected, kappa, se, interval, .. }) = cohen(&table, 0.95) {
                prop_assert!((0.0..=1.0).contains(&observed) && (0.0..1.0).contains(&expected));
                prop_assert!((-1.0..=1.0).contains(&kappa));
                prop_assert!(se.is_none_or(|se| se.is_finite() && se >= 0.0));
                prop_assert!(interval.is_none_or(|span| -1.0 <= span.low && span.high <= 1.0
                    && span.low <= kappa && kappa <= span.high));
            }
        }
    }
}
