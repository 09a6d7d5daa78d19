//! Collects rows until a batch is full. Limits the memory of rows that wait, and the number of batches into which
//! rows are divided. Without these limits, an input of a few bytes could need any amount of memory.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use arrow_array::ArrayError;
use arrow_buffer::{Budget, Buffer, MemoryBudget};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};
use arrow_select::{Select, UnusedValues, concat_batches};

use crate::error::ToolErrorKind;

/// Counts the memory of rows that are in memory while more rows are read. The limit depends on the length of the
/// input, because a few bytes can decompress to any number of bytes.
#[derive(Debug, Clone, Default)]
pub struct WaitingRows {
    n_bytes: u64,
    /// For each buffer of a dictionary, by its address: its length, and the number of arrays that use it. Several
    /// batches may share a buffer.
    dictionaries: HashMap<usize, (usize, usize)>,
    /// The number of bytes of all previous inputs.
    n_before: u64,
    /// The number of bytes that were read from all inputs; `None` before the first call of `has_read`.
    n_read: Option<u64>,
}

impl WaitingRows {
    /// Sets how many bytes of the current input have been read. The limit grows with the bytes of all inputs
    /// together. Before the first call, there is no limit.
    pub fn has_read(&mut self, n_bytes: u64) {
        self.n_read = Some(self.n_before.saturating_add(n_bytes));
    }

    /// Ends the current input. Later calls of [`has_read`](WaitingRows::has_read) count the bytes of the next input.
    pub fn end_input(&mut self) {
        self.n_before = self.n_read.unwrap_or_default();
    }

    /// Adds rows to the count. A dictionary counts once for all rows that share it. If its buffers have grown in
    /// place, the new length counts.
    pub fn add(&mut self, rows: &RecordBatch) {
        self.n_bytes = self.n_bytes.saturating_add(bytes_of_batch(rows));
        self.add_dictionaries(rows);
    }

    /// Adds the dictionaries of rows to the count, but not the rows.
    pub(crate) fn add_dictionaries(&mut self, rows: &RecordBatch) {
        each_buffer_of_dictionaries(rows.columns(), &mut |buffer| {
            let (n_known, n_arrays) = self.dictionaries.entry(buffer.as_ptr().addr()).or_default();
            self.n_bytes = self.n_bytes.saturating_add(buffer.len().saturating_sub(*n_known) as u64);
            (*n_known, *n_arrays) = (buffer.len().max(*n_known), n_arrays.saturating_add(1));
        });
    }

    /// Subtracts rows that were added earlier.
    pub fn remove(&mut self, rows: &RecordBatch) {
        self.n_bytes = self.n_bytes.saturating_sub(bytes_of_batch(rows));
        each_buffer_of_dictionaries(rows.columns(), &mut |buffer| {
            let Entry::Occupied(mut known) = self.dictionaries.entry(buffer.as_ptr().addr()) else { return };
            match known.get_mut() {
                (n_known, 0 | 1) => {
                    self.n_bytes = self.n_bytes.saturating_sub(*n_known as u64);
                    known.remove();
                }
                (_, n_arrays) => *n_arrays -= 1,
            }
        });
    }

    /// Adds bytes of something other than rows.
    pub fn add_bytes(&mut self, n_bytes: u64) {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
    }

    /// Subtracts bytes of something other than rows.
    pub fn remove_bytes(&mut self, n_bytes: u64) {
        self.n_bytes = self.n_bytes.saturating_sub(n_bytes);
    }

    /// The number of bytes that have been added and not subtracted.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Checks that the counted rows do not exceed the limit for the bytes that have been read.
    ///
    /// # Errors
    /// If the rows take too much memory.
    pub fn check(&self) -> Result<(), ToolErrorKind> {
        let n_bytes = self.n_bytes;
        let max_bytes = self.n_read.map_or(u64::MAX, MemoryBudget::default_limit);
        if n_bytes > max_bytes { Err(ToolErrorKind::RowMemory { n_bytes, max_bytes }) } else { Ok(()) }
    }

    /// The number of bytes of rows. Dictionaries do not count, because batches share them.
    pub fn bytes_of_rows(rows: &RecordBatch) -> u64 {
        fn dictionary_bytes(array: &ArrayData) -> u64 {
            let own = array.dictionary().map_or(0, |values| values.n_bytes());
            array.children().iter().map(dictionary_bytes).fold(own, u64::saturating_add)
        }
        let own = |array: &ArrayData| array.n_bytes().saturating_sub(dictionary_bytes(array));
        rows.columns().iter().map(own).fold(0, u64::saturating_add)
    }

    fn clear(&mut self) {
        self.n_bytes = 0;
        self.dictionaries.clear();
    }
}

/// Rows that wait to be joined into one batch.
#[derive(Debug, Default)]
pub(crate) struct BatchAccumulator {
    batches: Vec<RecordBatch>,
    /// The metadata of the message that contains the first row.
    metadata: Metadata,
    n_rows: usize,
    n_bytes: u64,
    pub(crate) memory: WaitingRows,
}

