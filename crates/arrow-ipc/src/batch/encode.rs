//! Walks arrays beside their columns, and tells a sink what the body of a message consists of: which bytes of the caller's
//! buffers, and which buffers have to be rebuilt. The same walk plans sizes and hands out segments.
//!
//! Writes no more than slots refer to. Buffers that are used from their first byte to their last are passed on without a
//! copy; to find that out, the walk looks only at first and last offsets, and at how far list views, views and the slots of
//! dense unions reach. Else offsets, views and run ends are rebuilt for the part that is used: of slices, and of whole
//! arrays that do not use all of their data, which look the same. Where slots refer to less than half of what they reach over, that
//! is copied together.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, BufferSpec, Count, DataError, Level, Nulls, Physical, Swap, Unused};
use arrow_schema::UnionMode;

use crate::{
    columns::{Column, Columns},
    dictionary::IndexMaps,
    error::{Context, IpcError, IpcErrorKind, Result},
    protocol::MetadataVersion,
};

mod bits;
mod compressed;
mod extents;
mod indices;
mod list_views;
mod offsets;
mod repeats;
mod runs;
mod shaped;
mod sink;
mod trim;
mod unions;
mod views;
mod words;

pub(crate) use self::{
    repeats::Repeats,
    shaped::{ShapedSink, Shaping},
    sink::{CountingSink, SegmentSink, Sink},
    trim::Trim,
};

/// What a message is written by, beside its columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EncodeRules<'a> {
    pub(crate) version: MetadataVersion,
    /// What indices become.
    pub(crate) maps: &'a IndexMaps,
    /// Whether there may be more of what no slot refers to than of what slots refer to.
    pub(crate) unused_items: Unused,
}

/// Passes arrays to the sink: the columns of a batch, or the values of a dictionary.
///
/// # Errors
/// If an array that has to be rebuilt is not sound; so it is looked at where it has not been
/// [checked](ArrayData::checked).
pub(crate) fn encode<S: Sink>(
    columns: &Columns,
    arrays: &[ArrayData],
    rules: EncodeRules<'_>,
    sink: &mut S,
) -> Result<()> {
    let mut walk = Walk { columns, position: 0, rules, sink, extents: extents::Extents::default() };
    arrays.iter().try_for_each(|array| walk.array(array))
}

/// Where slots reach over fewer bytes, items or values, nothing is copied together.
const MIN_COPIED: usize = 128;

struct Walk<'a, S> {
    columns: &'a Columns,
    /// The column of the next array: both are walked in pre-order. The arrays are of the columns' types, since the
    /// schema of the batch has been compared, so there is one.
    position: usize,
    rules: EncodeRules<'a>,
    sink: &'a mut S,
    /// Of the view array that is looked at; kept for its memory.
    extents: extents::Extents,
}

impl<'a, S: Sink> Walk<'a, S> {
    fn array(&mut self, array: &ArrayData) -> Result<()> {
        let (columns, position) = (self.columns, self.position);
        let column = self.begin(array).in_field(|| columns.path(position))?;
        let told = match column.layout.physical() {
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
        if told.is_ok() { told } else { told.in_field(|| columns.path(position)) }
    }

    /// What every array begins with: its node and its validity.
    #[inline]
    fn begin(&mut self, array: &ArrayData) -> Result<&'a Column> {
        let column = self.columns.at(self.position);
        self.position += 1;
        match (column.layout.nulls(), array.validity()) {
            (Nulls::All, _) => self.sink.node(array.len(), array.len()),
            (Nulls::InChildren, _) => {
                self.sink.node(array.len(), 0);
                if column.has_legacy_validity(self.rules.version) {
                    self.sink.empty();
                }
            }
            (Nulls::Bitmap, None) => {
                self.sink.node(array.len(), 0);
                self.sink.empty();
            }
            (Nulls::Bitmap, Some(validity)) => {
                let n_nulls = array.null_count();
                self.sink.node(array.len(), n_nulls);
                if n_nulls == 0 {
                    self.sink.empty();
                } else {
                    self.sink.bits(validity.buffer(), validity.bit_offset(), validity.len())?;
                }
            }
        }
        Ok(column)
    }

