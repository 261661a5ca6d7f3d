//! `accredit explain`: what a requirement means and how to meet it.

use std::path::PathBuf;

use accredit_core::control::lint::{nearest, quoted};
use accredit_core::explain::requirement::{requirement, requirements};
use accredit_core::policy::RequirementId;

use super::{Format, read_policy};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{render, terminal};

/// Explain a requirement: what it means, why it is there, how it is measured and how to meet it
///
/// Without a name it lists all of them. `accredit policy explain` shows a whole policy in numbers.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The requirement, as reports name it
    requirement: Option<String>,
    /// The policy whose bars to show [default: accredit.toml in this folder, else the built-in one]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let Some(name) = &self.requirement else {
            let list = requirements();
            match self.format {
                Format::Human => terminal::print(&render::human::requirements(&list))?,
                Format::Json => terminal::print_data(&render::json::pretty(&list))?,
            }
            return Ok(Exit::Met);
        };
        let id = named(name)?;
        let policy = read_policy(self.policy.as_deref())?;
        let told = requirement(id, &policy.policy);
        match self.format {
            Format::Human => {
                terminal::print(&render::human::requirement(&told, &policy.source))?;
            }
            Format::Json => terminal::print_data(&render::json::pretty(&told))?,
        }
        Ok(Exit::Met)
    }
}

/// The requirement of this name; bars in a policy are written with `_`, which is as good.
fn named(name: &str) -> Result<RequirementId, Failure> {
    let plain = name.trim().to_lowercase().replace('_', "-");
    RequirementId::from_name(&plain).ok_or_else(|| {
        let near = nearest(&plain, RequirementId::ALL.map(RequirementId::name));
        let mend = near.map_or_else(
            || "`accredit explain` lists them all".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::Usage(format!("{}: no requirement of this name: {mend}", quoted(name)))
    })
}
