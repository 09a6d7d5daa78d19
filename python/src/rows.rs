//! Selects columns by name, and rows by slices. Also reads rows across the batches of a file.

use std::ops::Range;

use arrow_data::RecordBatch;
use arrow_ipc_tools::cursor::BatchCounts;
use arrow_select::Select;
use pyo3::{
    exceptions::{PyMemoryError, PyTypeError},
    prelude::*,
    types::{PyList, PySlice, PyString, PyTuple, slice::PySliceIndices},
};

use crate::{
    calls,
    error::{Result, exception},
    file::Reader,
    joined_rows::JoinedRows,
    options,
    prefetch::BatchPrefetch,
    stream_end::check_end,
    values::ValueFactory,
};

/// What is in the brackets after a batch or file.
pub(crate) enum Key<'a, 'py> {
    /// A text: the name of a column.
    Column,
    /// A list or tuple of columns.
    Columns(&'a Bound<'py, PyAny>),
    /// A slice of rows.
    Rows(&'a Bound<'py, PySlice>),
}

impl<'a, 'py> Key<'a, 'py> {
    /// # Errors
    /// `TypeError` for any other object. If it is a number, the error has the advice `from_number`.
    pub(crate) fn try_new(key: &'a Bound<'py, PyAny>, from_number: &str) -> PyResult<Key<'a, 'py>> {
        if let Ok(rows) = key.cast::<PySlice>() {
            return Ok(Key::Rows(rows));
        }
        if key.is_instance_of::<PyString>() {
            return Ok(Key::Column);
        }
        if key.is_instance_of::<PyList>() || key.is_instance_of::<PyTuple>() {
            return Ok(Key::Columns(key));
        }
        if options::number(key)?.is_some() {
            return Err(exception::<PyTypeError>(format!(
                "a number alone may mean several things: {from_number}"
            )));
        }
        let found = key.get_type();
        let mut text = format!("expected a name, a list of names, or a slice of rows, found {found}");
        // An array is a mask, or has positions of rows.
        if key.hasattr("__array__")? {
            text.push_str(": `filter(mask)` of a batch takes the rows of a mask, and `filter(\"price > 10\")` those of a condition");
        }
        Err(exception::<PyTypeError>(text))
    }
}

pub(crate) fn slice<'py>(py: Python<'py>, start: i64, stop: Option<i64>) -> PyResult<Bound<'py, PySlice>> {
    Ok(py.get_type::<PySlice>().call1((start, stop))?.cast_into()?)
}

/// The slots that a slice with a step selects. They count against the budget like values, because an array of nulls
/// or runs can have any number of slots.
pub(crate) fn step_slots(making: &ValueFactory<'_>, slice: &PySliceIndices) -> PyResult<Vec<u64>> {
    making.check(slice.slicelength)?;
    let mut slots = Vec::new();
    slots
        .try_reserve_exact(slice.slicelength)
        .map_err(|error| exception::<PyMemoryError>(error.to_string()))?;
    slots.extend((0..slice.slicelength.cast_signed()).map(|k| (slice.start + k * slice.step) as u64));
    Ok(slots)
}

