//! Stand-ins for the functions of wasi-libc that would import WASI. The linker takes a member of
//! libc's archive only for a symbol that nothing else defines, so defining them here keeps the
//! members, and their imports, out of the component.

use crate::diagnostics::emit_all;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::slice;

/// Writes to any descriptor: stdout and stderr are the only ones std can hold, and both are notes
/// for the author.
///
/// # Safety
/// `buf` points to `len` readable bytes, as POSIX asks of the caller.
#[unsafe(no_mangle)]
unsafe extern "C" fn write(_fd: c_int, buf: *const c_void, len: usize) -> isize {
    // SAFETY: the caller's promise, which is POSIX's.
    emit_all(unsafe { slice::from_raw_parts(buf.cast(), len) });
    len as isize
}

/// One piece of a gathered write; the layout is POSIX's.
#[repr(C)]
struct IoVec {
    base: *const c_void,
    len: usize,
}

/// Writes several pieces in order.
///
/// # Safety
/// `pieces` points to `count` of them, each describing readable bytes, as POSIX asks of the caller.
#[unsafe(no_mangle)]
unsafe extern "C" fn writev(fd: c_int, pieces: *const IoVec, count: c_int) -> isize {
    // SAFETY: the caller's promise, which is POSIX's.
    let pieces = unsafe { slice::from_raw_parts(pieces, count as usize) };
    // SAFETY: the same promise holds for each piece.
    pieces.iter().map(|piece| unsafe { write(fd, piece.base, piece.len) }).sum()
}

/// Ends the trial with a trap; the panic's message has been emitted by then.
#[unsafe(no_mangle)]
extern "C" fn abort() -> ! {
    std::arch::wasm32::unreachable()
}

/// Ends the trial with a trap, and says so: a grader answers, it does not exit.
#[unsafe(no_mangle)]
extern "C" fn exit(_code: c_int) -> ! {
    emit_all(b"the grader called exit; a grader must return findings or a refusal\n");
    std::arch::wasm32::unreachable()
}

/// As [`exit`].
#[unsafe(no_mangle)]
extern "C" fn _Exit(code: c_int) -> ! {
    exit(code)
}

/// There is no environment.
#[unsafe(no_mangle)]
extern "C" fn getenv(_name: *const c_char) -> *mut c_char {
    ptr::null_mut()
}
