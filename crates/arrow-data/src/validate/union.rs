//! Unions: type ids are known, and offsets of dense ones stay inside the child that the id selects.

use super::elements;
use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{Role, union_child},
};

/// Checks the type ids.
pub(super) fn check_sparse(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let mut is_unknown = [true; 256];
    for (id, is_unknown) in (0..=i8::MAX).zip(&mut is_unknown) {
        *is_unknown = union_child(array.data_type(), id).is_none();
    }
    // A byte is always a position in a table of 256.
    let look_up = |id: i8| is_unknown.get(usize::from(id.cast_unsigned())).copied().unwrap_or(true);
    if !ids.iter().fold(false, |bad, id| bad | look_up(*id)) {
        return Ok(());
    }
    match ids.iter().position(|id| look_up(*id)) {
        Some(slot) => Err(unknown_id(ids, slot)),
        None => Ok(()),
    }
}

/// Checks type ids and offsets at once: a child that does not exist has no slots to point into.
pub(super) fn check_dense(array: &ArrayData) -> Result<(), DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let offsets: &[i32] = elements(array, 1, array.len())?;
    let mut n_slots = [0_u32; 256];
    for (id, n_slots) in (0..=i8::MAX).zip(&mut n_slots) {
        let n = child_slots(array, id).unwrap_or(0).min(1 << 31);
        *n_slots = u32::try_from(n).unwrap_or(1 << 31);
    }
    // Read without its sign, a negative offset is above every length.
    let is_bad = |id: i8, offset: i32| {
        offset.cast_unsigned() >= n_slots.get(usize::from(id.cast_unsigned())).copied().unwrap_or(0)
    };
    if !ids.iter().zip(offsets).fold(false, |bad, (id, offset)| bad | is_bad(*id, *offset)) {
        return Ok(());
    }
    let Some(slot) = ids.iter().zip(offsets).position(|(id, offset)| is_bad(*id, *offset)) else {
        return Ok(());
    };
    let (id, offset) = (ids.get(slot).copied().unwrap_or(0), offsets.get(slot).copied().unwrap_or(0));
    match child_slots(array, id) {
        None => Err(unknown_id(ids, slot)),
        Some(n_slots) => {
            let kind = Kind::UnionOffsetOutOfRange { offset: offset.into(), n_slots };
            Err(DataError::from(kind).in_role(Role::Offsets).at_slot(slot))
        }
    }
}

fn child_slots(array: &ArrayData, id: i8) -> Option<u64> {
    let position = union_child(array.data_type(), id)?;
    array.children().get(position).map(|child| child.len() as u64)
}

fn unknown_id(ids: &[i8], slot: usize) -> DataError {
    let type_id = ids.get(slot).copied().unwrap_or(0);
    DataError::from(Kind::UnknownTypeId { type_id }).in_role(Role::TypeIds).at_slot(slot)
}
