//! What is measured beside accredit, and what it takes to have it: another wasmtime to compile, or a tool of
//! another language. Each is made when it is asked for, below target/bench.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The tool that makes components of Python, as pip names it.
const COMPONENTIZE: &str = "componentize-py==0.25.*";

/// The target of Extism's plugins.
const PLUGIN_TARGET: &str = "wasm32-unknown-unknown";

/// A Python grader as a component: the one that was made before, or where it is asked for, made now.
pub(super) fn python_guest(
    root: &Path,
    folder: &Path,
    make: bool,
) -> Result<Option<PathBuf>, String> {
    let guest = folder.join("python.wasm");
    if make && !guest.is_file() {
        let venv = folder.join("venv");
        let tool = venv.join("bin/componentize-py");
        if !tool.is_file() {
            done(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
            done(Command::new(venv.join("bin/pip")).args(["install", "--quiet", COMPONENTIZE]))?;
        }
        let mut componentize = Command::new(tool);
        componentize.arg("--wit-path").arg(root.join("wit/grader.wit"));
        componentize.args(["--world", "code-grader", "componentize", "app", "--output"]);
        componentize.arg(&guest).current_dir(root.join("tests/bench/python"));
        done(componentize.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    }
    Ok(Some(guest).filter(|guest| guest.is_file()))
}

/// Builds the package that times Extism, and returns the line it prints.
pub(super) fn extism(root: &Path, rounds: usize) -> Result<String, String> {
    let package = root.join("tests/bench/extism");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |dir| root.join(dir));
    let target = target.join("extism");
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(arguments).arg("--locked").arg("--target-dir").arg(&target);
        cargo.current_dir(&package);
        cargo
    };
    let plugin = ["build", "--package", "cheap-answer-extism", "--profile", "guest"];
    done(cargo(&plugin).args(["--target", PLUGIN_TARGET])).map_err(|problem| {
        format!("{problem}. The plugin needs: rustup target add {PLUGIN_TARGET}")
    })?;
    done(&mut cargo(&["build", "--package", "accredit-bench-extism"]))?;
    let plugin = target.join(PLUGIN_TARGET).join("guest/cheap_answer_extism.wasm");
    let mut timed = Command::new(target.join("debug/accredit-bench-extism"));
    timed.arg(plugin).arg(rounds.to_string());
    let ran = timed.stderr(Stdio::inherit()).output();
    let ran = ran.map_err(|error| format!("{}: {error}", timed.get_program().display()))?;
    if !ran.status.success() {
        return Err("Extism could not be timed; what it said stands above".into());
    }
    String::from_utf8(ran.stdout).map_err(|error| format!("Extism's line is no text: {error}"))
}

/// Runs a command whose output goes straight through.
fn done(command: &mut Command) -> Result<(), String> {
    println!("$ {}", command.get_program().display());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", command.get_program().display())),
        Err(error) => Err(format!("{}: {error}", command.get_program().display())),
    }
}
