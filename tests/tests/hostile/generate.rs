//! Graders that would be too big to keep: parts made from a few numbers.

use std::fmt::Write as _;

use serde::Deserialize;

/// What is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(crate) enum Make {
    /// A function of that many blocks, each of which sets one of that many locals.
    BlocksByLocals { blocks: usize, locals: usize },
    /// Loops inside loops, each of which reads and writes a local of its own.
    NestedLoops { depth: usize },
    /// Functions that do little.
    Functions { count: usize },
    /// A function that is one branch over that many targets.
    BranchTable { targets: usize },
    /// Custom sections of this name at the end of the component, each with another text of that size.
    Sections { name: String, count: usize, bytes: usize },
    /// Components that instantiate the one before that many times, that many levels deep.
    Instances { width: usize, depth: usize },
    /// This component in text, inside the grader's.
    Beside(String),
    /// Types each of which holds the one before twice, in a component inside it.
    Types { depth: usize },
}

/// The fields that are added to the module.
pub(crate) fn fields(make: &Make) -> String {
    match *make {
        Make::BlocksByLocals { blocks, locals } => blocks_by_locals(blocks, locals),
        Make::NestedLoops { depth } => nested_loops(depth),
        Make::Functions { count } => {
            "(func (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))".repeat(count)
        }
        Make::BranchTable { targets } => format!(
            "(func (param i32) (block (br_table {} 0 (local.get 0))))",
            "0 1 ".repeat(targets / 2)
        ),
        _ => String::new(),
    }
}

fn blocks_by_locals(blocks: usize, locals: usize) -> String {
    let mut text = String::from("(func (param i32) (result i32) (local");
    text.push_str(&" i32".repeat(locals));
    text.push(')');
    for block in 0..blocks {
        // Every block may or may not set its local: at each join, any of them may hold either value.
        let local = 1 + block % locals;
        let _ = write!(
            text,
            "(if (i32.gt_u (local.get 0) (i32.const {block})) (then (local.set {local} (local.get 0))))"
        );
    }
    let sum = (1..=locals).map(|local| format!("(local.get {local}) i32.add"));
    text + "i32.const 0 " + &sum.collect::<String>() + ")"
}

fn nested_loops(depth: usize) -> String {
    let mut text = String::from("(func (param i32) (local");
    text.push_str(&" i32".repeat(depth));
    text.push(')');
    for local in 1..=depth {
        let _ =
            write!(text, "loop (local.set {local} (i32.add (local.get {local}) (local.get 0)))");
    }
    for local in (1..=depth).rev() {
        let _ = write!(text, "(br_if 0 (i32.lt_u (local.get {local}) (local.get 0))) end ");
    }
    text + ")"
}

/// Adds sections to the end of a component.
pub(crate) fn append(make: &Make, component: &mut Vec<u8>) {
    match make {
        Make::Sections { name, count, bytes } => {
            for number in 0..*count {
                let mut content = leb128(name.len());
                content.extend(name.bytes());
                let text = number.to_string();
                content.resize(content.len() + bytes.saturating_sub(text.len()), b'0');
                content.extend(text.bytes());
                section(component, 0, &content);
            }
        }
        Make::Instances { width, depth } => beside(component, &instances(*width, *depth)),
        Make::Beside(text) => section(component, COMPONENT, &wat::parse_str(text).expect("parses")),
        Make::Types { depth } => beside(component, &types(*depth)),
        _ => {}
    }
}

/// The sections that hold components and instances.
const COMPONENT: u8 = 4;
const INSTANCE: u8 = 5;

/// Puts a component into this one, and an instance of it.
fn beside(component: &mut Vec<u8>, text: &str) {
    let number = sections(component).filter(|id| *id == COMPONENT).count();
    section(component, COMPONENT, &wat::parse_str(text).expect("parses"));
    // One instance, of that component, with nothing given to it.
    let instance = [vec![1, 0], leb128(number), vec![0]].concat();
    section(component, INSTANCE, &instance);
}

fn instances(width: usize, depth: usize) -> String {
    let mut text = String::from(
        "(component $all (component $c0 (core module $m (func)) (core instance (instantiate $m)))",
    );
    for level in 1..=depth {
        let below = level - 1;
        let _ =
            write!(text, "(component $c{level} (alias outer $all $c{below} (component $below))");
        text.push_str(&"(instance (instantiate $below))".repeat(width));
        text.push(')');
    }
    text + &format!("(instance (instantiate $c{depth})))")
}

fn types(depth: usize) -> String {
    let mut text = String::from("(component (type $t0 (tuple string string))");
    for level in 1..=depth {
        let below = level - 1;
        let _ = write!(text, "(type $t{level} (tuple $t{below} $t{below}))");
    }
    text + &format!("(import \"f\" (func (param \"x\" $t{depth}))))")
}

fn section(component: &mut Vec<u8>, id: u8, content: &[u8]) {
    component.push(id);
    component.extend(leb128(content.len()));
    component.extend_from_slice(content);
}

/// The ids of a component's own sections.
fn sections(component: &[u8]) -> impl Iterator<Item = u8> {
    let mut at = 8;
    std::iter::from_fn(move || {
        let id = *component.get(at)?;
        at += 1;
        let (mut size, mut shift) = (0, 0);
        loop {
            let byte = component[at];
            at += 1;
            size |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        at += size;
        Some(id)
    })
}

fn leb128(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(value & 0x7f).expect("seven bits");
        value >>= 7;
        bytes.push(if value == 0 { low } else { low | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
}
