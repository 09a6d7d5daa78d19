//! Writes arrays with positions in other buffers or in children: indices of dictionaries, offsets of binary, lists
//! and maps, list views, run ends and dense unions.
//!
//! A slice keeps whole children in memory. In a message, each child is trimmed to the range that the slots refer to, and
//! positions are rebased to the start of this range. If the slots of list views or unions refer to less than half of the
//! range, the used items are copied together. Run ends are counted from the start of the slice, and the last run end is
//! reduced to the length of the slice. Indices are rebuilt if the dictionary of the reader has the values at other
//! indices.

mod referenced_range;

use std::ops::Range;

use arrow_buffer::{Buffer, NativeType, OffsetWidth};
use arrow_data::{ArrayData, DataError, OffsetType, Role, Swap};
use arrow_schema::{DataType, IndexType, RunEndType};
use arrow_select::{SelectError, SelectErrorKind};

use self::referenced_range::{ListViewSlot, ReferencedRange};
use super::{
    ArrayWalk, Sink, n_whole_bytes,
    words::{Position, numbers, try_write, write},
};
use crate::{
    dictionary::Mapping,
    error::{Context, IpcError, Result},
};
use arrow_ipc_format::columns::Column;

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn indices(&mut self, column: &Column, array: &ArrayData, index: IndexType) -> Result<()> {
        let known = column.dictionary.zip(array.dictionary());
        let maps = self.rules.maps;
        let mapping = known.and_then(|(dictionary, values)| maps.get(dictionary, values));
        // A dictionary without a mapping is an error, because unchanged indices would select other values.
        if mapping.is_none() && !maps.is_empty() && array.null_count() < array.len() {
            return Err(IpcError::internal("the indices of an unobserved dictionary were written"));
        }
        let Some(table) = mapping.and_then(Mapping::table) else { return self.plain(column, array) };
        self.check_positions(column.layout.data_buffers(), array)?;
        match index {
            IndexType::Int8 | IndexType::UInt8 => self.mapped::<u8>(array, index, table),
            IndexType::Int16 | IndexType::UInt16 => self.mapped::<u16>(array, index, table),
            IndexType::Int32 | IndexType::UInt32 => self.mapped::<u32>(array, index, table),
            IndexType::Int64 | IndexType::UInt64 => self.mapped::<u64>(array, index, table),
        }
    }

    /// Rebuilds the indices. Valid indices are not negative, whatever their type. Indices of null slots become 0.
    fn mapped<T>(&mut self, array: &ArrayData, index: IndexType, table: &[u64]) -> Result<()>
    where
        T: NativeType + TryFrom<u64>,
        u64: TryFrom<T>,
    {
        let buffer_idx = self.sink.n_buffers();
        let indices = numbers::<T>(array.buffer(0), array.len()).map_err(DataError::from)?;
        let validity = if array.null_count() > 0 { array.validity() } else { None };
        let position_of = |slot: usize, index: T| {
            let is_valid = validity.is_none_or(|validity| validity.get(slot) == Some(true));
            if !is_valid {
                return Some(0);
            }
            table.get(usize::try_from(u64::try_from(index).ok()?).ok()?).copied()
        };
        let positions = || indices.iter().enumerate().map(|(slot, index)| position_of(slot, *index));
        let n_reachable = 1_u128 << (index.n_bits() - u32::from(index.is_signed()));
        let last = positions().try_fold(0, |last, position| position.map(|position| position.max(last)));
        let last = last.ok_or_else(|| IpcError::internal("a checked index is out of bounds"))?;
        if u128::from(last) >= n_reachable {
            let index_type = DataType::from(index);
            let kind = SelectErrorKind::IndexOverflow { index_type, n_values: last.saturating_add(1) };
            return Err(SelectError::from(kind)).in_buffer(buffer_idx, Some(Role::Values));
        }
        let spec = array.layout().data_buffers().first().copied();
        let swap =
            spec.ok_or_else(|| IpcError::internal("a dictionary-encoded array has no indices buffer"))?.swap;
        self.sink.rebuild(swap, size_of_val(indices), |to| {
            try_write(
                to,
                positions().map(|position| T::try_from(position?).ok()),
                "a checked index does not fit its type",
            )
        })
    }
}

