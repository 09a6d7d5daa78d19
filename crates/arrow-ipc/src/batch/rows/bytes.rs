//! Reads the bytes of a buffer that a window (a range of slots) needs.
//!
//! A frame has no index, so a compressed buffer is decompressed from its start to the last needed byte. Bytes before
//! the window are dropped at once. Several requests read the frame, so that few bytes past the window are read.

use std::ops::Range;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{Count, DataError, DataErrorKind};

use super::{
    ChildSlots, PendingResult, RequestedBuffer, RowsDecoder, SlotWindow, TargetColumn,
    state::{FrameContent, PartialBuffer, PartialFrame},
};
use crate::{
    batch::decode::to_usize,
    compression::{
        CompressedBuffer, DeclaredLength, FrameDecoder, FrameProgress, FrameRest, PREFIX_BYTES,
        decompress_within,
    },
    error::{Context, IpcError, Result},
    recycled::BufferPool,
    threads::Threads,
};
use arrow_ipc_format::{BodyRange, Codec, length_of, share_of};

impl RowsDecoder<'_, '_> {
    /// The bytes with the bits of a window, and the position of the window's first bit in the first byte.
    pub(super) fn bits(
        &mut self,
        requested: &RequestedBuffer,
        window: &SlotWindow,
    ) -> PendingResult<(Buffer, usize)> {
        let SlotWindow { start, end } = *window;
        let offset = to_usize(start % 8, "bits")?;
        let needed = requested.buffer.n_slots.div_ceil(8);
        let bytes = self.bytes(requested, needed, start / 8..end.div_ceil(8))?;
        Ok(bytes.map(|bytes| (bytes, offset)))
    }

    /// The elements of a data buffer for a window, in the byte order and alignment of this machine.
    pub(super) fn elements(
        &mut self,
        target: &TargetColumn<'_>,
        data_buffer: usize,
    ) -> PendingResult<Buffer> {
        let spec = target.column.layout.data_buffers().get(data_buffer);
        let spec = spec.ok_or_else(|| IpcError::internal("the layout has fewer buffers than were read"))?;
        let requested = self.requested_buffer(target, data_buffer);
        let SlotWindow { start, end } = target.window;
        let end = match spec.count {
            Count::PerSlot | Count::FromData => end,
            Count::PerSlotPlusOne => end + 1,
        };
        let width = spec.element_bytes();
        let range =
            start.checked_mul(width).zip(end.checked_mul(width)).zip(spec.min_bytes(target.n_slots()));
        let Some(((start, end), needed)) = range else {
            let kind = DataErrorKind::SizeOverflow { n_slots: target.n_slots() };
            return Err(DataError::from(kind)).in_buffer(requested.buffer.idx, Some(requested.buffer.role));
        };
        let Some(bytes) = self.bytes(&requested, needed, start..end)? else { return Ok(None) };
        self.decoder.native_bytes(spec, bytes).map(Some)
    }

    /// The bytes of `range` in a buffer. `needed` is the minimum length of the buffer for all slots of the column.
    pub(super) fn bytes(
        &mut self,
        requested: &RequestedBuffer,
        needed: u64,
        range: Range<u64>,
    ) -> PendingResult<Buffer> {
        let Some(found) = self.n_bytes(requested)? else { return Ok(None) };
        if found < needed.max(range.end) {
            let n_slots = requested.buffer.n_slots;
            let needed = needed.max(range.end);
            let error = DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found });
            return Err(error).in_buffer(requested.buffer.idx, Some(requested.buffer.role));
        }
        if range.is_empty() && !self.is_to_finish(requested) {
            return Ok(Some(Buffer::new()));
        }
        let n_bytes = length_of(&range);
        if !self.may_take(n_bytes) {
            return Ok(None);
        }
        if let Some(codec) = self.decoder.message.compression() {
            return self
                .decompressed(codec, requested, range)
                .in_buffer(requested.buffer.idx, Some(requested.buffer.role));
        }
        let spent = self.decoder.account.referenced.spend("bytes of buffers", n_bytes);
        spent.in_buffer(requested.buffer.idx, Some(requested.buffer.role))?;
        // No overflow: the range lies inside the buffer, and the buffer inside the body.
        let start = self.decoder.message.buffer(requested.buffer.idx)?.start();
        Ok(self.source.bytes.take(start + range.start..start + range.end))
    }

    pub(super) fn n_bytes(&mut self, requested: &RequestedBuffer) -> PendingResult<u64> {
        let range = self.decoder.message.buffer(requested.buffer.idx)?;
        match self.decoder.message.compression() {
            Some(codec) if range.n_bytes() > 0 => self
                .n_bytes_decompressed(codec, requested)
                .in_buffer(requested.buffer.idx, Some(requested.buffer.role)),
            Some(_) | None => Ok(Some(range.n_bytes())),
        }
    }

    /// Charges a new buffer to the memory budget, if there is one.
    pub(super) fn charged(&self, buffer: Buffer) -> Result<Buffer> {
        let Some(budget) = self.decoder.context.budget() else { return Ok(buffer) };
        let charge = budget.try_charge(buffer.len() as u64)?;
        Ok(buffer.with_charge(charge))
    }

    /// Adds `n_bytes` to the bytes that the rows need. Returns `false` if the sum exceeds `max_bytes`: then the bytes
    /// must not be read.
    pub(super) fn may_take(&mut self, n_bytes: u64) -> bool {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        self.is_refused |= self.source.max_bytes.is_some_and(|most| self.n_bytes > most);
        !self.is_refused
    }
}

