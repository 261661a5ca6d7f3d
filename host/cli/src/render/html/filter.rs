//! The filter over wrong controls. Its form stays hidden where the script does not run; every control is
//! there without it.

use std::collections::BTreeSet;

use accredit_core::report::Report;
use maud::{Markup, html};

use crate::render::words::wrong;

pub(super) fn form(report: &Report) -> Markup {
    let lists: Vec<_> = wrong(report).map(|list| list.name).collect();
    let misses = || wrong(report).flat_map(|list| list.misses);
    let kinds: BTreeSet<_> = misses().map(|miss| miss.kind).collect();
    let kinds: Vec<_> = kinds.into_iter().map(|kind| kind.name()).collect();
    let rules: BTreeSet<_> = misses().filter_map(|miss| miss.rule.as_ref()).collect();
    let rules: Vec<_> = rules.into_iter().map(|rule| rule.as_str()).collect();
    html! {
        form #filter hidden {
            (choice("list", "Wrong how", &lists))
            (choice("kind", "Kind", &kinds))
            (choice("rule", "Rule", &rules))
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
