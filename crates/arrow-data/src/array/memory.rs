//! The memory of arrays: how much it is, and whether two arrays have the same. The values of arrays in the same memory are
//! equal, and need not be compared.
//!
//! Bytes of a buffer never change, so bytes at one address are equal as long as both arrays live. Arrays in different
//! memory may still be equal.

use std::sync::Arc;

use arrow_buffer::{AllocationSet, Bitmap, Buffer};

use super::ArrayData;
use crate::layout::Physical;

/// The number of bytes in all buffers of an array, its children and its dictionary.
pub(super) fn n_bytes(array: &ArrayData) -> u64 {
    let validity = array.validity().map_or(0, |validity| validity.buffer().len());
    let own = [validity, array.buffer(0).len(), array.buffer(1).len()].into_iter();
    let variadic = array.variadic().iter().map(Buffer::len);
    let children = array.children().iter().map(n_bytes);
    let dictionary = array.dictionary().into_iter().map(|dictionary| n_bytes(dictionary));
    let buffers = own.chain(variadic).map(|n_bytes| n_bytes as u64);
    buffers.chain(children).chain(dictionary).fold(0, u64::saturating_add)
}

/// Adds the allocations of an array, its children and its dictionary to a set.
pub(super) fn add_allocations(array: &ArrayData, allocations: &mut AllocationSet) {
    let validity = array.validity().map(Bitmap::buffer).into_iter();
    let own = validity.chain([array.buffer(0), array.buffer(1)]).chain(array.variadic());
    own.for_each(|buffer| {
        allocations.insert(buffer);
    });
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.for_each(|array| add_allocations(array, allocations));
}

/// Whether the longer array begins with the memory of the shorter one. This is true for snapshots of a growing array
/// until the growing array moves to larger memory. If `false`, the values may still be equal.
pub(super) fn continues(shorter: &ArrayData, longer: &ArrayData) -> bool {
    shorter.len() <= longer.len()
        && shorter.offset() == longer.offset()
        && match (shorter.validity(), longer.validity()) {
            (None, None) => true,
            (Some(shorter), Some(longer)) => begins_with_bits(shorter, longer),
            (None, Some(_)) | (Some(_), None) => false,
        }
        && (0..2).all(|k| begins_with(shorter.buffer(k), longer.buffer(k)))
        && shorter.variadic().len() <= longer.variadic().len()
        && shorter.variadic().iter().zip(longer.variadic()).all(|(one, other)| begins_with(one, other))
        && shorter.children().len() == longer.children().len()
        && shorter.children().iter().zip(longer.children()).all(|(one, other)| continues(one, other))
        && match (shorter.dictionary(), longer.dictionary()) {
            (Some(one), Some(other)) => {
                Arc::ptr_eq(one, other) || one.len() <= other.len() && continues(one, other)
            }
            (one, other) => one.is_none() && other.is_none(),
        }
}

fn begins_with(shorter: &Buffer, longer: &Buffer) -> bool {
    shorter.is_empty() || shorter.as_ptr() == longer.as_ptr() && shorter.len() <= longer.len()
}

fn begins_with_bits(shorter: &Bitmap, longer: &Bitmap) -> bool {
    begins_with(shorter.buffer(), longer.buffer()) && shorter.bit_offset() == longer.bit_offset()
}

/// Whether the buffers have the same memory, without children and dictionaries.
pub(super) fn same_buffers(left: &ArrayData, right: &ArrayData) -> bool {
    let validity = match (left.validity(), right.validity()) {
        (None, None) => true,
        (Some(left), Some(right)) => {
            left.bit_offset() == right.bit_offset() && left.buffer().same_memory(right.buffer())
        }
        (Some(_), None) | (None, Some(_)) => false,
    };
    let (left_data, right_data) = (left.variadic(), right.variadic());
    validity
        && left.offset() == right.offset()
        && left.layout() == right.layout()
        && left.buffer(0).same_memory(right.buffer(0))
        && left.buffer(1).same_memory(right.buffer(1))
        && left_data.len() == right_data.len()
        && left_data.iter().zip(right_data).all(|(left, right)| left.same_memory(right))
        && left.children().len() == right.children().len()
}

/// Whether indices and run ends have the same memory.
pub(super) fn same_encodings(left: &ArrayData, right: &ArrayData) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        let is_encoded = |array: &ArrayData| {
            matches!(array.layout().physical(), Physical::Dictionary(_) | Physical::Runs(_))
        };
        if !is_encoded(left) && !is_encoded(right) {
            return true;
        }
        if !same_buffers(left, right) {
            return false;
        }
        (left, right) = match (left.dictionary(), right.dictionary(), left.children(), right.children()) {
            (Some(left), Some(right), _, _) => (&**left, &**right),
            (_, _, [ends, left], [other_ends, right]) if same_buffers(ends, other_ends) => (left, right),
            _ => return false,
        };
    }
}
