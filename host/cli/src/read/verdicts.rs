//! Recorded verdicts, in a file of their own or in fields of the file of labels, joined with the labelled outputs.

use std::path::{Path, PathBuf};

use accredit_core::assess::Output;
use accredit_core::assess::import::{Given, join};
use accredit_core::control::family;
use accredit_core::control::lint::{LintFault, nearest, quoted};
use accredit_core::id::{ControlId, Digest};
use accredit_core::run::event::SampleFacts;
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, one_of, text};
use super::node::{Node, Value};
use super::real_output::{self, RealOutputs, control_id, json_lines, take_header};
use super::source::{Source, whole};

pub(super) const VERDICT: Shape =
    Shape { what: "a recorded verdict", keys: &["id", "verdict", "score", "rationale"] };

/// Where verdicts stand.
#[derive(Debug, Clone)]
pub enum Verdicts {
    /// In a file of their own.
    File(PathBuf),
    /// In fields of the file of labels, each a dotted path: `meta.judge`.
    Fields {
        /// The verdict.
        verdict: String,
        /// The score.
        score: Option<String>,
        /// The judge's words.
        rationale: Option<String>,
    },
}

/// What an import reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The outputs with their labels and verdicts.
    pub outputs: Vec<Output>,
    /// What the file of labels declares of how they were drawn.
    pub samples: Vec<SampleFacts>,
    /// The digest of the file of labels.
    pub labels: Digest,
    /// The digest of the file of verdicts.
    pub verdicts: Digest,
}

/// Reads labelled outputs and the verdicts on them. `is_pass` says that a score is the probability that the output
/// is right, not that it is wrong.
///
/// # Errors
/// Every fault of both files; where each is sound by itself, every output without a verdict and every verdict
/// without an output.
pub fn import(labels: &Path, verdicts: &Verdicts, is_pass: bool) -> Result<Import, ReadFaults> {
    of_files(labels, verdicts, is_pass).map_err(|faults| ReadFaults::new("", faults))
}

fn of_files(labels: &Path, verdicts: &Verdicts, is_pass: bool) -> Result<Import, Vec<LintFault>> {
    let open =
        |path: &Path| Source::read(path, &path.display().to_string()).map_err(|fault| vec![*fault]);
    let labels = open(labels);
    let given = match verdicts {
        Verdicts::File(path) => open(path).and_then(|source| {
            let given = of_lines(&source, is_pass)?;
            Ok((given, Digest::of(&source.bytes)))
        }),
        Verdicts::Fields { .. } => match &labels {
            Err(_) => Err(Vec::new()),
            Ok(source) => {
                let given = of_fields(source, verdicts, is_pass);
                given.map(|given| (given, Digest::of(&source.bytes)))
            }
        },
    };
    let digest = labels.as_ref().map(|source| Digest::of(&source.bytes)).ok();
    let labelled = labels.and_then(|source| real_output::of_source(&source));
    let (labelled, (given, verdicts)) = both(labelled, given)?;
    let RealOutputs { mut controls, sample, .. } = labelled;
    family::merge(&mut controls);
    let outputs = controls.len() as u64;
    Ok(Import {
        samples: sample
            .map(|declared| SampleFacts { declared, outputs, held_out: false })
            .into_iter()
            .collect(),
        outputs: join(controls, given)?,
        labels: digest.unwrap_or(verdicts),
        verdicts,
    })
}

/// Both, or the faults of both.
fn both<A, B>(
    one: Result<A, Vec<LintFault>>,
    other: Result<B, Vec<LintFault>>,
) -> Result<(A, B), Vec<LintFault>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(mut faults), Err(more)) => {
            faults.extend(more);
            Err(faults)
        }
        (Err(faults), Ok(_)) | (Ok(_), Err(faults)) => Err(faults),
    }
}

fn of_lines(source: &Source, is_pass: bool) -> Result<Vec<Given>, Vec<LintFault>> {
    let mut sink = Sink::new(&source.name);
    let text = source.text().map_err(|fault| vec![*fault])?;
    let nodes = json_lines(text, &mut sink);
    let given = nodes.iter().filter_map(|node| line(node, is_pass, &mut sink)).collect();
    if sink.faults.is_empty() { Ok(given) } else { Err(sink.faults) }
}

