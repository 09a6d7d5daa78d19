//! Run-end encoded arrays.

use std::{fmt, iter::FusedIterator, ops::Range};

use arrow_buffer::Values;
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, RunEndType};

use super::{
    Array, DecodedArray, IndexedSlots, Positions,
    methods::array_methods,
    proven::{assemble, numbers},
    sealed::Slots,
};
use crate::{
    Int16Array, Int32Array, Int64Array,
    error::{ArrayError, ArrayErrorKind},
    kind::{Kind, kind},
};

/// Run-end encoded values: each run of equal values is stored once.
///
/// [`value`](RunEndEncodedArray::value) returns the index of a slot's run in [`values`](RunEndEncodedArray::values), and needs
/// a binary search. Iteration needs none. [`decoded`](RunEndEncodedArray::decoded) returns the values themselves.
///
/// The array has no nulls of its own: its `null_count` is 0. The value of a run may be null. Then the slots of the run are null
/// in [`decoded`](RunEndEncodedArray::decoded), and in [`logical_validity`](ArrayData::logical_validity) of the data.
///
/// ```
/// use arrow_array::{Float64Array, Float64Builder, RunEndEncodedBuilder};
/// use arrow_schema::RunEndType;
///
/// let array = RunEndEncodedBuilder::new(RunEndType::Int32, Float64Builder::new());
/// let array = array.with_values([Some(0.5), Some(0.5), None, None, None]).finish()?;
/// assert_eq!(array.iter().flatten().collect::<Vec<_>>(), [0, 0, 1, 1, 1]);
/// let decoded = array.decoded::<Float64Array>()?;
/// assert_eq!((decoded.get(1), decoded.get(2)), (Some(0.5), None));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Run-End Encoded Layout" of the specification.
#[derive(Clone)]
pub struct RunEndEncodedArray {
    data: ArrayData,
    run_ends: RunEndValues,
    values: ArrayData,
}

#[derive(Clone)]
enum RunEndValues {
    Int16(Values<i16>),
    Int32(Values<i32>),
    Int64(Values<i64>),
}

impl RunEndEncodedArray {
    /// Makes an array of runs: each run has the value with the same index in `values`, and ends before the slot that
    /// `run_ends` says. Run ends are int16, int32 or int64. The last one is the number of slots. Copies nothing.
    ///
    /// ```
    /// use arrow_array::{BooleanArray, Int32Array, RunEndEncodedArray};
    ///
    /// let run_ends = Int32Array::from_iter([2, 5]);
    /// let runs = RunEndEncodedArray::try_new(run_ends, BooleanArray::from_iter([Some(true), None]))?;
    /// let decoded = runs.decoded::<BooleanArray>()?;
    /// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some(true), Some(true), None, None, None]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `run_ends` have another type or nulls, do not ascend, or begin below 1. If there are fewer values than run
    /// ends. If the content of `values` is invalid.
    pub fn try_new(
        run_ends: impl Into<ArrayData>,
        values: impl Into<ArrayData>,
    ) -> Result<RunEndEncodedArray, ArrayError> {
        let (run_ends, values) = (run_ends.into(), values.into());
        let run_end_type = RunEndType::try_from(run_ends.data_type());
        let run_end = run_end_type
            .map_err(|_| ArrayError::type_mismatch("int16, int32 or int64", run_ends.data_type()))?;
        let last = match run_end {
            RunEndType::Int16 => {
                Int16Array::try_from(run_ends.clone())?.values().last().map(|end| i64::from(*end))
            }
            RunEndType::Int32 => {
                Int32Array::try_from(run_ends.clone())?.values().last().map(|end| i64::from(*end))
            }
            RunEndType::Int64 => Int64Array::try_from(run_ends.clone())?.values().last().copied(),
        };
        // The content check refuses run ends below 1. A greater one may be too large for a target of 32 bits.
        let n_slots = u64::try_from(last.unwrap_or(0)).unwrap_or(0);
        let n_slots = usize::try_from(n_slots).map_err(|_| ArrayErrorKind::RunEndOverflow {
            run_ends: run_end,
            n_slots,
            max: usize::MAX as u64,
        })?;
        let data_type = DataType::run_end_encoded(run_end, values.data_type().clone());
        let children = Some([run_ends, values].into());
        RunEndEncodedArray::try_from(assemble(ArrayParts {
            children,
            ..ArrayParts::new(data_type, n_slots)
        })?)
    }

