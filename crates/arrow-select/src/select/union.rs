//! Selects from unions: type ids, and the offsets of dense unions.

use std::collections::HashMap;

use arrow_data::{
    ArrayData, ArrayParts, DataErrorKind as Kind, Validation,
    positions::{inside, numbers, union_child},
};
use arrow_schema::DataType;

use super::{
    fixed,
    plan::{Picks, PicksBuilder},
    sources::Sources,
};
use crate::error::{SelectError, SelectErrorKind};

/// Fills buffer 0 with the type ids of the picked slots.
#[inline(never)]
pub(super) fn fill_ids(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let [ids, _] = &mut parts.buffers;
    *ids = fixed::elements(sources, 0, picks)?;
    Ok(())
}

/// Fills buffers 0 and 1 of a dense union. Returns the slots of each child, in the order of the union's slots.
///
/// Neighbouring slots that share a value still share it in the result. If the offsets of the source are not in order,
/// all slots that share a value still share it. Without this rule, copies of one large value for each slot could exceed
/// all memory.
#[inline(never)]
pub(super) fn fill_dense(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Vec<Picks>, SelectError> {
    let ids = fixed::elements(sources, 0, picks)?;
    let old_offsets = fixed::elements(sources, 1, picks)?;
    let n_slots = picks.n_slots();
    let (ids_of, old) = (numbers::<i8>(&ids, n_slots)?, numbers::<i32>(&old_offsets, n_slots)?);
    let mut children = ResultChildren::new(&parts.data_type);
    let are_in_order = sources
        .iter()
        .map(|source| has_ordered_offsets(source))
        .collect::<Result<Vec<bool>, SelectError>>()?;
    let mut pairs = ids_of.iter().zip(old.iter());
    let (mut offsets, capacity) = sources.numbers::<i32>(n_slots)?;
    picks.for_each_in(&are_in_order, |is_in_order, piece| {
        for (id, offset) in pairs.by_ref().take(piece.n_slots) {
            let value = (piece.source, inside(usize::try_from(*offset).ok())?);
            offsets.push(children.offset_of(*id, value, *is_in_order)?);
        }
        Ok(())
    })?;
    parts.buffers = [ids, capacity.hold(offsets)];
    Ok(children.members.into_iter().map(|member| member.picks.finish()).collect())
}

/// Whether the offsets of a union are in order for each of its children.
fn has_ordered_offsets(array: &ArrayData) -> Result<bool, SelectError> {
    if array.checked() == Validation::Strict {
        return Ok(true);
    }
    let ids = numbers::<i8>(array.buffer(0), array.len())?;
    let offsets = numbers::<i32>(array.buffer(1), array.len())?;
    let mut highest = [0_i32; 256];
    let mut is_in_order = true;
    for (id, offset) in ids.iter().zip(offsets.iter()) {
        let previous = &mut highest[usize::from(id.cast_unsigned())];
        is_in_order &= offset >= previous;
        *previous = *offset;
    }
    Ok(is_in_order)
}

/// A source, and a slot of its child.
type ChildSlot = (usize, usize);

struct ResultChildren {
    /// The position of each child, by type id.
    positions: [usize; 128],
    members: Vec<ResultChild>,
}

#[derive(Default)]
struct ResultChild {
    picks: PicksBuilder,
    last: Option<ChildSlot>,
    /// The new offsets of values that were selected from sources whose offsets are not in order.
    known: HashMap<ChildSlot, i32>,
}

impl ResultChildren {
    fn new(data_type: &DataType) -> ResultChildren {
        let mut positions = [usize::MAX; 128];
        for (id, position) in (0..=i8::MAX).zip(&mut positions) {
            *position = union_child(data_type, id).unwrap_or(usize::MAX);
        }
        let members = data_type.children().iter().map(|_| ResultChild::default()).collect();
        ResultChildren { positions, members }
    }

    /// The offset of a value in the result. Selects the value, if it has not been selected. `is_in_order` says whether the
    /// offsets of its source are in order.
    fn offset_of(&mut self, id: i8, value: ChildSlot, is_in_order: bool) -> Result<i32, SelectError> {
        let position = usize::try_from(id).ok().and_then(|id| self.positions.get(id));
        let member = position.and_then(|position| self.members.get_mut(*position));
        let Some(member) = member else { return Err(Kind::UnknownTypeId { type_id: id }.into()) };
        let too_many = || SelectError::from(SelectErrorKind::UnionOffsetOverflow { type_id: id });
        if member.last == Some(value) {
            let last = member.picks.n_slots().saturating_sub(1);
            return i32::try_from(last).map_err(|_| too_many());
        }
        if !is_in_order && let Some(offset) = member.known.get(&value) {
            return Ok(*offset);
        }
        let offset = i32::try_from(member.picks.n_slots()).map_err(|_| too_many())?;
        member.picks.push(value.0, value.1..value.1.saturating_add(1))?;
        member.last = Some(value);
        if !is_in_order {
            member.known.insert(value, offset);
        }
        Ok(offset)
    }
}
