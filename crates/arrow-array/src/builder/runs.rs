//! Builders that run-end encode values.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, RunEndType};
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder, FirstFailure,
    append::{LookupKey, SlotLookup},
    assemble,
    children::{append_unused, retyped},
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    value_comparer::ValueComparer,
};
use crate::{
    array::RunEndEncodedArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds run-end encoded arrays. `B` builds the values, one for each run of equal values.
///
/// Floating-point numbers are equal if they have the same bits. Nulls form runs, too, so the array itself has no nulls. If
/// there are more slots than the type of the run ends can express, `finish` returns an error.
///
/// ```
/// use arrow_array::{RunEndEncodedBuilder, Utf8Array, Utf8Builder};
/// use arrow_schema::RunEndType;
///
/// let mut states = RunEndEncodedBuilder::new(RunEndType::Int32, Utf8Builder::new());
/// states.extend(["on", "on", "off"]);
/// states.append_nulls(2);
/// let states = states.finish()?;
/// assert_eq!((states.len(), states.n_runs()), (5, 3));
/// let decoded = states.decoded::<Utf8Array>()?;
/// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some("on"), Some("on"), Some("off"), None, None]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct RunEndEncodedBuilder<B> {
    data_type: DataType,
    run_end_type: RunEndType,
    n_slots: usize,
    run_ends: Vec<i64>,
    values: B,
    recogniser: ValueComparer,
    failure: FirstFailure,
}

impl<B: Builder> RunEndEncodedBuilder<B> {
    /// Makes an empty builder. `values` builds the values of runs. The fields have the names of the format: `run_ends` and
    /// `values`. Removes values that are already in `values`.
    pub fn new(run_end_type: RunEndType, values: B) -> Self {
        let data_type = DataType::run_end_encoded(run_end_type, values.data_type().clone());
        RunEndEncodedBuilder::from_data_type(data_type, run_end_type, values)
    }

    fn from_data_type(data_type: DataType, run_end_type: RunEndType, mut values: B) -> Self {
        values.truncate(0);
        let run_ends = Vec::new();
        let recogniser = ValueComparer::default();
        let failure = FirstFailure::default();
        RunEndEncodedBuilder { data_type, run_end_type, n_slots: 0, run_ends, values, recogniser, failure }
    }

