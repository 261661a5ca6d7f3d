//! Lines of a file or a pipe, one by one and none too long.

use std::io::{self, BufRead as _, BufReader, Read};

/// The longest line that is read, in bytes.
pub(super) const LONGEST: usize = 64 << 20;

/// What is read at once.
const AT_ONCE: usize = 256 << 10;

/// What came of asking for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Took {
    /// A line, with its end.
    Line,
    /// What stands behind the last line's end.
    Torn,
    /// A line that is too long; nothing of it was kept.
    TooLong,
    /// There is no more.
    End,
}

/// Lines of something.
pub(super) struct Lines<R> {
    from: BufReader<R>,
    longest: usize,
    /// The number of the line that was read last, counted from 1.
    pub(super) number: u64,
    /// Bytes that were read so far.
    pub(super) read: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(from: R) -> Self {
        Self { from: BufReader::with_capacity(AT_ONCE, from), longest: LONGEST, number: 0, read: 0 }
    }

    /// Puts the next line behind what is there already, without its end.
    pub(super) fn next(&mut self, into: &mut Vec<u8>) -> io::Result<Took> {
        let start = into.len();
        let most = self.longest as u64 + 1;
        let read = (&mut self.from).take(most).read_until(b'\n', into)?;
        if read == 0 {
            return Ok(Took::End);
        }
        self.number += 1;
        self.read += read as u64;
        if into.last() == Some(&b'\n') {
            into.pop();
            return Ok(Took::Line);
        }
        if read as u64 == most {
            into.truncate(start);
            into.shrink_to(AT_ONCE);
            self.read += self.from.skip_until(b'\n')? as u64;
            return Ok(Took::TooLong);
        }
        Ok(Took::Torn)
    }

    /// Whether a whole line is there without waiting for it.
    pub(super) fn has_more_at_hand(&self) -> bool {
        self.from.buffer().contains(&b'\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_too_long_or_torn() {
        let text = "ab\n\n1234\n12345\n123456789\nend";
        let mut lines = Lines { longest: 4, ..Lines::of(text.as_bytes()) };
        let mut took = Vec::new();
        loop {
            let mut line = Vec::new();
            match lines.next(&mut line).expect("reads") {
                Took::End => break,
                what => took.push((lines.number, what, String::from_utf8(line).expect("text"))),
            }
        }
        let line = |number, what, text: &str| (number, what, text.to_owned());
        let expected = [
            line(1, Took::Line, "ab"),
            line(2, Took::Line, ""),
            line(3, Took::Line, "1234"),
            line(4, Took::TooLong, ""),
            line(5, Took::TooLong, ""),
            line(6, Took::Torn, "end"),
        ];
        assert_eq!(took, expected);
        assert_eq!(lines.read, text.len() as u64);
    }
}
