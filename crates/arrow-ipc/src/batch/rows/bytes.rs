//! Reads the bytes of a buffer that a window of slots needs.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_data::{Count, DataError, DataErrorKind};

use super::{RowsDecoder, Waiting, WalkColumn, WantedBuffer, Window};
use crate::{
    alignment::length_of,
    batch::decode::to_usize,
    error::{Context, IpcError, Result},
};

impl RowsDecoder<'_, '_> {
    /// The bytes with the bits of a window, and the position of the first bit in them.
    pub(super) fn bits(&mut self, place: &WantedBuffer, window: &Window) -> Waiting<(Buffer, usize)> {
        let Window { start, end } = *window;
        let offset = to_usize(start % 8, "bits")?;
        let needed = place.buffer.n_slots.div_ceil(8);
        let bytes = self.bytes(place, needed, start / 8..end.div_ceil(8))?;
        Ok(bytes.map(|bytes| (bytes, offset)))
    }

    /// The elements of a data buffer for a window, in the byte order and alignment of this machine.
    pub(super) fn elements(&mut self, target: &WalkColumn<'_>, data_buffer: usize) -> Waiting<Buffer> {
        let spec = target.column.layout.data_buffers().get(data_buffer);
        let spec =
            spec.ok_or_else(|| IpcError::internal("a layout has fewer buffers than its rows are read of"))?;
        let place = self.place(target, data_buffer);
        let Window { start, end } = target.window;
        let end = match spec.count {
            Count::PerSlot | Count::FromData => end,
            Count::PerSlotPlusOne => end.saturating_add(1),
        };
        let width = spec.element_bytes();
        let range =
            start.checked_mul(width).zip(end.checked_mul(width)).zip(spec.min_bytes(target.n_slots()));
        let Some(((start, end), needed)) = range else {
            let kind = DataErrorKind::SizeOverflow { n_slots: target.n_slots() };
            return Err(DataError::from(kind)).in_buffer(place.buffer.idx, Some(place.buffer.role));
        };
        let Some(bytes) = self.bytes(&place, needed, start..end)? else { return Ok(None) };
        self.decoder.finished(spec, bytes, self.context).map(Some)
    }

    /// Bytes of a buffer; `needed` is the range that all slots of the column need.
    pub(super) fn bytes(&mut self, place: &WantedBuffer, needed: u64, range: Range<u64>) -> Waiting<Buffer> {
        let Some(found) = self.n_bytes(place)? else { return Ok(None) };
        if found < needed.max(range.end) {
            let (n_slots, needed) = (place.buffer.n_slots, needed.max(range.end));
            let error = DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found });
            return Err(error).in_buffer(place.buffer.idx, Some(place.buffer.role));
        }
        if range.is_empty() && !self.is_to_finish(place) {
            return Ok(Some(Buffer::new()));
        }
        let n_bytes = length_of(&range);
        if !self.may_take(n_bytes) {
            return Ok(None);
        }
        if let Some(codec) = self.decoder.lists.compression {
            return self
                .decompressed(codec, place, range)
                .in_buffer(place.buffer.idx, Some(place.buffer.role));
        }
        let spent = self.decoder.account.referenced.spend("bytes of buffers", n_bytes);
        spent.in_buffer(place.buffer.idx, Some(place.buffer.role))?;
        // No overflow: the range lies inside the buffer, and the buffer inside the body.
        let start = self.decoder.lists.buffer(place.buffer.idx)?.start();
        Ok(self.source.bytes.take(start + range.start..start + range.end))
    }

    /// The decompressed length of a buffer.
    pub(super) fn n_bytes(&mut self, place: &WantedBuffer) -> Waiting<u64> {
        let range = self.decoder.lists.buffer(place.buffer.idx)?;
        match self.decoder.lists.compression {
            Some(codec) if range.n_bytes() > 0 => {
                self.n_bytes_decompressed(codec, place).in_buffer(place.buffer.idx, Some(place.buffer.role))
            }
            Some(_) | None => Ok(Some(range.n_bytes())),
        }
    }

    /// A buffer of new numbers, charged to the memory budget.
    pub(super) fn charged(&self, buffer: Buffer) -> Result<Buffer> {
        let Some(budget) = self.context.budget else { return Ok(buffer) };
        let charge = budget.try_charge(buffer.len() as u64)?;
        Ok(buffer.with_charge(charge))
    }
}
