//! Dictionaries of parts: one that continues the other takes its place; else both are merged.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};

use super::{Account, node::Node};
use crate::{
    array::ArrayData,
    error::DataError,
    select::{common_dictionary, concat},
};

/// Whether indices of both the slots so far and the part mean what they do, in the longer one of their dictionaries.
#[inline(never)]
pub(super) fn fits(node: &Node, part: &ArrayData, account: &mut Account) -> Result<bool, DataError> {
    let (Some(known), Some(values)) = (&node.dictionary, part.dictionary()) else { return Ok(true) };
    let (shorter, longer) = if known.len() <= values.len() { (known, values) } else { (values, known) };
    if Arc::ptr_eq(known, values) || continues(shorter, longer) {
        return Ok(true);
    }
    account.spend(weight(shorter))?;
    Ok(common_dictionary(&[known, values])?.is_some())
}

/// Makes an array of the slots so far and the part, with one dictionary, and starts again with that.
#[inline(never)]
pub(super) fn merge(node: &mut Node, part: &ArrayData, account: &mut Account) -> Result<(), DataError> {
    let level = node.level().min(part.checked());
    let so_far = node.array();
    account.spend(weight(&so_far).saturating_add(weight(part)))?;
    let merged = concat(&[so_far, part.clone()])?.validate(level)?;
    *node = Node::new(&node.data_type);
    node.append(&merged, account)
}

/// Whether the longer array begins with the shorter one because it lies in the same memory, as snapshots of one growing
/// array do unless their memory had to be changed for a larger one. `false` says nothing.
///
/// Bytes of a buffer never change, so those at one address are the same in both as long as both live.
fn continues(shorter: &ArrayData, longer: &ArrayData) -> bool {
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

/// What it costs to look at all of an array: its bytes, and its slots, which may have none.
fn weight(array: &ArrayData) -> usize {
    let own = usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    own.saturating_add(n_slots(array))
}

fn n_slots(array: &ArrayData) -> usize {
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.map(n_slots).fold(array.len(), usize::saturating_add)
}
