//! Signing by `ssh-keygen -Y sign`: private keys, agents and hardware keys are its business and never ours.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use accredit_core::keys::{PublicKey, Signature};

use crate::failure::Failure;
use crate::terminal;

/// How much of what ssh-keygen says is kept.
const TOLD: u64 = 16 * 1024;
/// No `.pub` file and no signature is longer.
const LONGEST: u64 = 64 * 1024;

/// The public key that this key file belongs to, where it can be told without the private one: the file
/// itself if it is a public key, else the `.pub` file beside it.
#[must_use]
pub fn public_half(key: &Path) -> Option<PublicKey> {
    let mut beside = key.as_os_str().to_owned();
    beside.push(".pub");
    [key.as_os_str(), beside.as_os_str()].into_iter().find_map(read_public)
}

fn read_public(path: &OsStr) -> Option<PublicKey> {
    let path = Path::new(path);
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    PublicKey::parse(&text).ok()
}

/// Signs these bytes for this namespace. `key` is a private key's file, or a public key's whose private half
/// an agent or a hardware key holds. Returns the armoured signature, which holds over the bytes.
///
/// # Errors
/// When ssh-keygen is not there, or does not sign.
pub fn sign(key: &Path, namespace: &str, bytes: &[u8]) -> Result<(Vec<u8>, Signature), Failure> {
    if !fs::metadata(key).is_ok_and(|found| found.is_file()) {
        let told = "no such file, or no regular one: name your private key, or the public one of a key in ssh-agent";
        return Err(Failure::Signing(format!("{}: {told}", key.display())));
    }
    if public_half(key).is_some_and(|key| key.is_hardware()) {
        terminal::note(&"touch the hardware key when it asks for it");
    }
    // What is signed is a copy that nobody else can change, and its path holds nothing that could be an option.
    let folder = tempfile::Builder::new().prefix("accredit-sign-").tempdir();
    let folder = folder.map_err(|error| scratch(&error))?;
    let copy = folder.path().join("signed");
    fs::write(&copy, bytes).map_err(|error| scratch(&error))?;
    let told = run(key, namespace, &copy)?;
    let signed = folder.path().join("signed.sig");
    let mut armoured = Vec::new();
    fs::File::open(&signed)
        .and_then(|file| file.take(LONGEST).read_to_end(&mut armoured))
        .map_err(|_| refused(key, &told))?;
    let signature = Signature::parse(&armoured)
        .and_then(|signature| signature.holds(namespace, bytes).map(|()| signature))
        .map_err(|fault| {
            Failure::Signing(format!("{}: the signature is of no use: {fault}", key.display()))
        })?;
    Ok((armoured, signature))
}

fn scratch(error: &io::Error) -> Failure {
    Failure::Signing(format!(
        "the bytes to sign cannot be written to a temporary file: {error}. Check the folder that TMPDIR names"
    ))
}

/// Runs ssh-keygen and returns what it said.
fn run(key: &Path, namespace: &str, file: &Path) -> Result<String, Failure> {
    let asks = io::stdin().is_terminal();
    let stdin = if asks { Stdio::inherit() } else { Stdio::null() };
    let mut child = Command::new("ssh-keygen")
        .args(["-Y", "sign", "-n", namespace, "-f"])
        .arg(key)
        .arg(file)
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(&error))?;
    let mut told = Vec::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.by_ref().take(TOLD).read_to_end(&mut told).ok();
        // What it says beyond that is thrown away, so that it never waits for a reader.
        io::copy(&mut stderr, &mut io::sink()).ok();
    }
    let status = child.wait().map_err(|error| not_started(&error))?;
    let told = String::from_utf8_lossy(&told).into_owned();
    if status.success() { Ok(told) } else { Err(refused(key, &told)) }
}

fn not_started(error: &io::Error) -> Failure {
    Failure::Signing(match error.kind() {
        io::ErrorKind::NotFound => {
            "ssh-keygen was not found: install OpenSSH's client, version 8.2 or later".to_owned()
        }
        _ => format!("ssh-keygen cannot be run: {error}"),
    })
}

/// Why ssh-keygen did not sign, and what to do about it.
fn refused(key: &Path, told: &str) -> Failure {
    let mend = if told.contains("incorrect passphrase") {
        "the key has a passphrase: run this on a terminal and give the right one, or load the key with `ssh-add` and name its .pub file"
    } else if told.contains("No private key found for public key") {
        "neither ssh-agent nor a file beside it holds the private half: load it with `ssh-add`, or name the private key"
    } else if told.contains("too open") {
        "others can read the private key: run `chmod go-rwx` on it"
    } else if told.contains("Couldn't load public key") {
        "this is no OpenSSH key: make one with `ssh-keygen -t ed25519`"
    } else if told.contains("agent refused operation") {
        "the agent holds the key and refused: was a touch or a confirmation missed?"
    } else {
        "ssh-keygen does not say more; `ssh-keygen -Y sign -f KEY -n test FILE` shows whether the key can sign at all"
    };
    let rules = |line: &&str| !line.starts_with("@@@") && !line.trim().is_empty();
    let said: Vec<_> = told.lines().filter(rules).map(str::trim).take(4).collect();
    let said = if said.is_empty() { "nothing".to_owned() } else { said.join(" · ") };
    Failure::Signing(format!("{}: ssh-keygen did not sign: {said}\n{mend}", key.display()))
}
