//! What a guest writes: stdout, stderr and diagnostics in one bounded buffer, in the order they came.

use accredit_core::untrusted::Untrusted;

/// A buffer that keeps the first bytes and says whether there were more.
pub(crate) struct Captured {
    bytes: Vec<u8>,
    limit: usize,
    truncated: bool,
}

impl Captured {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, truncated: false }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.truncated |= bytes.len() > room;
    }

    pub(super) fn write_zeroes(&mut self, count: usize) {
        let kept = count.min(self.limit - self.bytes.len());
        self.bytes.resize(self.bytes.len() + kept, 0);
        self.truncated |= count > kept;
    }

    /// Whether something was dropped.
    pub(crate) fn truncated(&self) -> bool {
        self.truncated
    }

    /// The text; bytes that are no UTF-8 are replaced.
    pub(crate) fn into_text(self) -> Untrusted {
        let text = String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Untrusted::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Captured;

    #[test]
    fn the_first_bytes_are_kept() {
        let mut captured = Captured::new(5);
        captured.write(b"abc");
        assert!(!captured.truncated());
        captured.write(b"def");
        captured.write(b"g");
        captured.write_zeroes(1);
        assert!(captured.truncated());
        assert_eq!(captured.into_text().raw(), "abcde");
    }

    #[test]
    fn a_full_buffer_is_not_yet_truncated() {
        let mut captured = Captured::new(3);
        captured.write("aé".as_bytes());
        captured.write(b"");
        assert!(!captured.truncated());
        assert_eq!(captured.into_text().raw(), "aé");
        let mut cut = Captured::new(2);
        cut.write("aé".as_bytes());
        assert_eq!(cut.into_text().raw(), "a\u{fffd}");
    }
}
