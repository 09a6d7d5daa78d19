//! Rows that wait until a batch is full.

use std::sync::Arc;

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
    /// The bytes of the inputs before this one, and of all so far, if that bounds the rows: of text it does not.
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
        let n_bytes = rows.columns().iter().map(bytes_of_rows).fold(self.n_bytes, u64::saturating_add);
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

/// The bytes of an array without those of dictionaries, which batches share.
fn bytes_of_rows(array: &ArrayData) -> u64 {
    fn of_dictionaries(array: &ArrayData) -> u64 {
        let own = array.dictionary().map_or(0, |values| values.n_bytes());
        array.children().iter().map(of_dictionaries).fold(own, u64::saturating_add)
    }
    array.n_bytes().saturating_sub(of_dictionaries(array))
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::DataType;

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
}
