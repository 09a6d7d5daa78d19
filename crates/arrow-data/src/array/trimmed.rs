//! Trims bytes and children to the part from the first to the last byte or slot to which an array refers. A slice of an
//! array keeps them whole.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, BufferMut, NativeType, OffsetWidth};
use arrow_schema::UnionMode;

use crate::{
    array::{
        ArrayData, ArrayParts,
        positions::{Ranges, RunEnds, TypeIds, inside, numbers, offset_type, union_child},
    },
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Physical},
};

/// The array with a part of its bytes or children; `None` if `leaves_out`, which gets the numbers of used and of all bytes or
/// slots, keeps the rest of them. Bytes, items and values are shared. List views that are not in `keep` refer to nothing, and
/// get any offset. The positions in the array must have been checked; those of runs need not.
///
/// # Errors
/// If the system refuses the memory of new offsets. An internal error, if the positions were not checked.
#[inline(never)]
pub fn trimmed(
    array: &ArrayData,
    keep: Option<&Bitmap>,
    leaves_out: impl FnOnce(usize, usize) -> bool,
) -> Result<Option<Box<ArrayData>>, DataError> {
    let physical = array.layout().physical();
    let ranges = match physical {
        Physical::Bytes(_) | Physical::List(_) => vec![in_order(array)?],
        Physical::ListView(_) => vec![list_view_items(array, keep)?],
        Physical::Runs(_) => vec![run_ends(array)?; 2],
        Physical::Union(UnionMode::Dense) => dense_union_children(array)?,
        Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Views
        | Physical::FixedSizeList(_)
        | Physical::Struct
        | Physical::Union(UnionMode::Sparse)
        | Physical::Dictionary(_) => return Ok(None),
    };
    let lengths = array.children().iter().map(ArrayData::len);
    let n_all = lengths.fold(array_bytes(array, physical), usize::saturating_add);
    let n_part = ranges.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add);
    if !leaves_out(n_part, n_all) {
        return Ok(None);
    }
    let mut parts = array.clone().into_parts();
    let children = array.children().iter().zip(&ranges);
    let children = children.map(|(child, range)| child.try_slice(range.start, range.len()));
    let children = children.collect::<Result<Arc<[ArrayData]>, DataError>>()?;
    parts.children = (!children.is_empty()).then_some(children);
    rebase(array, physical, &ranges, &mut parts)?;
    Ok(Some(Box::new(ArrayData::try_new(parts)?)))
}

/// The number of bytes of binary and utf8; 0 for other layouts.
fn array_bytes(array: &ArrayData, physical: Physical) -> usize {
    if matches!(physical, Physical::Bytes(_)) { array.buffer(1).len() } else { 0 }
}

/// The bytes or items of an array whose offsets are in order.
pub(crate) fn in_order(array: &ArrayData) -> Result<Range<usize>, DataError> {
    let Some(last) = array.len().checked_sub(1) else { return Ok(0..0) };
    let ranges = Ranges::try_new(array)?;
    Ok(inside(ranges.get(0))?.start..inside(ranges.get(last))?.end)
}

fn list_view_items(array: &ArrayData, keep: Option<&Bitmap>) -> Result<Range<usize>, DataError> {
    let ranges = Ranges::try_new(array)?;
    let mut all = None;
    for slot in 0..array.len() {
        let range = inside(ranges.get(slot))?;
        if !range.is_empty() && keep.is_none_or(|keep| keep.get(slot) == Some(true)) {
            widen(&mut all, range);
        }
    }
    Ok(all.unwrap_or(0..0))
}

fn run_ends(array: &ArrayData) -> Result<Range<usize>, DataError> {
    let Some(last) = array.len().checked_sub(1) else { return Ok(0..0) };
    let ends = RunEnds::try_new(array)?;
    Ok(inside(ends.run_of(0))?..inside(ends.run_of(last))?.saturating_add(1))
}