    /// An array of one buffer, as most are; what [`plain`](Walk::plain) would tell of it.
    #[inline]
    fn fixed(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let [spec] = column.layout.data_buffers() else { return self.plain(column, array) };
        let buffer = array.buffer(0);
        self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, array.len(), buffer)?);
        Ok(())
    }

    /// An array whose slices have narrowed their buffers and children themselves.
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

    /// A part of a child. The range has been found inside of it.
    fn part(&mut self, child: &ArrayData, start: usize, end: usize) -> Result<()> {
        let n_slots = end.saturating_sub(start);
        if start == 0 && n_slots == child.len() {
            return self.array(child);
        }
        self.array(&child.try_slice(start, n_slots)?)
    }

    /// The array without what its slots do not refer to, where that is more than what they do: of `n` bytes, items or values that they
    /// reach over. `None` if it is written as it is: so is what has not been checked and has dictionaries, since checking it may
    /// repair these, and others have been looked at.
    #[inline(never)]
    fn without_unused(
        &mut self,
        next: &[BufferSpec],
        array: &ArrayData,
        n: usize,
    ) -> Result<Option<ArrayData>> {
        if self.rules.unused_items == Unused::Kept
            || n < MIN_COPIED
            || array.checked() < Level::Content && has_dictionary(array)
            || array.refers_to_at_least(n.div_ceil(2))?
        {
            return Ok(None);
        }
        self.check_positions(next, array)?;
        let used = array.with_used_items(Unused::Bounded)?;
        let from = [array.buffer(0), array.buffer(1)].into_iter().chain(array.variadic());
        let made = [used.buffer(0), used.buffer(1)].into_iter().chain(used.variadic());
        for buffer in made.filter(|made| !from.clone().any(|from| lies_in(made, from))) {
            self.sink.made(buffer.len());
        }
        Ok(Some(used))
    }

    /// Checks the positions that an array says its values are at, unless that has been done. `next` are the buffers
    /// that are told next.
    fn check_positions(&self, next: &[BufferSpec], array: &ArrayData) -> Result<()> {
        if array.checked() >= Level::Content {
            return Ok(());
        }
        array.check_positions().or_else(|error| self.unsound(next, error))
    }

    /// An error about one of the buffers that are told next.
    fn unsound<T>(&self, next: &[BufferSpec], error: DataError) -> Result<T> {
        let role = error.role();
        match next.iter().position(|spec| Some(spec.role) == role) {
            Some(n_before) => Err(error).in_buffer(self.sink.n_buffers().saturating_add(n_before), role),
            None => Err(error.into()),
        }
    }
}

fn has_dictionary(array: &ArrayData) -> bool {
    array.dictionary().is_some() || array.children().iter().any(has_dictionary)
}

/// The bytes of a buffer that some slots need: it has them, by the structure of arrays, and may have more.
#[inline]
fn n_whole_bytes(spec: &BufferSpec, n_slots: usize, buffer: &Buffer) -> Result<usize> {
    let needed = n_written_bytes(spec, n_slots as u64).and_then(|n_bytes| usize::try_from(n_bytes).ok());
    match needed {
        Some(needed) if needed <= buffer.len() => Ok(needed),
        _ => Err(internal("a buffer is shorter than the structure of its array")),
    }
}

/// The bytes that are written of a buffer whose length the slots tell; `None` if there is no such number. Offsets begin
/// with 0 also where there are no slots.
#[inline]
pub(crate) fn n_written_bytes(spec: &BufferSpec, n_slots: u64) -> Option<u64> {
    match (spec.count, n_slots) {
        (Count::PerSlotPlusOne, 0) => Some(spec.element_bytes()),
        (Count::PerSlot | Count::PerSlotPlusOne | Count::FromData, _) => spec.min_bytes(n_slots),
    }
}

/// Whether a buffer is a part of another one.
fn lies_in(part: &Buffer, whole: &Buffer) -> bool {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr());
    start.is_some_and(|start| start.saturating_add(part.len()) <= whole.len())
}

/// An invariant of arrays or of this walk does not hold: an error, instead of bytes that mean something else.
#[cold]
fn internal(what: &'static str) -> IpcError {
    IpcErrorKind::Internal { what }.into()
}

#[cfg(test)]
mod tests;
