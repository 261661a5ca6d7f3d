//! What must be reached, figure by figure, and the table that shows it.

use super::figure::{Figure, Summary};

/// The bound that a figure's median must keep.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// Shown, and held against nothing.
    None,
}

/// What has to be asked for before a row is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// `--peers`: a Python on this machine.
    Peers,
    /// `--extism`: a package of its own.
    Extism,
}

/// One row.
pub(super) struct Target {
    /// The figure and its series.
    pub(super) figure: &'static str,
    series: &'static str,
    what: &'static str,
    bound: Bound,
    unit: &'static str,
    /// The series with the absolute nanoseconds, where the figure is a ratio.
    absolute: Option<&'static str>,
    pub(super) needs: Needs,
}

const fn row(
    (figure, series): (&'static str, &'static str),
    what: &'static str,
    bound: Bound,
    unit: &'static str,
    absolute: Option<&'static str>,
) -> Target {
    Target { figure, series, what, bound, unit, absolute, needs: Needs::Nothing }
}

use Bound::{AtLeast, AtMost};

pub(super) const TARGETS: &[Target] = &[
    row(("trial-200", "ratio"), "a trial, 200 B, against native", AtMost(13.5), "x", Some("ns")),
    row(("trial-10k", "ratio"), "a trial, 10 KB, against native", AtMost(3.0), "x", Some("ns")),
    row(("trial-1m", "ratio"), "a trial, 1 MB, against native", AtMost(2.5), "x", Some("ns")),
    row(
        ("two-jobs", "ratio"),
        "trials a second, two jobs against one",
        AtLeast(1.6),
        "x",
        Some("ns"),
    ),
    row(("check-50k", "seconds"), "`check`, 10,000 controls x 5", AtMost(1.2), " s", None),
    row(("check-50k", "peak-mb"), "the same, peak memory", AtMost(80.0), " MB", None),
    row(
        ("grade", "ratio"),
        "a case of `grade`, JSON in and out, against a bare trial",
        AtMost(2.0),
        "x",
        Some("ns"),
    ),
    row(
        ("grade", "cases-a-second"),
        "`grade`, 200,000 cases of 330 B, two jobs",
        AtLeast(60_000.0),
        " cases/s",
        None,
    ),
    row(("grade", "peak-mb"), "the same, peak memory", AtMost(80.0), " MB", None),
    row(("start", "ms"), "process start to exit with a verdict, cached", AtMost(5.0), " ms", None),
    row(("flat-memory", "growth-mb"), "growth over 1,000,000 trials", AtMost(10.0), " MB", None),
    row(
        ("python-guest", "ratio"),
        "a Python component, against native",
        Bound::None,
        "x",
        Some("ns"),
    ),
    Target {
        needs: Needs::Peers,
        ..row(
            ("python-process", "ratio"),
            "faster than a Python process a grade",
            AtLeast(900.0),
            "x",
            Some("ns"),
        )
    },
    Target {
        needs: Needs::Peers,
        ..row(
            ("python-worker", "ratio"),
            "faster than a Python worker",
            AtLeast(4.0),
            "x",
            Some("ns"),
        )
    },
    Target {
        needs: Needs::Extism,
        ..row(
            ("extism-plugin", "ratio"),
            "faster than a fresh Extism plugin from a compiled one",
            AtLeast(10.0),
            "x",
            Some("ns"),
        )
    },
];

/// A Markdown table of all targets, with what was measured of each.
pub(super) fn table(targets: &[Target], figures: &[Figure]) -> String {
    let mut table = String::from(
        "| what | target | median | least to most | ns | |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for target in targets {
        let figure = figures.iter().find(|figure| figure.name == target.figure);
        table.push_str(&line(target, figure));
    }
    table
}

fn line(target: &Target, figure: Option<&Figure>) -> String {
    let Target { series, what, bound, unit, absolute, .. } = target;
    let wanted = match bound {
        AtMost(most) => format!("<= {most}{unit}"),
        AtLeast(least) => format!(">= {least}{unit}"),
        Bound::None => "-".to_owned(),
    };
    let Some(Summary { median, least, most }) = figure.and_then(|figure| figure.summary(series))
    else {
        let why = figure.and_then(|figure| figure.skipped.clone());
        let why = why.unwrap_or_else(|| "not asked for".to_owned());
        return format!("| {what} | {wanted} | - | - | - | skipped: {why} |\n");
    };
    let absolute = absolute.and_then(|series| figure?.summary(series));
    let absolute = absolute.map_or("-".to_owned(), |ns| format!("{:.0}", ns.median));
    let state = match bound {
        AtMost(bound) if median <= *bound => "pass",
        AtLeast(bound) if median >= *bound => "pass",
        Bound::None => "",
        AtMost(_) | AtLeast(_) => "MISS",
    };
    format!(
        "| {what} | {wanted} | {median:.2}{unit} | {least:.2} to {most:.2} | {absolute} | {state} |\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Figure, TARGETS, table};

    #[test]
    fn a_median_keeps_its_bound_or_is_told_to_miss_it() {
        let shown = |line: &str| {
            let figures: Vec<_> = Figure::parse(line).into_iter().collect();
            let name = line.split('\t').next().unwrap_or_default();
            let targets = table(TARGETS, &figures);
            let place = TARGETS.iter().position(|target| target.figure == name);
            targets.lines().nth(place.expect("a target") + 2).expect("its row").to_owned()
        };
        assert!(
            shown("trial-200\tratio=13.5\tns=1")
                .ends_with("| 13.50x | 13.50 to 13.50 | 1 | pass |")
        );
        assert!(shown("trial-200\tratio=13.6\tns=1").ends_with("MISS |"));
        assert!(shown("two-jobs\tratio=1.6\tns=1").ends_with("pass |"));
        assert!(shown("two-jobs\tratio=1.5\tns=1").ends_with("MISS |"));
        assert!(shown("python-guest\tskipped=why").ends_with("skipped: why |"));
    }
}
