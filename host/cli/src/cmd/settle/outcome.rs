//! `accredit settle outcome`: how a forecast or an explanation came out.

use std::path::PathBuf;

use accredit_core::gate::record::{Dimension, Dimensions, Stands};
use accredit_core::id::{RunId, StepId};
use accredit_core::untrusted::Untrusted;

use crate::cmd::{Format, RegisterArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json};
use crate::settle::{Asked, enter};
use crate::terminal;

/// What came.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    /// The run
    run: RunId,
    /// The step
    step: StepId,
    /// The claim
    claim: String,
    /// The folder of run records: the entry is written into the record's file
    #[arg(long, value_name = "DIR")]
    runs: PathBuf,
    #[command(flatten)]
    register: RegisterArg,
    /// Of a forecast: whether its statement came true
    #[arg(long, value_name = "BOOL")]
    came: Option<bool>,
    #[command(flatten)]
    later: Later,
    /// Who enters it
    #[arg(long, value_name = "WHO")]
    by: String,
    /// Where it was read: the source of truth, with its place and date
    #[arg(long, value_name = "TEXT")]
    source: String,
    /// Correct what was entered before, and say why: that stays, and this is added
    #[arg(long, value_name = "WHY")]
    correct: Option<String>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Of an explanation: how it stands by what is known now. Each is `holds`, `fails` or `unknown`, and may go on with a
/// remark: `fails: the outage began before the deploy`.
#[derive(Debug, clap::Args)]
#[group(multiple = true, conflicts_with = "came")]
struct Later {
    /// Of an explanation: the cause came before what it is to explain. `holds`, `fails` or `unknown`, and a remark:
    /// "fails: the outage began before"
    #[arg(long, value_name = "STANDS", value_parser = dimension)]
    chronology: Option<Dimension>,
    /// What it should have moved, moved more than what it should not
    #[arg(long, value_name = "STANDS", value_parser = dimension)]
    relative_move: Option<Dimension>,
    /// There is a way by which the one brings about the other
    #[arg(long, value_name = "STANDS", value_parser = dimension)]
    mechanism: Option<Dimension>,
    /// The other explanations were looked at, and explain less
    #[arg(long, value_name = "STANDS", value_parser = dimension)]
    competing: Option<Dimension>,
    /// Nothing that is known contradicts it
    #[arg(long, value_name = "STANDS", value_parser = dimension)]
    contradictions: Option<Dimension>,
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let asked = Asked {
            run: self.run,
            step: self.step,
            claim: self.claim,
            came: self.came,
            later: self.later.all()?,
            by: self.by,
            source: self.source,
            correct: self.correct,
        };
        let entered = enter(&self.register.open_for_writing()?, &self.runs, &asked)?;
        match self.format {
            Format::Human => terminal::print(&human::entered(&entered))?,
            Format::Json => terminal::print_data(&json::pretty(&entered))?,
        }
        Ok(Exit::Met)
    }
}

impl Later {
    /// All five, or none of them.
    fn all(self) -> Result<Option<Dimensions>, Failure> {
        let Self { chronology, relative_move, mechanism, competing, contradictions } = self;
        match (chronology, relative_move, mechanism, competing, contradictions) {
            (None, None, None, None, None) => Ok(None),
            (
                Some(chronology),
                Some(relative_move),
                Some(mechanism),
                Some(competing),
                Some(contradictions),
            ) => Ok(Some(Dimensions {
                chronology,
                relative_move,
                mechanism,
                competing,
                contradictions,
            })),
            _ => Err(Failure::Usage(
                "an explanation is assessed in all five dimensions: give --chronology, --relative-move, --mechanism, --competing and --contradictions, `unknown` where nobody knows"
                    .to_owned(),
            )),
        }
    }
}

fn dimension(text: &str) -> Result<Dimension, String> {
    let (stands, remark) = text.split_once(':').unwrap_or((text, ""));
    let known = Stands::ALL.into_iter().find(|it| it.name() == stands.trim());
    let stands = known.ok_or("write `holds`, `fails` or `unknown`, and a remark behind a colon")?;
    Ok(Dimension { stands, remark: Untrusted::new(remark.trim()) })
}
