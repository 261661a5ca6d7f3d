//! The grades of the evidence in every report of a gate that the register keeps, made again from what they rest on.

use accredit_core::gate::GateReport;
use accredit_core::id::Digest;
use accredit_core::ledger::Invariant;
use accredit_core::verification::{Breach, Check};

use crate::failure::Failure;
use crate::gate::LONGEST_REPORT;
use crate::render::words::counted;
use crate::store::{Register, place};

/// Looks at every report that is kept. Nothing in it is believed: what its grades and counters come to is made again.
pub(super) fn check(register: &Register) -> Result<Check, Failure> {
    let (mut runs, mut found) = (0, Vec::new());
    let reports = register.names(place::GATES)?;
    for name in &reports {
        let within = format!("{}/{name}", place::GATES);
        let bytes = register.read(&within, LONGEST_REPORT)?.unwrap_or_default();
        // `gate --keep` names a report by its moment and its digest.
        let digest = Digest::of(&bytes).short();
        if !name.strip_suffix(".json").is_some_and(|it| it.ends_with(&format!("-{digest}"))) {
            found.push((false, format!("{within}: is not the report that was kept by this name")));
            continue;
        }
        match serde_json::from_slice::<GateReport>(&bytes) {
            Ok(report) => {
                runs += report.evidence.runs.len() as u64;
                let faults = report.evidence.faults(&report.cases);
                let unbound = faults.len() == report.evidence.counters.broken().len();
                found.extend(faults.iter().map(|fault| (unbound, format!("{within}: {fault}"))));
            }
            Err(error) => found.push((false, format!("{within}: is no report of a gate: {error}"))),
        }
    }
    Ok(of(&found, reports.len() as u64, runs))
}

/// What came of so many reports, of so many runs. A report that says of itself that runs have no grade breaks a promise;
/// one that is not what it says is damaged.
fn of(found: &[(bool, String)], reports: u64, runs: u64) -> Check {
    let invariant = Invariant::EvidenceIsGraded;
    if found.is_empty() {
        return Check::held(
            invariant,
            match reports {
                0 => "no report of a gate is kept".to_owned(),
                _ => format!(
                    "{} of a gate, {} graded: ungraded_terminal 0, unbound_terminalization_families 0",
                    counted(reports, "report"),
                    counted(runs, "run")
                ),
            },
        );
    }
    let honest = found.iter().all(|(unbound, _)| *unbound);
    let breach = if honest { Breach::NotMet } else { Breach::Integrity };
    let told: Vec<&str> = found.iter().map(|(_, fault)| fault.as_str()).collect();
    Check::broke(invariant, breach, told.join("; "))
}
