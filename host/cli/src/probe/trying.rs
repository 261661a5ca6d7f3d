//! Tries probes, one after the other, on a host that must stay up.

use std::time::{Duration, Instant};

use accredit_core::case::Case;
use accredit_core::findings::{Fault, Outcome};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;
use accredit_engine::{Engine, Grader, Limits, Settings, Trial, TrialInput};
use serde::Serialize;

use super::list::SOUND;
use super::look::said;
use super::{Component, Figure, Look, MachineDependent, Must, Of, Probe, Refused, Tried};
use crate::check::CLOCK_UNIX_S;
use crate::failure::Failure;

/// The seeds of a probe's trials: two alike, one other.
const SEEDS: [[u8; 32]; 3] = [[1; 32], [1; 32], [2; 32]];

/// What came of all probes that were tried.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Whether each of them held.
    pub holds: bool,
    /// One by one.
    pub probes: Vec<Tried>,
}

impl Report {
    /// Of these.
    #[must_use]
    pub fn of(probes: Vec<Tried>) -> Self {
        Self { holds: !probes.is_empty() && probes.iter().all(|tried| tried.holds), probes }
    }

    /// The names of those that did not hold.
    #[must_use]
    pub fn broken(&self) -> Vec<&'static str> {
        self.probes.iter().filter(|tried| !tried.holds).map(|tried| tried.probe).collect()
    }
}

/// A host that probes are tried on.
pub struct Prober {
    settings: Settings,
    engine: Engine,
    sound: Grader,
}

/// How a probe ended, before it is asked whether that is the right end.
struct End {
    stopped_by: String,
    detail: String,
    figure: Option<Figure>,
    wall: Duration,
}

impl Prober {
    /// A host under these limits, with an honest grader loaded.
    ///
    /// # Errors
    /// When the engine cannot be set up, or the honest grader does not load: then no probe proves a thing.
    pub fn new(settings: Settings) -> Result<Self, Failure> {
        let engine = Engine::new(&settings)?;
        let sound = engine.load(SOUND).map_err(|error| Failure::Load {
            path: "the honest grader that accredit carries".into(),
            error: Box::new(error),
        })?;
        Ok(Self { settings, engine, sound })
    }

    /// Tries one probe, and then whether the host still judges right.
    ///
    /// # Errors
    /// When a probe's own limits do not allow an engine.
    pub fn run(&self, probe: &Probe) -> Result<Tried, Failure> {
        let limits = (probe.under)(&self.settings.limits);
        let made;
        let engine = if limits == self.settings.limits {
            &self.engine
        } else {
            made = Engine::new(&Settings { limits: limits.clone(), ..self.settings.clone() })?;
            &made
        };
        let end = end(probe, engine, &limits);
        let host_is_up = judges_right(&self.sound);
        Ok(Tried {
            probe: probe.name,
            tried: probe.tried,
            must_stop_it: probe.stop,
            holds: host_is_up && end.stopped_by == probe.stop,
            stopped_by: end.stopped_by,
            detail: Untrusted::new(end.detail),
            figure: end.figure,
            wall_ns: u64::try_from(end.wall.as_nanos()).unwrap_or(u64::MAX),
            host_is_up,
        })
    }
}

/// Whether the honest grader that accredit carries, [`SOUND`], passes what it must pass, and fails what it
/// must fail.
#[must_use]
pub fn judges_right(sound: &Grader) -> bool {
    let says = |output: &str| verdict(&trial(sound, output, SEEDS[0]));
    says("right") == Some(Verdict::Pass) && says("wrong") == Some(Verdict::Fail)
}

fn trial(grader: &Grader, output: &str, seed: [u8; 32]) -> Trial {
    let case = Case { output: output.to_owned(), ..Case::default() }.blinded();
    grader.trial(&TrialInput { case: &case, seed, clock_unix_s: CLOCK_UNIX_S })
}

/// The verdict of the one finding there is.
fn verdict(trial: &Trial) -> Option<Verdict> {
    match &trial.outcome {
        Outcome::Graded(findings) if findings.len() == 1 => Some(findings[0].verdict),
        _ => None,
    }
}

