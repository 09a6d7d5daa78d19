//! What the readers of CSV and of JSON lines have in common.

use std::{iter::FusedIterator, sync::Arc};

use arrow_array::parse::ExtraDigits;
use arrow_data::RecordBatch;
use arrow_schema::Schema;

use super::{
    batches::{BatchGatherer, RowOutcome, RowTarget, SkippedRows},
    error::RowError,
    nulls::NullBytes,
};

/// Reads rows of a given schema from text, and returns them in batches. The text is CSV or lines of JSON: this is a
/// [`CsvReader`](crate::CsvReader) or a `JsonReader`.
pub struct TextReader<T> {
    pub(super) text: T,
    pub(super) batches: BatchGatherer,
}

/// A text whose rows a [`TextReader`] reads.
pub trait RowText {
    /// Reads the next row, or several at once.
    fn row(&mut self, target: &mut RowTarget) -> RowOutcome;
}

impl<T> TextReader<T> {
    /// Sets the maximum number of rows of a batch, at least 1. Default: 65,536.
    #[must_use]
    pub fn with_batch_rows(mut self, n_rows: usize) -> TextReader<T> {
        self.batches.limits.n_rows = n_rows;
        self
    }

    /// Ends a batch when the text of its rows has `n_bytes` bytes. Default: 16 MiB.
    ///
    /// The memory of nulls counts as text.
    #[must_use]
    pub fn with_batch_bytes(mut self, n_bytes: u64) -> TextReader<T> {
        self.batches.limits.batch_bytes = n_bytes;
        self
    }

    /// Limits the memory of the nulls of a row to `n_bytes`. All rows together may take `n_bytes`, or 256 times the length of
    /// their text if that is more. Default: 256 MiB.
    ///
    /// A null is short in text, but may take much memory, since it also has slots in the children of its column. In a
    /// fixed-size binary or fixed-size list column, one null may take gigabytes.
    #[must_use]
    pub fn with_max_null_bytes(mut self, n_bytes: u64) -> TextReader<T> {
        self.batches.limits.null_bytes = n_bytes;
        self
    }

    /// Returns an error for whole numbers that float64 would round, and in CSV for numbers with a plus sign or leading zeros.
    /// Use this with an inferred schema, as [`infer_csv`](crate::infer_csv) returns: if inference had read these numbers, it
    /// would have chosen another type.
    #[must_use]
    pub fn with_exact_numbers(mut self) -> TextReader<T> {
        self.batches.set_digits(&DigitsOfColumns::All);
        self
    }

    /// Continues with the next row after a row that fails. The error is returned before the batch that contains the rows
    /// around it. Reading still ends after errors of the input. In CSV, it also ends after errors of quotes or names, and
    /// after records that are too long. The start of the next row, or the order of the columns, is then unknown.
    #[must_use]
    pub fn with_skipped_errors(mut self) -> TextReader<T> {
        self.batches.goes_on_after_errors = true;
        self
    }

    /// The memory of the nulls in all rows so far, and the length of their text.
    pub fn null_bytes(&self) -> NullBytes {
        self.batches.nulls
    }

    /// Counts the rows of CSV that were skipped because they have more or fewer cells than there are columns.
    pub fn skipped_rows(&self) -> SkippedRows {
        self.batches.target.skipped
    }

    /// The schema of all batches, as it was passed to the constructor.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.batches.schema
    }

    /// Reads rows one by one. Otherwise, the reader does so only near invalid rows.
    #[cfg(test)]
    pub(super) fn one_by_one(mut self) -> TextReader<T> {
        self.batches.target.n_single_rows = usize::MAX;
        self
    }

    #[cfg(test)]
    pub(super) fn n_block_rows(&self) -> usize {
        self.batches.target.n_block_rows
    }
}

impl<T: RowText> TextReader<T> {
    /// Reads all rows as one batch.
    pub(super) fn rest(&mut self) -> Result<RecordBatch, RowError> {
        let TextReader { text, batches } = self;
        batches.rest(|target| text.row(target))
    }
}

impl<T: RowText> Iterator for TextReader<T> {
    type Item = Result<RecordBatch, RowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, RowError>> {
        let TextReader { text, batches } = self;
        batches.next(|target| text.row(target))
    }
}

impl<T: RowText> FusedIterator for TextReader<T> {}

/// The columns in which a number is an error if inference would choose another type for it.
#[derive(Debug, Clone, Default)]
pub(super) enum DigitsOfColumns {
    #[default]
    None,
    All,
    /// In all columns except those with these indices, which are in ascending order.
    AllBut(Arc<[usize]>),
}

impl DigitsOfColumns {
    pub(super) fn all_but(columns: &[usize]) -> DigitsOfColumns {
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        DigitsOfColumns::AllBut(columns.into())
    }

    pub(super) fn at(&self, column: usize) -> ExtraDigits {
        match self {
            DigitsOfColumns::None => ExtraDigits::Round,
            DigitsOfColumns::AllBut(others) if others.binary_search(&column).is_ok() => ExtraDigits::OfText,
            DigitsOfColumns::All | DigitsOfColumns::AllBut(_) => ExtraDigits::Keep,
        }
    }
}
