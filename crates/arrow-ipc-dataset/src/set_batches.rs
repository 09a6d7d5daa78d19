//! The batches of a data set in their order, which several threads read.

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

/// The batches of several [tasks](ReadTask), in order. Threads read tasks ahead: one more task than there are threads, of each at most
/// three batches and what it reads ahead itself. A file that consecutive tasks read is opened once, and its dictionaries are read once. An error is the last item: what came before it is not all.
///
/// Threads end when they have read what is wanted, or when this is dropped.
#[derive(Debug)]
pub struct SetBatches {
    schema: Arc<Schema>,
    reading: SetReading,
}

#[derive(Debug)]
enum SetReading {
    /// By threads. The results of each task come in a queue of its own.
    ByThreads {
        turns: Receiver<Receiver<Given>>,
        current: Option<Receiver<Given>>,
        threads: Vec<JoinHandle<()>>,
    },
    /// By the thread that asks.
    Alone {
        store: Arc<dyn FileStore>,
        tasks: vec::IntoIter<SharingTask>,
        current: Option<Box<TaskBatches>>,
    },
    Done,
}

/// What a thread gives of a task.
#[derive(Debug)]
enum Given {
    Batch(Result<RecordBatch, DatasetError>),
    /// All has been read. Without it the thread has panicked.
    End,
}

type TaskJobs = Mutex<Option<Jobs<vec::IntoIter<SharingTask>, Given>>>;

impl SetBatches {
    /// Begins to read tasks of a data set with this schema of the selected columns: [`Dataset::schema`](crate::Dataset::schema).
    pub fn new(schema: Arc<Schema>, tasks: Vec<ReadTask>, n_threads: usize) -> SetBatches {
        SetBatches::from_store(Arc::new(LocalFiles), schema, tasks, n_threads)
    }

    /// As [`new`](SetBatches::new), of files in a store.
    pub fn from_store(
        store: Arc<dyn FileStore>,
        schema: Arc<Schema>,
        tasks: Vec<ReadTask>,
        n_threads: usize,
    ) -> SetBatches {
        let n_threads = n_threads.min(tasks.len());
        let tasks = SharingTask::all(tasks);
        if n_threads < 2 {
            return SetBatches {
                schema,
                reading: SetReading::Alone { store, tasks: tasks.into_iter(), current: None },
            };
        }
        let (queue, turns) = queue(n_threads.saturating_sub(1));
        let jobs: Arc<TaskJobs> = Arc::new(Mutex::new(Some(Jobs { jobs: tasks.into_iter(), queue })));
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
            return SetBatches { schema, reading: SetReading::Alone { store, tasks: jobs, current: None } };
        }
        SetBatches { schema, reading: SetReading::ByThreads { turns, current: None, threads } }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn try_next(&mut self) -> Result<Option<RecordBatch>, DatasetError> {
        loop {
            match &mut self.reading {
                SetReading::Done => return Ok(None),
                SetReading::Alone { store, tasks, current } => {
                    match current.as_mut().and_then(Iterator::next) {
                        Some(batch) => return batch.map(Some),
                        None => match tasks.next() {
                            Some(task) => *current = Some(Box::new(task.read(store)?)),
                            None => return Ok(None),
                        },
                    }
                }
                SetReading::ByThreads { turns, current, .. } => {
                    if current.is_none() {
                        *current = turns.next();
                    }
                    match current.as_mut().map(Iterator::next) {
                        Some(Some(Given::Batch(batch))) => return batch.map(Some),
                        Some(Some(Given::End)) => *current = None,
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
        // Then no thread waits for room.
        drop((turns, current));
        for thread in threads {
            thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
        }
        Ok(None)
    }
}

/// Gives the batches of a task, until an error or until nobody takes them.
fn read(store: &Arc<dyn FileStore>, task: SharingTask, give: &Sender<Given>) {
    let give_batches = || -> Result<bool, DatasetError> {
        for batch in task.read(store)? {
            if give.send(Given::Batch(Ok(batch?))).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let last = match give_batches() {
        Ok(true) => Given::End,
        Ok(false) => return,
        Err(error) => Given::Batch(Err(error)),
    };
    // If nobody takes it, nobody wants it.
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
