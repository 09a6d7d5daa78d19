//! Slots below a null of the parent. They are not valid, whatever their own bitmap says ("Struct Validity" of the
//! specification), so their content may be anything that a null slot may have.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapBuilder};

use super::{Repairs, null_count};
use crate::{
    array::{ArrayData, NullCount},
    error::{DataError, DataErrorKind as Kind},
    layout::{ChildLen, Content, Nulls},
};

/// Makes the slots below a null of a struct or fixed-size list null in the children, at all levels but in dictionaries.
///
/// # Errors
/// If a child declares a wrong number of nulls. If the new bitmaps exceed the limit or the memory budget of `repairs`.
pub(super) fn make_null(array: &mut ArrayData, repairs: &mut Repairs) -> Result<(), DataError> {
    let n_slots_below = match array.layout().child_len() {
        ChildLen::SameAsParent => Some(1),
        ChildLen::Times(size) => usize::try_from(size).ok(),
        ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => None,
    };
    let validity = array.validity.clone().zip(n_slots_below);
    let Some(children) = &mut array.children else { return Ok(()) };
    for child in Arc::make_mut(children) {
        if let Some((validity, n_slots_below)) = &validity
            && child.layout().nulls() == Nulls::Bitmap
            && has_content(child)
        {
            null_count(child)?;
            let below = match n_slots_below {
                1 => validity.clone(),
                n_slots => repeated(validity, *n_slots, repairs)?,
            };
            child.validity = Some(match &child.validity {
                None => below,
                Some(own) => {
                    repairs.count(own.len().div_ceil(8))?;
                    let (expected, found) = (own.len() as u64, below.len() as u64);
                    own.and(&below).map_err(|_| Kind::BitmapLength { expected, found })?
                }
            });
            child.null_count = NullCount::new(None);
        }
        make_null(child, repairs)?;
    }
    Ok(())
}

/// Whether an array or its children have content that may be wrong. Arrays that have none may have more slots than bytes.
fn has_content(array: &ArrayData) -> bool {
    let is_checked = array.layout().content() != Content::Any && !array.is_empty();
    is_checked || array.children().iter().any(has_content)
}

/// A bitmap with each bit `n_times`.
fn repeated(bits: &Bitmap, n_times: usize, repairs: &mut Repairs) -> Result<Bitmap, DataError> {
    let n_bits = bits.len().saturating_mul(n_times);
    repairs.count(n_bits.div_ceil(8))?;
    let repeated = BitmapBuilder::try_with_capacity_in(n_bits, repairs.budget.as_ref());
    let mut repeated = repeated.map_err(Kind::Memory)?;
    bits.iter().for_each(|bit| repeated.extend_constant(bit, n_times));
    Ok(repeated.finish())
}
