//! Decompresses the buffers of a compressed body before arrays are made. First finds the buffers of each column in the
//! lists of the header, and checks all lengths. Then makes one allocation for all buffers.

use std::ops::Range;

#[cfg(feature = "file")]
use arrow_buffer::Buffer;
use arrow_data::{BufferSpec, Count, DataError, DataErrorKind, Role};

use super::{BatchDecoder, DecodeContext, DecompressedBuffers};
#[cfg(feature = "file")]
use crate::{batch::Account, error::IpcError};
use crate::{
    compression::{CompressedBuffer, decompress_within},
    error::{Context, CopyCause, Result},
    frame::Body,
};
use arrow_ipc_format::{
    Codec, FieldNode,
    columns::{Column, ExtraValidity},
};

impl<'a> BatchDecoder<'a> {
    /// Decompresses the buffers of all columns. Returns `None` if the body is not compressed.
    ///
    /// # Errors
    /// If a buffer cannot be decompressed, or all buffers together need more memory than allowed.
    #[cfg(feature = "file")]
    pub(crate) fn open_body(mut self, body: &Body) -> Result<Option<BodyBuffers>> {
        let Some(codec) = self.message.compression() else { return Ok(None) };
        let all = 0..self.columns.n_columns();
        let decompressed = self.decompress(codec, [all], body)?;
        Ok(Some(BodyBuffers { buffers: decompressed.collect(), account: self.account }))
    }

    /// Reads buffers from `opened`, the result of [`open_body`](BatchDecoder::open_body), instead of from the body.
    #[cfg(feature = "file")]
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
        let decompressed = decompress_within(&opened, pool, options.threads, options.memory_budget.as_ref());
        let decompressed = decompressed.or_else(|(idx, error)| match locations.get(idx) {
            Some((buffer_idx, role, position)) => {
                Err(error).in_buffer(*buffer_idx, Some(*role)).in_field(|| columns.path(*position))
            }
            None => Err(error),
        })?;
        opened
            .iter()
            .filter_map(CompressedBuffer::n_frame_bytes)
            .for_each(|n_bytes| counters.decompressed(n_bytes));
        let buffers: Vec<_> = locations.into_iter().map(|(idx, ..)| idx).zip(decompressed).collect();
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

    /// The nodes and buffers of consecutive columns. `range` has the positions of the columns.
    pub(in crate::batch) fn entries(
        &self,
        range: Range<usize>,
    ) -> Result<impl Iterator<Item = Result<ColumnEntries<'a>>> + use<'a>> {
        let columns = self.columns;
        let message = self.message;
        let extra = self.extra;
        let mut cursor = self.position_in_lists(range.start)?;
        Ok(range.map(move |position| {
            let column = columns.at(position);
            let first_buffer = cursor.buffer;
            let node = message.node(cursor.node).in_field(|| columns.path(position))?;
            cursor.node += 1;
            let mut n_variadic = 0;
            if column.layout.is_variadic() {
                n_variadic = message.variadic_count(cursor.variadic)?;
                cursor.variadic += 1;
            }
            let n_fixed_buffers = column.n_fixed_buffers(extra);
            cursor.buffer = cursor.buffer.saturating_add(n_fixed_buffers).saturating_add(n_variadic);
            Ok(ColumnEntries { position, column, node, first_buffer, n_variadic })
        }))
    }
}

/// The buffers of a compressed body, decompressed once and read several times.
#[cfg(feature = "file")]
#[derive(Debug)]
pub(crate) struct BodyBuffers {
    /// Each buffer with its position in the list of buffers, sorted by position.
    buffers: Box<[(usize, Buffer)]>,
    account: Account,
}

#[cfg(feature = "file")]
impl BodyBuffers {
    /// The decompressed buffer at a position in the list of buffers.
    ///
    /// # Errors
    /// If the buffer was not decompressed, for example because it is empty.
    pub(crate) fn at(&self, buffer_idx: usize) -> Result<Buffer> {
        let found = self.buffers.binary_search_by_key(&buffer_idx, |(idx, _)| *idx).ok();
        let found = found.and_then(|idx| self.buffers.get(idx));
        let Some((_, buffer)) = found else {
            return Err(IpcError::internal("a compressed buffer was written as values"));
        };
        Ok(buffer.clone())
    }
}

/// One column's entries in the header of a batch: its field node and its range in the list of buffers.
pub(in crate::batch) struct ColumnEntries<'a> {
    pub(in crate::batch) position: usize,
    pub(in crate::batch) column: &'a Column,
    pub(in crate::batch) node: FieldNode,
    /// The position of the column's first buffer in the list of buffers.
    first_buffer: usize,
    n_variadic: usize,
}

impl ColumnEntries<'_> {
    /// The column's buffers, in the order of the list of buffers.
    pub(in crate::batch) fn buffers(&self, extra: ExtraValidity) -> impl Iterator<Item = EntryBuffer> {
        let n_slots = self.node.n_slots();
        let buffers = self.column.buffers(extra, self.n_variadic);
        (self.first_buffer..).zip(buffers).map(move |(idx, (role, spec))| match spec {
            Some(spec) => EntryBuffer::new(idx, spec, n_slots),
            None => EntryBuffer { idx, role, n_slots, needed: None },
        })
    }
}

/// A buffer of a column, and the number of its bytes that the column's slots need.
#[derive(Debug, Clone, Copy)]
pub(in crate::batch) struct EntryBuffer {
    /// The position in the list of buffers.
    pub(in crate::batch) idx: usize,
    pub(in crate::batch) role: Role,
    pub(in crate::batch) n_slots: u64,
    /// The number of bytes that the slots need; `None` if the number depends on offsets or views.
    pub(in crate::batch) needed: Option<u64>,
}

impl EntryBuffer {
    pub(in crate::batch) fn new(idx: usize, spec: &BufferSpec, n_slots: u64) -> EntryBuffer {
        let needed = match spec.count {
            Count::PerSlot | Count::PerSlotPlusOne => spec.min_bytes(n_slots),
            Count::FromData => None,
        };
        EntryBuffer { idx, role: spec.role, n_slots, needed }
    }

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
