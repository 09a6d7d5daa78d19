//! Results of jobs, in the order of the jobs, that threads make ahead of the caller.

use std::{
    fmt, iter,
    iter::FusedIterator,
    mem, panic,
    sync::{Arc, Mutex},
    thread::{Builder, JoinHandle},
};

use super::{
    ordered::{Jobs, next},
    queues::{Receiver, queue},
};

/// The results of jobs, in the order of the jobs. Each job has any number of results. Threads work ahead at most one more job
/// than there are threads, and of each job at most three results wait. If the system starts no thread, the caller does the work.
///
/// The threads end when all jobs are done, or when this value is dropped. A panic of a thread is passed on.
pub struct WorkAhead<J, R: Iterator>(Work<J, R>);

type BoxedJobs<J> = Box<dyn Iterator<Item = J> + Send>;

enum Work<J, R: Iterator> {
    /// Each job has its own queue of results, with `None` at the end. If that does not come, the thread has panicked.
    ByThreads {
        turns: Receiver<Receiver<Option<R::Item>>>,
        current: Option<Receiver<Option<R::Item>>>,
        threads: Vec<JoinHandle<()>>,
    },
    /// The thread that asks for a result makes it.
    Alone {
        jobs: BoxedJobs<J>,
        work: Arc<dyn Fn(J) -> R + Send + Sync>,
        current: Option<R>,
    },
    Done,
}

impl<J: Send + 'static, R: Iterator<Item: Send> + 'static> WorkAhead<J, R> {
    /// Starts the threads, or none if one would do all the work.
    pub fn start(
        n_threads: usize,
        jobs: impl Iterator<Item = J> + Send + 'static,
        work: impl Fn(J) -> R + Send + Sync + 'static,
    ) -> WorkAhead<J, R> {
        let (jobs, work): (BoxedJobs<J>, _) = (Box::new(jobs), Arc::new(work));
        if n_threads < 2 {
            return WorkAhead(Work::Alone { jobs, work, current: None });
        }
        let (queue, turns) = queue(n_threads.saturating_sub(1));
        let jobs = Arc::new(Mutex::new(Some(Jobs { jobs, queue })));
        let start = |_| {
            let (jobs, work) = (Arc::clone(&jobs), Arc::clone(&work));
            let make = move || {
                while let Some((job, give)) = next(&jobs) {
                    let mut results = work(job).map(Some).chain(iter::once(None));
                    let _ = results.all(|result| give.send(result).is_ok());
                }
            };
            Builder::new().spawn(make).ok()
        };
        let threads: Vec<JoinHandle<()>> = (0..n_threads).map_while(start).collect();
        if threads.is_empty()
            && let Some(Jobs { jobs, .. }) = jobs.lock().ok().and_then(|mut jobs| jobs.take())
        {
            return WorkAhead(Work::Alone { jobs, work, current: None });
        }
        WorkAhead(Work::ByThreads { turns, current: None, threads })
    }
}

impl<J, R: Iterator> Iterator for WorkAhead<J, R> {
    type Item = R::Item;

    fn next(&mut self) -> Option<R::Item> {
        loop {
            match &mut self.0 {
                Work::Done => return None,
                Work::Alone { jobs, work, current } => match current.as_mut().and_then(Iterator::next) {
                    Some(result) => return Some(result),
                    None => match jobs.next() {
                        Some(job) => *current = Some(work(job)),
                        None => break,
                    },
                },
                Work::ByThreads { turns, current, .. } => {
                    if current.is_none() {
                        *current = turns.next();
                    }
                    match current.as_mut().map(Iterator::next) {
                        Some(Some(Some(result))) => return Some(result),
                        Some(Some(None)) => *current = None,
                        Some(None) | None => break,
                    }
                }
            }
        }
        let done = mem::replace(&mut self.0, Work::Done);
        if let Work::ByThreads { turns, current, threads } = done {
            drop((turns, current));
            for thread in threads {
                thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
            }
        }
        None
    }
}

impl<J, R: Iterator> FusedIterator for WorkAhead<J, R> {}

impl<J, R: Iterator> fmt::Debug for WorkAhead<J, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkAhead").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also of jobs without results, and if only some are taken.
    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let expected: Vec<usize> = (0..50).flat_map(|job| iter::repeat_n(job, job % 4)).collect();
        for n_threads in [0, 1, 2, 3, 8, 100] {
            for n_wanted in [0, 1, 7, expected.len(), 1000] {
                let mut results = WorkAhead::start(n_threads, 0..50, |job| iter::repeat_n(job, job % 4));
                let taken: Vec<usize> = results.by_ref().take(n_wanted).collect();
                assert_eq!(taken, expected[..n_wanted.min(expected.len())], "{n_threads} threads");
                assert!(n_wanted < expected.len() || results.next().is_none(), "{n_threads} threads");
            }
        }
    }

    #[test]
    fn panics_are_passed_on() {
        for n_threads in [1, 2, 5] {
            for (in_jobs, in_work) in [(5, 99), (99, 5)] {
                let panics = move |at: usize, what: usize| assert!(at != what, "at {at}");
                let jobs = (0..20).inspect(move |job| panics(*job, in_jobs));
                let results = WorkAhead::start(n_threads, jobs, move |job| {
                    panics(job, in_work);
                    iter::once(job)
                });
                let all = panic::AssertUnwindSafe(|| results.count());
                assert!(panic::catch_unwind(all).is_err(), "{n_threads} threads");
            }
        }
    }
}
