//! `cargo xtask bench [--quick] [--peers] [--extism] [--python-guest] [--write]`: what accredit costs, held
//! against its targets.
//!
//! Builds the host, the grader that is timed and the program that times it (tests/bench), and shows each
//! figure as the median of its rounds with the least and the most. A missed target is shown, and is no
//! failure of the command: a busy machine misses some. Nothing is written without `--write`, which
//! puts the table into BENCHMARKS.md.

mod figure;
mod machine;
mod page;
mod peers;
mod targets;

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::guests::Builder;
use crate::{Outcome, cargo, workspace_root};
use figure::Figure;
use targets::{Needs, TARGETS, Target};

/// Where the measurements leave what they need, below the root.
const FOLDER: &str = "target/bench";

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    quick: bool,
    peers: bool,
    extism: bool,
    python_guest: bool,
    write: bool,
}

impl Options {
    fn rounds(&self) -> usize {
        if self.quick { 5 } else { 15 }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let options = parse(arguments)?;
    let root = workspace_root();
    cargo::build_host(&root)?;
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let guest = folder.join("cheap-answer.wasm");
    let component = Builder::new(&root)?.build("cheap-answer")?;
    fs::write(&guest, component).map_err(|e| format!("{}: {e}", guest.display()))?;
    let before = machine::load();
    let mut lines = measure(&root, &folder, &guest, &options)?;
    if options.extism {
        lines.push_str(&peers::extism(&root, options.rounds())?);
    }
    let mut figures: Vec<Figure> = lines.lines().filter_map(Figure::parse).collect();
    figures.extend(Figure::quotient("extism-plugin", "extism", "trial-200", &figures));
    let table = targets::table(TARGETS, &figures);
    println!("\n{}\n{table}", machine::describe(&before));
    if options.write {
        page::write(&root.join("BENCHMARKS.md"), &machine::describe(&before), &table)?;
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options::default();
    for argument in arguments {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--peers" => options.peers = true,
            "--extism" => options.extism = true,
            "--python-guest" => options.python_guest = true,
            "--write" => options.write = true,
            other => {
                return Err(format!(
                    "no option `{other}`; there are: --quick --peers --extism --python-guest --write"
                ));
            }
        }
    }
    Ok(options)
}

/// Runs the program of tests/bench, and returns what it prints.
fn measure(root: &Path, folder: &Path, guest: &Path, options: &Options) -> Result<String, String> {
    let setting = |key: &str, path: &Path| format!("{key}={}", path.display());
    let python = peers::python_guest(root, folder, options.python_guest)?;
    let asked = |target: &&Target| match target.needs {
        Needs::Nothing => true,
        Needs::Peers => options.peers,
        Needs::Extism => false,
    };
    let mut speed = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    speed
        .args(["bench", "--locked", "--workspace", "--profile", "dev", "--bench", "speed", "--"])
        .args(TARGETS.iter().filter(asked).map(|target| target.figure))
        .args([setting("guest", guest), setting("folder", folder)])
        .arg(format!("rounds={}", options.rounds()))
        .arg(setting("accredit", &cargo::host_binary()?))
        .args(python.map(|path| setting("python-guest", &path)))
        .current_dir(root)
        .stderr(Stdio::inherit());
    let output = speed.output().map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err("a measurement failed; what it said stands above".into());
    }
    String::from_utf8(output.stdout).map_err(|e| format!("the measurements are no text: {e}"))
}

#[cfg(test)]
mod tests {
    use super::{Options, parse};

    #[test]
    fn options_are_known_or_refused() {
        let strings = |words: &[&str]| words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>();
        assert_eq!(parse(&[]), Ok(Options::default()));
        let some = Options { quick: true, extism: true, write: true, ..Options::default() };
        assert_eq!(parse(&strings(&["--write", "--quick", "--extism"])), Ok(some));
        assert!(parse(&strings(&["--fast"])).is_err_and(|problem| problem.contains("`--fast`")));
    }
}
