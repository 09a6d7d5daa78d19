//! Bodies that are too large for memory: the caller takes their bytes, or skips them in the source.

use std::io::{self, Read};

use arrow_buffer::{Buffer, BufferMut};

use super::{StreamReader, read_some};
use crate::{batch::BatchWithMetadata, error::Result, stream::LargeBatch};

impl<R: Read> StreamReader<R> {
    /// Makes [`next_step`](StreamReader::next_step) return a [`LargeBatch`](crate::Step::LargeBatch) if a body has more
    /// than `n_body_bytes` bytes, before the body is read. Then copy the body to a file with
    /// [`next_body_bytes`](StreamReader::next_body_bytes), or skip it with [`skip_body`](StreamReader::skip_body) if
    /// the source is readable by position. [`LargeBatch::try_into_reader`] then reads the batch from that file or source. The next
    /// step skips the other bytes of the body. [`next_batch`](StreamReader::next_batch) still reads such batches into
    /// memory.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_buffer::Buffer;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{Step, StreamReader, StreamWriter};
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
    /// # let stream = StreamWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch))?;
    /// let mut reader = StreamReader::try_new(std::io::Cursor::new(&*stream))?.with_large_batches_over(4096);
    /// if let Step::LargeBatch(batch) = reader.next_step()? {
    ///     // Where the body is in the stream, which here can be read by position.
    ///     let body = batch.body_position()..batch.body_position() + batch.n_body_bytes();
    ///     reader.skip_body(|source, n_bytes| {
    ///         source.set_position(source.position() + n_bytes);
    ///         Ok(n_bytes)
    ///     })?;
    ///     let batch = batch.try_into_reader(stream.slice(body.start as usize..body.end as usize))?;
    ///     assert_eq!(batch.batch_rows(0, 990..1000)?.n_rows(), 10);
    /// }
    /// assert!(matches!(reader.next_step()?, Step::End));
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    #[must_use]
    pub fn with_large_batches_over(self, n_body_bytes: u64) -> StreamReader<R> {
        StreamReader { decoder: self.decoder.with_large_batches_over(n_body_bytes), ..self }
    }

    /// Reads the body of a large batch into memory, and decodes the batch.
    pub(super) fn whole(&mut self, batch: LargeBatch) -> Result<BatchWithMetadata> {
        let budget = self.decoder.options().memory_budget.clone();
        let mut body = BufferMut::try_with_capacity_in(0, budget.as_ref())?;
        while let Some(bytes) = self.next_body_bytes()? {
            body.try_reserve(bytes.len())?;
            body.extend_from_slice(&bytes);
        }
        batch.read(body.freeze())
    }

    /// The next bytes of the body of the last [`LargeBatch`](crate::Step::LargeBatch); `None` after its last byte.
    ///
    /// # Errors
    /// If the source fails or ends inside the body. After an error the reader is exhausted.
    pub fn next_body_bytes(&mut self) -> Result<Option<Buffer>> {
        while self.decoder.n_remaining_body_bytes() > 0 {
            if let Some(bytes) = self.decoder.read_body_bytes() {
                return Ok(Some(bytes));
            }
            match read_some(&mut self.source, self.decoder.spare()) {
                Ok(0) => return self.end_in_body().map(|()| None),
                Ok(n_bytes) => self.decoder.filled(n_bytes),
                Err(error) => {
                    self.is_done = true;
                    return Err(error.into());
                }
            }
        }
        Ok(None)
    }

    /// Skips the body of the last [`LargeBatch`](crate::Step::LargeBatch) without reading it. The argument of `skip` is
    /// the number of bytes left in the body. `skip` must move the source forward by this number, or to its end, and
    /// return the number of skipped bytes.
    ///
    /// # Errors
    /// If `skip` fails, or skips fewer bytes than the body has. After an error the reader is exhausted.
    pub fn skip_body(&mut self, skip: impl FnOnce(&mut R, u64) -> io::Result<u64>) -> Result<()> {
        while self.decoder.read_body_bytes().is_some() {}
        let n_left = self.decoder.n_remaining_body_bytes();
        if n_left == 0 {
            return Ok(());
        }
        match skip(&mut self.source, n_left) {
            Ok(n_skipped) => self.decoder.skip_body_bytes(n_skipped),
            Err(error) => {
                self.is_done = true;
                return Err(error.into());
            }
        }
        if self.decoder.n_remaining_body_bytes() > 0 { self.end_in_body() } else { Ok(()) }
    }

    /// Returns the error for a truncated body.
    fn end_in_body(&mut self) -> Result<()> {
        self.is_done = true;
        self.decoder.finish_input();
        self.decoder.step().map(drop)
    }
}
