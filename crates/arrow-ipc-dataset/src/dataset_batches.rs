//! Reads the batches of a data set with several threads, in order.

use std::{
    iter::{self, FusedIterator},
    sync::Arc,
};

use arrow_data::RecordBatch;
use arrow_schema::Schema;
use arrow_threads::OrderedJobs;

use crate::{
    error::DatasetError,
    store::OpenFiles,
    task::{ReadTask, ScanContext, SharingTask},
};

/// Reads several [tasks](ReadTask) with threads, and returns their batches in order. With `n` threads, at most `n` +
/// 1 tasks are prefetched. At most three batches of each task wait in memory, besides the bytes that the task itself
/// prefetches. If consecutive tasks read the same file, it is opened once, and its dictionaries are read once. After
/// an error, the iterator ends.
///
/// The readers of the files share a [`RecycledMemory`](arrow_ipc::RecycledMemory), which keeps at most 64 MiB of bodies and 64 MiB of
/// decompressed buffers for each thread, for eight threads at most, until this value is dropped. If the options of a file have a memory or a
/// memory budget, that is used instead: see [`StoredFile::options`](crate::StoredFile::options).
///
/// The threads end after the last task, or when this value is dropped.
#[derive(Debug)]
pub struct DatasetBatches {
    schema: Arc<Schema>,
    reading: Option<OrderedJobs<TaskResult>>,
    n_metadata: u64,
}

type TaskResults = Box<dyn Iterator<Item = TaskResult> + Send>;

/// What a thread sends for a task.
#[derive(Debug)]
enum TaskResult {
    Batch(Result<RecordBatch, DatasetError>),
    /// The end of a task, with the number of batches and footers whose metadata was lost.
    End(u64),
}

impl DatasetBatches {
    /// Begins to read tasks. `schema` must be the schema of the selected columns: see
    /// [`Dataset::schema`](crate::Dataset::schema).
    pub fn new(schema: Arc<Schema>, tasks: Vec<ReadTask>, n_threads: usize) -> DatasetBatches {
        DatasetBatches::from_store(OpenFiles::local(), schema, tasks, n_threads)
    }

    /// Like [`new`](DatasetBatches::new), for files in a store.
    pub fn from_store(
        store: OpenFiles,
        schema: Arc<Schema>,
        tasks: Vec<ReadTask>,
        n_threads: usize,
    ) -> DatasetBatches {
        let n_threads = n_threads.min(tasks.len());
        let tasks = SharingTask::all(tasks).into_iter();
        let context = ScanContext::new(store, n_threads);
        let reading = OrderedJobs::start(n_threads, tasks, move |task| results_of(task, context.clone()));
        DatasetBatches { schema, reading: Some(reading), n_metadata: 0 }
    }

    /// The schema of the returned batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of batches, footers and schemas whose metadata is not in the returned batches. A file that several
    /// tasks read counts once per task.
    pub fn n_lost_metadata(&self) -> u64 {
        self.n_metadata
    }
}

fn results_of(task: SharingTask, context: ScanContext) -> TaskResults {
    let mut batches = match task.read(context) {
        Ok(batches) => Some(batches),
        Err(error) => return Box::new(iter::once(TaskResult::Batch(Err(error)))),
    };
    Box::new(iter::from_fn(move || match batches.as_mut()?.next() {
        Some(batch) => Some(TaskResult::Batch(batch)),
        None => batches.take().map(|batches| TaskResult::End(batches.n_metadata)),
    }))
}

impl Iterator for DatasetBatches {
    type Item = Result<RecordBatch, DatasetError>;

    fn next(&mut self) -> Option<Result<RecordBatch, DatasetError>> {
        loop {
            match self.reading.as_mut()?.next()? {
                TaskResult::End(n_metadata) => self.n_metadata += n_metadata,
                TaskResult::Batch(batch) => {
                    self.reading.take_if(|_| batch.is_err());
                    return Some(batch);
                }
            }
        }
    }
}

impl FusedIterator for DatasetBatches {}
