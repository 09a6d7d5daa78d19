//! Reads the bytes of a buffer that a window of slots needs.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{Count, DataError, DataErrorKind, Role};

use super::{RowsDecoder, Waiting, Window, WindowColumn};
use crate::{
    alignment::length_of,
    batch::decode::to_usize,
    error::{Context, IpcError, Result},
};

/// A buffer, and the slots that are wanted of it.
#[derive(Debug, Clone)]
pub(super) struct WantedBuffer {
    pub(super) buffer_idx: usize,
    pub(super) role: Role,
    pub(super) window: Window,
    /// The slots of the whole column.
    pub(super) n_slots: u64,
    /// The bytes that all slots need; `None` if only the data tell.
    pub(super) needed: Option<u64>,
    /// The last wanted slot of the column, and the number of its slots: about this share of the buffer is wanted.
    pub(super) share: (u64, u64),
}

impl RowsDecoder<'_, '_> {
    /// The validity of a window, which is the next buffer; the inner `None` means that it is absent.
    pub(super) fn validity(&mut self, target: &mut WindowColumn<'_>) -> Waiting<Option<Bitmap>> {
        let (buffer_idx, role) = (target.cursor.buffer, Role::Validity);
        target.cursor.buffer = buffer_idx.saturating_add(1);
        let (window, n_slots) = (target.window.clone(), target.n_slots());
        let needed = Some(n_slots.div_ceil(8));
        let place = WantedBuffer { buffer_idx, role, share: (window.end, n_slots), window, n_slots, needed };
        let Some(found) = self.n_bytes(&place)? else { return Ok(None) };
        if found == 0 && target.node.n_nulls().unwrap_or(0) == 0 {
            return Ok(Some(None));
        }
        let n_slots = to_usize(length_of(&place.window), "slots")?;
        let Some((bytes, offset)) = self.bits(place)? else { return Ok(None) };
        match Bitmap::try_new(bytes, offset, n_slots) {
            Ok(bitmap) => Ok(Some(Some(bitmap))),
            Err(_) => Err(IpcError::internal("fewer bytes were taken than the bits of a bitmap need")),
        }
    }

    /// The bytes with the bits of a window, and the position of the first bit in them.
    pub(super) fn bits(&mut self, place: WantedBuffer) -> Waiting<(Buffer, usize)> {
        let Window { start, end } = place.window;
        let offset = to_usize(start % 8, "bits")?;
        let needed = place.n_slots.div_ceil(8);
        let bytes = self.bytes(&place, needed, start / 8..end.div_ceil(8))?;
        Ok(bytes.map(|bytes| (bytes, offset)))
    }

    /// The elements of a data buffer for a window, in the byte order and alignment of this machine.
    pub(super) fn elements(&mut self, target: &WindowColumn<'_>, data_buffer: usize) -> Waiting<Buffer> {
        let columns = self.decoder.columns;
        let spec = columns.at(target.position).layout.data_buffers().get(data_buffer);
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
            return Err(DataError::from(kind)).in_buffer(place.buffer_idx, Some(place.role));
        };
        let Some(bytes) = self.bytes(&place, needed, start..end)? else { return Ok(None) };
        self.decoder.finished(spec, bytes, self.context).map(Some)
    }

    /// Bytes of a buffer; `needed` is the range that all slots of the column need.
    pub(super) fn bytes(&mut self, place: &WantedBuffer, needed: u64, range: Range<u64>) -> Waiting<Buffer> {
        let Some(found) = self.n_bytes(place)? else { return Ok(None) };
        if found < needed.max(range.end) {
            let (n_slots, needed) = (place.n_slots, needed.max(range.end));
            let error = DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found });
            return Err(error).in_buffer(place.buffer_idx, Some(place.role));
        }
        if range.is_empty() && !self.is_to_finish(place) {
            return Ok(Some(Buffer::new()));
        }
        let n_bytes = length_of(&range);
        if !self.may_take(n_bytes) {
            return Ok(None);
        }
        if let Some(codec) = self.decoder.lists.compression() {
            return self.decompressed(codec, place, range).in_buffer(place.buffer_idx, Some(place.role));
        }
        let spent = self.decoder.account.referenced.spend("bytes of buffers", n_bytes);
        spent.in_buffer(place.buffer_idx, Some(place.role))?;
        // No overflow: the range lies inside of the buffer, and that inside of the body.
        let start = self.decoder.lists.buffer(place.buffer_idx)?.start();
        Ok(self.source.bytes.take(start + range.start..start + range.end))
    }

    /// The decompressed length of a buffer.
    pub(super) fn n_bytes(&mut self, place: &WantedBuffer) -> Waiting<u64> {
        let range = self.decoder.lists.buffer(place.buffer_idx)?;
        match self.decoder.lists.compression() {
            Some(codec) if range.n_bytes() > 0 => {
                self.n_bytes_decompressed(codec, place).in_buffer(place.buffer_idx, Some(place.role))
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