    /// The values of all runs, one for each. If the array is a slice, this includes runs outside of the slice.
    pub fn values(&self) -> &ArrayData {
        &self.values
    }

    /// The number of stored runs. If the array is a slice, this includes runs outside of the slice.
    pub fn n_runs(&self) -> usize {
        match &self.run_ends {
            RunEndValues::Int16(ends) => ends.len(),
            RunEndValues::Int32(ends) => ends.len(),
            RunEndValues::Int64(ends) => ends.len(),
        }
    }

    /// The end of each run, as stored. In a slice, ends still count from the first slot of the array that was sliced.
    /// [`run_slots`](RunEndEncodedArray::run_slots) returns slots of the slice. An end that exceeds `usize` is `usize::MAX`.
    pub fn run_ends(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + FusedIterator {
        (0..self.n_runs()).map(|run| self.run_ends.get(run).expect("run ends have been checked"))
    }

    /// The slots of the array that belong to a run. Empty if the run is out of bounds or lies outside of the slice.
    pub fn run_slots(&self, run: usize) -> Range<usize> {
        let inside = |end: usize| end.saturating_sub(self.data.offset()).min(self.len());
        let start = run.checked_sub(1).and_then(|previous| self.run_ends.get(previous)).map_or(0, inside);
        start..self.run_ends.get(run).map_or(start, inside)
    }

    /// Combines the array with its values as a typed array, to read the decoded values.
    ///
    /// # Errors
    /// If the values are not of the type `A`.
    pub fn decoded<A: Array>(&self) -> Result<DecodedArray<RunEndEncodedArray, A>, ArrayError> {
        DecodedArray::try_new(self)
    }
}

impl RunEndValues {
    fn get(&self, run: usize) -> Option<usize> {
        let end = match self {
            RunEndValues::Int16(ends) => i64::from(*ends.get(run)?),
            RunEndValues::Int32(ends) => i64::from(*ends.get(run)?),
            RunEndValues::Int64(ends) => *ends.get(run)?,
        };
        // Run ends are positive. Where `usize` has 32 bits, the last may be past all slots that an array can have.
        Some(usize::try_from(end).unwrap_or(usize::MAX))
    }

    /// The index of the run that contains `position`. Positions count from the first slot of the first run, as run ends do.
    fn find(&self, position: usize) -> usize {
        fn search<T: Copy + Into<i64>>(ends: &[T], position: usize) -> usize {
            ends.partition_point(|end| usize::try_from((*end).into()).is_ok_and(|end| end <= position))
        }
        match self {
            RunEndValues::Int16(ends) => search(ends, position),
            RunEndValues::Int32(ends) => search(ends, position),
            RunEndValues::Int64(ends) => search(ends, position),
        }
    }
}

impl Slots for RunEndEncodedArray {
    type Item<'a> = usize;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<RunEndEncodedArray, ArrayError> {
        let mismatch = |data: &ArrayData| ArrayError::type_mismatch("run_end_encoded", data.data_type());
        if kind(data.data_type()) != Kind::RunEndEncoded {
            return Err(mismatch(&data));
        }
        let data = data.validate(Validation::Content)?;
        let runs = data.data_type().as_run_end_encoded().ok_or_else(|| mismatch(&data))?;
        let [ends, values] = data.children() else { return Err(mismatch(&data)) };
        let buffer = ends.buffer(0);
        let n = ends.len();
        let run_ends = match runs.run_end_type() {
            RunEndType::Int16 => RunEndValues::Int16(numbers(buffer, n)?),
            RunEndType::Int32 => RunEndValues::Int32(numbers(buffer, n)?),
            RunEndType::Int64 => RunEndValues::Int64(numbers(buffer, n)?),
        };
        Ok(RunEndEncodedArray { values: values.clone(), data, run_ends })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> usize {
        self.run_ends.find(self.data.offset().saturating_add(slot))
    }

