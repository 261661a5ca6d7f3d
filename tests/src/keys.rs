//! Keys and signatures made by the real ssh-keygen, in a folder of their own.

use std::env;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A folder of keys.
pub struct Keys {
    folder: TempDir,
}

impl Keys {
    /// An empty folder; absent, with a message, where there is no ssh-keygen.
    ///
    /// # Panics
    /// When there is none and `ACCREDIT_SSH_KEYGEN=required`, or no folder can be made.
    #[must_use]
    pub fn new() -> Option<Self> {
        let found = Command::new("ssh-keygen").arg("-?").stderr(Stdio::null()).status().is_ok();
        if !found {
            let required = env::var("ACCREDIT_SSH_KEYGEN").is_ok_and(|value| value == "required");
            assert!(!required, "ssh-keygen was not found, and ACCREDIT_SSH_KEYGEN=required");
            eprintln!("skipped: ssh-keygen was not found");
            return None;
        }
        Some(Self { folder: tempfile::tempdir().expect("a folder") })
    }

    /// Makes a key without a passphrase, and returns the private key's file.
    ///
    /// # Panics
    /// When ssh-keygen does not make it.
    pub fn make(&self, name: &str, kind: &[&str]) -> PathBuf {
        self.make_with(name, kind, "")
    }

    /// Makes a key with this passphrase.
    ///
    /// # Panics
    /// When ssh-keygen does not make it.
    pub fn make_with(&self, name: &str, kind: &[&str], passphrase: &str) -> PathBuf {
        let path = self.path(name);
        let made = Command::new("ssh-keygen")
            .args(["-q", "-N", passphrase, "-C", "", "-t"])
            .args(kind)
            .arg("-f")
            .arg(&path)
            .stdin(Stdio::null())
            .status();
        assert!(made.is_ok_and(|status| status.success()), "ssh-keygen makes {name}");
        path
    }

    /// A path in the folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The public key of this name: kind and data.
    ///
    /// # Panics
    /// When there is no such key.
    #[must_use]
    pub fn public(&self, name: &str) -> String {
        let text = fs::read_to_string(self.path(&format!("{name}.pub"))).expect("a public key");
        text.split_ascii_whitespace().take(2).collect::<Vec<_>>().join(" ")
    }

    /// Signs bytes for a namespace.
    ///
    /// # Panics
    /// When ssh-keygen does not sign.
    #[must_use]
    pub fn sign(&self, name: &str, namespace: &str, bytes: &[u8]) -> String {
        self.sign_with(name, namespace, bytes, &[])
    }

    /// Signs with more options.
    ///
    /// # Panics
    /// When ssh-keygen does not sign.
    #[must_use]
    pub fn sign_with(&self, name: &str, namespace: &str, bytes: &[u8], more: &[&str]) -> String {
        let mut command = Command::new("ssh-keygen");
        command.args(["-Y", "sign", "-n", namespace, "-f"]).arg(self.path(name)).args(more);
        let (success, out) = self.fed(command, bytes);
        assert!(success, "ssh-keygen signs with {name}");
        String::from_utf8(out).expect("an armoured signature")
    }

    /// Whether ssh-keygen says that this principal signed these bytes, at this time (`20261130220000Z`).
    ///
    /// # Panics
    /// When ssh-keygen cannot be run.
    #[must_use]
    pub fn verifies(
        &self,
        signers: &str,
        principal: &str,
        namespace: &str,
        (signature, bytes): (&str, &[u8]),
        time: &str,
    ) -> bool {
        let (file, sig) = (self.path("allowed_signers"), self.path("signature.sig"));
        fs::write(&file, signers).expect("writes");
        fs::write(&sig, signature).expect("writes");
        let mut command = Command::new("ssh-keygen");
        command.args(["-Y", "verify", "-I", principal, "-n", namespace]);
        command.arg(format!("-Overify-time={time}")).arg("-f").arg(file).arg("-s").arg(sig);
        self.fed(command, bytes).0
    }

    /// Runs a command with these bytes as its input. Whether it succeeded, and its output.
    fn fed(&self, mut command: Command, bytes: &[u8]) -> (bool, Vec<u8>) {
        let input = self.path("input");
        fs::write(&input, bytes).expect("writes");
        let stdin = fs::File::open(&input).expect("opens");
        let out = command.stdin(stdin).stderr(Stdio::null()).output().expect("ssh-keygen runs");
        (out.status.success(), out.stdout)
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// An ssh-agent that holds a key. It ends with this value.
pub struct Agent {
    child: Child,
    socket: PathBuf,
}

impl Agent {
    /// An agent with the key of this name; absent, with a message, where there is no ssh-agent.
    ///
    /// # Panics
    /// When the agent does not take the key.
    #[must_use]
    pub fn with(keys: &Keys, name: &str) -> Option<Self> {
        let socket = keys.path("agent");
        let child = Command::new("ssh-agent")
            .arg("-D")
            .arg("-a")
            .arg(&socket)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: ssh-agent was not found");
            return None;
        };
        // It listens once it has told where.
        let told = child.stdout.as_mut().map(|out| out.read(&mut [0; 256]));
        let agent = Self { child, socket };
        assert!(told.is_some_and(|read| read.is_ok()), "the agent tells where it listens");
        let added = Command::new("ssh-add")
            .arg("-q")
            .arg(keys.path(name))
            .env("SSH_AUTH_SOCK", &agent.socket)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(added.is_ok_and(|status| status.success()), "the agent takes the key");
        Some(agent)
    }

    /// Where it listens.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
