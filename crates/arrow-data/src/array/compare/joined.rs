//! Remembers which runs are equal, for runs that many slots share.

use std::ops::Range;

use crate::array::positions::RunEnds;

use super::{
    memo::Memo,
    side::{ComparedSide, EncodingStep},
};

/// The runs of both sides that were found to be equal.
#[derive(Debug)]
pub(super) struct RunsMemo {
    /// How many more runs may be visited before neighbouring runs are joined.
    pub(super) n_free: usize,
    pub(super) joined: Option<JoinedSides>,
    #[cfg(test)]
    n_visited: usize,
}

#[derive(Debug)]
pub(super) struct JoinedSides {
    pub(super) left: JoinedRuns,
    pub(super) right: JoinedRuns,
    pub(super) memo: Memo,
}

/// The joined runs of one side: neighbouring runs with the same value count as one run.
#[derive(Debug)]
pub(super) struct JoinedRuns {
    /// For each joined run, the position after its last slot.
    pub(super) ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RunPosition {
    pub(super) run: usize,
    /// The number of slots from the requested slot to the end of the run.
    pub(super) n_slots: usize,
}

impl RunsMemo {
    /// Makes a memo for two sides, if at least one is run-end encoded. The other side must be run-end encoded or have
    /// slots that take no memory.
    pub(super) fn try_new(left: &ComparedSide, right: &ComparedSide) -> Option<RunsMemo> {
        let n_runs = match (outer_runs(left), outer_runs(right)) {
            (None, None) => return None,
            (Some(runs), None) if right.is_uniform() => runs.n_runs(),
            (None, Some(runs)) if left.is_uniform() => runs.n_runs(),
            (Some(_), None) | (None, Some(_)) => return None,
            (Some(left), Some(right)) => left.n_runs().saturating_add(right.n_runs()),
        };
        Some(RunsMemo {
            n_free: n_runs.saturating_mul(2),
            joined: None,
            #[cfg(test)]
            n_visited: 0,
        })
    }

    #[cfg(test)]
    pub(super) fn visit(&mut self, n_runs: usize) {
        self.n_visited += n_runs;
    }

    #[cfg(not(test))]
    pub(super) fn visit(&mut self, _: usize) {}

    #[cfg(test)]
    pub(super) fn n_compared(&self) -> usize {
        self.n_visited + self.joined.as_ref().map_or(0, |joined| joined.memo.n_compared())
    }
}

impl JoinedRuns {
    pub(super) fn at(&self, slot: usize) -> Option<RunPosition> {
        let run = self.ends.partition_point(|end| *end <= slot);
        let n_slots = self.ends.get(run)?.checked_sub(slot)?;
        Some(RunPosition { run, n_slots })
    }

    pub(super) fn range(&self, run: usize) -> Option<Range<usize>> {
        let end = *self.ends.get(run)?;
        match run.checked_sub(1) {
            Some(before) => Some(*self.ends.get(before)?..end),
            None => Some(0..end),
        }
    }
}

/// The runs of a column, if they are its outermost encoding.
pub(super) fn outer_runs(side: &ComparedSide) -> Option<&RunEnds> {
    match side.steps.first() {
        Some(EncodingStep::Runs(runs)) => Some(runs),
        Some(EncodingStep::Dictionary { .. }) | None => None,
    }
}

/// The number of runs that contain the `n` slots from `start` on.
pub(super) fn n_runs_in(side: &ComparedSide, start: usize, n: usize) -> usize {
    let run_of = |slot: usize| outer_runs(side)?.run_of(slot);
    let last = start.saturating_add(n).saturating_sub(1);
    let runs = run_of(start).zip(run_of(last));
    runs.map_or(1, |(first, last)| last.saturating_sub(first).saturating_add(1))
}
