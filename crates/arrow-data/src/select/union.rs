//! Type ids of unions, and where dense ones find their values.

use arrow_buffer::Buffer;

use super::{
    fixed,
    plan::{Picks, PicksBuilder},
};
use crate::{
    array::{ArrayData, ArrayParts},
    error::{DataError, DataErrorKind as Kind},
    layout::union_child,
    positions::numbers,
};

/// Buffer 0.
pub(super) fn fill_ids(
    sources: &[&ArrayData],
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), DataError> {
    let [ids, _] = &mut parts.buffers;
    *ids = fixed::elements(sources, 0, picks)?;
    Ok(())
}

/// Buffers 0 and 1 of a dense union; gives the slots of each child, which follow the order of the union's.
pub(super) fn fill_dense(
    sources: &[&ArrayData],
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Vec<Picks>, DataError> {
    let ids = fixed::elements(sources, 0, picks)?;
    let old_offsets = fixed::elements(sources, 1, picks)?;
    let n_children = parts.data_type.children().len();
    let mut positions = [usize::MAX; 128];
    for (id, position) in (0..=i8::MAX).zip(&mut positions) {
        *position = union_child(&parts.data_type, id).unwrap_or(usize::MAX);
    }
    let mut children: Vec<PicksBuilder> = (0..n_children).map(|_| PicksBuilder::default()).collect();
    let n_slots = picks.n_slots();
    let (ids_of, old) = (numbers::<i8>(&ids, n_slots)?, numbers::<i32>(&old_offsets, n_slots)?);
    let mut pairs = ids_of.iter().zip(old.iter());
    let mut offsets: Vec<i32> = Vec::with_capacity(n_slots);
    picks.for_each(|piece| {
        for (id, offset) in pairs.by_ref().take(piece.n_slots) {
            let position = usize::try_from(*id).ok().and_then(|id| positions.get(id));
            let Some(child) = position.and_then(|position| children.get_mut(*position)) else { continue };
            let too_many = || DataError::from(Kind::UnionOffsetOverflow { type_id: *id });
            offsets.push(i32::try_from(child.n_slots()).map_err(|_| too_many())?);
            let slot = usize::try_from(*offset).unwrap_or(0);
            child.push(piece.source, slot..slot.saturating_add(1))?;
        }
        Ok(())
    })?;
    parts.buffers = [ids, Buffer::from(offsets)];
    Ok(children.into_iter().map(PicksBuilder::finish).collect())
}
