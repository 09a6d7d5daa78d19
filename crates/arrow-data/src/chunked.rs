//! A column that consists of several arrays.

use std::sync::Arc;

use arrow_buffer::AllocationSet;
use arrow_schema::DataType;

use crate::{
    array::{ArrayData, Comparer, positions::check_range},
    error::{DataError, DataErrorKind as Kind},
    validation::Validation,
};

/// Arrays of one type that form one column: the slots of the first chunk, then those of the second, and so on.
///
/// Cloning, slicing and concatenation share all data. A slot is found by binary search. `==` compares types and values,
/// however they are divided into chunks. `arrow_select` makes one array of the chunks.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, ChunkedArray};
/// use arrow_schema::DataType;
///
/// let ints = |values: Vec<i32>| {
///     let parts = ArrayParts::new(DataType::Int32, values.len());
///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })
/// };
/// let column = ChunkedArray::try_new(DataType::Int32, [ints(vec![1, 2, 3])?, ints(vec![4, 5])?])?;
/// assert_eq!((column.len(), column.n_chunks()), (5, 2));
/// assert_eq!(column.locate(3), Some((1, 0))); // the first slot of the second chunk
///
/// let middle = column.slice(2, 2);
/// assert_eq!(middle.chunks()[1].buffer(0).view::<i32>(), Ok(&[4][..]));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct ChunkedArray {
    data_type: DataType,
    chunks: Arc<[ArrayData]>,
    /// For each chunk, the number of slots in this chunk and all chunks before it.
    ends: Arc<[usize]>,
}

impl ChunkedArray {
    /// Makes a column from chunks, in order. There may be no chunks, and chunks may be empty.
    ///
    /// # Errors
    /// If a chunk has another type; metadata of nested fields may differ. If the total number of slots exceeds a
    /// `usize`, which is possible for types that take no memory.
    pub fn try_new(
        data_type: DataType,
        chunks: impl Into<Arc<[ArrayData]>>,
    ) -> Result<ChunkedArray, DataError> {
        let chunks: Arc<[ArrayData]> = chunks.into();
        if let Some(chunk) = chunks.iter().find(|chunk| !data_type.same_type(chunk.data_type())) {
            return Err(Kind::TypeMismatch { expected: data_type, found: chunk.data_type().clone() }.into());
        }
        let mut n_slots = 0_usize;
        let ends = chunks.iter().map(|chunk| {
            let sum = n_slots.checked_add(chunk.len());
            n_slots = sum.ok_or(Kind::SizeOverflow { n_slots: chunk.len() as u64 })?;
            Ok(n_slots)
        });
        let ends = ends.collect::<Result<Arc<[usize]>, DataError>>()?;
        Ok(ChunkedArray { data_type, chunks, ends })
    }

    /// Makes a column without chunks.
    pub fn new_empty(data_type: DataType) -> ChunkedArray {
        ChunkedArray { data_type, chunks: Arc::default(), ends: Arc::default() }
    }

    /// The type of every chunk.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The number of slots in all chunks.
    pub fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Whether the column has no slots; it may still have empty chunks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The chunks, in order; some may be empty.
    pub fn chunks(&self) -> &[ArrayData] {
        &self.chunks
    }

    /// The number of chunks, including empty ones.
    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The number of slots that are null, as [`ArrayData::null_count`] counts them.
    pub fn null_count(&self) -> usize {
        // No overflow: the sum is at most the number of slots.
        self.chunks.iter().map(ArrayData::null_count).sum()
    }

    /// The number of slots that have no value, as [`ArrayData::logical_null_count`] counts them.
    ///
    /// # Errors
    /// The errors of [`ArrayData::logical_null_count`].
    pub fn logical_null_count(&self) -> Result<usize, DataError> {
        self.chunks.iter().map(ArrayData::logical_null_count).sum()
    }

    /// The number of bytes of memory that stay allocated as long as this column lives; see [`ArrayData::n_held_bytes`].
    pub fn n_held_bytes(&self) -> u64 {
        let mut allocations = AllocationSet::new();
        self.add_allocations(&mut allocations);
        allocations.n_bytes()
    }