/// Buffers shorter than this are decompressed as a whole, since a block of a frame can have almost this length.
const SHORT_BYTES: u64 = 128 << 10;

/// The minimum number of bytes of a frame to read at once.
const LEAST_BYTES: u64 = 64 << 10;

impl RowsDecoder<'_, '_> {
    /// The decompressed length of a buffer, from the prefix of the buffer.
    fn n_bytes_decompressed(&mut self, codec: Codec, requested: &RequestedBuffer) -> PendingResult<u64> {
        if let Some(found) = self.source.state.found.get(&requested.buffer.idx) {
            return Ok(Some(found.n_bytes()));
        }
        let range = self.decoder.message.buffer(requested.buffer.idx)?;
        let first = self.first_piece(range, requested);
        let Some(bytes) = self.source.bytes.take(first) else { return Ok(None) };
        self.decoder.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let length = DeclaredLength::try_new(codec, &bytes, range.n_bytes())?;
        let found = length.n_bytes();
        let mut buffer = PartialBuffer::new(length);
        buffer.n_unneeded = requested.buffer.unneeded(found)?;
        if matches!(length, DeclaredLength::Frame { .. }) {
            self.decoder.charge_frame(found, buffer.n_unneeded)?;
        }
        self.source.state.found.insert(requested.buffer.idx, buffer);
        Ok(Some(found))
    }

    /// Whether an earlier window has started the frame of this buffer, and this window is the last.
    fn is_to_finish(&self, requested: &RequestedBuffer) -> bool {
        self.source.frame_rest == FrameRest::Checked && self.source.state.continues(requested.buffer.idx)
    }

    /// The decompressed bytes of `needed`, a range inside the buffer.
    pub(super) fn decompressed(
        &mut self,
        codec: Codec,
        requested: &RequestedBuffer,
        needed: Range<u64>,
    ) -> PendingResult<Buffer> {
        let range = self.decoder.message.buffer(requested.buffer.idx)?;
        let Some(mut buffer) = self.source.state.found.remove(&requested.buffer.idx) else {
            return Err(IpcError::internal("a compressed buffer of unknown length was read"));
        };
        let length = buffer.length;
        let content = std::mem::replace(&mut buffer.content, FrameContent::Nothing);
        buffer.given_end = needed.end;
        buffer.is_shared = buffer.is_shared || self.is_shared;
        let (content, found) = match length {
            DeclaredLength::Raw { .. } => {
                // No overflow: `needed` lies inside the buffer, and the buffer inside the body.
                let start = range.start() + PREFIX_BYTES as u64;
                let found = self.source.bytes.take(start + needed.start..start + needed.end);
                (FrameContent::Nothing, found)
            }
            DeclaredLength::Frame { declared } => {
                self.content(codec, range, requested, content, declared, needed)?
            }
        };
        self.source.state.found.insert(requested.buffer.idx, PartialBuffer { content, ..buffer });
        Ok(found)
    }

