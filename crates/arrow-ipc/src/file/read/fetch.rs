//! Runs plans: fetches the ranges that they need from a source.

use std::ops::Range;

use arrow_buffer::{BudgetError, Buffer, Charge, MemoryBudget};

use super::{
    plan::{PlanStep, ReadPlan},
    prefetch::BatchPrefetcher,
};
use crate::{
    error::{IpcError, IpcErrorKind, Result},
    options::ReadOptions,
    recycled::BufferPool,
    source::{FetchCost, ReadRangeError, Source, SplitRanges, read_range},
};
use arrow_ipc_format::length_of;

#[derive(Clone, Copy)]
pub(super) struct FetchContext<'a> {
    pub(super) cost: FetchCost,
    pub(super) budget: Option<&'a MemoryBudget>,
    /// The memory into which bodies are read. It is reused.
    pub(super) pool: &'a BufferPool,
}

impl<'a> FetchContext<'a> {
    pub(super) fn new(options: &'a ReadOptions, pool: &'a BufferPool) -> FetchContext<'a> {
        FetchContext { cost: options.known_fetch_cost(), budget: options.memory_budget.as_ref(), pool }
    }
}

/// Fetches the ranges that a plan needs, until the plan is done.
pub(super) fn run<T>(source: &impl Source, mut plan: ReadPlan<T>, fetching: FetchContext<'_>) -> Result<T> {
    loop {
        match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(needed) => {
                let ranges = needed.merged_for(&fetching.cost);
                fetch(source, &ranges, &mut plan, fetching).map_err(|error| plan.error_here(error))?;
            }
        }
    }
}

pub(super) trait BytesReceiver {
    fn take_bytes(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()>;

    /// The bytes to copy to the end of a fetched range. These bytes follow the range in the file, and one buffer must
    /// contain both.
    fn joined_after(&self, _: &Range<u64>) -> Buffer {
        Buffer::new()
    }
}

impl<T> BytesReceiver for ReadPlan<T> {
    fn take_bytes(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        self.provide(range, bytes)
    }

    fn joined_after(&self, range: &Range<u64>) -> Buffer {
        ReadPlan::joined_after(self, range)
    }
}

impl BytesReceiver for BatchPrefetcher {
    fn take_bytes(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        self.provide(range, bytes)
    }
}

/// Fetches ranges and passes them to `taker`. Errors do not contain the block of the range.
pub(super) fn fetch(
    source: &impl Source,
    ranges: &[Range<u64>],
    taker: &mut impl BytesReceiver,
    FetchContext { cost, budget, pool }: FetchContext<'_>,
) -> Result<()> {
    let failed = |Range { start, end }, error| IpcErrorKind::Fetch { start, end, error };
    if let Some(source) = source.read_at() {
        return ranges.iter().try_for_each(|range| {
            let after = taker.joined_after(range);
            let end = range.end + after.len() as u64;
            let bytes = read_range(source, range.clone(), &after, pool, budget);
            let bytes = bytes.map_err(|error| match error {
                ReadRangeError::Io(error) => IpcError::from(failed(range.clone(), error)),
                ReadRangeError::Memory(error) => error.into(),
            })?;
            taker.take_bytes(range.start..end, bytes)
        });
    }
    let charge = |range: &Range<u64>| {
        let n_bytes = length_of(range);
        budget.map(|budget| budget.try_charge(n_bytes)).transpose()
    };
    let charges =
        ranges.iter().map(charge).collect::<std::result::Result<Vec<Option<Charge>>, BudgetError>>()?;
    let in_pieces = SplitRanges::new(ranges, &cost);
    let pieces = in_pieces.pieces();
    let fetched = source.fetch_many(pieces).map_err(|error| failed(around(ranges), error))?;
    let (expected, found) = (pieces.len() as u64, fetched.len() as u64);
    if expected != found {
        return Err(IpcErrorKind::FetchedRanges { expected, found }.into());
    }
    in_pieces.join(fetched).zip(charges).try_for_each(|(joined, charge)| {
        let (range, bytes) = joined?;
        let bytes = match charge {
            Some(charge) => bytes.with_charge(charge),
            None => bytes,
        };
        taker.take_bytes(range, bytes)
    })
}

/// The range from the start of the first range to the end of the last, for an error without a range.
fn around(ranges: &[Range<u64>]) -> Range<u64> {
    let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    start..ranges.iter().map(|range| range.end).max().unwrap_or(start)
}
