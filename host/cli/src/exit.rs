//! Exit codes: what a script may rely on. The README's table is this one.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: what was required is met.
    Met,
    /// 1: it was evaluated and is not met.
    NotMet,
    /// 2: wrong usage, or input that cannot be used.
    BadInput,
    /// 3: it was not evaluated, since nothing measured it.
    NotEvaluated,
    /// 4: authority is stale.
    Stale,
    /// 5: a digest, chain, signature, version or clock is wrong.
    Integrity,
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Met => 0,
            Self::NotMet => 1,
            Self::BadInput => 2,
            Self::NotEvaluated => 3,
            Self::Stale => 4,
            Self::Integrity => 5,
        }
    }

    /// Of several that apply, the one that is told: 5 > 2 > 4 > 1 > 3 > 0.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        let rank = |exit| match exit {
            Self::Integrity => 5,
            Self::BadInput => 4,
            Self::Stale => 3,
            Self::NotMet => 2,
            Self::NotEvaluated => 1,
            Self::Met => 0,
        };
        if rank(self) >= rank(other) { self } else { other }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_worst_of_several_is_told() {
        let ordered = [
            Exit::Met,
            Exit::NotEvaluated,
            Exit::NotMet,
            Exit::Stale,
            Exit::BadInput,
            Exit::Integrity,
        ];
        for (place, exit) in ordered.into_iter().enumerate() {
            for other in &ordered[..=place] {
                assert_eq!(exit.worst(*other), exit);
                assert_eq!(other.worst(exit), exit);
            }
        }
    }
}
