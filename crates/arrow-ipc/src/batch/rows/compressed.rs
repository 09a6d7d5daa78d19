//! Decompresses the parts of compressed buffers that a window of slots needs. A frame has no index, so it is decompressed
//! from its start to the last wanted byte. Bytes before the first wanted one are dropped at once. The frame is read in
//! pieces, so that little more is read than needed.

use std::ops::Range;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{DataError, DataErrorKind};

use super::{
    RowsDecoder, Waiting,
    bytes::WantedBuffer,
    frames::{BegunFrame, CompressedBuffer, FrameContent},
};
use crate::{
    alignment::{length_of, share_of},
    body::BodyRange,
    compression::{Claim, Forward, FrameProgress, Opened, PREFIX_BYTES, Then, Threads, decompress_all},
    error::{IpcError, Result},
    protocol::Codec,
    recycled::KeptMemory,
};

/// Shorter buffers are decompressed whole: a block of a frame is not much shorter.
const SHORT_BYTES: u64 = 128 << 10;

/// The least number of bytes of a frame that are read at once.
const LEAST_BYTES: u64 = 64 << 10;

impl RowsDecoder<'_, '_> {
    /// The decompressed length of a buffer, which is stored at its start.
    pub(super) fn n_bytes_decompressed(&mut self, codec: Codec, place: &WantedBuffer) -> Waiting<u64> {
        if let Some(found) = self.source.state.found.get(&place.buffer_idx) {
            return Ok(Some(found.n_bytes()));
        }
        let range = self.decoder.lists.buffer(place.buffer_idx)?;
        let first = self.first_piece(range, place);
        let Some(bytes) = self.source.bytes.take(first) else { return Ok(None) };
        self.decoder.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let claim = Claim::try_new(&bytes, range.n_bytes())?;
        let mut buffer = CompressedBuffer::new(claim);
        let (n_slots, found) = (place.n_slots, buffer.n_bytes());
        if let Claim::Frame { claimed } = claim {
            Forward::check_claim(codec, range.n_bytes().saturating_sub(PREFIX_BYTES as u64), claimed)?;
        }
        if let Some(needed) = place.needed.filter(|needed| found > 0 && found < *needed) {
            return Err(DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into());
        }
        buffer.n_unneeded = place.needed.map_or(0, |needed| found.saturating_sub(needed));
        if let Some((n_bytes, n_unneeded)) = buffer.charges() {
            self.decoder.account.decompress(n_bytes)?;
            self.decoder.account.leave_unneeded(n_unneeded)?;
        }
        self.source.state.found.insert(place.buffer_idx, buffer);
        Ok(Some(found))
    }

    /// Whether a frame was begun for earlier windows, and this window is the last.
    pub(super) fn is_to_finish(&self, place: &WantedBuffer) -> bool {
        let found = self.source.state.found.get(&place.buffer_idx).map(|buffer| &buffer.content);
        self.source.then == Then::Finish
            && matches!(found, Some(FrameContent::Some(_, _, Some(_)) | FrameContent::Begun(_)))
    }

    /// Bytes of the content of a buffer, which must lie inside it.
    pub(super) fn decompressed(
        &mut self,
        codec: Codec,
        place: &WantedBuffer,
        wanted: Range<u64>,
    ) -> Waiting<Buffer> {
        let range = self.decoder.lists.buffer(place.buffer_idx)?;
        let Some(mut buffer) = self.source.state.found.remove(&place.buffer_idx) else {
            return Err(IpcError::internal(
                "bytes are taken of a compressed buffer whose length is not known",
            ));
        };
        let (claim, content) = (buffer.claim, std::mem::replace(&mut buffer.content, FrameContent::Nothing));
        (buffer.given_end, buffer.is_shared) = (wanted.end, buffer.is_shared || self.is_shared);
        let (content, found) = match claim {
            Claim::Raw { .. } => (FrameContent::Nothing, self.raw(range, wanted)),
            Claim::Frame { claimed } => self.content(codec, range, place, content, claimed, wanted)?,
        };
        self.source.state.found.insert(place.buffer_idx, CompressedBuffer { content, ..buffer });
        Ok(found)
    }

    /// Bytes of a buffer that its writer left uncompressed.
    fn raw(&mut self, range: BodyRange, wanted: Range<u64>) -> Option<Buffer> {
        // No overflow: they lie inside of the buffer, and that inside of the body.
        let start = range.start() + PREFIX_BYTES as u64;
        self.source.bytes.take(start + wanted.start..start + wanted.end)
    }

