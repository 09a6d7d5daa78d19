//! Scoped threads in addition to the calling thread.

use std::{
    panic,
    thread::{self, Builder, Scope, ScopedJoinHandle},
};

/// Calls `work` on up to `n_threads` threads, one of which is the calling thread. Returns the results of all threads;
/// the result of the calling thread comes first. There may be fewer threads than `n_threads`, so each call of `work`
/// must continue until no work is left.
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

/// Starts up to `n_threads` threads that call `work`. If the operating system cannot start all of them, there are fewer
/// threads, or none. So callers must not wait for a thread without checking that it was started.
pub fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    n_threads: usize,
    work: &'scope (impl Fn() -> R + Sync),
) -> Vec<ScopedJoinHandle<'scope, R>> {
    (0..n_threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok()).collect()
}

/// Waits for a thread, and returns its result.
///
/// # Panics
/// If the thread has panicked.
pub fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}
