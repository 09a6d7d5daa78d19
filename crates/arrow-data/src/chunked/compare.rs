//! Compares the values of two columns, however they are divided into chunks.

use super::ChunkedArray;
use crate::{array::ArrayData, compare::Comparer, error::DataError, level::Level};

impl ChunkedArray {
    /// Whether both columns have the same values in the same order, as [`ArrayData::same_values`] compares them. Chunks
    /// and layouts make no difference.
    ///
    /// Each pair of chunks that overlap is compared once, in the time that a [`Comparer`] takes for the pair.
    ///
    /// # Errors
    /// If a chunk was unchecked and is invalid.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, ChunkedArray};
    /// use arrow_schema::DataType;
    ///
    /// let numbers = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![5, 6, 7]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 3)
    /// })?;
    /// let cut = ChunkedArray::try_new(DataType::Int32, [numbers.slice(0, 1), numbers.slice(1, 2)])?;
    /// let whole = ChunkedArray::from(numbers);
    /// assert!(cut.same_values(&whole)?);
    /// assert!(!cut.same_values(&whole.slice(0, 2))?);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
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
        let (left, right) = (self.clone().validate(Level::Content)?, other.clone().validate(Level::Content)?);
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