fn end(probe: &Probe, engine: &Engine, limits: &Limits) -> End {
    let made;
    let bytes = match probe.component {
        Component::Embedded(bytes) => bytes,
        Component::Made(make) => {
            made = make();
            &made
        }
    };
    let began = Instant::now();
    let loaded = engine.load(bytes);
    let wall = began.elapsed();
    match (&probe.must, loaded) {
        (Must::NotLoad(figure), Err(error)) => {
            let refused = Refused { error: &error, size: bytes.len(), wall, limits };
            let figure = figure(&refused);
            let stopped_by = if figure.is_some() { probe.stop } else { "another refusal" };
            End { figure, ..End::unrun(stopped_by, error.to_string(), wall) }
        }
        (Must::NotLoad(_), Ok(_)) => End::unrun("nothing", "it was loaded".to_owned(), wall),
        (_, Err(error)) => End::unrun("not loaded", error.to_string(), wall),
        (Must::End { kind, says, machine, figure }, Ok(grader)) => {
            let trial = trial(&grader, "right", SEEDS[0]);
            let is_it = |fault: &Fault| {
                fault.kind == *kind
                    && fault.detail.raw().contains(says)
                    && fault.machine_dependent == (*machine == MachineDependent::Yes)
            };
            let figure = figure.of(&trial, limits);
            End::ran(&[trial], probe.stop, is_it, figure)
        }
        (Must::Answer(look), Ok(grader)) => {
            let trials = SEEDS.map(|seed| trial(&grader, "right", seed));
            End::answered(&trials, probe.stop, look(&trials, limits))
        }
    }
}

impl End {
    fn unrun(stopped_by: &str, detail: String, wall: Duration) -> Self {
        let stopped_by = stopped_by.to_owned();
        Self { stopped_by, detail, figure: None, wall }
    }

    /// Trials of which the first has to end in a certain fault.
    fn ran(
        trials: &[Trial],
        stop: &str,
        is_it: impl Fn(&Fault) -> bool,
        figure: Option<Figure>,
    ) -> Self {
        let (stopped_by, detail) = match trials.first().map(|trial| &trial.outcome) {
            Some(Outcome::Fault(fault)) if is_it(fault) => {
                (stop.to_owned(), fault.detail.raw().to_owned())
            }
            Some(Outcome::Fault(fault)) => {
                (format!("a fault: {}", fault.kind.name()), fault.detail.raw().to_owned())
            }
            Some(Outcome::Graded(_)) => ("nothing".to_owned(), "it answered".to_owned()),
            Some(Outcome::Refused(_)) | None => {
                ("nothing".to_owned(), "it declined the case".to_owned())
            }
        };
        Self {
            stopped_by,
            detail,
            figure,
            wall: trials.iter().map(|trial| trial.wall).max().unwrap_or_default(),
        }
    }

    /// Trials that all have to end with a pass.
    fn answered(trials: &[Trial], stop: &str, look: Look) -> Self {
        let ended = Self::ran(trials, stop, |_| false, Some(look.figure));
        let passed = trials.iter().all(|trial| verdict(trial) == Some(Verdict::Pass));
        match (passed && look.holds, ended.stopped_by.as_str()) {
            (true, _) => Self { stopped_by: stop.to_owned(), detail: String::new(), ..ended },
            (false, "nothing") => Self { detail: "it got through".to_owned(), ..ended },
            (false, _) => ended,
        }
    }
}

impl Of {
    fn of(self, trial: &Trial, limits: &Limits) -> Option<Figure> {
        Some(match self {
            Self::Nothing => return None,
            Self::Fuel => Figure::new(trial.fuel, "fuel", Some(limits.fuel)),
            Self::Memory => {
                Figure::new(trial.memory_bytes, "bytes held", Some(limits.memory_bytes as u64))
            }
            Self::Said(unit, limit) => {
                Figure::new(said(trial).last().copied().unwrap_or_default(), unit, limit(limits))
            }
            Self::Captured => {
                Figure::new(trial.captured.raw().len() as u64, "bytes of its words kept", None)
            }
            Self::Wall => Figure::millis(trial.wall, limits.wall),
        })
    }
}
