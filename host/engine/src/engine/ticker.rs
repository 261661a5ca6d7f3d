//! The wall clock behind the fuel: one thread an engine that advances the epoch.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// How often the epoch advances, and so how late a deadline may be noticed.
const TICK: Duration = Duration::from_millis(20);

/// A thread that advances the epoch of each engine once a tick.
///
/// It sleeps and then adds one: after a stall of the machine it does not make up for missed ticks, so a
/// stall never fires deadlines that the guest did not use up.
pub(super) struct Ticker {
    engines: Option<Sender<EngineWeak>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    pub(super) fn start() -> io::Result<Self> {
        let (sender, receiver) = channel::<EngineWeak>();
        let thread =
            std::thread::Builder::new().name("accredit-ticker".to_owned()).spawn(move || {
                let mut engines: Vec<EngineWeak> = Vec::new();
                loop {
                    match receiver.recv_timeout(TICK) {
                        Ok(engine) => engines.push(engine),
                        Err(RecvTimeoutError::Timeout) => {
                            engines
                                .iter()
                                .filter_map(EngineWeak::upgrade)
                                .for_each(|engine| engine.increment_epoch());
                        }
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            })?;
        Ok(Self { engines: Some(sender), thread: Some(thread) })
    }

    pub(super) fn add(&self, engine: &Engine) {
        if let Some(engines) = &self.engines {
            let _ = engines.send(engine.weak());
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.engines.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A wall-clock budget in ticks, rounded up, and one more for the tick already under way.
pub(crate) fn ticks(wall: Duration) -> u64 {
    let ticks = wall.as_millis().div_ceil(TICK.as_millis()).saturating_add(1);
    // Far below what would overflow when it is added to the current epoch.
    u64::try_from(ticks).unwrap_or(u64::MAX).min(u64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_never_shorter_than_asked() {
        assert_eq!(ticks(Duration::from_secs(10)), 501);
        assert_eq!(ticks(Duration::from_millis(1)), 2);
        assert_eq!(ticks(Duration::ZERO), 1);
        assert!(ticks(Duration::MAX) <= u64::MAX / 4);
    }
}
