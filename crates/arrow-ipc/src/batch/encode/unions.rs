//! Writes dense unions. A slice keeps whole children in memory. In a message, each child is trimmed to the part that the slots
//! refer to, and offsets are rebased if the part does not begin at the first slot of the child. If slots refer to less than
//! half of the part, the used slots are copied together.

use arrow_data::{ArrayData, Swap};

use super::{
    ArrayWalk, Sink,
    words::{numbers, write},
};
use crate::{
    columns::Column,
    error::{IpcError, Result},
};

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn dense_union(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let Some(union) = array.data_type().as_union() else {
            return Err(IpcError::internal("a type with the layout of dense unions is none"));
        };
        let next = column.layout.data_buffers();
        let type_ids = array.buffer(0).get(..array.len());
        let type_ids = type_ids.ok_or_else(|| IpcError::internal("a slot of a union has no type id"))?;
        let offsets =
            numbers::<i32>(array.buffer(1), array.len()).or_else(|kind| self.unsound(next, kind.into()))?;
        let children = || array.children().iter().zip(union.type_ids());
        let is_in_order = children().all(|(child, type_id)| is_in_order(child, *type_id, type_ids, offsets));
        let extents = if is_in_order { None } else { Some(OffsetExtents::of(type_ids, offsets)) };
        let n_values = children().map(|(child, type_id)| match &extents {
            None => child.len(),
            Some(extents) => extents.n_of_type(*type_id),
        });
        let n_values = n_values.fold(0, usize::saturating_add);
        if let Some(used) = self.without_unused(next, array, n_values)? {
            return self.plain(column, &used);
        }
        let Some(extents) = extents else { return self.plain(column, array) };
        if children().all(|(child, type_id)| extents.of_type(*type_id) == (0, child.len())) {
            return self.plain(column, array);
        }
        self.check_positions(next, array)?;
        self.sink.share(Swap::None, array.buffer(0), 0, type_ids.len());
        if extents.begin_at_zero() {
            self.sink.share(Swap::Word4, array.buffer(1), 0, size_of_val(offsets));
        } else {
            self.sink.rebuild(Swap::Word4, size_of_val(offsets), |to| {
                let rebased =
                    |(offset, type_id): (&i32, &u8)| offset.wrapping_sub(extents.start_of(*type_id));
                write(to, offsets.iter().zip(type_ids).map(rebased))
            })?;
        }
        children().try_for_each(|(child, type_id)| {
            let (start, end) = extents.of_type(*type_id);
            self.part(child, start, end)
        })
    }
}

/// Whether the first slot of a child refers to its start, and the last slot to its end. This holds if offsets are in
/// order and all values are used.
fn is_in_order(child: &ArrayData, type_id: i8, type_ids: &[u8], offsets: &[i32]) -> bool {
    let is_of_child = |id: &u8| id.cast_signed() == type_id;
    let offset_of = |slot: Option<usize>| usize::try_from(*offsets.get(slot?)?).ok();
    let Some(last) = child.len().checked_sub(1) else { return true };
    offset_of(type_ids.iter().position(is_of_child)) == Some(0)
        && offset_of(type_ids.iter().rposition(is_of_child)) == Some(last)
}

/// The least and the greatest offset of the slots with each type id. A maximum below the minimum means that there is no
/// such slot.
struct OffsetExtents {
    first: [i32; N_TYPE_IDS],
    last: [i32; N_TYPE_IDS],
}

const N_TYPE_IDS: usize = 128;

impl OffsetExtents {
    /// Looks at all slots. Offsets are unchecked. If one is wrong, the result has no meaning.
    fn of(type_ids: &[u8], offsets: &[i32]) -> OffsetExtents {
        let mut extents = OffsetExtents { first: [i32::MAX; N_TYPE_IDS], last: [-1; N_TYPE_IDS] };
        for (type_id, offset) in type_ids.iter().zip(offsets) {
            let idx = usize::from(*type_id) % N_TYPE_IDS;
            extents.first[idx] = extents.first[idx].min(*offset);
            extents.last[idx] = extents.last[idx].max(*offset);
        }
        extents
    }

    /// The part of a child that slots refer to.
    fn of_type(&self, type_id: i8) -> (usize, usize) {
        // Type ids of a union are not negative.
        let idx = usize::from(type_id.cast_unsigned()) % N_TYPE_IDS;
        match (usize::try_from(self.first[idx]), usize::try_from(self.last[idx])) {
            (Ok(first), Ok(last)) => (first, last.saturating_add(1)),
            _ => (0, 0),
        }
    }

    fn n_of_type(&self, type_id: i8) -> usize {
        let (start, end) = self.of_type(type_id);
        end.saturating_sub(start)
    }

    fn start_of(&self, type_id: u8) -> i32 {
        self.first[usize::from(type_id) % N_TYPE_IDS]
    }

    fn begin_at_zero(&self) -> bool {
        self.first.iter().zip(&self.last).all(|(first, last)| *first == 0 || *last < 0)
    }
}
