//! A batch whose bytes have been fetched. It can be decompressed, decoded, and written as another message.

use std::sync::Arc;

use arrow_buffer::Buffer;

use super::batch::ReadBatch;
use crate::{
    batch::{BatchWithMetadata, BodyBuffers},
    error::Result,
    frame::Body,
};
use arrow_ipc_format::BatchView;

/// A batch that has been fetched, but not decoded: see [`BatchPrefetcher`](crate::file::BatchPrefetcher). Any thread can decode it.
#[derive(Debug)]
pub struct FetchedBatch {
    pub(super) batch: ReadBatch,
    pub(super) fetched: Result<(Arc<BatchView>, Body)>,
}

impl FetchedBatch {
    /// The index of the batch in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    /// Decompresses, decodes and checks the batch.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported or over a limit.
    pub fn decode(self) -> Result<BatchWithMetadata> {
        let FetchedBatch { batch, fetched } = self;
        let decode = || {
            let (message, body) = fetched?;
            batch.decode(&message, &body, None)
        };
        batch.located(decode())
    }
}

/// A batch of a file whose bytes have been fetched and decompressed by [`FetchedBatch::decompress`].
///
/// [`decode`](DecompressedBatch::decode) checks the values.
/// `Transcoder::transcode_decompressed` of `arrow-ipc-rewrite` writes the same bytes as another
/// message. If you do both, nothing is read or decompressed twice, and the written bytes are the checked bytes.
#[derive(Debug)]
pub struct DecompressedBatch {
    batch: ReadBatch,
    message: Arc<BatchView>,
    /// Empty after the buffers were decompressed.
    body: Body,
    /// The decompressed buffers, if the body was compressed.
    buffers: Option<BodyBuffers>,
}

impl FetchedBatch {
    /// Decompresses the buffers without decoding them. Uses several threads if the buffers are large and the options
    /// allow threads.
    ///
    /// A batch of a [projected](crate::FileReader::project) file cannot be decompressed, since some of its bytes are missing.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported or over a limit. If the reader has not selected all columns.
    pub fn decompress(self) -> Result<DecompressedBatch> {
        let FetchedBatch { batch, fetched } = self;
        let open = || {
            let (message, body) = fetched?;
            let buffers = batch.open(&message, &body)?;
            let body = if buffers.is_some() { Body::Parts(Vec::new()) } else { body };
            Ok((message, body, buffers))
        };
        let (message, body, buffers) = batch.located(open())?;
        Ok(DecompressedBatch { batch, message, body, buffers })
    }
}

impl DecompressedBatch {
    /// The index of the batch in the footer.
    pub fn batch_idx(&self) -> usize {
        self.batch.batch_idx
    }

    /// Decodes the batch, and checks it according to the [`ReadOptions`](crate::ReadOptions) of the file. The arrays
    /// share the memory of this value.
    ///
    /// # Errors
    /// If the batch is malformed, unsupported or over a limit.
    pub fn decode(&self) -> Result<BatchWithMetadata> {
        self.locate(self.batch.decode(&self.message, &self.body, self.buffers.as_ref()))
    }

    /// The header of the batch: its nodes, its buffers, and its custom metadata.
    pub fn header(&self) -> &BatchView {
        &self.message
    }

    /// The bytes of the buffer with this index in the header, after decompression.
    ///
    /// # Errors
    /// If there is no such buffer, or it is outside the body.
    pub fn buffer(&self, buffer_idx: usize) -> Result<Buffer> {
        let range = self.message.buffer(buffer_idx)?;
        match &self.buffers {
            None => self.body.slice(range),
            Some(buffers) => buffers.at(buffer_idx),
        }
    }

    /// Adds the location of the batch to an error.
    ///
    /// # Errors
    /// The error of `result`.
    pub fn locate<T>(&self, result: Result<T>) -> Result<T> {
        self.batch.located(result)
    }
}
