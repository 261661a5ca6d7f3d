//! Forecasts, explanations, and the dated entries on how they came out, within run records.

use accredit_core::gate::record::{
    Baseline, Dimension, Dimensions, Explanation, Forecast, LaterOutcome, Rival, Stands,
};
use accredit_core::untrusted::Untrusted;

use super::fields::{At, Fields, Shape, Sink, boolean, id, one_of, text};
use super::node::Value;
use super::run_record::moment;

pub(super) const FORECAST: Shape = Shape {
    what: "a forecast",
    keys: &["horizon", "source_of_truth", "baseline", "call", "probability"],
};
pub(super) const BASELINE: Shape =
    Shape { what: "a baseline", keys: &["says", "expects", "probability"] };
pub(super) const EXPLANATION: Shape = Shape {
    what: "an explanation",
    keys: &["horizon", "source_of_truth", "baseline", "assessment"],
};
pub(super) const RIVAL: Shape = Shape { what: "the baseline of an explanation", keys: &["says"] };
pub(super) const DIMENSIONS: Shape = Shape {
    what: "an assessment",
    keys: &["chronology", "relative_move", "mechanism", "competing", "contradictions"],
};
pub(super) const DIMENSION: Shape =
    Shape { what: "one of the five dimensions", keys: &["stands", "remark"] };
pub(super) const OUTCOME: Shape = Shape {
    what: "a later outcome",
    keys: &["at", "by", "step", "claim", "came", "later", "source"],
};

pub(super) fn forecast(at: &At<'_>, sink: &mut Sink) -> Option<Forecast> {
    let fields = Fields::open(at, &FORECAST, sink)?;
    let horizon = fields.required("horizon", sink, moment);
    let source_of_truth = fields.required("source_of_truth", sink, text);
    let against = fields.required("baseline", sink, baseline);
    let call = fields.optional("call", sink, boolean).unwrap_or(true);
    let probability = fields.optional("probability", sink, share);
    Some(Forecast {
        horizon: horizon?,
        source_of_truth: source_of_truth?,
        baseline: against?,
        call,
        probability,
    })
}

fn baseline(at: &At<'_>, sink: &mut Sink) -> Option<Baseline> {
    let fields = Fields::open(at, &BASELINE, sink)?;
    let says = fields.required("says", sink, text);
    let expects = fields.optional("expects", sink, boolean);
    let probability = fields.optional("probability", sink, share);
    Some(Baseline { says: says?, expects, probability })
}

pub(super) fn explanation(at: &At<'_>, sink: &mut Sink) -> Option<Explanation> {
    let fields = Fields::open(at, &EXPLANATION, sink)?;
    let horizon = fields.required("horizon", sink, moment);
    let source_of_truth = fields.required("source_of_truth", sink, text);
    let baseline = fields.required("baseline", sink, rival);
    let assessment = fields.required("assessment", sink, dimensions);
    Some(Explanation {
        horizon: horizon?,
        source_of_truth: source_of_truth?,
        baseline: baseline?,
        assessment: assessment?,
    })
}

fn rival(at: &At<'_>, sink: &mut Sink) -> Option<Rival> {
    let fields = Fields::open(at, &RIVAL, sink)?;
    Some(Rival { says: fields.required("says", sink, text)? })
}

fn dimensions(at: &At<'_>, sink: &mut Sink) -> Option<Dimensions> {
    let fields = Fields::open(at, &DIMENSIONS, sink)?;
    let mut of = |key| fields.required(key, sink, dimension);
    let (chronology, relative_move) = (of("chronology"), of("relative_move"));
    let (mechanism, competing, contradictions) =
        (of("mechanism"), of("competing"), of("contradictions"));
    Some(Dimensions {
        chronology: chronology?,
        relative_move: relative_move?,
        mechanism: mechanism?,
        competing: competing?,
        contradictions: contradictions?,
    })
}

fn dimension(at: &At<'_>, sink: &mut Sink) -> Option<Dimension> {
    let fields = Fields::open(at, &DIMENSION, sink)?;
    let stands = fields.required("stands", sink, stands);
    let remark = fields.optional("remark", sink, text).unwrap_or_default();
    Some(Dimension { stands: stands?, remark: Untrusted::new(remark) })
}

fn stands(at: &At<'_>, sink: &mut Sink) -> Option<Stands> {
    one_of(at, sink, &Stands::ALL.map(|stands| (stands.name(), stands)))
}

pub(super) fn outcome(at: &At<'_>, sink: &mut Sink) -> Option<LaterOutcome> {
    let fields = Fields::open(at, &OUTCOME, sink)?;
    let when = fields.required("at", sink, moment);
    let by = fields.required("by", sink, text);
    let step = fields.required("step", sink, id);
    let claim = fields.required("claim", sink, text);
    let came = fields.optional("came", sink, boolean);
    let later = fields.optional("later", sink, dimensions);
    let source = fields.required("source", sink, text);
    Some(LaterOutcome {
        at: when?,
        by: by?,
        step: step?,
        claim: claim?,
        came,
        later,
        source: source?,
    })
}

/// A probability: core says whether it is from 0 to 1.
fn share(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    let number = match &at.node.value {
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
        _ => None,
    };
    number.or_else(|| at.wrong("a number from 0 to 1", "write it as 0.7", sink))
}
