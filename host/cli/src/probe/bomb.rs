//! Components that are made on the spot, because they are large: one that fills its file, and one that is
//! small and makes the compiler work without end.

use super::list::SOUND;

/// A component of 65 MiB: an honest grader, and a custom section.
pub(super) fn large_file() -> Vec<u8> {
    const SIZE: usize = 65 << 20;
    let mut component = SOUND.to_vec();
    let mut section = vec![0; SIZE];
    // A custom section begins with its name; this one has the empty name.
    section[0] = 0;
    push_section(&mut component, 0, &section);
    component
}

/// Loops inside loops, and in the innermost every local variable is changed: a compiler that keeps track of
/// each variable at the head of each loop needs `loops * locals` of memory for `loops + locals` bytes.
pub(super) fn nested_loops() -> Vec<u8> {
    const LOOPS: usize = 8_000;
    const LOCALS: u32 = 40_000;
    let mut body = vec![1];
    push_number(&mut body, LOCALS);
    body.push(0x7f);
    // loop, with no result
    body.extend([0x03, 0x40].repeat(LOOPS));
    for local in 0..LOCALS {
        // local += 1
        body.push(0x20);
        push_number(&mut body, local);
        body.extend([0x41, 0x01, 0x6a, 0x21]);
        push_number(&mut body, local);
    }
    // if local 0, again from this loop's head; end of the loop
    body.extend([0x20, 0x00, 0x0d, 0x00, 0x0b].repeat(LOOPS));
    body.push(0x0b);
    beside_sound(1, &body)
}

/// A hundred thousand functions that do nothing: little memory each, and some time.
pub(super) fn many_functions() -> Vec<u8> {
    // no locals; end
    beside_sound(100_000, &[0, 0x0b])
}

/// An honest grader with a core module more, of that many functions with this body: nothing runs it, and it
/// is compiled all the same.
fn beside_sound(functions: u32, body: &[u8]) -> Vec<u8> {
    let mut types = Vec::new();
    push_number(&mut types, functions);
    let mut code = types.clone();
    // Each is of the first type.
    types.resize(types.len() + functions as usize, 0);
    for _ in 0..functions {
        push_bytes(&mut code, body);
    }
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    // One type: a function that takes and returns nothing.
    push_section(&mut module, 1, &[1, 0x60, 0, 0]);
    push_section(&mut module, 3, &types);
    push_section(&mut module, 10, &code);
    let mut component = SOUND.to_vec();
    push_section(&mut component, 1, &module);
    component
}

fn push_section(bytes: &mut Vec<u8>, id: u8, content: &[u8]) {
    bytes.push(id);
    push_bytes(bytes, content);
}

fn push_bytes(bytes: &mut Vec<u8>, content: &[u8]) {
    push_number(bytes, u32::try_from(content.len()).unwrap_or(u32::MAX));
    bytes.extend_from_slice(content);
}

/// LEB128, as WebAssembly writes numbers.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::push_number;

    #[test]
    fn numbers_are_written_as_the_format_has_them() {
        for (number, expected) in [
            (0, &[0][..]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (624_485, &[0xe5, 0x8e, 0x26]),
            (u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            assert_eq!(bytes, expected);
        }
    }
}
