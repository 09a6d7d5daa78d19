//! Plans of all kinds, which JavaScript runs in one loop.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc::{
    BatchWithMetadata, FetchCost, FileDecoder, IpcError,
    file::{PlanStep, ReadPlan, UnreferencedBytes, UnreferencedKind},
};

use crate::failure::{Failure, Result};

/// A plan, or its result.
pub(crate) struct Plan {
    work: Work,
    cost: FetchCost,
}

enum Work {
    Open(ReadPlan<FileDecoder>),
    Batch(ReadPlan<BatchWithMetadata>),
    RowsOfEach(ReadPlan<Vec<u64>>),
    CheckEnd(ReadPlan<()>),
    UnreferencedBytes(ReadPlan<Option<UnreferencedBytes>>),
    Ready(Ready),
}

/// The result of a plan.
pub(crate) enum Ready {
    File(FileDecoder, FetchCost),
    Batch(Box<BatchWithMetadata>),
    Numbers(Vec<u64>),
    Nothing,
}

impl Plan {
    pub(crate) fn open(plan: ReadPlan<FileDecoder>, cost: FetchCost) -> Plan {
        Plan { work: Work::Open(plan), cost }
    }

    pub(crate) fn batch(plan: ReadPlan<BatchWithMetadata>, cost: FetchCost) -> Plan {
        Plan { work: Work::Batch(plan), cost }
    }

    pub(crate) fn rows_of_each(plan: ReadPlan<Vec<u64>>, cost: FetchCost) -> Plan {
        Plan { work: Work::RowsOfEach(plan), cost }
    }

    pub(crate) fn check_end(plan: ReadPlan<()>, cost: FetchCost) -> Plan {
        Plan { work: Work::CheckEnd(plan), cost }
    }

    pub(crate) fn unreferenced_bytes(plan: ReadPlan<Option<UnreferencedBytes>>, cost: FetchCost) -> Plan {
        Plan { work: Work::UnreferencedBytes(plan), cost }
    }

    /// Continues. Returns the ranges to fetch; none if the result is ready.
    pub(crate) fn step(&mut self) -> Result<Vec<Range<u64>>> {
        let cost = &self.cost;
        let (ready, needed) = match &mut self.work {
            Work::Open(plan) => stepped(plan, |decoder| Ready::File(decoder, *cost), cost)?,
            Work::Batch(plan) => stepped(plan, |batch| Ready::Batch(Box::new(batch)), cost)?,
            Work::RowsOfEach(plan) => stepped(plan, Ready::Numbers, cost)?,
            Work::CheckEnd(plan) => stepped(plan, |()| Ready::Nothing, cost)?,
            Work::UnreferencedBytes(plan) => stepped(plan, |found| Ready::Numbers(numbers_of(found)), cost)?,
            Work::Ready(_) => (None, Vec::new()),
        };
        if let Some(ready) = ready {
            self.work = Work::Ready(ready);
        }
        Ok(needed)
    }

    /// Provides the bytes from a position on.
    pub(crate) fn provide(&mut self, start: u64, bytes: Buffer) -> Result<()> {
        let range = start..start.saturating_add(bytes.len() as u64);
        fn provided<T>(plan: &mut ReadPlan<T>, range: Range<u64>, bytes: Buffer) -> Result<(), IpcError> {
            plan.provide(range, bytes)
        }
        match &mut self.work {
            Work::Open(plan) => provided(plan, range, bytes)?,
            Work::Batch(plan) => provided(plan, range, bytes)?,
            Work::RowsOfEach(plan) => provided(plan, range, bytes)?,
            Work::CheckEnd(plan) => provided(plan, range, bytes)?,
            Work::UnreferencedBytes(plan) => provided(plan, range, bytes)?,
            Work::Ready(_) => {}
        }
        Ok(())
    }

    /// The result.
    pub(crate) fn finish(self) -> Result<Ready> {
        match self.work {
            Work::Ready(ready) => Ok(ready),
            Work::Open(_)
            | Work::Batch(_)
            | Work::RowsOfEach(_)
            | Work::CheckEnd(_)
            | Work::UnreferencedBytes(_) => Err(Failure::misuse("the plan is not ready")),
        }
    }
}

fn stepped<T>(
    plan: &mut ReadPlan<T>,
    ready: impl FnOnce(T) -> Ready,
    cost: &FetchCost,
) -> Result<(Option<Ready>, Vec<Range<u64>>)> {
    Ok(match plan.step()? {
        PlanStep::Ready(result) => (Some(ready(result)), Vec::new()),
        PlanStep::Need(ranges) => (None, ranges.merged_for(cost)),
    })
}

/// Where bytes begin and end, and whether they begin with a second file (1) or not (0).
fn numbers_of(found: Option<UnreferencedBytes>) -> Vec<u64> {
    let of = |UnreferencedBytes { kind, range }| {
        vec![range.start, range.end, u64::from(kind == UnreferencedKind::SecondFile)]
    };
    found.map(of).unwrap_or_default()
}
