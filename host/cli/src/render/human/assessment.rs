//! What real outputs with labels say of a grader, for a terminal of 80 columns.

use accredit_core::assess::import::Imported;
use accredit_core::assess::{
    Agreement, Assessment, CorrectedShare, Disagreement, InUseFigures, Known, Person, Scores,
    SideRate,
};
use accredit_core::control::label::LabelsBy;
use accredit_core::stats::effective::ClusteredRate;
use accredit_core::stats::threshold::Thresholds;
use accredit_core::stats::workload::Estimate;
use accredit_core::untrusted::Untrusted;

use super::wrap::wrapped as wrapped_behind;
use super::{counted, lines, table};
use crate::render::escape::{terminal_line, terminal_text};
use crate::render::figure::{
    count, hundredths, hundredths_below, interval, lower, money, share, span, stated,
};
use crate::render::words::{
    chosen_threshold, disagreement as disagreement_in_words, judged_on, label_makers, shown_of,
    statistic,
};
use crate::terminal::{FAINT, STRONG, WARNING};

/// How many disagreements are shown, unless all are asked for.
const FIRST: usize = 10;

/// What imported verdicts are worth.
#[must_use]
pub fn imported(imported: &Imported, policy: &str, all: bool) -> String {
    let of = &imported.assessment;
    let digests = &imported.digests;
    let mut text = format!(
        "{STRONG}Verdicts on {} of {}{STRONG:#}\n{FAINT}  labels {} · verdicts {}\n  policy {} ({})\n{}{FAINT:#}\n",
        counted(of.outputs, "real output"),
        counted(of.families, "family"),
        digests.labels.short(),
        digests.verdicts.short(),
        terminal_text(policy),
        digests.policy.short(),
        wrapped(&imported.reach, "  "),
    );
    text.push_str(&rates(of));
    text.push('\n');
    text.push_str(&sections(of));
    text.push_str(&disagreements(of, all));
    text.push_str(&format!(
        "{FAINT}{}{FAINT:#}",
        wrapped(
            &format!(
                "LB: exact one-sided lower bound at confidence {}. Outputs for one question are one family; bounds over outputs count what they are worth (effective n).",
                imported.confidence
            ),
            ""
        )
    ));
    text
}

/// Agreement, scores, correction and use: what a run's report and an import show alike.
pub(super) fn sections(of: &Assessment) -> String {
    let mut text = agreement(&of.agreement);
    text.push_str(&scores(&of.scores));
    match (&of.corrected.absent, &of.in_use.absent) {
        (Some(one), Some(other)) if one == other => {
            let what = "corrected share of good outputs, and figures in use";
            text.push_str(&absent(what, &of.in_use));
            text.push('\n');
        }
        _ => {
            text.push_str(&corrected(&of.corrected));
            text.push_str(&in_use(&of.in_use));
        }
    }
    text
}

/// Text in lines of at most 80 columns, each behind this margin.
fn wrapped(text: &str, margin: &str) -> String {
    wrapped_behind(margin, margin, text)
}

fn absent<T>(what: &str, known: &Known<T>) -> String {
    let why = known.absent.as_deref().unwrap_or("nothing measured it");
    wrapped(&format!("{what}: absent, {}", terminal_text(why)), "  ")
}

fn heading(text: &str) -> String {
    format!("{STRONG}{text}{STRONG:#}\n")
}

pub(super) fn rates(of: &Assessment) -> String {
    let mut table = table(&["real outputs", "right", "rate", "LB", "95 % interval", "eff. n"]);
    for (name, side) in [("should fail: caught", &of.catch), ("should pass: passed", &of.pass)] {
        table.add_row(row(name, &side.outputs));
        let parts = side.hard.value.is_some().then_some([
            ("  hard, or people differ", &side.hard),
            ("  all others", &side.ordinary),
        ]);
        for (name, rate) in parts.into_iter().flatten() {
            table.add_row(row(name, rate));
        }
        if side.with_ties.value.is_some() {
            table.add_row(row("  every tie against it", &side.with_ties));
        }
        let families = &side.families;
        table.add_row([
            "  families, all right".to_owned(),
            count(families.count),
            share(families.count.rate()),
            lower(families.lower_bound),
        ]);
    }
    let mut text = lines(&table);
    for (name, side) in [("should fail", &of.catch), ("should pass", &of.pass)] {
        text.push_str(&wrong(name, side));
    }
    text.push_str(&wrapped(&label_makers(of), "  "));
    if !of.ties.is_empty() {
        let ids: Vec<_> = of.ties.iter().map(ToString::to_string).collect();
        text.push_str(&wrapped(
            &format!(
                "people did not settle on {}, which are in no rate but that of ties: {}",
                ids.len(),
                ids.join(", ")
            ),
            "  ",
        ));
    }
    text
}

