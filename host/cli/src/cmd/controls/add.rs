//! `accredit controls add`: keep a wrong verdict in use as a regression control.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use accredit_core::control::set::{Entry, Expectation};
use accredit_core::failures::Judged;
use accredit_core::id::{ControlId, Digest, FamilyId, GraderName, RuleId};
use accredit_core::verdict::{Tier, Verdict};
use accredit_engine::Limits;
use clap::builder::TypedValueParser as _;

use crate::addition::{self, Addition, Held};
use crate::asked::Sources;
use crate::cmd::read_policy;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::in_use::{InUse, Kept, Words};
use crate::render::escape::terminal_text;
use crate::render::words::counted;
use crate::rerun::{self, Terms};
use crate::{place, read, terminal};

/// What is added to which set, and where it was seen.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    /// The folder of the control set
    set: PathBuf,
    /// The case that was judged wrong: a .json or .toml file, as `accredit run` takes it
    #[arg(long, value_name = "CASE")]
    from: PathBuf,
    #[command(flatten)]
    control: ControlArgs,
    #[command(flatten)]
    words: WordArgs,
    /// A grader that is shown the case: what it says is told, and entered nowhere
    #[arg(long, value_name = "COMPONENT", conflicts_with = "register")]
    grader: Option<PathBuf>,
    #[command(flatten)]
    register: RegisterArgs,
}

/// What the control must get, and what it is called.
#[derive(Debug, clap::Args)]
struct ControlArgs {
    /// The verdict that is right
    #[arg(long, value_name = "VERDICT", value_parser = verdict())]
    expect: Verdict,
    /// The rule that must give it [default: the case as a whole]
    #[arg(long, value_name = "RULE")]
    rule: Option<RuleId>,
    /// Another rule that may fail with it; may be given several times
    #[arg(long, value_name = "RULE")]
    also: Vec<RuleId>,
    /// The control's id [default: one made of what the case holds]
    #[arg(long, value_name = "ID")]
    id: Option<ControlId>,
    /// Its family [default: its id]
    #[arg(long, value_name = "FAMILY")]
    family: Option<FamilyId>,
}

/// What the user says of it.
#[derive(Debug, clap::Args)]
struct WordArgs {
    /// What was seen, and why the verdict is right
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Which requirement of the product it broke
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    requirement: String,
    /// Why it came to it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    cause: String,
}

/// Where it was seen.
#[derive(Debug, clap::Args)]
struct RegisterArgs {
    /// The root of the repository whose register keeps the failure: the regression controls are run at once on the
    /// component in use, and the outcome is entered
    #[arg(long, value_name = "DIR", requires = "name")]
    register: Option<PathBuf>,
    /// The grader, by its name in that register
    #[arg(long, value_name = "NAME", requires = "register")]
    name: Option<GraderName>,
    /// The component that gave the verdict [default: today's, or else the last one promoted or registered]
    #[arg(long, value_name = "DIGEST", requires = "register")]
    component: Option<Digest>,
    /// A verifier's key: where every regression control is right, it is entered that the grader is still as good
    #[arg(long, value_name = "FILE", requires = "register")]
    key: Option<PathBuf>,
    /// The digest of that register's root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST", requires = "register")]
    root_digest: Option<Digest>,
}

