//! The contract: a released version never changes, and the one in use is a released one.

use super::tree::{Fault, Tree};

/// The contract in use.
const CURRENT: &str = "wit/grader.wit";

/// The released versions, each with the checksum of its text: one more line for each release.
const FROZEN: &[(&str, u64)] = &[("wit/frozen/grader-0.1.0.wit", 0xd6eb_4ec4_4fb1_7088)];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, checksum) in FROZEN {
        match tree.file(path) {
            None => faults.push(Fault::new(path, 0, "is missing: a released contract stays")),
            Some(file) if fnv_1a(file.text.as_bytes()) != *checksum => {
                let what = "is not what was released, and graders were built against that: restore it, \
                            and release a new version";
                faults.push(Fault::new(path, 0, what));
            }
            Some(_) => {}
        }
    }
    for file in tree.files.iter().filter(|file| file.path.starts_with("wit/frozen/")) {
        if !FROZEN.iter().any(|(path, _)| *path == file.path) {
            let what = format!(
                "is not pinned: add it with {:#018x} in xtask/src/tidy/contract.rs",
                fnv_1a(file.text.as_bytes())
            );
            faults.push(Fault::new(&file.path, 0, what));
        }
    }
    faults.extend(unreleased(tree));
    faults
}

/// A complaint if the contract in use is not the last released one.
fn unreleased(tree: &Tree) -> Option<Fault> {
    let (path, _) = FROZEN.last()?;
    let (current, frozen) = (tree.file(CURRENT)?, tree.file(path)?);
    let differs = |(ours, theirs): (&str, &str)| ours != theirs;
    let lines = current.text.lines().zip(frozen.text.lines());
    let line = lines.clone().position(differs).unwrap_or(lines.count()) + 1;
    let what =
        format!("differs from {path} from here on: a change needs a new version, frozen beside it");
    (current.text != frozen.text).then(|| Fault::new(CURRENT, line, what))
}

/// FNV-1a of 64 bits: enough against a change by accident, and this crate needs no dependency for it.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{CURRENT, FROZEN, Tree, check, fnv_1a};

    fn faults(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        // http://www.isthe.com/chongo/tech/comp/fnv/, test vectors of FNV-1a.
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_released_contract_neither_changes_nor_goes() {
        let (path, _) = FROZEN[0];
        assert_eq!(faults(&[]), [format!("{path}: is missing: a released contract stays")]);
        assert!(faults(&[(path, "changed")])[0].contains("is not what was released"));
    }

    #[test]
    fn the_contract_in_use_is_released_and_pinned() {
        let (path, _) = FROZEN[0];
        let told = faults(&[(path, "a\nb\n"), (CURRENT, "a\nc\n")]);
        assert!(told[1].starts_with("wit/grader.wit:2: differs from"), "{told:?}");
        let told = faults(&[("wit/frozen/grader-9.wit", "")]);
        assert!(told[1].contains("is not pinned: add it with 0xcbf29ce484222325"), "{told:?}");
    }
}
