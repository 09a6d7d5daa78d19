//! Runs jobs in advance on several threads. Their results come in the order of the jobs.

use std::{
    fmt, iter,
    iter::FusedIterator,
    panic,
    sync::{Arc, Mutex},
    thread::{Builder, JoinHandle},
};

use crate::{
    ordered::{Jobs, next},
    queues::{Receiver, queue},
};

/// Iterates over the results of jobs, in the order of the jobs. A job can have any number of results. With `n`
/// threads, at most `n` + 1 jobs run in advance, and at most three results of each job wait. If the operating system
/// starts no thread, the calling thread runs the jobs.
///
/// The threads end after the last job, or when this value is dropped. If a thread panics, the caller panics, too.
pub struct OrderedJobs<T> {
    results: Option<Box<dyn Iterator<Item = T> + Send>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Send + 'static> OrderedJobs<T> {
    /// Starts the threads. If `n_threads` is less than 2, starts none, and the calling thread runs the jobs.
    pub fn start<J: Send + 'static, R: Iterator<Item = T> + Send + 'static>(
        n_threads: usize,
        jobs: impl Iterator<Item = J> + Send + 'static,
        work: impl Fn(J) -> R + Send + Sync + 'static,
    ) -> OrderedJobs<T> {
        if n_threads < 2 {
            return OrderedJobs { results: Some(Box::new(jobs.flat_map(work))), threads: Vec::new() };
        }
        let (queue, mut turns) = queue(n_threads.saturating_sub(1));
        let jobs = Arc::new(Mutex::new(Some(Jobs { jobs, queue })));
        let work = Arc::new(work);
        let start = |_| {
            let jobs = Arc::clone(&jobs);
            let work = Arc::clone(&work);
            let make = move || {
                while let Some((job, give)) = next(&jobs) {
                    let mut results = work(job).map(Some).chain(iter::once(None));
                    let _ = results.all(|result| give.send(result).is_ok());
                }
            };
            Builder::new().spawn(make).ok()
        };
        let threads: Vec<JoinHandle<()>> = (0..n_threads).map_while(start).collect();
        if threads.is_empty() {
            let left = jobs.lock().ok().and_then(|mut jobs| jobs.take()).into_iter();
            let results = left.flat_map(|left| left.jobs).flat_map(move |job| work(job));
            return OrderedJobs { results: Some(Box::new(results)), threads };
        }
        let mut current: Option<Receiver<Option<T>>> = None;
        let results = iter::from_fn(move || {
            loop {
                let mut results = current.take().or_else(|| turns.next())?;
                // The inner `None` marks the end of a job. Without this mark, the thread has panicked.
                if let Some(result) = results.next()? {
                    current = Some(results);
                    return Some(result);
                }
            }
        });
        OrderedJobs { results: Some(Box::new(results)), threads }
    }
}

impl<T> Iterator for OrderedJobs<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let result = self.results.as_mut()?.next();
        if result.is_none() {
            self.results = None;
            for thread in self.threads.drain(..) {
                thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
            }
        }
        result
    }
}

impl<T> FusedIterator for OrderedJobs<T> {}

impl<T> fmt::Debug for OrderedJobs<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderedJobs").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results come in order, even if some jobs have none, or if the caller takes only some results.
    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let expected: Vec<usize> = (0..50).flat_map(|job| iter::repeat_n(job, job % 4)).collect();
        for n_threads in [0, 1, 2, 3, 8, 100] {
            for n_requested in [0, 1, 7, expected.len(), 1000] {
                let mut results = OrderedJobs::start(n_threads, 0..50, |job| iter::repeat_n(job, job % 4));
                let taken: Vec<usize> = results.by_ref().take(n_requested).collect();
                assert_eq!(taken, expected[..n_requested.min(expected.len())], "{n_threads} threads");
                assert!(n_requested < expected.len() || results.next().is_none(), "{n_threads} threads");
            }
        }
    }

    #[test]
    fn panics_are_passed_on() {
        for n_threads in [1, 2, 5] {
            for (in_jobs, in_work) in [(5, 99), (99, 5)] {
                let panics = move |at: usize, what: usize| assert!(at != what, "at {at}");
                let jobs = (0..20).inspect(move |job| panics(*job, in_jobs));
                let results = OrderedJobs::start(n_threads, jobs, move |job| {
                    panics(job, in_work);
                    iter::once(job)
                });
                let all = panic::AssertUnwindSafe(|| results.count());
                assert!(panic::catch_unwind(all).is_err(), "{n_threads} threads");
            }
        }
    }
}
