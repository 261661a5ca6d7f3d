//! The controls that were judged wrong: what each says beside what the grader said.

use std::collections::BTreeMap;

use accredit_core::id::ControlId;
use accredit_core::report::{Miss, Report};
use accredit_core::run::event::CaseTexts;
use maud::{Markup, html};

use super::texts::{block, longest};
use super::{Section, filter};
use crate::render::escape::{Shown, said, words};
use crate::render::words::{counted, others, verdicts, wrong};

/// Failures found in use that are back. They come first.
pub(super) fn failures(report: &Report) -> Option<Section> {
    if report.failures.is_empty() {
        return None;
    }
    let count = counted(report.failures.len() as u64, "failure");
    let longest = longest(shown(&report.failures, &report.texts));
    let body = html! {
        div.banner.bad { p.verdict { (count) " found in use, and back" }
            p { "A regression control holds a failure that was found in use. Each of these is judged wrong again." } }
        @for miss in &report.failures { (control(miss, "failure", &report.texts, longest)) }
    };
    Some(Section { id: "failures", title: "Failures that are back", body })
}

/// Every wrong control, in lists by how it was wrong.
pub(super) fn section(report: &Report) -> Option<Section> {
    let count: usize = wrong(report).map(|list| list.misses.len()).sum();
    if count == 0 {
        return None;
    }
    let longest = longest(wrong(report).flat_map(|list| shown(list.misses, &report.texts)));
    let body = html! {
        (filter::form(report))
        @for list in wrong(report) {
            div.list {
                h3 { (list.heading()) " " span.faint { "(" (list.meaning) ")" } " " span.of {} }
                @for miss in &list.misses { (control(miss, list.name, &report.texts, longest)) }
            }
        }
    };
    Some(Section { id: "wrong", title: "Controls judged wrong", body })
}

/// Every text that is shown of these controls.
pub(super) fn shown<'a>(
    misses: impl IntoIterator<Item = &'a Miss>,
    texts: &'a BTreeMap<ControlId, CaseTexts>,
) -> impl Iterator<Item = Shown<'a>> {
    misses.into_iter().flat_map(|miss| {
        let own = [words(miss.why.trim()), said(&miss.rationale)];
        let case = texts.get(&miss.id).into_iter().flat_map(|texts| {
            let evidence = texts.evidence.iter().map(|(_, content)| content);
            [&texts.task, &texts.output].into_iter().chain(&texts.reference).chain(evidence)
        });
        own.into_iter().chain(case.map(said))
    })
}

/// One control: on one side what it is, on the other what the grader made of it.
pub(super) fn control(
    miss: &Miss,
    list: &str,
    texts: &BTreeMap<ControlId, CaseTexts>,
    longest: usize,
) -> Markup {
    let rule = miss.rule.as_ref().map_or("", |rule| rule.as_str());
    html! {
        article.miss data-list=(list) data-kind=(miss.kind.name()) data-rule=(rule) {
            header {
                h4 { (miss.id.as_str()) }
                p.tags {
                    span { (miss.kind.name()) }
                    @if !rule.is_empty() { span { (rule) } }
                    @if let Some(tactic) = &miss.tactic { span { (tactic.as_str()) } }
                    @if miss.hard { span { "hard" } }
                }
                p.verdicts { (verdicts(miss)) }
            }
            div.sides {
                div { h5 { "The control" } dl { (case(texts.get(&miss.id), longest)) (reason(miss, longest)) } }
                div { h5 { "The grader" } dl { (answer(miss, longest)) } }
            }
        }
    }
}

fn case(texts: Option<&CaseTexts>, longest: usize) -> Markup {
    html! {
        @match texts {
            None => { dt { "Texts" } dd.faint { "The record holds none of this control." } }
            Some(texts) => {
                @if !texts.task.is_empty() { dt { "Task" } dd { (block(said(&texts.task), longest)) } }
                dt { "Output" } dd { (block(said(&texts.output), longest)) }
                @if let Some(reference) = &texts.reference {
                    dt { "Reference" } dd { (block(said(reference), longest)) }
                }
                @for (kind, content) in &texts.evidence {
                    dt { "Evidence: " (said(kind).at_most(80)) } dd { (block(said(content), longest)) }
                }
                @if texts.cut { dt { "Cut" } dd.faint { "The record holds the beginning of a longer text." } }
            }
        }
    }
}

fn reason(miss: &Miss, longest: usize) -> Markup {
    html! {
        dt { "Must get" }
        dd { strong { (miss.expected.name()) } @match &miss.rule {
            Some(rule) => { " of " (rule.as_str()) }
            None => " (the label is on the output as a whole)",
        } }
        @if !miss.why.is_empty() { dt { "Why" } dd.prose { (words(miss.why.trim()).at_most(longest)) } }
    }
}

fn answer(miss: &Miss, longest: usize) -> Markup {
    let others = others(miss);
    let stray: Vec<_> = miss.stray.iter().map(|rule| rule.as_str()).collect();
    html! {
        dt { "Verdict" }
        dd { strong { (miss.got.name()) } " in " (miss.wrong_trials) " of " (counted(miss.trials, "trial")) }
        @if miss.is_caught() { dt { "Failed as well" } dd { (stray.join(", ")) } }
        @if !others.is_empty() { dt { "Failed by" } dd { (others) } }
        @if !miss.only_under.is_empty() {
            dt { "Only under" }
            dd { @for transform in &miss.only_under { (transform.name()) " " } }
        }
        dt { "It said" }
        dd { (block(said(&miss.rationale), longest)) }
    }
}
