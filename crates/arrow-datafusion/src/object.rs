//! The bytes of a file in a store of DataFusion, whose requests are counted.

use std::{
    io,
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_buffer::Buffer;
use arrow_ipc::FetchCost;
use arrow_ipc_async::{AsyncSource, Tail};
use arrow_ipc_object_store::v0_13::ObjectSource;
use datafusion::{
    object_store::{ObjectMeta, ObjectStore},
    physical_plan::metrics::{Count, ExecutionPlanMetricsSet, MetricBuilder},
};
use futures_util::lock::Mutex;

use crate::{error::IpcFileError, options::IpcOptions};

/// A file in a store. Clones share the counts, and the end of the file once it was fetched.
#[derive(Debug, Clone)]
pub(crate) struct ObjectFile {
    source: ObjectSource,
    cost: FetchCost,
    counts: RequestCounts,
    /// The end of the file, once it was fetched.
    tail: Arc<OnceLock<Tail>>,
    /// Whether a local file has been opened; `None` for other objects, which are not opened.
    is_open: Option<Arc<Mutex<bool>>>,
}

/// The numbers of requests and bytes, as metrics of a plan.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestCounts {
    n_requests: Count,
    n_bytes: Count,
}

impl RequestCounts {
    pub(crate) fn for_partition(metrics: &ExecutionPlanMetricsSet, partition: usize) -> RequestCounts {
        RequestCounts {
            n_requests: MetricBuilder::new(metrics).counter("requests", partition),
            n_bytes: MetricBuilder::new(metrics).counter("bytes_scanned", partition),
        }
    }

    fn add(&self, n_bytes: usize) {
        self.n_requests.add(1);
        self.n_bytes.add(n_bytes);
    }
}

impl ObjectFile {
    pub(crate) fn try_new(
        store: &Arc<dyn ObjectStore>,
        meta: &ObjectMeta,
        options: &IpcOptions,
        cost: FetchCost,
        counts: RequestCounts,
    ) -> Result<ObjectFile, IpcFileError> {
        let source = if has_version(meta) {
            ObjectSource::try_from_meta_with(Arc::clone(store), meta.clone(), options.object())
                .map_err(|error| IpcFileError::at(&meta.location, error))?
        } else {
            // An entry that no store has listed, such as those that programs make of a path.
            ObjectSource::new_with(Arc::clone(store), meta.location.clone(), options.object())
        };
        Ok(ObjectFile { source, cost, counts, tail: Arc::default(), is_open: None })
    }

    /// Opens the file before the first range, so that no range is a request. For stores of local files.
    pub(crate) fn opened_first(self) -> ObjectFile {
        ObjectFile { is_open: Some(Arc::default()), ..self }
    }

    /// This file, with the counts of `other`, which is the same file of another partition.
    pub(crate) fn counted_by(&self, other: ObjectFile) -> ObjectFile {
        ObjectFile { counts: other.counts, ..self.clone() }
    }

    async fn open_first(&self) -> io::Result<()> {
        let Some(is_open) = &self.is_open else { return Ok(()) };
        let mut is_open = is_open.lock().await;
        if !*is_open {
            self.source.retain_file().await?;
            self.counts.n_requests.add(1);
            *is_open = true;
        }
        Ok(())
    }
}

/// Whether an entry says which version of a file it is. Entries that no store has listed do not, such as those that programs
/// make of a path.
pub(crate) fn has_version(meta: &ObjectMeta) -> bool {
    meta.e_tag.is_some() || meta.version.is_some() || meta.last_modified.timestamp() != 0
}

impl AsyncSource for ObjectFile {
    async fn n_bytes(&self) -> io::Result<u64> {
        self.source.n_bytes().await
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.open_first().await?;
        let bytes = self.source.fetch(range).await?;
        match self.is_open {
            Some(_) => self.counts.n_bytes.add(bytes.len()),
            None => self.counts.add(bytes.len()),
        }
        Ok(bytes)
    }

    async fn fetch_tail(&self, max_bytes: u64) -> io::Result<Tail> {
        if let Some(Tail { file_bytes, bytes }) = self.tail.get() {
            let n_bytes = usize::try_from(max_bytes.min(*file_bytes)).unwrap_or(usize::MAX);
            if let Some(start) = bytes.len().checked_sub(n_bytes) {
                return Ok(Tail { file_bytes: *file_bytes, bytes: bytes.slice(start..) });
            }
        }
        let tail = self.source.fetch_tail(max_bytes).await?;
        self.counts.add(tail.bytes.len());
        Ok(self.tail.get_or_init(|| tail).clone())
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost
    }
}
