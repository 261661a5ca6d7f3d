//! What real outputs with labels say of a grader, for a comment: of a run and of imported verdicts alike.

use accredit_core::assess::import::Imported;
use accredit_core::assess::{
    Agreement, Assessment, CorrectedShare, Disagreement, InUseFigures, Known, Scores, SideRate,
};
use accredit_core::control::label::LabelsBy;
use accredit_core::report::RealOutputLine;
use accredit_core::stats::effective::ClusteredRate;
use accredit_core::stats::workload::Estimate;

use super::FIRST;
use crate::render::escape::{cell, code, code_of};
use crate::render::figure::{
    count, hundredths, hundredths_below, interval, lower, money, share, span, stated,
};
use crate::render::words::{
    chosen_threshold, counted, disagreement, judged_on, label_makers, label_source, shown_of,
    statistic,
};

/// Imported verdicts, as a comment.
#[must_use]
pub fn imported(imported: &Imported, policy: &str, all: bool) -> String {
    let (of, digests) = (&imported.assessment, &imported.digests);
    format!(
        "### Verdicts on {} of {}\n\n{}\n\n{}{}LB: exact one-sided lower bound at confidence {}. Outputs for one question are one family; bounds over outputs count what they are worth (effective n).\n\nLabels {}, verdicts {}, policy {} ({}).\n",
        counted(of.outputs, "real output"),
        counted(of.families, "family"),
        code(&imported.reach),
        rates(of, false),
        rest(of, all),
        imported.confidence,
        code(&digests.labels.to_string()),
        code(&digests.verdicts.to_string()),
        code(policy),
        code(&digests.policy.short()),
    )
}

/// The real outputs of a run.
pub(super) fn real_output(real: &RealOutputLine, all: bool) -> String {
    let mut text = rates(&real.assessment, true);
    for (source, outputs) in &real.label_sources {
        let (said, words) = label_source(source, *outputs);
        text.push_str(&format!("- {said}{}\n", words.map(code_of).unwrap_or_default()));
    }
    text + "\n" + &rest(&real.assessment, all)
}

fn rest(of: &Assessment, all: bool) -> String {
    [
        agreement(&of.agreement),
        scores(&of.scores),
        corrected(&of.corrected),
        in_use(&of.in_use),
        disagreements(&of.disagreements, all),
    ]
    .concat()
}

fn absent<T>(what: &str, known: &Known<T>) -> String {
    let why = known.absent.as_deref().unwrap_or("nothing measured it");
    format!("{what}: absent, {}\n\n", code(why))
}

fn rates(of: &Assessment, decides: bool) -> String {
    let mut text = "| real outputs | LB | right | rate | interval | effective n |\n|---|---|---|---|---|---|\n".to_owned();
    for (name, side) in [("should fail: caught", &of.catch), ("should pass: passed", &of.pass)] {
        text.push_str(&one_side(name, side, decides));
    }
    text.push_str(&format!("\n- {}\n", label_makers(of)));
    if !of.ties.is_empty() {
        text.push_str(&format!(
            "- people did not settle on {}, which are in no rate but that of ties\n",
            of.ties.len()
        ));
    }
    text
}

fn one_side(name: &str, side: &SideRate, decides: bool) -> String {
    let families = if decides { "over families (decides)" } else { "over families, all right" };
    let mut text = format!(
        "| {name}, {families} | {} | {} | {} | | |\n",
        lower(side.families.lower_bound),
        count(side.families.count),
        share(side.families.count.rate())
    );
    text.push_str(&row(&format!("{name}, over outputs"), &side.outputs));
    if side.hard.value.is_some() {
        text.push_str(&row("— hard, or people differ", &side.hard));
        text.push_str(&row("— all others", &side.ordinary));
    }
    if side.with_ties.value.is_some() {
        text.push_str(&row("— every tie against it", &side.with_ties));
    }
    text
}

fn row(name: &str, known: &Known<ClusteredRate>) -> String {
    match &known.value {
        None => {
            let why = known.absent.as_deref().unwrap_or("nothing measured it");
            format!("| {name} | — | absent, {} | | | |\n", cell(why))
        }
        Some(it) => format!(
            "| {name} | {} | {} | {} | {} | {:.0} |\n",
            lower(Some(it.lower_bound)),
            count(it.count),
            share(it.count.rate()),
            interval(Some(&it.interval)),
            it.effective_units
        ),
    }
}