/// The range of each child.
fn dense_union_children(array: &ArrayData) -> Result<Vec<Range<usize>>, DataError> {
    let type_ids = TypeIds::try_new(array)?;
    let mut all = vec![None; array.children().len()];
    for slot in 0..array.len() {
        let (id, at) = inside(type_ids.get(slot))?;
        let child = union_child(array.data_type(), id).and_then(|position| all.get_mut(position));
        widen(inside(child)?, at..at.saturating_add(1));
    }
    Ok(all.into_iter().map(|range| range.unwrap_or(0..0)).collect())
}

fn widen(all: &mut Option<Range<usize>>, range: Range<usize>) {
    *all = Some(match all {
        None => range,
        Some(all) => all.start.min(range.start)..all.end.max(range.end),
    });
}

/// Replaces the bytes by their part, and positions in bytes or children by positions in the part.
fn rebase(
    array: &ArrayData,
    physical: Physical,
    ranges: &[Range<usize>],
    parts: &mut ArrayParts,
) -> Result<(), DataError> {
    let [offsets, bytes] = &mut parts.buffers;
    match (physical, ranges) {
        (Physical::Union(_), ranges) => {
            if ranges.iter().any(|range| range.start > 0) {
                *bytes = union_offsets(array, ranges)?;
            }
        }
        // Run ends count slots, whichever runs precede them.
        (Physical::Runs(_), _) => {}
        (Physical::ListView(_), [range]) => {
            *offsets = match offset_type(array)? {
                OffsetType::Int32 => list_view_offsets::<i32>(array, range.start)?,
                OffsetType::Int64 => list_view_offsets::<i64>(array, range.start)?,
            };
        }
        (_, [range]) => {
            if range.start > 0 {
                *offsets = match offset_type(array)? {
                    OffsetType::Int32 => offsets_minus::<i32>(array)?,
                    OffsetType::Int64 => offsets_minus::<i64>(array)?,
                };
            }
            if matches!(physical, Physical::Bytes(_)) {
                *bytes = array.buffer(1).slice(range.clone());
            }
        }
        (_, _) => {}
    }
    Ok(())
}

/// Memory for `n` numbers.
fn memory<T: NativeType>(n: usize) -> Result<BufferMut, DataError> {
    let n_bytes = n.saturating_mul(size_of::<T>());
    BufferMut::try_with_capacity_in(n_bytes, None).map_err(|error| Kind::Memory(error).into())
}

/// The offsets minus the first one.
fn offsets_minus<O: OffsetWidth>(array: &ArrayData) -> Result<Buffer, DataError> {
    if array.is_empty() {
        return Ok(Buffer::new());
    }
    let offsets = numbers::<O>(array.buffer(0), array.len().saturating_add(1))?;
    let mut rebased = memory::<O>(offsets.len())?;
    rebased.extend_zeros(offsets.len().saturating_mul(size_of::<O>()));
    O::write_minus(&offsets, offsets.first().copied().unwrap_or(O::ZERO), rebased.as_mut_slice());
    Ok(rebased.freeze())
}

/// The offsets of list views. Those of empty slots become 0, since they may lie outside of the part.
fn list_view_offsets<O: OffsetWidth>(array: &ArrayData, start: usize) -> Result<Buffer, DataError> {
    let ranges = Ranges::try_new(array)?;
    let mut offsets = memory::<O>(array.len())?;
    for slot in 0..array.len() {
        let range = inside(ranges.get(slot))?;
        let offset = if range.is_empty() { 0 } else { range.start.saturating_sub(start) };
        offsets.push(inside(O::from_usize(offset))?);
    }
    Ok(offsets.freeze())
}

fn union_offsets(array: &ArrayData, ranges: &[Range<usize>]) -> Result<Buffer, DataError> {
    let type_ids = TypeIds::try_new(array)?;
    let mut offsets = memory::<i32>(array.len())?;
    for slot in 0..array.len() {
        let (id, at) = inside(type_ids.get(slot))?;
        let range = union_child(array.data_type(), id).and_then(|position| ranges.get(position));
        let offset = at.saturating_sub(inside(range)?.start);
        offsets.push(inside(i32::try_from(offset).ok())?);
    }
    Ok(offsets.freeze())
}
