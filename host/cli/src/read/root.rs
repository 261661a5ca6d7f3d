//! The root of trust and `allowed_signers`: whose word counts in a register.

use accredit_core::id::Digest;
use accredit_core::keys::{AdminText, AllowedSigners, Root, RootText};

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, text};
use super::from_toml;
use super::node::{Node, Value};
use super::source::Source;

const ROOT: Shape =
    Shape { what: "a root of trust", keys: &["version", "quorum", "previous", "admin"] };
const ADMIN: Shape = Shape { what: "an administrator", keys: &["principal", "key"] };

/// Reads a root of trust: its name for messages, and its bytes.
///
/// # Errors
/// Every fault of it.
pub fn root_of(name: &str, bytes: &[u8]) -> Result<Root, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    let mut sink = Sink::new(name);
    let faults = |faults| Err(ReadFaults::new("", faults));
    let text = match source.text() {
        Ok(text) => text,
        Err(fault) => return faults(vec![*fault]),
    };
    match from_toml::parse(text) {
        Ok(node) => {
            if let Some(root) = whole(&node, &mut sink) {
                return Ok(root);
            }
        }
        Err(syntax) => {
            let mend = "mend the syntax here; the rest of the file was not read";
            sink.push("syntax", syntax.line, syntax.message, mend);
        }
    }
    faults(sink.faults)
}

fn whole(node: &Node, sink: &mut Sink) -> Option<Root> {
    let fields = Fields::open(&At::root(node), &ROOT, sink)?;
    let version = fields.required("version", sink, count);
    let quorum = fields.required("quorum", sink, count);
    let previous = fields.optional("previous", sink, digest);
    let lines: Vec<usize> = match fields.get("admin").map(|at| &at.node.value) {
        Some(Value::List(items)) => items.iter().map(|item| item.line).collect(),
        _ => Vec::new(),
    };
    let admins = fields.required_list("admin", sink, admin);
    if !sink.faults.is_empty() {
        return None;
    }
    let stated = RootText { version: version?, quorum: quorum?, previous, admins: admins? };
    let faults = match Root::new(&stated) {
        Ok(root) => return Some(root),
        Err(faults) => faults,
    };
    for fault in faults {
        let line = match fault.admin.and_then(|at| lines.get(at)) {
            Some(line) => *line,
            None => node.line_of(fault.key),
        };
        sink.push("root", line, fault.message, fault.mend);
    }
    None
}

fn admin(at: &At<'_>, sink: &mut Sink) -> Option<AdminText> {
    let fields = Fields::open(at, &ADMIN, sink)?;
    let principal = fields.required("principal", sink, text);
    let key = fields.required("key", sink, text);
    Some(AdminText { principal: principal?, key: key? })
}

fn count(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match &at.node.value {
        Value::Number(number) if number.as_u64().is_some() => number.as_u64(),
        _ => at.wrong("a whole number from 1", "write it as 1", sink),
    }
}

fn digest(at: &At<'_>, sink: &mut Sink) -> Option<Digest> {
    let written = text(at, sink)?;
    let read = written.parse().ok();
    read.or_else(|| at.wrong("a digest", "write it as \"blake3:...\", 64 hexadecimal digits", sink))
}

/// Reads `allowed_signers`: its name for messages, and its bytes.
///
/// # Errors
/// Every fault of it.
pub fn signers_of(name: &str, bytes: &[u8]) -> Result<AllowedSigners, ReadFaults> {
    AllowedSigners::parse(bytes).map_err(|faults| {
        let mut sink = Sink::new(name);
        for fault in faults {
            sink.push("signers", fault.line, fault.message, fault.mend);
        }
        ReadFaults::new("", sink.faults)
    })
}

/// The version that a policy states, whatever else it says: what a later version of accredit wrote counts too.
pub(crate) fn policy_version(bytes: &[u8]) -> Option<u64> {
    let node = from_toml::parse(std::str::from_utf8(bytes).ok()?).ok()?;
    match node.member("version").map(|member| &member.node.value) {
        Some(Value::Number(number)) => number.as_u64(),
        Some(_) => None,
        None => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHHNqK54X73srVHzlZ269SL9RRhv2WuqrRNDvJMG0F4h";

    #[test]
    fn a_root_is_read_and_every_fault_told_by_its_line() {
        let good =
            format!("version = 1\nquorum = 1\n[[admin]]\nprincipal = \"ada\"\nkey = \"{KEY}\"\n");
        let root = root_of("root.toml", good.as_bytes()).expect("a root");
        assert_eq!((root.version, root.quorum, root.admins.len()), (1, 1, 1));

        let bad = format!(
            "version = 2\nquorum = 3\n[[admin]]\nprincipal = \"ada\"\nkey = \"{KEY}\"\n[[admin]]\nprincipal = \"b*\"\nkey = \"x\"\n"
        );
        let faults = root_of("root.toml", bad.as_bytes()).expect_err("faults");
        let lines: Vec<_> = faults.faults.iter().map(|fault| fault.at.line).collect();
        assert_eq!(lines, [1, 2, 6, 6], "{faults}");

        let shape = "version = \"1\"\nquorm = 1\nprevious = \"x\"\n[[admin]]\nprincipal = 1\n";
        let faults = root_of("root.toml", shape.as_bytes()).expect_err("faults");
        assert_eq!(faults.errors(), 5, "{faults}");
        assert!(root_of("root.toml", b"version = ").is_err());
        assert!(root_of("root.toml", b"\xff").is_err());
    }

    #[test]
    fn the_version_of_a_policy_is_read_whatever_else_it_says() {
        assert_eq!(policy_version(b"version = 7\nnew_key = 1\n"), Some(7));
        assert_eq!(policy_version(b"confidence = 0.95\n"), Some(1));
        assert_eq!(policy_version(b"version = \"7\"\n"), None);
        assert_eq!(policy_version(b"version = "), None);
    }
}
