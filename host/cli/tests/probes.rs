//! The embedded probes are what their sources say: probes/<name>.wat within probes/frame.wat.
//!
//! They are committed as components, so that the binary holds no assembler and runs the same bytes
//! everywhere. `ACCREDIT_BLESS=1 cargo test -p accredit --test probes` writes them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use accredit::probe;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The largest that a probe may be.
const LARGEST: usize = 20_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("probes")
}

fn read(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a file of probes/")
}

/// The names of the files that end like this.
fn named(ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).expect("probes/").map(|entry| entry.expect("an entry"));
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

/// A world that exports the contract and imports whatever a probe may want; what it does not use is left
/// out of the component.
fn world(resolve: &mut Resolve) -> wit_parser::WorldId {
    let contract = include_str!("../../../wit/frozen/grader-0.1.0.wit");
    resolve.push_source("grader.wit", contract).expect("the contract parses");
    for package in read("imports.wit").split("//---") {
        resolve.push_source("imports.wit", package).expect("the imports parse");
    }
    let names = resolve.interfaces.iter().filter_map(|(id, _)| resolve.id_of(id));
    let imports = names.filter(|name| !name.starts_with("accredit:grader/grader@"));
    let imports: String = imports.map(|name| format!("import {name};\n")).collect();
    let world = format!(
        "package accredit:probe; world probe {{ {imports} export accredit:grader/grader@0.1.0; }}"
    );
    let package = resolve.push_source("probe.wit", &world).expect("the world parses");
    resolve.select_world(&[package], None).expect("one world")
}

fn build(name: &str) -> Vec<u8> {
    let text = read("frame.wat").replacen("  PROBE\n", &read(&format!("{name}.wat")), 1);
    let mut module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{name}.wat: {error}"));
    let mut resolve = Resolve::default();
    let world = world(&mut resolve);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("embeds");
    let encoder = ComponentEncoder::default().module(&module).expect("a module of the world");
    encoder.validate(true).encode().unwrap_or_else(|error| panic!("{name}.wat: {error:#}"))
}

#[test]
fn the_embedded_probes_are_those_of_their_sources() {
    let bless = std::env::var_os("ACCREDIT_BLESS").is_some();
    for name in named(".wat").iter().filter(|name| *name != "frame") {
        let built = build(name);
        assert!(built.len() < LARGEST, "{name} has {} bytes", built.len());
        let path = folder().join(format!("{name}.wasm"));
        if bless {
            fs::write(&path, &built).expect("writes");
        }
        assert!(
            fs::read(&path).unwrap_or_default() == built,
            "probes/{name}.wasm is out of date: run `ACCREDIT_BLESS=1 cargo test -p accredit --test probes`"
        );
    }
}

#[test]
fn every_file_is_a_probe_that_is_tried() {
    let mut sources = named(".wat");
    assert!(sources.remove("frame"), "the frame is there");
    assert_eq!(
        sources,
        named(".wasm"),
        "each source has its component, and no component is without"
    );
    let embedded: Vec<_> = probe::ALL.iter().filter_map(probe::Probe::embedded).collect();
    for name in sources.iter().filter(|name| *name != "sound") {
        let bytes = fs::read(folder().join(format!("{name}.wasm"))).expect("reads");
        assert!(embedded.contains(&bytes.as_slice()), "{name} is not among the probes");
    }
    let names: BTreeSet<_> = probe::ALL.iter().map(|probe| probe.name).collect();
    assert_eq!(names.len(), probe::ALL.len(), "two probes share a name");
}
