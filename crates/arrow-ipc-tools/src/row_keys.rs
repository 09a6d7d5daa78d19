//! The values of some columns, row by row, as bytes that are equal if the values are.

use arrow_data::{DataError, RecordBatch, ValueReader, ValueWriter};

/// Reads the keys of a batch that has no other columns, as bytes that are equal if the keys are.
pub(crate) struct KeyReader {
    columns: Vec<ValueReader>,
    null: Vec<u8>,
}

/// The bytes that each row may take in memory for short values, in batches of few bytes.
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

    /// Replaces `key` by the key of a row. Returns whether a column is null in it.
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