fn verdict() -> impl clap::builder::TypedValueParser<Value = Verdict> {
    clap::builder::PossibleValuesParser::new(Verdict::ALL.map(Verdict::name)).map(|name| {
        Verdict::ALL.into_iter().find(|it| it.name() == name).unwrap_or(Verdict::Unproven)
    })
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let entry = self.entry()?;
        let in_use = match (&self.register.register, &self.register.name) {
            (Some(folder), Some(name)) => {
                Some(InUse::open(folder, self.register.root_digest, name, &self.set)?)
            }
            _ => None,
        };
        let held = Held::new(&self.set)?;
        let addition = held.plan(&entry, &self.remarks())?;
        if addition.bytes.is_none()
            && self.control.id.as_ref().is_some_and(|id| *id != addition.control.entry.id)
        {
            terminal::note(&"the case is a control already: --id is not used");
        }
        let Some(in_use) = in_use else {
            held.write(&addition)?;
            terminal::print(&added(&held, &addition))?;
            return self.tried(&addition);
        };
        let words = Words {
            saw: &self.words.why,
            requirement: &self.words.requirement,
            cause: &self.words.cause,
        };
        let RegisterArgs { component, key, .. } = &self.register;
        let kept = in_use.keep(&held, &addition, &words, *component, key.as_deref())?;
        terminal::print(&format!("{}{}", added(&held, &addition), told(&kept)))?;
        Ok(match (kept.wrong.is_empty(), kept.is_undecided()) {
            (true, _) => Exit::Met,
            (false, false) => Exit::NotMet,
            (false, true) => Exit::NotEvaluated,
        })
    }

    fn entry(&self) -> Result<Entry, Failure> {
        let case = read::case(&self.from)?;
        let ControlArgs { expect, rule, also, id, family } = &self.control;
        let id = id.clone().unwrap_or_else(|| addition::id_of(&case));
        let own = || FamilyId::new(id.as_str()).unwrap_or_else(|_| unreachable!("an id as well"));
        Ok(Entry {
            family: family.clone().unwrap_or_else(own),
            id: id.clone(),
            why: self.words.why.clone(),
            expect: Expectation { verdict: *expect, rule: rule.clone() },
            also: also.clone(),
            pair: None,
            tactic: None,
            base: None,
            variation: None,
            skip_transforms: Vec::new(),
            segment: BTreeMap::new(),
            case,
        })
    }

    /// What stands above the control, as comments.
    fn remarks(&self) -> Vec<String> {
        let WordArgs { requirement, cause, .. } = &self.words;
        [("requirement", requirement), ("cause", cause)]
            .into_iter()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(what, text)| format!("{what}: {}", terminal_text(text)))
            .collect()
    }

    /// Shows the case to the grader that was named, and says what it makes of it.
    fn tried(&self, addition: &Addition) -> Result<Exit, Failure> {
        let Some(path) = &self.grader else { return Ok(Exit::Met) };
        let limits = Limits::default();
        let component = place::read_bounded(path, limits.component_bytes)?;
        let sources =
            Sources { controls: &self.set, real_outputs: &[], held_out: None, withhold: false };
        let asked = sources.put_together(addition.set.clone(), Vec::new())?;
        let policy = read_policy(None)?;
        let terms = Terms { policy: &policy, seed: 0, repeats: 1, limits };
        let id = &addition.control.entry.id;
        let ids = BTreeSet::from([id.clone()]);
        let rerun = rerun::rerun((path, &component), asked, &ids, &terms)?;
        let said = rerun.judged.get(id).map_or_else(String::new, |it| said(path, it));
        terminal::print(&said)?;
        Ok(Exit::Met)
    }
}

/// What a grader makes of the case.
fn said(path: &Path, judged: &Judged) -> String {
    let path = terminal_text(&path.display().to_string());
    let said = verdict_said(judged.said);
    match judged.right {
        true => format!("{path} says {said}: that is right, so the control does not catch it\n"),
        false => format!("{path} says {said}: that is wrong, and the control catches it\n"),
    }
}

fn verdict_said(said: Option<Verdict>) -> String {
    said.map_or("nothing".to_owned(), |said| said.to_string())
}

/// Where the control stands.
fn added(held: &Held, addition: &Addition) -> String {
    let Entry { id, expect, .. } = &addition.control.entry;
    let at = terminal_text(&held.place(&addition.control.at));
    let rule = expect.rule.as_ref().map(|rule| format!(" by {rule}")).unwrap_or_default();
    match addition.bytes {
        Some(_) => format!("added {id} at {at}: must be {}{rule}\n", expect.verdict),
        None => format!("the same case is the control {id} already, at {at}: nothing is added\n"),
    }
}

/// What came of it in the register.
fn told(kept: &Kept) -> String {
    let Kept { component, judged, run, wrong, entry, seen, decided, authority } = kept;
    let mut text = String::new();
    let right = if judged.right { "right" } else { "wrong" };
    // Writing into a string does not fail.
    let _ = writeln!(
        text,
        "component {} says {}: {right}. {} of {} it was shown are right",
        component.short(),
        verdict_said(judged.said),
        run.saturating_sub(wrong.len()),
        counted(*run as u64, "regression control"),
    );
    let times = if *seen == 1 { "once".to_owned() } else { format!("{seen} times") };
    let _ = writeln!(text, "kept as entry {entry}: seen {times} by now");
    if !wrong.is_empty() {
        let wrong: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "wrong: {}", wrong.join(", "));
    }
    match (decided, wrong.is_empty()) {
        (Some(entry), false) => {
            let _ = writeln!(text, "failed verification: entry {entry}");
        }
        (Some(entry), true) => {
            let _ =
                writeln!(text, "verified with it: entry {entry}; its evidence is as old as before");
        }
        (None, false) => text.push_str(
            "not decided: a fault that another machine might not have seen. Run it again\n",
        ),
        (None, true) => {}
    }
    let reasons: Vec<_> = authority.reasons.iter().map(|it| terminal_text(&it.text())).collect();
    let because =
        if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    let _ = writeln!(text, "it is {} now{because}", authority.tier);
    if authority.tier == Tier::Advisory
        && wrong.is_empty()
        && decided.is_none()
        && authority.is_stale()
    {
        text.push_str("Give a verifier's key (--key) to have it verified with the new control, or run `accredit verify`\n");
    }
    text
}
