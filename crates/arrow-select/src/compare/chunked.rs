//! Compares the values of columns and tables, however they are divided into chunks.

use arrow_data::{ArrayData, ChunkedArray, Table, Validation};
use arrow_schema::Field;

use super::{Compare, Comparer};
use crate::{columns, error::SelectError};

impl Compare for ChunkedArray {
    /// Each pair of chunks that overlap is compared once, in the time that a [`Comparer`] takes for the pair.
    fn same_values(&self, other: &ChunkedArray) -> Result<bool, SelectError> {
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

impl Compare for Table {
    fn same_values(&self, other: &Table) -> Result<bool, SelectError> {
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
            let place = ChunkRest { chunk: self.column.chunks().get(self.chunk_idx)?, start: self.start };
            if place.n_left() > 0 {
                return Some(place);
            }
            (self.chunk_idx, self.start) = (self.chunk_idx + 1, 0);
        }
    }

    fn skip(&mut self, n: usize) {
        self.start += n;
    }
}
