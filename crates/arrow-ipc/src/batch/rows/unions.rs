//! Reads dense unions: type ids and offsets first, then the slots of each child from the first to the last that they
//! select.

use arrow_buffer::Buffer;
use arrow_data::{DataError, DataErrorKind, OffsetType};

use super::{RowsDecoder, Waiting, WalkColumn, Window, offsets::numbers};
use crate::{alignment::length_of, batch::select::SelectedColumn, error::Context};

impl RowsDecoder<'_, '_> {
    /// Type ids and offsets, and the window of each child. An unknown type id selects nothing.
    pub(super) fn dense_union(&mut self, target: &WalkColumn<'_>) -> Waiting<([Buffer; 2], Vec<Window>)> {
        let (type_ids, offsets) = (self.elements(target, 0)?, self.elements(target, 1)?);
        let (Some(type_ids), Some(offsets)) = (type_ids, offsets) else { return Ok(None) };
        let mut children_of = [None; 256];
        for (type_id, child) in (0..=u8::MAX).zip(&mut children_of) {
            *child =
                target.column.data_type.as_union().and_then(|union| union.child_of(type_id.cast_signed()));
        }
        let child_of = |type_id: u8| children_of.get(usize::from(type_id)).copied().flatten();
        let place = self.place(target, 1);
        let selected: Vec<SelectedColumn> = target.selected.children(self.decoder.columns).collect();
        // For each child: its slots, the selected slots, and how many slots of the union select it.
        let mut children: Vec<(u64, Window, u64)> = Vec::new();
        for child in &selected {
            children.push((self.node(child.position())?.n_slots(), 0..0, 0));
        }
        let numbers = numbers::<i32>(&offsets)?;
        for (type_id, offset) in type_ids.iter().zip(numbers) {
            let child = child_of(*type_id).and_then(|child_idx| children.get_mut(child_idx));
            let Some((n_slots, window, n_selected)) = child else { continue };
            let Some(slot) = u64::try_from(*offset).ok().filter(|slot| slot < n_slots) else {
                let kind =
                    DataErrorKind::UnionOffsetOutOfRange { offset: (*offset).into(), n_slots: *n_slots };
                return Err(DataError::from(kind)).in_buffer(place.buffer.idx, Some(place.buffer.role));
            };
            // No overflow: the union has more slots than that.
            *window = match window.is_empty() {
                true => slot..slot + 1,
                false => window.start.min(slot)..window.end.max(slot + 1),
            };
            *n_selected += 1;
        }
        let mut windows: Vec<Window> = Vec::with_capacity(children.len());
        for (child, (_, window, n_selected)) in selected.iter().zip(children) {
            let window = self.with_unreferred(target, child, window)?;
            self.refer(n_selected, length_of(&window));
            windows.push(window);
        }
        if windows.iter().all(|window| window.start == 0) {
            return Ok(Some(([type_ids, offsets], windows)));
        }
        // They are not after an offset, which has 32 bits.
        let starts = children_of.map(|child| {
            let window = child.and_then(|child_idx| windows.get(child_idx));
            window.map_or(0, |window| i64::try_from(window.start).unwrap_or(i64::MAX))
        });
        let start_of = |type_id: u8| starts.get(usize::from(type_id)).copied().unwrap_or_default();
        let moved = type_ids
            .iter()
            .zip(numbers)
            .map(|(type_id, offset)| i64::from(*offset).saturating_sub(start_of(*type_id)));
        let offsets = self.write(moved, OffsetType::Int32)?;
        Ok(Some(([type_ids, offsets], windows)))
    }
}
