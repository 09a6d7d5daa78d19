//! Bytes of one buffer: those that a window of slots needs, or all of a compressed one.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer, MemoryBudget};
use arrow_data::{Count, DataError, DataErrorKind, Role};

use super::{DecompressedBuffer, RowsDecoder, Target, Waiting, Window};
use crate::{
    batch::decode::to_usize,
    compression::{Frame, Opened, Threads, decompress_all},
    error::{Context, IpcError, Result},
    protocol::Codec,
    recycled::KeptMemory,
};

/// A buffer, and the slots that are wanted of it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) buffer_idx: usize,
    pub(super) role: Role,
    pub(super) window: Window,
    /// Those of the whole column.
    pub(super) n_slots: u64,
    /// The bytes that all of them need; absent where only the data can tell.
    pub(super) needed: Option<u64>,
}

impl RowsDecoder<'_, '_> {
    /// The validity of a window, which is the next buffer; inside, nothing where it has been left out.
    pub(super) fn validity(&mut self, target: &mut Target<'_>) -> Waiting<Option<Bitmap>> {
        let (buffer_idx, role) = (target.cursor.buffer, Role::Validity);
        target.cursor.buffer = buffer_idx.saturating_add(1);
        let (window, n_slots) = (target.window.clone(), target.n_slots());
        let needed = Some(n_slots.div_ceil(8));
        let place = Place { buffer_idx, role, window, n_slots, needed };
        let Some(found) = self.n_bytes(&place)? else { return Ok(None) };
        if found == 0 && target.node.n_nulls().unwrap_or(0) == 0 {
            return Ok(Some(None));
        }
        let n_slots = to_usize(place.window.end.saturating_sub(place.window.start), "slots")?;
        let Some((bytes, offset)) = self.bits(place)? else { return Ok(None) };
        match Bitmap::try_new(bytes, offset, n_slots) {
            Ok(bitmap) => Ok(Some(Some(bitmap))),
            Err(_) => Err(IpcError::internal("fewer bytes were taken than the bits of a bitmap need")),
        }
    }

    /// The bytes that the bits of a window are in, and which bit of the first is the window's.
    pub(super) fn bits(&mut self, place: Place) -> Waiting<(Buffer, usize)> {
        let Window { start, end } = place.window;
        let offset = to_usize(start % 8, "bits")?;
        let needed = place.n_slots.div_ceil(8);
        let bytes = self.bytes(&place, needed, start / 8..end.div_ceil(8))?;
        Ok(bytes.map(|bytes| (bytes, offset)))
    }

    /// The elements of a data buffer that a window needs, in the byte order and alignment of this machine.
    pub(super) fn elements(&mut self, target: &Target<'_>, data_buffer: usize) -> Waiting<Buffer> {
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

    /// Bytes of a buffer; `needed` are those that all slots of the column need.
    pub(super) fn bytes(&mut self, place: &Place, needed: u64, range: Range<u64>) -> Waiting<Buffer> {
        let Some(found) = self.n_bytes(place)? else { return Ok(None) };
        if found < needed.max(range.end) {
            let (n_slots, needed) = (place.n_slots, needed.max(range.end));
            let error = DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found });
            return Err(error).in_buffer(place.buffer_idx, Some(place.role));
        }
        if range.is_empty() {
            return Ok(Some(Buffer::new()));
        }
        if self.decoder.lists.compression().is_some() {
            let whole = self.source.decompressed.get(&place.buffer_idx);
            let whole =
                whole.ok_or_else(|| IpcError::internal("a compressed buffer was not decompressed"))?;
            return Ok(Some(whole.bytes.try_slice(range.start, range.end.saturating_sub(range.start))?));
        }
        let n_bytes = range.end.saturating_sub(range.start);
        let spent = self.decoder.account.referenced.spend("bytes of buffers", n_bytes);
        spent.in_buffer(place.buffer_idx, Some(place.role))?;
        // No overflow: the range lies inside of the buffer, and that inside of the body.
        let start = self.decoder.lists.buffer(place.buffer_idx)?.start();
        Ok((self.source.take)(start + range.start..start + range.end))
    }

    /// How many bytes a buffer has. A compressed one is decompressed for that.
    pub(super) fn n_bytes(&mut self, place: &Place) -> Waiting<u64> {
        let range = self.decoder.lists.buffer(place.buffer_idx)?;
        match self.decoder.lists.compression() {
            Some(codec) if range.n_bytes() > 0 => {
                let whole = self.decompressed(codec, place).in_buffer(place.buffer_idx, Some(place.role))?;
                Ok(whole.map(|whole| whole.len() as u64))
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

    /// A compressed buffer, decompressed once.
    fn decompressed(&mut self, codec: Codec, place: &Place) -> Waiting<Buffer> {
        if let Some(whole) = self.source.decompressed.get(&place.buffer_idx) {
            return Ok(Some(whole.bytes.clone()));
        }
        let range = self.decoder.lists.buffer(place.buffer_idx)?;
        self.decoder.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let Some(bytes) = (self.source.take)(range.start()..range.end()) else { return Ok(None) };
        let opened = Opened::try_new(codec, bytes)?;
        let n_bytes = opened.n_bytes();
        let (n_slots, found) = (place.n_slots, n_bytes as u64);
        if let Some(needed) = place.needed.filter(|needed| found > 0 && found < *needed) {
            return Err(DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into());
        }
        let (bytes, n_unneeded) = match opened {
            Opened::Raw(bytes) => (bytes, 0),
            Opened::Frame(frame) => {
                let n_unneeded = place.needed.map_or(0, |needed| found.saturating_sub(needed));
                self.decoder.account.decompress(found)?;
                self.decoder.account.leave_unneeded(n_unneeded)?;
                self.context.counters.decompressed(n_bytes);
                (decompress(frame, self.context.budget)?, n_unneeded)
            }
        };
        let whole = DecompressedBuffer { bytes: bytes.clone(), n_unneeded };
        self.source.decompressed.insert(place.buffer_idx, whole);
        Ok(Some(bytes))
    }
}

/// What others take of it stays in use, so the memory is not kept for the next one.
fn decompress(frame: Frame, budget: Option<&MemoryBudget>) -> Result<Buffer> {
    let decompressed = decompress_all(&[frame], &KeptMemory::default(), Threads::One, budget);
    let decompressed = decompressed.map_err(|(_, error)| error)?;
    decompressed.into_iter().next().ok_or_else(|| IpcError::internal("a frame was decompressed to no buffer"))
}
