//! From when to when a key may sign.

use std::fmt;

use crate::ledger::Moment;

/// From when to when a key may sign: both moments belong to it, as in OpenSSH.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// The first moment.
    pub after: Option<Moment>,
    /// The last one.
    pub before: Option<Moment>,
}

impl Window {
    /// Whether the moment lies before it.
    #[must_use]
    pub fn is_before(&self, moment: Moment) -> bool {
        self.after.is_some_and(|after| moment < after)
    }

    /// Whether the moment lies after it.
    #[must_use]
    pub fn is_after(&self, moment: Moment) -> bool {
        self.before.is_some_and(|before| moment > before)
    }

    /// Whether the moment lies in it.
    #[must_use]
    pub fn holds(&self, moment: Moment) -> bool {
        !self.is_before(moment) && !self.is_after(moment)
    }
}

/// Why a text is not a moment of `valid-after` or `valid-before`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadTime {
    /// Without `Z` it is a time of wherever it is read.
    Local,
    /// Nothing that OpenSSH would read.
    Unreadable,
    /// OpenSSH takes the first second of 1970 for no limit.
    Zero,
}

impl fmt::Display for BadTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Local => {
                "a time without `Z` is local time in OpenSSH, another moment on another machine: write it in UTC with a `Z` at its end"
            }
            Self::Unreadable => "write a time that exists as 20261130Z, 202611302200Z or 20261130220000Z",
            Self::Zero => "write a time after 19700101000000Z: OpenSSH takes that one for no limit",
        })
    }
}

/// `YYYYMMDD[HHMM[SS]]Z`.
pub(super) fn moment(text: &str) -> Result<Moment, BadTime> {
    let digits = text.strip_suffix('Z').unwrap_or(text);
    if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadTime::Unreadable);
    }
    if digits.len() == text.len() {
        return Err(BadTime::Local);
    }
    let whole = format!("{digits:0<14}");
    let part = |from: usize, to: usize| &whole[from..to];
    let (year, month, day) = (part(0, 4), part(4, 6), part(6, 8));
    let (hour, minute, second) = (part(8, 10), part(10, 12), part(12, 14));
    let moment: Moment = format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z")
        .parse()
        .map_err(|_| BadTime::Unreadable)?;
    if moment.seconds() > 0 { Ok(moment) } else { Err(BadTime::Zero) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_openssh_in_utc() {
        for (text, read) in [
            ("20261130Z", "2026-11-30T00:00:00Z"),
            ("202611302200Z", "2026-11-30T22:00:00Z"),
            ("20261130220059Z", "2026-11-30T22:00:59Z"),
        ] {
            assert_eq!(moment(text).map(|it| it.to_string()), Ok(read.to_owned()), "{text}");
        }
        for (text, fault) in [
            ("20261130", BadTime::Local),
            ("202611302200", BadTime::Local),
            ("20260231Z", BadTime::Unreadable),
            ("2026113022Z", BadTime::Unreadable),
            ("20261130z", BadTime::Unreadable),
            ("20261130UTC", BadTime::Unreadable),
            ("2026-11-30", BadTime::Unreadable),
            ("+0261130Z", BadTime::Unreadable),
            ("", BadTime::Unreadable),
            ("Z", BadTime::Unreadable),
            ("19700101Z", BadTime::Zero),
        ] {
            assert_eq!(moment(text), Err(fault), "{text}");
        }
    }
}
