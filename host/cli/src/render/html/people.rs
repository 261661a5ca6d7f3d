//! Agreement with the people who labelled real outputs.

use accredit_core::assess::{Agreement, Known, Person};
use accredit_core::control::label::LabelsBy;
use maud::{Markup, html};

use super::scores::absent;
use crate::render::escape::said;
use crate::render::figure::hundredths;
use crate::render::words::statistic;

pub(super) fn agreement(known: &Known<Agreement>) -> Markup {
    let Some(it) = &known.value else {
        return html! { h3 { "Agreement with people" } (absent(known)) };
    };
    html! {
        h3 { "Agreement with people (kappa: 1 is full, 0 what chance gives)" }
        div.scroll { table {
            thead { tr { th { "Person" } th { "Outputs" } th { "Grader with them" } th { "Relabelling their own" } th { "No worse than people" } } }
            tbody { @for person in &it.people { (row(person)) } }
        } }
        @if it.labels_by != LabelsBy::People {
            div.banner.warn { p { "The file does not state that people made these labels (labels_by): no requirement can rest on them." } }
        }
        @match &it.own.value {
            None => (absent(&it.own)),
            Some(own) => { p { "People's own: " strong { (hundredths(Some(own.value))) } ", " (statistic(own.statistic))
                " of " (own.people) " people over " (own.outputs) " outputs." } }
        }
    }
}

fn row(person: &Person) -> Markup {
    html! {
        tr {
            th scope="row" { (said(&person.by)) }
            td.num { (person.outputs) }
            td.num { (hundredths(person.with_grader.value.as_ref().map(|it| it.kappa))) }
            td.num { (hundredths(person.again.value.as_ref().map(|it| it.kappa))) }
            td { @match person.not_inferior { Some(true) => "shown", Some(false) => "not shown", None => "cannot be said" } }
        }
    }
}