impl BatchAccumulator {
    pub(crate) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of bytes of the rows that wait, without dictionaries.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The metadata of the joined batch; `None` if no rows wait.
    pub(crate) fn metadata(&self) -> Option<&Metadata> {
        (!self.is_empty()).then_some(&self.metadata)
    }

    /// Adds rows of a batch whose message has this metadata.
    ///
    /// # Errors
    /// If all rows together take too much memory. The rows of the first batch are always added, because the limits of
    /// reading have already bounded them.
    pub(crate) fn push(&mut self, rows: RecordBatch, metadata: &Metadata) -> Result<(), ToolErrorKind> {
        self.memory.add(&rows);
        if self.is_empty() {
            self.metadata = metadata.clone();
        } else if let Err(error) = self.memory.check() {
            self.memory.remove(&rows);
            return Err(error);
        }
        self.n_rows = self.n_rows.saturating_add(rows.n_rows());
        self.n_bytes = self.n_bytes.saturating_add(WaitingRows::bytes_of_rows(&rows));
        self.batches.push(rows);
        Ok(())
    }

    /// Joins all rows into one batch, and returns it with its metadata; `None` if no rows wait.
    ///
    /// # Errors
    /// If the rows have too many bytes for one batch.
    pub(crate) fn take(
        &mut self,
        schema: &Arc<Schema>,
    ) -> Result<Option<(RecordBatch, Metadata)>, ToolErrorKind> {
        self.n_rows = 0;
        self.n_bytes = 0;
        self.memory.clear();
        let batch = match <[RecordBatch; 1]>::try_from(std::mem::take(&mut self.batches)) {
            Ok([batch]) => batch,
            Err(batches) if batches.is_empty() => return Ok(None),
            Err(batches) => {
                let joined = concat_batches(Arc::clone(schema), &batches);
                joined.map_err(|error| ToolErrorKind::Output(error.into()))?
            }
        };
        Ok(Some((batch, std::mem::take(&mut self.metadata))))
    }
}

/// The result of [`WaitingRows::bytes_of_rows`], plus the memory of each `ArrayData`. In small batches, these may need
/// more memory than the buffers.
fn bytes_of_batch(rows: &RecordBatch) -> u64 {
    fn n_arrays(arrays: &[ArrayData]) -> u64 {
        arrays.iter().map(|array| n_arrays(array.children()).saturating_add(1)).fold(0, u64::saturating_add)
    }
    let n_bytes = n_arrays(rows.columns()).saturating_mul(size_of::<ArrayData>() as u64);
    WaitingRows::bytes_of_rows(rows).saturating_add(n_bytes)
}

fn each_buffer_of_dictionaries(arrays: &[ArrayData], visit: &mut impl FnMut(&Buffer)) {
    for array in arrays {
        if let Some(values) = array.dictionary() {
            each_buffer(values, visit);
        }
        each_buffer_of_dictionaries(array.children(), visit);
    }
}

fn each_buffer(values: &ArrayData, visit: &mut impl FnMut(&Buffer)) {
    let validity = values.validity().map(|validity| validity.buffer());
    let buffers = [values.buffer(0), values.buffer(1)].into_iter().chain(validity).chain(values.variadic());
    buffers.filter(|buffer| !buffer.is_empty()).for_each(&mut *visit);
    let below = values.children().iter().chain(values.dictionary().map(|values| &**values));
    below.for_each(|values| each_buffer(values, visit));
}

/// The number of batches that is always allowed.
const LEAST_PIECES: u64 = 1 << 16;

/// Limits the number of batches into which rows are divided, to 65,536 plus one for each bit of the batches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutLimit(Budget);

impl CutLimit {
    pub(crate) fn new() -> CutLimit {
        CutLimit(Budget::new(LEAST_PIECES))
    }

    /// Counts the batches that result when the next `n_rows` rows of a batch are divided into batches of
    /// `n_rows_each` rows.
    ///
    /// # Errors
    /// If there would be too many batches.
    pub(crate) fn take(
        &mut self,
        batch: &RecordBatch,
        n_rows: u64,
        n_rows_each: u64,
    ) -> Result<(), ToolErrorKind> {
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        self.0.add(n_bytes.saturating_mul(8));
        let max_pieces = self.0.n_left();
        let n_pieces = n_rows.div_ceil(n_rows_each.max(1));
        let refused = |_| ToolErrorKind::TooManyPieces { n_rows, n_pieces, max_pieces };
        self.0.spend("batches", n_pieces).map_err(refused)
    }
}

