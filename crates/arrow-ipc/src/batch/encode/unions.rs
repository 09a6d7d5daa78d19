//! Dense unions. A slice keeps whole children in memory; in a message they are trimmed to what its slots refer to,
//! and offsets are rebased where a child does not begin at its first slot.

use arrow_data::{ArrayData, DataErrorKind as Kind, Role};
use arrow_schema::UnionType;

use super::{
    Sink, Walk,
    words::{numbers, write},
};
use crate::{columns::Column, error::Result};

impl<S: Sink> Walk<'_, S> {
    pub(super) fn dense_union(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let n_values = array.children().iter().map(ArrayData::len).fold(0, usize::saturating_add);
        // Each value belongs to some slot, or most slots share theirs: there is nothing to be trimmed.
        let Some(union) = array.data_type().as_union().filter(|_| n_values > array.len()) else {
            return self.plain(column, array);
        };
        let type_ids = array.buffer(0).get(..array.len()).unwrap_or_default();
        let found = numbers::<i32>(array.buffer(1), array.len()).map_err(|kind| (Role::Offsets, kind));
        let found = found.and_then(|offsets| Ok((offsets, Extents::of(union, type_ids, offsets)?)));
        let (offsets, extents) = found.or_else(|(role, kind)| self.unsound(role, kind))?;
        let children = || array.children().iter().zip(union.type_ids());
        for (child, type_id) in children() {
            let end = extents.of_type(*type_id).1;
            if end > child.len() {
                let (offset, n_slots) = (end as i64 - 1, child.len() as u64);
                return self.unsound(Role::Offsets, Kind::UnionOffsetOutOfRange { offset, n_slots });
            }
        }
        self.sink.share(array.buffer(0), 0, type_ids.len());
        if extents.begin_at_zero() {
            self.sink.share(array.buffer(1), 0, size_of_val(offsets));
        } else {
            self.sink.rebuild(size_of_val(offsets), |to| {
                let rebased =
                    |(offset, type_id): (&i32, &u8)| offset.wrapping_sub(extents.start_of(*type_id));
                write(to, offsets.iter().zip(type_ids).map(rebased));
                Ok(())
            })?;
        }
        children().try_for_each(|(child, type_id)| {
            let (start, end) = extents.of_type(*type_id);
            self.part(child, start, end)
        })
    }
}

/// For each type id the least and the greatest offset that slots have. A maximum below the minimum: there is no such
/// slot.
struct Extents {
    first: [i32; N_TYPE_IDS],
    last: [i32; N_TYPE_IDS],
}

const N_TYPE_IDS: usize = 128;

impl Extents {
    /// Looks at all slots, and refuses offsets below zero and type ids that the union does not have.
    fn of(union: &UnionType, type_ids: &[u8], offsets: &[i32]) -> std::result::Result<Extents, (Role, Kind)> {
        let mut extents = Extents { first: [i32::MAX; N_TYPE_IDS], last: [-1; N_TYPE_IDS] };
        let (mut all_ids, mut all_offsets) = (0, 0);
        for (type_id, offset) in type_ids.iter().zip(offsets) {
            let idx = usize::from(*type_id) % N_TYPE_IDS;
            extents.first[idx] = extents.first[idx].min(*offset);
            extents.last[idx] = extents.last[idx].max(*offset);
            all_ids |= *type_id;
            all_offsets |= *offset;
        }
        if all_offsets < 0 {
            let offset = offsets.iter().find(|offset| **offset < 0).map_or(0, |offset| i64::from(*offset));
            return Err((Role::Offsets, Kind::NegativeOffset { offset }));
        }
        let is_unknown = |type_id: i8| union.child_of(type_id).is_none();
        if usize::from(all_ids) >= N_TYPE_IDS {
            let type_id = type_ids.iter().map(|type_id| type_id.cast_signed()).find(|type_id| *type_id < 0);
            return Err((Role::TypeIds, Kind::UnknownTypeId { type_id: type_id.unwrap_or(-1) }));
        }
        let used = (0..=i8::MAX).zip(extents.last).filter(|(_, last)| *last >= 0);
        match used.map(|(type_id, _)| type_id).find(|type_id| is_unknown(*type_id)) {
            Some(type_id) => Err((Role::TypeIds, Kind::UnknownTypeId { type_id })),
            None => Ok(extents),
        }
    }

    /// The part of a child that slots refer to.
    fn of_type(&self, type_id: i8) -> (usize, usize) {
        // Type ids of a union are not negative, and offsets have been compared with 0.
        let idx = usize::from(type_id.cast_unsigned()) % N_TYPE_IDS;
        match (usize::try_from(self.first[idx]), usize::try_from(self.last[idx])) {
            (Ok(first), Ok(last)) => (first, last.saturating_add(1)),
            _ => (0, 0),
        }
    }

    fn start_of(&self, type_id: u8) -> i32 {
        self.first[usize::from(type_id) % N_TYPE_IDS]
    }

    fn begin_at_zero(&self) -> bool {
        self.first.iter().zip(&self.last).all(|(first, last)| *first == 0 || *last < 0)
    }
}