    /// Adds the allocations of all chunks to a set; see [`ArrayData::add_allocations`].
    pub fn add_allocations(&self, allocations: &mut AllocationSet) {
        self.chunks.iter().for_each(|chunk| chunk.add_allocations(allocations));
    }

    /// The index of the chunk that contains a slot, and the slot within that chunk; `None` if out of bounds.
    pub fn locate(&self, slot: usize) -> Option<(usize, usize)> {
        let chunk_idx = self.ends.partition_point(|end| *end <= slot);
        let chunk = self.chunks.get(chunk_idx)?;
        let start = self.ends.get(chunk_idx)?.checked_sub(chunk.len())?;
        Some((chunk_idx, slot.checked_sub(start)?))
    }

    /// Whether a slot is not null, as [`ArrayData::is_valid`] decides; `false` if out of bounds.
    pub fn is_valid(&self, slot: usize) -> bool {
        let found = self.locate(slot).and_then(|(chunk_idx, slot)| Some((self.chunks.get(chunk_idx)?, slot)));
        found.is_some_and(|(chunk, slot)| chunk.is_valid(slot))
    }

    /// The slots `start..start + n_slots`, sharing all buffers. Chunks outside the range and empty chunks are left out.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`; [`try_slice`](ChunkedArray::try_slice) does not panic.
    #[must_use]
    pub fn slice(&self, start: usize, n_slots: usize) -> ChunkedArray {
        match self.try_slice(start, n_slots) {
            Ok(slice) => slice,
            Err(error) => panic!("{error}"),
        }
    }

    /// Like [`slice`](ChunkedArray::slice), but returns an error if the slots are out of bounds. Use it if the numbers
    /// come from an input.
    ///
    /// # Errors
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_slots: usize) -> Result<ChunkedArray, DataError> {
        check_range(start, n_slots, self.len())?;
        let mut chunks = Vec::new();
        let (first, mut skipped) = self.locate(start).unwrap_or((self.n_chunks(), 0));
        let mut n_left = n_slots;
        for chunk in self.chunks.iter().skip(first) {
            if n_left == 0 {
                break;
            }
            let n = (chunk.len() - skipped).min(n_left);
            if n > 0 {
                chunks.push(chunk.try_slice(skipped, n)?);
            }
            (skipped, n_left) = (0, n_left - n);
        }
        ChunkedArray::try_new(self.data_type.clone(), chunks)
    }

    /// Joins columns: the chunks of the first, then those of the second, and so on. Shares all buffers. The result has
    /// the type of the first column.
    ///
    /// # Errors
    /// If there are no columns, if types differ, or if the total number of slots exceeds a `usize`.
    pub fn concat(columns: &[ChunkedArray]) -> Result<ChunkedArray, DataError> {
        let first = columns.first().ok_or(Kind::NothingToConcat)?;
        // Types are compared even if columns have no chunks.
        if let Some(other) = columns.iter().find(|other| !first.data_type.same_type(&other.data_type)) {
            let (expected, found) = (first.data_type.clone(), other.data_type.clone());
            return Err(Kind::TypeMismatch { expected, found }.into());
        }
        let chunks = columns.iter().flat_map(|column| column.chunks.iter().cloned());
        ChunkedArray::try_new(first.data_type.clone(), chunks.collect::<Vec<ArrayData>>())
    }

    /// Checks all chunks up to `level`, as [`ArrayData::validate`] does.
    ///
    /// # Errors
    /// If a rule is broken. The error names the first broken rule, with path, buffer and slot of the chunk.
    pub fn validate(self, level: Validation) -> Result<ChunkedArray, DataError> {
        if self.chunks.iter().all(|chunk| chunk.checked() >= level) {
            return Ok(self);
        }
        let chunks = self.chunks.iter().map(|chunk| chunk.clone().validate(level));
        Ok(ChunkedArray { chunks: chunks.collect::<Result<Arc<[ArrayData]>, DataError>>()?, ..self })
    }

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

impl From<ArrayData> for ChunkedArray {
    fn from(array: ArrayData) -> ChunkedArray {
        ChunkedArray {
            data_type: array.data_type().clone(),
            ends: Arc::new([array.len()]),
            chunks: Arc::new([array]),
        }
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
