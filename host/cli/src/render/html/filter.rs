//! The filter over what went wrong. Its form stays hidden where the script does not run; everything is there without
//! it.

use std::collections::BTreeSet;

use accredit_core::report::Report;
use maud::{Markup, html};

use crate::render::words::wrong;

/// Over the controls that were judged wrong.
pub(super) fn form(report: &Report) -> Markup {
    let lists: Vec<_> = wrong(report).map(|list| list.name).collect();
    let misses = || wrong(report).flat_map(|list| list.misses);
    let kinds: BTreeSet<_> = misses().map(|miss| miss.kind).collect();
    let kinds: Vec<_> = kinds.into_iter().map(|kind| kind.name()).collect();
    let rules: BTreeSet<_> = misses().filter_map(|miss| miss.rule.as_ref()).collect();
    let rules: Vec<_> = rules.into_iter().map(|rule| rule.as_str()).collect();
    choices([("Wrong how", &lists), ("Kind", &kinds), ("Rule", &rules)])
}

/// Over articles that say their list, kind and rule: what each is called, and the values there are.
pub(super) fn choices([list, kind, rule]: [(&str, &[&str]); 3]) -> Markup {
    html! {
        form #filter hidden {
            (choice("list", list.0, list.1))
            (choice("kind", kind.0, kind.1))
            (choice("rule", rule.0, rule.1))
            label { "Text" input type="search" name="text" autocomplete="off"; }
            output {}
        }
    }
}

fn choice(name: &str, label: &str, values: &[&str]) -> Markup {
    html! {
        label {
            (label)
            select name=(name) autocomplete="off" {
                option value="" { "all" }
                @for value in values { option value=(value) { (value) } }
            }
        }
    }
}
