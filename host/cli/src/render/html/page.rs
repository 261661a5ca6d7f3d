//! The frame of the page: its policy, style and script, the heading and the table of contents.

use accredit_core::report::{Audience, Report};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::Section;
use crate::render::Context;
use crate::render::escape::{said, words};
use crate::render::words::{asked, authors_copy, counted, headline};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What stands about the sections.
pub(super) struct Frame<'a> {
    /// The title of the window.
    pub(super) title: &'a str,
    /// The top of the page.
    pub(super) heading: Markup,
    /// Its foot.
    pub(super) foot: Markup,
}

/// The page of a report.
pub(super) fn of_report(report: &Report, context: &Context<'_>, sections: &[Section]) -> Markup {
    let title = format!("{}: {}", report.grader.name, headline(report, context.require));
    let foot = html! { p { (words(&report.reach)) } };
    page(&Frame { title: &title, heading: heading(report, context), foot }, sections)
}

/// A page.
pub(super) fn page(frame: &Frame<'_>, sections: &[Section]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (words(frame.title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (frame.heading)
                nav aria-label="Contents" {
                    @for section in sections { a href={ "#" (section.id) } { (section.title) } " " }
                }
                main {
                    @for section in sections {
                        section id=(section.id) { h2 { (section.title) } (section.body) }
                    }
                }
                footer { (frame.foot) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

/// Nothing is loaded from anywhere; the page's own style and script are admitted by their digests.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE)),
        base64(&Sha256::digest(SCRIPT)),
    )
}

/// Base64 (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

fn heading(report: &Report, context: &Context<'_>) -> Markup {
    let (grader, set, run) = (&report.grader, &report.set, &report.run);
    let (controls, real) = asked(report);
    html! {
        header {
            p.kicker {
                "accredit · promotion report"
                @if report.audience == Audience::Author { " · the author's copy" }
            }
            @if let Some(copy) = authors_copy(report) { p.notice { strong { (copy) } } }
            h1 { (grader.name.as_str()) " " span.faint { (said(&grader.version)) } }
            dl.facts {
                div { dt { "Grader" } dd { (grader.kind.name()) " grader for the rubric " (grader.rubric.as_str()) } }
                div { dt { "By" } dd {
                    @if grader.authors.is_empty() { "not stated" }
                    @for (at, author) in grader.authors.iter().enumerate() { @if at > 0 { ", " } (said(author)) }
                } }
                div { dt { "Controls" } dd {
                    (controls) " of set " (set.id.as_str()) " " (words(&set.version)) (real) ", "
                    (counted(set.families, "family")) " in all"
                } }
                div { dt { "Trials" } dd { (run.trials) " (" (run.repeats) " a case, seed " (run.seed) ")" } }
                div { dt { "Policy" } dd { (words(context.policy)) } }
                div { dt { "Component" } dd { code { (grader.digest.short()) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        let table =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in table {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(base64(&[0xff, 0xfe]), "//4=");
    }

    #[test]
    fn style_and_script_stay_within_their_elements() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }
}
