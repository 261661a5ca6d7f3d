//! The chores of the repository: `cargo xtask NAME`. One file a command; this one is their table.

mod bench;
mod cargo;
mod ci;
mod demo;
mod fuzz;
mod guests;
mod sysroot;
mod test;
mod tidy;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

/// What a command returns: nothing, or what went wrong and what to do about it.
pub(crate) type Outcome = Result<(), String>;

/// One command: its name, a line of help, and its function, which gets the arguments after the name.
struct Command {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "demo",
        help: "build everything, run three graders through their controls, check what comes out",
        run: demo::run,
    },
    Command {
        name: "test",
        help: "build what the tests need and run all of them [ARGUMENTS of cargo test...]",
        run: test::run,
    },
    Command {
        name: "guests",
        help: "build the graders into graders/dist [NAME...] [--check: compare, write nothing]",
        run: guests::run,
    },
    Command {
        name: "bench",
        help: "what accredit costs, against its targets [--quick] [--peers] [--extism] [--python-guest] [--write: BENCHMARKS.md]",
        run: bench::run,
    },
    Command {
        name: "tidy",
        help: "check what neither compiler nor clippy can: arrows, purity, sizes, words, layout",
        run: tidy::run,
    },
    Command {
        name: "fuzz",
        help: "run the fuzz targets of tests/fuzz [TARGET...] [--seconds N]; needs nightly and cargo-fuzz",
        run: fuzz::run,
    },
    Command { name: "ci", help: "all that a change must pass, in order", run: ci::run },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print_help();
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print_help();
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("cargo xtask has no command `{name}`; it has these:");
        print_help();
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("cargo xtask {name}: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn print_help() {
    for Command { name, help, .. } in COMMANDS {
        println!("cargo xtask {name:<8} {help}");
    }
}

/// Complains about any argument, for the commands that take none.
pub(crate) fn no_arguments(arguments: &[String]) -> Outcome {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(format!("takes no arguments, and got `{argument}`")),
    }
}

/// The root of the workspace: where cargo found this crate just now, not where it was compiled, so
/// that a moved checkout works on itself.
pub(crate) fn workspace_root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest);
    root.pop();
    root
}
