//! Run-end encoded arrays. A slice keeps all of its runs in memory; in a message there are only those that it
//! reaches, their ends counted from its beginning, the last one cut off at its end.

use std::ops::Range;

use arrow_data::{ArrayData, DataErrorKind as Kind, Level, Role};

use super::{
    Sink, Walk,
    words::{Position, Width, numbers, write},
};
use crate::error::Result;

impl<S: Sink> Walk<'_, S> {
    pub(super) fn runs(&mut self, array: &ArrayData) -> Result<()> {
        let [run_ends, values] = array.children() else {
            // Both are there, by the structure of arrays.
            return array.children().iter().try_for_each(|child| self.array(child));
        };
        let layout = run_ends.layout();
        let n_runs = match Width::of(layout.data_buffers().first()) {
            Width::Bits16 => self.run_ends::<i16>(array, run_ends)?,
            Width::Bits32 => self.run_ends::<i32>(array, run_ends)?,
            Width::Bits64 => self.run_ends::<i64>(array, run_ends)?,
        };
        self.part(values, n_runs.start, n_runs.end)
    }

    /// Tells the run ends, and returns which runs of the array are written.
    fn run_ends<T: Position>(&mut self, array: &ArrayData, run_ends: &ArrayData) -> Result<Range<usize>> {
        if run_ends.null_count() > 0 {
            return self.unsound(Role::Validity, Kind::NullRunEnd);
        }
        let found = numbers::<T>(run_ends.buffer(0), run_ends.len())
            .and_then(|ends| Ok((ends, reached(array, ends)?)));
        let (ends, runs) = found.or_else(|kind| self.unsound(Role::Values, kind))?;
        let kept = ends.get(runs.clone()).unwrap_or_default();
        let n_slots = T::from_usize(array.len());
        if array.offset() == 0 && kept.last().copied() == n_slots.filter(|_| !kept.is_empty()) {
            self.part(run_ends, 0, runs.end)?;
            return Ok(runs);
        }
        // Where a number of slots does not fit, no run end can be larger than it.
        let (start, n_slots) = (T::from_usize(array.offset()).unwrap_or(T::MAX), n_slots.unwrap_or(T::MAX));
        let rebased = |end: &T| end.minus(start).min(n_slots);
        self.begin_rebuilt(kept.len());
        self.sink.rebuild(size_of_val(kept), |to| {
            write(to, kept.iter().map(rebased));
            Ok(())
        })?;
        Ok(runs)
    }

    /// The node of a child without nulls that has a values buffer, which is told next.
    fn begin_rebuilt(&mut self, n_slots: usize) {
        self.position += 1;
        self.sink.node(n_slots, 0);
        self.sink.empty();
    }
}

/// The runs that an array reaches. Run ends that are not known to be in order are looked at all, unless the array
/// consists of all of them.
fn reached<T: Position>(array: &ArrayData, ends: &[T]) -> std::result::Result<Range<usize>, Kind> {
    if array.is_empty() {
        return Ok(0..0);
    }
    let (start, end) = (array.offset(), array.offset().saturating_add(array.len()));
    let to_usize = |run_end: &T| run_end.to_usize().unwrap_or(0);
    let is_whole = start == 0 && ends.last().is_some_and(|last| to_usize(last) == end);
    if is_whole {
        return Ok(0..ends.len());
    }
    if array.checked() < Level::Content {
        check_order(ends)?;
    }
    let first = ends.partition_point(|run_end| to_usize(run_end) <= start);
    let last = ends.partition_point(|run_end| to_usize(run_end) < end);
    if last >= ends.len() {
        let run_end = ends.last().map_or(0, |run_end| (*run_end).into());
        return Err(Kind::RunsTooShort { run_end, needed: end as u64 });
    }
    // In order, so the last one is not before the first; and it is inside.
    Ok(first..last.saturating_add(1).max(first))
}

fn check_order<T: Position>(ends: &[T]) -> std::result::Result<(), Kind> {
    let mut previous = 0;
    for run_end in ends {
        let run_end: i64 = (*run_end).into();
        if run_end <= previous {
            return Err(Kind::RunEndOrder { previous, run_end });
        }
        previous = run_end;
    }
    Ok(())
}
