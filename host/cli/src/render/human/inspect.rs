//! What a component is, for the person who was handed it.

use std::path::Path;

use accredit_core::manifest::{Manifest, Rule};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::{RuleTier, Scope};

use super::counted;
use crate::inspect::{Inspected, Loads, Metadata, Needs};
use crate::render::escape::{terminal_block, terminal_line, terminal_text};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG};

/// Everything known of it, and what stands in its way.
#[must_use]
pub fn inspected(file: &Path, found: &Inspected) -> String {
    let mut text = format!("{}\n", terminal_text(&file.display().to_string()));
    text.push_str(&heading(found));
    for obstacle in &found.obstacles {
        text.push_str(&terminal_block(&Untrusted::new(obstacle), "    "));
    }
    text.push_str(&identity(found));
    if let Some(manifest) = &found.manifest {
        text.push_str(&rules(manifest));
    }
    text.push_str(&imports(found));
    text.push_str(&origin(&found.metadata));
    if let Some(needs) = &found.minimums {
        text.push_str(&needed(needs));
    }
    text + &limits(found)
}

fn heading(found: &Inspected) -> String {
    match found.loads {
        Loads::Yes => format!("  {GOOD}a grader{GOOD:#} that this host takes\n"),
        Loads::No => format!("  {ERROR}not a grader{ERROR:#} that this host takes:\n"),
        Loads::NotTried => {
            format!("  {STRONG}not run{STRONG:#}: its bytes show nothing against it\n")
        }
    }
}

fn identity(found: &Inspected) -> String {
    let mut text = String::new();
    if let (Some(digest), Some(short), Some(size)) = (found.digest, &found.short, found.size) {
        text.push_str(&format!("\n  digest    {digest}\n  short     {short}\n"));
        text.push_str(&format!("  size      {}\n", counted(size as u64, "byte")));
    }
    if let Some(contract) = &found.contract {
        text.push_str(&format!("  contract  {}\n", terminal_line(contract)));
    }
    if let Some(manifest) = &found.manifest {
        text.push_str(&format!(
            "  grader    {} {}\n  rubric    {}\n",
            manifest.name,
            terminal_line(&manifest.version),
            manifest.rubric
        ));
    }
    if let Some(cache) = &found.cache {
        text.push_str(&format!("  cache     {}\n", terminal_text(cache)));
    }
    text
}

fn rules(manifest: &Manifest) -> String {
    let mut text = format!("\n  {STRONG}rules{STRONG:#}\n");
    for Rule { id, text: words, tier, scope, needs } in &manifest.rules {
        let needs: Vec<_> = needs.iter().map(terminal_line).collect();
        let needs =
            if needs.is_empty() { String::new() } else { format!("; needs {}", needs.join(", ")) };
        let (tier, scope) = (weight(*tier), owed(*scope));
        text.push_str(&format!("    {id}  {FAINT}{tier}, {scope}{needs}{FAINT:#}\n"));
        text.push_str(&format!("      {}\n", terminal_line(words)));
    }
    text
}

fn weight(tier: RuleTier) -> &'static str {
    match tier {
        RuleTier::Essential => "essential",
        RuleTier::Important => "important",
        RuleTier::Optional => "optional",
        RuleTier::MustNot => "must not",
    }
}

fn owed(scope: Scope) -> &'static str {
    match scope {
        Scope::Output => "on the output",
        Scope::EachClaim => "on each claim",
    }
}

fn imports(found: &Inspected) -> String {
    let mut text = String::new();
    if !found.imports.is_empty() {
        text.push_str(&format!("\n  {STRONG}imports{STRONG:#}\n"));
    }
    for import in &found.imports {
        let name = terminal_line(&import.name);
        match import.access {
            "refused" => text.push_str(&format!(
                "    {ERROR}refused{ERROR:#}  {name}\n             {}\n",
                terminal_text(&import.why)
            )),
            access => text.push_str(&format!("    {access:<7}  {name}\n")),
        }
    }
    if found.imports.iter().any(|import| import.access == "inert") {
        text.push_str(&format!(
            "    {FAINT}inert: linked; every call answers access-denied and is counted{FAINT:#}\n"
        ));
    }
    if !found.exports.is_empty() {
        text.push_str(&format!("\n  {STRONG}exports{STRONG:#}\n"));
    }
    for export in &found.exports {
        text.push_str(&format!("    {}\n", terminal_line(export)));
    }
    text
}

fn origin(metadata: &Metadata) -> String {
    let mut text = String::new();
    let lists = [
        ("authors", &metadata.authors),
        ("licence", &metadata.licences),
        ("version", &metadata.versions),
    ];
    for (what, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        let list: Vec<_> = list.iter().map(terminal_line).collect();
        text.push_str(&format!("    {what:<12}  {}\n", list.join("; ")));
    }
    for tool in &metadata.producers {
        text.push_str(&format!(
            "    {:<12}  {} {}\n",
            terminal_line(&tool.field),
            terminal_line(&tool.name),
            terminal_line(&tool.version)
        ));
    }
    if text.is_empty() {
        return text;
    }
    format!("\n  {STRONG}origin, as its metadata says{STRONG:#}\n{text}")
}

fn needed(needs: &Needs) -> String {
    let pool = if needs.pooled {
        "fits the pool: memory is recycled from trial to trial"
    } else {
        "does not fit the pool: memory is mapped for each trial, which is slower"
    };
    format!(
        "\n  {STRONG}needs before it runs{STRONG:#}\n    {} KiB of memory in {}, {} in {}, {} of {}\n    {pool}\n",
        needs.memory_bytes / 1024,
        counted(needs.memories as u64, "linear memory"),
        counted(needs.table_elements, "element"),
        counted(needs.tables as u64, "table"),
        counted(needs.instances as u64, "core instance"),
        counted(needs.modules as u64, "module"),
    )
}

fn limits(found: &Inspected) -> String {
    let mut text = format!("\n  {STRONG}limits in force{STRONG:#}\n");
    for bound in &found.limits {
        text.push_str(&format!("    {:<16}{:>10}  {}\n", bound.limit, bound.amount, bound.unit));
    }
    text + &format!("    {FAINT}semantics {}{FAINT:#}\n", found.semantics)
}
