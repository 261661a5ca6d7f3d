//! What was counted over all runs. Every count is a count of kept operations, or of runs.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::derive::RunGrade;
use super::{Grade, Op};
use crate::id::{Digest, RunId};

/// Counts over all runs that were graded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Runs that came to an end and have no grade line. An invariant: it must stay 0.
    pub ungraded_terminal: u64,
    /// Runs whose effective grade is `unverified` or below.
    pub unverified: u64,
    /// Runs whose effective grade is below the strongest kind that a declared judge passed them by.
    pub degraded: u64,
    /// Grades that producers supplied: all were rejected.
    pub producer_mint_rejected: u64,
    /// Executions that the session did not observe: all were skipped.
    pub emit_skipped_no_session: u64,
    /// Executions without a transcript.
    pub oracle_transcript_unavailable: u64,
    /// Executions that passed or failed, with their transcript.
    pub oracle_resolved_ran: u64,
    /// Executions that name no content.
    pub unbindable_content_identity: u64,
    /// Passing judges of which it is not known whether they are of the chain that wrote.
    pub same_chain_indeterminate: u64,
    /// Writes of which the author is not known.
    pub author_chain_unbound: u64,
    /// Declared judges that ran and failed.
    pub failed_declared: u64,
    /// Proofs that the cap spares, since a kernel checked them.
    pub proof_kernel_exempt: u64,
    /// Kinds of which a capped and an uncapped judge both passed, so that the maximum took the uncapped one.
    pub tied_uncap: u64,
    /// Ways to come to an end (passed, failed, missing, ...) in which some run has no grade line of its very record. An
    /// invariant: it must stay 0.
    pub unbound_terminalization_families: u64,
}

/// A run that came to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended<'a> {
    /// The run.
    pub run: &'a RunId,
    /// The digest of its record as it was made.
    pub record: Digest,
    /// How it ended.
    pub family: &'static str,
}

impl Counters {
    /// The counts over these lines, for these runs that came to an end.
    #[must_use]
    pub fn of(lines: &[RunGrade], ended: &[Ended<'_>]) -> Self {
        let runs: BTreeSet<&RunId> = lines.iter().map(|line| &line.run).collect();
        let bound: BTreeSet<(&RunId, Digest)> =
            lines.iter().map(|line| (&line.run, line.record)).collect();
        let unbound = ended.iter().filter(|it| !bound.contains(&(it.run, it.record)));
        let families: BTreeSet<&str> = unbound.map(|it| it.family).collect();
        let with = |wanted: fn(&RunGrade) -> bool| lines.iter().filter(|it| wanted(it)).count();
        let ops = |wanted: Op| {
            let all = lines.iter().flat_map(|line| &line.operations);
            all.filter(|it| it.op == wanted).count() as u64
        };
        Self {
            ungraded_terminal: ended.iter().filter(|it| !runs.contains(it.run)).count() as u64,
            unverified: with(|line| line.effective <= Grade::Unverified) as u64,
            degraded: with(RunGrade::is_degraded) as u64,
            producer_mint_rejected: ops(Op::MintRejected),
            emit_skipped_no_session: ops(Op::SkippedNoSession),
            oracle_transcript_unavailable: ops(Op::NoTranscript),
            oracle_resolved_ran: ops(Op::ResolvedRan),
            unbindable_content_identity: ops(Op::Unbindable),
            same_chain_indeterminate: ops(Op::ChainIndeterminate),
            author_chain_unbound: ops(Op::AuthorUnbound),
            failed_declared: ops(Op::Failed),
            proof_kernel_exempt: ops(Op::KernelExempt),
            tied_uncap: ops(Op::TiedUncapped),
            unbound_terminalization_families: families.len() as u64,
        }
    }

    /// The invariants among them: they must stay 0.
    pub const INVARIANTS: [&'static str; 2] =
        ["ungraded_terminal", "unbound_terminalization_families"];

    /// Every count under its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 14] {
        [
            ("ungraded_terminal", self.ungraded_terminal),
            ("unverified", self.unverified),
            ("degraded", self.degraded),
            ("producer_mint_rejected", self.producer_mint_rejected),
            ("emit_skipped_no_session", self.emit_skipped_no_session),
            ("oracle_transcript_unavailable", self.oracle_transcript_unavailable),
            ("oracle_resolved_ran", self.oracle_resolved_ran),
            ("unbindable_content_identity", self.unbindable_content_identity),
            ("same_chain_indeterminate", self.same_chain_indeterminate),
            ("author_chain_unbound", self.author_chain_unbound),
            ("failed_declared", self.failed_declared),
            ("proof_kernel_exempt", self.proof_kernel_exempt),
            ("tied_uncap", self.tied_uncap),
            ("unbound_terminalization_families", self.unbound_terminalization_families),
        ]
    }

    /// The invariants that do not hold, by name, each with its count.
    #[must_use]
    pub fn broken(&self) -> Vec<(&'static str, u64)> {
        let broken =
            |(name, count): &(&'static str, u64)| *count > 0 && Self::INVARIANTS.contains(name);
        self.named().into_iter().filter(broken).collect()
    }
}
