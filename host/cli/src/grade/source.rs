//! The cases' lines in pieces, each line beside the verdict that an earlier run left for it.

use std::io::{self, Read};
use std::ops::Range;

use super::earlier::Earlier;
use super::lines::{Lines, Took};

/// How much text a piece holds, its last line aside.
const PIECE: usize = 256 << 10;

/// Some lines of the input.
#[derive(Default)]
pub(super) struct Piece {
    /// The text of all lines, and of their earlier verdicts.
    pub(super) text: Vec<u8>,
    pub(super) lines: Vec<OneLine>,
    /// How many bytes of the input are read with this piece.
    pub(super) read: u64,
}

/// One line of the input.
pub(super) struct OneLine {
    /// Its number, counted from 1.
    pub(super) number: u64,
    /// Where its text is; nothing for a line that is too long.
    pub(super) text: Option<Range<usize>>,
    /// The line that an earlier run wrote of it: where that stands in its file, and where here.
    pub(super) earlier: Option<(u64, Range<usize>)>,
}

/// The input, line by line.
pub(super) struct Source<R> {
    lines: Lines<R>,
    earlier: Option<Earlier>,
    ended: bool,
}

impl<R: Read> Source<R> {
    pub(super) fn new(from: R, earlier: Option<Earlier>) -> Self {
        Self { lines: Lines::of(from), earlier, ended: false }
    }

    /// The next lines, so many at most; nothing at the end, and after an error.
    pub(super) fn piece(&mut self, most: usize) -> Option<io::Result<Piece>> {
        let mut piece = Piece::default();
        while !self.ended {
            if let Err(error) = self.line(&mut piece) {
                self.ended = true;
                return Some(Err(error));
            }
            let is_enough = piece.lines.len() >= most || piece.text.len() >= PIECE;
            if is_enough || (!piece.lines.is_empty() && !self.lines.has_more_at_hand()) {
                break;
            }
        }
        piece.read = self.lines.read;
        (!piece.lines.is_empty()).then_some(Ok(piece))
    }

    /// Adds one line, unless it is blank.
    fn line(&mut self, piece: &mut Piece) -> io::Result<()> {
        let mut start = piece.text.len();
        let took = self.lines.next(&mut piece.text)?;
        let number = self.lines.number;
        let text = match took {
            Took::End => {
                self.ended = true;
                return Ok(());
            }
            Took::TooLong => None,
            Took::Line | Took::Torn => {
                if number == 1 && piece.text[start..].starts_with("\u{feff}".as_bytes()) {
                    start += "\u{feff}".len();
                }
                if piece.text[start..].trim_ascii().is_empty() {
                    piece.text.truncate(start);
                    return Ok(());
                }
                Some(start..piece.text.len())
            }
        };
        let earlier = match &mut self.earlier {
            Some(earlier) => earlier.of_line(number, &mut piece.text)?,
            None => None,
        };
        piece.lines.push(OneLine { number, text, earlier });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_counted_and_none_is_lost() {
        let text = "\u{feff}one\n\n  \r\ntwo\r\nthree";
        for most in [1, 2, 64] {
            let mut source = Source::new(text.as_bytes(), None);
            let mut lines = Vec::new();
            while let Some(piece) = source.piece(most) {
                let piece = piece.expect("reads");
                assert!(piece.lines.len() <= most);
                for line in piece.lines {
                    let text = &piece.text[line.text.expect("is not too long")];
                    lines.push((line.number, String::from_utf8_lossy(text).trim().to_owned()));
                }
            }
            let expected = [(1, "one"), (4, "two"), (5, "three")];
            assert_eq!(lines, expected.map(|(number, text)| (number, text.to_owned())));
        }
    }
}
