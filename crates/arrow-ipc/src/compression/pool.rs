//! The global pool of `rayon`, which panics where it cannot start all of its threads.

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

/// What the global pool is made of.
static GLOBAL: OnceLock<Global> = OnceLock::new();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Global {
    Threads,
    /// The thread that made it. It does not look for work of others.
    CallingThread,
    /// There is none: not even one thread could be started for it.
    Nothing,
}

fn global() -> Global {
    *GLOBAL.get_or_init(|| make(usual_number(), thread::Builder::spawn))
}

/// How many threads the pool of the calling thread has, or else the global one, which is made if there is none. If it is 1, nothing is
/// to be given to the pool: there may be none, or its thread may be the one that waits.
pub(super) fn n_threads() -> usize {
    let has_pool = current_thread_index().is_some() || global() != Global::Nothing;
    if has_pool { current_num_threads().max(1) } else { 1 }
}

/// Sees to it that what is given to `rayon` is done: where no other thread would do it, the calling thread becomes a pool of its own,
/// of which `rayon` keeps some kilobytes for ever.
pub(crate) fn ensure() {
    if current_thread_index().is_none() && global() != Global::Threads {
        drop(ThreadPoolBuilder::new().num_threads(1).use_current_thread().build());
    }
}

/// Makes the global pool, unless there is one.
pub(super) fn make_global(n_threads: NonZeroUsize) {
    GLOBAL.get_or_init(|| match n_threads.get() {
        // Nothing is done beside it.
        1 => match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global() {
            Ok(()) => Global::CallingThread,
            Err(_) => Global::Threads,
        },
        n_threads => make(n_threads, thread::Builder::spawn),
    });
}

/// As many as `rayon` has without being asked.
fn usual_number() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let n_processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.filter(|n_threads| *n_threads > 0).unwrap_or_else(n_processors)
}

/// Makes the global pool of the threads that can be started.
///
/// They are started before, and wait for the pool: if it could not start one of them, `rayon` would have no global pool for ever.
fn make<T>(
    n_threads: usize,
    spawn: impl Fn(thread::Builder, Box<dyn FnOnce() + Send>) -> io::Result<T>,
) -> Global {
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
        return Global::Nothing;
    }
    let hand_over = |worker| give.send(worker).map_err(|_| io::ErrorKind::BrokenPipe.into());
    // If there is a pool of somebody else, the threads end.
    drop(ThreadPoolBuilder::new().num_threads(n_started).spawn_handler(hand_over).build_global());
    Global::Threads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pool_is_made_of_no_threads() {
        let refused = |_, _| Err::<(), _>(io::ErrorKind::WouldBlock.into());
        assert_eq!(make(8, refused), Global::Nothing);
    }
}
