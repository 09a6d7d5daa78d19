//! Work on many things at once.

use std::{
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

use crate::error::DatasetError;

/// What the function makes of each item, in their order, by up to this many threads. After an error no more items are taken; it is that
/// of the first item that has one.
pub(crate) fn in_parallel<T: Send, R: Send>(
    n_threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, DatasetError> + Sync,
) -> Result<Vec<R>, DatasetError> {
    let n_threads = n_threads.min(items.len());
    let next = Mutex::new(items.into_iter().enumerate());
    let run = || {
        let mut done = Vec::new();
        loop {
            let taken = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((idx, item)) = taken else { return done };
            let made = work(item);
            if made.is_err() {
                *next.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new().into_iter().enumerate();
            }
            done.push((idx, made));
        }
    };
    let mut done = thread::scope(|scope| {
        let others = (1..n_threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok());
        let others: Vec<_> = others.collect();
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)));
        }
        done
    });
    done.sort_unstable_by_key(|(idx, _)| *idx);
    done.into_iter().map(|(_, made)| made).collect()
}
