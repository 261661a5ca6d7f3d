//! How text leaves the sandbox: 16 bytes a call, packed into two scalars, because passing a string
//! would cost a fifth of a cheap trial.

use crate::bindings::accredit::grader::diagnostics::emit;

/// The bytes that one call carries.
const BYTES_A_CALL: usize = 16;

/// Hands `text` to the host. A character may straddle two calls; the host joins them.
pub(crate) fn emit_all(text: &[u8]) {
    for chunk in text.chunks(BYTES_A_CALL) {
        let (lo, hi, len) = pack(chunk);
        emit(lo, hi, len);
    }
}

/// Up to 16 bytes, little-endian: byte 0 is the lowest of `lo`, byte 8 the lowest of `hi`.
fn pack(chunk: &[u8]) -> (u64, u64, u8) {
    let mut bytes = [0; BYTES_A_CALL];
    let len = chunk.len().min(BYTES_A_CALL);
    bytes[..len].copy_from_slice(&chunk[..len]);
    let both = u128::from_le_bytes(bytes);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the halves are meant, and len <= 16"
    )]
    (both as u64, (both >> 64) as u64, len as u8)
}
