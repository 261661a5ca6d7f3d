//! What stands between the standard library and a host that grants it nothing.
#![expect(
    unsafe_code,
    reason = "C functions are defined here; each says why it is sound"
)]

mod arena;
mod libc;
