//! Finds arrays in the same memory. Their values are equal, and need not be compared.

use crate::{ArrayData, Physical};

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
