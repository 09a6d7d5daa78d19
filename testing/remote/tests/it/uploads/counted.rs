//! A store that counts the parts that are being uploaded.

use std::{
    fmt,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use object_store_0_14::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart, memory::InMemory, path::Path,
};

/// Objects in memory. Uploading a part takes several turns of the runtime.
#[derive(Debug, Default)]
pub(super) struct CountedParts {
    inner: InMemory,
    counts: Arc<PartCounts>,
}

/// The number of parts that were begun, and the number that were uploaded at the same time.
#[derive(Debug, Default)]
pub(super) struct PartCounts {
    n_started: AtomicUsize,
    n_under_way: AtomicUsize,
    most_under_way: AtomicUsize,
}

#[derive(Debug)]
struct CountedUpload {
    inner: Box<dyn MultipartUpload>,
    counts: Arc<PartCounts>,
}

impl CountedParts {
    pub(super) fn counts(&self) -> &PartCounts {
        &self.counts
    }
}

impl PartCounts {
    pub(super) fn n_started(&self) -> usize {
        self.n_started.load(Ordering::Relaxed)
    }

    pub(super) fn most_under_way(&self) -> usize {
        self.most_under_way.load(Ordering::Relaxed)
    }
}

impl fmt::Display for CountedParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CountedParts")
    }
}

#[async_trait]
impl MultipartUpload for CountedUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let counts = Arc::clone(&self.counts);
        counts.n_started.fetch_add(1, Ordering::Relaxed);
        let n_under_way = counts.n_under_way.fetch_add(1, Ordering::Relaxed) + 1;
        counts.most_under_way.fetch_max(n_under_way, Ordering::Relaxed);
        let part = self.inner.put_part(data);
        Box::pin(async move {
            for _ in 0..5 {
                tokio::task::yield_now().await;
            }
            let done = part.await;
            counts.n_under_way.fetch_sub(1, Ordering::Relaxed);
            done
        })
    }

    async fn complete(&mut self) -> Result<PutResult> {
        self.inner.complete().await
    }

    async fn abort(&mut self) -> Result<()> {
        self.inner.abort().await
    }
}

#[async_trait]
impl ObjectStore for CountedParts {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.inner.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let inner = self.inner.put_multipart_opts(location, options).await?;
        // The store may answer later, too.
        tokio::task::yield_now().await;
        Ok(Box::new(CountedUpload { inner, counts: Arc::clone(&self.counts) }))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(location, options).await
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.inner.get_ranges(location, ranges).await
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
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
