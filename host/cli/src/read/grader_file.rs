//! `.accredit/graders/<name>.toml`: where a registered grader's files are, and how it is run.

use std::fmt::Write as _;
use std::path::Path;

use accredit_core::control::lint::LintFault;
use accredit_engine::Limits;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, text};
use super::from_toml;
use super::node::Value;
use super::source::{self, Source};

/// Where a registered grader's files are, and how it is run.
#[derive(Debug, Clone, PartialEq)]
pub struct GraderFile {
    /// The component, from the folder that holds the register.
    pub component: String,
    /// The folder of its control set, from there.
    pub controls: String,
    /// Files of real outputs, from there.
    pub real_outputs: Vec<String>,
    /// The seed of its runs.
    pub seed: u64,
    /// Trials of each case.
    pub repeats: u32,
    /// What it may use.
    pub limits: Limits,
}

const FILE: Shape = Shape {
    what: "a registered grader",
    keys: &["component", "controls", "real_outputs", "seed", "repeats", "limits"],
};
const LIMITS: Shape = Shape {
    what: "[limits]",
    keys: &["fuel", "memory_mib", "wall_seconds", "compile_seconds", "compile_memory_mib"],
};

/// Most seconds that a limit can be: a day.
const DAY: u64 = 24 * 60 * 60;

/// Reads such a file.
///
/// # Errors
/// Every fault of it.
pub fn grader_file(path: &Path) -> Result<GraderFile, ReadFaults> {
    let (folder, name) = source::split(path);
    let read = Source::read(path, &name).map_err(|fault| vec![*fault]);
    read.and_then(|source| of_source(&source)).map_err(|faults| ReadFaults::new(folder, faults))
}

fn of_source(source: &Source) -> Result<GraderFile, Vec<LintFault>> {
    let mut sink = Sink::new(&source.name);
    let text = source.text().map_err(|fault| vec![*fault])?;
    let file = match from_toml::parse(text) {
        Ok(node) => whole(&At::root(&node), &mut sink),
        Err(syntax) => {
            let mend = "mend the syntax here; the rest of the file was not read";
            sink.push("syntax", syntax.line, syntax.message, mend);
            None
        }
    };
    file.filter(|_| sink.faults.is_empty()).ok_or(sink.faults)
}

fn whole(at: &At<'_>, sink: &mut Sink) -> Option<GraderFile> {
    let fields = Fields::open(at, &FILE, sink)?;
    let component = fields.required("component", sink, inside);
    let controls = fields.required("controls", sink, inside);
    let repeats = fields.required("repeats", sink, repeats);
    Some(GraderFile {
        real_outputs: fields.list("real_outputs", sink, inside),
        seed: fields.required("seed", sink, number).unwrap_or(0),
        limits: fields.optional("limits", sink, limits).unwrap_or_default(),
        component: component?,
        controls: controls?,
        repeats: repeats?,
    })
}

/// A path from the folder that holds the register, not out of it.
fn inside(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    let path = text(at, sink)?;
    let normal = |part| matches!(part, std::path::Component::Normal(_));
    if !path.is_empty() && Path::new(&path).components().all(normal) {
        return Some(path);
    }
    let message = format!("`{}` leads out of the folder that holds the register", at.path);
    let mend = "write a path from that folder, without `..`, not beginning with `/`";
    sink.blame(&at.path);
    sink.push("bad-path", at.line, message, mend);
    None
}

fn number(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match &at.node.value {
        Value::Number(number) if number.as_u64().is_some() => number.as_u64(),
        // TOML's integers end at 2^63: larger seeds are written as texts.
        Value::Text(text) if text.parse::<u64>().is_ok() => text.parse().ok(),
        _ => at.wrong("a whole number of 0 or more", "write it as 10", sink),
    }
}

