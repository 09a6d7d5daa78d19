//! Returns the bytes of an answer as they arrive.

use std::{fmt, io, ops::Range};

use arrow_buffer::{Buffer, BufferMut};
use bytes::Bytes;
use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::{
    object_store::{self, GetResult, GetResultPayload, path::Path},
    version::cause,
};
use crate::error::{ObjectError, ObjectErrorKind};

/// Returns the bytes of an object in chunks, as they arrive. Use it for data that you read from start to end, such as
/// streams.
///
/// Fails if the object has fewer or more bytes than the store announced.
pub struct Chunks {
    path: Path,
    range: Range<u64>,
    n_found: u64,
    chunks: BoxStream<'static, object_store::Result<Bytes>>,
}

/// The maximum memory that is allocated before the bytes of an answer arrive.
const MAX_FIRST_BYTES: u64 = 16 << 20;

/// The alignment that readers need. If bytes have the same alignment in memory as in the object, readers need not copy
/// them.
const ALIGNMENT: u64 = 8;

impl Chunks {
    pub(super) fn new(path: Path, result: GetResult) -> Chunks {
        let range = result.range.clone();
        Chunks { path, range, n_found: 0, chunks: result.into_stream() }
    }

    /// The next bytes; `None` at the end of the object. A chunk may have any length.
    ///
    /// # Errors
    /// If the store fails, or the number of bytes differs from the announced number. The error contains an
    /// [`ObjectError`].
    pub async fn next_chunk(&mut self) -> io::Result<Option<Buffer>> {
        Ok(self.next_bytes().await?.map(Buffer::from_owner))
    }

    async fn next_bytes(&mut self) -> Result<Option<Bytes>, ObjectError> {
        let expected = self.range.end.saturating_sub(self.range.start);
        match self.chunks.next().await {
            Some(Err(error)) => Err(self.error(cause(error))),
            Some(Ok(bytes)) => {
                self.n_found = self.n_found.saturating_add(bytes.len() as u64);
                match self.n_found {
                    found if found > expected => Err(self.error(ObjectErrorKind::Length { expected, found })),
                    _ => Ok(Some(bytes)),
                }
            }
            None if self.n_found < expected => {
                Err(self.error(ObjectErrorKind::Length { expected, found: self.n_found }))
            }
            None => Ok(None),
        }
    }

    /// Returns all bytes of an answer. Copies them if they arrive in several chunks, or with another alignment in memory
    /// than in the object.
    pub(super) async fn gather(path: Path, result: GetResult) -> Result<Buffer, ObjectError> {
        // As a stream, a local file would be read 8 KiB at a time.
        let is_file = !matches!(result.payload, GetResultPayload::Stream(_));
        let mut chunks = if is_file {
            let range = result.range.clone();
            let bytes = result.bytes().await;
            Chunks { path, range, n_found: 0, chunks: stream::once(async move { bytes }).boxed() }
        } else {
            Chunks::new(path, result)
        };
        let Some(first) = chunks.next_bytes().await? else { return Ok(Buffer::new()) };
        let second = chunks.next_bytes().await?;
        let is_aligned = first.as_ptr().addr() as u64 % ALIGNMENT == chunks.range.start % ALIGNMENT;
        if second.is_none() && is_aligned {
            return Ok(Buffer::from_owner(first));
        }
        let n_bytes = chunks.range.end.saturating_sub(chunks.range.start).min(MAX_FIRST_BYTES);
        let mut gathered = BufferMut::with_capacity(usize::try_from(n_bytes).unwrap_or_default());
        gathered.extend_from_slice(&first);
        let mut next = second;
        while let Some(bytes) = next {
            gathered.extend_from_slice(&bytes);
            next = chunks.next_bytes().await?;
        }
        Ok(gathered.freeze())
    }

    fn error(&self, kind: ObjectErrorKind) -> ObjectError {
        ObjectError::new(&self.path, Some(self.range.clone()), kind)
    }
}

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").field("path", &self.path).field("range", &self.range).finish_non_exhaustive()
    }
}
