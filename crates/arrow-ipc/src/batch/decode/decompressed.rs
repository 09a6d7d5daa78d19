//! Decompresses the buffers of a compressed body before arrays are made. First checks all lengths, then makes one
//! allocation for all buffers.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_data::{DataError, DataErrorKind};

use super::{super::account::Account, BatchDecoder, DecodeContext, Decompressed, entries::EntryBuffer};
use crate::{
    body::Body,
    compression::{Opened, decompress_all},
    error::{Context, IpcError, Result},
    protocol::Codec,
};

/// The buffers of a compressed body, decompressed once and read several times.
#[derive(Debug)]
pub(crate) struct BodyBuffers {
    /// Each buffer with its position in the list of buffers, sorted by position.
    buffers: Box<[(usize, Buffer)]>,
    account: Account,
}

impl BodyBuffers {
    /// The decompressed buffer at a position in the list of buffers.
    ///
    /// # Errors
    /// If the buffer was not decompressed, for example because it is empty.
    pub(crate) fn at(&self, buffer_idx: usize) -> Result<Buffer> {
        let found = self.buffers.binary_search_by_key(&buffer_idx, |(idx, _)| *idx).ok();
        let found = found.and_then(|place| self.buffers.get(place));
        let Some((_, buffer)) = found else {
            return Err(IpcError::internal("a buffer is written that was not decompressed"));
        };
        Ok(buffer.clone())
    }
}

impl<'a> BatchDecoder<'a> {
    /// Decompresses the buffers of all columns. Returns `None` if the body is not compressed.
    ///
    /// # Errors
    /// If a buffer cannot be decompressed, or all buffers together need more memory than allowed.
    pub(crate) fn open_body(mut self, body: &Body) -> Result<Option<BodyBuffers>> {
        let Some(codec) = self.message.compression else { return Ok(None) };
        let all = 0..self.columns.n_columns();
        let decompressed = self.decompress(codec, [all], body)?;
        Ok(Some(BodyBuffers { buffers: decompressed.collect(), account: self.account }))
    }

    /// Reads buffers from `opened`, the result of [`open_body`](BatchDecoder::open_body), instead of from the body.
    pub(crate) fn with_buffers(mut self, opened: Option<&BodyBuffers>) -> BatchDecoder<'a> {
        if let Some(opened) = opened {
            self.decompressed = Some(opened.buffers.clone().into_vec().into_iter());
            self.account = opened.account.clone();
        }
        self
    }

    pub(in crate::batch) fn decompress(
        &mut self,
        codec: Codec,
        ranges: impl IntoIterator<Item = Range<usize>>,
        body: &Body,
    ) -> Result<Decompressed> {
        let DecodeContext { kept, options, counters, .. } = self.context;
        let columns = self.columns;
        let (mut buffers, mut frames, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for range in ranges {
            for entry in self.entries(range)? {
                let entry = entry?;
                for buffer in entry.buffers(self.version) {
                    let opened = self.open(codec, &buffer, body);
                    let opened = opened.in_buffer(buffer.idx, Some(buffer.role));
                    match opened.in_field(|| columns.path(entry.position))? {
                        None => {}
                        Some(Opened::Raw(bytes)) => buffers.push((buffer.idx, bytes)),
                        Some(Opened::Frame(frame)) => {
                            places.push((buffers.len(), entry.position, buffer.role));
                            buffers.push((buffer.idx, Buffer::new()));
                            frames.push(frame);
                        }
                    }
                }
            }
        }
        let made = match decompress_all(&frames, kept, options.threads, options.memory_budget.as_ref()) {
            Ok(made) => made,
            Err((frame_idx, error)) => {
                let place = places.get(frame_idx).and_then(|place| Some((place, buffers.get(place.0)?.0)));
                let Some(((_, position, role), idx)) = place else { return Err(error) };
                return Err(error).in_buffer(idx, Some(*role)).in_field(|| columns.path(*position));
            }
        };
        for ((place, ..), bytes) in places.into_iter().zip(made) {
            counters.decompressed(bytes.len());
            if let Some((_, buffer)) = buffers.get_mut(place) {
                *buffer = bytes;
            }
        }
        Ok(buffers.into_iter())
    }

    /// Reads the decompressed length of a buffer and charges it. Returns `None` if the buffer is empty.
    fn open(&mut self, codec: Codec, buffer: &EntryBuffer, body: &Body) -> Result<Option<Opened>> {
        let range = self.message.buffer(buffer.idx)?;
        if range.n_bytes() == 0 {
            return Ok(None);
        }
        self.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let opened = Opened::try_new(codec, body.slice(range)?)?;
        let n_unneeded = buffer.unneeded(opened.n_bytes() as u64)?;
        if matches!(opened, Opened::Frame(_)) {
            self.charge_frame(opened.n_bytes() as u64, n_unneeded)?;
        }
        Ok(Some(opened))
    }

    /// Charges a frame that decompresses to `n_bytes` bytes; no slot needs `n_unneeded` of these bytes.
    pub(in crate::batch) fn charge_frame(&mut self, n_bytes: u64, n_unneeded: u64) -> Result<()> {
        self.account.decompress(n_bytes)?;
        self.account.leave_unneeded(n_unneeded)
    }
}

impl EntryBuffer {
    /// The number of decompressed bytes that no slot needs, if the buffer decompresses to `found` bytes.
    pub(in crate::batch) fn unneeded(&self, found: u64) -> Result<u64> {
        let EntryBuffer { n_slots, needed, .. } = *self;
        // A buffer outside the lists is reported when its array is made.
        if let Some(needed) = needed.filter(|needed| found > 0 && found < *needed) {
            return Err(DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into());
        }
        Ok(needed.map_or(0, |needed| found.saturating_sub(needed)))
    }
}
