//! Every committed seed of the fuzz targets, through the same functions, on stable; and each seed a
//! little broken, the same way every time. Seeds named `regression-*` broke a promise once.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use accredit_tests::fuzzed::{Reached, TARGETS};
use accredit_tests::{repository, shipped};

/// How many broken copies of each seed are tried, where the tests should take longer.
const ROUNDS: &str = "ACCREDIT_FUZZ_ROUNDS";

#[test]
fn every_seed_keeps_every_promise_and_targets_are_reached_to_their_end() {
    for (target, run) in TARGETS {
        let mut reached = BTreeSet::new();
        for (seed, bytes) in seeds(target) {
            // Shown if the run panics.
            println!("{}", seed.display());
            reached.insert(run(&bytes));
        }
        let both = BTreeSet::from([Reached::Refused, Reached::Taken]);
        assert_eq!(reached, both, "the seeds of {target} do not show what it takes and refuses");
    }
}

#[test]
fn a_seed_that_is_a_little_broken_keeps_every_promise() {
    let rounds = std::env::var(ROUNDS).map_or(20, |text| text.parse().expect("a number"));
    for (target, run) in TARGETS {
        let seeds = seeds(target);
        let small = seeds.iter().filter(|(_, bytes)| bytes.len() < 20_000);
        for (seed, bytes) in small {
            for round in 0..rounds {
                let broken = Chance(round).broken(bytes, &seeds);
                // Shown if the run panics.
                println!("{} in round {round}: {broken:02x?}", seed.display());
                run(&broken);
            }
        }
    }
}

/// The committed seeds of a target; of the loader the shipped graders too, which are not kept twice.
fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = repository().join("tests/fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut seeds: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    if target == "loader" {
        seeds.extend(["lenient-answer", "loan-ratios"].map(shipped));
    }
    seeds.sort();
    let read = |seed: PathBuf| {
        let bytes = fs::read(&seed).expect("it can be read");
        (seed, bytes)
    };
    seeds.into_iter().map(read).collect()
}

/// Numbers that follow from a round (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).expect("31 bits") % bound.max(1)
    }

    /// A place in the bytes, and another that is not before it and not far behind.
    fn piece(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(bytes.len() + 1);
        let most = [2, 16, bytes.len()][self.below(3)];
        from..bytes.len().min(from + self.below(most + 1))
    }

    /// The bytes with one to four changes.
    fn broken(&mut self, bytes: &[u8], others: &[(PathBuf, Vec<u8>)]) -> Vec<u8> {
        const ODD: [&[u8]; 8] =
            [b"\n", b"\0", b"\"", b"{", b"]", b"1e999", b"\\ud800", "\u{202e}".as_bytes()];
        let mut broken = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.piece(&broken);
            let instead = match self.below(5) {
                0 => Vec::new(),
                1 => vec![u8::try_from(self.below(256)).expect("a byte")],
                2 => ODD[self.below(ODD.len())].to_vec(),
                3 => broken[self.piece(&broken)].to_vec(),
                _ => {
                    let other = &others[self.below(others.len())].1;
                    other[self.piece(other)].iter().take(4096).copied().collect()
                }
            };
            broken.splice(at, instead);
        }
        broken
    }
}
