//! `wasi:random`: one stream of bytes from the trial's seed, the same in every run.

use wasmtime::Result;

use super::{Ctx, Linker, charge, charge_asked, wasi};

/// Keeps the stream apart from other uses of the same seed.
const PURPOSE: &[u8] = b"accredit wasi:random 1";

/// The stream, started when a guest first asks.
pub(super) struct Random {
    seed: [u8; 32],
    stream: Option<blake3::OutputReader>,
}

impl Random {
    pub(super) fn new(seed: [u8; 32]) -> Self {
        Self { seed, stream: None }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        let seed = &self.seed;
        self.stream
            .get_or_insert_with(|| {
                let mut hasher = blake3::Hasher::new_keyed(seed);
                hasher.update(PURPOSE);
                hasher.finalize_xof()
            })
            .fill(bytes);
    }

    fn number(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

pub(super) fn link(linker: &mut Linker) -> Result<()> {
    let mut random = linker.instance(&wasi("random/random"))?;
    random.func_wrap("get-random-bytes", bytes)?;
    random.func_wrap("get-random-u64", number)?;
    let mut insecure = linker.instance(&wasi("random/insecure"))?;
    insecure.func_wrap("get-insecure-random-bytes", bytes)?;
    insecure.func_wrap("get-insecure-random-u64", number)?;
    linker.instance(&wasi("random/insecure-seed"))?.func_wrap(
        "insecure-seed",
        |mut store: Ctx<'_>, (): ()| {
            charge(&mut store, 16)?;
            let random = &mut store.data_mut().random;
            Ok(((random.number(), random.number()),))
        },
    )
}

fn bytes(mut store: Ctx<'_>, (len,): (u64,)) -> Result<(Vec<u8>,)> {
    let mut bytes = vec![0; charge_asked(&mut store, len)?];
    store.data_mut().random.fill(&mut bytes);
    Ok((bytes,))
}

fn number(mut store: Ctx<'_>, (): ()) -> Result<(u64,)> {
    charge(&mut store, 8)?;
    Ok((store.data_mut().random.number(),))
}