/// Chooses random rows out of `n_rows`. Returns them in ascending order.
pub(crate) fn sample_rows(
    py: Python<'_>,
    n_rows: u64,
    n_wanted: u64,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<u64>> {
    let random = calls::method(py.import("random")?.as_any(), "Random", (seed,))?;
    let rows = py.import("builtins")?.getattr("range")?.call1((n_rows,))?;
    let mut chosen: Vec<u64> = calls::method(&random, "sample", (rows, n_wanted.min(n_rows)))?.extract()?;
    chosen.sort_unstable();
    Ok(chosen)
}

/// Reads all rows of a file. Counts none before. Raises the error of `check_end`.
pub(crate) fn read_all(reader: &Reader, n_threads: usize) -> Result<JoinedRows> {
    let batches = collected(BatchPrefetch::for_collecting(reader, n_threads))?;
    JoinedRows::try_new(reader.schema(), batches)
}

/// Reads all of these batches. Notices Ctrl-C between two of them.
fn collected(batches: BatchPrefetch) -> Result<Vec<RecordBatch>> {
    let mut read = Vec::new();
    for batch in batches {
        read.push(batch?);
        Python::attach(|py| py.check_signals())?;
    }
    Ok(read)
}

/// Rows of batches, as pairs of the index of a batch and rows of it.
type RowParts = Vec<(usize, Range<u64>)>;

/// Reads a range of rows of a file. Reads no metadata of batches long after the range. If the range ends after the last
/// complete batch of a stream, checks the end of the stream.
pub(crate) fn read_rows(reader: &Reader, n_threads: usize, rows: Range<u64>) -> Result<JoinedRows> {
    let mut parts = Vec::new();
    let mut counts = BatchCounts::default();
    let (mut first, mut last_end) = (0_u64, 0);
    for batch_idx in 0..reader.n_batches() {
        if first >= rows.end {
            break;
        }
        let n_rows = counts.n_rows_of(reader, batch_idx..reader.n_batches(), rows.end - first)?;
        let start = rows.start.saturating_sub(first);
        let end = rows.end.saturating_sub(first).min(n_rows);
        if start < end {
            parts.push((batch_idx, start..end));
            last_end = n_rows;
        }
        first = first.saturating_add(n_rows);
    }
    if first < rows.end {
        check_end(reader)?;
    }
    JoinedRows::try_new(reader.schema(), read_contiguous(reader, n_threads, parts, last_end)?)
}

/// Reads contiguous rows: whole batches as an iteration does, and the rows of the first and the last batch, if they are not whole, alone.
/// `last_end` is the number of rows of the last batch.
fn read_contiguous(
    reader: &Reader,
    n_threads: usize,
    parts: RowParts,
    last_end: u64,
) -> Result<Vec<RecordBatch>> {
    let n_parts = parts.len();
    let is_whole = |idx: usize, rows: &Range<u64>| {
        rows.start == 0 && (idx.saturating_add(1) < n_parts || rows.end == last_end)
    };
    let mut whole = parts.iter().enumerate().filter(|(idx, (_, rows))| is_whole(*idx, rows));
    // No batch between the first and the last has rows that are not read, so the whole ones are a range of batches.
    let first = whole.next().map(|(idx, (batch_idx, _))| (idx, *batch_idx));
    let last = whole.next_back().map(|(idx, (batch_idx, _))| (idx, *batch_idx));
    let Some(((first_idx, start), (last_idx, last))) = first.zip(last) else {
        return read(reader, &parts);
    };
    let after = last_idx.saturating_add(1);
    let edges: RowParts = parts.iter().take(first_idx).chain(parts.iter().skip(after)).cloned().collect();
    let mut edges = read(reader, &edges)?.into_iter();
    let mut batches: Vec<RecordBatch> = edges.by_ref().take(first_idx).collect();
    let has_rows = |batch: &RecordBatch| batch.n_rows() > 0;
    let range = BatchPrefetch::for_range(reader, n_threads, start..last.saturating_add(1));
    batches.extend(collected(range)?.into_iter().filter(has_rows));
    batches.extend(edges);
    Ok(batches)
}

/// Where the rows of each batch of a file end, counted over all batches.
#[derive(Debug)]
pub(crate) struct RowEnds(Vec<u64>);

impl RowEnds {
    /// Reads the metadata of all batches at once.
    ///
    /// # Errors
    /// If metadata cannot be read or is malformed, or if there are more rows than can be counted.
    pub(crate) fn try_new(reader: &Reader) -> Result<RowEnds> {
        let mut ends = reader.n_rows_of_each(0..reader.n_batches())?;
        let mut n_rows = 0_u64;
        for end in &mut ends {
            n_rows = n_rows.saturating_add(*end);
            *end = n_rows;
        }
        if i64::try_from(n_rows).is_err() {
            // Returns the error for too many rows.
            reader.n_rows()?;
        }
        Ok(RowEnds(ends))
    }

    pub(crate) fn n_rows(&self) -> u64 {
        self.0.last().copied().unwrap_or_default()
    }

    /// The batch with a row, and the rows of that batch. `None` if there is no such row.
    fn batch_with(&self, row: u64) -> Option<(usize, Range<u64>)> {
        let batch_idx = self.0.partition_point(|end| *end <= row);
        let first =
            batch_idx.checked_sub(1).and_then(|before| self.0.get(before)).copied().unwrap_or_default();
        Some((batch_idx, first..*self.0.get(batch_idx)?))
    }
}

/// Reads a range of rows of a file, and no other batch.
pub(crate) fn read_rows_at(
    reader: &Reader,
    n_threads: usize,
    ends: &RowEnds,
    rows: Range<u64>,
) -> Result<JoinedRows> {
    let mut parts = Vec::new();
    let (mut row, mut last_end) = (rows.start, 0);
    while row < rows.end
        && let Some((batch_idx, here)) = ends.batch_with(row)
    {
        parts.push((batch_idx, row - here.start..here.end.min(rows.end) - here.start));
        last_end = here.end - here.start;
        row = here.end;
    }
    JoinedRows::try_new(reader.schema(), read_contiguous(reader, n_threads, parts, last_end)?)
}

/// The largest number of batches whose rows are counted at once.
const MAX_COUNTED_BATCHES: usize = 4096;

/// Reads the last rows of a file. Does not read the batches before them. Counts batches in groups, from the last one, each so long that it
/// probably has the rows that are still missing.
pub(crate) fn last_of_file(reader: &Reader, n_threads: usize, n_wanted: u64) -> Result<JoinedRows> {
    check_end(reader)?;
    let mut parts = Vec::new();
    let mut last_end = 0;
    let (mut n_left, mut end, mut n_group) = (n_wanted, reader.n_batches(), 1_usize);
    while n_left > 0 && end > 0 {
        let start = end.saturating_sub(n_group);
        let counts = reader.n_rows_of_each(start..end)?;
        for (batch_idx, n_rows) in (start..end).zip(counts).rev() {
            if n_left == 0 {
                break;
            }
            if parts.is_empty() {
                last_end = n_rows;
            }
            if n_rows > 0 {
                parts.push((batch_idx, n_rows.saturating_sub(n_left)..n_rows));
            }
            n_left = n_left.saturating_sub(n_rows);
        }
        let n_batches = (reader.n_batches() - start) as u64;
        let n_rows_of_one = (n_wanted - n_left).div_ceil(n_batches).max(1);
        n_group =
            usize::try_from(n_left.div_ceil(n_rows_of_one)).unwrap_or(usize::MAX).min(MAX_COUNTED_BATCHES);
        end = start;
    }
    parts.reverse();
    JoinedRows::try_new(reader.schema(), read_contiguous(reader, n_threads, parts, last_end)?)
}

/// Reads rows by their numbers, which must be in ascending order. In each batch, reads all rows from the first to the
/// last of them.
pub(crate) fn take_rows(reader: &Reader, ends: &RowEnds, rows: &[u64]) -> Result<JoinedRows> {
    let mut parts = Vec::new();
    let mut slots = Vec::new();
    let mut left = rows;
    while let [lowest, ..] = left
        && let Some((batch_idx, batch)) = ends.batch_with(*lowest)
    {
        let (here, later) = left.split_at(left.partition_point(|row| *row < batch.end));
        let highest = here.last().unwrap_or(lowest);
        parts.push((batch_idx, lowest - batch.start..highest - batch.start + 1));
        slots.push(here.iter().map(|row| row - lowest).collect::<Vec<u64>>());
        left = later;
    }
    // The memory of each batch is free again when its rows have been copied.
    let mut slots = slots.into_iter();
    let taken = |batch: RecordBatch| Ok(batch.take(&slots.next().unwrap_or_default())?);
    JoinedRows::try_new(reader.schema(), read_with(reader, &parts, taken)?)
}

/// Reads a range of rows from each batch in `parts`.
fn read(reader: &Reader, parts: &[(usize, Range<u64>)]) -> Result<Vec<RecordBatch>> {
    read_with(reader, parts, Ok)
}

/// Reads a range of rows from each batch in `parts`, and collects the results of `take`. Fetches several batches at once, and
/// notices Ctrl-C after each fetch.
fn read_with(
    reader: &Reader,
    parts: &[(usize, Range<u64>)],
    mut take: impl FnMut(RecordBatch) -> Result<RecordBatch>,
) -> Result<Vec<RecordBatch>> {
    let mut pieces = Vec::with_capacity(parts.len());
    while let Some(left) = parts.get(pieces.len()..).filter(|left| !left.is_empty()) {
        for batch in reader.rows_of_each(left)? {
            pieces.push(take(batch)?);
        }
        Python::attach(|py| py.check_signals())?;
    }
    Ok(pieces)
}
