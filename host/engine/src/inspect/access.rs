//! What the host does about each import: grants it, links it inert, or refuses it by name.

use wit_parser::{Resolve, WorldId, WorldItem, WorldKey};

use super::{interface, name};
use crate::contract;

/// What the host grants, for people.
pub(crate) const GRANTED_TEXT: &str = "accredit:grader 0.1.x; of WASI 0.2: cli, clocks, io and random (all virtual); \
     sockets and filesystem are there but deny every call";

/// One import of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Its full name, such as `wasi:cli/stdout@0.2.6`.
    pub name: String,
    /// What the host does about it.
    pub access: Access,
}

/// What the host does about an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// It works, inside the sandbox.
    Granted,
    /// It is linked, every call answers access-denied, and calls are counted.
    Inert,
    /// The component is not loaded.
    Refused {
        /// Why, and what to do.
        why: String,
    },
}

impl Access {
    /// Why it is refused, if it is.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        match self {
            Self::Refused { why } => Some(why),
            Self::Granted | Self::Inert => None,
        }
    }

    fn refused(why: impl Into<String>) -> Self {
        Self::Refused { why: why.into() }
    }
}

/// The granted interfaces of WASI 0.2 and the functions the sandbox has for each.
const GRANTED: &[(&str, &[&str])] = &[
    ("cli/environment", &["get-environment", "get-arguments", "initial-cwd"]),
    ("cli/exit", &["exit", "exit-with-code"]),
    ("cli/stdin", &["get-stdin"]),
    ("cli/stdout", &["get-stdout"]),
    ("cli/stderr", &["get-stderr"]),
    ("cli/terminal-input", &[]),
    ("cli/terminal-output", &[]),
    ("cli/terminal-stdin", &["get-terminal-stdin"]),
    ("cli/terminal-stdout", &["get-terminal-stdout"]),
    ("cli/terminal-stderr", &["get-terminal-stderr"]),
    ("clocks/wall-clock", &["now", "resolution"]),
    ("clocks/monotonic-clock", &["now", "resolution", "subscribe-instant", "subscribe-duration"]),
    ("random/random", &["get-random-bytes", "get-random-u64"]),
    ("random/insecure", &["get-insecure-random-bytes", "get-insecure-random-u64"]),
    ("random/insecure-seed", &["insecure-seed"]),
    ("io/error", &["[method]error.to-debug-string"]),
    ("io/poll", &["[method]pollable.ready", "[method]pollable.block", "poll"]),
    ("io/streams", STREAMS),
];

const STREAMS: &[&str] = &[
    "[method]input-stream.read",
    "[method]input-stream.blocking-read",
    "[method]input-stream.skip",
    "[method]input-stream.blocking-skip",
    "[method]input-stream.subscribe",
    "[method]output-stream.check-write",
    "[method]output-stream.write",
    "[method]output-stream.blocking-write-and-flush",
    "[method]output-stream.flush",
    "[method]output-stream.blocking-flush",
    "[method]output-stream.subscribe",
    "[method]output-stream.write-zeroes",
    "[method]output-stream.blocking-write-zeroes-and-flush",
    "[method]output-stream.splice",
    "[method]output-stream.blocking-splice",
];

/// Every import of the world, in its order.
pub(super) fn imports(resolve: &Resolve, world: WorldId) -> Vec<Import> {
    resolve.worlds[world]
        .imports
        .iter()
        .map(|(key, item)| Import { name: name(resolve, key), access: access(resolve, key, item) })
        .collect()
}

fn access(resolve: &Resolve, key: &WorldKey, item: &WorldItem) -> Access {
    let (WorldKey::Interface(_), Some(id)) = (key, interface(item)) else {
        return Access::refused(
            "a function or type outside any package, which nothing here provides: import interfaces of wit/grader.wit only",
        );
    };
    let functions: Vec<&str> =
        resolve.interfaces[id].functions.keys().map(String::as_str).collect();
    classify(&name(resolve, key), &functions)
}

