//! `wasi:io`: an input that is closed, an output that is captured, and sleeping that takes no time.

use wasmtime::Result;
use wasmtime::component::{ComponentType, Lower, Resource, ResourceType};

use super::{Ctx, Linker, Stop, charge, charge_asked, wasi};

/// stdin. There is nothing in it.
pub(super) struct InputStream;
/// stdout or stderr.
pub(super) struct OutputStream;
/// Something to wait for: a moment of the virtual clock.
pub(super) struct Pollable;
/// A stream's error. No stream here ever has one.
struct IoError;

/// How much an output says it can take at once.
const PERMIT: u64 = 64 * 1024;

#[derive(ComponentType, Lower)]
#[component(variant)]
enum StreamError {
    #[component(name = "last-operation-failed")]
    #[expect(dead_code, reason = "the type has this case; no stream here fails")]
    LastOperationFailed(Resource<IoError>),
    #[component(name = "closed")]
    Closed,
}

/// The moments that pollables wait for, by handle. How many there are is bounded by the store's limit on
/// handles.
#[derive(Default)]
pub(super) struct Pollables {
    moments: Vec<u64>,
    free: Vec<u32>,
}

impl Pollables {
    /// A pollable that is ready from this moment on.
    pub(super) fn add(&mut self, when: u64) -> Resource<Pollable> {
        let at = match self.free.pop() {
            Some(at) => at,
            None => {
                self.moments.push(0);
                u32::try_from(self.moments.len() - 1).unwrap_or(u32::MAX)
            }
        };
        if let Some(moment) = self.moments.get_mut(at as usize) {
            *moment = when;
        }
        Resource::new_own(at)
    }

    fn moment(&self, pollable: &Resource<Pollable>) -> u64 {
        self.moments.get(pollable.rep() as usize).copied().unwrap_or(0)
    }

    fn remove(&mut self, at: u32) {
        self.free.push(at);
    }
}

pub(super) fn link(linker: &mut Linker) -> Result<()> {
    error(linker)?;
    poll(linker)?;
    let mut streams = linker.instance(&wasi("io/streams"))?;
    streams.resource("input-stream", ResourceType::host::<InputStream>(), |_, _| Ok(()))?;
    streams.resource("output-stream", ResourceType::host::<OutputStream>(), |_, _| Ok(()))?;
    input(linker)?;
    output(linker)
}

fn error(linker: &mut Linker) -> Result<()> {
    let mut error = linker.instance(&wasi("io/error"))?;
    error.resource("error", ResourceType::host::<IoError>(), |_, _| Ok(()))?;
    error.func_wrap(
        "[method]error.to-debug-string",
        |mut store: Ctx<'_>, (_,): (Resource<IoError>,)| {
            charge(&mut store, 0)?;
            Ok((String::new(),))
        },
    )
}

fn poll(linker: &mut Linker) -> Result<()> {
    let mut poll = linker.instance(&wasi("io/poll"))?;
    poll.resource("pollable", ResourceType::host::<Pollable>(), |mut store, at| {
        store.data_mut().pollables.remove(at);
        Ok(())
    })?;
    poll.func_wrap(
        "[method]pollable.ready",
        |mut store: Ctx<'_>, (pollable,): (Resource<Pollable>,)| {
            charge(&mut store, 0)?;
            let state = store.data();
            Ok((state.pollables.moment(&pollable) <= state.clock.peek(),))
        },
    )?;
    poll.func_wrap(
        "[method]pollable.block",
        |mut store: Ctx<'_>, (pollable,): (Resource<Pollable>,)| {
            charge(&mut store, 0)?;
            let state = store.data_mut();
            state.clock.advance_to(state.pollables.moment(&pollable));
            Ok(())
        },
    )?;
    poll.func_wrap("poll", |mut store: Ctx<'_>, (list,): (Vec<Resource<Pollable>>,)| {
        charge(&mut store, list.len() as u64)?;
        let state = store.data_mut();
        let moments: Vec<u64> =
            list.iter().map(|pollable| state.pollables.moment(pollable)).collect();
        let Some(first) = moments.iter().min() else {
            return Err(
                Stop::Misuse("`wasi:io/poll.poll` called with an empty list".to_owned()).into()
            );
        };
        state.clock.advance_to(*first);
        let now = state.clock.peek();
        let ready = (0u32..)
            .zip(&moments)
            .filter(|(_, moment)| **moment <= now)
            .map(|(at, _)| at)
            .collect::<Vec<_>>();
        Ok((ready,))
    })
}

type In = Resource<InputStream>;
type Out = Resource<OutputStream>;

/// Every reading of stdin says that it is closed.
fn input(linker: &mut Linker) -> Result<()> {
    let mut streams = linker.instance(&wasi("io/streams"))?;
    for name in ["read", "blocking-read"] {
        streams.func_wrap(
            &format!("[method]input-stream.{name}"),
            |mut store: Ctx<'_>, _: (In, u64)| {
                charge(&mut store, 0)?;
                Ok((Err::<Vec<u8>, _>(StreamError::Closed),))
            },
        )?;
    }
    for name in ["skip", "blocking-skip"] {
        streams.func_wrap(
            &format!("[method]input-stream.{name}"),
            |mut store: Ctx<'_>, _: (In, u64)| {
                charge(&mut store, 0)?;
                Ok((Err::<u64, _>(StreamError::Closed),))
            },
        )?;
    }
    streams.func_wrap("[method]input-stream.subscribe", |mut store: Ctx<'_>, (_,): (In,)| {
        charge(&mut store, 0)?;
        Ok((store.data_mut().pollables.add(0),))
    })
}

fn output(linker: &mut Linker) -> Result<()> {
    let mut streams = linker.instance(&wasi("io/streams"))?;
    streams.func_wrap(
        "[method]output-stream.check-write",
        |mut store: Ctx<'_>, (_,): (Out,)| {
            charge(&mut store, 0)?;
            Ok((Ok::<_, StreamError>(PERMIT),))
        },
    )?;
    for name in ["write", "blocking-write-and-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |mut store: Ctx<'_>, (_, contents): (Out, Vec<u8>)| {
                charge(&mut store, contents.len() as u64)?;
                store.data_mut().captured.write(&contents);
                Ok((Ok::<(), StreamError>(()),))
            },
        )?;
    }
    for name in ["flush", "blocking-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |mut store: Ctx<'_>, (_,): (Out,)| {
                charge(&mut store, 0)?;
                Ok((Ok::<(), StreamError>(()),))
            },
        )?;
    }
    for name in ["write-zeroes", "blocking-write-zeroes-and-flush"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |mut store: Ctx<'_>, (_, len): (Out, u64)| {
                let len = charge_asked(&mut store, len)?;
                store.data_mut().captured.write_zeroes(len);
                Ok((Ok::<(), StreamError>(()),))
            },
        )?;
    }
    for name in ["splice", "blocking-splice"] {
        streams.func_wrap(
            &format!("[method]output-stream.{name}"),
            |mut store: Ctx<'_>, _: (Out, In, u64)| {
                charge(&mut store, 0)?;
                Ok((Err::<u64, _>(StreamError::Closed),))
            },
        )?;
    }
    streams.func_wrap("[method]output-stream.subscribe", |mut store: Ctx<'_>, (_,): (Out,)| {
        charge(&mut store, 0)?;
        Ok((store.data_mut().pollables.add(0),))
    })
}
