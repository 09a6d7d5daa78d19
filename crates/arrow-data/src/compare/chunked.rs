//! Compares the values of columns and tables, however they are divided into chunks.

use arrow_schema::Field;

use super::Comparer;
use crate::{
    array::ArrayData, chunked::ChunkedArray, columns, error::DataError, table::Table, validation::Validation,
};

impl ChunkedArray {
    /// Whether both columns have the [same values](ArrayData::same_values) in the same order, in any layouts and chunks.
    /// `==` also compares types.
    ///
    /// # Errors
    /// If a chunk was unchecked and is invalid.
    // Each pair of chunks that overlap is compared once, in the time that a `Comparer` takes for the pair.
    pub fn same_values(&self, other: &ChunkedArray) -> Result<bool, DataError> {
        if self.len() != other.len() {
            return Ok(false);
        }
        // Columns whose types cannot have the same values are different, even if there are no slots.
        let empty = |column: &ChunkedArray| ArrayData::new_empty(column.data_type());
        if !empty(self).same_values(&empty(other))? {
            return Ok(false);
        }
        // Each chunk is checked once here, and not again for each chunk of the other column.
        let (left, right) =
            (self.clone().validate(Validation::Content)?, other.clone().validate(Validation::Content)?);
        let (mut lefts, mut rights) = (ChunkCursor::new(&left), ChunkCursor::new(&right));
        while let (Some(one), Some(other)) = (lefts.next(), rights.next()) {
            let n = one.n_left().min(other.n_left());
            let mut comparer = Comparer::try_new(one.chunk, other.chunk)?;
            if comparer.first_mismatch(one.start..one.start + n, other.start)?.is_some() {
                return Ok(false);
            }
            lefts.skip(n);
            rights.skip(n);
        }
        Ok(true)
    }
}

impl PartialEq for ChunkedArray {
    /// Whether both columns have the same type, except for metadata, and the same values and nulls. Chunks make no
    /// difference. Values are compared like those of [arrays](ArrayData#impl-PartialEq-for-ArrayData); a column with
    /// invalid content equals no column.
    fn eq(&self, other: &ChunkedArray) -> bool {
        self.data_type().same_type(other.data_type()) && self.same_values(other).unwrap_or(false)
    }
}

impl PartialEq for Table {
    /// Whether both tables have the same number of rows, columns of the same names, types and nullability in the same
    /// order, and equal values. Chunks and metadata make no difference. A table with an invalid column equals no table.
    fn eq(&self, other: &Table) -> bool {
        self.n_rows() == other.n_rows()
            && self.schema().check_same_columns(other.schema()).is_ok()
            && self.columns() == other.columns()
    }
}

impl Table {
    /// Whether both tables have the same column names in the same order, and the [same values](ArrayData::same_values) in
    /// the same rows, in any layouts and chunks. `==` also compares types.
    ///
    /// # Errors
    /// If a column was unchecked and is invalid. The error names the column.
    pub fn same_values(&self, other: &Table) -> Result<bool, DataError> {
        let [names, other_names] = [self, other].map(|table| table.schema().fields().iter().map(Field::name));
        if self.n_rows() != other.n_rows() || !names.eq(other_names) {
            return Ok(false);
        }
        let columns = self.columns().iter().zip(other.columns().iter());
        let mut same = columns::each(self.schema(), columns, |_, (left, right)| left.same_values(right));
        same.find(|same| !matches!(same, Ok(true))).unwrap_or(Ok(true))
    }
}

/// The position in a column up to which slots have been compared.
struct ChunkCursor<'a> {
    column: &'a ChunkedArray,
    chunk_idx: usize,
    start: usize,
}

/// The slots of a chunk that have not been compared; at least one.
struct ChunkRest<'a> {
    chunk: &'a ArrayData,
    start: usize,
}

impl ChunkRest<'_> {
    fn n_left(&self) -> usize {
        self.chunk.len().saturating_sub(self.start)
    }
}

impl<'a> ChunkCursor<'a> {
    fn new(column: &'a ChunkedArray) -> ChunkCursor<'a> {
        ChunkCursor { column, chunk_idx: 0, start: 0 }
    }

    fn next(&mut self) -> Option<ChunkRest<'a>> {
        loop {
            let rest = ChunkRest { chunk: self.column.chunks().get(self.chunk_idx)?, start: self.start };
            if rest.n_left() > 0 {
                return Some(rest);
            }
            (self.chunk_idx, self.start) = (self.chunk_idx + 1, 0);
        }
    }

    fn skip(&mut self, n: usize) {
        self.start += n;
    }
}
