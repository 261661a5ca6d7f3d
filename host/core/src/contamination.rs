//! Do texts of the controls stand in the component's bytes?
//!
//! Both are folded (white space to one space, ASCII capitals to small letters) and compared by runs of
//! [`RUN`] bytes. That finds a set which was copied into a grader by accident. It does not find a set that
//! an author compressed, hashed or learnt by heart, and every report says so.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Control;
use crate::id::ControlId;
use crate::manifest::Rule;
use crate::untrusted::Untrusted;

/// How many bytes in a row, folded, make a find. A shared run of `RUN + STRIDE - 1` bytes is always found,
/// one of `RUN` sometimes.
pub const RUN: usize = 24;

/// Every how many bytes of the component a run is looked for.
const STRIDE: usize = 8;

/// How many finds a record lists.
const LISTED: usize = 100;

/// How much of a find is shown, in bytes.
const SHOWN: usize = 96;

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contamination {
    /// Bytes in a row that make a find.
    pub run: u64,
    /// Bytes of the component.
    pub component_bytes: u64,
    /// Texts of controls that are long enough to be looked for.
    pub texts: u64,
    /// How many of them stand there, at least in part.
    pub found: u64,
    /// Those, up to 100 of them.
    pub first: Vec<Found>,
}

/// A text of a control that stands in the component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The control.
    pub control: ControlId,
    /// Which of its texts: `task`, `output`, `reference` or `evidence`.
    pub part: String,
    /// Where in the component, in bytes from its start.
    pub offset: u64,
    /// The words both share, folded.
    pub words: Untrusted,
}

/// Looks for the controls' texts in a component. What the grader's own rules say is no find.
#[must_use]
pub fn scan<'a>(
    controls: impl IntoIterator<Item = &'a Control>,
    rules: &[Rule],
    component: &[u8],
) -> Contamination {
    let haystack = Haystack::new(component);
    let known: Vec<_> = rules.iter().map(|rule| fold(rule.text.raw().as_bytes())).collect();
    let mut scan = Contamination {
        run: RUN as u64,
        component_bytes: component.len() as u64,
        texts: 0,
        found: 0,
        first: Vec::new(),
    };
    let mut seen = None;
    for control in controls {
        for (part, text) in texts(control) {
            let text = fold(text.as_bytes());
            if text.len() < RUN {
                continue;
            }
            scan.texts += 1;
            let Some((at, length)) = haystack.find(&text, &known) else { continue };
            scan.found += 1;
            if scan.first.len() < LISTED && seen != Some((&control.entry.id, part)) {
                seen = Some((&control.entry.id, part));
                scan.first.push(Found {
                    control: control.entry.id.clone(),
                    part: part.to_owned(),
                    offset: unfolded(component, at),
                    words: Untrusted::new(String::from_utf8_lossy(
                        &haystack.folded[at..at + length.min(SHOWN)],
                    )),
                });
            }
        }
    }
    scan
}

fn texts(control: &Control) -> impl Iterator<Item = (&'static str, &str)> {
    let case = &control.entry.case;
    let evidence = case.evidence.iter().map(|it| ("evidence", it.content.as_str()));
    let reference = case.reference.iter().map(|text| ("reference", text.as_str()));
    [("task", case.task.as_str()), ("output", case.output.as_str())]
        .into_iter()
        .chain(reference)
        .chain(evidence)
}

/// The component, folded, with where each of its runs stands.
struct Haystack {
    folded: Vec<u8>,
    /// The hash of every run at a multiple of [`STRIDE`], sorted, with its place.
    runs: Vec<(u64, u32)>,
    /// A bit for each hash that is there: most runs of a text are told absent by it alone.
    bits: Vec<u64>,
}

impl Haystack {
    fn new(component: &[u8]) -> Self {
        let folded = fold(component);
        let mut runs: Vec<_> = hashes(&folded)
            .filter(|(at, _)| at % STRIDE == 0)
            .filter_map(|(at, hash)| Some((hash, u32::try_from(at).ok()?)))
            .collect();
        runs.sort_unstable();
        let mut bits = vec![0; (runs.len() / 4).next_power_of_two().max(1)];
        for (hash, _) in &runs {
            let (word, bit) = place(*hash, bits.len());
            bits[word] |= bit;
        }
        Self { folded, runs, bits }
    }

