//! `allowed_signers`: whose keys may sign what, and when. OpenSSH's format, less of it than OpenSSH takes.

use super::fault::LineFault;
use super::public_key::PublicKey;
use super::shown;
use super::window::{Window, moment};

/// No register has so many signers.
const LONGEST: usize = 1024 * 1024;
/// What a line that is no longer than it must be comes to.
const LONGEST_LINE: usize = 16 * 1024;

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct AllowedSigners {
    /// Its version, from 1: `# accredit: version N`.
    pub version: u64,
    /// Its keys, in order.
    pub allowed: Vec<Allowed>,
}

/// One line: a key and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Allowed {
    /// The line, from 1.
    pub line: usize,
    /// Whose key it is: names of one person, at least one.
    pub principals: Vec<String>,
    /// The key.
    pub key: PublicKey,
    /// What it may sign; all where nothing is said.
    pub namespaces: Option<Vec<String>>,
    /// When it may sign.
    pub window: Window,
}

impl Allowed {
    /// Whether the key may sign for this namespace.
    #[must_use]
    pub fn is_for(&self, namespace: &str) -> bool {
        self.namespaces.as_ref().is_none_or(|own| own.iter().any(|own| own == namespace))
    }
}

impl AllowedSigners {
    /// Reads the file.
    ///
    /// # Errors
    /// Every fault of it, by line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Vec<LineFault>> {
        let text = match text_of(bytes) {
            Ok(text) => text,
            Err(fault) => return Err(vec![fault]),
        };
        let mut read = Reading::default();
        for (count, line) in text.split('\n').enumerate() {
            read.take(count + 1, line);
        }
        if read.version.is_none() {
            let mend = "add the line `# accredit: version 1`, and count it up with every change";
            read.faults.push(LineFault::new(0, "the file states no version", mend));
        }
        match (read.version, read.faults.is_empty()) {
            (Some((version, _)), true) => Ok(Self { version, allowed: read.allowed }),
            _ => Err(read.faults),
        }
    }

    /// The version that such a file states, whatever else it says: what a later version of accredit wrote
    /// counts too.
    #[must_use]
    pub fn stated_version(bytes: &[u8]) -> Option<u64> {
        let mut read = Reading::default();
        for (count, line) in text_of(bytes).ok()?.split('\n').enumerate() {
            if let Some(comment) = line.trim_matches([' ', '\t']).strip_prefix('#') {
                read.comment(count + 1, comment);
            }
        }
        read.version.map(|(version, _)| version).filter(|version| *version > 0)
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, LineFault> {
    if bytes.len() > LONGEST {
        return Err(LineFault::new(
            0,
            "the file is larger than 1 MiB",
            "take out what is not used",
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        LineFault::new(line, "a byte here is not UTF-8", "save the file as UTF-8")
    })?;
    match text.find('\r') {
        None => Ok(text),
        Some(at) => {
            let line = text[..at].matches('\n').count() + 1;
            let mend = "save it with line ends of LF alone: what is signed is its exact bytes";
            Err(LineFault::new(line, "the line ends with CR", mend))
        }
    }
}

#[derive(Default)]
struct Reading {
    /// The version and its line.
    version: Option<(u64, usize)>,
    allowed: Vec<Allowed>,
    faults: Vec<LineFault>,
}

impl Reading {
    fn take(&mut self, number: usize, line: &str) {
        let line = line.trim_matches([' ', '\t']);
        if let Some(comment) = line.strip_prefix('#') {
            self.comment(number, comment);
        } else if line.len() > LONGEST_LINE {
            self.fault(
                number,
                "the line is longer than 16 KiB",
                "give a key fewer names or namespaces",
            );
        } else if !line.is_empty() {
            self.entry(number, line);
        }
    }

    fn fault(&mut self, line: usize, message: impl Into<String>, mend: impl Into<String>) {
        self.faults.push(LineFault::new(line, message, mend));
    }

    fn comment(&mut self, number: usize, comment: &str) {
        let Some(ours) = comment.trim_matches([' ', '\t']).strip_prefix("accredit:") else {
            return;
        };
        let stated = ours.trim_matches([' ', '\t']).strip_prefix("version ").and_then(counted);
        match (stated, self.version) {
            (None, _) => {
                let mend = "write `# accredit: version 1`, with a whole number from 1";
                self.fault(number, "the version cannot be read", mend);
                // It is not missing as well.
                self.version.get_or_insert((0, number));
            }
            (Some(_), Some((_, first))) => {
                let message = format!("the version is stated again: it stands in line {first}");
                self.fault(number, message, "keep one of the two");
            }
            (Some(version), None) => self.version = Some((version, number)),
        }
    }

    fn entry(&mut self, number: usize, line: &str) {
        let known = self.faults.len();
        let (names, rest) = word(line);
        let principals = self.principals(number, names);
        let (options, key) = options_and_key(rest);
        let mut stated = Options::default();
        match options {
            Some(options) => self.options(number, options, &mut stated),
            None if key.is_empty() => {
                let mend = "write `name keytype AAAA...`";
                self.fault(number, "a name without a key", mend);
            }
            None => {}
        }
        let key = match PublicKey::parse(key) {
            Ok(key) => Some(key),
            Err(_) if self.faults.len() > known => None,
            Err(fault) => {
                self.fault(number, fault.to_string(), "mend this line");
                None
            }
        };
        if self.faults.len() == known
            && let Some(key) = key
        {
            let Options { namespaces, after, before } = stated;
            let window = Window { after, before };
            self.allowed.push(Allowed { line: number, principals, key, namespaces, window });
        }
    }

    fn principals(&mut self, number: usize, names: &str) -> Vec<String> {
        let mut principals: Vec<String> = Vec::new();
        for name in names.split(',') {
            if name.is_empty() {
                self.fault(number, "an empty name", "write names with one comma between them");
            } else if let Some(why) = refused(name) {
                let message = format!("`{}` is no name that is taken: {why}", shown(name));
                self.fault(number, message, "write the exact name, such as ada@example.org");
            } else if principals.iter().any(|other| other == name) {
                self.fault(number, format!("`{name}` stands twice"), "keep one of the two");
            } else {
                principals.push(name.to_owned());
            }
        }
        principals
    }

    fn options(&mut self, number: usize, text: &str, stated: &mut Options) {
        for option in split_options(text) {
            let Some((name, value)) = option.split_once('=') else {
                self.unknown_option(number, option);
                continue;
            };
            let quoted = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
            let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or_default();
            match name {
                "namespaces" | "valid-after" | "valid-before" if !quoted || inner.contains('"') => {
                    let message = format!("the value of `{name}` is not between quotation marks");
                    self.fault(number, message, format!("write {name}=\"...\""));
                }
                "namespaces" => self.namespaces(number, inner, stated),
                "valid-after" => self.time(number, name, inner, &mut stated.after),
                "valid-before" => self.time(number, name, inner, &mut stated.before),
                _ => self.unknown_option(number, name),
            }
        }
        if let (Some(after), Some(before)) = (stated.after, stated.before)
            && after >= before
        {
            let mend = "let valid-after be the earlier of the two";
            self.fault(
                number,
                "the key is never valid: valid-after is not before valid-before",
                mend,
            );
        }
    }

    fn unknown_option(&mut self, number: usize, name: &str) {
        let (message, mend) = if name.eq_ignore_ascii_case("cert-authority") {
            (
                "`cert-authority` is not taken".to_owned(),
                "list the keys themselves, not an authority's",
            )
        } else {
            let message = format!("`{}` is no option that is taken", shown(name));
            (message, "use namespaces, valid-after, valid-before, and no space between them")
        };
        self.fault(number, message, mend);
    }

    fn namespaces(&mut self, number: usize, list: &str, stated: &mut Options) {
        if stated.namespaces.is_some() {
            return self.fault(number, "`namespaces` stands twice", "write one list");
        }
        for name in list.split(',') {
            let why = if name.is_empty() { Some("it is empty") } else { refused(name) };
            if let Some(why) = why {
                let message = format!("`{}` is no namespace that is taken: {why}", shown(name));
                self.fault(
                    number,
                    message,
                    "write the exact namespace, such as promotion.v1@accredit",
                );
            }
        }
        stated.namespaces = Some(list.split(',').map(str::to_owned).collect());
    }

    fn time(
        &mut self,
        number: usize,
        name: &str,
        text: &str,
        stated: &mut Option<crate::ledger::Moment>,
    ) {
        if stated.is_some() {
            return self.fault(number, format!("`{name}` stands twice"), "keep one of the two");
        }
        match moment(text) {
            Ok(moment) => *stated = Some(moment),
            Err(why) => {
                self.fault(
                    number,
                    format!("`{name}` is no time: `{}`", shown(text)),
                    why.to_string(),
                );
            }
        }
    }
}

#[derive(Default)]
struct Options {
    namespaces: Option<Vec<String>>,
    after: Option<crate::ledger::Moment>,
    before: Option<crate::ledger::Moment>,
}

/// Why a name of a person or a namespace is not taken.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    if name.contains(['*', '?', '!']) {
        Some("patterns are not taken")
    } else if name.contains(['"', '\\', '#', ',']) {
        Some("it holds a quotation mark, a backslash, a comma or a #")
    } else if !name.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some("it holds something other than letters, digits and signs of ASCII")
    } else if name.len() > 256 {
        Some("it is longer than 256 characters")
    } else {
        None
    }
}

/// A whole number from 1, written in one way.
fn counted(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number >= 1 && number.to_string() == text).then_some(number)
}

/// The first word, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches([' ', '\t']))
}

/// The options of a line, where it has some, and its key. As in OpenSSH: what is no key is options, and they
/// end at the first white space outside quotation marks.
fn options_and_key(rest: &str) -> (Option<&str>, &str) {
    let (first, _) = word(rest);
    let is_key =
        ["ssh-", "ecdsa-", "sk-", "rsa-", "webauthn-"].iter().any(|it| first.starts_with(it));
    if first.is_empty() || (is_key && !first.contains('=')) {
        return (None, rest);
    }
    let mut quoted = false;
    let end = rest.char_indices().find(|(_, char)| {
        quoted ^= *char == '"';
        !quoted && matches!(char, ' ' | '\t')
    });
    let end = end.map_or(rest.len(), |(at, _)| at);
    (Some(&rest[..end]), rest[end..].trim_start_matches([' ', '\t']))
}

/// Options, at the commas outside quotation marks.
fn split_options(text: &str) -> Vec<&str> {
    let mut quoted = false;
    text.split(|char| {
        quoted ^= char == '"';
        char == ',' && !quoted
    })
    .collect()
}
