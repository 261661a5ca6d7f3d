//! Every limit of the sandbox, tried again under the limits that graders are run with.

use accredit_core::ledger::Invariant;
use accredit_core::verification::{Breach, Check};
use accredit_engine::Limits;

use crate::failure::Failure;
use crate::place;
use crate::probe::{ALL, Prober, Report};
use crate::render::words::counted;

/// Tries every probe under each of these limits; under the built-in ones where there are none.
pub(super) fn check(limits: impl Iterator<Item = Limits>) -> Result<Check, Failure> {
    let mut distinct: Vec<Limits> = Vec::new();
    for limits in limits {
        if !distinct.contains(&limits) {
            distinct.push(limits);
        }
    }
    if distinct.is_empty() {
        distinct.push(Limits::default());
    }
    let mut broken = Vec::new();
    for limits in &distinct {
        let prober = Prober::new(place::settings(limits.clone(), 1)?)?;
        let tried = ALL.iter().map(|probe| prober.run(probe)).collect::<Result<_, _>>()?;
        broken.extend(Report::of(tried).broken());
    }
    broken.sort_unstable();
    broken.dedup();
    Ok(of(&broken, ALL.len(), distinct.len()))
}

/// What came of so many probes under so many sets of limits.
fn of(broken: &[&str], probes: usize, limits: usize) -> Check {
    let invariant = Invariant::SandboxHolds;
    match broken {
        [] if probes == 0 => Check::broke(invariant, Breach::Integrity, "no probe was tried"),
        [] => {
            let under = match limits {
                1 => String::new(),
                many => format!(" under each of {many} sets of limits"),
            };
            Check::held(invariant, format!("all {} held{under}", counted(probes as u64, "probe")))
        }
        broken => {
            let detail = format!(
                "got through: {}. Nothing that runs here can be relied on",
                broken.join(", ")
            );
            Check::broke(invariant, Breach::Integrity, detail)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_probe_that_gets_through_breaks_the_promise() {
        assert!(of(&[], 30, 1).held && of(&[], 30, 2).detail.contains("each of 2"));
        let broke = of(&["memory"], 30, 1);
        assert_eq!((broke.held, broke.breach), (false, Some(Breach::Integrity)));
        assert!(broke.detail.contains("memory"));
        assert!(!of(&[], 0, 1).held);
    }

    /// Under a limit that is too lax a probe gets through, and the check says which.
    #[test]
    fn limits_that_are_too_lax_are_found() {
        let lax = Limits {
            fuel: u64::MAX / 2,
            wall: std::time::Duration::from_millis(300),
            ..Limits::default()
        };
        let check = check(std::iter::once(lax)).expect("probes run");
        assert!(!check.held, "{}", check.detail);
    }
}