    /// Where the first run of this text stands that none of the known texts holds, and how long it goes on.
    fn find(&self, text: &[u8], known: &[Vec<u8>]) -> Option<(usize, usize)> {
        hashes(text).find_map(|(from, hash)| {
            let (word, bit) = place(hash, self.bits.len());
            if self.bits[word] & bit == 0 {
                return None;
            }
            let first = self.runs.partition_point(|(other, _)| *other < hash);
            let same = self.runs[first..].iter().take_while(|(other, _)| *other == hash);
            let run = &text[from..from + RUN];
            let at = same
                .map(|(_, at)| *at as usize)
                .find(|at| self.folded[*at..*at + RUN] == *run)
                .filter(|_| !known.iter().any(|known| known.windows(RUN).any(|it| it == run)))?;
            let shared = self.folded[at..].iter().zip(&text[from..]).take_while(|(a, b)| a == b);
            Some((at, shared.count()))
        })
    }
}

/// The word and the bit that stand for a hash.
fn place(hash: u64, words: usize) -> (usize, u64) {
    let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = usize::try_from(mixed >> 32).unwrap_or(0) & (words - 1);
    (word, 1 << (mixed & 63))
}

/// The polynomial hash of every run, with where it begins (M. O. Rabin, R. M. Karp, 1987).
fn hashes(bytes: &[u8]) -> impl Iterator<Item = (usize, u64)> {
    const BASE: u64 = 0x0100_0000_01b3;
    let out = (0..RUN).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0_u64;
    bytes.iter().enumerate().filter_map(move |(at, byte)| {
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte));
        if at >= RUN {
            hash = hash.wrapping_sub(u64::from(bytes[at - RUN]).wrapping_mul(out));
        }
        (at + 1 >= RUN).then(|| (at + 1 - RUN, hash))
    })
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn fold(bytes: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match is_space(*byte) {
            true if folded.last() == Some(&b' ') => {}
            true => folded.push(b' '),
            false => folded.push(byte.to_ascii_lowercase()),
        }
    }
    folded
}

/// Where the folded byte of this place stands in the bytes as they are.
fn unfolded(bytes: &[u8], folded: usize) -> u64 {
    let mut before = false;
    let begins = bytes.iter().enumerate().filter(|(_, byte)| {
        let space = is_space(**byte);
        let counts = !(space && before);
        before = space;
        counts
    });
    let at = begins.map(|(at, _)| at).nth(folded);
    at.unwrap_or(bytes.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::set::Kind;
    use crate::example;

    const TEXT: &str = "The boiling point of water at sea level is one hundred degrees.";

    fn found(output: &str, component: &str) -> Vec<Found> {
        let control = example::control(Kind::KnownBad, "a", output);
        let rules = example::manifest(&["r1"]).rules;
        scan([&control], &rules, component.as_bytes()).first
    }

    #[test]
    fn a_text_is_found_whatever_its_spacing_and_capitals() {
        let component = format!("\0asm  \t\0\0{}\0", TEXT.to_uppercase().replace(' ', " \n"));
        let found = found(TEXT, &component);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].part.as_str(), found[0].control.as_str()), ("output", "a"));
        let words = found[0].words.raw();
        assert!(words.len() >= RUN && TEXT.to_lowercase().contains(words), "{words}");
        let offset = usize::try_from(found[0].offset).expect("small");
        let there = component[offset..].to_lowercase();
        assert!(there.starts_with(&words[..3]), "{there}");
    }

    #[test]
    fn every_shared_run_that_is_long_enough_is_found_wherever_it_stands() {
        for at in 0..STRIDE {
            for from in [0, 5, TEXT.len() - RUN - STRIDE] {
                let component =
                    format!("{}{}##", "\0".repeat(at), &TEXT[from..from + RUN + STRIDE]);
                assert_eq!(found(TEXT, &component).len(), 1, "{at} {from}");
            }
        }
    }

    #[test]
    fn what_is_short_or_absent_is_not_found() {
        assert_eq!(found("18", "the answer is 18"), []);
        assert_eq!(found(TEXT, "nothing of the kind stands in here, and that at some length"), []);
        assert_eq!(found(TEXT, ""), []);
        let control = example::control(Kind::KnownBad, "a", "18");
        assert_eq!(scan([&control], &[], b"18").texts, 0);
    }

    #[test]
    fn what_the_rules_say_is_no_find() {
        let control = example::control(Kind::KnownBad, "a", TEXT);
        let mut rules = example::manifest(&["r1"]).rules;
        rules[0].text = Untrusted::new(TEXT);
        assert_eq!(scan([&control], &rules, TEXT.as_bytes()).found, 0);
    }
}
