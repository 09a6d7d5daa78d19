//! The argument `--threads`.

use std::{num::NonZeroUsize, thread};

use clap::Args;

// How many threads work.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ThreadsArg {
    /// The number of threads that work at the same time, at most 256; the output does not depend on it [default: the number of
    /// processors]
    #[arg(long, value_name = "N", value_parser = number)]
    threads: Option<NonZeroUsize>,
}

/// Parses a number of threads. More threads than the limit take more memory, but are not faster.
fn number(text: &str) -> Result<NonZeroUsize, &'static str> {
    const MAX_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);
    let number = text.parse().ok().filter(|n_threads| *n_threads <= MAX_THREADS);
    number.ok_or("must be a whole number from 1 to 256")
}

impl ThreadsArg {
    /// The value of the argument; `None` if it was not given.
    pub(crate) fn given(self) -> Option<NonZeroUsize> {
        self.threads
    }

    /// The number of threads to use. By default, the number of processors.
    pub(crate) fn n(self) -> NonZeroUsize {
        self.given().unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}
