//! Decodes the columns of a message in several steps, for files: the buffers are decompressed once and read several times,
//! or only the ranges of some columns are needed.

use arrow_buffer::Buffer;

use super::{super::account::Account, BatchDecoder};
use crate::{
    batch::ProjectedSchema,
    error::{IpcError, Result},
    frame::Body,
};
use arrow_ipc_format::BodyRange;

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
        let found = found.and_then(|idx| self.buffers.get(idx));
        let Some((_, buffer)) = found else {
            return Err(IpcError::internal("a compressed buffer was written as values"));
        };
        Ok(buffer.clone())
    }
}

impl<'a> BatchDecoder<'a> {
    /// Continues with `account`, which already has the charges for other columns of this batch.
    pub(crate) fn charged(mut self, account: Option<&Account>) -> Self {
        self.account = account.cloned().unwrap_or(self.account);
        self
    }

    pub(crate) fn into_account(self) -> Account {
        self.account
    }

    pub(crate) fn needed_ranges(&self, selection: &ProjectedSchema) -> Result<Vec<BodyRange>> {
        let mut ranges = Vec::new();
        for columns in selection.ranges(self.columns) {
            let start = self.position_in_lists(columns.start)?.buffer;
            let end = self.counted(columns.end, self.columns.entry_origin(columns.start))?.buffer;
            for buffer_idx in start..end {
                ranges.push(self.message.buffer(buffer_idx)?);
            }
        }
        Ok(ranges)
    }

    /// Decompresses the buffers of all columns. Returns `None` if the body is not compressed.
    ///
    /// # Errors
    /// If a buffer cannot be decompressed, or all buffers together need more memory than allowed.
    pub(crate) fn open_body(mut self, body: &Body) -> Result<Option<BodyBuffers>> {
        let Some(codec) = self.message.compression() else { return Ok(None) };
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
}
