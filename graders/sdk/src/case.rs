//! What a grader is shown. The bindings build these records straight out of the instance's memory:
//! no text is copied again on its way to `grade`.

/// One thing to judge: what was asked, what came out, and what it may be checked against.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Says nothing about where the case came from: a control looks like live work.
    pub id: String,
    /// What the system under test was asked.
    pub task: String,
    /// What it answered: the text to judge. May be empty.
    pub output: String,
    /// The media type of `output`; `text/plain` unless stated.
    pub output_type: String,
    /// What a right answer is, where one is known.
    pub reference: Option<String>,
    /// The conversation that led to the output, oldest turn first.
    pub messages: Vec<Message>,
    /// The output's statements, split off by the host. A grader judges them and invents none.
    pub claims: Vec<Claim>,
    /// What the output may be checked against.
    pub evidence: Vec<Evidence>,
    /// Files that the system under test produced.
    pub artifacts: Vec<Artifact>,
    /// A JSON object as text, or `""` for none: settings that every case of a run shares.
    pub context: String,
}

impl Default for Case {
    /// An empty case whose output is plain text, for tests to fill in.
    fn default() -> Self {
        Self {
            id: String::new(),
            task: String::new(),
            output: String::new(),
            output_type: String::from("text/plain"),
            reference: None,
            messages: Vec::new(),
            claims: Vec::new(),
            evidence: Vec::new(),
            artifacts: Vec::new(),
            context: String::new(),
        }
    }
}

impl Case {
    /// The evidence of one kind, in the order of the case.
    pub fn evidence_of_kind(&self, kind: &str) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter().filter(move |evidence| evidence.kind == kind)
    }
}

/// Something the output may be checked against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Unique within the case; citations name it.
    pub id: String,
    /// What it is, in the rubric's words (`loan-file`, `policy-page`). Rules ask for it in `needs`.
    pub kind: String,
    /// Where it came from, for people to read.
    pub source: String,
    /// The moment it describes, RFC 3339.
    pub as_of: Option<String>,
    /// The media type of `content`, such as `application/json`.
    pub media_type: String,
    /// The evidence itself.
    pub content: String,
    /// A JSON object as text, or `""` for none. Ignore keys you do not know.
    pub extra: String,
}

/// One turn of the conversation that led to the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// What was said.
    pub content: String,
    /// A JSON object as text, or `""` for none. Ignore keys you do not know.
    pub extra: String,
}

/// A statement of the output, split off by the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Unique within the case; [`Finding::claim`](crate::Finding::claim) names it.
    pub id: String,
    /// The statement.
    pub text: String,
    /// A JSON object as text, or `""` for none. Ignore keys you do not know.
    pub extra: String,
}

/// A file that the system under test produced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Artifact {
    /// Unique within the case. Not a path.
    pub name: String,
    /// The media type of `data`.
    pub media_type: String,
    /// The file's bytes.
    pub data: Vec<u8>,
}
