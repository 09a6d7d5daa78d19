//! The batches of a file as streams.

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
};

use arrow_data::RecordBatch;
use arrow_ipc::{Result, file::ReadAhead};
use futures_core::{FusedStream, Stream};

use super::{ahead::AsyncAhead, reader::AsyncFileReader};
use crate::source::AsyncSource;

/// The batches of a file, in the order of the footer; see [`AsyncFileReader::batches`]. Shares the file with its reader.
///
/// While the program uses a batch, the next batches are fetched. The
/// [`fetch_cost`](arrow_ipc::ReadOptions::with_fetch_cost) limits the number of simultaneous requests. No request is
/// begun while requests and waiting batches together reach
/// [`read_ahead_bytes`](arrow_ipc::ReadOptions::with_read_ahead_bytes), except for the next batch. Batches are only
/// decoded when they are returned, so compressed batches stay compressed while they wait. Ranges of neighbouring
/// batches are requested together if that is cheaper.
///
/// Dictionaries that the selected columns need are read before the first batch. Dropping the stream cancels all
/// requests.
///
/// After an error, the stream continues with the next batch, like `FileReader::batches`. If a request fails, or the
/// memory budget is too small for several batches at the same time, the batch is read again without reading ahead. The
/// stream only returns an error if this second attempt fails, too.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::{FileWriter, WriteOptions};
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let mut writer = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// # writer.write(&batch)?;
/// # let source = arrow_buffer::Buffer::from(writer.finish()?);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc::{FetchCost, ReadOptions};
/// use arrow_ipc_async::AsyncFileReader;
///
/// let cost = FetchCost::OBJECT_STORE.with_requests_in_flight(4);
/// let options = ReadOptions::new().with_fetch_cost(cost).with_read_ahead_bytes(16 << 20);
/// let mut batches = AsyncFileReader::open_with_options(source, options).await?.batches();
/// let mut n_batches = 0;
/// while let Some(batch) = batches.next_batch().await {
///     assert_eq!(batch?.schema().to_string(), "id: int64");
///     n_batches += 1;
/// }
/// assert_eq!(n_batches, 1);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AsyncBatches<S> {
    ahead: AsyncAhead<S>,
}

impl<S: AsyncSource + 'static> AsyncFileReader<S> {
    /// Reads all batches, in the order of the footer. While the program uses a batch, the next batches are fetched, up
    /// to [`read_ahead_bytes`](arrow_ipc::ReadOptions::with_read_ahead_bytes).
    pub fn batches(&self) -> AsyncBatches<S> {
        AsyncBatches { ahead: AsyncAhead::new(self.clone()) }
    }
}

impl<S: AsyncSource + 'static> AsyncBatches<S> {
    /// The next batch; `None` at the end. If the future is dropped, no batch is lost: the next call continues.
    pub fn next_batch(&mut self) -> impl Future<Output = Option<Result<RecordBatch>>> + Send + '_ {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context))
    }

    /// Changes the order: returns the batches in the order in which they become complete, each with its position in the file.
    pub fn unordered(self) -> UnorderedBatches<S> {
        UnorderedBatches { ahead: self.ahead }
    }
}

/// The batches of a file in the order in which they become complete, each with its position in the file; see
/// [`AsyncBatches::unordered`].
pub struct UnorderedBatches<S> {
    ahead: AsyncAhead<S>,
}

impl<S: AsyncSource + 'static> UnorderedBatches<S> {
    /// The next batch and its position in the file; `None` at the end. If the future is dropped, no batch is lost: the
    /// next call continues.
    pub fn next_batch(&mut self) -> impl Future<Output = Option<(usize, Result<RecordBatch>)>> + Send + '_ {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context))
    }
}

impl<S: AsyncSource + 'static> Stream for AsyncBatches<S> {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        let next = ready!(self.ahead.poll_next(context, ReadAhead::take_next));
        Poll::Ready(next.map(|(_, read)| Ok(read?.batch)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.ahead.n_left(), Some(self.ahead.n_left()))
    }
}

impl<S: AsyncSource + 'static> Stream for UnorderedBatches<S> {
    type Item = (usize, Result<RecordBatch>);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.ahead.poll_next(context, ReadAhead::take_any));
        Poll::Ready(next.map(|(batch_idx, read)| (batch_idx, read.map(|read| read.batch))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.ahead.n_left(), Some(self.ahead.n_left()))
    }
}

impl<S: AsyncSource + 'static> FusedStream for AsyncBatches<S> {
    fn is_terminated(&self) -> bool {
        self.ahead.n_left() == 0
    }
}

impl<S: AsyncSource + 'static> FusedStream for UnorderedBatches<S> {
    fn is_terminated(&self) -> bool {
        self.ahead.n_left() == 0
    }
}

impl<S: AsyncSource + 'static> fmt::Debug for AsyncBatches<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncBatches").field("n_left", &self.ahead.n_left()).finish_non_exhaustive()
    }
}

impl<S: AsyncSource + 'static> fmt::Debug for UnorderedBatches<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnorderedBatches").field("n_left", &self.ahead.n_left()).finish_non_exhaustive()
    }
}