    // This is never called: an array of runs has no null slots of its own.
    fn zero_value(&self) -> usize {
        0
    }
}

impl Positions for RunEndEncodedArray {
    type Iter<'a> = RunIter<'a>;

    fn encoded_values(&self) -> &ArrayData {
        &self.values
    }

    fn positions(&self) -> RunIter<'_> {
        self.iter()
    }

    fn count_where(&self, meets: impl Fn(Option<usize>) -> bool) -> usize {
        let Some(last) = self.len().checked_sub(1) else { return 0 };
        let runs = (self.at(0)..=self.at(last)).filter(|run| meets(Some(*run)));
        runs.map(|run| self.run_slots(run).len()).sum()
    }
}

array_methods!([] RunEndEncodedArray, usize, iter = RunIter<'a>, RunIter::new);

/// For each slot of a [`RunEndEncodedArray`] in order, the index of its run. Can also be read from the end.
#[derive(Clone)]
pub struct RunIter<'a> {
    array: &'a RunEndEncodedArray,
    slots: Range<usize>,
    /// The run of the next slot, or the run before it.
    front: usize,
    /// The run of the last remaining slot, or the run after it.
    back: usize,
}

impl<'a> RunIter<'a> {
    fn new(array: &'a RunEndEncodedArray) -> RunIter<'a> {
        let slots = 0..array.len();
        let back = array.len().checked_sub(1).map_or(0, |last| array.at(last));
        RunIter { array, front: array.at(0), back, slots }
    }

    /// Adds the offset of the slice to a slot. Run ends count from the start of the unsliced array.
    fn absolute(&self, slot: usize) -> usize {
        self.array.data.offset().saturating_add(slot)
    }
}

impl Iterator for RunIter<'_> {
    type Item = Option<usize>;

    fn next(&mut self) -> Option<Option<usize>> {
        let position = self.slots.next().map(|slot| self.absolute(slot))?;
        while self.array.run_ends.get(self.front).is_some_and(|end| end <= position) {
            self.front += 1;
        }
        Some(Some(self.front))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }

    /// Finds the run by binary search instead of stepping over `n` slots.
    fn nth(&mut self, n: usize) -> Option<Option<usize>> {
        let slot = self.slots.nth(n)?;
        self.front = self.array.at(slot);
        Some(Some(self.front))
    }

    fn count(self) -> usize {
        self.slots.len()
    }

    fn last(mut self) -> Option<Option<usize>> {
        self.next_back()
    }

    /// Folds run by run. The inner loop does not compare with the end of the run.
    fn fold<B, F: FnMut(B, Option<usize>) -> B>(self, start: B, mut step: F) -> B {
        let mut folded = start;
        let mut from = self.slots.start;
        let mut run = self.front;
        while from < self.slots.end {
            let end = self.array.run_ends.get(run).expect("run ends have been checked");
            let to = end.saturating_sub(self.array.data.offset()).min(self.slots.end);
            folded = (from..to).fold(folded, |folded, _| step(folded, Some(run)));
            // The first run may begin before the first slot of the iteration.
            from = from.max(to);
            run += 1;
        }
        folded
    }
}

impl DoubleEndedIterator for RunIter<'_> {
    fn next_back(&mut self) -> Option<Option<usize>> {
        let position = self.slots.next_back().map(|slot| self.absolute(slot))?;
        while let Some(before) = self.back.checked_sub(1)
            && self.array.run_ends.get(before).is_some_and(|end| end > position)
        {
            self.back = before;
        }
        Some(Some(self.back))
    }

    fn nth_back(&mut self, n: usize) -> Option<Option<usize>> {
        let slot = self.slots.nth_back(n)?;
        self.back = self.array.at(slot);
        Some(Some(self.back))
    }
}

impl ExactSizeIterator for RunIter<'_> {}

impl FusedIterator for RunIter<'_> {}

impl fmt::Debug for RunIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunIter").field("array", self.array).field("slots", &self.slots).finish()
    }
}
