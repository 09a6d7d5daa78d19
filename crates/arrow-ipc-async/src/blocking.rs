//! Makes an [`AsyncSource`] from a source that blocks. Other threads do the reading.

use std::{
    future::Future,
    io,
    ops::Range,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, Source};
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use crate::source::AsyncSource;

/// Makes an [`AsyncSource`] of a blocking [`Source`], such as a file. Each request runs on a tokio thread for blocking
/// work.
///
/// Await the futures of this source on a tokio runtime; elsewhere they panic. If you drop a future before a thread
/// begins its request, the request is not made. Needs the feature `blocking`.
///
/// ```no_run
/// use std::fs::File;
///
/// use arrow_ipc_async::{AsyncFileReader, BlockingSource};
///
/// # async fn read() -> arrow_ipc::Result<()> {
/// let file = AsyncFileReader::try_new(BlockingSource::new(File::open("people.arrow")?)).await?;
/// println!("{}", file.schema());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct BlockingSource<S>(Arc<S>);

impl<S: Source + 'static> BlockingSource<S> {
    /// Wraps a source. Makes no request.
    pub fn new(source: S) -> BlockingSource<S> {
        BlockingSource(Arc::new(source))
    }

    /// Calls `read` on another thread. If the future is dropped before the thread begins, `read` is not called.
    async fn elsewhere<T: Send + 'static>(
        &self,
        read: impl FnOnce(&S) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let source = Arc::clone(&self.0);
        let reading = AbortOnDrop(spawn_blocking(move || read(&source)));
        reading.await.map_err(io::Error::other)?
    }
}

impl<S: Source + 'static> AsyncSource for BlockingSource<S> {
    async fn n_bytes(&self) -> io::Result<u64> {
        self.elsewhere(S::n_bytes).await
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.elsewhere(move |source| source.fetch(range)).await
    }

    fn fetch_cost(&self) -> FetchCost {
        self.0.fetch_cost()
    }

    fn whole(&self) -> Option<Buffer> {
        self.0.whole()
    }
}

/// A task on another thread. If this value is dropped before the task begins, the task does not run.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