fn repeats(at: &At<'_>, sink: &mut Sink) -> Option<u32> {
    match number(at, &mut Sink::new("")) {
        Some(repeats @ 1..=1000) => u32::try_from(repeats).ok(),
        _ => at.wrong("a number from 1 to 1000", "write it as 3", sink),
    }
}

fn limits(at: &At<'_>, sink: &mut Sink) -> Option<Limits> {
    let fields = Fields::open(at, &LIMITS, sink)?;
    let mut limits = Limits::default();
    let mut limit = |key: &str, most: u64, set: &mut dyn FnMut(u64)| {
        let Some(at) = fields.get(key) else { return };
        match number(&at, &mut Sink::new("")) {
            Some(value) if (1..=most).contains(&value) => set(value),
            _ => {
                at.wrong::<()>(
                    &format!("a number from 1 to {most}"),
                    "see `accredit check --help`",
                    sink,
                );
            }
        }
    };
    limit("fuel", u64::MAX, &mut |it| limits.fuel = it);
    limit("memory_mib", 4096, &mut |it| {
        limits.memory_bytes = usize::try_from(it << 20).unwrap_or(usize::MAX);
    });
    let seconds = std::time::Duration::from_secs;
    limit("wall_seconds", DAY, &mut |it| limits.wall = seconds(it));
    limit("compile_seconds", DAY, &mut |it| limits.compile_wall = seconds(it));
    limit("compile_memory_mib", 1 << 20, &mut |it| limits.compile_memory_bytes = it << 20);
    Some(limits)
}

impl GraderFile {
    /// The file's text.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
        let outputs: Vec<_> = self.real_outputs.iter().map(quoted).collect();
        let mut text = String::from(
            "# Where the grader's files are, from the folder that holds .accredit, and how it is run.\n",
        );
        // Writing into a string does not fail.
        let _ = writeln!(text, "component = {}", quoted(&self.component));
        let _ = writeln!(text, "controls = {}", quoted(&self.controls));
        let _ = writeln!(text, "real_outputs = [{}]", outputs.join(", "));
        let _ = match i64::try_from(self.seed) {
            Ok(seed) => writeln!(text, "seed = {seed}"),
            Err(_) => writeln!(text, "seed = \"{}\"", self.seed),
        };
        let _ = writeln!(text, "repeats = {}\n\n[limits]", self.repeats);
        let Limits { fuel, memory_bytes, wall, compile_wall, compile_memory_bytes, .. } =
            &self.limits;
        let _ = match i64::try_from(*fuel) {
            Ok(fuel) => writeln!(text, "fuel = {fuel}"),
            Err(_) => writeln!(text, "fuel = \"{fuel}\""),
        };
        let _ = writeln!(text, "memory_mib = {}", memory_bytes >> 20);
        let _ = writeln!(text, "wall_seconds = {}", wall.as_secs());
        let _ = writeln!(text, "compile_seconds = {}", compile_wall.as_secs());
        let _ = writeln!(text, "compile_memory_mib = {}", compile_memory_bytes >> 20);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GraderFile, Vec<String>> {
        let source = Source { name: "g.toml".to_owned(), bytes: text.as_bytes().to_vec() };
        of_source(&source).map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let file = GraderFile {
            component: "graders/it's \"mine\".wasm".to_owned(),
            controls: "controls/x".to_owned(),
            real_outputs: vec!["outputs/a.jsonl".to_owned()],
            seed: u64::MAX,
            repeats: 3,
            limits: Limits { fuel: 7, ..Limits::default() },
        };
        assert_eq!(read(&file.to_toml()), Ok(file));
    }

    #[test]
    fn every_fault_is_told_and_no_path_leads_out() {
        let faults = read(
            "component = \"../x.wasm\"\ncontrols = \"/etc\"\nreal_outputs = [1]\nrepeats = 0\n[limits]\nfuel = 0\n",
        )
        .expect_err("faults");
        assert_eq!(faults.len(), 6, "{faults:#?}");
    }
}
