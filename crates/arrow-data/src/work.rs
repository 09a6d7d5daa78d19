//! Counts slots and bytes that are visited, for tests of how costs grow with the size of an input.

#[cfg(feature = "count-work")]
use std::cell::Cell;

#[cfg(feature = "count-work")]
thread_local! {
    static VISITED: Cell<u64> = const { Cell::new(0) };
}

/// How many slots and bytes were visited on this thread so far, by checks of content, comparison, and the bytes and hashes of
/// values. What is copied is not among them: an allocator sees that.
///
/// Only with the feature `count-work`, which is for tests.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, Level, work_done};
/// use arrow_schema::DataType;
///
/// let buffers = [Buffer::from(vec![0i32, 1]), Buffer::copy_from(b"a")];
/// let array = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, 1) })?;
/// let before = work_done();
/// array.validate(Level::Content)?;
/// assert!(work_done() > before);
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[cfg(feature = "count-work")]
pub fn work_done() -> u64 {
    VISITED.get()
}

/// Counts slots or bytes that are about to be visited.
#[inline]
pub(crate) fn visit(n: usize) {
    #[cfg(feature = "count-work")]
    VISITED.set(VISITED.get().saturating_add(n as u64));
    #[cfg(not(feature = "count-work"))]
    let _ = n;
}