    /// Decompresses as far as bytes are there. Returns the wanted bytes if they are complete.
    fn content(
        &mut self,
        codec: Codec,
        range: BodyRange,
        place: &WantedBuffer,
        content: FrameContent,
        claimed: u64,
        wanted: Range<u64>,
    ) -> Result<(FrameContent, Option<Buffer>)> {
        let is_to_finish =
            |forward: &Option<Box<Forward>>| self.source.then == Then::Finish && forward.is_some();
        let begun = match content.for_other(&wanted) {
            FrameContent::Whole(bytes) => {
                let found = part_of(&bytes, &(0..claimed), &wanted)?;
                return Ok((FrameContent::Whole(bytes), Some(found)));
            }
            FrameContent::Some(window, bytes, forward)
                if window.start <= wanted.start && wanted.end <= window.end && !is_to_finish(&forward) =>
            {
                let found = part_of(&bytes, &window, &wanted)?;
                return Ok((FrameContent::Some(window, bytes, forward), Some(found)));
            }
            FrameContent::Begun(begun) => Some(begun),
            _ if claimed <= SHORT_BYTES || wanted == (0..claimed) => None,
            FrameContent::Some(window, bytes, Some(forward))
                if window.start <= wanted.start
                    && wanted.start <= window.end
                    && forward.reaches(&(window.end..window.end)) =>
            {
                let known = part_of(&bytes, &window, &(wanted.start..wanted.end.min(window.end)))?;
                Some(Box::new(self.go_on(range, forward, &known, wanted.clone())?))
            }
            FrameContent::Some(_, _, Some(forward)) if forward.reaches(&wanted) => {
                Some(Box::new(self.go_on(range, forward, &[], wanted.clone())?))
            }
            FrameContent::Nothing | FrameContent::Some(..) => {
                let first = self.first_piece(range, place);
                let Some(bytes) = self.source.bytes.take(first.clone()) else {
                    return Ok((FrameContent::Nothing, None));
                };
                let start = bytes.get(PREFIX_BYTES..).unwrap_or_default();
                let n_frame_bytes = range.n_bytes().saturating_sub(PREFIX_BYTES as u64);
                let mut forward = Forward::try_new(codec, start, n_frame_bytes, claimed)?;
                if let (Some(forward), Some(budget)) = (&mut forward, self.context.budget) {
                    forward.charge_to(budget)?;
                }
                let made = BufferMut::try_with_capacity_in(0, self.context.budget)?;
                forward.map(|forward| {
                    let start =
                        first.start.saturating_add(PREFIX_BYTES as u64).saturating_add(forward.n_used());
                    let forward = Box::new(forward);
                    let (wanted, next) = (wanted.clone(), start..first.end);
                    Box::new(BegunFrame { forward, wanted, made, n_made_before: 0, next })
                })
            }
        };
        match begun {
            Some(begun) => self.advance(range, begun),
            None => {
                let Some(whole) = self.whole(codec, range)? else { return Ok((FrameContent::Nothing, None)) };
                let found = part_of(&whole, &(0..claimed), &wanted)?;
                Ok((FrameContent::Whole(whole), Some(found)))
            }
        }
    }

    /// Decompresses a whole buffer. Other buffers share this memory and stay in use, so it is not reused.
    fn whole(&mut self, codec: Codec, range: BodyRange) -> Waiting<Buffer> {
        let Some(bytes) = self.source.bytes.take(range.start()..range.end()) else { return Ok(None) };
        let Opened::Frame(frame) = Opened::try_new(codec, bytes)? else {
            return Err(IpcError::internal("a frame is decompressed that is none"));
        };
        let decompressed =
            decompress_all(&[frame], &KeptMemory::default(), Threads::One, self.context.budget);
        let whole = decompressed.map_err(|(_, error)| error)?.into_iter().next();
        let whole = whole.ok_or_else(|| IpcError::internal("a frame was decompressed to no buffer"))?;
        self.context.counters.decompressed(whole.len());
        self.source.state.count_made(whole.len() as u64);
        Ok(Some(whole))
    }

