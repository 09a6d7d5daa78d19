//! Appends offsets into bytes, items and children. Each offset is increased by the number of bytes, items or slots that
//! exist already.

use arrow_buffer::{Budget, NativeType, OffsetWidth};
use arrow_data::{
    ArrayData, DataErrorKind as Kind, OffsetType,
    positions::{numbers, offset_type, union_child},
};

use super::{
    buffers::append_elements,
    node::{ChildRange, GrowingNode, charge_copy, layout_mismatch, too_many},
};
use crate::error::{SelectError, SelectErrorKind};

/// Appends offsets of binary values, and the bytes between the first and the last offset.
#[inline(never)]
pub(super) fn append_bytes(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<ChildRange, SelectError> {
    let n_before = node.storage.buffer(1)?.len();
    let (start, n_bytes) = append_ends(node, part, n_before, budget)?;
    charge_copy(budget, n_bytes)?;
    let bytes = part.buffer(1).get(start..start.saturating_add(n_bytes)).ok_or_else(layout_mismatch)?;
    node.storage.buffer(1)?.extend_from_slice(bytes);
    Ok(ChildRange::All)
}

/// Appends offsets of lists and maps. Returns the range of items between the first and the last offset.
#[inline(never)]
pub(super) fn append_offsets(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<ChildRange, SelectError> {
    let n_before = node.children.first().map(GrowingNode::len).ok_or_else(layout_mismatch)?;
    let (start, n_slots) = append_ends(node, part, n_before, budget)?;
    Ok(ChildRange::Range { start, n_slots })
}

/// Appends offsets after the existing offsets, so that all stay in order. Returns the range between the first and the
/// last new offset.
fn append_ends(
    node: &mut GrowingNode,
    part: &ArrayData,
    n_before: usize,
    budget: &mut Budget,
) -> Result<(usize, usize), SelectError> {
    match offset_type(part)? {
        OffsetType::Int32 => append_ends_of::<i32>(node, part, n_before, budget),
        OffsetType::Int64 => append_ends_of::<i64>(node, part, n_before, budget),
    }
}

fn append_ends_of<O: OffsetWidth>(
    node: &mut GrowingNode,
    part: &ArrayData,
    n_before: usize,
    budget: &mut Budget,
) -> Result<(usize, usize), SelectError> {
    let n_offsets = part.len().checked_add(1).ok_or_else(|| too_many(part))?;
    charge_copy(budget, n_offsets.saturating_mul(size_of::<O>()))?;
    let own = numbers::<O>(part.buffer(0), n_offsets)?;
    // The offsets are not negative and in order: the content has been checked.
    let position = |offset: Option<&O>| offset.and_then(|offset| offset.to_usize());
    let (first, last) = position(own.first()).zip(position(own.last())).ok_or_else(layout_mismatch)?;
    let n_items = last.checked_sub(first).ok_or_else(layout_mismatch)?;
    let moved =
        |offset: &O| n_before.checked_add(offset.to_usize()?.checked_sub(first)?).and_then(O::from_usize);
    let ends: Option<Vec<O>> = own.iter().skip(1).map(moved).collect();
    let ends = ends.ok_or_else(|| overflow(part))?;
    let buffer = node.storage.buffer(0)?;
    if buffer.is_empty() {
        buffer.extend_values(&[O::ZERO]);
    }
    buffer.extend_values(&ends);
    Ok((first, n_items))
}

/// Appends offsets and sizes of list views, and all items, since slots may share or skip items. Each slot stays in
/// bounds.
#[inline(never)]
pub(super) fn append_list_views(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<ChildRange, SelectError> {
    let n_before = node.children.first().map(GrowingNode::len).ok_or_else(layout_mismatch)?;
    match offset_type(part)? {
        OffsetType::Int32 => append_moved::<i32>(node, part, n_before, budget)?,
        OffsetType::Int64 => append_moved::<i64>(node, part, n_before, budget)?,
    }
    append_elements(node, part, 1, budget)?;
    Ok(ChildRange::All)
}

fn append_moved<O: OffsetWidth>(
    node: &mut GrowingNode,
    part: &ArrayData,
    n_before: usize,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    charge_copy(budget, part.len().saturating_mul(size_of::<O>()))?;
    let own = numbers::<O>(part.buffer(0), part.len())?;
    let moved = |offset: &O| offset.to_usize()?.checked_add(n_before).and_then(O::from_usize);
    let moved: Option<Vec<O>> = own.iter().map(moved).collect();
    append_numbers(node, 0, &moved.ok_or_else(|| overflow(part))?)
}

/// Appends type ids and offsets of a dense union. All slots of the children are appended, and offsets increase by the old
/// length of each child. So the offsets into a child keep their order, and follow all earlier offsets.
#[inline(never)]
pub(super) fn append_dense(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<ChildRange, SelectError> {
    append_elements(node, part, 0, budget)?;
    charge_copy(budget, part.len().saturating_mul(size_of::<i32>()))?;
    let (ids, offsets) =
        (numbers::<i8>(part.buffer(0), part.len())?, numbers::<i32>(part.buffer(1), part.len())?);
    let mut n_before = [None; 128];
    for (id, n_before) in (0..=i8::MAX).zip(&mut n_before) {
        let child = union_child(part.data_type(), id).and_then(|position| node.children.get(position));
        *n_before = child.map(GrowingNode::len);
    }
    let mut moved: Vec<i32> = Vec::with_capacity(part.len());
    for (id, offset) in ids.iter().zip(offsets.iter()) {
        let n_before = usize::try_from(*id).ok().and_then(|id| n_before.get(id).copied().flatten());
        let n_before: usize = n_before.ok_or(Kind::UnknownTypeId { type_id: *id })?;
        let sum = offset.to_usize().and_then(|offset| offset.checked_add(n_before)).and_then(i32::from_usize);
        moved.push(sum.ok_or(SelectErrorKind::UnionOffsetOverflow { type_id: *id })?);
    }
    append_numbers(node, 1, &moved)?;
    Ok(ChildRange::All)
}

pub(super) fn append_numbers<T: NativeType>(
    node: &mut GrowingNode,
    k: usize,
    numbers: &[T],
) -> Result<(), SelectError> {
    node.storage.buffer(k)?.extend_values(numbers);
    Ok(())
}

fn overflow(part: &ArrayData) -> SelectError {
    SelectErrorKind::OffsetOverflow { data_type: part.data_type().clone() }.into()
}
