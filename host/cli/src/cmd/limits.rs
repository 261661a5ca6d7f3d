//! The limits that a user may set, for every command that loads a grader.

use std::time::Duration;

use accredit_engine::Limits;
use clap::value_parser;

/// Most seconds that a limit can be: a day.
const DAY: u64 = 24 * 60 * 60;

/// What a grader may use. Fuel and memory decide outcomes, and are part of a record's digest; so a grader
/// is verified with the limits it was promoted with.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Fuel of a trial, about one unit an instruction
    #[arg(long, value_name = "UNITS", default_value_t = Limits::default().fuel, value_parser = value_parser!(u64).range(1..))]
    fuel: u64,
    /// Memory of a trial
    #[arg(long, value_name = "MIB", default_value_t = mib(Limits::default().memory_bytes as u64), value_parser = value_parser!(u64).range(1..=4096))]
    memory_mib: u64,
    /// Wall clock of a trial, behind the fuel; a trial that reaches it stops promotion
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().wall.as_secs(), value_parser = value_parser!(u64).range(1..=DAY))]
    wall_seconds: u64,
    /// Time to read and compile the grader, when it is not in the cache
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().compile_wall.as_secs(), value_parser = value_parser!(u64).range(1..=DAY))]
    compile_seconds: u64,
    /// Memory to read and compile the grader
    #[arg(long, value_name = "MIB", default_value_t = mib(Limits::default().compile_memory_bytes), value_parser = value_parser!(u64).range(1..=1 << 20))]
    compile_memory_mib: u64,
}

fn mib(bytes: u64) -> u64 {
    bytes >> 20
}

impl LimitArgs {
    /// The limits in force.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            fuel: self.fuel,
            wall: Duration::from_secs(self.wall_seconds),
            memory_bytes: usize::try_from(self.memory_mib << 20).unwrap_or(usize::MAX),
            compile_wall: Duration::from_secs(self.compile_seconds),
            compile_memory_bytes: self.compile_memory_mib << 20,
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        limits: LimitArgs,
    }

    fn limits(args: &[&str]) -> Limits {
        let args = ["x"].iter().chain(args);
        Command::try_parse_from(args).expect("parses").limits.limits()
    }

    #[test]
    fn without_flags_they_are_the_shipped_ones() {
        assert_eq!(limits(&[]), Limits::default());
    }

    #[test]
    fn each_flag_sets_its_own() {
        let base = Limits::default;
        let table = [
            ("--fuel", Limits { fuel: 3, ..base() }),
            ("--memory-mib", Limits { memory_bytes: 3 << 20, ..base() }),
            ("--wall-seconds", Limits { wall: Duration::from_secs(3), ..base() }),
            ("--compile-seconds", Limits { compile_wall: Duration::from_secs(3), ..base() }),
            ("--compile-memory-mib", Limits { compile_memory_bytes: 3 << 20, ..base() }),
        ];
        for (flag, expected) in table {
            assert_eq!(limits(&[flag, "3"]), expected, "{flag}");
            assert!(Command::try_parse_from(["x", flag, "0"]).is_err(), "{flag} 0");
        }
    }
}
