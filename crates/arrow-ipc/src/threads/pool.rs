//! Makes the global `rayon` pool. `rayon` alone panics if the system refuses a thread.

use std::{
    io,
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        mpsc::{Receiver, channel},
    },
    thread,
};

use rayon::{ThreadBuilder, ThreadPoolBuilder, current_num_threads, current_thread_index};

static GLOBAL: OnceLock<GlobalPool> = OnceLock::new();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GlobalPool {
    Threads,
    /// The pool is the thread that made it. It does no work for other threads.
    CallingThread,
    /// There is no pool, since the system refused the first thread.
    Nothing,
}

fn global() -> GlobalPool {
    *GLOBAL.get_or_init(|| make(usual_number(), thread::Builder::spawn))
}

/// The number of threads in the pool of the calling thread, or else in the global pool, which is made if necessary. If
/// the result is 1, do not pass jobs to the pool: it may not exist, or its only thread may be the one that waits.
pub(super) fn n_threads() -> usize {
    let has_pool = current_thread_index().is_some() || global() != GlobalPool::Nothing;
    if has_pool { current_num_threads().max(1) } else { 1 }
}

/// Makes sure that some thread runs the jobs of `rayon`. If there are no other threads, makes a pool that consists of
/// the calling thread. `rayon` does not free the few kilobytes of that pool.
#[cfg(feature = "file")]
pub(crate) fn ensure() {
    if current_thread_index().is_none() && global() != GlobalPool::Threads {
        drop(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build());
    }
}

/// Makes the global pool, unless it exists.
pub(super) fn make_global(n_threads: NonZeroUsize) {
    GLOBAL.get_or_init(|| match n_threads.get() {
        // The calling thread is the only thread of the pool.
        1 => match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global() {
            Ok(()) => GlobalPool::CallingThread,
            Err(_) => GlobalPool::Threads,
        },
        n_threads => make(n_threads, thread::Builder::spawn),
    });
}

/// The number of threads that `rayon` uses by default.
fn usual_number() -> usize {
    let requested = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let n_processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    requested.filter(|n_threads| *n_threads > 0).unwrap_or_else(n_processors)
}

/// Makes the global pool with as many threads as the system allows, up to `n_threads`.
///
/// Starts the threads before the pool. If `rayon` failed to start a thread itself, the program could have no global
/// pool afterwards.
fn make<T>(
    n_threads: usize,
    spawn: impl Fn(thread::Builder, Box<dyn FnOnce() + Send>) -> io::Result<T>,
) -> GlobalPool {
    let (give, workers) = channel::<ThreadBuilder>();
    let workers = Arc::new(Mutex::new(workers));
    let wait = |workers: Arc<Mutex<Receiver<ThreadBuilder>>>| {
        let worker = workers.lock().unwrap_or_else(PoisonError::into_inner).recv();
        if let Ok(worker) = worker {
            worker.run();
        }
    };
    let start = |_: &usize| {
        let workers = Arc::clone(&workers);
        spawn(thread::Builder::new(), Box::new(move || wait(workers))).is_ok()
    };
    let n_started = (0..n_threads).take_while(start).count();
    if n_started == 0 {
        return GlobalPool::Nothing;
    }
    let hand_over = |worker| give.send(worker).map_err(|_| io::ErrorKind::BrokenPipe.into());
    // If a pool exists already, the new threads end here.
    drop(ThreadPoolBuilder::new().num_threads(n_started).spawn_handler(hand_over).build_global());
    GlobalPool::Threads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pool_is_made_of_no_threads() {
        let refused = |_, _| Err::<(), _>(io::ErrorKind::WouldBlock.into());
        assert_eq!(make(8, refused), GlobalPool::Nothing);
    }
}
