//! Scoped threads, which help the calling thread, and run many short jobs with one result each.

use std::{
    panic,
    sync::{Mutex, PoisonError},
    thread::{self, Builder, Scope, ScopedJoinHandle},
    time::{Duration, Instant},
    vec,
};

/// Chunks get shorter towards the end: a chunk is this part of the remaining items of a thread. So no thread waits long for the last
/// chunk of another.
const CHUNKS_PER_THREAD: usize = 4;

/// Calls `work` for each item, on up to `n_threads` threads, and returns the results in order. The calling thread first works alone for
/// the duration `alone`: starting threads takes longer than a few short jobs.
///
/// # Errors
/// If several calls fail, the error for the first of their items. After an error, no more chunks are started.
pub fn in_parallel<T: Send, R: Send, E: Send>(
    n_threads: usize,
    alone: Duration,
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let mut results = Vec::with_capacity(items.len());
    let mut items = items.into_iter();
    let begin = Instant::now();
    while begin.elapsed() < alone {
        let Some(item) = items.next() else { return Ok(results) };
        results.push(work(item)?);
    }
    let n_threads = n_threads.min(items.len());
    let chunks = Mutex::new(Chunks { items, n_started: 0, n_threads });
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut done = Vec::new();
        while let Some((first, chunk)) = next() {
            let results: Result<Vec<R>, E> = chunk.into_iter().map(&work).collect();
            if results.is_err() {
                chunks.lock().unwrap_or_else(PoisonError::into_inner).items = Vec::new().into_iter();
            }
            done.push((first, results));
        }
        done
    };
    let mut done: Vec<_> = by_threads(n_threads, run).into_iter().flatten().collect();
    done.sort_unstable_by_key(|(first, _)| *first);
    for (_, chunk) in done {
        results.extend(chunk?);
    }
    Ok(results)
}

/// The items that no thread has begun.
struct Chunks<T> {
    items: vec::IntoIter<T>,
    n_started: usize,
    n_threads: usize,
}

impl<T> Chunks<T> {
    /// The next items, and the position of the first of them. `None` if no items are left.
    fn next(&mut self) -> Option<(usize, Vec<T>)> {
        let n_parts = self.n_threads.saturating_mul(CHUNKS_PER_THREAD).max(1);
        let n_items = (self.items.len() / n_parts).max(1);
        let chunk: Vec<T> = self.items.by_ref().take(n_items).collect();
        let first = self.n_started;
        self.n_started = first.saturating_add(chunk.len());
        if chunk.is_empty() { None } else { Some((first, chunk)) }
    }
}

/// Calls `work` on up to `n_threads` threads, including the calling thread. Returns all results. The result of the
/// calling thread is the first. Each call of `work` must continue until no work is left, because there may be fewer
/// threads.
///
/// # Panics
///
/// If `work` panics, after all threads have ended.
pub fn by_threads<R: Send>(n_threads: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others = start(scope, n_threads.saturating_sub(1), &work);
        let mut done = vec![work()];
        done.extend(others.into_iter().map(joined));
        done
    })
}

/// Starts up to `n_threads` threads that call `work`. The operating system may start fewer, or none, so a caller must
/// not wait for a thread that is not in the result.
pub fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    n_threads: usize,
    work: &'scope (impl Fn() -> R + Sync),
) -> Vec<ScopedJoinHandle<'scope, R>> {
    (0..n_threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok()).collect()
}

/// Waits for a thread to end, and returns its result.
///
/// # Panics
/// If the thread has panicked.
pub fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    const ALONE: [Duration; 3] = [Duration::ZERO, Duration::from_micros(50), Duration::MAX];

    #[test]
    fn results_are_those_of_one_thread() {
        for n_threads in [0, 1, 2, 3, 8, 100] {
            for n_items in [0, 1, 2, 7, 100, 1_000] {
                for alone in ALONE {
                    let items: Vec<usize> = (0..n_items).collect();
                    let expected: Vec<String> = items.iter().map(usize::to_string).collect();
                    let found = in_parallel(n_threads, alone, items, |item| Ok::<_, ()>(item.to_string()));
                    assert_eq!(found, Ok(expected), "{n_items} items, {n_threads} threads");
                }
            }
        }
    }

    #[test]
    fn the_first_error_is_returned_and_ends_the_work() {
        for n_threads in [0, 1, 2, 8] {
            for alone in ALONE {
                let n_started = AtomicUsize::new(0);
                let found = in_parallel(n_threads, alone, (0..10_000).collect(), |item: usize| {
                    n_started.fetch_add(1, Ordering::Relaxed);
                    if item % 7 == 5 { Err(item) } else { Ok(item) }
                });
                assert_eq!(found, Err(5), "{n_threads} threads");
                // Each thread ends at the first error of its chunk.
                assert!(n_started.into_inner() <= 6 + 7 * n_threads, "{n_threads} threads");
            }
        }
    }

    #[test]
    fn chunks_are_all_items_and_get_shorter() {
        for n_threads in [1, 2, 64] {
            let mut chunks =
                Chunks { items: (0..1_000).collect::<Vec<usize>>().into_iter(), n_started: 0, n_threads };
            let mut all = Vec::new();
            let mut longest = usize::MAX;
            while let Some((first, chunk)) = chunks.next() {
                assert_eq!(first, all.len());
                assert!(chunk.len() <= longest);
                longest = chunk.len();
                all.extend(chunk);
            }
            assert!(all.into_iter().eq(0..1_000), "{n_threads} threads");
            assert_eq!(longest, 1, "{n_threads} threads");
        }
    }

    #[test]
    fn panics_are_passed_on() {
        for n_threads in [1, 2, 5] {
            let all = || {
                in_parallel(n_threads, Duration::ZERO, (0..20).collect(), |item: u8| {
                    assert!(item != 5, "at {item}");
                    Ok::<_, ()>(item)
                })
            };
            assert!(catch_unwind(AssertUnwindSafe(all)).is_err(), "{n_threads} threads");
        }
    }
}
