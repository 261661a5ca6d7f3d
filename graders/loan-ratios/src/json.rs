//! A strict reader of one RFC 8259 object: it reports the object's own members and only checks the
//! grammar of what is nested in them. It keeps no tree and does not recurse, so no depth hurts it.

/// One member of the outermost object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The key as written, without its quotes and still escaped.
    pub key: &'a str,
    /// The value.
    pub value: Value<'a>,
    /// The member as written, from the key's first quote to the value's end.
    pub text: &'a str,
}

/// The value of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number, as written.
    Number(&'a str),
    /// `true` or `false`.
    Bool(bool),
    /// Anything else.
    Other,
}

/// Where a text stops being JSON, and what should have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte offset.
    pub at: usize,
    /// What was due, to be read after "expected".
    pub expected: &'static str,
}

/// Reads the object that begins at byte `start` of `text` and hands each of its own members to
/// `visit`. Returns the offset just after the object.
pub fn read_object<'a>(
    text: &'a str,
    start: usize,
    mut visit: impl FnMut(Member<'a>),
) -> Result<usize, Fault> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: start };
    reader.take(b'{', "an object")?;
    reader.skip_space();
    if reader.peek() == Some(b'}') {
        return Ok(reader.at + 1);
    }
    loop {
        reader.skip_space();
        visit(reader.member()?);
        reader.skip_space();
        if reader.peek() == Some(b'}') {
            return Ok(reader.at + 1);
        }
        reader.take(b',', "a comma or the object's end")?;
    }
}

/// The offset of the first byte from `at` on that is none of space, tab, CR and LF.
pub fn skip_space(text: &str, at: usize) -> usize {
    let mut reader = Reader { text, bytes: text.as_bytes(), at };
    reader.skip_space();
    reader.at
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault<T>(&self, expected: &'static str) -> Result<T, Fault> {
        Err(Fault { at: self.at, expected })
    }

    fn skip_space(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }

    fn skip_while(&mut self, accepts: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.peek().is_some_and(&accepts) {
            self.at += 1;
        }
        self.at - start
    }

    fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return self.fault(expected);
        }
        self.at += 1;
        Ok(())
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn member(&mut self) -> Result<Member<'a>, Fault> {
        let start = self.at;
        let key = self.key()?;
        self.skip_space();
        let value_start = self.at;
        let value = match self.peek() {
            Some(b'{' | b'[') => {
                self.nested()?;
                Value::Other
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Value::Number(self.since(value_start))
            }
            first => {
                self.scalar()?;
                match first {
                    Some(b't') => Value::Bool(true),
                    Some(b'f') => Value::Bool(false),
                    _ => Value::Other,
                }
            }
        };
        Ok(Member { key, value, text: self.since(start) })
    }

    /// A key and the colon after it.
    fn key(&mut self) -> Result<&'a str, Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.fault("a key in double quotes");
        }
        self.string()?;
        let quoted = self.since(start);
        self.skip_space();
        self.take(b':', "a colon")?;
        Ok(quoted.get(1..quoted.len() - 1).unwrap_or_default())
    }

    /// An array or object of any depth. The stack holds the closing byte that each level awaits.
    fn nested(&mut self) -> Result<(), Fault> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.skip_space();
            let opened = match self.peek() {
                Some(b'{') => Some(b'}'),
                Some(b'[') => Some(b']'),
                _ => None,
            };
            if let Some(close) = opened {
                self.at += 1;
                self.skip_space();
                open.push(close);
                if self.peek() != Some(close) {
                    if close == b'}' {
                        self.key()?;
                    }
                    continue;
                }
            } else {
                self.scalar()?;
            }
            if self.close(&mut open)? {
                return Ok(());
            }
        }
    }

    /// After a nested value: closes every level that ends here. False when another value is due.
    fn close(&mut self, open: &mut Vec<u8>) -> Result<bool, Fault> {
        while let Some(close) = open.last().copied() {
            self.skip_space();
            if self.peek() == Some(close) {
                self.at += 1;
                open.pop();
                continue;
            }
            self.take(b',', "a comma or a closing bracket")?;
            if close == b'}' {
                self.skip_space();
                self.key()?;
            }
            return Ok(false);
        }
        Ok(true)
    }

    fn scalar(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.fault("a JSON value"),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return self.fault("a JSON value");
        }
        self.at += word.len();
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.take(b'"', "a string")?;
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20));
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return self.fault("an escape instead of a control character"),
                None => return self.fault("the string's closing quote"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return self.fault("four hexadecimal digits");
                    }
                    self.at += 1;
                }
            }
            _ => return self.fault("an escape that JSON has"),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        match self.skip_while(|byte| byte.is_ascii_digit()) {
            0 => self.fault("a digit"),
            _ => Ok(()),
        }
    }
}
