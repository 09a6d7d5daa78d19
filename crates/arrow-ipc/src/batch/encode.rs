//! Walks arrays together with their columns, and passes the content of a message's body to a sink: ranges of the
//! caller's buffers, and rebuilt buffers. The same walk computes lengths and writes segments.
//!
//! The walk passes on only the part of a buffer from the first to the last byte to which slots refer. If this is the
//! whole buffer, the walk passes it on without a copy. To find the part, the walk reads first and last offsets, views,
//! and the offsets of list views and dense unions. If slots refer to a part of a buffer, the walk rebuilds offsets,
//! views and run ends for this part. This holds for slices and for whole arrays with unused data. If slots refer to
//! less than half of the bytes of the part, the walk copies the used bytes together.

use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, BufferSpec, DataError, Nulls, Physical, Swap, Validation};
use arrow_schema::UnionMode;
use arrow_select::{Select, UnusedValues, refers_to_at_least};

use crate::{
    dictionary::IndexMaps,
    error::{Context, IpcError, Result},
    options::NullSlots,
    segment::GATHER_BYTES,
};
use arrow_ipc_format::{
    MetadataVersion,
    columns::{Column, Columns, ExtraValidity},
};

mod extents;
mod positions;
mod sink;
mod transform;
mod words;

use self::{
    extents::{Extents, UncheckedViews},
    words::{numbers, try_write},
};
pub(crate) use self::{
    sink::{CompressionBound, RepeatedBuffers, SegmentSink, Sink},
    transform::{BodyTransform, TransformSink},
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
    let mut walk = ArrayWalk { columns, position: 0, rules, sink, extents: Extents::default() };
    arrays.iter().try_for_each(|array| walk.array(array))
}

/// Replaces the data of null slots. Returns `None` if the null slots stay as they are.
///
/// # Errors
/// If numbers that refer to values are unchecked and invalid.
pub(crate) fn zero_nulls(
    columns: &Columns,
    arrays: &[ArrayData],
    null_slots: NullSlots,
) -> Result<Option<Vec<ArrayData>>> {
    match null_slots {
        NullSlots::Keep => Ok(None),
        NullSlots::Zeros => {
            let arrays = arrays.iter().zip(columns.roots());
            let zeroed =
                arrays.map(|(array, root)| array.with_zeroed_nulls().in_field(|| columns.path(*root)));
            zeroed.collect::<Result<Vec<ArrayData>>>().map(Some)
        }
    }
}

/// Used data is copied together only if the used range has at least this many bytes, or this many small items or values:
/// see [`LITTLE_BITS`].
const MIN_COPIED: usize = 128;

/// The bit width up to which an item or a value without children counts as small.
const LITTLE_BITS: u64 = 128;

/// Data buffers are trimmed if at least this many bytes are unused. Views are rebased if at least this many unused
/// bytes precede the used bytes. Fewer bytes would not shrink the message, because buffers are padded to this length.
/// If there are so few views that they are copied anyway, one byte is enough.
const MIN_TRIMMED_BYTES: usize = 64;

struct ArrayWalk<'a, S> {
    columns: &'a Columns,
    /// The position of the next array's column. Columns and arrays are walked in pre-order. Each array has a column,
    /// since the schema of the batch has been compared with the columns.
    position: usize,
    rules: EncodeRules<'a>,
    sink: &'a mut S,
    /// For the current view array, the used range of each data buffer. Reused for the next view array to save
    /// allocations.
    extents: Extents,
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

    /// Not inlined, because inlining slows the walk over many columns of other types.
    #[inline(never)]
    pub(super) fn views(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let data = array.variadic();
        let next = column.layout.data_buffers();
        let views = numbers::<View>(array.buffer(0), array.len());
        let views = views.or_else(|kind| self.unsound(next, kind.into()))?;
        let validity = if array.null_count() > 0 { array.validity() } else { None };
        let min_bytes = if size_of_val(views) < GATHER_BYTES { 1 } else { MIN_TRIMMED_BYTES };
        if data.is_empty() {
            return self.plain(column, array);
        }
        let is_covered = self.extents.cover(data, UncheckedViews { views, validity }, min_bytes);
        let n_bytes = if is_covered { Extents::n_data_bytes(data) } else { self.extents.n_used_bytes() };
        if let Some(used) = self.without_unused(next, array, n_bytes)? {
            return self.plain(column, &used);
        }
        if is_covered && !data.iter().any(Buffer::is_empty) {
            return self.plain(column, array);
        }
        self.check_positions(next, array)?;
        if is_covered {
            self.extents.be_whole(data);
        }
        // Some readers check views of null slots, too, so these views must not refer to removed bytes.
        if validity.is_some() || self.extents.n_bytes_before() >= min_bytes || self.extents.are_renumbered() {
            self.extents.number();
            let extents = &self.extents;
            self.sink.rebuild(Swap::View, size_of_val(views), |to| {
                let rebased = |view: &View| extents.rebase(view);
                let what = "a checked view refers to no data buffer";
                match validity {
                    None => try_write(to, views.iter().map(rebased), what),
                    Some(validity) => {
                        let valid = views.iter().zip(validity.iter());
                        let rebased = |(view, bit)| if bit { rebased(view) } else { Some(View::default()) };
                        try_write(to, valid.map(rebased), what)
                    }
                }
            })?;
        } else {
            self.extents.begin_at_zero();
            self.sink.share(Swap::View, array.buffer(0), 0, size_of_val(views));
        }
        self.sink.variadic_count(self.extents.used().count());
        for (idx, extent) in self.extents.used() {
            let data = data.get(idx).filter(|data| extent.end <= data.len());
            let data = data.ok_or_else(|| IpcError::internal("a checked view is out of bounds"))?;
            self.sink.share(Swap::None, data, extent.start, extent.end);
        }
        Ok(())
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
        let copied = [used.buffer(0), used.buffer(1)].into_iter().chain(used.variadic());
        for buffer in copied.filter(|copied| !from.clone().any(|from| lies_in(copied, from))) {
            self.sink.count_rebuilt(buffer.len());
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
mod tests {
    use std::sync::Arc;

    use arrow_buffer::Buffer;
    use arrow_data::ArrayParts;
    use arrow_schema::{DataType, Field, IndexType, Schema};
    use arrow_select::UnusedValues;

    use super::*;
    use crate::error::ErrorClass;
    use arrow_ipc_format::{BatchHeaderBuilder, IpcSchema, columns::SchemaColumns};

    #[test]
    fn indices_of_unknown_dictionaries_are_an_error_with_their_location() {
        let data_type = DataType::dictionary(IndexType::Int8, DataType::Int32).unwrap();
        let values = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![7i32, 8]), Buffer::new()],
            ..ArrayParts::new(DataType::Int32, 2)
        });
        let array = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![1i8, 0]), Buffer::new()],
            dictionary: Some(Arc::new(values.unwrap())),
            ..ArrayParts::new(data_type.clone(), 2)
        });
        let schema = IpcSchema::from(Schema::new([Field::new("word", data_type)]));
        let columns = SchemaColumns::try_new(&schema).unwrap();
        // The mappings do not know the dictionaries of the batch.
        let rules = EncodeRules {
            version: MetadataVersion::V5,
            maps: &IndexMaps::new(1),
            unused_items: UnusedValues::Bounded,
        };
        let mut sink = BatchHeaderBuilder::default();
        let error = encode(&columns.batch, &[array.unwrap()], rules, &mut sink).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Internal);
        assert!(error.location().to_string().contains("word"), "{error}");
    }
}
