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

/// Machine code that may be loaded: made by this program's compiler just now, or sealed when it was.
pub(crate) struct Code {
    bytes: Vec<u8>,
    /// Where the code starts: what is before it has been checked.
    start: usize,
}

impl Code {
    /// What `Engine::precompile_component` returned, here or in the child that this process started. Nothing
    /// else may be given.
    pub(crate) fn compiled(bytes: Vec<u8>) -> Self {
        Self { bytes, start: 0 }
    }

    /// The bytes to store.
    pub(crate) fn seal(&self, key: &[u8; 32], name: &Name) -> Vec<u8> {
        let code = self.code();
        let mut stored = Vec::with_capacity(MAGIC.len() + MAC + code.len());
        stored.extend_from_slice(MAGIC);
        stored.extend_from_slice(mac(key, name, code).as_bytes());
        stored.extend_from_slice(code);
        stored
    }

    /// Takes back what [`Code::seal`] made with the same key and name; none for anything else.
    pub(crate) fn unseal(key: &[u8; 32], name: &Name, stored: Vec<u8>) -> Option<Self> {
        let (found, code) = stored.strip_prefix(MAGIC)?.split_first_chunk::<MAC>()?;
        // `Hash` compares in constant time.
        let sound = mac(key, name, code) == Hash::from_bytes(*found);
        sound.then(|| Self { bytes: stored, start: MAGIC.len() + MAC })
    }

    /// Puts it into memory, ready to be linked.
    pub(crate) fn load(&self, engine: &Engine) -> wasmtime::Result<Component> {
        #[expect(
            unsafe_code,
            reason = "`deserialize` asks that the bytes come from wasmtime's own compiler. A `Code` holds what that \
                      compiler made in this process, or in the child that this process started from a program that \
                      its embedder vouches for and heard through a pipe of its own; or what was sealed from one of \
                      these. Sealed bytes were read into memory once, and their keyed hash was checked over that \
                      very buffer, so nobody can change them between check and use. The key is 32 random bytes in a \
                      file that only this user can read or write, outside the cache, so only code run by this user \
                      can have made the hash, and here that is `seal` alone. wasmtime itself refuses artefacts of \
                      another version or configuration."
        )]
        // SAFETY: see the reason above.
        unsafe {
            Component::deserialize(engine, self.code())
        }
    }

    fn code(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
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
    fn only_what_was_sealed_under_this_key_and_name_is_unsealed() {
        let (key, name) = ([1; 32], [2; 32]);
        let stored = Code::compiled(b"code".to_vec()).seal(&key, &name);
        let unsealed = |key, name, stored: &[u8]| {
            Code::unseal(key, name, stored.to_vec()).map(|code| code.code().to_vec())
        };
        assert_eq!(unsealed(&key, &name, &stored), Some(b"code".to_vec()));
        assert_eq!(unsealed(&[3; 32], &name, &stored), None);
        assert_eq!(unsealed(&key, &[3; 32], &stored), None);
        for at in 0..stored.len() {
            let mut bent = stored.clone();
            bent[at] ^= 1;
            assert_eq!(unsealed(&key, &name, &bent), None, "byte {at}");
            assert_eq!(unsealed(&key, &name, &stored[..at]), None, "cut at {at}");
        }
    }
}
