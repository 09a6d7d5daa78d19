//! Decompresses the buffers of a compressed body before arrays are made. First checks all lengths, then makes one
//! allocation for all buffers.

use std::ops::Range;

use arrow_data::{DataError, DataErrorKind};

use super::{BatchDecoder, DecodeContext, DecompressedBuffers, entries::EntryBuffer};
use crate::{
    compression::{CompressedBuffer, decompress_within},
    error::{Context, CopyCause, Result},
    frame::Body,
};
use arrow_ipc_format::Codec;

impl<'a> BatchDecoder<'a> {
    pub(in crate::batch) fn decompress(
        &mut self,
        codec: Codec,
        ranges: impl IntoIterator<Item = Range<usize>>,
        body: &Body,
    ) -> Result<DecompressedBuffers> {
        let DecodeContext { pool, options, counters, .. } = self.context;
        let columns = self.columns;
        let mut opened = Vec::new();
        let mut locations = Vec::new();
        for range in ranges {
            for entry in self.entries(range)? {
                let entry = entry?;
                for buffer in entry.buffers(self.extra) {
                    let found = self.open(codec, &buffer, body).in_buffer(buffer.idx, Some(buffer.role));
                    if let Some(found) = found.in_field(|| columns.path(entry.position))? {
                        locations.push((buffer.idx, buffer.role, entry.position));
                        opened.push(found);
                    }
                }
            }
        }
        let made = decompress_within(&opened, pool, options.threads, options.memory_budget.as_ref());
        let made = made.or_else(|(idx, error)| match locations.get(idx) {
            Some((buffer_idx, role, position)) => {
                Err(error).in_buffer(*buffer_idx, Some(*role)).in_field(|| columns.path(*position))
            }
            None => Err(error),
        })?;
        opened
            .iter()
            .filter_map(CompressedBuffer::n_frame_bytes)
            .for_each(|n_bytes| counters.decompressed(n_bytes));
        let buffers: Vec<_> = locations.into_iter().map(|(idx, ..)| idx).zip(made).collect();
        Ok(buffers.into_iter())
    }

    /// Reads the decompressed length of a buffer and charges it. Returns `None` if the buffer is empty.
    fn open(&mut self, codec: Codec, buffer: &EntryBuffer, body: &Body) -> Result<Option<CompressedBuffer>> {
        let range = self.message.buffer(buffer.idx)?;
        if range.n_bytes() == 0 {
            return Ok(None);
        }
        self.account.referenced.spend("bytes of buffers", range.n_bytes())?;
        let opened = CompressedBuffer::try_new(codec, body.slice(range)?)?;
        let n_unneeded = buffer.unneeded(opened.n_bytes() as u64)?;
        if let Some(n_bytes) = opened.n_frame_bytes() {
            self.charge_frame(n_bytes as u64, n_unneeded)?;
        }
        Ok(Some(opened))
    }

    /// Charges a frame that decompresses to `n_bytes` bytes; no slot needs `n_unneeded` of these bytes.
    pub(in crate::batch) fn charge_frame(&mut self, n_bytes: u64, n_unneeded: u64) -> Result<()> {
        self.context.options.allow_copy(CopyCause::Compressed, n_bytes)?;
        self.account.decompress(n_bytes)?;
        self.account.charge_unneeded(n_unneeded)
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
