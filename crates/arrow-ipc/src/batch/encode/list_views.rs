//! Writes list views. The child is trimmed to the items of non-empty slots; if these do not begin at 0,
//! offsets are rebased.

use arrow_data::{ArrayData, OffsetType};

use super::{
    ArrayWalk, Sink, n_whole_bytes,
    words::{numbers, write},
};
use crate::{
    columns::Column,
    error::{IpcError, Result},
};

mod reach;

use self::reach::{ListViewSlot, Reach};

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn list_view(&mut self, column: &Column, array: &ArrayData, offset: OffsetType) -> Result<()> {
        match offset {
            OffsetType::Int32 => self.list_view_of::<i32>(column, array),
            OffsetType::Int64 => self.list_view_of::<i64>(column, array),
        }
    }

    fn list_view_of<O: ListViewSlot>(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (next, n_slots) = (column.layout.data_buffers(), array.len());
        let found = numbers::<O>(array.buffer(0), n_slots)
            .and_then(|offsets| Ok((offsets, numbers::<O>(array.buffer(1), n_slots)?)));
        let (offsets, sizes) = found.or_else(|kind| self.unsound(next, kind.into()))?;
        self.check_positions(next, array)?;
        let Some(child) = array.children().first() else {
            return Err(IpcError::internal("a list view has no child"));
        };
        let extent = Extent::of(offsets, sizes, child.len())?;
        // If slots follow each other, they use everything between the first and the last item.
        let n_items = extent.end.saturating_sub(extent.start);
        if (extent.order == SlotOrder::None || array.null_count() > 0)
            && let Some(used) = self.without_unused(next, array, n_items)?
        {
            return self.plain(column, &used);
        }
        match extent.base {
            None => self.sink.share(O::SWAP, array.buffer(0), 0, size_of_val(offsets)),
            Some(base) => self.sink.rebuild(O::SWAP, size_of_val(offsets), |to| {
                let slots = offsets.iter().zip(sizes);
                write(to, slots.map(|(offset, size)| O::rebased(*offset, *size, base)))
            })?,
        }
        for (k, spec) in next.iter().enumerate().skip(1) {
            let buffer = array.buffer(k);
            self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, n_slots, buffer)?);
        }
        self.part(child, extent.start, extent.end)
    }
}

/// The part of the child that is written, and the number that is subtracted from offsets.
#[derive(Debug, PartialEq, Eq)]
struct Extent<O> {
    start: usize,
    end: usize,
    base: Option<O>,
    order: SlotOrder,
}

/// Whether slots follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotOrder {
    Contiguous,
    None,
}

impl<O: ListViewSlot> Extent<O> {
    /// The slots must be valid: they lie inside a child, whose length fits in memory.
    fn of(offsets: &[O], sizes: &[O], n_items: usize) -> Result<Extent<O>> {
        let (reach, order) = match Reach::of_contiguous(offsets, sizes) {
            Some(reach) => (reach, SlotOrder::Contiguous),
            None if Reach::of_some(offsets, sizes).is_almost(n_items) => {
                return Ok(Extent { start: 0, end: n_items, base: None, order: SlotOrder::None });
            }
            None => (Reach::of_any(offsets, sizes), SlotOrder::None),
        };
        let is_empty = reach.end == 0;
        if reach.start == O::ZERO || is_empty && reach.last_offset == O::ZERO {
            // All offsets stay as they are, so the child must reach to those of empty slots, too.
            let end = reach.end.max(O::end(reach.last_offset, O::ZERO).into());
            return Ok(Extent { start: 0, end: position(end)?, base: None, order });
        }
        if is_empty {
            return Ok(Extent { start: 0, end: 0, base: Some(O::ZERO), order });
        }
        let start = O::end(reach.start, O::ZERO).into();
        Ok(Extent { start: position(start)?, end: position(reach.end)?, base: Some(reach.start), order })
    }
}

/// A position that was found to be inside a child.
fn position(number: u64) -> Result<usize> {
    usize::try_from(number).map_err(|_| IpcError::internal("a checked list view reaches past all memory"))
}

#[cfg(test)]
mod tests;
