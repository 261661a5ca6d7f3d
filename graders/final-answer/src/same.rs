//! The three answers to whether two things are the same.

/// Whether two answers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Same {
    /// They are.
    Yes,
    /// They are not.
    No,
    /// Code cannot tell.
    Unsure,
}

impl Same {
    /// Both must hold.
    pub(crate) fn and(self, other: Same) -> Same {
        match (self, other) {
            (Same::No, _) | (_, Same::No) => Same::No,
            (Same::Yes, Same::Yes) => Same::Yes,
            _ => Same::Unsure,
        }
    }

    /// Either will do.
    pub(crate) fn or(self, other: Same) -> Same {
        match (self, other) {
            (Same::Yes, _) | (_, Same::Yes) => Same::Yes,
            (Same::No, Same::No) => Same::No,
            _ => Same::Unsure,
        }
    }
}
