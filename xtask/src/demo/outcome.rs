//! Whether a run of the demo came to what was announced, read from the report that it left.
//!
//! The report is read by its lines, which spares this crate a JSON parser. That is safe: a quote within
//! a string is written `\"`, so no text of a grader or a control can look like a line looked for here.

/// What the reader is told to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The grader is refused, with false passes of each kind in [`MISSED`].
    Refused,
    /// The grader is eligible for gating, under [`WAIVERS`] waivers.
    Eligible,
}

/// The kinds of control that a refused grader must be shown to have passed wrongly.
const MISSED: [&str; 3] = ["known-bad", "near-miss", "adversarial"];

/// As many as accredit.toml holds.
const WAIVERS: usize = 2;

/// What a run left.
pub(super) struct Seen {
    /// The exit code, unless a signal ended the run.
    pub(super) exit: Option<i32>,
    /// report.json.
    pub(super) report: String,
    /// The same report, derived again from the record.
    pub(super) derived: String,
}

impl Expected {
    /// For the heading before the run.
    pub(super) fn announced(self) -> &'static str {
        match self {
            Self::Refused => "refused, exit 1, with the controls that it passed wrongly",
            Self::Eligible => "eligible for gating under 2 waivers, exit 0",
        }
    }

    fn exit(self) -> i32 {
        match self {
            Self::Refused => 1,
            Self::Eligible => 0,
        }
    }

    fn tier(self) -> &'static str {
        match self {
            Self::Refused => "advisory",
            Self::Eligible => "gating",
        }
    }
}

/// What was seen, in a line; or all that is not as expected.
pub(super) fn judge(expected: Expected, seen: &Seen) -> Result<String, String> {
    let mut problems = Vec::new();
    if seen.exit != Some(expected.exit()) {
        let got = seen.exit.map_or("a signal".to_owned(), |code| format!("exit {code}"));
        problems.push(format!("expected exit {}, got {got}", expected.exit()));
    }
    if seen.report != seen.derived {
        problems.push("expected the record to give report.json again, got another report".into());
    }
    let tier = value(&seen.report, "    \"eligible_tier\": ").unwrap_or("none");
    if tier != expected.tier() {
        problems.push(format!("expected eligible_tier {}, got {tier}", expected.tier()));
    }
    let detail = match expected {
        Expected::Refused => false_passes(&seen.report),
        Expected::Eligible => waivers(&seen.report),
    };
    match detail {
        Ok(detail) if problems.is_empty() => Ok(format!(
            "exit {}, {detail}, and the record gives report.json again",
            expected.exit()
        )),
        Ok(_) => Err(problems.join("; ")),
        Err(problem) => {
            problems.push(problem);
            Err(problems.join("; "))
        }
    }
}

/// How many controls of each kind in [`MISSED`] were passed wrongly: at least one.
fn false_passes(report: &str) -> Result<String, String> {
    let listed = list(report, "  \"false_passes\": [");
    let count = |kind: &str| {
        let line = format!("\"kind\": \"{kind}\",");
        listed.iter().filter(|listed| listed.trim() == line).count()
    };
    let counts: Vec<String> = MISSED.iter().map(|kind| format!("{} {kind}", count(kind))).collect();
    let counts = counts.join(", ");
    if MISSED.iter().any(|kind| count(kind) == 0) {
        return Err(format!("expected false passes of each of these kinds, got {counts}"));
    }
    Ok(format!("false passes: {counts}"))
}

fn waivers(report: &str) -> Result<String, String> {
    let listed = list(report, "    \"waivers\": [");
    let count = listed.iter().filter(|line| line.trim().starts_with("\"requirement\": ")).count();
    if count != WAIVERS {
        return Err(format!("expected {WAIVERS} waivers, got {count}"));
    }
    Ok(format!("eligible for gating under {count} waivers"))
}

/// The text behind this beginning of a line, without its quotes.
fn value<'a>(report: &'a str, start: &str) -> Option<&'a str> {
    let rest = report.lines().find_map(|line| line.strip_prefix(start))?;
    Some(rest.trim_end_matches(',').trim_matches('"'))
}

/// The lines between the one that opens a list and the one, as far indented, that closes it.
fn list<'a>(report: &'a str, opening: &str) -> Vec<&'a str> {
    let indent = &opening[..opening.len() - opening.trim_start().len()];
    let closing = format!("{indent}]");
    let lines = report.lines().skip_while(|line| *line != opening).skip(1);
    lines.take_while(|line| line.trim_end_matches(',') != closing).collect()
}

#[cfg(test)]
mod tests {
    use super::{Expected, Seen, judge};

    const REFUSED: &str = r#"{
  "decision": {
    "eligible_tier": "advisory",
    "waivers": [],
    "requirements": []
  },
  "false_passes": [
    {
      "kind": "known-bad",
      "tags": [
        "x"
      ]
    },
    {
      "kind": "near-miss",
      "rationale": "\"kind\": \"adversarial\","
    }
  ],
  "false_fails": [
    {
      "kind": "adversarial",
    }
  ]
}"#;

    const ELIGIBLE: &str = r#"{
  "decision": {
    "eligible_tier": "gating",
    "waivers": [
      {
        "requirement": "held-out",
      },
      {
        "requirement": "real-output",
      }
    ],
    "requirements": [
      {
        "requirement": "another",
      }
    ]
  }
}"#;

    fn check(expected: Expected, exit: i32, report: &str) -> Result<String, String> {
        let (report, derived) = (report.to_owned(), report.to_owned());
        judge(expected, &Seen { exit: Some(exit), report, derived })
    }

    #[test]
    fn a_refusal_names_false_passes_of_each_kind() {
        let problem = check(Expected::Refused, 1, REFUSED).expect_err("none is adversarial");
        assert!(problem.ends_with("got 1 known-bad, 1 near-miss, 0 adversarial"), "{problem}");
        let all = REFUSED.replace("\"x\"", "\"kind\": \"adversarial\",");
        let said = check(Expected::Refused, 1, &all).expect("all three are there");
        assert!(said.contains("1 known-bad, 1 near-miss, 1 adversarial"), "{said}");
    }

    #[test]
    fn eligibility_is_told_with_its_waivers() {
        let said = check(Expected::Eligible, 0, ELIGIBLE).expect("as announced");
        assert!(said.contains("eligible for gating under 2 waivers"), "{said}");
        let fewer = ELIGIBLE.replace("\"requirement\": \"held-out\"", "\"reason\": \"\"");
        let problem = check(Expected::Eligible, 0, &fewer).expect_err("one waiver is gone");
        assert_eq!(problem, "expected 2 waivers, got 1");
    }

    #[test]
    fn everything_that_differs_is_told() {
        let problem = check(Expected::Eligible, 1, REFUSED).expect_err("it was refused");
        let told = "expected exit 0, got exit 1; expected eligible_tier gating, got advisory; \
                    expected 2 waivers, got 0";
        assert_eq!(problem, told);
        let (report, derived) = (ELIGIBLE.to_owned(), String::new());
        let seen = Seen { exit: None, report, derived };
        let problem = judge(Expected::Eligible, &seen).expect_err("two things differ");
        assert!(problem.starts_with("expected exit 0, got a signal; expected the record"));
    }
}
