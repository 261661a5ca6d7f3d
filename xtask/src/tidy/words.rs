//! Words that must not be in the repository: paths of the machine it was written on, and registries
//! other than cargo's. They are put together here from parts, so that this file passes its own check.

use super::source::{is_word, line, without_tests};
use super::tree::{Fault, File, Tree};

/// Folders that are one machine's; the last only outside tests and documentation.
const FOLDERS: &[&str] = &[concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/")];
const TEMPORARY: &str = concat!("/tm", "p/");

/// Hosts that a build must not name.
const HOSTS: &[&str] = &[
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("registry.", "npmjs"),
    concat!("pypi", ".org"),
    concat!("deb.", "debian.org"),
];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    tree.files.iter().flat_map(|file| [folders(file), hosts(file)].concat()).collect()
}

fn folders(file: &File) -> Vec<Fault> {
    let told = |text: &str, folder: &'static str| -> Vec<Fault> {
        let what = format!("`{folder}`: a path of one machine; make it relative");
        starts(text, folder)
            .map(|at| Fault::new(&file.path, line(text, at), what.clone()))
            .collect()
    };
    let mut faults: Vec<Fault> =
        FOLDERS.iter().flat_map(|folder| told(&file.text, folder)).collect();
    if file.is_rust() && !file.is_test() {
        // Literals count as well, so the text is searched, where the code has something left.
        let kept = lines_left(&file.text, &without_tests(&file.code));
        faults.extend(told(&kept, TEMPORARY));
    } else if !file.is_test() && !file.path.ends_with(".md") {
        faults.extend(told(&file.text, TEMPORARY));
    }
    faults
}

/// The text without the lines that are inline tests: blank in the code that is left, not in the text.
fn lines_left(text: &str, code: &str) -> String {
    let kept = text.lines().zip(code.lines()).map(|(text, code)| {
        let is_comment = text.trim_start().starts_with("//");
        if code.trim().is_empty() && !is_comment { "" } else { text }
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Where an absolute path starts like this: not within a longer path.
fn starts<'a>(text: &'a str, folder: &'static str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(folder).map(|(at, _)| at).filter(|&at| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| is_word(c) || matches!(c, '.' | '-' | '}' | '~' | '>'))
    })
}

fn hosts(file: &File) -> Vec<Fault> {
    let found = HOSTS.iter().flat_map(|host| {
        file.text.match_indices(host).map(move |(at, _)| {
            let what = format!("`{host}`: nothing here may depend on the address of a registry");
            Fault::new(&file.path, line(&file.text, at), what)
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{FOLDERS, HOSTS, TEMPORARY, Tree, check};

    fn faults(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn paths_of_a_machine_and_registries_are_told() {
        for word in FOLDERS.iter().chain(HOSTS) {
            for path in ["a.md", "tests/a.rs", "a.toml"] {
                let told = faults(path, &format!("one\n\"{word}x\""));
                assert_eq!(told.len(), 1, "{told:?}");
                assert!(told[0].starts_with(&format!("{path}:2: `{word}`")), "{told:?}");
            }
        }
        let code = format!("//! a\nconst A: &str = \"{TEMPORARY}x\";");
        assert_eq!(faults("src/a.rs", &code).len(), 1);
    }

    #[test]
    fn the_like_passes() {
        let [root, home, work] = [FOLDERS[0], FOLDERS[1], FOLDERS[2]];
        let longer = format!("a{root}b ${{x}}{home} ./x{work}");
        assert_eq!(faults("a.toml", &longer), [""; 0]);
        let tests = format!("#[cfg(test)]\nmod tests {{\n const A: &str = \"{TEMPORARY}x\";\n}}");
        assert_eq!(faults("src/a.rs", &tests), [""; 0]);
        assert_eq!(faults("a.md", &format!("cd {TEMPORARY}x")), [""; 0]);
    }
}
