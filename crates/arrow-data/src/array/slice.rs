//! Slices arrays without a copy.

use std::sync::Arc;

use arrow_buffer::Buffer;

use super::{ArrayData, NullCount};
use crate::layout::{BufferSpec, ChildLen, Count, layout};

/// The slots `start..start + n_slots` of an array. The caller has checked that they are in bounds.
pub(super) fn slice(array: &ArrayData, start: usize, n_slots: usize) -> ArrayData {
    if start == 0 && n_slots == array.n_slots {
        return array.clone();
    }
    let layout = layout(&array.data_type);
    let offset = if layout.slices_by_offset() { array.offset + start } else { 0 };
    let narrow = |k: usize| match layout.data_buffers().get(k) {
        Some(spec) => narrow_buffer(array.buffer(k), spec, start, n_slots),
        None => Buffer::new(),
    };
    ArrayData {
        data_type: array.data_type.clone(),
        n_slots,
        offset,
        null_count: NullCount::new(None),
        validity: array.validity.as_ref().map(|validity| validity.slice(start, n_slots)),
        storage: array.storage.slice(start, n_slots, narrow),
        children: slice_children(array, layout.child_len(), start, n_slots),
        dictionary: array.dictionary.clone(),
        checked: array.checked,
        is_assumed: array.is_assumed,
    }
}

fn slice_children(
    array: &ArrayData,
    child_len: ChildLen,
    start: usize,
    n_slots: usize,
) -> Option<Arc<[ArrayData]>> {
    let times = match child_len {
        ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => return array.children.clone(),
        ChildLen::SameAsParent => 1,
        ChildLen::Times(size) => size as usize,
    };
    // No overflow: the structure check has computed the product for the whole length.
    let part = |child: &ArrayData| slice(child, start * times, n_slots * times);
    array.children.as_deref().map(|children| children.iter().map(part).collect())
}

fn narrow_buffer(buffer: &Buffer, spec: &BufferSpec, start: usize, n_slots: usize) -> Buffer {
    let n_elements = match spec.count {
        _ if spec.bits == 1 => return buffer.clone(),
        Count::FromData => return buffer.clone(),
        Count::PerSlot => n_slots,
        // Only an array without slots may have no offsets. A slice of it has none either.
        Count::PerSlotPlusOne if buffer.is_empty() => return Buffer::new(),
        Count::PerSlotPlusOne => n_slots + 1,
    };
    // In range and without overflow: the structure check has found enough bytes for all slots.
    let element_bytes = spec.element_bytes() as usize;
    buffer.slice(start * element_bytes..(start + n_elements) * element_bytes)
}
