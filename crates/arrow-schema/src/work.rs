//! Counts visited items. Tests use the count to check that costs grow in proportion to the input.

#[cfg(feature = "count-work")]
use std::cell::Cell;

#[cfg(feature = "count-work")]
thread_local! {
    static VISITED: Cell<u64> = const { Cell::new(0) };
}

/// The number of items that were visited on this thread so far. Checks of content, comparison and hashing count slots
/// and bytes; loops over all fields or metadata count fields and pairs; other callers of `visit` count their items.
/// Copies are not counted, since tests can count them with an allocator.
///
/// The feature `count-work`, which is for tests, provides this function.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema, work_done};
///
/// let schema = Schema::new(["a", "b", "c"].map(|name| Field::new(name, DataType::Int8)));
/// let before = work_done();
/// assert_eq!(schema.index_of("b"), Ok(1));
/// assert_eq!(work_done() - before, 3);
/// ```
#[cfg(feature = "count-work")]
pub fn work_done() -> u64 {
    VISITED.get()
}

/// Counts items that are about to be visited: slots, bytes, fields, or other items of a loop. Does nothing without the feature
/// `count-work`.
#[inline]
pub fn visit(n: usize) {
    #[cfg(feature = "count-work")]
    VISITED.set(VISITED.get().saturating_add(n as u64));
    #[cfg(not(feature = "count-work"))]
    let _ = n;
}
