//! Walks arrays together with their columns, and passes the content of a message's body to a sink: ranges of the
//! caller's buffers, and rebuilt buffers. The same walk computes lengths and writes segments.
//!
//! The walk passes on only the part of a buffer from the first to the last byte to which slots refer. If this is the
//! whole buffer, the walk passes it on without a copy. To find the part, the walk reads first and last offsets, views,
//! and the offsets of list views and dense unions. If slots refer to a part of a buffer, the walk rebuilds offsets,
//! views and run ends for this part. This holds for slices and for whole arrays with unused data. If slots refer to
//! less than half of the bytes of the part, the walk copies the used bytes together.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, BufferSpec, DataError, Nulls, Physical, Swap, Validation};
use arrow_schema::UnionMode;
use arrow_select::{Select, UnusedValues, refers_to_at_least};

use crate::{
    dictionary::IndexMaps,
    error::{Context, IpcError, Result},
};
use arrow_ipc_format::{
    MetadataVersion,
    columns::{Column, Columns, ExtraValidity},
};

mod bits;
mod extents;
mod positions;
mod repeats;
mod sink;
mod transform;
mod trim;
mod views;
mod words;

pub(crate) use self::{
    repeats::RepeatedBuffers,
    sink::{CompressionBound, SegmentSink, Sink},
    transform::{BodyTransform, TransformSink},
    trim::{trim, zero_nulls},
};

#[derive(Debug, Clone, Copy)]
pub(crate) struct EncodeRules<'a> {
    pub(crate) version: MetadataVersion,
    /// The changes to indices into dictionaries.
    pub(crate) maps: &'a IndexMaps,
    /// Whether an array may have more unused than used items and bytes.
    pub(crate) unused_items: UnusedValues,
}

/// Passes the columns of a batch, or the values of a dictionary, to the sink.
///
/// # Errors
/// If an array that must be rebuilt is invalid. Such an array is checked first, unless it has been
/// [checked](ArrayData::checked).
pub(crate) fn encode<S: Sink>(
    columns: &Columns,
    arrays: &[ArrayData],
    rules: EncodeRules<'_>,
    sink: &mut S,
) -> Result<()> {
    let mut walk = ArrayWalk { columns, position: 0, rules, sink, extents: extents::Extents::default() };
    arrays.iter().try_for_each(|array| walk.array(array))
}

/// Used data is copied together only if the used range has at least this many bytes, or this many small items or values:
/// see [`LITTLE_BITS`].
const MIN_COPIED: usize = 128;

/// The bit width up to which an item or a value without children counts as small.
const LITTLE_BITS: u64 = 128;

struct ArrayWalk<'a, S> {
    columns: &'a Columns,
    /// The position of the next array's column. Columns and arrays are walked in pre-order. Each array has a column,
    /// since the schema of the batch has been compared with the columns.
    position: usize,
    rules: EncodeRules<'a>,
    sink: &'a mut S,
    /// For the current view array, the used range of each data buffer. Reused for the next view array to save
    /// allocations.
    extents: extents::Extents,
}

impl<'a, S: Sink> ArrayWalk<'a, S> {
    fn array(&mut self, array: &ArrayData) -> Result<()> {
        let columns = self.columns;
        let position = self.position;
        let column = self.begin(array).in_field(|| columns.path(position))?;
        let encoded = match column.layout.physical() {
            Physical::Null
            | Physical::Bits
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(UnionMode::Sparse) => self.plain(column, array),
            Physical::Fixed(_) => self.fixed(column, array),
            Physical::Dictionary(index) => self.indices(column, array, index),
            Physical::Views => self.views(column, array),
            Physical::Bytes(offset) | Physical::List(offset) => self.offsets(column, array, offset),
            Physical::ListView(offset) => self.list_view(column, array, offset),
            Physical::Runs(run_end) => self.runs(array, run_end),
            Physical::Union(UnionMode::Dense) => self.dense_union(column, array),
        };
        if encoded.is_ok() { encoded } else { encoded.in_field(|| columns.path(position)) }
    }