/// The offsets of an array without slots.
const ZERO_OFFSET: &Buffer = &Buffer::from_static(&[0; 8]);

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn offsets(&mut self, column: &Column, array: &ArrayData, offset: OffsetType) -> Result<()> {
        let (start, end) = match offset {
            OffsetType::Int32 => self.offset_buffer::<i32>(column, array)?,
            OffsetType::Int64 => self.offset_buffer::<i64>(column, array)?,
        };
        match array.children().first() {
            Some(child) => self.part(child, start, end),
            None => {
                self.sink.share(Swap::None, array.buffer(1), start, end);
                Ok(())
            }
        }
    }

    /// Passes the offsets to the sink. Returns the range from the first offset to the last.
    fn offset_buffer<O: Position + OffsetWidth>(
        &mut self,
        column: &Column,
        array: &ArrayData,
    ) -> Result<(usize, usize)> {
        if array.is_empty() {
            self.sink.share(Swap::None, ZERO_OFFSET, 0, size_of::<O>());
            return Ok((0, 0));
        }
        let next = column.layout.data_buffers();
        let buffer = array.buffer(0);
        let offsets = numbers::<O>(buffer, array.len().saturating_add(1))
            .or_else(|kind| self.unsound(next, kind.into()))?;
        let first =
            *offsets.first().ok_or_else(|| IpcError::internal("an array with slots has no offsets"))?;
        let referred = referred_range(array, offsets);
        // Offsets that are written unchanged need only a valid first and last value. Offsets that are rebased must be
        // in order.
        if first != <O as Position>::ZERO || referred.is_none() {
            self.check_positions(next, array)?;
        }
        let (start, end) =
            referred.ok_or_else(|| IpcError::internal("the checked offsets are out of bounds"))?;
        if start == 0 {
            self.sink.share(O::SWAP, buffer, 0, size_of_val(offsets));
        } else {
            self.sink.rebuild(O::SWAP, size_of_val(offsets), |to| {
                if to.len() != size_of_val(offsets) {
                    return Err(IpcError::internal("the offsets do not fill their buffer"));
                }
                O::write_minus(offsets, first, to);
                Ok(())
            })?;
        }
        Ok((start, end))
    }
}

/// The range from the first offset to the last; `None` if it does not lie inside the data or the child.
fn referred_range<O: Position + OffsetWidth>(array: &ArrayData, offsets: &[O]) -> Option<(usize, usize)> {
    let start = Position::to_usize(*offsets.first()?)?;
    let end = Position::to_usize(*offsets.last()?)?;
    let n_referable = array.children().first().map_or(array.buffer(1).len(), ArrayData::len);
    (start <= end && end <= n_referable).then_some((start, end))
}

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn list_view(&mut self, column: &Column, array: &ArrayData, offset: OffsetType) -> Result<()> {
        match offset {
            OffsetType::Int32 => self.list_view_of::<i32>(column, array),
            OffsetType::Int64 => self.list_view_of::<i64>(column, array),
        }
    }

    fn list_view_of<O: ListViewSlot>(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let next = column.layout.data_buffers();
        let n_slots = array.len();
        let found = numbers::<O>(array.buffer(0), n_slots)
            .and_then(|offsets| Ok((offsets, numbers::<O>(array.buffer(1), n_slots)?)));
        let (offsets, sizes) = found.or_else(|kind| self.unsound(next, kind.into()))?;
        self.check_positions(next, array)?;
        let Some(child) = array.children().first() else {
            return Err(IpcError::internal("a list view has no child"));
        };
        let extent = Extent::try_new(offsets, sizes, child.len())?;
        // Contiguous slots use each item between the first and the last.
        let n_items = extent.end.saturating_sub(extent.start);
        if (!extent.is_contiguous || array.null_count() > 0)
            && let Some(used) = self.without_unused(next, array, n_items)?
        {
            return self.plain(column, &used);
        }
        match extent.base {
            None => self.sink.share(O::SWAP, array.buffer(0), 0, size_of_val(offsets)),
            Some(base) => self.sink.rebuild(O::SWAP, size_of_val(offsets), |to| {
                let slots = offsets.iter().zip(sizes);
                write(to, slots.map(|(offset, size)| O::rebased(*offset, *size, base)))
            })?,
        }
        for (k, spec) in next.iter().enumerate().skip(1) {
            let buffer = array.buffer(k);
            self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, n_slots, buffer)?);
        }
        self.part(child, extent.start, extent.end)
    }
}

/// The range of the child that is written, and the number to subtract from offsets.
#[derive(Debug, PartialEq, Eq)]
struct Extent<O> {
    start: usize,
    end: usize,
    base: Option<O>,
    /// Whether each slot of the list view begins at the end of the previous slot.
    is_contiguous: bool,
}

