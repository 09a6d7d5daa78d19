//! Runs jobs for the buffers or columns of one message on several threads. The largest jobs start first, because a
//! large job that starts last would keep one thread busy while all others wait.

use std::{
    cmp::Reverse,
    sync::{Mutex, PoisonError},
};

use rayon::prelude::*;

use super::pool::n_threads;

/// Runs all jobs on the threads of the pool. Returns the results in the order of the jobs. Jobs start in the order of
/// `n_bytes`, the largest first.
pub(crate) fn largest_first<J: Send, R: Send>(
    jobs: Vec<J>,
    n_bytes: impl Fn(&J) -> usize,
    work: impl Fn(J) -> R + Sync,
) -> Vec<R> {
    let order = largest_first_order(jobs.iter().map(n_bytes).collect());
    let n_jobs = jobs.len();
    let mut jobs: Vec<Option<J>> = jobs.into_iter().map(Some).collect();
    let jobs = Mutex::new(order.into_iter().map(|idx| (idx, jobs.get_mut(idx).and_then(Option::take))));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let some = |_| {
        let mut done = Vec::new();
        while let Some((idx, Some(job))) = next() {
            done.push((idx, work(job)));
        }
        done
    };
    let done: Vec<(usize, R)> = match n_threads() {
        ..2 => some(0),
        // A thread that starts late may find no job.
        n_threads => (0..n_threads).into_par_iter().with_max_len(1).flat_map_iter(some).collect(),
    };
    let mut results: Vec<Option<R>> = std::iter::repeat_with(|| None).take(n_jobs).collect();
    for (idx, result) in done {
        if let Some(slot) = results.get_mut(idx) {
            *slot = Some(result);
        }
    }
    results.into_iter().flatten().collect()
}

/// The indices of the lengths, the largest length first. Equal lengths keep their order.
fn largest_first_order(n_bytes: Vec<usize>) -> Vec<usize> {
    let mut lengths: Vec<(Reverse<usize>, usize)> = n_bytes.into_iter().map(Reverse).zip(0..).collect();
    lengths.sort_unstable();
    lengths.into_iter().map(|(_, idx)| idx).collect()
}

/// Whether several threads save time for buffers of these uncompressed lengths: two buffers have at least 64 KiB, and
/// all together have at least 1 MiB.
pub(crate) fn is_worth_threads(n_bytes: impl Iterator<Item = usize>) -> bool {
    const LARGE_BYTES: usize = 64 << 10;
    const ALL_BYTES: usize = 1 << 20;
    let mut n_large = 0;
    let mut sum = 0usize;
    for n_bytes in n_bytes {
        n_large += usize::from(n_bytes >= LARGE_BYTES);
        sum = sum.saturating_add(n_bytes);
    }
    n_large >= 2 && sum >= ALL_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_jobs_and_large_jobs_begin_first() {
        for n_threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let sizes = vec![3, 9, 0, 7, 9, 1, 8, 2];
            let started = Mutex::new(Vec::new());
            let work = |size: usize| {
                started.lock().unwrap().push(size);
                size * 2
            };
            let found = pool.install(|| largest_first(sizes.clone(), |size| *size, work));
            assert_eq!(found, sizes.iter().map(|size| size * 2).collect::<Vec<_>>());
            let mut started = started.into_inner().unwrap();
            if n_threads == 1 {
                assert_eq!(started, [9, 9, 8, 7, 3, 2, 1, 0]);
            }
            started.sort_unstable();
            assert_eq!(started, [0, 1, 2, 3, 7, 8, 9, 9], "each job is done once");
            assert!(
                pool.install(|| largest_first(Vec::<usize>::new(), |size| *size, |size| size)).is_empty()
            );
        }
    }
}
