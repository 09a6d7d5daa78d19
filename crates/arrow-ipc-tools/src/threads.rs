//! Threads beside the calling one. Where the system has no more of them, those that there are do the work: at worst the calling
//! one alone.

use std::{
    panic,
    thread::{self, Builder, Scope, ScopedJoinHandle},
};

/// Does `work` by up to so many threads, one of which is the calling thread, and returns what each of them returns, that of the
/// calling thread first. Each takes what the others have left; there may be no others.
///
/// # Panics
///
/// If `work` does, after all threads have ended.
pub fn by_threads<R: Send>(n_threads: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others = start(scope, n_threads.saturating_sub(1), &work);
        let mut done = vec![work()];
        done.extend(others.into_iter().map(joined));
        done
    })
}

/// Starts up to so many threads that do `work`. There are fewer where the system has no more, perhaps none: callers that wait
/// for what they do look first.
pub(crate) fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    n_threads: usize,
    work: &'scope (impl Fn() -> R + Sync),
) -> Vec<ScopedJoinHandle<'scope, R>> {
    (0..n_threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok()).collect()
}

/// What a thread returns, once it has ended.
pub(crate) fn joined<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}
