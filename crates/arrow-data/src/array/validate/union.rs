//! Checks unions: type ids must be known, and offsets of dense unions must lie inside the selected child.

use super::elements;
use crate::{
    array::{ArrayData, positions::union_child},
    error::{DataError, DataErrorKind as Kind},
    layout::Role,
};

/// Checks the type ids.
pub(super) fn check_sparse(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let mut is_unknown = [true; 256];
    for (id, is_unknown) in (0..=i8::MAX).zip(&mut is_unknown) {
        *is_unknown = union_child(array.data_type(), id).is_none();
    }
    let look_up = |id: i8| is_unknown[usize::from(id.cast_unsigned())];
    if !ids.iter().fold(false, |bad, id| bad | look_up(*id)) {
        return Ok(());
    }
    match ids.iter().enumerate().find(|(_, id)| look_up(**id)) {
        Some((slot, id)) => Err(unknown_id(*id, slot)),
        None => Ok(()),
    }
}

/// Checks type ids and offsets together: an unknown type id counts as a child without slots.
pub(super) fn check_dense(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let offsets: &[i32] = elements(array, 1, array.len())?;
    let mut n_slots = [0_u32; 256];
    for (id, n_slots) in (0..=i8::MAX).zip(&mut n_slots) {
        let n = child_slots(array, id).unwrap_or(0).min(1 << 31);
        *n_slots = u32::try_from(n).unwrap_or(1 << 31);
    }
    // As an unsigned number, a negative offset is greater than any length.
    let is_bad = |id: i8, offset: i32| offset.cast_unsigned() >= n_slots[usize::from(id.cast_unsigned())];
    if !ids.iter().zip(offsets).fold(false, |bad, (id, offset)| bad | is_bad(*id, *offset)) {
        return Ok(());
    }
    let mut slots = ids.iter().zip(offsets).enumerate();
    let Some((slot, (id, offset))) = slots.find(|(_, (id, offset))| is_bad(**id, **offset)) else {
        return Ok(());
    };
    match child_slots(array, *id) {
        None => Err(unknown_id(*id, slot)),
        Some(n_slots) => {
            let kind = Kind::UnionOffsetOutOfRange { offset: (*offset).into(), n_slots };
            Err(DataError::from(kind).in_role(Role::Offsets).at_slot(slot))
        }
    }
}

fn child_slots(array: &ArrayData, id: i8) -> Option<u64> {
    let position = union_child(array.data_type(), id)?;
    array.children().get(position).map(|child| child.len() as u64)
}

fn unknown_id(type_id: i8, slot: usize) -> DataError {
    DataError::from(Kind::UnknownTypeId { type_id }).in_role(Role::TypeIds).at_slot(slot)
}
