//! List views. The child is trimmed to what non-empty slots refer to; where that does not begin at 0, offsets are
//! rebased.

use arrow_data::{ArrayData, OffsetType};

use super::{
    Sink, Walk, internal, n_whole_bytes,
    words::{Position, numbers, write},
};
use crate::{columns::Column, error::Result};

impl<S: Sink> Walk<'_, S> {
    pub(super) fn list_view(&mut self, column: &Column, array: &ArrayData, offset: OffsetType) -> Result<()> {
        match offset {
            OffsetType::Int32 => self.list_view_of::<i32>(column, array),
            OffsetType::Int64 => self.list_view_of::<i64>(column, array),
        }
    }

    fn list_view_of<O: Position>(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (next, n_slots) = (column.layout.data_buffers(), array.len());
        let found = numbers::<O>(array.buffer(0), n_slots)
            .and_then(|offsets| Ok((offsets, numbers::<O>(array.buffer(1), n_slots)?)));
        let (offsets, sizes) = found.or_else(|kind| self.unsound(next, kind.into()))?;
        self.check_positions(next, array)?;
        let extent = Extent::of(offsets, sizes)?;
        match extent.base {
            None => self.sink.share(O::SWAP, array.buffer(0), 0, size_of_val(offsets)),
            Some(base) => self.sink.rebuild(O::SWAP, size_of_val(offsets), |to| {
                // Empty slots may point anywhere, also before the part that is kept.
                let rebased =
                    |(offset, size): (&O, &O)| if *size == O::ZERO { O::ZERO } else { offset.minus(base) };
                write(to, offsets.iter().zip(sizes).map(rebased))
            })?,
        }
        for (k, spec) in next.iter().enumerate().skip(1) {
            let buffer = array.buffer(k);
            self.sink.share(spec.swap, buffer, 0, n_whole_bytes(spec, n_slots, buffer)?);
        }
        match array.children().first() {
            Some(child) => self.part(child, extent.start, extent.end),
            None => Err(internal("a list view has no child")),
        }
    }
}

/// The part of the child that has to be written, and what is subtracted from offsets that change.
struct Extent<O> {
    start: usize,
    end: usize,
    base: Option<O>,
}

impl<O: Position> Extent<O> {
    /// Of slots that are sound: they lie inside of a child, whose length fits in memory.
    fn of(offsets: &[O], sizes: &[O]) -> Result<Extent<O>> {
        let slots = || offsets.iter().copied().zip(sizes.iter().copied());
        let earlier = |start: O, (offset, size)| if size == O::ZERO { start } else { start.min(offset) };
        let later = |end: i64, (offset, size): (O, O)| {
            // The sum of two 32-bit numbers need not be one.
            let slot_end = if size == O::ZERO { 0 } else { offset.into().wrapping_add(size.into()) };
            end.max(slot_end)
        };
        let (start, end) = (slots().fold(O::MAX, earlier), slots().fold(0, later));
        let is_first = |(offset, _)| offset == O::ZERO;
        if start == O::ZERO || end == 0 && slots().all(is_first) {
            // The offsets stay as they are, those of empty slots too, so the child must reach to them.
            let end = slots().fold(end, |end, (offset, _)| end.max(offset.into()));
            return Ok(Extent { start: 0, end: position(end)?, base: None });
        }
        if end == 0 {
            return Ok(Extent { start: 0, end: 0, base: Some(O::ZERO) });
        }
        Ok(Extent { start: position(start.into())?, end: position(end)?, base: Some(start) })
    }
}

/// A position that has been found inside of a child.
fn position(number: i64) -> Result<usize> {
    usize::try_from(number).map_err(|_| internal("a checked list view has a negative offset"))
}
