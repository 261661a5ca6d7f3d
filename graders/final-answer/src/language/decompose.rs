//! The decomposed normal form NFD. Two texts agree in it exactly where they agree in NFC, and it needs the smaller
//! tables: the crate's own iterators would carry those of the compatible forms and of composition too.

use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

/// The text in NFD.
pub(crate) fn nfd(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut marks: Vec<(u8, char)> = Vec::new();
    for c in text.chars() {
        decompose_canonical(c, |part| match canonical_combining_class(part) {
            0 => {
                put_in_order(&mut marks, &mut out);
                out.push(part);
            }
            class => marks.push((class, part)),
        });
    }
    put_in_order(&mut marks, &mut out);
    out
}

/// Moves a run of marks over, those of lower classes first and those of one class in the order they have.
fn put_in_order(marks: &mut Vec<(u8, char)>, out: &mut String) {
    let mut next = marks.iter().map(|(class, _)| *class).min();
    while let Some(least) = next {
        out.extend(marks.iter().filter(|(class, _)| *class == least).map(|(_, mark)| mark));
        next = marks.iter().map(|(class, _)| *class).filter(|class| *class > least).min();
    }
    marks.clear();
}

/// Whether a character is a mark on the one before it.
pub(crate) fn is_mark(c: char) -> bool {
    canonical_combining_class(c) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn it_is_the_form_that_the_crate_computes() {
        let marks = ['\u{301}', '\u{323}', '\u{327}', '\u{345}', '\u{5B0}', '\u{1161}', 'x'];
        for code in (0..0x3_0000).filter_map(char::from_u32) {
            for (at, mark) in marks.iter().enumerate() {
                let text: String =
                    [code, *mark, marks[(at + 2) % marks.len()], code].iter().collect();
                assert_eq!(nfd(&text), text.nfd().collect::<String>(), "{text:?}");
            }
        }
    }
}
