//! The pool of threads that all commands share.

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::args::ThreadsArg;

/// Makes the pool, if the command line says how many threads it has. Otherwise it is made when it is first needed, with a thread
/// for each processor.
///
/// A pool of one thread is the calling thread: nothing is done beside it.
///
/// # Errors
/// If the system has no more threads.
pub(crate) fn make_pool(threads: ThreadsArg) -> Result<(), ThreadPoolBuildError> {
    let Some(n_threads) = threads.asked() else { return Ok(()) };
    let pool = ThreadPoolBuilder::new().num_threads(n_threads.get());
    let pool = if n_threads.get() == 1 { pool.use_current_thread() } else { pool };
    pool.build_global()
}
