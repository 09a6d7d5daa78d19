//! Streams of the batches of a file.

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
};

use arrow_data::RecordBatch;
use arrow_ipc::{Result, file::BatchPrefetcher};
use futures_core::{FusedStream, Stream};

use super::{prefetch::AsyncPrefetcher, reader::AsyncFileReader};
use crate::source::AsyncSource;

/// A stream of the batches of a file, in the order of the footer. [`AsyncFileReader::batches`] returns it.
///
/// While the program uses a batch, the stream requests the next batches. The
/// [`fetch_cost`](arrow_ipc::ReadOptions::with_fetch_cost) limits how many requests run at the same time. Together, the
/// batches that are requested or waiting have at most
/// [`prefetch_bytes`](arrow_ipc::ReadOptions::with_prefetch_bytes). Only the next batch is requested even if it is
/// longer. A batch is decoded when it is returned, so compressed batches wait in compressed form. Ranges of
/// neighbouring batches are requested together if that is cheaper.
///
/// The dictionaries of the selected columns are read before the first batch. Dropping the stream cancels all requests.
///
/// If an IPC stream ends with a message that is cut or malformed, its error is the last item.
///
/// After an error, the stream continues with the next batch, like `FileReader::batches`. If a request fails, or the
/// memory budget is too small for several batches, the stream reads the batch again without prefetching. It returns
/// an error only if the second attempt also fails.
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::FileWriter;
/// # use arrow_schema::DataType;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// # writer.write(&batch)?;
/// # let source = arrow_buffer::Buffer::from(writer.finish()?);
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// use arrow_ipc::{FetchCost, ReadOptions};
/// use arrow_ipc_async::AsyncFileReader;
///
/// let cost = FetchCost::OBJECT_STORE.with_requests_in_flight(4);
/// let options = ReadOptions::new().with_fetch_cost(cost).with_prefetch_bytes(16 << 20);
/// let mut batches = AsyncFileReader::try_new_with(source, options).await?.batches();
/// let mut n_batches = 0;
/// while let Some(batch) = batches.next_batch().await? {
///     assert_eq!(batch.schema().to_string(), "id: int64");
///     n_batches += 1;
/// }
/// assert_eq!(n_batches, 1);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AsyncBatches<S> {
    prefetcher: AsyncPrefetcher<S>,
}

impl<S: AsyncSource + 'static> AsyncFileReader<S> {
    /// Reads all batches in the order of the footer. While the program uses a batch, up to
    /// [`prefetch_bytes`](arrow_ipc::ReadOptions::with_prefetch_bytes) of the next batches are requested.
    pub fn batches(&self) -> AsyncBatches<S> {
        let prefetcher = self.decoder().prefetcher(0..self.n_batches());
        AsyncBatches { prefetcher: AsyncPrefetcher::new(self.clone(), prefetcher).with_end() }
    }

    /// Like [`batches`](AsyncFileReader::batches), for batches that need not be neighbours. They are read in the order of
    /// the file, each once; indices that the file does not have are ignored. The error at which a stream ends is left to
    /// [`check_end`](AsyncFileReader::check_end).
    pub fn batches_of(&self, batches: impl IntoIterator<Item = usize>) -> AsyncBatches<S> {
        AsyncBatches {
            prefetcher: AsyncPrefetcher::new(self.clone(), self.decoder().prefetcher_for(batches)),
        }
    }
}

impl<S: AsyncSource + 'static> AsyncBatches<S> {
    /// The next batch; `None` at the end. Dropping the future loses no batch: the next call returns it.
    ///
    /// # Errors
    /// If the batch cannot be read. The next call returns the batch after it.
    pub fn next_batch(&mut self) -> impl Future<Output = Result<Option<RecordBatch>>> + Send + '_ {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context).map(Option::transpose))
    }

    /// Returns each batch as soon as it is complete, with its index in the file.
    pub fn unordered(self) -> UnorderedBatches<S> {
        UnorderedBatches { prefetcher: self.prefetcher }
    }
}

/// A stream of the batches of a file in the order in which they become complete. [`AsyncBatches::unordered`] returns
/// it.
pub struct UnorderedBatches<S> {
    prefetcher: AsyncPrefetcher<S>,
}

impl<S: AsyncSource + 'static> UnorderedBatches<S> {
    /// The next batch and its index in the file; `None` at the end. Dropping the future loses no batch: the next call
    /// returns it.
    ///
    /// # Errors
    /// If a batch cannot be read. The items of the stream also say which one. The next call returns another batch.
    pub fn next_batch(&mut self) -> impl Future<Output = Result<Option<(usize, RecordBatch)>>> + Send + '_ {
        poll_fn(|context| {
            let next = ready!(Pin::new(&mut *self).poll_next(context));
            Poll::Ready(next.map(|(batch_idx, batch)| Ok((batch_idx, batch?))).transpose())
        })
    }
}

impl<S: AsyncSource + 'static> Stream for AsyncBatches<S> {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        let next = ready!(self.prefetcher.poll_next(context, BatchPrefetcher::take_next));
        Poll::Ready(next.map(|(_, read)| Ok(read?.batch)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.prefetcher.n_left(), Some(self.prefetcher.n_left()))
    }
}

impl<S: AsyncSource + 'static> Stream for UnorderedBatches<S> {
    type Item = (usize, Result<RecordBatch>);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.prefetcher.poll_next(context, BatchPrefetcher::take_any));
        Poll::Ready(next.map(|(batch_idx, read)| (batch_idx, read.map(|read| read.batch))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.prefetcher.n_left(), Some(self.prefetcher.n_left()))
    }
}

impl<S: AsyncSource + 'static> FusedStream for AsyncBatches<S> {
    fn is_terminated(&self) -> bool {
        self.prefetcher.n_left() == 0
    }
}

impl<S: AsyncSource + 'static> FusedStream for UnorderedBatches<S> {
    fn is_terminated(&self) -> bool {
        self.prefetcher.n_left() == 0
    }
}

impl<S: AsyncSource + 'static> fmt::Debug for AsyncBatches<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncBatches").field("n_left", &self.prefetcher.n_left()).finish_non_exhaustive()
    }
}

impl<S: AsyncSource + 'static> fmt::Debug for UnorderedBatches<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnorderedBatches").field("n_left", &self.prefetcher.n_left()).finish_non_exhaustive()
    }
}