    /// Sets the type of the array, which may differ from the previous type in names, nullability and metadata of fields.
    ///
    /// # Errors
    /// If the type differs in anything else.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let data_type =
            retyped(&self.data_type, data_type, &[&self.run_end_type.into(), self.values.data_type()])?;
        Ok(RunEndEncodedBuilder { data_type, ..self })
    }

    /// The builder of the values, with one value for each run so far.
    pub fn values(&self) -> &B {
        &self.values
    }

    /// Appends one slot. `append` must append exactly one value to the builder of values. If `append` appends nothing, the slot
    /// is null.
    pub fn append_with(&mut self, append: impl FnOnce(&mut B)) {
        self.begin();
        append(&mut self.values);
        self.close();
    }

    /// Like [`append_with`](RunEndEncodedBuilder::append_with), for an `append` that can fail. After an error, the values that
    /// it appended stay until [`truncate`](RunEndEncodedBuilder::truncate) removes them.
    pub fn try_append_with<E>(&mut self, append: impl FnOnce(&mut B) -> Result<(), E>) -> Result<(), E> {
        self.begin();
        append(&mut self.values)?;
        self.close();
        Ok(())
    }

    /// Like [`try_append_with`](RunEndEncodedBuilder::try_append_with), but adds no slot if `append` appends nothing.
    pub fn try_append_some<E>(&mut self, append: impl FnOnce(&mut B) -> Result<(), E>) -> Result<(), E> {
        self.begin();
        append(&mut self.values)?;
        if self.values.len() != self.run_ends.len() {
            self.close();
        }
        Ok(())
    }

    /// The builder of the values, for appending the next value in several steps. After the value, call
    /// [`close`](RunEndEncodedBuilder::close), which makes a slot from it. Otherwise the next append, `truncate` or `finish`
    /// removes the value.
    #[inline]
    pub fn values_mut(&mut self) -> &mut B {
        &mut self.values
    }

    /// Makes a slot from the one value that was appended to [`values_mut`](RunEndEncodedBuilder::values_mut) since the last
    /// slot. The slot is null if no value was appended.
    pub fn close(&mut self) {
        let n_before = self.run_ends.len();
        match self.values.len().checked_sub(n_before) {
            Some(1) => self.recognise(1),
            Some(0) => self.append_nulls(1),
            Some(n_found) => {
                let kind = ArrayErrorKind::NotOneValue { found: n_found as u64 };
                self.failure.remember(self.n_slots, kind);
                self.append_nulls(1);
            }
            // The caller has removed values of earlier slots, which `append_nulls` notices.
            None => self.append_nulls(1),
        }
    }

    /// Makes the builder of the values have one value for each run.
    #[inline]
    fn begin(&mut self) {
        if self.is_unfinished() {
            self.settle();
        }
    }

    /// Removes a value without a slot, which a panic may have left. If the caller has removed values of runs, stores an
    /// error of the first slot of the first such run, and appends others in their place, so that the next values do not
    /// become theirs.
    #[cold]
    fn settle(&mut self) {
        let (n_values, n_runs) = (self.values.len(), self.run_ends.len());
        self.values.truncate(n_runs);
        if n_values < n_runs {
            self.failure.remember(self.start_of(n_values), ArrayErrorKind::NotOneValue { found: 0 });
            append_unused(&mut self.values, n_runs.saturating_sub(n_values));
        }
    }

    /// Compares the last value with the value of the last run. If they are equal, extends the run and removes the last value.
    fn recognise(&mut self, n_slots: usize) {
        let position = self.run_ends.len();
        if let Some(error) = self.values.error() {
            self.failure.remember(self.n_slots, self.in_values(error));
            self.values.truncate(position);
            self.values.append_null();
        }
        let is_same = match position.checked_sub(1) {
            Some(last) => self.recogniser.same(&self.values, [last, position]),
            None => Ok(false),
        };
        match is_same {
            Ok(true) => self.values.truncate(position),
            Ok(false) => self.run_ends.push(0),
            Err(error) => {
                self.failure.remember(self.n_slots, self.in_values(error.into()));
                self.run_ends.push(0);
            }
        }
        self.extend_run(n_slots);
    }

    /// Appends slots with one value, which `append` appends.
    fn append_run(&mut self, n_slots: usize, append: impl FnOnce(&mut B)) {
        if n_slots > 0 {
            self.begin();
            append(&mut self.values);
            self.recognise(n_slots);
        }
    }

    fn extend_run(&mut self, n_slots: usize) {
        let n_slots = self.n_slots.saturating_add(n_slots);
        let run_ends = self.run_end_type;
        let max = max_run_end(self.run_end_type);
        if n_slots as u64 > max {
            let kind = ArrayErrorKind::RunEndOverflow { run_ends, n_slots: n_slots as u64, max };
            let first = usize::try_from(max).unwrap_or(usize::MAX);
            self.failure.remember(first.max(self.n_slots), kind);
        }
        let last = self.run_ends.last_mut().expect("a slot is in a run");
        // If there are too many slots, an error is stored already.
        *last = i64::try_from(n_slots).unwrap_or(i64::MAX);
        self.n_slots = n_slots;
    }

    fn in_values(&self, error: ArrayError) -> ArrayError {
        error.in_field(1, self.data_type.children().get(1).map_or("", |field| field.name()))
    }

    #[cold]
    fn start_of(&self, run: usize) -> usize {
        let end = run.checked_sub(1).and_then(|before| self.run_ends.get(before));
        end.map_or(0, |end| usize::try_from(*end).unwrap_or_default())
    }

    fn run_of(&self, slot: usize) -> usize {
        self.run_ends.partition_point(|end| usize::try_from(*end).is_ok_and(|end| end <= slot))
    }
}