    /// Decompresses the bytes that have arrived. Returns the bytes of `needed` once all of them are decompressed.
    fn content(
        &mut self,
        codec: Codec,
        range: BodyRange,
        requested: &RequestedBuffer,
        content: FrameContent,
        declared: u64,
        needed: Range<u64>,
    ) -> Result<(FrameContent, Option<Buffer>)> {
        let content = content.for_other(&needed);
        if let FrameContent::Some(window, bytes, frame_decoder) = &content
            && window.start <= needed.start
            && needed.end <= window.end
            && !(self.source.frame_rest == FrameRest::Checked && frame_decoder.is_some())
        {
            let found = part_of(bytes, window, &needed)?;
            return Ok((content, Some(found)));
        }
        let partial = match content {
            FrameContent::Started(partial) => partial,
            _ if declared <= SHORT_BYTES || needed == (0..declared) => {
                return self.whole(codec, range, declared, needed);
            }
            FrameContent::Some(window, bytes, Some(frame_decoder))
                if frame_decoder.reaches(first_unknown(&window, &needed)) =>
            {
                let known = needed.start..first_unknown(&window, &needed).min(needed.end);
                let known = if known.is_empty() { Buffer::new() } else { part_of(&bytes, &window, &known)? };
                self.resume(range, frame_decoder, &known, needed)?
            }
            FrameContent::Nothing | FrameContent::Some(..) => {
                let first = self.first_piece(range, requested);
                let Some(bytes) = self.source.bytes.take(first.clone()) else {
                    return Ok((FrameContent::Nothing, None));
                };
                let start = bytes.get(PREFIX_BYTES..).unwrap_or_default();
                let n_frame_bytes = range.n_bytes().saturating_sub(PREFIX_BYTES as u64);
                let Some(mut frame_decoder) = FrameDecoder::try_new(codec, start, n_frame_bytes, declared)?
                else {
                    return self.whole(codec, range, declared, needed);
                };
                if let Some(budget) = self.decoder.context.budget() {
                    frame_decoder.charge_to(budget)?;
                }
                let mut partial = self.resume(range, Box::new(frame_decoder), &[], needed)?;
                partial.next.end = first.end;
                partial
            }
        };
        self.advance(range, partial)
    }

    /// Decompresses a whole buffer. The memory is not reused, since the returned buffers share it.
    fn whole(
        &mut self,
        codec: Codec,
        range: BodyRange,
        declared: u64,
        needed: Range<u64>,
    ) -> Result<(FrameContent, Option<Buffer>)> {
        let Some(bytes) = self.source.bytes.take(range.start()..range.end()) else {
            return Ok((FrameContent::Nothing, None));
        };
        let opened = [CompressedBuffer::try_new(codec, bytes)?];
        let budget = self.decoder.context.budget();
        let decompressed = decompress_within(&opened, &BufferPool::default(), Threads::One, budget);
        let whole = decompressed.map_err(|(_, error)| error)?.into_iter().next();
        let whole = whole.ok_or_else(|| IpcError::internal("a frame was decompressed without a buffer"))?;
        self.decoder.context.counters.decompressed(whole.len());
        self.source.state.count_decompressed(whole.len() as u64);
        let found = part_of(&whole, &(0..declared), &needed)?;
        Ok((FrameContent::Some(0..declared, whole, None), Some(found)))
    }

    /// Skips a data buffer to which no view of these rows refers. If earlier rows began its frame, decompresses the
    /// rest and drops the bytes. With `ChildSlots::All`, the last step also decompresses a buffer to which no row has
    /// referred, and drops the bytes.
    pub(super) fn skip_buffer(&mut self, requested: &RequestedBuffer) -> PendingResult<()> {
        if self.source.frame_rest == FrameRest::Unneeded {
            return Ok(Some(()));
        }
        let Some(codec) = self.decoder.message.compression() else { return Ok(Some(())) };
        let is_last = self.source.frame_rest == FrameRest::Checked && self.source.slots == ChildSlots::All;
        if self.decoder.message.buffer(requested.buffer.idx)?.n_bytes() == 0
            || !(is_last || self.source.state.is_in_memory(requested.buffer.idx))
        {
            return Ok(Some(()));
        }
        let Some(end) = self.n_bytes(requested)? else { return Ok(None) };
        if !self.source.state.is_unfinished(requested.buffer.idx) {
            self.source.state.forget(requested.buffer.idx);
            return Ok(Some(()));
        }
        let frame_rest = std::mem::replace(&mut self.source.frame_rest, FrameRest::Checked);
        let finished = self.decompressed(codec, requested, end..end);
        self.source.frame_rest = frame_rest;
        let Some(_) = finished? else { return Ok(None) };
        self.source.state.forget(requested.buffer.idx);
        Ok(Some(()))
    }

    /// Continues a frame for the range `needed`. `known` are the first bytes of this range, if they have been
    /// decompressed.
    fn resume(
        &self,
        range: BodyRange,
        frame_decoder: Box<FrameDecoder>,
        known: &[u8],
        needed: Range<u64>,
    ) -> Result<Box<PartialFrame>> {
        let mut decompressed = BufferMut::try_with_capacity_in(0, self.decoder.context.budget())?;
        decompressed.try_extend_from_slice(known)?;
        let n_known = known.len() as u64;
        frame_decoder.begin(&(needed.start.saturating_add(n_known)..needed.end), &mut decompressed)?;
        let n_used = frame_decoder.n_used().saturating_add(PREFIX_BYTES as u64);
        let start = range.start().saturating_add(n_used);
        let n_decompressed_before = frame_decoder.n_decompressed();
        let mut partial =
            PartialFrame { frame_decoder, needed, decompressed, n_decompressed_before, next: start..start };
        if partial.frame_decoder.n_decompressed() < partial.needed.end {
            partial.next.end = start.saturating_add(self.n_likely(&partial)).min(range.end());
        }
        Ok(Box::new(partial))
    }

