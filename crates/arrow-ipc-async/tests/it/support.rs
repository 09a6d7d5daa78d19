//! Sources that wait, and what polls futures.

use std::{
    fs,
    future::Future,
    io,
    ops::Range,
    path::PathBuf,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use arrow_buffer::Buffer;
use arrow_ipc_async::AsyncSource;

/// Polls a future until it is ready. What it waits for goes on when it is polled.
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

/// Pending so many times, then ready.
pub(crate) struct Wait(pub(crate) usize);

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(n_left) = self.0.checked_sub(1) else { return Poll::Ready(()) };
        self.0 = n_left;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Answers late, and counts.
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

/// Counts a request as long as its future lives.
pub(crate) struct UnderWay(Arc<Counts>);

impl UnderWay {
    fn new(counts: &Arc<Counts>) -> UnderWay {
        let n_under_way = counts.n_under_way.fetch_add(1, Ordering::Relaxed) + 1;
        counts.max_under_way.fetch_max(n_under_way, Ordering::Relaxed);
        UnderWay(Arc::clone(counts))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.n_under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl AsyncSource for Store {
    async fn n_bytes(&self) -> io::Result<u64> {
        Wait(1).await;
        Ok(self.bytes.len() as u64)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        assert!(!range.is_empty());
        let _under_way = UnderWay::new(&self.counts);
        self.counts.requests.lock().unwrap().push(range.clone());
        // Later requests may be answered first.
        Wait(1 + (range.start / 8 % 5) as usize).await;
        self.bytes.fetch(range).await
    }
}

/// The files of the corpus whose names end so.
pub(crate) fn corpus(suffix: &str) -> Vec<(PathBuf, Buffer)> {
    let paths = testing_support::files_below(&testing_support::corpus_dir(), suffix);
    assert!(paths.len() > 20, "{suffix}: {} files", paths.len());
    paths.into_iter().map(|path| (path.clone(), Buffer::from(fs::read(path).unwrap()))).collect()
}
