//! What the program of tests/bench prints: a figure a line, each of its series with a value a round.

/// A measured figure, or why it was not measured.
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) skipped: Option<String>,
    series: Vec<(String, Vec<f64>)>,
}

/// The middle of a series, its least and its most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub(super) median: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Figure {
    /// Reads `name<tab>key=value,value<tab>key=value`; other lines are no figures.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let name = parts.next()?.to_owned();
        let mut figure = Self { name, skipped: None, series: Vec::new() };
        for part in parts {
            match part.split_once('=')? {
                ("skipped", why) => figure.skipped = Some(why.to_owned()),
                (key, values) => {
                    let values = values.split(',').map(|value| value.parse().ok());
                    figure.series.push((key.to_owned(), values.collect::<Option<_>>()?));
                }
            }
        }
        (figure.skipped.is_some() || !figure.series.is_empty()).then_some(figure)
    }

    /// How often the ratio of one figure is that of another, round by round; its nanoseconds are the one's.
    pub(super) fn quotient(name: &str, over: &str, under: &str, figures: &[Self]) -> Option<Self> {
        let series = |name: &str, key: &str| {
            let figure = figures.iter().find(|figure| figure.name == name)?;
            figure.series.iter().find(|(series, _)| series == key).map(|(_, values)| values)
        };
        let (over_ratio, under_ratio) = (series(over, "ratio")?, series(under, "ratio")?);
        let ratio = over_ratio.iter().zip(under_ratio).map(|(over, under)| over / under).collect();
        let ns = series(over, "ns")?.clone();
        let series = vec![("ratio".to_owned(), ratio), ("ns".to_owned(), ns)];
        Some(Self { name: name.to_owned(), skipped: None, series })
    }

    /// The summary of a series, if it has one of that name.
    pub(super) fn summary(&self, key: &str) -> Option<Summary> {
        let (_, values) = self.series.iter().find(|(name, _)| name == key)?;
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            f64::midpoint(sorted[middle - 1], sorted[middle])
        } else {
            sorted[middle]
        };
        Some(Summary { median, least, most })
    }
}

#[cfg(test)]
mod tests {
    use super::{Figure, Summary};

    #[test]
    fn a_line_is_a_figure_with_its_rounds() {
        let figure = Figure::parse("start\tms=3,1,2\tother=4,2").expect("a figure");
        assert_eq!(figure.name, "start");
        let ms = Summary { median: 2.0, least: 1.0, most: 3.0 };
        assert_eq!(figure.summary("ms"), Some(ms));
        assert_eq!(figure.summary("other").map(|other| other.median), Some(3.0));
        assert_eq!(figure.summary("none"), None);
    }

    #[test]
    fn two_ratios_to_the_same_thing_are_a_ratio_of_the_two() {
        let lines = ["a\tratio=40,30\tns=4,3", "b\tratio=4,5\tns=1,1"];
        let figures: Vec<_> = lines.iter().filter_map(|line| Figure::parse(line)).collect();
        let quotient = Figure::quotient("c", "a", "b", &figures).expect("both are there");
        assert_eq!(
            quotient.summary("ratio"),
            Some(Summary { median: 8.0, least: 6.0, most: 10.0 })
        );
        assert!(Figure::quotient("c", "a", "d", &figures).is_none());
    }

    #[test]
    fn what_was_not_measured_says_why_and_other_lines_are_none() {
        let skipped = Figure::parse("python-guest\tskipped=not there").and_then(|f| f.skipped);
        assert_eq!(skipped.as_deref(), Some("not there"));
        for line in ["", "Running benches", "start\tms=", "start\tms=fast"] {
            assert!(Figure::parse(line).is_none(), "{line}");
        }
    }
}
