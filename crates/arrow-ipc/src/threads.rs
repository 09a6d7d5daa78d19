//! The threads that work on the buffers or columns of one message.

use std::num::NonZeroUsize;

#[cfg(feature = "rayon")]
mod jobs;
#[cfg(feature = "rayon")]
mod pool;

#[cfg(feature = "rayon")]
pub(crate) use self::jobs::{is_worth_threads, largest_first};
#[cfg(all(feature = "file", feature = "rayon"))]
pub(crate) use self::pool::ensure as ensure_pool;

/// Which threads compress and decompress the buffers of a large message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Threads {
    /// The `rayon` pool of the calling thread, or else the global pool of `rayon`. Without the feature `rayon`, this is
    /// the same as `One`.
    #[default]
    Pool,
    /// Only the calling thread.
    One,
}

impl Threads {
    /// Whether the calling thread belongs to a `rayon` pool; `false` without the feature `rayon`. Such a thread must
    /// not wait for another thread that uses [`Threads::Pool`]: if all threads of the pool wait, the work is never
    /// done.
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

    /// Runs jobs, for example one for each buffer of a body, and returns their results in order. `n_bytes` returns how
    /// many bytes a job is about: several threads take part if that is faster, and the largest jobs start first.
    ///
    /// ```
    /// use arrow_ipc::Threads;
    ///
    /// let lengths = Threads::Pool.try_run(vec!["a", "bcd"], |text| text.len(), |text| Ok::<_, ()>(text.len()));
    /// assert_eq!(lengths, Ok(vec![1, 3]));
    /// ```
    ///
    /// # Errors
    /// The error of the first job that fails.
    pub fn try_run<J: Send, R: Send, E: Send>(
        self,
        jobs: Vec<J>,
        n_bytes: impl Fn(&J) -> usize,
        run: impl Fn(J) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        #[cfg(feature = "rayon")]
        if self == Threads::Pool && is_worth_threads(jobs.iter().map(&n_bytes)) {
            return largest_first(jobs, n_bytes, run).into_iter().collect();
        }
        #[cfg(not(feature = "rayon"))]
        drop(n_bytes);
        jobs.into_iter().map(run).collect()
    }

    /// Makes the global `rayon` pool with `n_threads` threads, unless it exists. The pool has fewer threads if the
    /// system refuses some. With one thread, the calling thread is the pool. If you do not call this function, the
    /// first use makes a pool with a thread for each processor. Without the feature `rayon`, this function does
    /// nothing.
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

    /// The number of threads that [`Threads::Pool`] can use, which is the number of threads of the global `rayon` pool.
    /// The result is 1 in a thread of a pool, if the system refuses to start threads, and without the feature `rayon`.
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
