//! The arguments of the program: which figures, and what they are measured on.

use std::path::PathBuf;

/// What was asked for.
pub(crate) struct Options {
    /// The figures to measure.
    pub(crate) figures: Vec<String>,
    /// The component of `cheap-answer`.
    pub(crate) guest: PathBuf,
    /// The binary `accredit`.
    pub(crate) accredit: PathBuf,
    /// A folder for what the measurements need.
    pub(crate) folder: PathBuf,
    /// A grader in Python, if there is one.
    pub(crate) python_guest: Option<PathBuf>,
    /// How often each slice is timed.
    pub(crate) rounds: usize,
}

impl Options {
    /// Names of figures, and `key=value`. cargo adds `--bench`, which says nothing here.
    pub(crate) fn parse<'a>(
        arguments: impl Iterator<Item = String>,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, String> {
        let mut options = Self {
            figures: Vec::new(),
            guest: PathBuf::new(),
            accredit: PathBuf::new(),
            folder: PathBuf::new(),
            python_guest: None,
            rounds: 15,
        };
        for argument in arguments.filter(|argument| argument != "--bench") {
            match argument.split_once('=') {
                Some(("guest", path)) => options.guest = path.into(),
                Some(("accredit", path)) => options.accredit = path.into(),
                Some(("folder", path)) => options.folder = path.into(),
                Some(("python-guest", path)) => options.python_guest = Some(path.into()),
                Some(("rounds", count)) => {
                    options.rounds = count.parse().map_err(|_| format!("rounds={count}"))?;
                }
                None if known.clone().any(|name| name == argument) => {
                    options.figures.push(argument);
                }
                _ => return Err(format!("`{argument}` is no figure and no setting")),
            }
        }
        if options.figures.is_empty() {
            options.figures = known.map(str::to_owned).collect();
        }
        Ok(options)
    }
}
