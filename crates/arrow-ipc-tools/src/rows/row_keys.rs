//! Converts the values of key columns to bytes, row by row. Equal values have equal bytes.

use arrow_data::RecordBatch;
use arrow_select::{SelectError, ValueReader, ValueWriter};

/// Converts the keys of a batch to bytes. All columns of the batch are part of the key. Equal keys have equal bytes.
pub(crate) struct KeyReader {
    columns: Vec<ValueReader>,
    null: Vec<u8>,
}

/// Each row raises the limit of the value reader by this number of bytes. Otherwise the limit is too low for batches
/// with few bytes.
const ROW_BYTES: usize = 64;

impl KeyReader {
    /// Makes a reader for the keys of a batch.
    ///
    /// # Errors
    /// If a column is not valid.
    pub(crate) fn try_new(batch: &RecordBatch) -> Result<KeyReader, SelectError> {
        let n_row_bytes = batch.n_rows().saturating_mul(ROW_BYTES);
        let reader = |column| {
            let reader = ValueReader::try_new(column)?;
            let max_bytes = reader.max_bytes().saturating_add(n_row_bytes);
            Ok(reader.with_max_bytes(max_bytes))
        };
        let columns = batch.columns().iter().map(reader).collect::<Result<_, SelectError>>()?;
        let mut null = Vec::new();
        ValueWriter::new(&mut null, usize::MAX).null()?;
        Ok(KeyReader { columns, null })
    }

    /// All keys as numbers, if the key is a single column without nulls, of values of at most 8 bytes; otherwise
    /// `None`. [`word_of`] computes the same numbers from bytes.
    pub(crate) fn words(&self) -> Option<Vec<u64>> {
        match &self.columns[..] {
            [column] => column.words(),
            _ => None,
        }
    }

    /// Replaces `key` by the key of a row. Returns whether a column of the key is null in this row.
    ///
    /// # Errors
    /// If the values are too long, or the row does not exist.
    pub(crate) fn read(&mut self, row: usize, key: &mut Vec<u8>) -> Result<bool, SelectError> {
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

/// The number of a key, from the bytes that [`KeyReader::read`] writes. Keys are unique numbers if the key is one
/// value of 1, 2, 4 or 8 bytes. Other keys of the same length also have a number, but several of them may have the
/// same number.
pub(crate) fn word_of(key: &[u8]) -> Option<u64> {
    let [_, value @ ..] = key else { return None };
    let mut word = [0; 8];
    match value.len() {
        1 | 2 | 4 | 8 => {
            word.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
            Some(u64::from_le_bytes(word))
        }
        _ => None,
    }
}
