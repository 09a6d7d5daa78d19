//! Slow sources, and functions that poll futures.

use std::{
    fs,
    future::{Future, poll_fn},
    io::{self, IoSlice},
    ops::Range,
    path::PathBuf,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker, ready},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FetchCost, FileWriter, ReadOptions, WriteOptions};
use arrow_ipc_async::AsyncSource;
use arrow_schema::Schema;
use futures_core::Stream;
use testing_support::{Generator, Value, rows};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Polls a future until it is ready. The future must not need a waker.
pub(crate) fn drive<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000_000 {
        if let Poll::Ready(ready) = future.as_mut().poll(&mut context) {
            return ready;
        }
    }
    panic!("a future that is never ready");
}

/// A future that is pending for this number of polls, and then ready.
pub(crate) struct PendingPolls(pub(crate) usize);

impl Future for PendingPolls {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(n_left) = self.0.checked_sub(1) else { return Poll::Ready(()) };
        self.0 = n_left;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A source that answers late and counts its requests.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) bytes: Buffer,
    pub(crate) counts: Arc<Counts>,
}

#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) requests: Mutex<Vec<Range<u64>>>,
    pub(crate) n_under_way: AtomicUsize,
    pub(crate) max_under_way: AtomicUsize,
}

impl Store {
    pub(crate) fn new(bytes: impl Into<Buffer>) -> Store {
        Store { bytes: bytes.into(), counts: Arc::default() }
    }

    pub(crate) fn take_requests(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.counts.requests.lock().unwrap())
    }
}

/// Counts a request until its future is dropped.
pub(crate) struct InFlightRequest(Arc<Counts>);

impl InFlightRequest {
    fn new(counts: &Arc<Counts>) -> InFlightRequest {
        let n_under_way = counts.n_under_way.fetch_add(1, Ordering::Relaxed) + 1;
        counts.max_under_way.fetch_max(n_under_way, Ordering::Relaxed);
        InFlightRequest(Arc::clone(counts))
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.0.n_under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl AsyncSource for Store {
    async fn n_bytes(&self) -> io::Result<u64> {
        PendingPolls(1).await;
        Ok(self.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        assert!(!range.is_empty());
        let _under_way = InFlightRequest::new(&self.counts);
        self.counts.requests.lock().unwrap().push(range.clone());
        // Later requests may be answered first.
        PendingPolls(1 + (range.start / 8 % 5) as usize).await;
        self.bytes.fetch(range).await
    }
}

/// The files of the corpus with this suffix.
pub(crate) fn corpus(suffix: &str) -> Vec<(PathBuf, Buffer)> {
    let paths = testing_support::files_below(&testing_support::corpus_dir(), suffix);
    assert!(paths.len() > 20, "{suffix}: {} files", paths.len());
    paths.into_iter().map(|path| (path.clone(), Buffer::from(fs::read(path).unwrap()))).collect()
}

/// Polls a future once, and drops it unless it is ready.
pub(crate) fn poll_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(ready) => Some(ready),
        Poll::Pending => None,
    }
}

/// Makes futures and polls each one once, until one is ready. Drops all others. Returns the result and the number of
/// dropped futures.
#[macro_export]
macro_rules! drop_until_ready {
    ($future:expr) => {{
        let mut n_dropped = 0;
        loop {
            if let Some(ready) = $crate::support::poll_once($future) {
                break (ready, n_dropped);
            }
            n_dropped += 1;
            assert!(n_dropped < 1_000_000, "no call makes progress");
        }
    }};
}

/// The next item of a stream.
pub(crate) fn next_item<S: Stream + Unpin>(stream: &mut S) -> impl Future<Output = Option<S::Item>> {
    poll_fn(|context| Pin::new(&mut *stream).poll_next(context))
}

/// A reader and writer of at most `max_bytes` bytes at a time. It is pending before each call.
pub(crate) struct SlowStream<T> {
    pub(crate) inner: T,
    pub(crate) max_bytes: usize,
    is_ready: bool,
    /// How often it was flushed.
    pub(crate) n_flushes: usize,
}

impl<T> SlowStream<T> {
    pub(crate) fn new(inner: T, max_bytes: usize) -> SlowStream<T> {
        SlowStream { inner, max_bytes, is_ready: false, n_flushes: 0 }
    }

    /// Returns `Pending` at every second call.
    fn wait(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.is_ready = !self.is_ready;
        if self.is_ready {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

impl<R: io::Read + Unpin> AsyncRead for SlowStream<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.wait(context));
        let max_bytes = self.max_bytes.min(buffer.remaining());
        let mut bytes = vec![0; max_bytes];
        let n_bytes = self.inner.read(&mut bytes)?;
        buffer.put_slice(&bytes[..n_bytes]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for SlowStream<Vec<u8>> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.wait(context));
        let n_bytes = bytes.len().min(self.max_bytes);
        self.inner.extend_from_slice(&bytes[..n_bytes]);
        Poll::Ready(Ok(n_bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.wait(context));
        let mut n_left = self.max_bytes;
        for slice in slices {
            let bytes = &slice[..slice.len().min(n_left)];
            self.inner.extend_from_slice(bytes);
            n_left -= bytes.len();
        }
        Poll::Ready(Ok(self.max_bytes - n_left))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.wait(context));
        self.n_flushes += 1;
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(context)
    }
}

/// A result to compare: the values of a batch, or the text of an error.
pub(crate) type Outcome = Result<Vec<Vec<Value>>, String>;

pub(crate) fn outcome(batch: arrow_ipc::Result<RecordBatch>) -> Outcome {
    let batch = batch.map_err(|error| error.to_string())?;
    // Hostile batches may have any number of rows without bytes.
    if batch.n_rows() > 1_000_000 {
        return Err(format!("{} rows", batch.n_rows()));
    }
    Ok(rows(&batch))
}

/// A file with random batches.
pub(crate) fn file_of(schema: &str, n_rows: &[usize]) -> Vec<u8> {
    let schema = Arc::new(schema.parse::<Schema>().unwrap());
    let mut writer = FileWriter::try_new_with(Vec::new(), &schema, file_options()).unwrap();
    let batches = Generator::new(7).batches(&schema, n_rows);
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

/// Options that request each range alone, `n_in_flight` ranges at the same time, and read no tail when the file is
/// opened.
pub(crate) fn apart(n_in_flight: u32) -> ReadOptions {
    let cost = FetchCost::FREE_REQUESTS.with_requests_in_flight(n_in_flight);
    ReadOptions::new().with_tail_bytes(0).with_fetch_cost(cost).with_prefetch_bytes(64 << 20)
}

/// Options for batches with different dictionaries.
pub(crate) fn file_options() -> WriteOptions {
    WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta)
}
