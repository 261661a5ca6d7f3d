//! Run records: read, folded, reported and rendered, with no engine.

use accredit::record::{ReadRecord, RecordError, read_from};
use accredit::render::{self, Context};
use accredit_core::decision::{RateFigure, Requirement};
use accredit_core::id::Digest;
use accredit_core::report::Report;
use accredit_core::verdict::Tier;

use super::{Reached, assert_tame};

/// Reads the record as it is, and with the seal that fits it: no fuzzer finds a digest.
///
/// # Panics
/// When a promise of records or reports is broken.
pub fn run(bytes: &[u8]) -> Reached {
    let incomplete = read(bytes, true);
    if let Ok(incomplete) = &incomplete {
        report(incomplete);
    }
    if let Ok(complete) = &read(bytes, false) {
        assert!(complete.run.complete);
    }
    let sealed = sealed(bytes);
    let Ok(complete) = read(&sealed, false) else {
        return Reached::Refused;
    };
    assert!(complete.run.complete);
    report(&complete);
    order_of_arrival_is_nothing(&sealed, &complete);
    Reached::Taken
}

fn read(bytes: &[u8], incomplete: bool) -> Result<ReadRecord, RecordError> {
    let read = read_from(bytes, incomplete);
    if let Err(error) = &read {
        assert_tame(error);
    }
    read
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// Every whole line of the record but its seals, and the seal that fits them.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let seal = b"{\"aside\":{\"seal\":".as_slice();
    let whole = lines(bytes).filter(|line| line.ends_with(b"\n") && !line.starts_with(seal));
    let whole: Vec<_> = whole.collect();
    let events = whole.iter().filter(|line| !line.starts_with(b"{\"aside\":"));
    let digest = Digest::of(&events.copied().collect::<Vec<_>>().concat());
    let mut sealed = whole.concat();
    sealed.extend(format!("{{\"aside\":{{\"seal\":{{\"digest\":\"{digest}\"}}}}}}\n").bytes());
    sealed
}

/// The report of what was read, in every rendering.
fn report(read: &ReadRecord) {
    let report = Report::new(&read.run, read.digest);
    assert_eq!(report.run.complete, read.run.complete);
    let earned = report.decision.eligible_tier;
    assert!(read.run.complete || earned == Tier::Advisory, "an incomplete record earned {earned}");
    let mut asked = report.decision.requirements.iter().filter(|asked| asked.tier <= earned);
    assert!(asked.all(Requirement::is_satisfied), "{:?}", report.decision);
    let kinds = report.kinds.iter().map(|line| line.figure);
    kinds.chain(report.rules.iter().flat_map(|line| [line.catch, line.pass])).for_each(figure);

    let json = render::json::report(&report);
    let again: Report = serde_json::from_str(&json).expect("it was just written");
    assert_eq!(report, again, "the report is another one when it is read again");
    let places = render::Places::default();
    for require in Tier::ALL {
        for all in [false, true] {
            let context = Context { require, policy: "a policy", out: None, all, places: &places };
            assert_tame(&render::human::report(&report, &context));
        }
    }
}

/// Bounds hold the rate, and a rate over nothing is absent.
fn figure(figure: RateFigure) {
    assert_eq!(figure.rate.is_none(), figure.families.of == 0, "{figure:?}");
    let Some(rate) = figure.rate else {
        assert!(figure.lower_bound.is_none() && figure.wilson.is_none(), "{figure:?}");
        return;
    };
    let low = figure.lower_bound.unwrap_or(0.0);
    assert!((0.0..=1.0).contains(&rate) && (0.0..=1.0).contains(&low), "{figure:?}");
    let wilson = figure.wilson.expect("there is a rate");
    assert!(wilson.low <= rate + 1e-9 && rate <= wilson.high + 1e-9, "{figure:?}");
}

/// The same trials in another order are the same run.
fn order_of_arrival_is_nothing(sealed_bytes: &[u8], read: &ReadRecord) {
    let is_trial = |line: &&[u8]| line.starts_with(b"{\"trial-finished\":");
    let mut trials: Vec<_> = lines(sealed_bytes).filter(is_trial).collect();
    let turned = lines(sealed_bytes).map(|line| {
        if is_trial(&line) { trials.pop().expect("as many as there are") } else { line }
    });
    let turned = turned.collect::<Vec<_>>().concat();
    let again = read_from(sealed(&turned).as_slice(), false).expect("the same lines");
    assert_eq!(read.run, again.run);
}