impl<O: ListViewSlot> Extent<O> {
    /// Computes the range of the child. Valid slots lie inside its `n_items` items.
    fn try_new(offsets: &[O], sizes: &[O], n_items: usize) -> Result<Extent<O>> {
        let (reach, is_contiguous) = match ReferencedRange::from_contiguous(offsets, sizes) {
            Some(reach) => (reach, true),
            None if ReferencedRange::from_sample(offsets, sizes).is_almost(n_items) => {
                return Ok(Extent { start: 0, end: n_items, base: None, is_contiguous: false });
            }
            None => (ReferencedRange::from_any(offsets, sizes), false),
        };
        let is_empty = reach.end == 0;
        if reach.start == O::ZERO || is_empty && reach.last_offset == O::ZERO {
            // Offsets are not changed, so the child must reach to the offsets of empty slots, too.
            let end = reach.end.max(O::end(reach.last_offset, O::ZERO).into());
            return Ok(Extent { start: 0, end: position(end)?, base: None, is_contiguous });
        }
        if is_empty {
            return Ok(Extent { start: 0, end: 0, base: Some(O::ZERO), is_contiguous });
        }
        let start = O::end(reach.start, O::ZERO).into();
        Ok(Extent {
            start: position(start)?,
            end: position(reach.end)?,
            base: Some(reach.start),
            is_contiguous,
        })
    }
}

/// Converts a position that lies inside a child.
fn position(number: u64) -> Result<usize> {
    usize::try_from(number).map_err(|_| IpcError::internal("a checked list view is out of bounds"))
}

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn runs(&mut self, array: &ArrayData, run_end_type: RunEndType) -> Result<()> {
        let [run_ends, values] = array.children() else {
            return Err(IpcError::internal("a run-end encoded array does not have two children"));
        };
        let runs = match run_end_type {
            RunEndType::Int16 => self.run_ends::<i16>(array, run_ends)?,
            RunEndType::Int32 => self.run_ends::<i32>(array, run_ends)?,
            RunEndType::Int64 => self.run_ends::<i64>(array, run_ends)?,
        };
        self.part(values, runs.start, runs.end)
    }

    /// Passes the run ends to the sink, and returns the range of the written runs.
    fn run_ends<T: Position>(&mut self, array: &ArrayData, run_ends: &ArrayData) -> Result<Range<usize>> {
        let layout = run_ends.layout();
        let next = layout.buffers();
        let ends = numbers::<T>(run_ends.buffer(0), run_ends.len())
            .or_else(|kind| self.unsound(next, kind.into()))?;
        let whole = if run_ends.null_count() == 0 { whole(array, ends) } else { None };
        let runs = match whole {
            Some(runs) => runs,
            None => {
                self.check_positions(next, array)?;
                reached(array, ends)?
            }
        };
        let retained = ends
            .get(runs.clone())
            .ok_or_else(|| IpcError::internal("a run that slots refer to does not exist"))?;
        let n_slots = T::from_usize(array.len());
        if array.offset() == 0 && (retained.is_empty() || retained.last().copied() == n_slots) {
            self.part(run_ends, 0, runs.end)?;
            return Ok(runs);
        }
        // `start + n_slots` fits the type: the last run end is at least as large.
        let (Some(start), Some(n_slots)) = (T::from_usize(array.offset()), n_slots) else {
            return Err(IpcError::internal("the checked run ends end before the array"));
        };
        let rebased = |end: &T| end.minus(start).min(n_slots);
        self.begin_rebuilt(retained.len());
        self.sink.rebuild(T::SWAP, size_of_val(retained), |to| write(to, retained.iter().map(rebased)))?;
        Ok(runs)
    }

    /// Passes on the node and the empty validity buffer of a child without nulls. The caller must pass on the values
    /// next.
    fn begin_rebuilt(&mut self, n_slots: usize) {
        self.position += 1;
        self.sink.node(n_slots, 0);
        self.sink.empty();
    }
}

/// The range of all runs if the array begins with the first run and ends with the last; an empty range if it has no
/// slots. Otherwise returns `None`: then the caller must search the run ends.
fn whole<T: Position>(array: &ArrayData, ends: &[T]) -> Option<Range<usize>> {
    if array.is_empty() {
        return Some(0..0);
    }
    let last = ends.last().and_then(|last| last.to_usize());
    (array.offset() == 0 && last == Some(array.len())).then_some(0..ends.len())
}

