//! Run records of a system under test, and the inventory beside them.
//!
//! One input holds several files, as of the target `controls`: `inventory.toml` or `inventory.json`, records, and a
//! `settlements.jsonl`.

use accredit::read;
use accredit::render::{self, GateContext};
use accredit_core::gate::evidence_grade::of_records;
use accredit_core::gate::record::SutRun;
use accredit_core::gate::settlement::{Book, SettlementReport};
use accredit_core::gate::standing::Truth;
use accredit_core::gate::{Gate, GateReport};
use accredit_core::id::Digest;
use accredit_core::ledger::Moment;
use accredit_core::policy::Policy;

use super::controls::files_of;
use super::{Reached, assert_tame};

/// Reads every file, and gates without a grader.
///
/// # Panics
/// When a promise is broken: text that a terminal would act on, or a gate without a grader that is not undefined.
pub fn run(bytes: &[u8]) -> Reached {
    let (mut runs, mut inventory, mut refused) = (Vec::new(), None, false);
    let mut book = Book::default();
    for (name, bytes) in files_of(bytes) {
        if name == "settlements.jsonl" {
            match Book::read(&bytes) {
                Ok(read) => {
                    assert_eq!(read.text().as_bytes(), bytes, "a book is what was read");
                    book = read;
                }
                Err(fault) => {
                    assert_tame(&fault);
                    refused = true;
                }
            }
            continue;
        }
        let faults = match name.as_str() {
            "inventory.toml" | "inventory.json" => {
                read::inventory_of(&name, &bytes).map(|read| inventory = Some(read))
            }
            _ => read::run_records_of("records.jsonl", &bytes).map(|read| runs.extend(read)),
        };
        if let Err(faults) = faults {
            assert!(faults.errors() > 0, "refused without a fault");
            assert_tame(&faults);
            refused = true;
        }
    }
    let Some(inventory) = inventory.filter(|_| !refused) else { return Reached::Refused };
    let policy = Policy::default();
    let gate = Gate {
        inventory: &inventory,
        runs: &runs,
        graders: &[],
        judgements: &[],
        profiles: &[],
        words: &[],
        book: &book,
        policy: &policy,
        policy_digest: Digest::of(b""),
        now: Moment::from_seconds(0).expect("a moment"),
    };
    match GateReport::new(gate) {
        Err(faults) => {
            faults.iter().for_each(assert_tame);
            Reached::Refused
        }
        Ok(report) => {
            assert_eq!(report.release.verdict, Truth::Undefined, "no grader decided that");
            assert_eq!(report.summary.verdicted, 0);
            assert_eq!(report.summary.cases + characterized(&report), report.inventory.cases);
            let context = GateContext { all: true, ..GateContext::default() };
            assert_tame(&render::human::gate(&report, &context));
            assert_eq!(report.evidence.faults(&report.cases), Vec::<String>::new());
            let grades = of_records(&runs, None);
            assert_eq!(grades.counters.broken(), []);
            assert_tame(&render::human::evidence(&grades, true));
            settle(&runs, &book);
            let json = serde_json::to_string(&report).expect("JSON");
            assert_eq!(serde_json::from_str::<GateReport>(&json).expect("a report"), report);
            Reached::Taken
        }
    }
}

/// Whatever was registered is told tamely, and is settled only where the book says so.
fn settle(runs: &[SutRun], book: &Book) {
    let now = Moment::from_seconds(4_000_000_000).expect("a moment");
    let report = SettlementReport::new(runs, book, now);
    assert_tame(&render::human::settlement(&report));
    let json = serde_json::to_string(&report).expect("JSON");
    assert_eq!(serde_json::from_str::<SettlementReport>(&json).expect("a report"), report);
    let registered = book.standings().count() as u64;
    assert!(report.counts.settled <= registered, "settled, and never registered");
}

fn characterized(report: &GateReport) -> u64 {
    report.purposes.get("characterization").map_or(0, |summary| summary.cases)
}
