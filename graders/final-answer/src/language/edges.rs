//! Tests and trims the ends of a text by a class of characters. The standard library's methods do the same, but are
//! compiled anew for every closure and array: these are one copy each, which keeps the component small.

/// A class of characters.
pub(crate) type Class = fn(char) -> bool;

/// What a text begins, ends and is filled with.
pub(crate) trait Edges {
    /// Whether the first character is of the class.
    fn opens(&self, class: Class) -> bool;
    /// Whether the last character is of the class.
    fn closes(&self, class: Class) -> bool;
    /// Whether any character is of the class.
    fn has(&self, class: Class) -> bool;
    /// The text from the first character on that is not of the class.
    fn trim_start_of(&self, class: Class) -> &str;
    /// The text up to the last character that is not of the class.
    fn trim_end_of(&self, class: Class) -> &str;
}

impl Edges for str {
    #[inline(never)]
    fn opens(&self, class: Class) -> bool {
        self.chars().next().is_some_and(class)
    }

    #[inline(never)]
    fn closes(&self, class: Class) -> bool {
        self.chars().next_back().is_some_and(class)
    }

    #[inline(never)]
    fn has(&self, class: Class) -> bool {
        self.contains(class)
    }

    #[inline(never)]
    fn trim_start_of(&self, class: Class) -> &str {
        self.trim_start_matches(class)
    }

    #[inline(never)]
    fn trim_end_of(&self, class: Class) -> &str {
        self.trim_end_matches(class)
    }
}