/// Decides by full name and by the functions that are used of it.
pub(super) fn classify(full: &str, functions: &[&str]) -> Access {
    let Some((package, rest)) = full.split_once('/') else {
        return Access::refused(
            "not the name of an interface in a package: this host knows none like it",
        );
    };
    let (interface, version) = match rest.split_once('@') {
        Some((interface, version)) => (interface, Some(version)),
        None => (rest, None),
    };
    match package.split_once(':') {
        Some(("accredit", "grader")) => contract_import(interface, version, functions),
        Some(("wasi", _)) if !is_wasi_02(version) => Access::refused(
            "another version of WASI than the 0.2 that this host grants: build for `wasm32-wasip2`",
        ),
        Some(("wasi", "sockets" | "filesystem")) => Access::Inert,
        Some(("wasi", "http")) => Access::refused(
            "a code grader cannot reach the network, or its word could not be derived again: fetch what it needs \
             beforehand and pass it as evidence",
        ),
        Some(("wasi", package)) => wasi_import(&format!("{package}/{interface}"), functions),
        _ => Access::refused(
            "a package that this host does not know: a code grader may import diagnostics and the granted part of \
             WASI, nothing else; compile it in, or pass its data as evidence",
        ),
    }
}

fn contract_import(interface: &str, version: Option<&str>, functions: &[&str]) -> Access {
    match version {
        Some(version) if contract::speaks(version) => {}
        _ => {
            return Access::refused(format!(
                "built against contract {}, this host speaks {}: rebuild with wit/grader.wit of that version",
                version.unwrap_or("without a version"),
                contract::SPEAKS
            ));
        }
    }
    match (interface, functions) {
        ("types", []) | ("diagnostics", [] | ["emit"]) => Access::Granted,
        _ => Access::refused(format!(
            "contract {} has no such interface or function to import: rebuild with wit/grader.wit of that version, \
             or use a newer host",
            contract::VERSION
        )),
    }
}

fn wasi_import(interface: &str, functions: &[&str]) -> Access {
    let Some((_, known)) = GRANTED.iter().find(|(name, _)| *name == interface) else {
        return Access::refused(
            "a part of WASI that a code grader has no use for: drop it, or pass its data as evidence",
        );
    };
    match functions.iter().find(|function| !known.contains(function)) {
        None => Access::Granted,
        Some(function) => Access::refused(format!(
            "this host's `{interface}` has no function `{function}`: build with a stable WASI 0.2 toolchain"
        )),
    }
}

/// `0.2.x`, no pre-release.
fn is_wasi_02(version: Option<&str>) -> bool {
    version
        .and_then(|version| version.strip_prefix("0.2."))
        .is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{Access, classify};

    #[test]
    fn every_import_has_a_place() {
        let granted = [
            ("accredit:grader/types@0.1.0", &[][..]),
            ("accredit:grader/types@0.1.7", &[]),
            ("accredit:grader/diagnostics@0.1.0", &["emit"]),
            ("wasi:cli/stdout@0.2.0", &["get-stdout"]),
            ("wasi:cli/exit@0.2.99", &["exit"]),
            ("wasi:io/streams@0.2.6", &["[method]output-stream.write"]),
        ];
        for (name, functions) in granted {
            assert_eq!(classify(name, functions), Access::Granted, "{name}");
        }
        for name in
            ["wasi:sockets/tcp@0.2.0", "wasi:filesystem/types@0.2.6", "wasi:filesystem/new@0.2.6"]
        {
            assert_eq!(classify(name, &["anything"]), Access::Inert, "{name}");
        }
    }

    #[test]
    fn refusals_say_what_to_do() {
        let refused = [
            ("wasi:http/outgoing-handler@0.2.6", &["handle"][..], "pass it as evidence"),
            ("accredit:grader/types@0.2.0", &[], "this host speaks 0.1.x"),
            ("accredit:grader/types@0.1.0-rc.1", &[], "this host speaks 0.1.x"),
            ("accredit:grader/types", &[], "without a version"),
            ("accredit:grader/judge@0.1.1", &["ask"], "has no such interface"),
            ("accredit:grader/diagnostics@0.1.0", &["shout"], "has no such interface"),
            ("wasi:cli/stdout@0.3.0", &[], "another version of WASI"),
            ("wasi:cli/stdout@0.2.0-rc-2023-11-10", &[], "another version of WASI"),
            ("wasi:filesystem/types@0.3.0", &[], "another version of WASI"),
            ("wasi:cli/stdout", &[], "another version of WASI"),
            ("wasi:clocks/timezone@0.2.3", &[], "no use for"),
            ("wasi:cli/exit@0.2.3", &["exit-loudly"], "no function `exit-loudly`"),
            ("acme:things/store@1.0.0", &[], "does not know"),
            ("wasi-sockets", &[], "not the name of an interface"),
        ];
        for (name, functions, expected) in refused {
            let why = classify(name, functions).refusal().map(str::to_owned).unwrap_or_default();
            assert!(why.contains(expected), "{name}: {why}");
        }
    }
}