    /// Continues a frame of which other bytes were wanted before. The first wanted bytes may be known already.
    fn go_on(
        &self,
        range: BodyRange,
        forward: Box<Forward>,
        known: &[u8],
        wanted: Range<u64>,
    ) -> Result<BegunFrame> {
        let mut made = BufferMut::try_with_capacity_in(0, self.context.budget)?;
        made.try_extend_from_slice(known)?;
        let n_known = known.len() as u64;
        forward.begin(&(wanted.start.saturating_add(n_known)..wanted.end), &mut made)?;
        let n_used = forward.n_used().saturating_add(PREFIX_BYTES as u64);
        let start = range.start().saturating_add(n_used);
        let n_made_before = forward.n_made();
        let mut begun = BegunFrame { forward, wanted, made, n_made_before, next: start..start };
        if begun.forward.n_made() < begun.wanted.end {
            begun.next.end = start.saturating_add(self.n_likely(&begun)).min(range.end());
        }
        Ok(begun)
    }

    /// Continues a frame as far as its bytes are there.
    fn advance(
        &mut self,
        range: BodyRange,
        mut begun: Box<BegunFrame>,
    ) -> Result<(FrameContent, Option<Buffer>)> {
        loop {
            let Some(bytes) = self.source.bytes.take(begun.next.clone()) else {
                return Ok((FrameContent::Begun(begun), None));
            };
            let n_made_before = begun.forward.n_made();
            let progress = begun.forward.advance(&bytes, &begun.wanted, self.source.then, &mut begun.made)?;
            self.source.state.count_made(begun.forward.n_made().saturating_sub(n_made_before));
            let n_used = begun.forward.n_used().saturating_add(PREFIX_BYTES as u64);
            let start = range.start().saturating_add(n_used);
            self.source.bytes.release(range.start()..start);
            let FrameProgress::Needs(n_needed) = progress else { break };
            let n_next = self.n_likely(&begun).max(n_needed);
            begun.next = start..start.saturating_add(n_next).min(range.end());
        }
        let BegunFrame { mut forward, wanted, made, n_made_before, .. } = *begun;
        if self.source.then == Then::GoOn {
            forward.leave(&wanted, &made);
        }
        let made = made.freeze();
        if made.len() as u64 != length_of(&wanted) {
            return Err(IpcError::internal("other bytes were decompressed than are wanted"));
        }
        let n_made = forward.n_made().saturating_sub(n_made_before);
        self.context.counters.decompressed(usize::try_from(n_made).unwrap_or(usize::MAX));
        let forward = Some(forward).filter(|_| self.source.then == Then::GoOn);
        Ok((FrameContent::Some(wanted, made.clone(), forward), Some(made)))
    }

    /// The first bytes of a buffer, which have the wanted slots if all slots compress alike.
    fn first_piece(&self, range: BodyRange, place: &WantedBuffer) -> Range<u64> {
        let (n_wanted, n_slots) = place.share;
        let n_likely = likely_share(range.n_bytes(), n_wanted, n_slots).saturating_add(LEAST_BYTES);
        let n_bytes = n_likely.min(self.most_at_once(0));
        // A little more is not worth a request.
        let n_bytes = if n_bytes >= range.n_bytes() / 4 * 3 { range.n_bytes() } else { n_bytes };
        range.start()..range.start().saturating_add(n_bytes)
    }

    /// How many more bytes of a frame are needed, if the rest compresses as the start did.
    fn n_likely(&self, begun: &BegunFrame) -> u64 {
        let BegunFrame { forward, wanted, .. } = begun;
        let end = if self.source.then == Then::Finish { forward.claimed() } else { wanted.end };
        let n_left = end.saturating_sub(forward.n_made());
        let n_likely = match forward.n_made() {
            0 => 0,
            n_made => likely_share(forward.n_used(), n_left, n_made),
        };
        n_likely.saturating_add(LEAST_BYTES).min(self.most_at_once(forward.n_used()))
    }

    /// How many bytes are read at once: those that cost far more than the request, and up to an eighth of what came
    /// before, so that there are few pieces unless requests cost little.
    fn most_at_once(&self, n_before: u64) -> u64 {
        let (least, most) = (*self.source.piece_bytes.start(), *self.source.piece_bytes.end());
        (n_before / 8).min(most).max(least)
    }
}

/// Bytes of a window.
fn part_of(bytes: &Buffer, window: &Range<u64>, wanted: &Range<u64>) -> Result<Buffer> {
    let start = wanted.start.saturating_sub(window.start);
    Ok(bytes.try_slice(start, length_of(wanted))?)
}

/// As much of a number as `part` is of `all`, plus a quarter.
fn likely_share(n: u64, part: u64, all: u64) -> u64 {
    let share = share_of(n, part, all);
    share.saturating_add(share / 4)
}