/// Prepares rows to wait in memory. If they use less than half of the memory of their batch, returns a copy.
/// Otherwise the whole batch would stay in memory.
///
/// # Errors
/// If the rows are invalid.
pub(crate) fn waiting(rows: &RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
    let used = rows.with_used_items(UnusedValues::Bounded).map_err(ArrayError::from)?;
    if WaitingRows::bytes_of_rows(&used) < WaitingRows::bytes_of_rows(rows) / 2 {
        Ok(used.compact().map_err(ArrayError::from)?)
    } else {
        Ok(used)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Int8Array, NullArray};
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::{DataType, IndexType};

    use super::*;

    /// The limit for joined rows follows the bytes that were read, even if the rows were compressed.
    #[test]
    fn rows_that_wait_have_a_bound() {
        const MIB: usize = 1 << 20;
        let buffers = [Buffer::from(vec![0_u8; 64 * MIB]), Buffer::new()];
        let zeros = ArrayParts { buffers, ..ArrayParts::new(DataType::UInt8, 64 * MIB) };
        let zeros = ArrayData::try_new(zeros).unwrap();
        let batch = RecordBatch::try_from_columns([("c", zeros)]).unwrap();
        let mut pending = BatchAccumulator::default();
        let none = Metadata::new();
        let push = |pending: &mut BatchAccumulator| pending.push(batch.clone(), &none);
        (0..5).for_each(|_| push(&mut pending).unwrap());
        assert_eq!(pending.take(batch.schema()).unwrap().unwrap().0.n_rows(), 5 * 64 * MIB);
        pending.memory.has_read(1_000);
        (0..3).for_each(|_| push(&mut pending).unwrap());
        let error = push(&mut pending).unwrap_err();
        let ToolErrorKind::RowMemory { n_bytes, max_bytes } = error else { panic!("{error:?}") };
        const ARRAY_BYTES: u64 = size_of::<ArrayData>() as u64;
        assert_eq!((n_bytes, max_bytes), ((256 << 20) + 4 * ARRAY_BYTES, 256 << 20));
        // The limit grows with the bytes of all inputs. Removed rows do not count.
        pending.memory.has_read(220 << 10);
        pending.memory.end_input();
        pending.memory.has_read(100 << 10);
        push(&mut pending).unwrap();
        let error = push(&mut pending).unwrap_err();
        assert!(matches!(error, ToolErrorKind::RowMemory { max_bytes, .. } if max_bytes == 320 << 20));
    }

    /// A dictionary counts once for all rows that share it. Two dictionaries both count if one replaces the other.
    #[test]
    fn dictionaries_of_rows_that_wait_count() {
        const MIB: usize = 1 << 20;
        let values = || {
            let buffers = [Buffer::from(vec![7_u8; 64 * MIB]), Buffer::new()];
            let parts = ArrayParts { buffers, ..ArrayParts::new(DataType::UInt8, 64 * MIB) };
            Arc::new(ArrayData::try_new(parts).unwrap())
        };
        let batch = |values: &Arc<ArrayData>| {
            let data_type = DataType::dictionary(IndexType::Int8, DataType::UInt8).unwrap();
            let buffers = [Buffer::from(vec![0_i8]), Buffer::new()];
            let dictionary = Some(Arc::clone(values));
            let parts = ArrayParts { buffers, dictionary, ..ArrayParts::new(data_type, 1) };
            RecordBatch::try_from_columns([("c", ArrayData::try_new(parts).unwrap())]).unwrap()
        };
        let mut pending = BatchAccumulator::default();
        let none = Metadata::new();
        let one = values();
        pending.memory.has_read(1_000);
        (0..100).for_each(|_| pending.push(batch(&one), &none).unwrap());
        (0..2).for_each(|_| pending.push(batch(&values()), &none).unwrap());
        let error = pending.push(batch(&values()), &none).unwrap_err();
        // Each row has an index of one byte.
        let row_bytes = |n_rows: u64| n_rows * (1 + size_of::<ArrayData>() as u64);
        let expected = row_bytes(103) + (256 << 20);
        assert!(
            matches!(error, ToolErrorKind::RowMemory { n_bytes, .. } if n_bytes == expected),
            "{error:?}"
        );
        // After all rows are removed, no memory is counted.
        let mut memory = WaitingRows::default();
        let batches = [batch(&one), batch(&one), batch(&values())];
        batches.iter().for_each(|batch| memory.add(batch));
        assert_eq!(memory.n_bytes, row_bytes(3) + (128 << 20));
        let left = batches.each_ref().map(|batch| {
            memory.remove(batch);
            memory.n_bytes
        });
        assert_eq!(left, [row_bytes(2) + (128 << 20), row_bytes(1) + (64 << 20), 0]);
        assert!(memory.dictionaries.is_empty());
    }

    #[test]
    fn rows_with_bytes_can_always_be_cut_and_others_not_for_ever() {
        let batch = |column: ArrayData| RecordBatch::try_from_columns([("c", column)]).unwrap();
        let bytes = batch(Int8Array::from_iter(vec![7; 1_000_000]).into());
        let mut pieces = CutLimit::new();
        for _ in 0..100 {
            pieces.take(&bytes, 1_000_000, 1).unwrap();
        }
        let nulls = batch(NullArray::new(1 << 40).into());
        let mut pieces = CutLimit::new();
        pieces.take(&nulls, 1 << 40, 1 << 25).unwrap();
        pieces.take(&nulls, 1 << 40, 1 << 25).unwrap();
        let error = pieces.take(&nulls, 1 << 40, 1 << 25).unwrap_err();
        let ToolErrorKind::TooManyPieces { n_rows, n_pieces, max_pieces } = error else {
            panic!("{error:?}")
        };
        assert_eq!((n_rows, n_pieces, max_pieces), (1 << 40, 1 << 15, 0));
    }
}