fn row(name: &str, rate: &Known<ClusteredRate>) -> Vec<String> {
    match &rate.value {
        None => vec![name.to_owned(), "—".to_owned()],
        Some(it) => vec![
            name.to_owned(),
            count(it.count),
            share(it.count.rate()),
            lower(Some(it.lower_bound)),
            interval(Some(&it.interval)),
            format!("{:.0}", it.effective_units),
        ],
    }
}

fn wrong(name: &str, side: &SideRate) -> String {
    if side.wrong + side.undecided + side.without_verdict == 0 {
        return String::new();
    }
    format!(
        "  {name}: {} judged the other way, {} undecided, {} without a verdict\n",
        side.wrong, side.undecided, side.without_verdict
    )
}

fn agreement(known: &Known<Agreement>) -> String {
    let mut text = heading("Agreement (kappa: 1 is full, 0 what chance gives)");
    let Some(it) = &known.value else { return text + &absent("agreement", known) + "\n" };
    let mut table = table(&[
        "person",
        "outputs",
        "grader with them",
        "others with them",
        "LB of difference",
        "again",
    ]);
    for person in &it.people {
        table.add_row(person_row(person));
    }
    text.push_str(&lines(&table));
    text.push_str(&match &it.own.value {
        None => absent("people's own", &it.own),
        Some(own) => {
            let between = own.interval.map(|it| format!(" ({})", span(it))).unwrap_or_default();
            let what = format!(
                "people's own: {}{between}, {} of {} people over {}; they say the same {:.0} times of 100",
                hundredths(Some(own.value)),
                statistic(own.statistic),
                own.people,
                counted(own.outputs, "output"),
                100.0 * own.raw,
            );
            wrapped(&what, "  ")
        }
    });
    if let Some(truth) = &it.with_truth.value {
        let what = format!(
            "grader with what people settled on: {} (decides nothing)",
            hundredths(Some(truth.kappa))
        );
        text.push_str(&wrapped(&what, "  "));
    }
    text.push_str(&not_inferior(it));
    if it.labels_by != LabelsBy::People {
        text.push_str(&format!("{WARNING}{}{WARNING:#}", wrapped("the file does not state that people made these labels (labels_by): no requirement can rest on them", "  ")));
    }
    text + "\n"
}

fn not_inferior(it: &Agreement) -> String {
    let Some(margin) = it.margin else { return String::new() };
    let said = match it.not_inferior {
        Some(true) => "is shown",
        Some(false) => "is not shown",
        None => "cannot be said",
    };
    wrapped(
        &format!(
            "that the grader lies not more than {margin} below people, with each of them: {said}"
        ),
        "  ",
    )
}

fn person_row(person: &Person) -> Vec<String> {
    let kappa = hundredths;
    let compared = person.compared.value.as_ref();
    let apart = if person.counts { "" } else { " (apart)" };
    vec![
        terminal_line(&person.by) + apart,
        person.outputs.to_string(),
        kappa(person.with_grader.value.as_ref().map(|it| it.kappa)),
        kappa(compared.map(|it| it.second.kappa)),
        hundredths_below(compared.map(|it| it.lower_bound)),
        kappa(person.again.value.as_ref().map(|it| it.kappa)),
    ]
}

