//! Writes run-end encoded arrays. A slice keeps all of its runs in memory. A message only has the runs in the slice: run
//! ends are counted from its start, and the last one is cut off at its end.

use std::ops::Range;

use arrow_data::ArrayData;
use arrow_schema::RunEndType;

use super::{
    ArrayWalk, Sink,
    words::{Position, numbers, write},
};
use crate::error::{IpcError, Result};

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn runs(&mut self, array: &ArrayData, run_end_type: RunEndType) -> Result<()> {
        let [run_ends, values] = array.children() else {
            return Err(IpcError::internal("a run-end encoded array has not two children"));
        };
        let runs = match run_end_type {
            RunEndType::Int16 => self.run_ends::<i16>(array, run_ends)?,
            RunEndType::Int32 => self.run_ends::<i32>(array, run_ends)?,
            RunEndType::Int64 => self.run_ends::<i64>(array, run_ends)?,
        };
        self.part(values, runs.start, runs.end)
    }

    /// Passes the run ends to the sink, and returns which runs are written.
    fn run_ends<T: Position>(&mut self, array: &ArrayData, run_ends: &ArrayData) -> Result<Range<usize>> {
        let layout = run_ends.layout();
        let next = layout.buffers();
        let ends = numbers::<T>(run_ends.buffer(0), run_ends.len())
            .or_else(|kind| self.unsound(next, kind.into()))?;
        let whole = whole(array, ends).filter(|_| run_ends.null_count() == 0);
        let runs = match whole {
            Some(runs) => runs,
            None => {
                self.check_positions(next, array)?;
                reached(array, ends)?
            }
        };
        let kept = ends
            .get(runs.clone())
            .ok_or_else(|| IpcError::internal("runs that are reached are not there"))?;
        let n_slots = T::from_usize(array.len());
        if array.offset() == 0 && kept.last().copied() == n_slots.filter(|_| !kept.is_empty()) {
            self.part(run_ends, 0, runs.end)?;
            return Ok(runs);
        }
        // The sum fits the type: the last run end is a number of this type, and at least as large.
        let (Some(start), Some(n_slots)) = (T::from_usize(array.offset()), n_slots) else {
            return Err(IpcError::internal("checked run ends do not reach the end of the array"));
        };
        let rebased = |end: &T| end.minus(start).min(n_slots);
        self.begin_rebuilt(kept.len());
        self.sink.rebuild(T::SWAP, size_of_val(kept), |to| write(to, kept.iter().map(rebased)))?;
        Ok(runs)
    }

    /// The node of a child without nulls, whose only buffer of values is passed on next.
    fn begin_rebuilt(&mut self, n_slots: usize) {
        self.position += 1;
        self.sink.node(n_slots, 0);
        self.sink.empty();
    }
}

/// All runs, if the array has all of them or none. Then their order does not matter.
fn whole<T: Position>(array: &ArrayData, ends: &[T]) -> Option<Range<usize>> {
    if array.is_empty() {
        return Some(0..0);
    }
    let last = ends.last().and_then(|last| last.to_usize());
    (array.offset() == 0 && last == Some(array.len())).then_some(0..ends.len())
}

/// The runs in an array. Run ends have been checked: they increase, and the last is not before the end of the array.
fn reached<T: Position>(array: &ArrayData, ends: &[T]) -> Result<Range<usize>> {
    let Some(n_after_first) = array.len().checked_sub(1) else { return Ok(0..0) };
    let run_of = |slot: usize| ends.partition_point(|end| end.to_usize().is_some_and(|end| end <= slot));
    let (first, last) = (run_of(array.offset()), run_of(array.offset().saturating_add(n_after_first)));
    if first > last || last >= ends.len() {
        return Err(IpcError::internal("checked run ends do not reach the end of the array"));
    }
    Ok(first..last + 1)
}
