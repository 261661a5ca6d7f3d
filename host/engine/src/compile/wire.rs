//! What parent and child say to each other: arguments one way, one framed reply the other.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::time::Duration;

use crate::engine::FEATURES;
use crate::error::LoadError;
use crate::limits::Limits;

/// How far the child goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Reads the component and says whether it survived that.
    Inspect,
    /// Compiles it, where nothing stands in the way.
    Compile,
}

/// What the child is to do, as its arguments say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) task: Task,
    /// The process it must not outlive.
    pub(super) parent: u32,
    /// Bytes of the component on its standard input.
    pub(super) length: u64,
    /// Those of [`LIMITS`]; the others are the defaults and play no part.
    pub(super) limits: Limits,
}

/// A limit that the child needs: its name, and how to get and set it.
type Field = (&'static str, fn(&Limits) -> u64, fn(&mut Limits, u64));

/// What bounds the child, what inspection refuses by, and what shapes machine code.
const LIMITS: &[Field] = &[
    (
        "compile-wall-ms",
        |l| millis(l.compile_wall),
        |l, n| l.compile_wall = Duration::from_millis(n),
    ),
    ("compile-memory-bytes", |l| l.compile_memory_bytes, |l, n| l.compile_memory_bytes = n),
    ("component-bytes", |l| l.component_bytes as u64, |l, n| l.component_bytes = size(n)),
    ("memory-bytes", |l| l.memory_bytes as u64, |l, n| l.memory_bytes = size(n)),
    ("table-elements", |l| l.table_elements as u64, |l, n| l.table_elements = size(n)),
    ("memories", |l| l.memories as u64, |l, n| l.memories = size(n)),
    ("tables", |l| l.tables as u64, |l, n| l.tables = size(n)),
    ("instances", |l| l.instances as u64, |l, n| l.instances = size(n)),
    ("wasm-stack-bytes", |l| l.wasm_stack_bytes as u64, |l, n| l.wasm_stack_bytes = size(n)),
];

fn millis(wall: Duration) -> u64 {
    u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

const TASKS: [(&str, Task); 2] = [("inspect", Task::Inspect), ("compile", Task::Compile)];

impl Job {
    /// The arguments that say it: a word, then `name=number` for each of the rest.
    pub(super) fn args(&self) -> Vec<OsString> {
        let word = TASKS.iter().find(|(_, task)| *task == self.task).map_or("", |(word, _)| word);
        let own = [("parent", u64::from(self.parent)), ("length", self.length)];
        let limits = LIMITS.iter().map(|(name, get, _)| (*name, get(&self.limits)));
        let numbers = own.into_iter().chain(limits);
        [word.to_owned()]
            .into_iter()
            .chain(numbers.map(|(name, number)| format!("{name}={number}")))
            .map(OsString::from)
            .collect()
    }

    /// What [`Job::args`] says; none for anything else.
    pub(super) fn of_args(args: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let args: Vec<OsString> = args.into_iter().collect();
        let (word, numbers) = args.split_first()?;
        let task = TASKS.iter().find(|(name, _)| word == name)?.1;
        let mut numbers = numbers.iter().map(OsString::as_os_str);
        let parent = u32::try_from(number(numbers.next()?, "parent")?).ok()?;
        let length = number(numbers.next()?, "length")?;
        let mut limits = Limits::default();
        for (name, _, set) in LIMITS {
            set(&mut limits, number(numbers.next()?, name)?);
        }
        numbers.next().is_none().then_some(Self { task, parent, length, limits })
    }
}

fn number(arg: &OsStr, name: &str) -> Option<u64> {
    arg.to_str()?.strip_prefix(name)?.strip_prefix('=')?.parse().ok()
}

/// What the child answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// It is done: the artefact, or nothing where it was only to look.
    Done(Vec<u8>),
    /// Inspection finds something in the way. The parent looks itself, to say what.
    Refused,
}

/// Bytes before the payload: the kind, and the payload's length.
const HEADER: usize = 9;

/// What the child answers, or why it could not compile, as it goes through the pipe.
pub(super) fn write(reply: Result<Reply, LoadError>, output: &mut impl Write) -> io::Result<()> {
    let (kind, payload) = match reply {
        Ok(Reply::Done(code)) => (b'd', code),
        Err(LoadError::Compile { detail, .. }) => (b'c', detail.into_bytes()),
        Err(LoadError::CompileMemory { .. }) => (b'm', Vec::new()),
        Err(LoadError::Defect { detail }) => (b'p', detail.into_bytes()),
        Ok(Reply::Refused) | Err(_) => (b'r', Vec::new()),
    };
    output.write_all(&[kind])?;
    output.write_all(&(payload.len() as u64).to_le_bytes())?;
    output.write_all(&payload)?;
    output.flush()
}

/// Reads a whole answer.
///
/// # Errors
/// `UnexpectedEof` when it stops early, `InvalidData` when it is no answer.
pub(super) fn read(input: &mut impl Read, limits: &Limits) -> io::Result<Result<Reply, LoadError>> {
    let mut header = [0; HEADER];
    input.read_exact(&mut header)?;
    let [kind, length @ ..] = header;
    let length = u64::from_le_bytes(length);
    // It came out of a process that held no more than this.
    if length > limits.compile_memory_bytes {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // Grown as bytes arrive: a length alone costs nothing.
    let mut payload = Vec::new();
    if input.take(length).read_to_end(&mut payload)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let text = |payload: Vec<u8>| String::from_utf8_lossy(&payload).into_owned();
    match kind {
        b'd' => Ok(Ok(Reply::Done(payload))),
        b'r' => Ok(Ok(Reply::Refused)),
        b'c' => Ok(Err(LoadError::Compile { detail: text(payload), features: FEATURES })),
        b'm' => Ok(Err(LoadError::CompileMemory { limit: limits.compile_memory_bytes })),
        b'p' => Ok(Err(LoadError::Defect { detail: text(payload) })),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let limits = Limits { memory_bytes: 1, instances: 2, tables: 3, ..Limits::default() };
        Job { task: Task::Compile, parent: 7, length: 99, limits }
    }

    #[test]
    fn arguments_say_the_job_and_nothing_else_does() {
        for task in [Task::Inspect, Task::Compile] {
            let job = Job { task, ..job() };
            assert_eq!(Job::of_args(job.args()), Some(job));
        }
        let args = job().args();
        for at in 0..args.len() {
            let mut bent = args.clone();
            bent[at] = "parent=x".into();
            assert_eq!(Job::of_args(bent), None, "argument {at}");
            assert_eq!(Job::of_args(args[..at].iter().cloned()), None, "cut at {at}");
        }
        assert_eq!(Job::of_args(args.into_iter().chain(["more".into()])), None);
    }

    #[test]
    fn every_limit_arrives() {
        let mut limits = Limits::default();
        for (at, (_, _, set)) in LIMITS.iter().enumerate() {
            set(&mut limits, 1_000 + at as u64);
        }
        let arrived = Job::of_args(Job { limits: limits.clone(), ..job() }.args());
        assert_eq!(arrived.expect("a job").limits, limits);
    }

    #[test]
    fn an_answer_is_whole_or_none() {
        let limits = Limits { compile_memory_bytes: 100, ..Limits::default() };
        let answers = [
            Ok(Reply::Done(vec![1, 2, 3])),
            Ok(Reply::Done(Vec::new())),
            Ok(Reply::Refused),
            Err(LoadError::Compile { detail: "too odd".into(), features: FEATURES }),
            Err(LoadError::CompileMemory { limit: 100 }),
            Err(LoadError::Defect { detail: "it broke".into() }),
        ];
        for answer in answers {
            let mut bytes = Vec::new();
            write(answer.clone(), &mut bytes).expect("written");
            assert_eq!(read(&mut bytes.as_slice(), &limits).expect("an answer"), answer);
            for cut in 0..bytes.len() {
                let error = read(&mut &bytes[..cut], &limits).expect_err("cut");
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{answer:?} at {cut}");
            }
        }
        // The parent finds the obstacles itself.
        let mut bytes = Vec::new();
        write(Err(LoadError::CoreModule), &mut bytes).expect("written");
        assert_eq!(read(&mut bytes.as_slice(), &limits).expect("an answer"), Ok(Reply::Refused));
        let mut long = Vec::new();
        write(Ok(Reply::Done(vec![0; 101])), &mut long).expect("written");
        for bytes in [&long[..], b"error: it is", b"x\0\0\0\0\0\0\0\0"] {
            let error = read(&mut &bytes[..], &limits).expect_err("no answer");
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
    }
}
