//! `cargo xtask ci`: all that a change must pass, cheapest first. The first step that fails ends it.

use std::path::Path;
use std::time::Instant;

use crate::{Outcome, cargo, guests, no_arguments, test, tidy, workspace_root};

/// One step: its name, the command that runs it alone, and its function.
struct Step {
    name: &'static str,
    command: &'static str,
    run: fn(&Path) -> Outcome,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        command: "cargo fmt --all",
        run: |root| cargo::run(root, &["fmt", "--all", "--check"]),
    },
    Step { name: "tidy", command: "cargo xtask tidy", run: |_| tidy::run(&[]) },
    Step {
        name: "guests",
        command: "cargo xtask guests --check",
        run: |_| guests::run(&["--check".to_owned()]),
    },
    Step {
        name: "clippy",
        command: "cargo clippy --workspace --all-targets --locked -- -D warnings",
        run: clippy,
    },
    Step { name: "test", command: "cargo xtask test", run: |_| test::run(&[]) },
];

fn clippy(root: &Path) -> Outcome {
    cargo::run(
        root,
        &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
    )
}

/// Runs the command; it takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    let times = run_steps(STEPS, &workspace_root())?;
    println!("ci: every step passed ({times})");
    Ok(())
}

/// Runs the steps in order, and returns how long each took. The last one's own output stays the last
/// that is seen: its time is only in what is returned.
fn run_steps(steps: &[Step], root: &Path) -> Result<String, String> {
    let mut times = Vec::new();
    for (number, Step { name, command, run }) in steps.iter().enumerate() {
        println!("\n== ci {}/{}: {name} ==", number + 1, steps.len());
        let started = Instant::now();
        let outcome = run(root);
        let time = format!("{name} {:.1} s", started.elapsed().as_secs_f64());
        outcome.map_err(|problem| format!("{problem}\nstopped at: {time}. Run: {command}"))?;
        if number + 1 < steps.len() {
            println!("-- {time}");
        }
        times.push(time);
    }
    Ok(times.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Step, run_steps};

    #[test]
    fn the_first_step_that_fails_ends_it_and_names_the_command() {
        let good = Step { name: "good", command: "do good", run: |_| Ok(()) };
        let bad = Step { name: "bad", command: "do bad", run: |_| Err("no".to_owned()) };
        let never = Step { name: "never", command: "-", run: |_| unreachable!("bad came first") };
        let problem = run_steps(&[good, bad, never], ".".as_ref()).expect_err("bad fails");
        assert!(problem.starts_with("no\nstopped at: bad "), "{problem}");
        assert!(problem.ends_with("Run: do bad"), "{problem}");
    }

    #[test]
    fn every_step_reports_its_time() {
        let good = Step { name: "good", command: "do good", run: |_| Ok(()) };
        let times = run_steps(&[good], ".".as_ref()).expect("it passes");
        assert!(times.starts_with("good 0."), "{times}");
    }
}