    /// Decompresses a frame until bytes are missing.
    fn advance(
        &mut self,
        range: BodyRange,
        mut partial: Box<PartialFrame>,
    ) -> Result<(FrameContent, Option<Buffer>)> {
        loop {
            let Some(bytes) = self.source.bytes.take(partial.next.clone()) else {
                return Ok((FrameContent::Started(partial), None));
            };
            let n_decompressed_before = partial.frame_decoder.n_decompressed();
            let progress = partial.frame_decoder.advance(
                &bytes,
                &partial.needed,
                self.source.frame_rest,
                &mut partial.decompressed,
            )?;
            self.source.state.count_decompressed(
                partial.frame_decoder.n_decompressed().saturating_sub(n_decompressed_before),
            );
            let n_used = partial.frame_decoder.n_used().saturating_add(PREFIX_BYTES as u64);
            let start = range.start().saturating_add(n_used);
            self.source.bytes.release(range.start()..start);
            let FrameProgress::Needs(n_needed) = progress else { break };
            let n_next = self.n_likely(&partial).max(n_needed);
            partial.next = start..start.saturating_add(n_next).min(range.end());
        }
        let PartialFrame { mut frame_decoder, needed, decompressed, n_decompressed_before, .. } = *partial;
        if self.source.frame_rest == FrameRest::Needed {
            frame_decoder.leave(&needed, &decompressed);
        }
        let decompressed = decompressed.freeze();
        if decompressed.len() as u64 != length_of(&needed) {
            return Err(IpcError::internal("the decompressed bytes are outside the requested range"));
        }
        let n_decompressed = frame_decoder.n_decompressed().saturating_sub(n_decompressed_before);
        self.decoder.context.counters.decompressed(usize::try_from(n_decompressed).unwrap_or(usize::MAX));
        let frame_decoder = (self.source.frame_rest == FrameRest::Needed).then_some(frame_decoder);
        Ok((FrameContent::Some(needed, decompressed.clone(), frame_decoder), Some(decompressed)))
    }

    /// The first compressed bytes to read. They suffice if all slots compress equally well.
    fn first_piece(&self, range: BodyRange, requested: &RequestedBuffer) -> Range<u64> {
        let (n_wanted, n_slots) = requested.share;
        let n_likely = likely_share(range.n_bytes(), n_wanted, n_slots).saturating_add(LEAST_BYTES);
        let n_bytes = n_likely.min(self.most_at_once(0));
        // If the buffer has at most a third more bytes, it is read to its end, which saves a request.
        let n_bytes = if n_bytes >= range.n_bytes() / 4 * 3 { range.n_bytes() } else { n_bytes };
        range.start()..range.start().saturating_add(n_bytes)
    }

    /// The number of compressed bytes still needed, if the rest of the frame compresses as well as its start.
    fn n_likely(&self, partial: &PartialFrame) -> u64 {
        let PartialFrame { frame_decoder, needed, .. } = partial;
        let end =
            if self.source.frame_rest == FrameRest::Checked { frame_decoder.declared() } else { needed.end };
        let n_left = end.saturating_sub(frame_decoder.n_decompressed());
        let n_likely = match frame_decoder.n_decompressed() {
            0 => 0,
            n_decompressed => likely_share(frame_decoder.n_used(), n_left, n_decompressed),
        };
        n_likely.saturating_add(LEAST_BYTES).min(self.most_at_once(frame_decoder.n_used()))
    }

    /// The maximum number of bytes to read at once: an eighth of the bytes read before, but within `piece_bytes`. If
    /// requests are expensive, `piece_bytes` is large, so that few requests read a buffer.
    fn most_at_once(&self, n_before: u64) -> u64 {
        let least = *self.source.piece_bytes.start();
        let most = *self.source.piece_bytes.end();
        (n_before / 8).min(most).max(least)
    }
}

/// The position of the first byte of `needed` that is not in `window`.
fn first_unknown(window: &Range<u64>, needed: &Range<u64>) -> u64 {
    if window.start <= needed.start && needed.start <= window.end { window.end } else { needed.start }
}

fn part_of(bytes: &Buffer, window: &Range<u64>, needed: &Range<u64>) -> Result<Buffer> {
    let start = needed.start.saturating_sub(window.start);
    Ok(bytes.try_slice(start, length_of(needed))?)
}

/// Computes `n * part / all`, plus a quarter.
fn likely_share(n: u64, part: u64, all: u64) -> u64 {
    let share = share_of(n, part, all);
    share.saturating_add(share / 4)
}
