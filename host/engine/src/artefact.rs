//! The one place where machine code from outside this process's own compiler is taken in.

use blake3::Hash;
use wasmtime::Engine;
use wasmtime::component::Component;

/// Starts every stored artefact. The last number changes with the layout.
const MAGIC: &[u8] = b"accredit-artefact-1\n";
/// Bytes of the keyed hash.
const MAC: usize = 32;

/// What a stored artefact is bound to: the component and the code generator that made it.
pub(crate) type Name = [u8; 32];

/// The bytes to store for a compiled component.
pub(crate) fn seal(key: &[u8; 32], name: &Name, code: &[u8]) -> Vec<u8> {
    let mut stored = Vec::with_capacity(MAGIC.len() + MAC + code.len());
    stored.extend_from_slice(MAGIC);
    stored.extend_from_slice(mac(key, name, code).as_bytes());
    stored.extend_from_slice(code);
    stored
}

/// Takes back what [`seal`] made with the same key and name; none for anything else.
pub(crate) fn open(
    engine: &Engine,
    key: &[u8; 32],
    name: &Name,
    stored: &[u8],
) -> Option<Component> {
    let code = verified(key, name, stored)?;
    #[expect(
        unsafe_code,
        reason = "`deserialize` asks that the bytes come from wasmtime's own compiler. They were read into memory \
                  once, and their keyed hash has just been checked over that very buffer, so nobody can change \
                  them between check and use. The key is 32 random bytes in a file that only this user can read \
                  or write, outside the cache, so only code run by this user can have made the hash, and here \
                  that is `seal`, called on the output of `Component::serialize` alone. wasmtime itself refuses \
                  artefacts of another version or configuration."
    )]
    // SAFETY: see the reason above.
    unsafe {
        Component::deserialize(engine, code).ok()
    }
}

fn verified<'a>(key: &[u8; 32], name: &Name, stored: &'a [u8]) -> Option<&'a [u8]> {
    let (found, code) = stored.strip_prefix(MAGIC)?.split_first_chunk::<MAC>()?;
    // `Hash` compares in constant time.
    (mac(key, name, code) == Hash::from_bytes(*found)).then_some(code)
}

fn mac(key: &[u8; 32], name: &Name, code: &[u8]) -> Hash {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(name).update(code);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_sealed_under_this_key_and_name_is_opened() {
        let (key, name) = ([1; 32], [2; 32]);
        let stored = seal(&key, &name, b"code");
        assert_eq!(verified(&key, &name, &stored), Some(b"code".as_slice()));
        assert_eq!(verified(&[3; 32], &name, &stored), None);
        assert_eq!(verified(&key, &[3; 32], &stored), None);
        for at in 0..stored.len() {
            let mut bent = stored.clone();
            bent[at] ^= 1;
            assert_eq!(verified(&key, &name, &bent), None, "byte {at}");
            assert_eq!(verified(&key, &name, &stored[..at]), None, "cut at {at}");
        }
    }
}
