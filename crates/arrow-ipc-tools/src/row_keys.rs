//! The values of key columns, row by row, as bytes. The bytes of two rows are equal if their values are.

use arrow_data::{DataError, RecordBatch, ValueReader, ValueWriter};

/// Reads the keys of a batch, whose columns are all part of the key. The bytes of two keys are equal if the keys are.
pub(crate) struct KeyReader {
    columns: Vec<ValueReader>,
    null: Vec<u8>,
}

/// How many bytes each row adds to the limit of the value reader, which is low for batches of few bytes.
const ROW_BYTES: usize = 64;

impl KeyReader {
    /// # Errors
    /// If a column is not valid.
    pub(crate) fn try_new(batch: &RecordBatch) -> Result<KeyReader, DataError> {
        let n_row_bytes = batch.n_rows().saturating_mul(ROW_BYTES);
        let reader = |column| {
            let reader = ValueReader::try_new(column)?;
            let max_bytes = reader.max_bytes().saturating_add(n_row_bytes);
            Ok(reader.with_max_bytes(max_bytes))
        };
        let columns = batch.columns().iter().map(reader).collect::<Result<_, DataError>>()?;
        let mut null = Vec::new();
        ValueWriter::new(&mut null, usize::MAX).null()?;
        Ok(KeyReader { columns, null })
    }

    /// Replaces `key` by the key of a row. Returns whether a column of the key is null in this row.
    ///
    /// # Errors
    /// If the values are too long, or the row does not exist.
    pub(crate) fn read(&mut self, row: usize, key: &mut Vec<u8>) -> Result<bool, DataError> {
        key.clear();
        let mut has_null = false;
        for column in &mut self.columns {
            let start = key.len();
            column.append(row, key)?;
            has_null |= key[start..] == self.null;
        }
        Ok(has_null)
    }
}
