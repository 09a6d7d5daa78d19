//! Dense unions. A slice keeps whole children in memory; in a message they are trimmed to what its slots refer to,
//! and offsets are rebased where a child does not begin at its first slot.

use arrow_data::ArrayData;

use super::{
    Sink, Walk,
    words::{numbers, write},
};
use crate::{columns::Column, error::Result};

impl<S: Sink> Walk<'_, S> {
    pub(super) fn dense_union(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let Some(union) = array.data_type().as_union() else { return self.plain(column, array) };
        let next = column.layout.data_buffers();
        let type_ids = array.buffer(0).get(..array.len()).unwrap_or_default();
        let offsets =
            numbers::<i32>(array.buffer(1), array.len()).or_else(|kind| self.unsound(next, kind.into()))?;
        let children = || array.children().iter().zip(union.type_ids());
        let Some(extents) = Extents::unless_whole(type_ids, offsets, children) else {
            return self.plain(column, array);
        };
        self.check_positions(next, array)?;
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

/// The slots at either end that are looked at first: mostly they refer to both ends of all children.
const N_EDGE_SLOTS: usize = 64;

impl Extents {
    /// Looks at all slots, unless some of them show that children are referred to from end to end. Nothing is known
    /// of the slots, and what is found is meaningless if one is wrong.
    fn unless_whole<'a, C: Iterator<Item = (&'a ArrayData, &'a i8)>>(
        type_ids: &[u8],
        offsets: &[i32],
        children: impl Fn() -> C,
    ) -> Option<Extents> {
        let mut extents = Extents { first: [i32::MAX; N_TYPE_IDS], last: [-1; N_TYPE_IDS] };
        let last = offsets.len().saturating_sub(N_EDGE_SLOTS);
        let first = last.min(N_EDGE_SLOTS);
        for slots in [0..first, last..offsets.len(), first..last] {
            let type_ids = type_ids.get(slots.clone()).unwrap_or_default();
            for (type_id, offset) in type_ids.iter().zip(offsets.get(slots).unwrap_or_default()) {
                let idx = usize::from(*type_id) % N_TYPE_IDS;
                extents.first[idx] = extents.first[idx].min(*offset);
                extents.last[idx] = extents.last[idx].max(*offset);
            }
            if children().all(|(child, type_id)| extents.of_type(*type_id) == (0, child.len())) {
                return None;
            }
        }
        Some(extents)
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

    fn start_of(&self, type_id: u8) -> i32 {
        self.first[usize::from(type_id) % N_TYPE_IDS]
    }

    fn begin_at_zero(&self) -> bool {
        self.first.iter().zip(&self.last).all(|(first, last)| *first == 0 || *last < 0)
    }
}
