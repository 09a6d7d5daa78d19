//! The batches of a data set, which several threads read, in order.

use std::{
    iter::FusedIterator,
    mem, panic,
    sync::{Arc, Mutex},
    thread::{Builder, JoinHandle},
    vec,
};

use arrow_data::RecordBatch;
use arrow_schema::Schema;

use crate::{
    error::DatasetError,
    store::{FileStore, LocalFiles},
    task::{ReadTask, SharingTask, TaskBatches},
    threads::{Jobs, Receiver, Sender, next, queue},
};

/// The batches of several [tasks](ReadTask), in order. Threads read ahead at most one more task than there are threads.
/// Of each task, at most three batches are kept, and what the task itself reads ahead. A file that consecutive tasks
/// read is opened once, and its dictionaries are read once. After an error, there are no more batches.
///
/// The threads end when all tasks have been read, or when this value is dropped.
#[derive(Debug)]
pub struct SetBatches {
    schema: Arc<Schema>,
    reading: SetReading,
    n_metadata: u64,
}

#[derive(Debug)]
enum SetReading {
    /// Threads read the tasks. Each task has its own queue of results.
    ByThreads {
        turns: Receiver<Receiver<Given>>,
        current: Option<Receiver<Given>>,
        threads: Vec<JoinHandle<()>>,
    },
    /// The thread that asks for a batch reads it.
    Alone {
        store: Arc<dyn FileStore>,
        tasks: vec::IntoIter<SharingTask>,
        current: Option<Box<TaskBatches>>,
    },
    Done,
}

/// What a thread puts into the queue of a task.
#[derive(Debug)]
enum Given {
    Batch(Result<RecordBatch, DatasetError>),
    /// The task has been read; how much metadata was lost. If this does not come, the thread has panicked.
    End(u64),
}

type TaskJobs = Mutex<Option<Jobs<vec::IntoIter<SharingTask>, Given>>>;

impl SetBatches {
    /// Begins to read tasks of a data set with this schema of the selected columns: [`Dataset::schema`](crate::Dataset::schema).
    pub fn new(schema: Arc<Schema>, tasks: Vec<ReadTask>, n_threads: usize) -> SetBatches {
        SetBatches::from_store(Arc::new(LocalFiles), schema, tasks, n_threads)
    }

    /// As [`new`](SetBatches::new), for files in a store.
    pub fn from_store(
        store: Arc<dyn FileStore>,
        schema: Arc<Schema>,
        tasks: Vec<ReadTask>,
        n_threads: usize,
    ) -> SetBatches {
        let n_threads = n_threads.min(tasks.len());
        let tasks = SharingTask::all(tasks).into_iter();
        let of = |reading| SetBatches { schema, reading, n_metadata: 0 };
        if n_threads < 2 {
            return of(SetReading::Alone { store, tasks, current: None });
        }
        let (queue, turns) = queue(n_threads.saturating_sub(1));
        let jobs: Arc<TaskJobs> = Arc::new(Mutex::new(Some(Jobs { jobs: tasks, queue })));
        let start = |_| {
            let (jobs, store) = (Arc::clone(&jobs), Arc::clone(&store));
            let work = move || {
                while let Some((task, give)) = next(&jobs) {
                    read(&store, task, &give);
                }
            };
            Builder::new().spawn(work).ok()
        };
        let threads: Vec<JoinHandle<()>> = (0..n_threads).map_while(start).collect();
        if threads.is_empty()
            && let Some(Jobs { jobs, .. }) = jobs.lock().ok().and_then(|mut jobs| jobs.take())
        {
            return of(SetReading::Alone { store, tasks: jobs, current: None });
        }
        of(SetReading::ByThreads { turns, current: None, threads })
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// How many batches, footers and schemas so far had metadata that these batches do not have. A file that several
    /// tasks read counts for each of them.
    pub fn n_lost_metadata(&self) -> u64 {
        self.n_metadata
    }

    fn try_next(&mut self) -> Result<Option<RecordBatch>, DatasetError> {
        loop {
            match &mut self.reading {
                SetReading::Done => return Ok(None),
                SetReading::Alone { store, tasks, current } => {
                    match current.as_mut().and_then(Iterator::next) {
                        Some(batch) => return batch.map(Some),
                        None => {
                            self.n_metadata += current.take().map_or(0, |task| task.n_metadata);
                            match tasks.next() {
                                Some(task) => *current = Some(Box::new(task.read(store)?)),
                                None => return Ok(None),
                            }
                        }
                    }
                }
                SetReading::ByThreads { turns, current, .. } => {
                    if current.is_none() {
                        *current = turns.next();
                    }
                    match current.as_mut().map(Iterator::next) {
                        Some(Some(Given::Batch(batch))) => return batch.map(Some),
                        Some(Some(Given::End(n_metadata))) => {
                            self.n_metadata += n_metadata;
                            *current = None;
                        }
                        // Either all tasks are read, or a thread has panicked.
                        Some(None) | None => break,
                    }
                }
            }
        }
        let SetReading::ByThreads { turns, current, threads } =
            mem::replace(&mut self.reading, SetReading::Done)
        else {
            return Ok(None);
        };
        // The queues are dropped, so no thread waits for room in them.
        drop((turns, current));
        for thread in threads {
            thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
        }
        Ok(None)
    }
}

/// Sends the batches of a task, until an error, or until the receiver is gone.
fn read(store: &Arc<dyn FileStore>, task: SharingTask, give: &Sender<Given>) {
    let give_batches = || -> Result<Option<u64>, DatasetError> {
        let mut batches = task.read(store)?;
        for batch in batches.by_ref() {
            if give.send(Given::Batch(Ok(batch?))).is_err() {
                return Ok(None);
            }
        }
        Ok(Some(batches.n_metadata))
    };
    let last = match give_batches() {
        Ok(Some(n_metadata)) => Given::End(n_metadata),
        Ok(None) => return,
        Err(error) => Given::Batch(Err(error)),
    };
    // If the receiver is gone, the result is not needed.
    let _ = give.send(last);
}

impl Iterator for SetBatches {
    type Item = Result<RecordBatch, DatasetError>;

    fn next(&mut self) -> Option<Result<RecordBatch, DatasetError>> {
        let next = self.try_next();
        if !matches!(next, Ok(Some(_))) {
            self.reading = SetReading::Done;
        }
        next.transpose()
    }
}

impl FusedIterator for SetBatches {}
