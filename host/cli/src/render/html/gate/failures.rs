//! What failed, each beside the words it rests on; and what was not evaluated.

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::findings::Citation;
use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};
use accredit_core::gate::texts::StepTexts;
use accredit_core::id::{RunId, StepId};
use accredit_core::untrusted::Untrusted;
use maud::{Markup, html};

use super::super::texts::{block, longest};
use super::super::{Section, filter};
use crate::render::escape::{Shown, said};
use crate::render::gate_words;

/// How many lines of what was not evaluated stand there unfolded.
const OPEN: usize = 20;

type Texts<'a> = BTreeMap<(&'a RunId, &'a StepId), &'a StepTexts>;

/// A list of failures: what it is called, what it means, and its failures.
type List<'a> = (&'static str, &'static str, &'a [Failed]);

fn lists(report: &GateReport) -> impl Iterator<Item = List<'_>> {
    let lists: [List<'_>; 4] = [
        ("blocks", "each of these decides", &report.blocking),
        ("let go by a person", "they blocked, and a person let them go", &report.let_go),
        ("tolerated", "within the pass rate that the policy asks", &report.tolerated),
        ("advisory", "they block nothing", &report.advisory),
    ];
    lists.into_iter().filter(|(_, _, failures)| !failures.is_empty())
}

/// Every failure, those that block first.
pub(super) fn section(report: &GateReport) -> Option<Section> {
    lists(report).next()?;
    let texts: Texts<'_> = report.texts.iter().map(|it| ((&it.run, &it.step), it)).collect();
    let longest = longest(lists(report).flat_map(|(_, _, all)| shown(all, &texts)));
    let names: Vec<_> = lists(report).map(|(name, ..)| name).collect();
    let all = || lists(report).flat_map(|(_, _, failures)| failures);
    let graders: BTreeSet<_> = all().map(|it| it.grader.as_str()).collect();
    let rules: BTreeSet<_> = all().map(|it| it.rule.as_str()).collect();
    let (graders, rules): (Vec<_>, Vec<_>) =
        (graders.into_iter().collect(), rules.into_iter().collect());
    let body = html! {
        (filter::choices([("Which", &names), ("Grader", &graders), ("Rule", &rules)]))
        @for (name, meaning, failures) in lists(report) {
            div.list {
                h3 { (name) ": " (failures.len()) " " span.faint { "(" (meaning) ")" } " " span.of {} }
                @for failed in failures {
                    (article(failed, name, texts.get(&(&failed.run, &failed.step)).copied(), longest))
                }
            }
        }
    };
    Some(Section { id: "wrong", title: "What failed", body })
}

/// Every text that is shown of these failures.
fn shown<'a>(failures: &'a [Failed], texts: &'a Texts<'a>) -> impl Iterator<Item = Shown<'a>> {
    failures.iter().flat_map(|failed| {
        let step = texts.get(&(&failed.run, &failed.step));
        let of_step = step.into_iter().flat_map(|step| {
            let evidence = step.evidence.iter().map(|it| &it.content);
            let evidence = evidence.chain(step.messages.iter().map(|(_, words)| words));
            [&step.task].into_iter().chain(&step.answer).chain(&step.reference).chain(evidence)
        });
        let quotes = failed.citations.iter().map(|it| &it.quote);
        of_step.chain([&failed.rationale]).chain(quotes).map(said)
    })
}

fn article(failed: &Failed, list: &str, step: Option<&StepTexts>, longest: usize) -> Markup {
    html! {
        article.miss data-list=(list) data-kind=(failed.grader.as_str()) data-rule=(failed.rule.as_str()) {
            header {
                h4 { (failed.case.as_str()) " · " (failed.run.as_str()) "/" (failed.step.as_str()) }
                p.tags {
                    span { (failed.grader.as_str()) " (" (failed.kind.name()) ", " (failed.authority.name()) ")" }
                    span { (failed.rule.as_str()) }
                    @if let Some(claim) = &failed.claim { span { "claim " (said(claim).at_most(80)) } }
                }
                p.verdicts { @for (at, mark) in gate_words::failed_marks(failed).iter().enumerate() {
                    @if at > 0 { " · " } (mark)
                } }
            }
            div.sides {
                div { h5 { "The run" } dl { (case(failed, step, longest)) } }
                div { h5 { "The grader" } dl { (answer(failed, longest)) } }
            }
        }
    }
}

fn case(failed: &Failed, step: Option<&StepTexts>, longest: usize) -> Markup {
    let Some(step) = step else {
        return html! { dt { "Texts" } dd.faint { "None are told of a held-out case." } };
    };
    let cites = |id: &Untrusted| failed.citations.iter().any(|cited| cited.evidence == *id);
    let claim = failed.claim.as_ref().and_then(|claim| step.claims.get(claim));
    html! {
        @for (role, words) in &step.messages {
            dt { "Before, " (said(role).at_most(40)) } dd { (block(said(words), longest)) }
        }
        @if !step.task.is_empty() { dt { "Task" } dd { (block(said(&step.task), longest)) } }
        @if let Some(claim) = claim { dt { "Claim" } dd { (block(said(claim), longest)) } }
        @if let Some(answer) = &step.answer { dt { "Answer" } dd { (block(said(answer), longest)) } }
        @if let Some(reference) = &step.reference { dt { "Reference" } dd { (block(said(reference), longest)) } }
        @for it in &step.evidence {
            dt { "Evidence " (said(&it.id).at_most(80)) ": " (said(&it.kind).at_most(80)) @if cites(&it.id) { ", cited" } }
            dd {
                @if !it.source.is_empty() || it.as_of.is_some() {
                    p.faint { (said(&it.source).at_most(200)) @if let Some(at) = &it.as_of { ", as of " (said(at).at_most(80)) } }
                }
                (block(said(&it.content), longest))
            }
        }
    }
}

fn answer(failed: &Failed, longest: usize) -> Markup {
    html! {
        dt { "Verdict" } dd { strong { "fail" } " of " (failed.rule.as_str()) }
        @if !failed.rationale.is_empty() { dt { "It said" } dd { (block(said(&failed.rationale), longest)) } }
        @for Citation { evidence, quote } in &failed.citations {
            dt { "Quoting " (said(evidence).at_most(80)) } dd { (block(said(quote), longest)) }
        }
    }
}

/// What has no verdict and should have one: neither passed nor failed.
pub(super) fn open(report: &GateReport) -> Option<Section> {
    let all = &report.not_evaluated;
    if all.is_empty() {
        return None;
    }
    let (first, rest) = all.split_at(OPEN.min(all.len()));
    let body = html! {
        p { "Neither passed nor failed: absence is never green, and no failure of the product." }
        (open_table(first))
        @if !rest.is_empty() { details { summary { "and " (rest.len()) " more" } (open_table(rest)) } }
    };
    Some(Section { id: "open", title: "What was not evaluated", body })
}

fn open_table(lines: &[Open]) -> Markup {
    html! {
        div.scroll { table.stack {
            thead { tr { th { "What" } th { "How it stands" } th { "Why" } } }
            tbody { @for it in lines { tr {
                th scope="row" { (gate_words::open_place(it)) @if let Some(claim) = &it.claim { ", claim " (said(claim).at_most(80)) } }
                td { span.chip.none { (it.standing.name()) } }
                td.wide { (it.why.text()) }
            } } }
        } }
    }
}
