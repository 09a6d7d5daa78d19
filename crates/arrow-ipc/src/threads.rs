//! The threads that work on the buffers or columns of one message.

use std::num::NonZeroUsize;

#[cfg(feature = "rayon")]
mod jobs;
#[cfg(feature = "rayon")]
mod pool;

#[cfg(feature = "rayon")]
pub(crate) use self::{
    jobs::{is_worth_threads, largest_first},
    pool::ensure as ensure_pool,
};

/// The threads that compress and decompress the buffers of a large message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Threads {
    /// The threads of the calling thread's pool; if it has none, the threads of the global pool of `rayon`. Without the
    /// feature `rayon`, the same as `One`.
    #[default]
    Pool,
    /// Only the calling thread.
    One,
}

impl Threads {
    /// Whether the calling thread belongs to a pool of `rayon`. Such a thread must not wait for a thread that uses
    /// [`Threads::Pool`]: if all threads of the pool wait in this way, no thread is left to do the work. `false`
    /// without the feature `rayon`.
    ///
    /// ```
    /// assert!(!arrow_ipc::Threads::is_in_pool());
    /// ```
    pub fn is_in_pool() -> bool {
        #[cfg(feature = "rayon")]
        return rayon::current_thread_index().is_some();
        #[cfg(not(feature = "rayon"))]
        false
    }

    /// Makes the global pool of `rayon` with this many threads, unless the pool exists. If the system refuses some
    /// threads, the pool has fewer. With one thread, the pool is the calling thread. Without this call, the pool is
    /// made when it is first needed, with a thread for each processor. The call has no effect without the feature
    /// `rayon`.
    ///
    /// ```
    /// arrow_ipc::Threads::make_pool(std::num::NonZero::<usize>::MIN);
    /// assert_eq!(arrow_ipc::Threads::n_available(), 1);
    /// ```
    pub fn make_pool(n_threads: NonZeroUsize) {
        #[cfg(feature = "rayon")]
        pool::make_global(n_threads);
        #[cfg(not(feature = "rayon"))]
        let _ = n_threads;
    }

    /// The number of threads among which the calling thread can divide work: the number of threads in the global pool
    /// of `rayon`. The result is 1 in a thread of a pool, if the system refuses threads for a pool, and without the
    /// feature `rayon`.
    ///
    /// ```
    /// assert!(arrow_ipc::Threads::n_available() >= 1);
    /// ```
    pub fn n_available() -> usize {
        #[cfg(feature = "rayon")]
        if !Threads::is_in_pool() {
            return pool::n_threads();
        }
        1
    }
}
