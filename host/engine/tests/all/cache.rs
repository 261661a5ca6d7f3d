//! The compile cache: whatever is wrong with it, graders load, and a note says what was wrong.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use accredit_engine::{CacheConfig, CacheNote, Engine, Grader, Settings};

use crate::guest::{Guest, case, grades, input, rationale};

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { root: tempfile::tempdir().expect("a folder") }
    }

    fn config(&self) -> CacheConfig {
        CacheConfig {
            dir: self.root.path().join("cache"),
            key_file: self.root.path().join("state/key"),
        }
    }

    fn load(&self, bytes: &[u8]) -> Grader {
        let settings = Settings { cache: Some(self.config()), ..Settings::default() };
        let grader = Engine::new(&settings).expect("an engine").load(bytes).expect("loads");
        let case = case("still right");
        assert_eq!(rationale(&grader.trial(&input(&case))), "still right");
        grader
    }

    fn note(&self, bytes: &[u8]) -> CacheNote {
        self.load(bytes).cache_note().clone()
    }

    fn artefacts(&self) -> Vec<PathBuf> {
        let mut found: Vec<_> = fs::read_dir(self.config().dir)
            .expect("made")
            .map(|entry| entry.expect("entry").path())
            .collect();
        found.sort();
        found
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("chmod");
}

fn unusable(note: &CacheNote, expected: &str) {
    match note {
        CacheNote::Unusable { why } => assert!(why.contains(expected), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(note.is_trouble());
}

#[test]
fn compiled_once_and_then_taken_from_the_cache() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    assert_eq!(place.note(&bytes), CacheNote::Stored);
    assert_eq!(place.note(&bytes), CacheNote::Hit);
    assert_eq!(place.note(&grades("nop").build()), CacheNote::Stored);
    assert_eq!(place.artefacts().len(), 2);
    let key = fs::metadata(place.config().key_file).expect("made");
    assert_eq!((key.len(), key.permissions().mode() & 0o777), (32, 0o600));
    assert_eq!(Guest::default().load().expect("loads").cache_note(), &CacheNote::Off);
}

#[test]
fn what_is_damaged_or_planted_is_never_run() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    assert_eq!(place.note(&bytes), CacheNote::Stored);
    let path = place.artefacts().remove(0);
    let good = fs::read(&path).expect("read");

    let mut bent = good.clone();
    *bent.last_mut().expect("bytes") ^= 1;
    for planted in [
        Vec::new(),
        b"accredit-artefact-1\n".to_vec(),
        good[..good.len() / 2].to_vec(),
        bent,
        good[52..].to_vec(),
    ] {
        fs::write(&path, planted).expect("planted");
        assert_eq!(place.note(&bytes), CacheNote::Replaced);
        assert_eq!(place.note(&bytes), CacheNote::Hit);
    }
    // Another grader's artefact under this one's name.
    let other = grades("unreachable").build();
    assert_eq!(Place::new().load(&bytes).cache_note(), &CacheNote::Stored);
    let settings = Settings { cache: Some(place.config()), ..Settings::default() };
    Engine::new(&settings).expect("an engine").load(&other).expect("loads");
    let second = place.artefacts().into_iter().find(|found| *found != path).expect("two");
    fs::copy(second, &path).expect("copied");
    assert_eq!(place.note(&bytes), CacheNote::Replaced);
    // An artefact made under another key.
    fs::remove_file(place.config().key_file).expect("removed");
    assert_eq!(place.note(&bytes), CacheNote::Replaced);
}

#[test]
fn links_and_folders_in_its_place_are_replaced_or_left() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    place.note(&bytes);
    let path = place.artefacts().remove(0);
    let elsewhere = place.root.path().join("elsewhere");
    fs::rename(&path, &elsewhere).expect("moved");
    symlink(&elsewhere, &path).expect("linked");
    assert_eq!(place.note(&bytes), CacheNote::Replaced);
    assert!(fs::symlink_metadata(&path).expect("there").is_file());
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join("x"), "").expect("full");
    assert!(matches!(place.note(&bytes), CacheNote::NotStored { .. }));
}

#[test]
fn a_cache_that_others_can_write_is_not_used() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    place.note(&bytes);
    mode(&place.config().dir, 0o777);
    unusable(&place.note(&bytes), "chmod go-w");
    mode(&place.config().dir, 0o700);
    mode(&place.config().key_file, 0o644);
    unusable(&place.note(&bytes), "chmod 600");
    mode(&place.config().key_file, 0o600);
    mode(&place.root.path().join("state"), 0o770);
    unusable(&place.note(&bytes), "state");
    mode(&place.root.path().join("state"), 0o700);
    assert_eq!(place.note(&bytes), CacheNote::Hit);
}

#[test]
fn a_key_that_is_none_is_not_used() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    place.note(&bytes);
    let key = place.config().key_file;
    fs::write(&key, "short").expect("written");
    unusable(&place.note(&bytes), "delete it");
    fs::remove_file(&key).expect("removed");
    symlink("/dev/zero", &key).expect("linked");
    unusable(&place.note(&bytes), "not a plain file");
}

#[test]
fn a_cache_that_cannot_be_made_is_no_hindrance() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    fs::write(place.root.path().join("cache"), "a file").expect("written");
    unusable(&place.note(&bytes), "not a folder");
}

#[test]
fn a_read_only_cache_is_no_hindrance() {
    let (place, bytes) = (Place::new(), Guest::default().build());
    place.note(&bytes);
    fs::remove_file(place.artefacts().remove(0)).expect("removed");
    mode(&place.config().dir, 0o500);
    // A privileged user writes all the same.
    let note = place.note(&bytes);
    assert!(matches!(note, CacheNote::NotStored { .. } | CacheNote::Stored), "{note:?}");
    mode(&place.config().dir, 0o700);
}