fn line(node: &Node, is_pass: bool, sink: &mut Sink) -> Option<Given> {
    name(node, sink);
    let place = sink.place(node.line);
    let given = sink.clean(|sink| {
        let fields = Fields::open(&At::root(node), &VERDICT, sink)?;
        let id = fields.required("id", sink, control_id);
        let verdict = fields.get("verdict").map(|at| verdict(&at, sink));
        let score = fields.get("score").map(|at| score(&at, is_pass, sink));
        let rationale = fields.optional("rationale", sink, text).unwrap_or_default();
        Some(Given {
            id: parsed(&id?)?,
            at: place,
            verdict: verdict.flatten(),
            score: score.flatten(),
            rationale: Untrusted::new(rationale),
        })
    });
    sink.control = None;
    given
}

/// Faults bear the id of the line, where it has a valid one.
fn name(node: &Node, sink: &mut Sink) {
    sink.control = node.text("id").and_then(parsed);
}

fn parsed(id: &str) -> Option<ControlId> {
    ControlId::new(id.to_ascii_lowercase()).ok()
}

fn verdict(at: &At<'_>, sink: &mut Sink) -> Option<Verdict> {
    one_of(at, sink, &Verdict::ALL.map(|verdict| (verdict.name(), verdict)))
}

/// A score as the probability that the output should fail.
fn score(at: &At<'_>, is_pass: bool, sink: &mut Sink) -> Option<f64> {
    let number = match &at.node.value {
        Value::Number(number) => number.as_f64().filter(|number| (0.0..=1.0).contains(number)),
        _ => None,
    };
    match number {
        Some(pass) if is_pass => Some(1.0 - pass),
        Some(fail) => Some(fail),
        None => at.wrong(
            "a probability from 0 to 1",
            "write it as 0.25, or leave it out; say what it is the probability of with --score-means",
            sink,
        ),
    }
}

/// Verdicts in fields of the file of labels. A line without one has none; a file without any has another name for
/// it.
fn of_fields(
    source: &Source,
    fields: &Verdicts,
    is_pass: bool,
) -> Result<Vec<Given>, Vec<LintFault>> {
    let Verdicts::Fields { verdict: path, score: scores, rationale } = fields else {
        return Ok(Vec::new());
    };
    let text = source.text().map_err(|_| Vec::new())?;
    // What is wrong with the lines themselves is told by the reader of labels.
    let mut nodes = json_lines(text, &mut Sink::new(&source.name));
    take_header(&mut nodes, &mut Sink::new(&source.name));
    let mut sink = Sink::new(&source.name);
    for path in [Some(path), scores.as_ref(), rationale.as_ref()].into_iter().flatten() {
        unknown_path(&nodes, path, &mut sink);
    }
    let mut given = Vec::new();
    for node in &nodes {
        name(node, &mut sink);
        let place = sink.place(node.line);
        let read = Given {
            id: match &sink.control {
                Some(id) => id.clone(),
                None => continue,
            },
            at: place,
            verdict: field(node, path).and_then(|at| verdict(&at, &mut sink)),
            score: scores
                .as_ref()
                .and_then(|path| field(node, path))
                .and_then(|at| score(&at, is_pass, &mut sink)),
            rationale: rationale
                .as_ref()
                .and_then(|path| field(node, path))
                .and_then(|at| super::fields::text(&at, &mut sink))
                .map(Untrusted::new)
                .unwrap_or_default(),
        };
        sink.control = None;
        given.push(read);
    }
    if sink.faults.is_empty() { Ok(given) } else { Err(sink.faults) }
}

/// The value at a dotted path, if it is there and not null.
fn field<'n>(node: &'n Node, path: &str) -> Option<At<'n>> {
    let mut at = (node, node.line);
    for key in path.split('.') {
        let member = at.0.member(key)?;
        at = (&member.node, member.line);
    }
    let (node, line) = at;
    (!matches!(node.value, Value::Null)).then(|| At { node, path: path.to_owned(), line })
}

fn unknown_path(nodes: &[Node], path: &str, sink: &mut Sink) {
    if nodes.is_empty() || nodes.iter().any(|node| field(node, path).is_some()) {
        return;
    }
    let at = path.rsplit_once('.');
    let (above, key) = at.map_or((None, path), |(above, key)| (Some(above), key));
    let mut keys: Vec<&str> = nodes
        .iter()
        .filter_map(|node| match above {
            None => Some(node),
            Some(above) => field(node, above).map(|at| at.node),
        })
        .filter_map(|node| match &node.value {
            Value::Table(members) => Some(members),
            _ => None,
        })
        .flatten()
        .map(|member| member.key.as_str())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let mend = match nearest(key, keys.iter().copied()) {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => "name a field that at least one line has, as a dotted path".to_owned(),
    };
    let message = format!("no line has {}", quoted(path));
    sink.faults.push(LintFault::error("unknown-field", whole(&sink.file), message, mend));
}
