//! What stands between the standard library and a host that grants it nothing: all of this crate's
//! own unsafe code.
#![expect(
    unsafe_code,
    reason = "an allocator and C functions are defined here; each says why it is sound"
)]

mod arena;
#[cfg(target_os = "wasi")]
mod libc;
