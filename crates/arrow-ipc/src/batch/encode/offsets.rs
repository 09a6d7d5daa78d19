//! Writes variable-size binary, lists and maps. Offsets begin at 0 in a message: those of a slice are rebased, and their
//! data or child is trimmed.

use arrow_buffer::{Buffer, OffsetWidth};
use arrow_data::{ArrayData, OffsetType, Swap};

use super::{
    ArrayWalk, Sink,
    words::{Position, numbers},
};
use crate::{
    columns::Column,
    error::{IpcError, Result},
};

/// The offsets of an array without slots.
const ZERO_OFFSET: &Buffer = &Buffer::from_static(&[0; 8]);

impl<S: Sink> ArrayWalk<'_, S> {
    pub(super) fn offsets(&mut self, column: &Column, array: &ArrayData, offset: OffsetType) -> Result<()> {
        let (start, end) = match offset {
            OffsetType::Int32 => self.offset_buffer::<i32>(column, array)?,
            OffsetType::Int64 => self.offset_buffer::<i64>(column, array)?,
        };
        match array.children().first() {
            Some(child) => self.part(child, start, end),
            None => {
                self.sink.share(Swap::None, array.buffer(1), start, end);
                Ok(())
            }
        }
    }

    /// Passes the offsets to the sink, and returns their range, which lies inside the data or the child.
    fn offset_buffer<O: Position + OffsetWidth>(
        &mut self,
        column: &Column,
        array: &ArrayData,
    ) -> Result<(usize, usize)> {
        if array.is_empty() {
            self.sink.share(Swap::None, ZERO_OFFSET, 0, size_of::<O>());
            return Ok((0, 0));
        }
        let (next, buffer) = (column.layout.data_buffers(), array.buffer(0));
        let offsets = numbers::<O>(buffer, array.len().saturating_add(1))
            .or_else(|kind| self.unsound(next, kind.into()))?;
        let first =
            *offsets.first().ok_or_else(|| IpcError::internal("an array with slots has no offsets"))?;
        let referred = referred_range(array, offsets);
        // Offsets that are written unchanged only have to give a range. Offsets that are rebased must be in order.
        if first != <O as Position>::ZERO || referred.is_none() {
            self.check_positions(next, array)?;
        }
        let (start, end) = referred.ok_or_else(|| IpcError::internal("checked offsets lead to no range"))?;
        if start == 0 {
            self.sink.share(O::SWAP, buffer, 0, size_of_val(offsets));
        } else {
            self.sink.rebuild(O::SWAP, size_of_val(offsets), |to| {
                if to.len() != size_of_val(offsets) {
                    return Err(IpcError::internal("the offsets do not fill their place"));
                }
                O::write_minus(offsets, first, to);
                Ok(())
            })?;
        }
        Ok((start, end))
    }
}

/// The range from the first offset to the last; `None` if it does not lie inside the data or the child.
fn referred_range<O: Position + OffsetWidth>(array: &ArrayData, offsets: &[O]) -> Option<(usize, usize)> {
    let start = Position::to_usize(*offsets.first()?)?;
    let end = Position::to_usize(*offsets.last()?)?;
    let n_referable = array.children().first().map_or(array.buffer(1).len(), ArrayData::len);
    (start <= end && end <= n_referable).then_some((start, end))
}