fn agreement(known: &Known<Agreement>) -> String {
    let Some(it) = &known.value else { return absent("**Agreement with people**", known) };
    let mut text = "**Agreement with people** (kappa: 1 is full, 0 what chance gives)\n\n| person | outputs | grader with them | others with them | LB of difference | again |\n|---|---|---|---|---|---|\n".to_owned();
    for person in &it.people {
        let compared = person.compared.value.as_ref();
        let cells = [
            cell(person.by.raw()),
            person.outputs.to_string(),
            hundredths(person.with_grader.value.as_ref().map(|it| it.kappa)),
            hundredths(compared.map(|it| it.second.kappa)),
            hundredths_below(compared.map(|it| it.lower_bound)),
            hundredths(person.again.value.as_ref().map(|it| it.kappa)),
        ];
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text.push('\n');
    if it.labels_by != LabelsBy::People {
        text.push_str("⚠️ The file does not state that people made these labels (labels_by): no requirement can rest on them.\n\n");
    }
    match &it.own.value {
        None => text.push_str(&absent("People's own", &it.own)),
        Some(own) => text.push_str(&format!(
            "People's own: {}{}, {} of {} people over {}.\n\n",
            hundredths(Some(own.value)),
            own.interval.map(|it| format!(" ({})", span(it))).unwrap_or_default(),
            statistic(own.statistic),
            own.people,
            counted(own.outputs, "output")
        )),
    }
    text
}

fn scores(known: &Known<Scores>) -> String {
    let Some(it) = &known.value else { return String::new() };
    let mut text = "**Scores** (probability that the output should fail)\n\n".to_owned();
    if let Some(warning) = &it.warning {
        text.push_str(&format!("⚠️ {}\n\n", code(warning)));
    }
    match &it.calibration.value {
        None => text.push_str(&absent("Calibration", &it.calibration)),
        Some(curve) => {
            text.push_str(&format!(
                "Brier {} (the share alone: {}), calibration error {}, {} with a score, {} without.\n\n| scores | mean score | should fail | share | interval |\n|---|---|---|---|---|\n",
                share(Some(curve.brier)),
                share(Some(curve.brier_of_share)),
                share(Some(curve.expected_error)),
                counted(it.outputs, "output"),
                it.without_score
            ));
            for bin in &curve.bins {
                text.push_str(&format!(
                    "| {}–{} | {} | {} | {} | {} |\n",
                    share(Some(bin.from)),
                    share(Some(bin.to)),
                    share(Some(bin.mean_score)),
                    count(bin.bad),
                    share(bin.bad.rate()),
                    interval(Some(&bin.interval))
                ));
            }
            text.push('\n');
        }
    }
    match &it.thresholds.value {
        None => text.push_str(&absent("Cheapest threshold", &it.thresholds)),
        Some(thresholds) => {
            text.push_str(&format!("- cheapest threshold: {}\n", chosen_threshold(thresholds)));
            if let Some(at_bar) = &it.thresholds_at_bar.value {
                text.push_str(&format!(
                    "- cheapest at the policy's bar: {}\n",
                    chosen_threshold(at_bar)
                ));
            }
            text.push_str(&format!(
                "- flagging nothing costs {} an output, everything {}\n\n",
                money(thresholds.cost_of_nothing.mean),
                money(thresholds.cost_of_everything.mean)
            ));
        }
    }
    text
}

fn corrected(known: &Known<CorrectedShare>) -> String {
    let what = "**Share of good outputs, corrected for the grader's errors**";
    let Some(it) = &known.value else { return absent(what, known) };
    let of = &it.corrected;
    let mut text = format!(
        "{what}: {} ({}), {}; uncorrected {}",
        share(Some(of.corrected)),
        interval(Some(&of.interval)),
        judged_on(it.judged_on),
        share(Some(of.raw))
    );
    if let Some(labels) = &it.by_labels.value {
        text.push_str(&format!(
            "; by the labels themselves {} ({})",
            share(labels.count.rate()),
            interval(Some(&labels.interval))
        ));
    }
    text + "\n\n"
}

fn in_use(known: &Known<InUseFigures>) -> String {
    let Some(it) = &known.value else { return absent("**In use**", known) };
    let month = &it.month;
    let mut text = format!(
        "**In use**: of {} outputs a month, {} of which should fail\n\n| a month | expected | 95 % range |\n|---|---|---|\n",
        month.at.outputs,
        stated(month.at.base_rate)
    );
    let mut add = |what: &str, it: Estimate| {
        text.push_str(&format!("| {what} | {:.0} | {:.0}–{:.0} |\n", it.value, it.low, it.high));
    };
    add("caught", month.caught);
    add("missed", month.missed);
    add("falsely blocked", month.false_alarms);
    if let Some(cost) = month.cost {
        let unit = if it.unit.is_empty() { String::new() } else { format!(" {}", cell(&it.unit)) };
        add(&format!("cost of both{unit}"), cost);
    }
    text + "\n"
}

fn disagreements(list: &[Disagreement], all: bool) -> String {
    if list.is_empty() {
        return String::new();
    }
    let shown = shown_of(list.len(), FIRST, all);
    let mut text = format!(
        "<details><summary>{} (hardest first)</summary>\n\n",
        counted(list.len() as u64, "disagreement")
    );
    text.extend(list[..shown].iter().map(entry));
    if list.len() > shown {
        text.push_str(&format!("- … and {} more\n", list.len() - shown));
    }
    text + "\n</details>\n\n"
}

fn entry(it: &Disagreement) -> String {
    let mut text = format!("- {}: {}\n", code(it.id.as_str()), disagreement(it));
    let said = [
        ("asked", it.task.as_ref()),
        ("answered", it.output.as_ref()),
        ("the grader", Some(&it.rationale)),
    ];
    for (what, words) in said {
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            text.push_str(&format!("  - {what}: {}\n", code_of(words)));
        }
    }
    for person in it.people.iter().filter(|person| !person.critique.is_empty()) {
        let (who, said) = (code_of(&person.by), code_of(&person.critique));
        text.push_str(&format!("  - {who} ({}): {said}\n", person.label.name()));
    }
    text
}
