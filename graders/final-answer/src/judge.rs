//! Judges one output: finds its markers, and asks by which rules it is read.

use crate::language::text::trim;
use crate::markers::marked;
use crate::markers::scan::{Mode, scan};
use crate::reference::Reference;
use crate::status::Judgement;
use crate::unmarked;

/// The verdicts on an output, given its reference.
pub fn judge(output: &str, reference: Option<&str>) -> Judgement {
    if trim(output).is_empty() {
        return Judgement::nothing("the output is empty");
    }
    let reference = Reference::read(reference);
    let (strict, has_doubt) = judge_in(output, &reference, Mode::Strict);
    if !has_doubt {
        return strict;
    }
    strict.merge(judge_in(output, &reference, Mode::Loose).0)
}

/// One reading of the output, and whether the other one may differ.
fn judge_in(output: &str, reference: &Reference, mode: Mode) -> (Judgement, bool) {
    let scan = scan(output, mode);
    let standing = scan.ledger.standing();
    let judgement = if !standing.is_empty() {
        marked::judge(standing, reference)
    } else if let Some((withdrawn, end)) = scan.ledger.withdrawn {
        unmarked::rest::judge(&output[end..], withdrawn.text, reference)
    } else {
        unmarked::judge(output, reference)
    };
    (judgement, scan.has_doubt)
}
