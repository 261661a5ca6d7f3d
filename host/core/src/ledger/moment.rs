//! A moment as ledgers write it: UTC, to the second.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};

/// A moment in UTC, to the second, in the years 0000 to 9999. Written `2026-11-30T22:00:00Z` (RFC 3339), and
/// in no other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// The first second of the year 0000 and the last of 9999.
const RANGE: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;
const DAY: i64 = 86_400;

impl Moment {
    /// The moment so many seconds after 1970-01-01T00:00:00Z; absent outside the years 0000 to 9999.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        RANGE.contains(&seconds).then_some(Self(seconds))
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date(self.0.div_euclid(DAY));
        let second = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Why a text is not a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time is written as 2026-11-30T22:00:00Z: in UTC, to the second, a date that exists")]
pub struct InvalidMoment;

impl FromStr for Moment {
    type Err = InvalidMoment;

    fn from_str(text: &str) -> Result<Self, InvalidMoment> {
        parse(text.as_bytes()).ok_or(InvalidMoment)
    }
}

fn parse(text: &[u8]) -> Option<Moment> {
    const SHAPE: &[u8; 20] = b"0000-00-00T00:00:00Z";
    let fits = |(byte, shape): (&u8, &u8)| {
        if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape }
    };
    if text.len() != SHAPE.len() || !text.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to].iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let (hour, minute, second) = (number(11, 13), number(14, 16), number(17, 19));
    let days = days(year, month, day);
    let exists = (1..=12).contains(&month) && date(days) == (year, month, day);
    (exists && hour < 24 && minute < 60 && second < 60)
        .then_some(Moment(days * DAY + hour * 3600 + minute * 60 + second))
}

/// Days before the month in a year that starts in March, so that the leap day is the last.
fn before_month(from_march: i64) -> i64 {
    (153 * from_march + 2) / 5
}

/// Days of the years before this one, counted from 1 March 0000, in the proleptic Gregorian calendar.
fn before_year(year: i64) -> i64 {
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400)
}

/// 1970-01-01, counted from 1 March 0000.
const EPOCH: i64 = 719_468;

/// Days from 1970-01-01 to this date; a day that the month has not got is one of the next month.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    before_year(year) + before_month(month) + day - 1 - EPOCH
}

/// The date so many days after 1970-01-01: year, month, day.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH;
    // At most one too high: 365.2425 days are a year's mean length.
    let guess = (days * 10_000).div_euclid(3_652_425) + 1;
    let year = (guess - 2..=guess).rev().find(|year| before_year(*year) <= days).unwrap_or(guess);
    let rest = days - before_year(year);
    let month = (5 * rest + 2) / 153;
    let day = rest - before_month(month) + 1;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Moment;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as 2026-11-30T22:00:00Z")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Moment, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$";
        schemars::json_schema!({ "type": "string", "format": "date-time", "pattern": pattern })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        let table = [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-11-30T22:00:00Z", 1_796_076_000),
            ("0000-01-01T00:00:00Z", *RANGE.start()),
            ("9999-12-31T23:59:59Z", *RANGE.end()),
        ];
        for (text, seconds) in table {
            assert_eq!(text.parse(), Ok(Moment(seconds)), "{text}");
            assert_eq!(Moment(seconds).to_string(), text);
        }
        assert_eq!(Moment::from_seconds(RANGE.end() + 1), None);
    }

    #[test]
    fn every_day_is_the_one_after_the_day_before() {
        let (first, last) = (RANGE.start() / DAY, RANGE.end() / DAY);
        let mut before = date(first - 1);
        for day in first..=last {
            let (year, month, of_month) = date(day);
            assert_eq!(days(year, month, of_month), day);
            let next = [
                (before.0, before.1, before.2 + 1),
                (before.0, before.1 + 1, 1),
                (before.0 + 1, 1, 1),
            ];
            assert!(next.contains(&(year, month, of_month)) && month <= 12 && of_month <= 31);
            before = (year, month, of_month);
        }
    }

    #[test]
    fn what_is_no_moment() {
        for bad in [
            "",
            "2026-11-30",
            "2026-11-30T22:00:00",
            "2026-11-30t22:00:00z",
            "2026-11-30T22:00:00+00:00",
            "2026-11-30T22:00:00.5Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T22:60:00Z",
            "2026-11-30T22:00:60Z",
            "+026-11-30T22:00:00Z",
        ] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }
}
