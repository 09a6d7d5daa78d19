//! The rows of a table, batch by batch.

use std::{iter::FusedIterator, num::NonZeroUsize, sync::Arc};

use super::Table;
use crate::{array::ArrayData, batch::RecordBatch};

/// The rows of a [`Table`] as batches that share its data; see [`Table::batches`].
///
/// ```
/// use std::num::NonZero;
/// use arrow_data::{RecordBatch, Table};
/// use arrow_schema::Schema;
///
/// let rows = RecordBatch::try_new_with_rows(Schema::default(), [], 5)?;
/// let table = Table::from(rows);
/// let n_rows = |max_rows| -> Vec<usize> {
///     table.batches().with_max_rows(max_rows).map(|batch| batch.n_rows()).collect()
/// };
/// assert_eq!(NonZero::new(2).map(n_rows), Some(vec![2, 2, 1]));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TableBatches<'a> {
    table: &'a Table,
    /// The chunk of each column with the next row, and the slot of that row.
    places: Vec<(usize, usize)>,
    n_left: usize,
    max_rows: usize,
}

impl<'a> TableBatches<'a> {
    pub(super) fn new(table: &'a Table) -> TableBatches<'a> {
        let places = vec![(0, 0); table.n_columns()];
        TableBatches { table, places, n_left: table.n_rows(), max_rows: usize::MAX }
    }

    /// Cuts the remaining batches, so that none has more rows than this.
    #[must_use]
    pub fn with_max_rows(self, max_rows: NonZeroUsize) -> TableBatches<'a> {
        TableBatches { max_rows: max_rows.get(), ..self }
    }
}

impl Iterator for TableBatches<'_> {
    type Item = RecordBatch;

    fn next(&mut self) -> Option<RecordBatch> {
        if self.n_left == 0 {
            return None;
        }
        let mut n_rows = self.n_left.min(self.max_rows);
        let mut chunks: Vec<&ArrayData> = Vec::with_capacity(self.places.len());
        for (column, (chunk_idx, start)) in self.table.columns().iter().zip(&mut self.places) {
            let chunk = loop {
                let Some(chunk) = column.chunks().get(*chunk_idx) else {
                    unreachable!("columns have as many slots as the table has rows")
                };
                if *start < chunk.len() {
                    break chunk;
                }
                (*chunk_idx, *start) = (*chunk_idx + 1, 0);
            };
            n_rows = n_rows.min(chunk.len() - *start);
            chunks.push(chunk);
        }
        let mut columns = Vec::with_capacity(chunks.len());
        for (chunk, (_, start)) in chunks.into_iter().zip(&mut self.places) {
            columns.push(chunk.slice(*start, n_rows));
            *start += n_rows;
        }
        self.n_left -= n_rows;
        match RecordBatch::try_new_with_rows(Arc::clone(self.table.schema()), columns, n_rows) {
            Ok(batch) => Some(batch),
            Err(error) => unreachable!("the columns fit the schema of the table: {error}"),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.n_left > 0), Some(self.n_left))
    }
}

impl FusedIterator for TableBatches<'_> {}
