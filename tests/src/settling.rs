//! Run records with a forecast and an explanation, at any distance from their horizon, and the book that holds them.

use accredit::read;
use accredit::settle::book;
use accredit::store::{Register, Writing, place};
use accredit_core::gate::settlement::{Book, Registration, What};
use accredit_core::ledger::Moment;
use serde_json::{Value, json};

use crate::bench::{Bench, Run};

/// A day, in seconds.
pub const DAY: i64 = 86_400;

/// So many seconds from now.
///
/// # Panics
/// When the clock does not go that far.
#[must_use]
pub fn from_now(seconds: i64) -> Moment {
    let now = accredit::clock::now().expect("a clock").seconds();
    Moment::from_seconds(now + seconds).expect("a moment")
}

/// A folder with an empty register.
///
/// # Panics
/// When none can be made.
#[must_use]
pub fn with_register() -> Bench {
    let bench = Bench::new();
    drop(Writing::make(&bench.path("")).expect("a register"));
    bench
}

/// A record of a run with the forecast `f` in its step `ask`, due at this horizon; it ended a year ago.
#[must_use]
pub fn forecast(run: &str, horizon: Moment, probability: Option<f64>) -> Value {
    let mut record = json!({
        "format": 1, "id": run, "case": "queue", "run": 1, "purpose": "acceptance",
        "ran": {"code_version": "abc123"},
        "ended_at": from_now(-365 * DAY),
        "steps": [{
            "id": "ask", "task": "How will the queue stand?", "answer": "Below 100.",
            "cost": 0.10, "latency_ms": 900,
            "claims": [{"id": "f", "text": "The queue is below 100 on Monday.", "forecast": {
                "horizon": horizon,
                "source_of_truth": "the queue's page on Monday, 09:00",
                "baseline": {"says": "it was below 100 on 4 of the last 10 Mondays", "probability": 0.4}
            }}]
        }]
    });
    if let Some(probability) = probability {
        record["steps"][0]["claims"][0]["forecast"]["probability"] = json!(probability);
    }
    record
}

/// The five dimensions, each standing alike.
#[must_use]
pub fn five(stands: &str) -> Value {
    let of = || json!({ "stands": stands });
    json!({"chronology": of(), "relative_move": of(), "mechanism": of(), "competing": of(), "contradictions": of()})
}

/// A record of a run with the explanation `e`.
#[must_use]
pub fn explanation(run: &str, horizon: Moment) -> Value {
    let mut record = forecast(run, horizon, None);
    record["steps"][0]["claims"] = json!([{"id": "e", "text": "The deploy made the queue grow.", "explanation": {
        "horizon": horizon,
        "source_of_truth": "the incident's report",
        "baseline": {"says": "Mondays are busy"},
        "assessment": five("holds")
    }}]);
    record
}

/// Writes a record into the folder `runs`.
///
/// # Panics
/// When it cannot be written.
pub fn put(bench: &Bench, record: &Value) {
    let name = format!("runs/{}.json", record["id"].as_str().expect("an id"));
    bench.write(&name, serde_json::to_string_pretty(record).expect("JSON"));
}

/// Registers what the records in `runs` hold, as it would have been at this moment.
///
/// # Panics
/// When the book does not take it.
pub fn register_at(bench: &Bench, at: Moment) {
    let runs = read::run_records(&bench.path("runs")).expect("records");
    let register = Writing::open(&bench.path("")).expect("a register");
    let mut made = Book::default();
    for run in &runs {
        for (step, claim) in run.open_claims() {
            let registration = Registration::of(run, step, claim).expect("is one");
            made.append(What::Registered(registration), at).expect("is taken");
        }
    }
    register.write(place::SETTLEMENTS, made.text().as_bytes()).expect("writes");
}

/// The book as it stands there.
///
/// # Panics
/// When it is damaged.
#[must_use]
pub fn book_of(bench: &Bench) -> Book {
    book(&Register::open(&bench.path("")).expect("a register")).expect("a book")
}

/// Runs `accredit settle`.
#[must_use]
pub fn settle(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["settle"], args].concat())
}

/// Enters how the forecast `f` of a run came out.
#[must_use]
pub fn came(bench: &Bench, run: &str, came: &str, more: &[&str]) -> Run {
    let args = ["outcome", run, "ask", "f", "--runs", "runs", "--came", came, "--by", "desk"];
    settle(bench, &[&args[..], &["--source", "the queue's page"], more].concat())
}
