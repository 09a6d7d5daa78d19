//! Dictionaries of parts: one that continues the other takes its place; else both are merged.

use std::sync::Arc;

use super::{Account, node::Node};
use crate::{
    array::ArrayData,
    compare::continues,
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

/// What it costs to look at all of an array: its bytes, and its slots, which may have none.
fn weight(array: &ArrayData) -> usize {
    let own = usize::try_from(array.n_bytes()).unwrap_or(usize::MAX);
    own.saturating_add(n_slots(array))
}

fn n_slots(array: &ArrayData) -> usize {
    let below = array.children().iter().chain(array.dictionary().map(|values| &**values));
    below.map(n_slots).fold(array.len(), usize::saturating_add)
}
