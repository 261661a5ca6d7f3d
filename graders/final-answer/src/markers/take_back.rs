//! Recognises words that take an answer back.

use crate::language::edges::Edges;
use crate::language::lists::TAKE_BACKS;
use crate::language::phrases::{any_at, find_any, is_apostrophe, is_one_of, words};
use crate::language::text::trim;
use crate::markers::marker::Surety;

/// Words before "wrong" with which the speaker means the answer above.
const ADMISSIONS: &[&str] = &[
    "that is",
    "that's",
    "that was",
    "this is",
    "this was",
    "it is",
    "it's",
    "it was",
    "i was",
    "i am",
    "i'm",
    "i got that",
    "i got it",
    "i had it",
    "i did that",
    "answer is",
    "answer was",
    "above is",
    "above was",
    "result is",
    "is all",
    "is just",
    "wait",
    "sorry",
    "oops",
    "no",
    "oh",
    "hmm",
    "actually",
    "got this",
    "is completely",
    "was completely",
    "is actually",
    "that looks",
    "that seems",
    "is still",
    "went",
    "which is",
    "which was",
    "were",
    "is simply",
    "was simply",
];

/// Words that keep a sentence from taking anything back for sure.
const DOUBTS: &[&str] = &[
    "if", "would", "could", "might", "may", "unless", "common", "typical", "many", "some",
    "someone", "people", "students", "often", "easy", "perhaps", "maybe", "whether", "whoever",
    "anyone", "others", "should", "can", "easily", "usually",
];

/// A quick look at the first letter.
pub(crate) fn may_begin(text: &str) -> bool {
    text.as_bytes().first().is_some_and(|byte| b"wmstrdci".contains(&byte.to_ascii_lowercase()))
}

/// Reads a take-back at the start of `rest`; `lead` is what stands before it in its sentence. Gives how sure it is and the
/// length of the words.
pub(crate) fn read(lead: &str, rest: &str) -> Option<(Surety, usize)> {
    let (phrase, length) = any_at(rest, TAKE_BACKS)?;
    let length = if matches!(phrase, "take" | "taking") { back(rest)? } else { length };
    let behind = trim(&rest[length..]);
    if is_negated(lead) || names_a_pitfall(phrase, lead) || behind.starts_with("answer:") {
        return None;
    }
    let asked = asks(rest);
    let doubted = words(lead).any(|(_, word)| is_one_of(word, DOUBTS));
    let sure = !asked && !doubted && is_sure(phrase, lead, behind);
    Some((if sure { Surety::Yes } else { Surety::Perhaps }, length))
}

/// "take that back", with up to three words between.
fn back(rest: &str) -> Option<usize> {
    let (at, word) =
        words(rest).skip(1).take(4).find(|(_, word)| word.eq_ignore_ascii_case("back"))?;
    Some(at + word.len())
}

/// Whether "not", "no" or "nothing" stands right before.
fn is_negated(lead: &str) -> bool {
    let clause = lead.rsplit([',', ';', ':', '—', '–']).next().unwrap_or(lead);
    let mut near = words(clause).map(|(_, word)| word).collect::<Vec<_>>();
    let last = near.split_off(near.len().saturating_sub(3));
    let ends_not = |word: &str| {
        word.len() > 3 && word.ends_with('t') && word[..word.len() - 1].closes(is_apostrophe)
    };
    let directly = last.last().is_some_and(|word| is_one_of(word, &["no", "without", "never"]));
    directly
        || last
            .iter()
            .any(|word| is_one_of(word, &["not", "nothing", "cannot", "never"]) || ends_not(word))
}

/// "A common mistake is …" speaks of others.
fn names_a_pitfall(phrase: &str, lead: &str) -> bool {
    const KINDS: &[&str] = &[
        "common", "typical", "frequent", "usual", "classic", "easy", "possible", "likely",
        "similar", "avoid",
    ];
    let last = words(lead).last().map_or("", |(_, word)| word);
    phrase.starts_with("mistake") && is_one_of(last, KINDS)
}

/// Whether the sentence goes on to a question mark.
fn asks(rest: &str) -> bool {
    const LONGEST: usize = 300;
    let sentence = rest.chars().take(LONGEST).find(|c| matches!(c, '.' | '!' | '?'));
    sentence == Some('?')
}

fn is_sure(phrase: &str, lead: &str, behind: &str) -> bool {
    let before = trim(lead).to_ascii_lowercase();
    let before =
        before.trim_end_of(|c| matches!(c, ',' | ':' | '—' | '–' | '-' | ' ')).replace('’', "'");
    let starts = before.is_empty();
    let speaker = || find_any(&before, &["i", "i'm", "i've", "we", "my", "i'd"]).is_some();
    match phrase {
        "wrong" => {
            let goes_on =
                any_at(behind, &["way", "to", "answer", "approach", "answers", "with", "if"])
                    .is_some();
            let of_a_box = ["}", "}$", "}\\)", "}\\]"].iter().any(|end| {
                ["is", "was"].iter().any(|verb| {
                    before.strip_suffix(verb).is_some_and(|rest| trim(rest).ends_with(end))
                })
            });
            !goes_on
                && (starts
                    || of_a_box
                    || ADMISSIONS.iter().any(|known| ends_in_words(&before, known)))
        }
        "mistake" | "mistakes" => {
            let named =
                ["that was a", "this was a", "that is a", "that's a", "it was a", "was a", "is a"];
            starts || speaker() || named.iter().any(|known| ends_in_words(&before, known))
        }
        "correction" => starts || (behind.starts_with(':') && words(&before).count() <= 3),
        "scratch that" | "take" | "taking" => true,
        "ignore that" => ends_clause(behind),
        _ => {
            (starts
                || speaker()
                || find_any(&before, &["please", "so", "wait", "sorry", "must"]).is_some())
                && means_answer(behind)
        }
    }
}

/// Whether the clause ends, or goes on to what is offered instead.
fn ends_clause(behind: &str) -> bool {
    !behind.opens(char::is_alphanumeric)
        || any_at(behind, &["and", "it", "i", "the answer", "please", "one"]).is_some()
}

/// Whether what is withdrawn or disregarded is the answer above.
fn means_answer(behind: &str) -> bool {
    const OBJECTS: &[&str] = &[
        "that",
        "this",
        "it",
        "the above",
        "the answer",
        "the previous",
        "the last",
        "my",
        "what i",
        "all",
        "everything",
        "above",
        "previous",
        "the first",
        "the earlier",
    ];
    !behind.opens(char::is_alphanumeric) || any_at(behind, OBJECTS).is_some()
}

fn ends_in_words(text: &str, ending: &str) -> bool {
    let before = text.strip_suffix(ending);
    before.is_some_and(|before| !before.closes(char::is_alphanumeric))
}
