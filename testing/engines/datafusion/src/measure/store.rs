//! A store that counts requests, and may answer late.

use std::{
    fmt,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use datafusion::object_store::{
    CopyOptions, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, path::Path,
};
use futures_util::stream::BoxStream;

#[derive(Debug)]
pub(crate) struct CountingStore {
    inner: Arc<dyn ObjectStore>,
    is_distant: bool,
    delay: Duration,
    n_requests: AtomicUsize,
    n_bytes: AtomicU64,
}

impl CountingStore {
    /// A store, which opens no files for its callers if it is distant.
    pub(crate) fn new(inner: Arc<dyn ObjectStore>, is_distant: bool, delay: Duration) -> CountingStore {
        CountingStore {
            inner,
            is_distant,
            delay,
            n_requests: AtomicUsize::new(0),
            n_bytes: AtomicU64::new(0),
        }
    }

    /// The numbers of requests and bytes since the last call. Of files that were opened, all bytes count.
    pub(crate) fn take(&self) -> (usize, u64) {
        (self.n_requests.swap(0, Ordering::Relaxed), self.n_bytes.swap(0, Ordering::Relaxed))
    }
}

impl fmt::Display for CountingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CountingStore")
    }
}

#[async_trait]
impl ObjectStore for CountingStore {
    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.inner.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        let is_head = options.head;
        let mut found = self.inner.get_opts(path, options).await?;
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        if !is_head {
            self.n_bytes.fetch_add(found.range.end - found.range.start, Ordering::Relaxed);
        }
        if self.is_distant {
            if !self.delay.is_zero() {
                tokio::time::sleep(self.delay).await;
            }
            // Distant stores open no files.
            let meta = found.meta.clone();
            let (range, attributes) = (found.range.clone(), found.attributes.clone());
            let chunks = found.into_stream();
            found = GetResult { payload: GetResultPayload::Stream(chunks), meta, range, attributes };
        }
        Ok(found)
    }

    async fn get_ranges(&self, path: &Path, ranges: &[Range<u64>]) -> Result<Vec<bytes::Bytes>> {
        if self.is_distant {
            // The default joins ranges and asks `get_opts` for each.
            let fetch = |range: Range<u64>| async {
                let options = GetOptions::new().with_range(Some(range));
                self.get_opts(path, options).await?.bytes().await
            };
            return datafusion::object_store::coalesce_ranges(ranges, fetch, 1 << 20).await;
        }
        // A local file is opened once for all of them.
        self.n_requests.fetch_add(1, Ordering::Relaxed);
        self.n_bytes.fetch_add(ranges.iter().map(|range| range.end - range.start).sum(), Ordering::Relaxed);
        self.inner.get_ranges(path, ranges).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
