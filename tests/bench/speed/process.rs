//! Other processes: how long they take, and how much memory at most.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How a process went.
pub(crate) struct Ran {
    pub(crate) took: Duration,
    pub(crate) peak_bytes: f64,
    pub(crate) code: Option<i32>,
}

/// Runs a command whose output is thrown away.
pub(crate) fn quietly(command: &mut Command) -> Result<Child, String> {
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    spawned.map_err(|error| format!("{}: {error}", command.get_program().display()))
}

/// Waits for a process, and watches its memory: the kernel keeps the peak itself, so that looking every
/// millisecond misses at most what is taken in the last one.
pub(crate) fn watched(command: &mut Command) -> Result<Ran, String> {
    let began = Instant::now();
    let mut child = quietly(command)?;
    let id = child.id().to_string();
    let mut peak_bytes = 0.0_f64;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(Ran { took: began.elapsed(), peak_bytes, code: status.code() });
        }
        peak_bytes = peak_bytes.max(resident_bytes(&id, "VmHWM").unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What the kernel says of a process's memory, in bytes.
pub(crate) fn resident_bytes(process: &str, key: &str) -> Result<f64, String> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.map(|kib| kib * 1024.0).ok_or(format!("{path} has no {key}"))
}
