//! Vectors in a flatbuffer, whose items are read when they are needed.

use std::{fmt, marker::PhantomData, ops::Range};

use super::{
    FlatbufferCause as Cause, FlatbufferError as Error, InlineValue, Result, Table, TypedTable,
    read::{AccessResult, counted_items},
};

/// A vector of numbers or structs, all of which lie inside the flatbuffer.
#[derive(Debug, Clone, Copy)]
pub struct Vector<'a, T> {
    /// The whole flatbuffer.
    bytes: &'a [u8],
    span: VectorSpan<T>,
}

/// Where a [`Vector`] is in its flatbuffer.
#[derive(Clone, Copy)]
pub struct VectorSpan<T> {
    /// The position of the first item.
    start: u32,
    n_items: u32,
    item: PhantomData<fn() -> T>,
}

impl<'a, T: InlineValue> Vector<'a, T> {
    /// The vector to which the reference at `position` leads.
    #[inline]
    pub(super) fn find(bytes: &'a [u8], position: usize) -> AccessResult<Vector<'a, T>> {
        Ok(Vector { bytes, span: VectorSpan::find(bytes, position, T::N_BYTES)? })
    }

    /// Where the vector is, for later.
    pub fn span(&self) -> VectorSpan<T> {
        self.span
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.span.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One item; `None` if out of bounds.
    #[inline]
    pub fn get(&self, idx: usize) -> Option<T> {
        self.span.get(self.bytes, idx)
    }

    /// All items.
    pub fn iter(self) -> impl Iterator<Item = T> {
        (0..self.len()).filter_map(move |idx| self.get(idx))
    }
}

impl<T> VectorSpan<T> {
    #[inline]
    fn find(bytes: &[u8], position: usize, n_item_bytes: usize) -> AccessResult<VectorSpan<T>> {
        let (start, n_items) = counted_items(bytes, position)?;
        // The number of items has been read before `start`, so it is not out of bounds.
        if n_items as usize > bytes.len().saturating_sub(start) / n_item_bytes {
            return Err(Cause::Length);
        }
        let start = u32::try_from(start).map_err(|_| Cause::Offset)?;
        Ok(VectorSpan { start, n_items, item: PhantomData })
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.n_items as usize
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.n_items == 0
    }
}

impl<T: InlineValue> VectorSpan<T> {
    /// The range of all items in the flatbuffer.
    pub fn range(&self) -> Range<usize> {
        // No overflow: all items lie in a flatbuffer, which is in memory.
        self.start as usize..self.start as usize + self.len() * T::N_BYTES
    }

    /// One item; `None` if out of bounds. `bytes` must be the flatbuffer in which the vector was found.
    #[inline]
    pub fn get(&self, bytes: &[u8], idx: usize) -> Option<T> {
        if idx >= self.len() {
            return None;
        }
        // No overflow: all items lie in a flatbuffer, which is in memory.
        T::read(bytes, self.start as usize + idx * T::N_BYTES)
    }
}

impl<T> Default for VectorSpan<T> {
    /// A vector without items.
    fn default() -> VectorSpan<T> {
        VectorSpan { start: 0, n_items: 0, item: PhantomData }
    }
}

impl<T> fmt::Debug for VectorSpan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorSpan").field("start", &self.start).field("n_items", &self.n_items).finish()
    }
}

/// A vector of tables. The references lie inside the flatbuffer; the tables are checked when they are read.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a, T> {
    bytes: &'a [u8],
    references: VectorSpan<T>,
}

/// The length of a reference.
const REFERENCE_BYTES: usize = 4;

impl<'a, T: TypedTable<'a>> Tables<'a, T> {
    /// The vector to which the reference at `position` leads.
    #[inline]
    pub(super) fn find(bytes: &'a [u8], position: usize) -> AccessResult<Tables<'a, T>> {
        Ok(Tables { bytes, references: VectorSpan::find(bytes, position, REFERENCE_BYTES)? })
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.references.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One table.
    ///
    /// # Errors
    /// If there is no such table, or if it is out of bounds of the flatbuffer.
    #[inline]
    pub fn get(&self, idx: usize) -> Result<T> {
        // No overflow for an item of the vector, since all lie in a flatbuffer, which is in memory.
        let position = (self.references.start as usize).wrapping_add(idx.wrapping_mul(REFERENCE_BYTES));
        let table = if idx < self.len() { Table::follow(self.bytes, position) } else { Err(Cause::Length) };
        table.map(T::from_table).map_err(|cause| Error::in_item(T::TABLE, position, cause))
    }

    /// All tables.
    pub fn iter(self) -> impl Iterator<Item = Result<T>> {
        (0..self.len()).map(move |idx| self.get(idx))
    }

    /// The end of the references in the flatbuffer.
    pub fn end(&self) -> usize {
        // No overflow: all references lie in a flatbuffer, which is in memory.
        self.references.start as usize + self.len() * REFERENCE_BYTES
    }
}
