//! Another library: a naive C producer. It counts each structure when it is made and when it is released.

mod arrays;
mod schemas;
mod streams;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use self::arrays::{CArray, Sketch, sketch};
pub(crate) use self::schemas::{CSchema, SchemaSketch};
pub(crate) use self::streams::{Answer, CStream, StreamSketch, is_garbage_left_alone};

/// Counts the structures that were made and released.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ledger(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    n_made: AtomicUsize,
    n_released: AtomicUsize,
}

impl Ledger {
    fn made(&self) {
        self.0.n_made.fetch_add(1, Ordering::SeqCst);
    }

    fn released(&self) {
        self.0.n_released.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn n_alive(&self) -> usize {
        self.0.n_made.load(Ordering::SeqCst) - self.0.n_released.load(Ordering::SeqCst)
    }

    /// Checks that each structure was released once.
    #[track_caller]
    pub(crate) fn check_all_released(&self) {
        let (n_made, n_released) =
            (self.0.n_made.load(Ordering::SeqCst), self.0.n_released.load(Ordering::SeqCst));
        assert_eq!(n_made, n_released, "structures made and released");
        assert!(n_made > 0, "nothing was made");
    }
}
