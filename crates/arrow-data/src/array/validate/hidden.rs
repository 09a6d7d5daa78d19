//! Slots below a null of the parent. They are not valid, whatever their own bitmap says ("Struct Validity" of the
//! specification), so their content may be anything that a null slot may have.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapBuilder};

use super::{Repairs, null_count};
use crate::{
    array::{ArrayData, NullCount},
    error::{DataError, DataErrorKind as Kind},
    layout::{ChildLen, Content, Nulls, StrictRule},
};

/// Sets to null, in the children, the slots below a null of a struct or fixed-size list. Changes only children that
/// have content to check, at all levels except inside dictionaries.
///
/// # Errors
/// If the new bitmaps exceed the limit or the memory budget of `repairs`.
pub(super) fn make_null(array: &mut ArrayData, repairs: &mut Repairs) -> Result<(), DataError> {
    let n_slots_below = match array.layout().child_len() {
        ChildLen::SameAsParent => Some(1),
        ChildLen::Times(size) => usize::try_from(size).ok(),
        ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => None,
    };
    let validity = array.validity.clone().zip(n_slots_below);
    let Some(children) = &mut array.children else { return Ok(()) };
    for child in Arc::make_mut(children) {
        // The next check reports a wrong number of nulls, so the bitmap must stay.
        if let Some((validity, n_slots_below)) = &validity
            && child.layout().nulls() == Nulls::Bitmap
            && is_checked_by_slot(child)
            && null_count(child).is_ok()
        {
            child.validity = Some(both(validity, *n_slots_below, child, repairs)?);
            child.null_count = NullCount::new(None);
        }
        make_null(child, repairs)?;
    }
    Ok(())
}

/// Whether a slot, or a slot of a child below it, may be invalid. Then each slot has at least one byte; other arrays, such
/// as runs and structs without fields, may have more slots than bytes.
fn is_checked_by_slot(array: &ArrayData) -> bool {
    let layout = array.layout();
    if array.is_empty() || layout.content() == Content::RunEnds {
        return false;
    }
    let has_children_by_slot = matches!(layout.child_len(), ChildLen::SameAsParent | ChildLen::Times(_));
    layout.content() != Content::Any
        || layout.strict() != StrictRule::Any
        || has_children_by_slot && array.children().iter().any(is_checked_by_slot)
}

/// The validity of a child's slots. A slot is valid if its bit in the child and its slot of the parent are valid. Each
/// slot of the parent has `n_times` slots of the child.
fn both(
    parent: &Bitmap,
    n_times: usize,
    child: &ArrayData,
    repairs: &mut Repairs,
) -> Result<Bitmap, DataError> {
    if n_times == 1 && child.validity.is_none() {
        return Ok(parent.clone());
    }
    repairs.count(child.len().div_ceil(8))?;
    let bits = BitmapBuilder::try_with_capacity_in(child.len(), repairs.budget.as_ref());
    let mut bits = bits.map_err(Kind::Memory)?;
    let is_set = |bits: &Bitmap, slot: usize| bits.get(slot) == Some(true);
    for slot in 0..child.len() {
        let is_own = child.validity.as_ref().is_none_or(|own| is_set(own, slot));
        bits.push(is_own && slot.checked_div(n_times).is_some_and(|above| is_set(parent, above)));
    }
    Ok(bits.finish())
}