impl<B: Builder> Builder for RunEndEncodedBuilder<B> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.n_slots
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.append_run(n_slots, |values| values.append_null());
    }

    fn reserve(&mut self, _n_slots: usize) {}

    fn truncate(&mut self, n_slots: usize) {
        if n_slots < self.n_slots {
            let n_runs = n_slots.checked_sub(1).map_or(0, |last| self.run_of(last).saturating_add(1));
            self.run_ends.truncate(n_runs);
            self.n_slots = n_slots;
            // The last run may have become shorter, so its end changes.
            if let Some(last) = self.run_ends.last_mut() {
                *last = i64::try_from(n_slots).unwrap_or(i64::MAX);
            }
            self.failure.truncate(n_slots);
        }
        // This also removes a value without a slot.
        self.values.truncate(self.run_ends.len());
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| self.values.error().map(|error| self.in_values(error)))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), std::mem::take(&mut self.n_slots));
        let ends = std::mem::take(&mut self.run_ends);
        let values = self.values.finish_data();
        self.failure.take()?;
        let mut run_end_parts = ArrayParts::new(self.run_end_type.into(), ends.len());
        if let Some(buffer) = run_end_parts.buffers.first_mut() {
            *buffer = run_ends(ends, self.run_end_type);
        }
        let values = values.map_err(|error| self.in_values(error))?;
        assemble(ArrayParts { children: Some([assemble(run_end_parts)?, values].into()), ..parts })
    }
}

impl<B: Builder> Slots for RunEndEncodedBuilder<B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        self.values.is_null_slot(self.run_of(slot))
    }

    fn max_nulls(&self) -> usize {
        if self.refuses_nulls() {
            return 0;
        }
        let max = usize::try_from(max_run_end(self.run_end_type)).unwrap_or(usize::MAX);
        max.min(self.values.max_nulls())
    }

    fn is_unfinished(&self) -> bool {
        self.values.len() != self.run_ends.len() || self.values.is_unfinished()
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        self.values.write_value(self.run_of(slot), to)
    }

    fn refuses_nulls(&self) -> bool {
        let values = self.data_type.children().get(1);
        values.is_some_and(|field| !field.is_nullable()) || self.values.refuses_nulls()
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.append_run(n_slots, |values| values.append_zeros(1));
    }
}

impl<V, B: Append<V>> Append<V> for RunEndEncodedBuilder<B> {
    #[inline]
    fn append(&mut self, value: V) {
        let last = self.run_ends.len().checked_sub(1);
        if last.is_some_and(|last| self.values.holds(last, &value)) {
            self.begin();
            self.extend_run(1);
        } else {
            self.begin();
            self.values.append(value);
            self.recognise(1);
        }
    }
}

impl<V, B: Append<V>> SlotLookup<V> for RunEndEncodedBuilder<B> {
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        self.values.look(value, hasher)
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        self.values.holds(self.run_of(slot), value)
    }
}

builder_methods!([B: Builder,] RunEndEncodedBuilder<B> => RunEndEncodedArray);

/// The largest run end that the integer type can express.
fn max_run_end(run_ends: RunEndType) -> u64 {
    match run_ends {
        RunEndType::Int16 => i16::MAX as u64,
        RunEndType::Int32 => i32::MAX as u64,
        RunEndType::Int64 => i64::MAX as u64,
    }
}

/// Makes a buffer of run ends, in the given integer type. Each run end is at most the [`max_run_end`] of the type.
fn run_ends(ends: Vec<i64>, run_ends: RunEndType) -> Buffer {
    match run_ends {
        RunEndType::Int16 => ends.into_iter().map(|end| end as i16).collect(),
        RunEndType::Int32 => ends.into_iter().map(|end| end as i32).collect(),
        RunEndType::Int64 => Buffer::from(ends),
    }
}
