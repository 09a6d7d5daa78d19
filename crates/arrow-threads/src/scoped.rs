//! Scoped threads, which help the calling thread.

use std::{
    panic,
    thread::{self, Builder, Scope, ScopedJoinHandle},
};

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
