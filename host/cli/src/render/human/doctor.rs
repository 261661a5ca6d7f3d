//! What this machine offers, a line each.

use crate::doctor::{Examination, Status};
use crate::render::escape::terminal_text;
use crate::terminal::{ERROR, FAINT, GOOD, WARNING};

/// Each check: how it is, what was found, and where it is not ok, what that costs and what to do.
#[must_use]
pub fn checks(examination: &Examination) -> String {
    let mut text = String::new();
    for check in &examination.checks {
        let (style, status) = match check.status {
            Status::Ok => (GOOD, "ok"),
            Status::Degraded => (WARNING, "degraded"),
            Status::Broken => (ERROR, "broken"),
        };
        text.push_str(&format!(
            "{style}{status:<8}{style:#}  {:<12}  {}\n",
            check.check,
            terminal_text(&check.found)
        ));
        for (what, words) in [("costs", &check.cost), ("do", &check.mend)] {
            if let Some(words) = words {
                let words = terminal_text(words);
                text.push_str(&format!("{:24}{FAINT}{what}:{FAINT:#} {words}\n", ""));
            }
        }
    }
    text.push_str(match examination.status {
        Status::Ok => "everything is as it should be\n",
        Status::Degraded => "it works; what is degraded costs time, not results\n",
        Status::Broken => "something is broken: nothing that is evaluated here can be relied on\n",
    });
    text
}