/// The runs that contain the slots of an array. The run ends must increase, and the last must not be before the end
/// of the array.
fn reached<T: Position>(array: &ArrayData, ends: &[T]) -> Result<Range<usize>> {
    let Some(n_after_first) = array.len().checked_sub(1) else { return Ok(0..0) };
    let run_of = |slot: usize| ends.partition_point(|end| end.to_usize().is_some_and(|end| end <= slot));
    let (first, last) = (run_of(array.offset()), run_of(array.offset().saturating_add(n_after_first)));
    if first > last || last >= ends.len() {
        return Err(IpcError::internal("the checked run ends end before the array"));
    }
    Ok(first..last + 1)
}

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn dense_union(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let Some(union) = array.data_type().as_union() else {
            return Err(IpcError::internal("a type with the layout of a dense union is not a dense union"));
        };
        let next = column.layout.data_buffers();
        let type_ids = array.buffer(0).get(..array.len());
        let type_ids = type_ids.ok_or_else(|| IpcError::internal("a slot of a union has no type id"))?;
        let offsets =
            numbers::<i32>(array.buffer(1), array.len()).or_else(|kind| self.unsound(next, kind.into()))?;
        let children = || array.children().iter().zip(union.type_ids());
        let is_in_order = children().all(|(child, type_id)| is_in_order(child, *type_id, type_ids, offsets));
        let extents = if is_in_order { None } else { Some(OffsetExtents::new(type_ids, offsets)) };
        let n_values = children().map(|(child, type_id)| match &extents {
            None => child.len(),
            Some(extents) => extents.n_of_type(*type_id),
        });
        let n_values = n_values.fold(0, usize::saturating_add);
        if let Some(used) = self.without_unused(next, array, n_values)? {
            return self.plain(column, &used);
        }
        let Some(extents) = extents else { return self.plain(column, array) };
        if children().all(|(child, type_id)| extents.type_range(*type_id) == (0, child.len())) {
            return self.plain(column, array);
        }
        self.check_positions(next, array)?;
        self.sink.share(Swap::None, array.buffer(0), 0, type_ids.len());
        if extents.begin_at_zero() {
            self.sink.share(Swap::Word4, array.buffer(1), 0, size_of_val(offsets));
        } else {
            self.sink.rebuild(Swap::Word4, size_of_val(offsets), |to| {
                let rebased =
                    |(offset, type_id): (&i32, &u8)| offset.wrapping_sub(extents.start_of(*type_id));
                write(to, offsets.iter().zip(type_ids).map(rebased))
            })?;
        }
        children().try_for_each(|(child, type_id)| {
            let (start, end) = extents.type_range(*type_id);
            self.part(child, start, end)
        })
    }
}

/// Whether the first slot that selects a child refers to its first value, and the last such slot to its last value.
/// `true` if offsets are in order and all values are used.
fn is_in_order(child: &ArrayData, type_id: i8, type_ids: &[u8], offsets: &[i32]) -> bool {
    let is_of_child = |id: &u8| id.cast_signed() == type_id;
    let offset_of = |slot: Option<usize>| usize::try_from(*offsets.get(slot?)?).ok();
    let Some(last) = child.len().checked_sub(1) else { return true };
    offset_of(type_ids.iter().position(is_of_child)) == Some(0)
        && offset_of(type_ids.iter().rposition(is_of_child)) == Some(last)
}

/// For each type id, the smallest and the greatest offset of its slots. Without slots, the maximum is -1.
struct OffsetExtents {
    min: [i32; N_TYPE_IDS],
    max: [i32; N_TYPE_IDS],
}

const N_TYPE_IDS: usize = 128;

impl OffsetExtents {
    /// Reads all slots. If an offset is invalid, the result has no meaning.
    fn new(type_ids: &[u8], offsets: &[i32]) -> OffsetExtents {
        let mut extents = OffsetExtents { min: [i32::MAX; N_TYPE_IDS], max: [-1; N_TYPE_IDS] };
        for (type_id, offset) in type_ids.iter().zip(offsets) {
            let idx = usize::from(*type_id) % N_TYPE_IDS;
            extents.min[idx] = extents.min[idx].min(*offset);
            extents.max[idx] = extents.max[idx].max(*offset);
        }
        extents
    }

    /// The range of the child that slots with this type id refer to; empty without such slots.
    fn type_range(&self, type_id: i8) -> (usize, usize) {
        // Type ids of a union are not negative.
        let idx = usize::from(type_id.cast_unsigned()) % N_TYPE_IDS;
        match (usize::try_from(self.min[idx]), usize::try_from(self.max[idx])) {
            (Ok(first), Ok(last)) => (first, last + 1),
            _ => (0, 0),
        }
    }

    fn n_of_type(&self, type_id: i8) -> usize {
        let (start, end) = self.type_range(type_id);
        end - start
    }

    fn start_of(&self, type_id: u8) -> i32 {
        self.min[usize::from(type_id) % N_TYPE_IDS]
    }

    fn begin_at_zero(&self) -> bool {
        self.min.iter().zip(&self.max).all(|(first, last)| *first == 0 || *last < 0)
    }
}

#[cfg(test)]
mod tests;
