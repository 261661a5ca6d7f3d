//! What was measured on: a figure without its machine and its day says little.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The load of the last minute; other work on the machine shows here.
pub(super) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}

/// Date, processor, kernel, and the load before and after.
pub(super) fn describe(load_before: &str) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{year}-{month:02}-{day:02}, {cores} x {}, Linux {}, load {load_before} before and {} after",
        model.unwrap_or("an unknown processor"),
        kernel.trim(),
        load()
    )
}

/// The civil date of a day counted from 1970-01-01 (H. Hinnant, "chrono-compatible low-level date
/// algorithms", civil_from_days).
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        let table = [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_453, (2025, 12, 31)),
            (20_454, (2026, 1, 1)),
        ];
        for (days, civil) in table {
            assert_eq!(date(days), civil, "day {days}");
        }
    }
}
