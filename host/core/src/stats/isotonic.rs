//! The rising sequence nearest to given values, by least squares: pool adjacent violators.
//!
//! M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid, E. Silverman, "An empirical distribution function for
//! sampling with incomplete information", Annals of Mathematical Statistics 26 (1955) 641-647. With outcomes
//! in the order of their scores it gives a calibration that assumes no shape (B. Zadrozny, C. Elkan, KDD
//! 2002, 694-699).

use super::absent::{self, Absent};

/// The nearest sequence that never falls: as long as `values`, and in their unit.
///
/// # Errors
/// When there are no values, or one is no finite number.
pub fn isotonic(values: &[f64]) -> Result<Vec<f64>, Absent> {
    if values.is_empty() {
        return Err(Absent::NoUnits);
    }
    // Blocks of neighbours that share one mean: (mean, length).
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for value in values {
        let mut block = (absent::finite(*value)?, 1);
        while let Some((mean, length)) = blocks.pop_if(|(mean, _)| *mean >= block.0) {
            let share = length as f64 / (length + block.1) as f64;
            block = (mean * share + block.0 * (1.0 - share), length + block.1);
        }
        blocks.push(block);
    }
    Ok(blocks.into_iter().flat_map(|(mean, length)| std::iter::repeat_n(mean, length)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scikit-learn's test_isotonic.py.
    #[test]
    fn published_values() {
        let got = isotonic(&[3., 7., 5., 9., 8., 7., 10.]).expect("a sequence");
        for (got, want) in got.into_iter().zip([3., 6., 6., 8., 8., 8., 10.]) {
            assert!((got - want).abs() < 1e-9, "got {got}, want {want}");
        }
        assert_eq!(isotonic(&[]), Err(Absent::NoUnits));
        assert_eq!(isotonic(&[1.0, f64::NAN]), Err(Absent::NotFinite));
    }

    proptest! {
        #[test]
        fn it_rises_and_keeps_the_sum(values in proptest::collection::vec(-9.0f64..9.0, 1..50)) {
            let got = isotonic(&values).expect("a sequence");
            prop_assert_eq!(got.len(), values.len());
            prop_assert!(got.is_sorted_by(|one, other| *one <= other + 1e-9));
            prop_assert!((got.iter().sum::<f64>() - values.iter().sum::<f64>()).abs() < 1e-6);
        }
    }
}
