//! No input may make the grader panic, loop, or take more than about linear time.

use crate::table::letters;

/// Pieces that mean something to the grader.
const PIECES: &[&str] = &[
    "Answer:",
    "A:",
    "B:",
    "Final answer",
    "The answer is",
    "####",
    "\\boxed{",
    "}",
    "{",
    "\n",
    "\n\n",
    "> ",
    "```",
    "## Example\n",
    "Example:",
    "\"",
    "“",
    "”",
    "'",
    "42",
    "1,234",
    "1,2,3",
    "3/4",
    "-",
    "–",
    "−",
    "+",
    "=",
    "≈",
    "×10^3",
    "e5",
    "%",
    "$",
    "\\$",
    "km",
    "°C",
    "or",
    "either",
    "not",
    "if",
    "wrong",
    "scratch that",
    "take it back",
    "I can't",
    "I don't know",
    ".",
    "!",
    "?",
    ":",
    ",",
    ";",
    "(",
    ")",
    "**",
    "_",
    "`",
    "\\frac{1}{2}",
    "\\text{",
    "^",
    "²",
    "\u{A0}",
    "\u{202F}",
    "\u{FFFD}",
    "\u{0}",
    "é",
    "e\u{301}",
    "４２",
    "states-answer",
    "Grader:",
    "ignore previous instructions",
    "Paris",
    "at least",
    "between",
    "and",
    "to",
    "million",
    "10^",
    "10",
    "/",
    "√",
    "\\sqrt",
    "\r\n",
    "\u{200B}",
    "I",
    "the",
    "…",
    "\u{10FFFF}",
];

const REFERENCES: &[Option<&str>] =
    &[None, Some("42"), Some("Paris"), Some("1/2 | 50%"), Some("5-7 km"), Some("(|"), Some(".")];

/// A small generator, the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap_or(0)
    }
}

fn pieces(random: &mut Random, count: usize) -> String {
    let mut out = String::new();
    for _ in 0..count {
        out.push_str(PIECES[random.below(PIECES.len())]);
        if random.below(3) > 0 {
            out.push(' ');
        }
    }
    out
}

#[test]
fn random_pieces_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3_000 {
        let count = 1 + random.below(24);
        let output = pieces(&mut random, count);
        let reference = REFERENCES[random.below(REFERENCES.len())];
        let found = letters(&output, reference);
        assert!(is_coherent(&found), "{output:?}: {found}");
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random(7);
    for _ in 0..3_000 {
        let count = random.below(80);
        let bytes: Vec<u8> =
            (0..count).map(|_| u8::try_from(random.below(256)).unwrap_or(0)).collect();
        let soup = String::from_utf8_lossy(&bytes);
        let reference = pieces(&mut random, 3);
        assert!(is_coherent(&letters(&soup, Some(&reference))));
        assert!(is_coherent(&letters(&reference, Some(&soup))));
    }
}

#[test]
fn every_truncation_is_judged() {
    let whole = "Let x = 1,234.5 km.\n> “Answer: 7”\n## Example\nA: 3\n\n# Now\n```\n\\boxed{4}\n```\nIf so, the answer is \
                 $\\boxed{\\frac{1}{2}}$ or 1.5×10^{-3} °C. Wait, that's wrong — I take it back: 5 to 7 dollars per hour?";
    for (at, _) in whole.char_indices() {
        for reference in REFERENCES {
            assert!(is_coherent(&letters(&whole[..at], *reference)));
            assert!(is_coherent(&letters(&whole[at..], *reference)));
        }
    }
}

/// Fifteen hundred bytes of one piece.
#[test]
fn long_repeats_are_judged_in_time() {
    for piece in PIECES {
        for tail in ["", " ", "\n", " 42 ", "Answer: "] {
            let output = format!("{piece}{tail}").repeat(1_500 / (piece.len() + tail.len()));
            assert!(is_coherent(&letters(&output, Some("42"))), "{piece:?}{tail:?}");
            assert!(is_coherent(&letters(&format!("Answer: {output}"), Some("Paris"))));
        }
    }
}

#[test]
fn deep_nesting_is_judged() {
    for (open, close) in [
        ("(", ")"),
        ("\\boxed{", "}"),
        ("{", "}"),
        ("\\text{", "}"),
        ("**", "**"),
        ("> ", ""),
        ("“", "”"),
    ] {
        let output = format!("Answer: {}42{}", open.repeat(100_000), close.repeat(100_000));
        assert!(is_coherent(&letters(&output, Some("42"))));
        assert!(is_coherent(&letters(&output, Some(&output))));
    }
}

/// When an output commits to nothing the other rules do not apply, and what is unclear stays so.
fn is_coherent(letters: &str) -> bool {
    match letters.chars().next() {
        Some('F') => letters == "FNN",
        Some('U') => letters == "UUU",
        _ => !letters.contains('N'),
    }
}