fn scores(known: &Known<Scores>) -> String {
    let Some(it) = &known.value else { return String::new() };
    let mut text = heading("Scores (probability that the output should fail)");
    if let Some(warning) = &it.warning {
        text.push_str(&format!("{WARNING}{}{WARNING:#}", wrapped(&terminal_text(warning), "  ")));
    }
    match &it.calibration.value {
        None => text.push_str(&absent("calibration", &it.calibration)),
        Some(curve) => {
            let said = format!(
                "Brier {} (the share alone: {}) · calibration error {} · {} with a score, {} without",
                share(Some(curve.brier)),
                share(Some(curve.brier_of_share)),
                share(Some(curve.expected_error)),
                counted(it.outputs, "output"),
                it.without_score
            );
            text.push_str(&wrapped(&said, "  "));
            let mut table =
                table(&["scores", "mean score", "should fail", "share", "95 % interval"]);
            for bin in &curve.bins {
                table.add_row([
                    format!("{:.1}–{:.1}", bin.from, bin.to),
                    share(Some(bin.mean_score)),
                    count(bin.bad),
                    share(bin.bad.rate()),
                    interval(Some(&bin.interval)),
                ]);
            }
            text.push_str(&lines(&table));
        }
    }
    text.push_str(&thresholds("cheapest threshold", &it.thresholds));
    if it.thresholds.value.is_some() {
        text.push_str(&thresholds("cheapest at the policy's bar", &it.thresholds_at_bar));
        if let Some(judged) = &it.as_judged.value {
            text.push_str(&format!(
                "  the verdicts as they are cost {} an output\n",
                money(judged.cost)
            ));
        }
    }
    text + "\n"
}

fn thresholds(what: &str, known: &Known<Thresholds>) -> String {
    let Some(it) = &known.value else { return absent(what, known) };
    wrapped(
        &format!(
            "{what}: {}; flagging nothing {}, everything {}",
            chosen_threshold(it),
            money(it.cost_of_nothing.mean),
            money(it.cost_of_everything.mean)
        ),
        "  ",
    )
}

fn corrected(known: &Known<CorrectedShare>) -> String {
    let text = heading("Share of good outputs, corrected for the grader's errors");
    let Some(it) = &known.value else { return text + &absent("share", known) + "\n" };
    let on = judged_on(it.judged_on);
    let share_of = &it.corrected;
    let mut said = format!(
        "{} ({}), {on}; uncorrected {}",
        share(Some(share_of.corrected)),
        interval(Some(&share_of.interval)),
        share(Some(share_of.raw))
    );
    if let Some(labels) = &it.by_labels.value {
        said.push_str(&format!(
            "; by the labels themselves {} ({})",
            share(labels.count.rate()),
            interval(Some(&labels.interval))
        ));
    }
    text + &wrapped(&said, "  ") + "\n"
}

fn in_use(known: &Known<InUseFigures>) -> String {
    let mut text = heading("In use");
    let Some(it) = &known.value else { return text + &absent("figures", known) + "\n" };
    let month = &it.month;
    text.push_str(&format!(
        "  of {} outputs a month, {} of which should fail:\n",
        month.at.outputs,
        stated(month.at.base_rate)
    ));
    let mut table = table(&["a month", "expected", "95 % range"]);
    let mut add = |what: &str, it: Estimate| {
        table.add_row([
            what.to_owned(),
            format!("{:.0}", it.value),
            format!("{:.0}–{:.0}", it.low, it.high),
        ]);
    };
    add("caught", month.caught);
    add("missed", month.missed);
    add("falsely blocked", month.false_alarms);
    if let Some(cost) = month.cost {
        add(&format!("cost of both {}", terminal_text(&it.unit)), cost);
    }
    text + &lines(&table) + "\n"
}

fn disagreements(of: &Assessment, all: bool) -> String {
    let list = &of.disagreements;
    if list.is_empty() {
        return String::new();
    }
    let mut text =
        heading(&format!("{} (hardest first)", counted(list.len() as u64, "disagreement")));
    let shown = shown_of(list.len(), FIRST, all);
    for it in &list[..shown] {
        text.push_str(&disagreement(it));
    }
    if list.len() > shown {
        text.push_str(&format!("  {FAINT}… and {} more (--all){FAINT:#}\n", list.len() - shown));
    }
    text + "\n"
}

fn disagreement(it: &Disagreement) -> String {
    let said = format!("{}: {}", it.id, disagreement_in_words(it));
    let mut text = wrapped(&said, "  ");
    let mut quote = |what: &str, words: &Untrusted| {
        if !words.is_empty() {
            text.push_str(&wrapped(&format!("{what}: {}", terminal_line(words)), "      "));
        }
    };
    quote("asked", &it.task.clone().unwrap_or_default());
    quote("answered", &it.output.clone().unwrap_or_default());
    quote("the grader", &it.rationale);
    for person in it.people.iter().filter(|person| !person.critique.is_empty()) {
        let who = format!("{} ({})", terminal_line(&person.by), person.label.name());
        quote(&who, &person.critique);
    }
    text
}
