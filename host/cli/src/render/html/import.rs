//! The page of imported verdicts: what they are worth, and that nothing is promoted by them.

use accredit_core::assess::import::Imported;
use maud::{Markup, html};

use super::{page, real_output, scores};
use crate::render::escape::words;
use crate::render::words::counted;

/// The whole page.
#[must_use]
pub fn imported(imported: &Imported, policy: &str) -> String {
    let of = &imported.assessment;
    let sections: Vec<_> = [Some(real_output::imported(of)), scores::section(&of.scores)]
        .into_iter()
        .flatten()
        .collect();
    let title = format!("Verdicts on {}", counted(of.outputs, "real output"));
    let frame = page::Frame {
        title: &title,
        heading: heading(&title, imported, policy),
        foot: html! { p { "LB: exact one-sided lower bound at confidence " (imported.confidence)
        ". Outputs for one question are one family; bounds over outputs count what they are worth (effective n)." } },
    };
    page::page(&frame, &sections).into_string() + "\n"
}

fn heading(title: &str, imported: &Imported, policy: &str) -> Markup {
    let (of, digests) = (&imported.assessment, &imported.digests);
    html! {
        header {
            p.kicker { "accredit · imported verdicts" }
            h1 { (title) }
            dl.facts {
                div { dt { "Families" } dd { (of.families) } }
                div { dt { "Labels" } dd { code { (digests.labels.short()) } } }
                div { dt { "Verdicts" } dd { code { (digests.verdicts.short()) } } }
                div { dt { "Policy" } dd { (words(policy)) " " code { (digests.policy.short()) } } }
            }
            div.banner { p { (words(&imported.reach)) } }
        }
    }
}
