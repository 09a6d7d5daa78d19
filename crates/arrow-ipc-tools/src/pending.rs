//! Rows that wait until a batch is full.

use std::{collections::HashMap, sync::Arc};

use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{Metadata, Schema};

use crate::error::ToolErrorKind;

/// Rows to be joined to a batch, and the bound of their memory: few bytes can decompress to any number.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    batches: Vec<RecordBatch>,
    /// Of the message that the first rows are of.
    metadata: Metadata,
    n_rows: usize,
    n_bytes: u64,
    /// The lengths of the buffers of dictionaries, by their addresses: batches share them.
    dictionaries: HashMap<usize, usize>,
    /// The bytes of the inputs before this one, and of all so far, if they are known.
    n_before: u64,
    n_read: Option<u64>,
}

impl Pending {
    /// So many bytes of this input have been read. What is joined is bounded by all that have, as reading bounds what a body is
    /// decompressed to; before the first call, it has no bound.
    pub(crate) fn has_read(&mut self, n_bytes: u64) {
        self.n_read = Some(self.n_before.saturating_add(n_bytes));
    }

    /// What is read next is of another input.
    pub(crate) fn end_input(&mut self) {
        self.n_before = self.n_read.unwrap_or_default();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The metadata that the batch gets; `None` as long as there are no rows.
    pub(crate) fn metadata(&self) -> Option<&Metadata> {
        (!self.is_empty()).then_some(&self.metadata)
    }

    /// Adds rows of a batch with this metadata.
    ///
    /// # Errors
    /// If all rows together take too much memory. Rows of a single batch never do, since reading has allowed their
    /// memory.
    pub(crate) fn push(&mut self, rows: RecordBatch, metadata: &Metadata) -> Result<(), ToolErrorKind> {
        let n_bytes = bytes_of_rows(&rows).saturating_add(self.n_bytes);
        let known = &mut self.dictionaries;
        let n_new = |column| new_bytes_of_dictionaries(column, known);
        let n_bytes = rows.columns().iter().map(n_new).fold(n_bytes, u64::saturating_add);
        let max_bytes = self.n_read.map_or(u64::MAX, MemoryBudget::default_limit);
        if self.is_empty() {
            self.metadata = metadata.clone();
        } else if n_bytes > max_bytes {
            return Err(ToolErrorKind::LargeBatch { n_bytes, max_bytes });
        }
        self.n_bytes = n_bytes;
        self.n_rows = self.n_rows.saturating_add(rows.n_rows());
        self.batches.push(rows);
        Ok(())
    }

    /// All of them as one batch, with its metadata; `None` if there are none.
    ///
    /// # Errors
    /// If they are too long together.
    pub(crate) fn take(
        &mut self,
        schema: &Arc<Schema>,
    ) -> Result<Option<(RecordBatch, Metadata)>, ToolErrorKind> {
        (self.n_rows, self.n_bytes) = (0, 0);
        self.dictionaries.clear();
        let batch = match <[RecordBatch; 1]>::try_from(std::mem::take(&mut self.batches)) {
            Ok([batch]) => batch,
            Err(batches) if batches.is_empty() => return Ok(None),
            Err(batches) => {
                let joined = RecordBatch::concat(Arc::clone(schema), &batches);
                joined.map_err(|error| ToolErrorKind::Output(error.into()))?
            }
        };
        Ok(Some((batch, std::mem::take(&mut self.metadata))))
    }
}

/// The bytes of rows without those of dictionaries, which batches share.
pub(crate) fn bytes_of_rows(rows: &RecordBatch) -> u64 {
    fn of_dictionaries(array: &ArrayData) -> u64 {
        let own = array.dictionary().map_or(0, |values| values.n_bytes());
        array.children().iter().map(of_dictionaries).fold(own, u64::saturating_add)
    }
    let own = |array: &ArrayData| array.n_bytes().saturating_sub(of_dictionaries(array));
    rows.columns().iter().map(own).fold(0, u64::saturating_add)
}

/// The bytes of dictionaries that are not known yet. One that grows in place has those that are new.
fn new_bytes_of_dictionaries(array: &ArrayData, known: &mut HashMap<usize, usize>) -> u64 {
    let own = array.dictionary().map_or(0, |values| new_bytes(values, known));
    array.children().iter().fold(own, |n, child| n.saturating_add(new_bytes_of_dictionaries(child, known)))
}

fn new_bytes(values: &ArrayData, known: &mut HashMap<usize, usize>) -> u64 {
    let validity = values.validity().map(|validity| validity.buffer());
    let buffers = [values.buffer(0), values.buffer(1)].into_iter().chain(validity).chain(values.variadic());
    let mut n_new = 0_u64;
    for buffer in buffers.filter(|buffer| !buffer.is_empty()) {
        let n_known = known.entry(buffer.as_ptr().addr()).or_default();
        n_new = n_new.saturating_add(buffer.len().saturating_sub(*n_known) as u64);
        *n_known = buffer.len().max(*n_known);
    }
    let below = values.children().iter().chain(values.dictionary().map(|values| &**values));
    below.fold(n_new, |n, values| n.saturating_add(new_bytes(values, known)))
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::{DataType, IndexType};

    use super::*;

    /// What is read bounds what is joined, whatever it was before it was decompressed.
    #[test]
    fn rows_that_wait_have_a_bound() {
        const MIB: usize = 1 << 20;
        let buffers = [Buffer::from(vec![0_u8; 64 * MIB]), Buffer::new()];
        let zeros = ArrayParts { buffers, ..ArrayParts::new(DataType::UInt8, 64 * MIB) };
        let zeros = ArrayData::try_new(zeros).unwrap();
        let batch = RecordBatch::try_from_columns([("c", zeros)]).unwrap();
        let (mut pending, none) = (Pending::default(), Metadata::new());
        let push = |pending: &mut Pending| pending.push(batch.clone(), &none);
        (0..5).for_each(|_| push(&mut pending).unwrap());
        assert_eq!(pending.take(batch.schema()).unwrap().unwrap().0.n_rows(), 5 * 64 * MIB);
        pending.has_read(1_000);
        (0..4).for_each(|_| push(&mut pending).unwrap());
        let error = push(&mut pending).unwrap_err();
        let ToolErrorKind::LargeBatch { n_bytes, max_bytes } = error else { panic!("{error:?}") };
        assert_eq!((n_bytes, max_bytes), (320 << 20, 256 << 20));
        // More bytes allow more, also of several inputs, and what has been taken does not count.
        pending.has_read(220 << 10);
        pending.end_input();
        pending.has_read(100 << 10);
        push(&mut pending).unwrap();
        let error = push(&mut pending).unwrap_err();
        assert!(matches!(error, ToolErrorKind::LargeBatch { max_bytes, .. } if max_bytes == 320 << 20));
    }

    /// A dictionary counts once for all rows that share it, and each time for those that replace it.
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
        let (mut pending, none, one) = (Pending::default(), Metadata::new(), values());
        pending.has_read(1_000);
        (0..100).for_each(|_| pending.push(batch(&one), &none).unwrap());
        (0..2).for_each(|_| pending.push(batch(&values()), &none).unwrap());
        let error = pending.push(batch(&values()), &none).unwrap_err();
        assert!(
            matches!(error, ToolErrorKind::LargeBatch { n_bytes, .. } if n_bytes == 103 + (256 << 20)),
            "{error:?}"
        );
    }
}
