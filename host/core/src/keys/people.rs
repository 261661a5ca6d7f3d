//! Which names come to one person.

use std::collections::HashMap;

/// Names and keys joined into persons: names that share a key are one person, and so are names that differ
/// in nothing but the case of their letters. Joining only ever lowers what signatures come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct People {
    /// A name in small letters, and the person it belongs to.
    persons: HashMap<String, String>,
}

impl People {
    /// Joins pairs of a name and the fingerprint of a key.
    #[must_use]
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut parents: Vec<usize> = Vec::new();
        let mut by_name: HashMap<String, usize> = HashMap::new();
        let mut by_key: HashMap<&str, usize> = HashMap::new();
        for (name, key) in pairs {
            let own = parents.len();
            names.push(name);
            parents.push(own);
            let same_name = *by_name.entry(folded(name)).or_insert(own);
            join(&mut parents, own, same_name);
            let same_key = *by_key.entry(key).or_insert(own);
            join(&mut parents, own, same_key);
        }
        let mut least: HashMap<usize, &str> = HashMap::new();
        for (at, name) in names.iter().enumerate() {
            let least = least.entry(find(&mut parents, at)).or_insert(name);
            *least = (*least).min(name);
        }
        let person = |(name, at): (String, usize)| {
            let person = least.get(&find(&mut parents, at)).copied().unwrap_or_default();
            (name, person.to_owned())
        };
        Self { persons: by_name.into_iter().map(person).collect() }
    }

    /// The person whose name this is: the least of their names. A name that nobody has is a person's own.
    #[must_use]
    pub fn person<'a>(&'a self, name: &'a str) -> &'a str {
        self.persons.get(&folded(name)).map_or(name, String::as_str)
    }
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

fn find(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn join(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (find(parents, one), find(parents, other));
    let (low, high) = (one.min(other), one.max(other));
    parents[high] = low;
}

#[cfg(test)]
mod tests {
    use super::People;

    #[test]
    fn names_that_share_a_key_are_one_person_however_long_the_way() {
        let people = People::of([
            ("dora", "1"),
            ("carl", "1"),
            ("carl", "2"),
            ("Bea", "2"),
            ("bea", "3"),
            ("anna", "4"),
            ("anna", "3"),
            ("zoe", "5"),
        ]);
        for name in ["dora", "carl", "Bea", "bea", "BEA", "anna"] {
            assert_eq!(people.person(name), "Bea", "{name}");
        }
        assert_eq!(people.person("zoe"), "zoe");
        assert_eq!(people.person("nobody"), "nobody");
    }
}
