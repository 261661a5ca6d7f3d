//! Figures as decimals that say no more than is known: a lower end is cut down, an upper end up, a point is rounded.
//! A nought has no sign.

/// Which way a figure goes that has more digits than are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the nearest: for a point.
    Nearest,
    /// Down: for a lower end, which must not promise more than it proves.
    Down,
    /// Up: for an upper end.
    Up,
}

/// The value with so many digits after the point.
#[must_use]
pub fn decimal(value: f64, digits: usize, way: Way) -> String {
    format!("{:.digits$}", shown(value, digits, way))
}

/// A value beside one that it is held against: rounded, with as many digits as it takes not to look as if it stood on
/// the other side, or on the line.
#[must_use]
pub fn beside(value: f64, bar: f64, digits: usize) -> String {
    let keeps = |digits: &usize| {
        shown(value, *digits, Way::Nearest).partial_cmp(&bar) == value.partial_cmp(&bar)
    };
    let digits = (digits..=9).find(keeps).unwrap_or(9);
    format!("{:.digits$}", shown(value, digits, Way::Nearest))
}

/// How many digits after the point a stated value has, at least three and at most nine: a bar is shown as it was
/// written.
#[must_use]
pub fn digits_of(stated: f64) -> usize {
    (3..9).find(|digits| shown(stated, *digits, Way::Nearest) == stated).unwrap_or(9)
}

/// The value that is shown. The nearest number to a decimal is what the decimal reads as, so a value that is one stays.
fn shown(value: f64, digits: usize, way: Way) -> f64 {
    let scale = (0..digits).fold(1.0, |scale, _| scale * 10.0);
    let nearest = (value * scale).round();
    let steps = match way {
        Way::Down if nearest / scale > value => nearest - 1.0,
        Way::Up if nearest / scale < value => nearest + 1.0,
        Way::Nearest | Way::Down | Way::Up => nearest,
    };
    // Adding nought takes its sign away.
    steps / scale + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_cut_away_from_what_they_promise() {
        use Way::{Down, Nearest, Up};
        for (value, way, text) in [
            (0.949_69, Down, "0.949"),
            (0.949_69, Nearest, "0.950"),
            (0.949_69, Up, "0.950"),
            (0.95, Down, "0.950"),
            (0.57, Down, "0.570"),
            (0.57, Up, "0.570"),
            (0.132, Up, "0.132"),
            (0.132_1, Up, "0.133"),
            (0.999_6, Down, "0.999"),
            (0.999_6, Up, "1.000"),
            (1.0, Down, "1.000"),
            (0.0, Up, "0.000"),
            (-0.0, Nearest, "0.000"),
            (-0.000_3, Nearest, "0.000"),
            (-0.000_3, Down, "-0.001"),
            (-0.000_3, Up, "0.000"),
            (-0.267, Nearest, "-0.267"),
            (12.345, Down, "12.345"),
        ] {
            assert_eq!(decimal(value, 3, way), text, "{value} {way:?}");
        }
    }

    #[test]
    fn no_point_is_rounded_onto_or_across_a_bar() {
        assert_eq!(beside(0.949_6, 0.95, 3), "0.9496");
        assert_eq!(beside(0.949_96, 0.95, 3), "0.94996");
        assert_eq!(beside(0.951_2, 0.95, 3), "0.951");
        assert_eq!(beside(0.950_1, 0.95, 3), "0.9501");
        assert_eq!(beside(0.95, 0.95, 3), "0.950");
        assert_eq!(beside(-0.099_6, -0.1, 2), "-0.0996");
        assert_eq!(beside(0.597, 0.6, 2), "0.597");
    }

    #[test]
    fn a_bar_is_shown_as_it_was_written() {
        for (stated, digits) in [(0.95, 3), (0.9, 3), (0.955, 3), (0.955_5, 4), (1.0 / 3.0, 9)] {
            assert_eq!(digits_of(stated), digits, "{stated}");
        }
    }
}
