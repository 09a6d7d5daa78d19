//! Dense unions: type ids and offsets first, then of each child the slots from the first to the last that they select.

use arrow_buffer::Buffer;
use arrow_data::{DataError, DataErrorKind, OffsetType};

use super::{RowsDecoder, Target, Waiting, Window, offsets::read};
use crate::error::Context;

impl RowsDecoder<'_, '_> {
    /// Type ids and offsets, and the window of each child. A type id that the union does not have selects nothing.
    pub(super) fn dense_union(&mut self, target: &Target<'_>) -> Waiting<([Buffer; 2], Vec<Window>)> {
        let (type_ids, offsets) = (self.elements(target, 0)?, self.elements(target, 1)?);
        let (Some(type_ids), Some(offsets)) = (type_ids, offsets) else { return Ok(None) };
        let data_type = &self.decoder.columns.at(target.position).data_type;
        let child_of =
            |type_id: u8| data_type.as_union().and_then(|union| union.child_of(type_id.cast_signed()));
        let place = self.place(target, 1);
        let selected = self.children(target.selected);
        // Of each child its slots, those that are selected, and how often any is.
        let mut children: Vec<(u64, Window, u64)> = Vec::new();
        for child in &selected {
            children.push((self.node(child.position())?.n_slots(), 0..0, 0));
        }
        let numbers = read(&offsets, OffsetType::Int32)?;
        for (type_id, offset) in type_ids.iter().zip(&numbers) {
            let child = child_of(*type_id).and_then(|child_idx| children.get_mut(child_idx));
            let Some((n_slots, window, n_selected)) = child else { continue };
            let Some(slot) = u64::try_from(*offset).ok().filter(|slot| slot < n_slots) else {
                let kind = DataErrorKind::UnionOffsetOutOfRange { offset: *offset, n_slots: *n_slots };
                return Err(DataError::from(kind)).in_buffer(place.buffer_idx, Some(place.role));
            };
            // No overflow: there are more slots.
            *window = match window.is_empty() {
                true => slot..slot + 1,
                false => window.start.min(slot)..window.end.max(slot + 1),
            };
            *n_selected += 1;
        }
        let mut windows: Vec<Window> = Vec::with_capacity(children.len());
        for (child, (_, window, n_selected)) in selected.iter().zip(children) {
            let window = self.with_unreferred(target, child, window)?;
            self.kept.refer(n_selected, window.end.saturating_sub(window.start));
            windows.push(window);
        }
        if windows.iter().all(|window| window.start == 0) {
            return Ok(Some(([type_ids, offsets], windows)));
        }
        let start_of =
            |type_id: u8| child_of(type_id).and_then(|idx| windows.get(idx)).map_or(0, |window| window.start);
        let moved = type_ids.iter().zip(&numbers).map(|(type_id, offset)| {
            offset.saturating_sub(i64::try_from(start_of(*type_id)).unwrap_or(i64::MAX))
        });
        let offsets = self.write(moved, OffsetType::Int32)?;
        Ok(Some(([type_ids, offsets], windows)))
    }
}
