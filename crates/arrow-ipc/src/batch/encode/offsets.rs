//! Variable-size binary, lists and maps. Offsets begin at 0 in a message: those of a slice are rebased, and what they
//! point into is trimmed to their range.

use arrow_buffer::{Buffer, OffsetWidth, OffsetsError, check_offsets};
use arrow_data::{ArrayData, DataErrorKind as Kind, Level, Role};

use super::{
    Sink, Walk,
    words::{Position, Width, numbers, write},
};
use crate::{columns::Column, error::Result};

/// The offsets of an array without slots.
const ZERO_OFFSET: &Buffer = &Buffer::from_static(&[0; 8]);

impl<S: Sink> Walk<'_, S> {
    pub(super) fn offsets(&mut self, column: &Column, array: &ArrayData) -> Result<()> {
        let (start, end) = match Width::of(column.layout.data_buffers().first()) {
            Width::Bits64 => self.offset_buffer::<i64>(array)?,
            Width::Bits16 | Width::Bits32 => self.offset_buffer::<i32>(array)?,
        };
        match array.children().first() {
            Some(child) => self.part(child, start, end),
            None => {
                self.sink.share(array.buffer(1), start, end);
                Ok(())
            }
        }
    }

    /// Tells the offsets, and returns the range they point to, which lies inside the data or the child.
    fn offset_buffer<O: Position + OffsetWidth>(&mut self, array: &ArrayData) -> Result<(usize, usize)> {
        if array.is_empty() {
            self.sink.share(ZERO_OFFSET, 0, size_of::<O>());
            return Ok((0, 0));
        }
        let buffer = array.buffer(0);
        let found = numbers::<O>(buffer, array.len().saturating_add(1)).and_then(|offsets| {
            let range = referenced(array, offsets)?;
            Ok((offsets, range))
        });
        let (offsets, (start, end)) = found.or_else(|kind| self.unsound(Role::Offsets, kind))?;
        if start == 0 {
            self.sink.share(buffer, 0, size_of_val(offsets));
        } else {
            // There is a first one: there are more offsets than slots.
            let first = offsets.first().copied().unwrap_or_default();
            self.sink.rebuild(size_of_val(offsets), |to| {
                write(to, offsets.iter().map(|offset| offset.minus(first)));
                Ok(())
            })?;
        }
        Ok((start, end))
    }
}

/// From the first offset to the last. Offsets that are written as they are need no more checks than that; to rebase
/// them, they must be known to be in order.
fn referenced<O: Position + OffsetWidth>(
    array: &ArrayData,
    offsets: &[O],
) -> std::result::Result<(usize, usize), Kind> {
    let (first, last) = match offsets {
        [first, .., last] => (*first, *last),
        _ => return Ok((0, 0)),
    };
    if first != <O as Position>::ZERO && array.checked() < Level::Content {
        check_offsets(offsets).map_err(out_of_order)?;
    }
    let n_referable = array.children().first().map_or(array.buffer(1).len(), ArrayData::len);
    let Some(start) = Position::to_usize(first) else {
        return Err(Kind::NegativeOffset { offset: first.into() });
    };
    match Position::to_usize(last) {
        Some(end) if end < start => Err(Kind::OffsetsDecrease { offset: first.into(), next: last.into() }),
        Some(end) if end <= n_referable => Ok((start, end)),
        Some(_) => Err(Kind::OffsetOutOfRange { offset: last.into(), end: n_referable as u64 }),
        None => Err(Kind::NegativeOffset { offset: last.into() }),
    }
}

fn out_of_order(error: OffsetsError) -> Kind {
    match error {
        OffsetsError::Empty => Kind::NegativeOffset { offset: 0 },
        OffsetsError::NegativeFirst { offset } => Kind::NegativeOffset { offset },
        OffsetsError::Decreasing { start: offset, end: next, .. } => Kind::OffsetsDecrease { offset, next },
    }
}