    /// Passes on the node and the validity of an array, and advances to the next column.
    #[inline]
    fn begin(&mut self, array: &ArrayData) -> Result<&'a Column> {
        let column = self.columns.at(self.position);
        self.position += 1;
        match (column.layout.nulls(), array.validity()) {
            (Nulls::All, _) => self.sink.node(array.len(), array.len()),
            (Nulls::InChildren, _) => {
                self.sink.node(array.len(), 0);
                if column.extra_buffer(ExtraValidity::specified(self.rules.version)).is_some() {
                    self.sink.empty();
                }
            }
            (Nulls::Bitmap, None) => {
                self.sink.node(array.len(), 0);
                self.sink.empty();
            }
            (Nulls::Bitmap, Some(validity)) => {
                let null_count = array.null_count();
                self.sink.node(array.len(), null_count);
                if null_count == 0 {
                    self.sink.empty();
                } else {
                    self.sink.bits(validity.buffer(), validity.bit_offset(), validity.len())?;
                }
            }
        }
        Ok(column)
    }

    /// Passes on an array with one data buffer, which is the most frequent case. [`plain`](ArrayWalk::plain) does the
    /// same, but takes longer.
    #[inline]
    fn fixed(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let [spec] = column.layout.data_buffers() else { return self.plain(column, array) };
        let buffer = array.buffer(0);
        self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, array.len(), buffer)?);
        Ok(())
    }

    /// Passes on all buffers and children of an array, without looking for unused data.
    fn plain(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        for (k, spec) in column.layout.data_buffers().iter().enumerate() {
            let buffer = array.buffer(k);
            if spec.bits == 1 {
                self.sink.bits(buffer, array.offset(), array.len())?;
            } else {
                self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, array.len(), buffer)?);
            }
        }
        if column.layout.is_variadic() {
            self.sink.variadic_count(array.variadic().len());
            for data in array.variadic() {
                self.sink.share(Swap::None, data, 0, data.len());
            }
        }
        array.children().iter().try_for_each(|child| self.array(child))
    }

    /// Passes on the slots `start..end` of a child, which must have these slots.
    fn part(&mut self, child: &ArrayData, start: usize, end: usize) -> Result<()> {
        let n_slots = end.saturating_sub(start);
        if start == 0 && n_slots == child.len() {
            return self.array(child);
        }
        self.array(&child.try_slice(start, n_slots)?)
    }

    /// Copies the used bytes, items or values together if less than half of them are used. `n` is the number of bytes,
    /// items or values from the first used one to the last. Returns `None` if the array is written without this copy.
    /// An unchecked array with dictionaries is always written without it: checking the array could replace its
    /// dictionaries, which have already been compared with others.
    #[inline(never)]
    fn without_unused(
        &mut self,
        next: &[BufferSpec],
        array: &ArrayData,
        n: usize,
    ) -> Result<Option<ArrayData>> {
        if self.rules.unused_items == UnusedValues::Keep
            || n < MIN_COPIED && array.children().iter().all(is_little)
            || array.checked() < Validation::Content && has_dictionary(array)
            || refers_to_at_least(array, n.div_ceil(2))?
        {
            return Ok(None);
        }
        self.check_positions(next, array)?;
        let used = array.with_used_items(UnusedValues::Bounded)?;
        let from = [array.buffer(0), array.buffer(1)].into_iter().chain(array.variadic());
        let made = [used.buffer(0), used.buffer(1)].into_iter().chain(used.variadic());
        for buffer in made.filter(|made| !from.clone().any(|from| lies_in(made, from))) {
            self.sink.made(buffer.len());
        }
        Ok(Some(used))
    }

    /// Checks the offsets, views and other positions in an array, unless the array has been checked. `next` are the
    /// buffers that the walk passes on next.
    fn check_positions(&self, next: &[BufferSpec], array: &ArrayData) -> Result<()> {
        if array.checked() >= Validation::Content {
            return Ok(());
        }
        array.check_positions().or_else(|error| self.unsound(next, error))
    }

    /// Adds the buffer to an error, if the error is about one of the buffers `next`.
    fn unsound<T>(&self, next: &[BufferSpec], error: DataError) -> Result<T> {
        let role = error.role();
        match next.iter().position(|spec| Some(spec.role) == role) {
            Some(n_before) => Err(error).in_buffer(self.sink.n_buffers().saturating_add(n_before), role),
            None => Err(error.into()),
        }
    }
}

/// Whether each slot takes at most [`LITTLE_BITS`] bits and has no children.
fn is_little(array: &ArrayData) -> bool {
    array.data_type().bit_width().is_some_and(|n_bits| n_bits <= LITTLE_BITS)
}

/// Whether the array or one of its children has a dictionary.
pub(crate) fn has_dictionary(array: &ArrayData) -> bool {
    array.dictionary().is_some() || array.children().iter().any(has_dictionary)
}

/// The number of bytes of a buffer that `n_slots` slots need. By the structure of arrays, the buffer has at least
/// this length.
#[inline]
fn n_whole_bytes(spec: &BufferSpec, n_slots: usize, buffer: &Buffer) -> Result<usize> {
    let needed = spec.written_bytes(n_slots as u64).and_then(|n_bytes| usize::try_from(n_bytes).ok());
    match needed {
        Some(needed) if needed <= buffer.len() => Ok(needed),
        _ => Err(IpcError::internal("a buffer is shorter than the array's structure")),
    }
}

/// Whether the memory of `part` lies inside the memory of `whole`.
fn lies_in(part: &Buffer, whole: &Buffer) -> bool {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr());
    start.is_some_and(|start| start + part.len() <= whole.len())
}

#[cfg(test)]
mod tests;
