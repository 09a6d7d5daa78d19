//! Runs jobs on several threads, and returns their results in the order of the jobs.

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::{
    queues::{Receiver, Sender, queue},
    scoped::start,
};

/// Receives a result of a job. Returns `false` if no more results are needed.
pub type ResultSink<'a, T> = &'a mut dyn FnMut(T) -> bool;

/// Runs all jobs on `n_threads` threads, and passes their results to `take` in the order of the jobs. Each thread
/// begins the next job when it has finished one. Only one thread at a time calls the iterator of jobs, so the
/// iterator may read data. Results wait until all earlier jobs are done. At most `n_threads + n_extra + 1` jobs have
/// waiting results, at most two each. If some jobs take longer than others, a greater `n_extra` makes threads wait
/// less.
///
/// `take` runs on the calling thread. If the operating system starts no other thread, the calling thread also runs
/// all jobs.
///
/// # Errors
/// The first error of `take`. After an error, no more jobs are started.
pub fn in_order<J, T: Send, E>(
    n_threads: usize,
    n_extra: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J, ResultSink<'_, T>) + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if n_threads < 2 {
        return alone(jobs, work, take);
    }
    let (queue, turns) = queue(n_threads.saturating_sub(1).saturating_add(n_extra));
    let jobs = Mutex::new(Some(Jobs { jobs, queue }));
    let make = || {
        while let Some((job, give)) = next(&jobs) {
            work(job, &mut |result| give.send(result).is_ok());
        }
    };
    thread::scope(|scope| {
        if start(scope, n_threads, &make).is_empty()
            && let Some(Jobs { jobs, .. }) = jobs.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            return alone(jobs, &work, take);
        }
        // After an error, the queues are dropped, so no thread waits for room in one.
        for results in turns {
            for result in results {
                take(result)?;
            }
        }
        Ok(())
    })
}

fn alone<J, T, E>(
    mut jobs: impl Iterator<Item = J>,
    work: impl Fn(J, ResultSink<'_, T>),
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    jobs.try_for_each(|job| {
        let mut taken = Ok(());
        work(job, &mut |result| {
            taken = take(result);
            taken.is_ok()
        });
        taken
    })
}

/// The jobs that are not started, and a queue that gets a queue of results for each job.
#[derive(Debug)]
pub(super) struct Jobs<I, T> {
    pub(super) jobs: I,
    pub(super) queue: Sender<Receiver<T>>,
}

/// The next job, and the sender for its results. `None` ends the queue of queues: no jobs are left, or results are no
/// longer needed.
pub(super) fn next<I: Iterator, T>(jobs: &Mutex<Option<Jobs<I, T>>>) -> Option<(I::Item, Sender<T>)> {
    let mut left = jobs.lock().unwrap_or_else(PoisonError::into_inner);
    // If the iterator panics, `None` stays in the mutex, so other threads get no more jobs.
    let mut taken = left.take()?;
    let job = taken.jobs.next()?;
    let (give, results) = queue(1);
    taken.queue.send(results).ok()?;
    *left = Some(taken);
    Some((job, give))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Job `n` has the result `n`, `n % 4` times.
    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let expected: Vec<usize> = (0..50).flat_map(|job| std::iter::repeat_n(job, job % 4)).collect();
        for n_threads in [0, 1, 2, 3, 8, 100] {
            for n_wanted in [0, 1, 7, expected.len(), 1000] {
                let mut taken = Vec::new();
                let work = |job, give: ResultSink<'_, usize>| {
                    let _ = (0..job % 4).all(|_| give(job));
                };
                let result = in_order(n_threads, n_threads % 2, 0..50, work, |number| {
                    taken.push(number);
                    if taken.len() == n_wanted { Err("enough") } else { Ok(()) }
                });
                let n_taken = n_wanted.max(1).min(expected.len());
                assert_eq!(taken, expected[..if n_wanted == 0 { expected.len() } else { n_taken }]);
                assert_eq!(result.is_err(), (1..=expected.len()).contains(&n_wanted));
            }
        }
    }

    /// If a thread panics, the other threads end, and the caller panics.
    #[test]
    fn panics_are_passed_on() {
        let panics = |at: usize, what: usize| {
            if at == what {
                panic!("at {at}")
            }
        };
        for (in_jobs, in_work, in_take) in [(5, 99, 99), (99, 5, 99), (99, 99, 5)] {
            for n_threads in [1, 2, 5] {
                let all = || {
                    let jobs = (0..20).inspect(|job| panics(*job, in_jobs));
                    let work = |job, give: ResultSink<'_, usize>| {
                        panics(job, in_work);
                        give(job);
                    };
                    in_order(n_threads, 1, jobs, work, |job| {
                        panics(job, in_take);
                        Ok::<(), ()>(())
                    })
                };
                assert!(std::panic::catch_unwind(all).is_err(), "{n_threads} threads");
            }
        }
    }
}
