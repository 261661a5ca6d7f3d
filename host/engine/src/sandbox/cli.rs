//! `wasi:cli`: no arguments, no environment, no terminal; output is captured, an exit ends the trial.

use wasmtime::Result;
use wasmtime::component::{Resource, ResourceType};

use super::io::{InputStream, OutputStream};
use super::{Ctx, Linker, Stop, charge, wasi};

/// Types that the terminal interfaces need and no guest ever holds a value of.
struct TerminalInput;
struct TerminalOutput;

pub(super) fn link(linker: &mut Linker) -> Result<()> {
    environment(linker)?;
    exit(linker)?;
    streams(linker)?;
    terminals(linker)
}

fn environment(linker: &mut Linker) -> Result<()> {
    let mut environment = linker.instance(&wasi("cli/environment"))?;
    environment.func_wrap("get-environment", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((Vec::<(String, String)>::new(),))
    })?;
    environment.func_wrap("get-arguments", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((Vec::<String>::new(),))
    })?;
    environment.func_wrap("initial-cwd", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((None::<String>,))
    })
}

fn exit(linker: &mut Linker) -> Result<()> {
    let mut exit = linker.instance(&wasi("cli/exit"))?;
    exit.func_wrap("exit", |_: Ctx<'_>, (status,): (Result<(), ()>,)| -> Result<()> {
        Err(Stop::Exit(if status.is_ok() { "success" } else { "failure" }.to_owned()).into())
    })?;
    exit.func_wrap("exit-with-code", |_: Ctx<'_>, (code,): (u8,)| -> Result<()> {
        Err(Stop::Exit(format!("code {code}")).into())
    })
}

fn streams(linker: &mut Linker) -> Result<()> {
    linker.instance(&wasi("cli/stdin"))?.func_wrap("get-stdin", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((Resource::<InputStream>::new_own(0),))
    })?;
    // Both write to one buffer: the order of what was written says more than the channel.
    for (interface, function) in [("cli/stdout", "get-stdout"), ("cli/stderr", "get-stderr")] {
        linker.instance(&wasi(interface))?.func_wrap(function, |mut store: Ctx<'_>, (): ()| {
            charge(&mut store, 0)?;
            Ok((Resource::<OutputStream>::new_own(0),))
        })?;
    }
    Ok(())
}

fn terminals(linker: &mut Linker) -> Result<()> {
    linker.instance(&wasi("cli/terminal-input"))?.resource(
        "terminal-input",
        ResourceType::host::<TerminalInput>(),
        |_, _| Ok(()),
    )?;
    linker.instance(&wasi("cli/terminal-output"))?.resource(
        "terminal-output",
        ResourceType::host::<TerminalOutput>(),
        |_, _| Ok(()),
    )?;
    linker.instance(&wasi("cli/terminal-stdin"))?.func_wrap(
        "get-terminal-stdin",
        |mut store: Ctx<'_>, (): ()| {
            charge(&mut store, 0)?;
            Ok((None::<Resource<TerminalInput>>,))
        },
    )?;
    for name in ["stdout", "stderr"] {
        let mut terminal = linker.instance(&wasi(&format!("cli/terminal-{name}")))?;
        terminal.func_wrap(&format!("get-terminal-{name}"), |mut store: Ctx<'_>, (): ()| {
            charge(&mut store, 0)?;
            Ok((None::<Resource<TerminalOutput>>,))
        })?;
    }
    Ok(())
}
