//! The contract in its versions: one module a version, each converting to and from core's types.

pub(crate) mod v0_1;

/// The contract as released.
pub(crate) const WIT: &str = include_str!("../../../wit/grader.wit");
/// Its version.
pub(crate) const VERSION: &str = "0.1.0";
/// The versions this host speaks, for people.
pub(crate) const SPEAKS: &str = "0.1.x";
/// The exported interface, without its version.
pub(crate) const GRADER: &str = "accredit:grader/grader";

/// Whether this host speaks a version: any `0.1.x`, no pre-release.
pub(crate) fn speaks(version: &str) -> bool {
    version
        .strip_prefix("0.1.")
        .is_some_and(|patch| !patch.is_empty() && patch.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_minor_version_is_one_track() {
        for good in ["0.1.0", "0.1.1", "0.1.42"] {
            assert!(speaks(good), "{good}");
        }
        for bad in ["0.2.0", "0.1.0-rc.1", "0.1", "0.1.", "1.0.0", "", "0.10.0", "0.1.0+build"] {
            assert!(!speaks(bad), "{bad}");
        }
        assert!(WIT.contains(&format!("package accredit:grader@{VERSION};")));
    }
}
