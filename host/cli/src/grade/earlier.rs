//! The verdicts that an earlier run left, line by line, for as long as they are asked for in order.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lines::{Lines, Took};

/// What every line that tells of a line of the input begins with.
const BEGINS: &[u8] = b"{\"line\":";

/// The lines of a file of verdicts, its first aside.
pub(super) struct Earlier {
    lines: Lines<File>,
    /// Bytes of the file before the first of them.
    before: u64,
    /// The next line: which line of the input it tells of, and where it stands in the file.
    next: Option<(u64, u64)>,
    text: Vec<u8>,
    /// Set once nothing more is read from the file.
    is_read: Arc<AtomicBool>,
}

impl Earlier {
    /// The lines of this file, which was read up to here.
    pub(super) fn new(file: File, before: u64) -> io::Result<Self> {
        let is_read = Arc::new(AtomicBool::new(false));
        let mut earlier =
            Self { lines: Lines::of(file), before, next: None, text: Vec::new(), is_read };
        earlier.step(0)?;
        Ok(earlier)
    }

    /// Says when nothing more is read from the file.
    pub(super) fn is_read(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_read)
    }

    /// Puts the line about this line of the input behind what is there already; says where it stands in its file,
    /// and where it is now. Lines must be asked for in order.
    pub(super) fn of_line(
        &mut self,
        number: u64,
        into: &mut Vec<u8>,
    ) -> io::Result<Option<(u64, Range<usize>)>> {
        while let Some((line, at)) = self.next {
            if line > number {
                break;
            }
            let start = into.len();
            if line == number {
                into.extend_from_slice(&self.text);
            }
            self.step(line)?;
            if line == number {
                return Ok(Some((at, start..into.len())));
            }
        }
        Ok(None)
    }

    /// Goes to the next whole line about a line of the input behind this one. What is torn, unreadable or out of
    /// order is passed over, and its case graded again.
    fn step(&mut self, last: u64) -> io::Result<()> {
        self.next = None;
        loop {
            let at = self.before + self.lines.read;
            self.text.clear();
            match self.lines.next(&mut self.text)? {
                Took::End | Took::Torn => break,
                Took::TooLong => {}
                Took::Line => {
                    if let Some(line) = line_of(&self.text).filter(|line| *line > last) {
                        self.next = Some((line, at));
                        return Ok(());
                    }
                }
            }
        }
        self.is_read.store(true, Ordering::Release);
        Ok(())
    }
}

/// Which line of the input this line tells of.
fn line_of(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(BEGINS)?;
    let digits = &digits[..digits.iter().position(|byte| *byte == b',')?];
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, SeekFrom, Write as _};

    use super::*;

    #[test]
    fn lines_are_found_in_order_and_what_is_torn_is_not() {
        let mut file = tempfile::tempfile().expect("a file");
        let text = "head\n{\"line\":1,a}\nnothing\n{\"line\":3,b}\n{\"line\":2,c}\n{\"line\":5,d}\n{\"line\":6,e}";
        file.write_all(text.as_bytes()).expect("writes");
        file.seek(SeekFrom::Start(5)).expect("seeks");
        let mut earlier = Earlier::new(file, 5).expect("reads");
        let is_read = earlier.is_read();
        let mut found = Vec::new();
        for line in 1..=6 {
            let mut into = b"before".to_vec();
            let place = earlier.of_line(line, &mut into).expect("reads");
            found.push(place.map(|(at, range)| {
                let said = String::from_utf8_lossy(&into[range]).into_owned();
                assert!(text[at as usize..].starts_with(&said));
                said
            }));
            assert_eq!(is_read.load(Ordering::Acquire), line >= 5, "{line}");
        }
        let found: Vec<_> = found.iter().map(Option::as_deref).collect();
        let some = |text| Some(text);
        let expected = [
            some("{\"line\":1,a}"),
            None,
            some("{\"line\":3,b}"),
            None,
            some("{\"line\":5,d}"),
            None,
        ];
        assert_eq!(found, expected);
    }
}
